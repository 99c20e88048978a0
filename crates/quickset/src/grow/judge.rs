//! What a split is worth by its table alone, and where its missing values go.

use super::candidates::{Candidate, Counting, Look, Placement};
use crate::measure::{Gain, Measure, SMALL, Table, total};
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
    /// The worth of a split with so many branches, of which `cells` holds those that matter, weights by class of one
    /// after the other; `code` tells which these are. `None` where fewer than two branches are heavy enough. Missing
    /// values whose branch is learnt go where the score is highest, the first of equals; without any, into the first of
    /// the heaviest branches.
    pub fn judge(&self, branches: usize, cells: &[f64], missing: &[f64], code: impl Fn(usize) -> u32) -> Option<Worth> {
        let classes = self.classes.len();
        if self.task.recipe.missing != Missing::Learned {
            let (table, unknown) = self.table_of(branches, cells.to_vec(), missing);
            return self.worth(&table, cells.len() / classes, unknown);
        }
        let weights: Vec<f64> = cells.chunks_exact(classes).map(total).collect();
        if total(missing) <= SMALL {
            let (mut heaviest, mut most) = (0, 0.0);
            for (at, &weight) in weights.iter().enumerate().filter(|(_, weight)| **weight > SMALL) {
                if weight > most + SMALL {
                    (heaviest, most) = (at, weight);
                }
            }
            let table = Table::new(classes, cells.to_vec(), 0.0);
            return self.worth(&table, weights.len(), Unknown::Branch(code(heaviest) as usize));
        }
        let mut best: Option<Worth> = None;
        for at in (0..weights.len()).filter(|&at| weights[at] > SMALL) {
            let mut joined = cells.to_vec();
            joined[at * classes..][..classes].iter_mut().zip(missing).for_each(|(cell, weight)| *cell += weight);
            let table = Table::new(classes, joined, 0.0);
            let worth = self.worth(&table, weights.len(), Unknown::Branch(code(at) as usize));
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
            if let Some(worth) = self.judge(2, &sides.concat(), missing, |at| at as u32)
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
