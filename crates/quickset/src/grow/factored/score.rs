//! What every attribute is worth at a node, from the node's class weights alone.

use super::spread::{Spread, Worth};
use super::{Path, Range, Tables};
use crate::measure::{Gini, Measure, Table, total, x_log_x};
use crate::recipe::Score;

/// The attributes that may be chosen at a node, ascending, with what they are worth.
pub(crate) struct Scores {
    pub attributes: Vec<usize>,
    pub gains: Vec<f64>,
    pub scores: Vec<f64>,
}

impl Scores {
    /// Values all attributes that the path has left. `observed` are ranges that go before those of the path.
    pub fn new(tables: &Tables, weights: &[f64], path: &Path, observed: impl Fn(usize) -> Option<Range>) -> Self {
        let present = present(weights);
        let mut scores = Scores { attributes: Vec::new(), gains: Vec::new(), scores: Vec::new() };
        for (attribute, spread) in tables.spreads.iter().enumerate() {
            let Some(spread) = spread.filter(|_| !path.is_gone(attribute)) else { continue };
            let range = observed(attribute)
                .or_else(|| path.ranges().iter().find(|(cut, _)| *cut == attribute).map(|(_, range)| *range));
            let single = range.is_none() && path.is_single(attribute);
            let worth = if single { Worth::default() } else { worth(tables, spread, &present, range) };
            scores.attributes.push(attribute);
            scores.gains.push(worth.gain);
            scores.scores.push(match tables.by.score {
                Score::Igr | Score::GainRatio if worth.information > 0.0 => worth.gain / worth.information,
                Score::Igr | Score::GainRatio => 0.0,
                _ => worth.gain,
            });
        }
        scores
    }
}

/// The classes that occur, with their shares.
pub(super) fn present(weights: &[f64]) -> Vec<(usize, f64)> {
    let sum = total(weights);
    weights
        .iter()
        .enumerate()
        .filter(|(_, weight)| **weight > 0.0)
        .map(|(class, weight)| (class, weight / sum))
        .collect()
}

pub(super) fn worth(tables: &Tables, spread: &Spread, present: &[(usize, f64)], range: Option<Range>) -> Worth {
    let cuts = tables.by.cuts && spread.is_numeric();
    if tables.by.score == Score::Gini {
        return spread.best_table(present, range, cuts, |table| Gini.of(table));
    }
    let worth = match (cuts, range) {
        (true, None) => spread.cuts(present),
        (true, Some(range)) => spread.cuts_within(present, range),
        (false, None) => spread.levels(present),
        (false, Some(range)) => spread.levels_within(present, range),
    };
    // As in C4.5, nothing is gained from rows whose value is missing.
    Worth { gain: spread.known() * worth.gain, ..worth }
}

impl Spread {
    /// The worth by any measure, from the estimated tables themselves.
    fn best_table(
        &self,
        present: &[(usize, f64)],
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
