//! C4.5's error-based pruning, with subtree raising.
//!
//! From the leaves up, a subtree is replaced by a leaf, or by its largest branch, where the pessimistic estimate of
//! the errors does not get worse by more than [`SLACK`].

use statrs::distribution::{ContinuousCDF, Normal};

use super::reroute::{Weighted, next, refit};
use crate::deep::deep;
use crate::grow::{Draft, ROOT, Task};
use crate::measure::{SMALL, errors, total};
use crate::recipe::Errors;

/// How much worse a simpler tree may look (J48, C4.5 release 8).
const SLACK: f64 = 0.1;

/// So many rows are sent into a branch at first to see what becomes of its errors.
const FIRST: usize = 4;

/// C4.5 release 8 has no inverse normal: it interpolates in this table of confidences and deviations.
const CONFIDENCES: [f64; 9] = [0.0, 0.001, 0.005, 0.01, 0.05, 0.10, 0.20, 0.40, 1.0];
const DEVIATIONS: [f64; 9] = [4.0, 3.09, 2.58, 2.33, 1.65, 1.28, 0.84, 0.25, 0.0];

/// The upper limit of a leaf's errors at a confidence.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Estimate {
    confidence: f64,
    /// The deviation of the normal distribution that the confidence leaves above it.
    deviation: f64,
    /// The share of the rest that is added where nearly all rows are wrong.
    nearly_all: f64,
}

impl Estimate {
    pub fn new(confidence: f64, errors: Errors) -> Self {
        let (deviation, nearly_all) = match errors {
            Errors::J48 => (Normal::standard().inverse_cdf(1.0 - confidence), 1.0),
            Errors::C45 => (interpolated(confidence), 0.67),
        };
        Estimate { confidence, deviation, nearly_all }
    }

    /// Errors to add to `errors` seen among `rows`.
    pub fn added(&self, rows: f64, errors: f64) -> f64 {
        if errors < 1.0 {
            // Exact for no error; linear up to one.
            let none = rows * (1.0 - self.confidence.powf(1.0 / rows));
            return if errors == 0.0 { none } else { none + errors * (self.added(rows, 1.0) - none) };
        }
        if errors + 0.5 >= rows {
            return (self.nearly_all * (rows - errors)).max(0.0);
        }
        let z = self.deviation;
        let rate = (errors + 0.5) / rows;
        let spread = (rate / rows - rate * rate / rows + z * z / (4.0 * rows * rows)).sqrt();
        let upper = (rate + z * z / (2.0 * rows) + z * spread) / (1.0 + z * z / rows);
        upper * rows - errors
    }

    /// The estimated errors of a leaf.
    fn of(&self, weights: &[f64]) -> f64 {
        let rows = total(weights);
        if rows < SMALL {
            return 0.0;
        }
        let errors = errors(weights);
        errors + self.added(rows, errors)
    }
}

fn interpolated(confidence: f64) -> f64 {
    let above = CONFIDENCES.partition_point(|&c| c < confidence).clamp(1, CONFIDENCES.len() - 1);
    let (low, high) = (CONFIDENCES[above - 1], CONFIDENCES[above]);
    let part = (confidence - low) / (high - low);
    DEVIATIONS[above - 1] + part * (DEVIATIONS[above] - DEVIATIONS[above - 1])
}

/// Prunes the whole tree.
pub(crate) fn prune(task: &Task<'_>, draft: &mut Draft, estimate: Estimate, raising: bool) {
    let followed = raising && !task.keeps_rows;
    let rows = if followed { Weighted::of(task.data, &task.rows) } else { Weighted::default() };
    let estimated = vec![None; draft.nodes.len()];
    let mut pruner = Pruner { task, draft, estimate, raising, followed, estimated };
    pruner.prune(ROOT, &rows);
}

struct Pruner<'p, 'd> {
    task: &'p Task<'d>,
    draft: &'p mut Draft,
    estimate: Estimate,
    raising: bool,
    /// Whether the rows must be followed from the root, since leaves do not keep theirs.
    followed: bool,
    /// The estimated errors below every node that was pruned and whose rows are the same since.
    estimated: Vec<Option<f64>>,
}

