//! What a split is worth by its table alone, and where its missing values go.

use super::candidates::{Candidate, Counting, Look, Placement};
use crate::measure::{Gain, Measure, SMALL, Table, heaviest, total};
use crate::model::Unknown;
use crate::recipe::Missing;
use crate::split::criterion::Criterion;

/// A split's worth.
#[derive(Clone, Copy, Debug)]
pub(super) struct Worth {
    pub unknown: Unknown,
    pub gain: f64,
    pub score: f64,
}

impl Worth {
    pub fn candidate(self, attribute: usize, test: Placement) -> Candidate {
        Candidate { attribute, test, unknown: self.unknown, gain: self.gain, score: self.score }
    }
}

impl<N: Counting, K: Criterion<N::Count> + Criterion<f64>> Look<'_, N, K> {
    /// The worth of a split whose branches have these weights by class, one after the other; `None` where fewer than two
    /// are heavy enough. Missing values whose branch is learnt go where the score is highest, the first of equals;
    /// without any, into the first of the heaviest branches.
    pub fn judge(&self, cells: &[f64], missing: &[f64]) -> Option<Worth> {
        let classes = self.classes.len();
        let branches = cells.len() / classes;
        if self.task.recipe.missing != Missing::Learned {
            let (table, unknown) = self.table_of(branches, cells.to_vec(), missing);
            return self.worth(&table, branches, unknown);
        }
        if total(missing) <= SMALL {
            let weights: Vec<f64> = cells.chunks_exact(classes).map(total).collect();
            let table = Table::new(classes, cells.to_vec(), 0.0);
            return self.worth(&table, branches, Unknown::Branch(heaviest(&weights)));
        }
        let mut best: Option<Worth> = None;
        for branch in 0..branches {
            let mut joined = cells.to_vec();
            joined[branch * classes..][..classes].iter_mut().zip(missing).for_each(|(cell, weight)| *cell += weight);
            let worth = self.worth(&Table::new(classes, joined, 0.0), branches, Unknown::Branch(branch));
            best = better(best, worth);
        }
        best
    }

    /// The best of some two-way tests, each with the weights by class of its sides; the first of equals.
    pub fn best_of_two<T: Copy>(
        &self,
        tests: impl Iterator<Item = (T, [Vec<f64>; 2])>,
        missing: &[f64],
    ) -> Option<(T, Worth)> {
        let mut best: Option<(T, Worth)> = None;
        for (test, mut sides) in tests {
            // Differences of sums of fractions are only almost zero.
            sides.iter_mut().flatten().filter(|weight| **weight < SMALL).for_each(|weight| *weight = 0.0);
            if sides.iter().any(|side| total(side) <= SMALL) {
                continue;
            }
            if let Some(worth) = self.judge(&sides.concat(), missing)
                && best.is_none_or(|(_, best)| worth.score > best.score + SMALL)
            {
                best = Some((test, worth));
            }
        }
        best
    }

    /// Two of the first `known` branches must be heavy enough; one after them is that of missing values.
    fn worth(&self, table: &Table, known: usize, unknown: Unknown) -> Option<Worth> {
        let least = self.least_branch();
        if table.branch_weights().take(known).filter(|&weight| weight > least).count() < 2 {
            return None;
        }
        let gain = Gain.of(table);
        Some(Worth { unknown, gain, score: self.score(table, gain) })
    }
}

fn better(best: Option<Worth>, other: Option<Worth>) -> Option<Worth> {
    match (best, other) {
        (Some(best), Some(other)) if other.score > best.score + SMALL => Some(other),
        (best, other) => best.or(other),
    }
}
