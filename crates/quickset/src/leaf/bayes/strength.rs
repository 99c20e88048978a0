//! How much the attributes of a leaf tell apart.

use super::NaiveBayes;
use super::ready::Logs;

impl NaiveBayes {
    /// The attributes, those first that tell the two heaviest classes of the leaf apart best; the lower one of equals.
    pub(crate) fn strongest(&self, leaf: &[f64], levels: &[Option<usize>]) -> Vec<usize> {
        let mut classes: Vec<usize> = (0..leaf.len()).collect();
        classes.sort_by(|&a, &b| leaf[b].total_cmp(&leaf[a]));
        let &[first, second, ..] = classes.as_slice() else { return Vec::new() };
        // Whatever the recipe says, a row more is counted: shares of nothing would be the strongest.
        let counted = self.counted(leaf.len(), levels, 1.0);
        let strength = |evidence: &super::Evidence| {
            let levels = levels[evidence.attribute];
            (evidence.attribute, evidence.given.logs(levels, &counted, 1.0).divergence(first, second, levels))
        };
        let mut strengths: Vec<(usize, f64)> = self.evidence.iter().map(strength).collect();
        strengths.sort_by(|a, b| b.1.total_cmp(&a.1));
        strengths.into_iter().map(|(attribute, _)| attribute).collect()
    }
}

impl Logs<'_> {
    /// The expected weight of evidence (Jeffreys' divergence): Σ (P(x | a) − P(x | b)) · ln (P(x | a) / P(x | b)).
    fn divergence(&self, a: usize, b: usize, levels: Option<usize>) -> f64 {
        let of = |logs: &[f64]| (logs[a].exp() - logs[b].exp()) * (logs[a] - logs[b]);
        match self {
            Logs::Levels(seen, logs) => {
                let classes = logs.len() / (seen.len() + 1);
                let mut items = logs.chunks_exact(classes).map(of);
                let known: f64 = items.by_ref().take(seen.len()).sum();
                // The last item stands for all that do not occur.
                known + items.next().unwrap_or(0.0) * levels.map_or(0, |levels| levels - seen.len()) as f64
            }
            Logs::Intervals(cuts, logs) => logs.chunks_exact(logs.len() / (cuts.len() + 1)).map(of).sum(),
            Logs::Normal(normals) => normals.divergence(a, b),
            Logs::Kernel(kernels, wholes) => kernels.divergence(wholes, a, b),
            Logs::Adaptive(adaptive) => adaptive.divergence(a, b),
            Logs::Counts(logs) => of(logs),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::density::Normals;
    use super::super::{Evidence, Likelihood};
    use super::*;
    use crate::split::mdl::Labelled;

    #[test]
    fn what_tells_the_heaviest_classes_apart_comes_first() {
        let numbers = |means: [f64; 2]| {
            let mut rows: Vec<Labelled> = (0..10)
                .map(|row| Labelled { value: means[row % 2] + (row / 2) as f64, class: (row % 2) as u16, weight: 1.0 })
                .collect();
            rows.sort_by(|a, b| a.value.total_cmp(&b.value));
            Likelihood::Normal(Normals::of(&rows, 3))
        };
        let levels = |weights: [[f64; 2]; 3]| Likelihood::Levels {
            seen: vec![0, 2],
            weights: weights.map(|weights| weights.to_vec()).to_vec(),
        };
        let given = [
            numbers([0.0, 0.5]),
            levels([[3.0, 2.0], [2.0, 3.0], [90.0, 0.0]]),
            numbers([0.0, 30.0]),
            levels([[5.0, 0.0], [0.0, 5.0], [0.0, 0.0]]),
            Likelihood::Intervals { cuts: vec![1.0], weights: vec![vec![3.0, 2.0], vec![3.0, 2.0], vec![9.0, 0.0]] },
        ];
        let evidence = given.into_iter().enumerate().map(|(attribute, given)| Evidence { attribute, given }).collect();
        let model = NaiveBayes { evidence };
        let cases = [None, Some(4), None, Some(4), None];
        assert_eq!(model.strongest(&[50.0, 50.0, 1.0], &cases), [2, 3, 0, 1, 4]);
    }
}