impl Pruner<'_, '_> {
    /// Prunes below `at`, then `at` itself. Answers the estimated errors of what is left. `rows` are those that reach
    /// the node, where they are followed.
    fn prune(&mut self, at: usize, rows: &Weighted) -> f64 {
        if let Some(errors) = self.estimated[at] {
            return errors;
        }
        let errors = deep(|| self.prune_here(at, rows));
        self.estimated[at] = Some(errors);
        errors
    }

    fn prune_here(&mut self, at: usize, rows: &Weighted) -> f64 {
        let as_leaf = self.estimate.of(&self.draft.nodes[at].weights);
        let Some(test) = self.draft.nodes[at].test.clone() else { return as_leaf };
        let parts = if self.followed { rows.divide(self.task.data, &test) } else { Vec::new() };
        let mut as_tree = 0.0;
        for (branch, &child) in test.children.iter().enumerate() {
            as_tree += self.prune(child, parts.get(branch).unwrap_or(&Weighted::default()));
        }
        drop(parts);
        let largest = test.children[self.largest_branch(&test.children)];
        // A branch above this is not raised, and does not keep the node from becoming a leaf.
        let enough = as_tree + 3.0 * SLACK;
        let mut others = Vec::new();
        let as_largest = match (self.raising, self.followed) {
            (false, _) => f64::INFINITY,
            (true, true) => self.errors_on(largest, rows, enough),
            (true, false) => {
                let small = test.children.iter().filter(|&&child| child != largest);
                small.for_each(|&child| self.draft.gather(child, &mut others));
                let known = self.estimated[largest].unwrap_or(0.0);
                known + self.rise(largest, &others, enough - known)
            }
        };
        if as_leaf <= as_tree + SLACK + SMALL && as_leaf <= as_largest + SLACK + SMALL {
            self.draft.cut(at);
            return as_leaf;
        }
        if as_largest <= as_tree + SLACK + SMALL {
            // The branch takes the place of its parent, with all of its rows.
            let branch = &mut self.draft.nodes[largest];
            (self.draft.nodes[at].test, self.draft.nodes[at].rows) =
                (branch.test.take(), std::mem::take(&mut branch.rows));
            if self.followed {
                refit(self.task, self.draft, at, rows);
                self.forget(at);
            } else {
                others.iter().for_each(|&row| self.add(at, row));
            }
            return self.prune_here(at, rows);
        }
        as_tree
    }

    /// Adds a row to the leaf that it reaches from `at`, and counts it on the way.
    fn add(&mut self, at: usize, row: u32) {
        let class = usize::from(self.task.classes[row as usize]);
        let mut place = at;
        loop {
            let node = &mut self.draft.nodes[place];
            // It is among the rows of `at` already.
            if place != at {
                node.weights[class] += 1.0;
            }
            self.estimated[place] = None;
            let Some(next) = next(self.task.data, node, row) else { return node.rows.push(row) };
            place = next;
        }
    }

    /// Forgets all estimates below a node.
    fn forget(&mut self, at: usize) {
        let mut open = vec![at];
        while let Some(at) = open.pop() {
            self.estimated[at] = None;
            open.extend(self.draft.nodes[at].test.iter().flat_map(|test| &test.children));
        }
    }

    /// The heaviest branch; of equal ones the last.
    fn largest_branch(&self, children: &[usize]) -> usize {
        let (mut largest, mut most) = (0, 0.0);
        for (branch, &child) in children.iter().enumerate() {
            let weight = total(&self.draft.nodes[child].weights);
            if weight > most - SMALL {
                (largest, most) = (branch, weight);
            }
        }
        largest
    }

