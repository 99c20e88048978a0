//! In how many rows of each class a word occurs: the tables of text, which has many words and uses few.
//!
//! All words are counted in one piece of memory. What a word is worth is roughly told by its block, which is made of these
//! counts; its exact table is made when it is first asked for.

use rayon::prelude::*;

use super::counting::Counting;
use super::spread::{Kind, Rest, Spread};
use crate::data::{ByRow, Column, Dataset};
use crate::measure::{x_log_x, x_log_x_of_counts};
use crate::recipe::Counts;

/// The counts of words, where every row counts 1.
#[derive(Debug)]
pub(crate) struct Presences {
    /// By class, then attribute.
    held: Vec<u32>,
    /// By attribute: the numbers above zero, where there are no others; else it is no word.
    rests: Vec<Option<Rest>>,
    /// Those that are no words.
    others: Vec<u32>,
    /// By class: all rows.
    totals: Vec<f64>,
}

impl Presences {
    /// `None` where words are not counted so.
    pub(super) fn count(counting: &Counting<'_>, data: &Dataset) -> Option<Self> {
        let attributes = data.attributes();
        let word = |column: &Column| if column.is_sparse() { Rest::of(column) } else { None };
        if counting.factored().counts != Counts::Presence
            || !counting.counts_presence()
            || data.kinds().sparse.is_empty()
        {
            return None;
        }
        let mut held = vec![0; counting.class_count() * attributes.len()];
        let classes = held.par_chunks_exact_mut(attributes.len()).zip(counting.rows_by_class());
        classes.for_each(|(held, rows)| count(data.by_row(), &rows, held));
        let rests: Vec<_> = attributes.par_iter().with_min_len(FEWEST).map(word).collect();
        let others = (0..rests.len() as u32).filter(|&attribute| rests[attribute as usize].is_none()).collect();
        Some(Presences { held, rests, others, totals: counting.totals().to_vec() })
    }

    pub fn is_word(&self, attribute: usize) -> bool {
        self.rests[attribute].is_some()
    }

    /// In how many rows of each class an attribute occurs.
    fn held(&self, attribute: usize) -> impl Iterator<Item = f64> {
        self.held[attribute..].iter().step_by(self.rests.len()).map(|&held| f64::from(held))
    }

    /// The table of a word; `None` where no row has it, or every row.
    pub fn spread(&self, word: usize) -> Option<Spread> {
        let (rest, classes) = (self.rests[word]?, self.totals.len());
        let all = self.held(word).sum::<f64>();
        if all == 0.0 || all == self.totals.iter().sum::<f64>() {
            return None;
        }
        let known = x_log_x_of_counts();
        let term = |count: f64| known.get(count as usize).copied().unwrap_or_else(|| x_log_x(count));
        let mut numbers = vec![0.0; 3 * classes];
        let (shares, entropies) = numbers.split_at_mut(2 * classes);
        for (class, held) in self.held(word).enumerate().filter(|&(class, _)| self.totals[class] > 0.0) {
            let total = self.totals[class];
            shares[2 * class] = (total - held) / total;
            shares[2 * class + 1] = held / total;
            entropies[class] = (term(total) - (term(total - held) + term(held))) / total;
        }
        Some(Spread::of_two_cells(Kind::Presence(rest), numbers))
    }

    /// By word: the share of the rows of a class that have it; none of what is no word.
    pub fn shares(&self, class: usize, shares: &mut [f32]) {
        let one = if self.totals[class] > 0.0 { 1.0 / self.totals[class] as f32 } else { 0.0 };
        let held = &self.held[class * self.rests.len()..][..self.rests.len()];
        shares.iter_mut().zip(held).for_each(|(share, &held)| *share = held as f32 * one);
        self.others.iter().for_each(|&other| shares[other as usize] = 0.0);
    }
}

/// Columns that are looked at together at least: one is soon done.
const FEWEST: usize = 256;

/// Counts in how many of some rows each sparse attribute occurs.
fn count(by_row: &ByRow, rows: &[u32], held: &mut [u32]) {
    const TOGETHER: usize = 16;
    for rows in rows.chunks(TOGETHER) {
        by_row.fetch(rows);
        let attributes = rows.iter().flat_map(|&row| by_row.columns(row));
        attributes.for_each(|&attribute| held[attribute as usize] += 1);
    }
}

impl Rest {
    /// Of a column of numbers; `None` where some are not above zero, or missing.
    fn of(column: &Column) -> Option<Self> {
        let extent = column.extent()?;
        (extent.low > 0.0 && extent.missing == 0).then_some(Rest { smallest: extent.low, whole: extent.whole })
    }
}
