//! In how many rows of each class a word occurs: the tables of text, which has many words and uses few.
//!
//! All words are counted in one piece of memory. What a word is worth is roughly told from its counts by the list of all
//! attributes; its exact table is made when it is first asked for.

use rayon::prelude::*;

use super::counting::Counting;
use super::spread::{Kind, Rest, Spread};
use crate::data::{Column, ColumnData, fetched};
use crate::measure::{rough, widest, x_log_x, x_log_x_of_counts};
use crate::recipe::Counts;

/// The counts of words, where every row counts 1.
#[derive(Debug)]
pub(crate) struct Presences {
    /// By attribute, then class.
    held: Vec<u32>,
    /// By attribute: the numbers above zero, where there are no others; else it is no word.
    rests: Vec<Option<Rest>>,
    /// By class: all rows.
    totals: Vec<f64>,
}

/// Attributes that are counted together.
const BLOCK: usize = 256;

impl Presences {
    /// `None` where words are not counted so.
    pub(super) fn count(counting: &Counting<'_>, attributes: &[Column]) -> Option<Self> {
        let sparse = |column: &Column| matches!(column.data(), ColumnData::SparseNumeric(_));
        if counting.factored().counts != Counts::Presence
            || !counting.counts_presence()
            || !attributes.iter().any(sparse)
        {
            return None;
        }
        let (count, classes) = (attributes.len(), counting.class_count());
        let (mut held, mut rests) = (vec![0; count * classes], vec![None; count]);
        let blocks = held.par_chunks_mut(BLOCK * classes).zip(rests.par_chunks_mut(BLOCK));
        blocks.zip(attributes.par_chunks(BLOCK)).for_each(|((held, rests), columns)| {
            for ((held, rest), column) in held.chunks_exact_mut(classes).zip(rests).zip(fetched(columns)) {
                if let ColumnData::SparseNumeric(sparse) = column.data() {
                    *rest = Rest::of(column);
                    counting.count_classes(&sparse.rows, held);
                }
            }
        });
        Some(Presences { held, rests, totals: counting.totals().to_vec() })
    }

    pub fn is_word(&self, attribute: usize) -> bool {
        self.rests[attribute].is_some()
    }

    fn held(&self, attribute: usize) -> &[u32] {
        let classes = self.totals.len();
        &self.held[attribute * classes..][..classes]
    }

    /// The table of a word; `None` where no row has it, or every row.
    pub fn spread(&self, word: usize) -> Option<Spread> {
        let (rest, held, classes) = (self.rests[word]?, self.held(word), self.totals.len());
        let all = f64::from(held.iter().sum::<u32>());
        if all == 0.0 || all == self.totals.iter().sum::<f64>() {
            return None;
        }
        let known = x_log_x_of_counts();
        let term = |count: f64| known.get(count as usize).copied().unwrap_or_else(|| x_log_x(count));
        let mut numbers = vec![0.0; 3 * classes];
        let (shares, entropies) = numbers.split_at_mut(2 * classes);
        for class in (0..classes).filter(|&class| self.totals[class] > 0.0) {
            let (total, held) = (self.totals[class], f64::from(held[class]));
            shares[2 * class] = (total - held) / total;
            shares[2 * class + 1] = held / total;
            entropies[class] = (term(total) - (term(total - held) + term(held))) / total;
        }
        Some(Spread::of_two_cells(Kind::Presence(rest), numbers))
    }

    /// For the words from a place on: by word the share of the rows of a class that have it, and the entropy of that.
    pub fn rough(&self, class: usize, from: usize, tables: &mut [[f32; 2]]) {
        let classes = self.totals.len();
        let one = if self.totals[class] > 0.0 { 1.0 / self.totals[class] as f32 } else { 0.0 };
        let held = self.held[from * classes + class..].iter().step_by(classes);
        tables.iter_mut().zip(held).for_each(|(table, &held)| table[0] = held as f32 * one);
        widest(
            #[inline(always)]
            || tables.iter_mut().for_each(|[share, entropy]| *entropy = rough::binary_entropy(*share)),
        );
    }
}

impl Rest {
    /// Of a column of numbers; `None` where some are not above zero, or missing.
    fn of(column: &Column) -> Option<Self> {
        let extent = column.extent()?;
        (extent.low > 0.0 && extent.missing == 0).then_some(Rest { smallest: extent.low, whole: extent.whole })
    }
}