    /// By how much the estimated errors of a subtree rise if `more` rows reach it besides its own. More rows never lower
    /// them, so that the first few tell enough once they exceed `enough`.
    fn rise(&mut self, at: usize, more: &[u32], enough: f64) -> f64 {
        let mut landed: Vec<(usize, u16)> = Vec::new();
        let mut rise = 0.0;
        let mut rest = more;
        while !rest.is_empty() && rise <= enough {
            let (some, others) = rest.split_at(rest.len().min(landed.len().max(FIRST)));
            landed.extend(some.iter().map(|&row| (self.leaf(at, row), self.task.classes[row as usize])));
            landed.sort_unstable();
            rise = landed.chunk_by(|one, next| one.0 == next.0).map(|rows| self.rise_of_leaf(rows)).sum();
            rest = others;
        }
        rise
    }

    /// The leaf that a row reaches from `at`.
    fn leaf(&self, mut at: usize, row: u32) -> usize {
        while let Some(child) = next(self.task.data, &self.draft.nodes[at], row) {
            at = child;
        }
        at
    }

    /// The same of one leaf, from the classes of rows that reach it.
    fn rise_of_leaf(&self, rows: &[(usize, u16)]) -> f64 {
        let leaf = rows[0].0;
        let mut weights = self.draft.nodes[leaf].weights.clone();
        rows.iter().for_each(|&(_, class)| weights[usize::from(class)] += 1.0);
        self.estimate.of(&weights) - self.estimate.of(&self.draft.nodes[leaf].weights)
    }

    /// The estimated errors of a subtree if `rows` reached it. Once they exceed `enough` the rest is not counted.
    fn errors_on(&self, at: usize, rows: &Weighted, enough: f64) -> f64 {
        match &self.draft.nodes[at].test {
            None => self.estimate.of(&rows.class_weights(self.task.classes, self.task.class_count)),
            Some(test) => {
                let mut sum = 0.0;
                for (&child, part) in test.children.iter().zip(rows.divide(self.task.data, test)) {
                    sum += deep(|| self.errors_on(child, &part, enough - sum));
                    if sum > enough {
                        break;
                    }
                }
                sum
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// ALGORITHMS.md §1.6: rows, errors, what J48 and C4.5 release 8 add at confidence 0.25.
    const ADDED: [(f64, f64, f64, f64); 14] = [
        (6.0, 0.0, 1.237796844, 1.237796844),
        (9.0, 0.0, 1.284804154, 1.284804154),
        (1.0, 0.0, 0.75, 0.75),
        (16.0, 1.0, 1.475714632, 1.506893958),
        (14.0, 4.0, 1.741286838, 1.775575447),
        (14.0, 5.0, 1.761119807, 1.794993148),
        (14.0, 1.0, 1.460550032, 1.490966925),
        (2.0, 1.0, 0.791493043, 0.796241132),
        (5.0, 2.0, 1.221972269, 1.239583292),
        (100.0, 10.0, 2.749611451, 2.814705318),
        (1000.0, 100.0, 7.095745810, 7.276903120),
        (6.0, 0.5, 1.270651701, 1.282141140),
        (3.0, 2.6, 0.4, 0.268),
        (10.0, 9.4, 0.584339859, 0.584934501),
    ];

    #[test]
    fn added_errors_are_those_of_the_vectors() {
        let j48 = Estimate::new(0.25, Errors::J48);
        let c45 = Estimate::new(0.25, Errors::C45);
        for (rows, errors, by_j48, by_c45) in ADDED {
            assert!(
                (j48.added(rows, errors) - by_j48).abs() < 1e-8,
                "J48 {rows} {errors}: {}",
                j48.added(rows, errors)
            );
            assert!(
                (c45.added(rows, errors) - by_c45).abs() < 1e-8,
                "C4.5 {rows} {errors}: {}",
                c45.added(rows, errors)
            );
        }
    }

    #[test]
    fn quinlans_printed_limit_follows_from_the_table() {
        let c45 = Estimate::new(0.25, Errors::C45);
        assert!((c45.deviation - 0.6925).abs() < 1e-12);
        assert!(((1.0 + c45.added(16.0, 1.0)) / 16.0 - 0.156681).abs() < 1e-6);
    }
}
