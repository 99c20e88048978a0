//! What an attribute is worth at a node, from the node's class weights alone.

use super::spread::{Share, Spread, Worth};
use super::{Range, Tables};
use crate::measure::{Gini, Measure, Table, total, x_log_x};
use crate::recipe::Score;

/// The attributes that may be chosen at a node, ascending, with what they are worth.
#[derive(Debug, Default)]
pub(crate) struct Scores {
    pub attributes: Vec<usize>,
    pub gains: Vec<f64>,
    pub scores: Vec<f64>,
}

impl Scores {
    /// Adds the next attribute.
    pub fn push(&mut self, by: Score, attribute: usize, worth: Worth) {
        self.attributes.push(attribute);
        self.gains.push(worth.gain);
        self.scores.push(match by {
            Score::Igr | Score::GainRatio if worth.information > 0.0 => worth.gain / worth.information,
            Score::Igr | Score::GainRatio => 0.0,
            _ => worth.gain,
        });
    }
}

/// The classes that occur, with their shares.
pub(super) fn present(weights: &[f64]) -> Vec<Share<1>> {
    let sum = total(weights);
    let occurs = weights.iter().enumerate().filter(|(_, weight)| **weight > 0.0);
    occurs.map(|(class, weight)| (class, [weight / sum])).collect()
}

/// What an attribute is worth at a node, within its range there.
pub(super) fn worth(tables: &Tables, spread: &Spread, present: &[Share<1>], range: Option<Range>) -> Worth {
    let cuts = spread.has_cuts();
    if tables.by.score == Score::Gini {
        return spread.best_table(present, range, cuts, |table| Gini.of(table));
    }
    spread.of_known(match (cuts, range) {
        (true, None) => spread.cuts(present),
        (true, Some(range)) => spread.cuts_within(present, range),
        (false, None) => spread.levels(present)[0],
        (false, Some(range)) => spread.levels_within(present, range),
    })
}

impl Spread {
    /// As in C4.5, nothing is gained from rows whose value is missing.
    pub(super) fn of_known(&self, worth: Worth) -> Worth {
        Worth { gain: self.known() * worth.gain, ..worth }
    }

    /// The worth by any measure, from the estimated tables themselves.
    fn best_table(
        &self,
        present: &[Share<1>],
        range: Option<Range>,
        cuts: bool,
        measure: impl Fn(&Table) -> f64,
    ) -> Worth {
        let classes = self.conditioned(present, range.unwrap_or(self.whole()));
        let cells = classes.first().map_or(0, |(_, shares)| shares.len());
        let joint = |cell: usize| classes.iter().map(move |(share, shares)| share * shares[cell]);
        let of = |branches: Vec<f64>| {
            let table = Table::new(classes.len(), branches, 0.0);
            let information = -table.branch_weights().map(x_log_x).sum::<f64>();
            Worth { gain: measure(&table), information }
        };
        if !cuts {
            return of((0..cells).flat_map(joint).collect());
        }
        let mut left = vec![0.0; classes.len()];
        let mut best = Worth::default();
        for cut in 0..cells.saturating_sub(1) {
            left.iter_mut().zip(joint(cut)).for_each(|(sum, more)| *sum += more);
            let right = classes.iter().zip(&left).map(|((share, _), left)| (share - left).max(0.0));
            let worth = of(left.iter().copied().chain(right).collect());
            if worth.gain > best.gain {
                best = worth;
            }
        }
        best
    }
}
