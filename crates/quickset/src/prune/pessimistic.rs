//! C4.5's error-based pruning, with subtree raising.
//!
//! From the leaves up, a subtree is replaced by a leaf, or by its largest branch, where the pessimistic estimate of
//! the errors does not get worse by more than [`SLACK`]. Estimates are kept until the rows below a node change, so a
//! node is looked at again only where raising brought rows to it. The parts of a large tree are pruned side by side.

use rayon::prelude::*;

use super::divided::Divided;
use super::estimate::Estimate;
use super::parts::{Part, take_apart};
use super::steps::Tests;
use super::surgery::{self, Estimated, Surgery, Whole};
use crate::deep::deep;
use crate::grow::{Draft, ROOT, Task};
use crate::measure::{SMALL, total};

/// How much worse a simpler tree may look (J48, C4.5 release 8).
const SLACK: f64 = 0.1;

/// Prunes the whole tree.
pub(crate) fn prune(task: &Task<'_>, draft: &mut Draft, estimate: Estimate, raising: bool) {
    if !raising {
        Pruner::new(draft, estimate, surgery::None).prune(ROOT);
    } else if task.keeps_rows {
        let tests = Tests::new(task, draft);
        let parts = take_apart(draft).into_par_iter().map(|mut part| {
            let rows = Whole::new(task, &tests, &part.draft);
            let mut pruner = Pruner::new(&mut part.draft, estimate, rows);
            pruner.prune(ROOT);
            let below = pruner.below;
            (part, below)
        });
        let parts: Vec<(Part, Vec<Option<f64>>)> = parts.collect();
        let mut below = vec![None; draft.nodes.len()];
        for (part, known) in parts {
            part.put_back(draft).into_iter().zip(known).for_each(|(at, known)| below[at] = known);
        }
        let rows = Whole::new(task, &tests, draft);
        Pruner { draft, estimate, rows, below }.prune(ROOT);
    } else {
        let rows = Divided::new(task, draft);
        let mut pruner = Pruner::new(draft, estimate, rows);
        pruner.prune(ROOT);
        pruner.rows.finish(pruner.draft);
    }
}

struct Pruner<'p, S> {
    draft: &'p mut Draft,
    estimate: Estimate,
    rows: S,
    /// The estimated errors below every node that was pruned and whose rows are the same since.
    below: Vec<Option<f64>>,
}

impl<'p, S: Surgery> Pruner<'p, S> {
    fn new(draft: &'p mut Draft, estimate: Estimate, rows: S) -> Self {
        let below = vec![None; draft.nodes.len()];
        Pruner { draft, estimate, rows, below }
    }

    /// Prunes below `at`, then `at` itself. Answers the estimated errors of what is left.
    fn prune(&mut self, at: usize) -> f64 {
        if let Some(errors) = self.below[at] {
            return errors;
        }
        let errors = loop {
            if let Some(errors) = deep(|| self.try_at(at)) {
                break errors;
            }
        };
        self.below[at] = Some(errors);
        errors
    }

    /// `None` where a branch was raised: then all is to be tried again.
    fn try_at(&mut self, at: usize) -> Option<f64> {
        let as_leaf = self.estimate.of(&self.draft.nodes[at].weights);
        let Some(test) = &self.draft.nodes[at].test else { return Some(as_leaf) };
        let children = test.children.clone();
        let as_tree = children.iter().map(|&child| self.prune(child)).sum::<f64>();
        let largest = self.largest(&children);
        let outside = self.rows.outside(self.draft, at, largest);
        let tree = Estimated { draft: self.draft, estimate: &self.estimate, below: &self.below };
        let may_be_leaf = as_leaf <= as_tree + SLACK + SMALL;
        // A branch above this is not raised, or does not keep the node from becoming a leaf.
        let enough = if may_be_leaf { as_leaf - SLACK } else { as_tree + SLACK + 2.0 * SMALL };
        let as_largest = self.rows.joined(&tree, largest, &outside, enough);
        if may_be_leaf && as_leaf <= as_largest + SLACK + SMALL {
            self.rows.cut(self.draft, at);
            return Some(as_leaf);
        }
        if as_largest <= as_tree + SLACK + SMALL {
            self.rows.raise(self.draft, at, largest, outside, |changed| self.below[changed] = None);
            return None;
        }
        Some(as_tree)
    }

    /// The heaviest branch; of equal ones the last.
    fn largest(&self, children: &[usize]) -> usize {
        let (mut largest, mut most) = (children[0], 0.0);
        for &child in children {
            let weight = total(&self.draft.nodes[child].weights);
            if weight > most - SMALL {
                (largest, most) = (child, weight);
            }
        }
        largest
    }
}
