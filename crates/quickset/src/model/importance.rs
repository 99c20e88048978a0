//! How much each attribute tells.

use super::{Model, Node};
use crate::measure::log2;

impl Model {
    /// The share of each attribute in what the tests of the tree tell about the class: bits by which they lower its
    /// entropy, times the rows they are asked of. All 0 for a tree that tests nothing, else they sum to 1.
    pub fn importances(&self) -> Vec<f64> {
        let mut told = vec![0.0; self.schema.attributes.len()];
        for node in self.tree.nodes() {
            if let Node::Inner { split, children, .. } = node {
                let after: f64 = children.iter().map(|&child| bits(self.tree.node(child).weights())).sum();
                told[split.attribute()] += (bits(node.weights()) - after).max(0.0);
            }
        }
        let all: f64 = told.iter().sum();
        if all > 0.0 {
            told.iter_mut().for_each(|told| *told /= all);
        }
        told
    }
}

/// The entropy of classes times their weight.
fn bits(weights: &[f64]) -> f64 {
    let all: f64 = weights.iter().sum();
    weights.iter().filter(|&&weight| weight > 0.0).map(|&weight| weight * log2(all / weight)).sum()
}

#[cfg(test)]
mod tests {
    use crate::model::testing::{inner, leaf, model, weather};
    use crate::recipe::Recipe;
    use crate::split::Split;

    #[test]
    fn the_tests_of_the_weather_share_all_there_is_to_know() {
        // The tree has no errors, so its tests tell all 14 × 0.9403 bits; outlook tells 14 × 0.2467 of them.
        let importances = weather().importances();
        assert!((importances.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        assert!((importances[0] - 0.2467 / 0.9403).abs() < 1e-3, "{importances:?}");
    }

    #[test]
    fn a_test_that_tells_nothing_and_a_lone_leaf_have_no_share() {
        let useless = Split::Threshold { attribute: 0, cut: 1.0 };
        let nodes = vec![inner(&[2.0, 2.0], useless, &[1, 2]), leaf(&[1.0, 1.0]), leaf(&[1.0, 1.0])];
        assert_eq!(model(Recipe::c45(), &[("x", &[])], &["a", "b"], nodes).importances(), [0.0]);
        assert_eq!(model(Recipe::c45(), &[("x", &[])], &["a", "b"], vec![leaf(&[1.0, 1.0])]).importances(), [0.0]);
    }
}
