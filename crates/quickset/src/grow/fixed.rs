//! Numeric attributes whose cuts are made once, from all training rows: at a node they are counted as levels are.

use rayon::prelude::*;

use super::candidates::{Candidate, Counting, Look, Placement};
use super::levels::Counted;
use crate::data::{Class, Column, ColumnData, Dataset, Entry, MISSING, Value};
use crate::measure::{SMALL, total};
use crate::recipe::{FixedCuts, Numeric, Recipe, Ways};
use crate::split::Split;
use crate::split::criterion::Criterion;
use crate::split::mdl::{Labelled, mdl_cuts};
use crate::split::natural::natural_cuts;
use crate::split::quartiles::{quartile_cuts, width_cuts};

/// The cuts of every attribute, none for a nominal one; empty where the recipe does not fix cuts.
pub(super) fn cuts(data: &Dataset, class: &Class, rows: &[u32], member: &[bool], recipe: &Recipe) -> Vec<Vec<f64>> {
    let Numeric::Fixed { cuts, .. } = recipe.candidates.numeric else { return Vec::new() };
    let mut training = Training { data, class, rows, member, classes: vec![0.0; class.levels.len()] };
    for &row in rows {
        training.classes[usize::from(class.codes[row as usize])] += training.weight(row);
    }
    let weight = total(&training.classes);
    let of_column = |column: &Column| {
        let known = training.known_values(column);
        match cuts {
            FixedCuts::Quartiles => quartile_cuts(&known),
            FixedCuts::Natural => natural_cuts(&known),
            FixedCuts::Mdl => mdl_cuts(&known, class.levels.len()),
            FixedCuts::Sqrt => width_cuts(&known, (weight.sqrt() as usize).max(2)),
        }
    };
    data.attributes().par_iter().map(of_column).collect()
}

/// The interval of every row of the data, [`MISSING`] where its value is missing.
pub(super) fn codes(column: &Column, cuts: &[f64]) -> Vec<u32> {
    let code = |row| match column.value(row) {
        Value::Number(number) => interval(cuts, number),
        Value::Level(_) | Value::Missing => MISSING,
    };
    (0..column.len()).map(code).collect()
}

fn interval(cuts: &[f64], number: f64) -> u32 {
    cuts.partition_point(|&cut| number > cut) as u32
}

/// What cuts are made from.
struct Training<'d> {
    data: &'d Dataset,
    class: &'d Class,
    rows: &'d [u32],
    /// Whether a row of the data is among `rows`; empty where all are.
    member: &'d [bool],
    /// The weight of `rows` by class.
    classes: Vec<f64>,
}

impl Training<'_> {
    fn weight(&self, row: u32) -> f64 {
        self.data.weights().map_or(1.0, |weights| weights[row as usize])
    }

    fn labelled(&self, row: u32, value: f64) -> Labelled {
        Labelled { value, class: self.class.codes[row as usize], weight: self.weight(row) }
    }

    /// The known numbers of a column, ascending; none of a nominal one.
    fn known_values(&self, column: &Column) -> Vec<Labelled> {
        let mut known: Vec<Labelled> = match column.data() {
            ColumnData::Nominal { .. } | ColumnData::SparseNominal { .. } => return Vec::new(),
            ColumnData::SparseNumeric(sparse) => {
                // The zeros are not listed: they are what the others leave of each class.
                let mut zeros = self.classes.clone();
                let mut known = Vec::new();
                for (&row, &value) in sparse.rows.iter().zip(&sparse.values) {
                    if self.member.is_empty() || self.member[row as usize] {
                        let row = self.labelled(row, value);
                        zeros[usize::from(row.class)] -= row.weight;
                        known.extend((!value.is_nan()).then_some(row));
                    }
                }
                let zeros = zeros.iter().enumerate().filter(|(_, weight)| **weight > SMALL);
                known.extend(zeros.map(|(class, &weight)| Labelled { value: 0.0, class: class as u16, weight }));
                known
            }
            ColumnData::Numeric(_) | ColumnData::Numeric32(_) => {
                let number = |&row: &u32| match column.value(row as usize) {
                    Value::Number(number) => Some(self.labelled(row, number)),
                    _ => None,
                };
                self.rows.iter().filter_map(number).collect()
            }
        };
        known.sort_by(|a, b| a.value.total_cmp(&b.value));
        known
    }
}

impl<N: Counting, K: Criterion<N::Count> + Criterion<f64>> Look<'_, N, K> {
    /// The candidate from the interval of every row of the data.
    pub fn fixed(&self, attribute: usize, codes: &[u32], buffer: &mut Vec<N::Count>) -> Option<Candidate> {
        let cuts = &self.task.fixed_cuts[attribute];
        if cuts.is_empty() {
            return None;
        }
        let counted = self.count_levels(cuts.len() + 1, codes, buffer)?;
        self.between_cuts(attribute, cuts, &counted)
    }

    /// The candidate from the rows that are not zero.
    pub fn sparse_fixed(&self, attribute: usize, entries: &[Entry]) -> Option<Candidate> {
        let cuts = &self.task.fixed_cuts[attribute];
        if cuts.is_empty() {
            return None;
        }
        let code = |entry: &Entry| match entry.rank() {
            MISSING => MISSING,
            _ => interval(cuts, self.task.number(attribute, entry.row())),
        };
        let counted = self.count_sparse(cuts.len() + 1, interval(cuts, 0.0), entries, code);
        self.between_cuts(attribute, cuts, &counted)
    }

    /// An interval without a row of the node is one with the interval above it or, at the upper end, below it.
    fn between_cuts(&self, attribute: usize, cuts: &[f64], counted: &Counted) -> Option<Candidate> {
        let levels = counted.cells.chunks_exact(self.classes.len()).enumerate();
        let (places, held): (Vec<usize>, Vec<&[f64]>) = levels.filter(|(_, level)| total(level) > SMALL).unzip();
        let two = matches!(self.task.recipe.candidates.numeric, Numeric::Fixed { ways: Ways::Two, .. });
        if two || held.len() <= 2 {
            return self.best_cut(attribute, cuts, counted);
        }
        let worth = self.judge(&held.concat(), &counted.missing)?;
        let below = &places[..places.len() - 1];
        let cuts = below.iter().map(|&at| cuts[counted.code(at) as usize]).collect();
        Some(worth.candidate(attribute, Placement::Ready(Split::Intervals { attribute, cuts })))
    }

    /// The cut of the highest score; the lowest of equals.
    fn best_cut(&self, attribute: usize, cuts: &[f64], counted: &Counted) -> Option<Candidate> {
        let classes = self.classes.len();
        let (mut below, mut above) = (vec![0.0; classes], counted.known(classes));
        let places = counted.cells.chunks_exact(classes).enumerate().map(|(at, weights)| {
            below.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += weight);
            above.iter_mut().zip(weights).for_each(|(sum, weight)| *sum -= weight);
            (counted.code(at) as usize, total(weights), [below.clone(), above.clone()])
        });
        // Cuts without a row between them are the same test.
        let tests = places.filter(|(code, weight, _)| *weight > SMALL && *code < cuts.len());
        let (place, worth) = self.best_of_two(tests.map(|(code, _, sides)| (code, sides)), &counted.missing)?;
        Some(worth.candidate(attribute, Placement::Ready(Split::Threshold { attribute, cut: cuts[place] })))
    }
}
