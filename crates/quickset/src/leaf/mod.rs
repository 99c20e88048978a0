//! What a leaf predicts from its training rows: from their weights alone, or with naive Bayes from their values.

pub(crate) mod bayes;

use crate::recipe::{Leaf, Shares};

pub use bayes::NaiveBayes;

/// A probability per class, from the weights of the rows; `all` are the weights of all training rows.
pub(crate) fn probabilities(leaf: Leaf, weights: &[f64], all: &[f64]) -> Vec<f64> {
    let total: f64 = weights.iter().sum();
    let classes = weights.len() as f64;
    match leaf {
        _ if total <= 0.0 => vec![1.0 / classes; weights.len()],
        Leaf::Majority => {
            let heaviest = crate::measure::heaviest(weights);
            (0..weights.len()).map(|class| if class == heaviest { 1.0 } else { 0.0 }).collect()
        }
        Leaf::Distribution | Leaf::Nb { counts: Shares::Ml, .. } => {
            weights.iter().map(|weight| weight / total).collect()
        }
        Leaf::MEstimate { m } => {
            let added = |weight: &f64| m * weight / all.iter().sum::<f64>();
            weights.iter().zip(all).map(|(weight, of_all)| (weight + added(of_all)) / (total + m)).collect()
        }
        Leaf::Laplace | Leaf::Nb { .. } => weights.iter().map(|weight| (weight + 1.0) / (total + classes)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_of_leaf_has_its_probabilities() {
        let probabilities = |leaf, weights: &[f64]| probabilities(leaf, weights, &[30.0, 10.0]);
        assert_eq!(probabilities(Leaf::Majority, &[1.0, 4.0]), [0.0, 1.0]);
        assert_eq!(probabilities(Leaf::Distribution, &[1.0, 4.0]), [0.2, 0.8]);
        assert_eq!(probabilities(Leaf::MEstimate { m: 0.0 }, &[1.0, 4.0]), [0.2, 0.8]);
        assert_eq!(probabilities(Leaf::MEstimate { m: 4.0 }, &[1.0, 5.0]), [0.4, 0.6]);
        let laplace = probabilities(Leaf::Laplace, &[4.0, 1.0]);
        assert!((laplace[0] - 0.714286).abs() < 1e-6 && (laplace[1] - 0.285714).abs() < 1e-6);
        assert_eq!(probabilities(Leaf::Distribution, &[0.0, 0.0]), [0.5, 0.5]);
    }
}
