//! Rows sent through a subtree again, as surgery and held-out rows need it.

use crate::data::{ColumnData, Dataset, MISSING};
use crate::deep::deep;
use crate::grow::{Draft, DraftNode, Task, Test};
use crate::measure::{SMALL, total};
use crate::model::Unknown;
use crate::split::{Split, divide_in_two, route};

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

    /// Weight by class.
    pub fn class_weights(&self, classes: &[u16], count: usize) -> Vec<f64> {
        let mut sums = vec![0.0; count];
        for (at, &row) in self.rows.iter().enumerate() {
            sums[usize::from(classes[row as usize])] += self.weight(at);
        }
        sums
    }

    /// The rows of each branch. A missing value goes where the test says; fractions are those of the rows at hand.
    pub fn divide(&self, data: &Dataset, test: &Test) -> Vec<Weighted> {
        let column = &data.attributes()[test.split.attribute()];
        let instead = match test.unknown {
            Unknown::Branch(branch) => branch as u32,
            Unknown::Fractions => MISSING,
        };
        let mut branches = vec![0; self.rows.len()];
        let mut missing = Vec::new();
        route(&test.split, column, &self.rows, |at, _, branch| {
            let branch = if branch == MISSING { instead } else { branch };
            branches[at] = branch;
            if branch == MISSING {
                missing.push(at);
            }
        });
        if test.children.len() == 2 && missing.is_empty() && self.weights.is_empty() {
            let second = branches.iter().map(|&branch| branch as usize).sum();
            let parts = divide_in_two(&self.rows, second, |at, _| branches[at] as usize);
            return parts.map(|rows| Weighted { rows, weights: Vec::new() }).into();
        }
        let mut sizes = vec![0usize; test.children.len()];
        for &branch in branches.iter().filter(|&&branch| branch != MISSING) {
            sizes[branch as usize] += 1;
        }
        let weighted = !self.weights.is_empty();
        let part = |size| Weighted {
            rows: Vec::with_capacity(size),
            weights: Vec::with_capacity(if weighted { size } else { 0 }),
        };
        let mut parts: Vec<Weighted> = sizes.into_iter().map(part).collect();
        for (at, &branch) in branches.iter().enumerate() {
            if let Some(part) = parts.get_mut(branch as usize) {
                part.rows.push(self.rows[at]);
                if weighted {
                    part.weights.push(self.weights[at]);
                }
            }
        }
        if !missing.is_empty() {
            self.spread(&missing, &mut parts);
        }
        parts
    }

    fn spread(&self, missing: &[usize], parts: &mut [Weighted]) {
        for part in parts.iter_mut().filter(|part| part.weights.is_empty()) {
            part.weights = vec![1.0; part.rows.len()];
        }
        let known: Vec<f64> = parts.iter().map(|part| total(&part.weights)).collect();
        let sum = total(&known);
        for (part, weight) in parts.iter_mut().zip(known) {
            let fraction = if sum > 0.0 { weight / sum } else { 0.0 };
            if fraction > SMALL {
                for &at in missing {
                    part.rows.push(self.rows[at]);
                    part.weights.push(self.weight(at) * fraction);
                }
            }
        }
    }
}

/// The child that a row without missing values goes to; `None` at a leaf.
pub(crate) fn next(data: &Dataset, node: &DraftNode, row: u32) -> Option<usize> {
    let test = node.test.as_ref()?;
    let column = &data.attributes()[test.split.attribute()];
    let branch = match (&test.split, column.data()) {
        // The usual storage is read without a detour.
        (Split::Threshold { cut, .. }, ColumnData::Numeric(values)) => usize::from(values[row as usize] > *cut),
        (Split::Levels { .. }, ColumnData::Nominal { codes, .. }) => codes[row as usize] as usize,
        (split, _) => split.branch(column.value(row as usize))?,
    };
    Some(test.children[branch])
}

/// Recounts a subtree from the rows that reach it now.
pub(crate) fn refit(task: &Task<'_>, draft: &mut Draft, at: usize, rows: &Weighted) {
    let node = &mut draft.nodes[at];
    node.weights = rows.class_weights(task.classes, task.class_count);
    if let Some(test) = node.test.clone() {
        for (&child, part) in test.children.iter().zip(rows.divide(task.data, &test)) {
            deep(|| refit(task, draft, child, &part));
        }
    }
}
