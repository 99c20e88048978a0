//! Pruning as it is defined, with all rows of a node at hand and nothing remembered.

use crate::deep::deep;
use crate::grow::{Draft, ROOT, Task};
use crate::measure::{SMALL, total};
use crate::prune::estimate::Estimate;
use crate::prune::reroute::Weighted;

const SLACK: f64 = 0.1;

/// Prunes and answers how many branches were raised.
pub fn prune(task: &Task<'_>, draft: &mut Draft, estimate: Estimate) -> usize {
    let mut plain = Plain { task, draft, estimate, raised: 0 };
    plain.prune(ROOT, &Weighted::of(task.data, &task.rows));
    plain.raised
}

struct Plain<'p, 'd> {
    task: &'p Task<'d>,
    draft: &'p mut Draft,
    estimate: Estimate,
    raised: usize,
}

impl Plain<'_, '_> {
    fn prune(&mut self, at: usize, rows: &Weighted) -> f64 {
        let as_leaf = self.estimate.of(&self.draft.nodes[at].weights);
        let Some(test) = self.draft.nodes[at].test.clone() else { return as_leaf };
        let mut as_tree = 0.0;
        for (&child, part) in test.children.iter().zip(rows.divide(self.task.data, &test)) {
            as_tree += deep(|| self.prune(child, &part));
        }
        let weights: Vec<f64> = test.children.iter().map(|&child| total(&self.draft.nodes[child].weights)).collect();
        let largest = test.children[largest(&weights)];
        let as_largest = self.errors(largest, rows);
        if as_leaf <= as_tree + SLACK + SMALL && as_leaf <= as_largest + SLACK + SMALL {
            self.draft.nodes[at].test = None;
            return as_leaf;
        }
        if as_largest <= as_tree + SLACK + SMALL {
            self.draft.nodes[at].test = self.draft.nodes[largest].test.take();
            self.refit(at, rows);
            self.raised += 1;
            return deep(|| self.prune(at, rows));
        }
        as_tree
    }

    /// The errors of a subtree as it stands, if these were its rows.
    fn errors(&self, at: usize, rows: &Weighted) -> f64 {
        let Some(test) = &self.draft.nodes[at].test else {
            return self.estimate.of(&rows.class_weights(self.task.classes, self.task.class_count));
        };
        let parts = rows.divide(self.task.data, test);
        test.children.iter().zip(parts).map(|(&child, part)| deep(|| self.errors(child, &part))).sum()
    }

    fn refit(&mut self, at: usize, rows: &Weighted) {
        self.draft.nodes[at].weights = rows.class_weights(self.task.classes, self.task.class_count);
        let Some(test) = self.draft.nodes[at].test.clone() else { return };
        for (&child, part) in test.children.iter().zip(rows.divide(self.task.data, &test)) {
            deep(|| self.refit(child, &part));
        }
    }
}

/// The errors of a node where its largest branch is not taken as it stands, but pruned in thought with all rows of the
/// node, and so is that one's largest branch: the recursion behind Martin and Hirschberg's worst case,
/// c (2^(H+1) - 1) N. (C4.5 release 8 and J48 take the branch as it stands.) The tree is left alone.
pub fn nested(task: &Task<'_>, draft: &Draft, estimate: Estimate, at: usize, rows: &Weighted) -> f64 {
    let as_leaf = estimate.of(&rows.class_weights(task.classes, task.class_count));
    let Some(test) = &draft.nodes[at].test else { return as_leaf };
    let parts = rows.divide(task.data, test);
    let weights: Vec<f64> =
        parts.iter().map(|part| total(&part.class_weights(task.classes, task.class_count))).collect();
    let below = test.children.iter().zip(&parts);
    let as_tree = below.map(|(&child, part)| nested(task, draft, estimate, child, part)).sum::<f64>();
    let as_largest = nested(task, draft, estimate, test.children[largest(&weights)], rows);
    if as_leaf <= as_tree + SLACK && as_leaf <= as_largest + SLACK {
        as_leaf
    } else if as_largest <= as_tree + SLACK {
        as_largest
    } else {
        as_tree
    }
}

fn largest(weights: &[f64]) -> usize {
    let (mut largest, mut most) = (0, 0.0);
    for (branch, &weight) in weights.iter().enumerate() {
        if weight > most - SMALL {
            (largest, most) = (branch, weight);
        }
    }
    largest
}
