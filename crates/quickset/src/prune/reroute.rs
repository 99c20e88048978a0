//! Rows sent through a subtree again, as surgery and held-out rows need it.

use crate::data::{Class, Dataset, MISSING};
use crate::deep::deep;
use crate::grow::{Draft, ROOT, Task, Test, divide_rows, fractions, known_weights};
use crate::measure::{SMALL, heaviest, total};
use crate::model::Unknown;
use crate::split::route;

/// Rows with weights.
#[derive(Clone, Debug, Default)]
pub(crate) struct Weighted {
    pub rows: Vec<u32>,
    /// Beside `rows`; empty where every row counts 1.
    pub weights: Vec<f64>,
}

impl Weighted {
    /// Some rows of a dataset with the dataset's weights.
    pub fn of(data: &Dataset, rows: &[u32]) -> Self {
        let weights = data.weights().map(|weights| rows.iter().map(|&row| weights[row as usize]).collect());
        Weighted { rows: rows.to_vec(), weights: weights.unwrap_or_default() }
    }

    fn weight(&self, at: usize) -> f64 {
        if self.weights.is_empty() { 1.0 } else { self.weights[at] }
    }

    /// Each row with its weight.
    pub fn pairs(&self) -> impl Iterator<Item = (u32, f64)> {
        self.rows.iter().enumerate().map(|(at, &row)| (row, self.weight(at)))
    }

    /// Weight by class.
    pub fn class_weights(&self, classes: &[u16], count: usize) -> Vec<f64> {
        let mut sums = vec![0.0; count];
        self.pairs().for_each(|(row, weight)| sums[usize::from(classes[row as usize])] += weight);
        sums
    }

    /// The branch of each row; [`MISSING`] where it goes down all of them in fractions.
    pub fn branches(&self, data: &Dataset, test: &Test) -> Vec<u32> {
        branches(data, test, &self.rows)
    }

    /// What the rows of each branch weigh.
    pub fn known(&self, branches: &[u32], count: usize) -> Vec<f64> {
        known_weights(&self.rows, self.given_weights(), count, |at, _| branches[at] as usize)
    }

    /// The rows of each branch. A missing value goes where the test says; fractions are those of the rows at hand.
    pub fn divide(&self, data: &Dataset, test: &Test) -> Vec<Weighted> {
        self.divide_by(&self.branches(data, test), test.children.len())
    }

    /// The same where the branch of each row is known.
    pub fn divide_by(&self, branches: &[u32], count: usize) -> Vec<Weighted> {
        let spread = branches.contains(&MISSING).then(|| fractions(&self.known(branches, count)));
        let branch = |at: usize, _| branches[at] as usize;
        let parts = divide_rows(&self.rows, self.given_weights(), spread.as_deref(), count, branch);
        parts.into_iter().map(|(rows, weights)| Weighted { rows, weights }).collect()
    }

    fn given_weights(&self) -> Option<&[f64]> {
        (!self.weights.is_empty()).then_some(&self.weights)
    }
}

/// The weight of rows that a draft predicts wrongly; those in fractions count by what their parts reach.
pub(crate) fn held_out_errors(data: &Dataset, class: &Class, draft: &Draft, rows: Weighted) -> f64 {
    errors_below(data, class, draft, ROOT, rows, 0)
}

/// The same below a node; `fallback` is what an empty leaf predicts.
fn errors_below(data: &Dataset, class: &Class, draft: &Draft, at: usize, rows: Weighted, fallback: usize) -> f64 {
    let weights = &draft.nodes[at].weights;
    let label = if total(weights) < SMALL { fallback } else { heaviest(weights) };
    match &draft.nodes[at].test {
        None => {
            let seen = rows.class_weights(&class.codes, class.levels.len());
            total(&seen) - seen[label]
        }
        Some(test) => {
            let parts = rows.divide(data, test);
            // A tree may be as deep as it has rows: they are not held at every level.
            drop(rows);
            let below = test.children.iter().zip(parts);
            below.map(|(&child, part)| deep(|| errors_below(data, class, draft, child, part, label))).sum()
        }
    }
}

/// The branch that a test sends each row to; [`MISSING`] where it is all of them in fractions.
pub(crate) fn branches(data: &Dataset, test: &Test, rows: &[u32]) -> Vec<u32> {
    work::routed(rows.len());
    let column = &data.attributes()[test.split.attribute()];
    let instead = match test.unknown {
        Unknown::Branch(branch) => branch as u32,
        Unknown::Fractions => MISSING,
    };
    let mut branches = vec![0; rows.len()];
    route(&test.split, column, rows, |at, _, branch| {
        branches[at] = if branch == MISSING { instead } else { branch };
    });
    branches
}

/// Recounts the tree from the rows that reach it now. No more rows are held than are on their way: a tree may be as deep
/// as it has rows.
pub(crate) fn refit(task: &Task<'_>, draft: &mut Draft, rows: Weighted) {
    let mut open = vec![(ROOT, rows)];
    while let Some((at, rows)) = open.pop() {
        let node = &mut draft.nodes[at];
        node.weights = rows.class_weights(task.classes, task.class_count);
        if let Some(test) = &node.test {
            open.extend(test.children.iter().copied().zip(rows.divide(task.data, test)));
        }
    }
}

/// How often a row was sent through a test, for tests of what pruning costs: time would tell of the machine.
pub(crate) mod work {
    #[cfg(test)]
    thread_local! {
        static ROUTED: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
    }

    /// Some rows pass a test.
    #[inline(always)]
    pub(crate) fn routed(_rows: usize) {
        #[cfg(test)]
        ROUTED.set(ROUTED.get() + _rows as u64);
    }

    /// What `step` sends through tests on this thread.
    #[cfg(test)]
    pub(crate) fn of<T>(step: impl FnOnce() -> T) -> (u64, T) {
        let before = ROUTED.get();
        let done = step();
        (ROUTED.get() - before, done)
    }
}
