//! Rows as words of bits, where all attributes have few values: sampled trees are then counted without a look at a
//! column of the data.
//!
//! A bit of a row's words tells whether it has a level, lies above a cut, or is of a class. Sixty-four rows are turned
//! into columns of bits at once, and a count is the number of bits in the AND of two columns. No level has a bit that the
//! others tell: of two levels the second has one, and so of two classes.

use std::ops::Range;

use super::super::task::{Store, Task};
use crate::measure::widest;
use crate::recipe::{CutBy, CutLimits, Nominal, Numeric, Score, Tables};
use crate::split::bins::Marks;

/// Rows of more bits are counted by their columns.
const MOST_BITS: usize = 1024;

/// The rows of a block, and the bits of a word.
pub(super) const BLOCK: usize = 64;

/// Every row of a task as words.
pub(crate) struct Words {
    /// Words per row.
    groups: usize,
    /// By row of the data.
    rows: Vec<u64>,
    pub(super) attributes: Vec<Attribute>,
    /// Bits of attributes; those of the classes follow.
    pub(super) columns: usize,
    pub(super) classes: usize,
    /// Whether there are two classes, and every attribute is a column that divides rows in two.
    pub(super) binary: bool,
}

/// The bits of an attribute.
pub(super) struct Attribute {
    pub columns: Range<usize>,
    pub tests: Tests,
}

/// What an attribute's bits say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tests {
    /// Has the second level, the third and so on, each being a branch.
    Levels,
    /// Has the first level, the second and so on; the best of them against the rest is a test.
    Value,
    /// Is above the first value, the second and so on; the best of these cuts is a test.
    Cuts,
}

impl Attribute {
    pub fn branches(&self) -> usize {
        match self.tests {
            Tests::Levels => self.columns.len() + 1,
            Tests::Value | Tests::Cuts => 2,
        }
    }

    /// The columns that tell its tests apart: the first for all levels at once.
    pub fn first_columns(&self) -> Range<usize> {
        match self.tests {
            Tests::Levels => self.columns.start..self.columns.end.min(self.columns.start + 1),
            Tests::Value | Tests::Cuts => self.columns.clone(),
        }
    }
}

impl Words {
    /// None where some attribute has many values or lacks some, or where the recipe asks for more than gains.
    pub fn new(task: &Task<'_>) -> Option<Self> {
        let recipe = task.recipe;
        let candidates = &recipe.candidates;
        let plain = recipe.score == Score::Gain
            && candidates.cut.by == CutBy::Gain
            && recipe.stop.to_purity
            && recipe.tables == Tables::Counted;
        let counted = candidates.numeric == Numeric::Threshold
            && candidates.cut.limits == CutLimits::MinRows
            && !candidates.cut.mdl;
        let complete = task.data.kinds().complete;
        if !plain || !complete {
            return None;
        }
        let mut words = Words {
            groups: 0,
            rows: Vec::new(),
            attributes: Vec::new(),
            columns: 0,
            classes: task.class_count,
            binary: false,
        };
        for store in &task.stores {
            let (tests, columns) = match store {
                Store::Levels { count, .. } if candidates.nominal == Nominal::Levels => {
                    (Tests::Levels, count.saturating_sub(1))
                }
                Store::Levels { count, .. } if candidates.nominal == Nominal::Value => (Tests::Value, *count),
                Store::Binned { bins, .. } if counted && matches!(bins.marks, Marks::Values(_)) => {
                    (Tests::Cuts, bins.len().saturating_sub(1))
                }
                _ => return None,
            };
            let first = words.columns;
            words.columns = first.checked_add(columns)?;
            words.attributes.push(Attribute { columns: first..words.columns, tests });
        }
        let bits = words.columns + words.classes - 1;
        if bits > MOST_BITS {
            return None;
        }
        let single = |attribute: &Attribute| attribute.tests == Tests::Levels && attribute.columns.len() == 1;
        words.binary = words.classes == 2 && words.attributes.iter().all(single);
        words.groups = bits.div_ceil(BLOCK).max(1);
        words.rows = vec![0; words.groups * task.data.rows()];
        for &row in &task.rows {
            words.fill(task, row as usize);
        }
        Some(words)
    }

    fn fill(&mut self, task: &Task<'_>, row: usize) {
        let word = &mut self.rows[row * self.groups..][..self.groups];
        let mut set = |column: usize| word[column / BLOCK] |= 1 << (column % BLOCK);
        for (attribute, store) in self.attributes.iter().zip(&task.stores) {
            let first = attribute.columns.start;
            match (store, attribute.tests) {
                (Store::Levels { codes, .. }, Tests::Value) => set(first + codes[row] as usize),
                (Store::Levels { codes, .. }, _) if codes[row] > 0 => set(first + codes[row] as usize - 1),
                (Store::Binned { bins, .. }, _) => (0..usize::from(bins.codes[row])).for_each(|cut| set(first + cut)),
                _ => {}
            }
        }
        let class = usize::from(task.classes[row]);
        if class > 0 {
            set(self.columns + class - 1);
        }
    }

    /// Whether a row's bit of a column is set.
    #[inline(always)]
    pub fn has(&self, row: u32, column: usize) -> bool {
        self.rows[row as usize * self.groups + column / BLOCK] >> (column % BLOCK) & 1 == 1
    }

    /// Turns at most a block of rows into columns: bit `i` of a column is that of row `i`.
    pub fn load(&self, rows: &[u32], block: &mut Vec<u64>) {
        block.clear();
        block.resize(self.groups * BLOCK, 0);
        let bits = self.columns + self.classes - 1;
        let (words, _) = block.as_chunks_mut::<BLOCK>();
        for (group, words) in words.iter_mut().enumerate() {
            for (word, &row) in words.iter_mut().zip(rows) {
                *word = self.rows[row as usize * self.groups + group];
            }
            widest(
                #[inline(always)]
                || transpose(words, bits - group * BLOCK),
            );
        }
    }

    /// Adds up the rows of a mask by column and class.
    pub fn count(&self, block: &[u64], mask: u64, counts: &mut Counts) {
        let (columns, classes) = block.split_at(self.columns);
        let classes = &classes[..self.classes - 1];
        widest(
            #[inline(always)]
            || {
                count(columns, classes, mask, &mut counts.cells);
                count(&[!0], classes, mask, &mut counts.classes);
            },
        );
    }
}

/// The rows of a node by class: all of them, and those of every column.
#[derive(Default)]
pub(crate) struct Counts {
    /// Column after column, a number per class.
    pub cells: Vec<u32>,
    pub classes: Vec<u32>,
}

impl Counts {
    pub fn clear(&mut self, words: &Words) {
        self.cells.clear();
        self.cells.resize(words.columns * words.classes, 0);
        self.classes.clear();
        self.classes.resize(words.classes, 0);
    }

    pub fn of(&self, column: usize) -> &[u32] {
        &self.cells[column * self.classes.len()..][..self.classes.len()]
    }
}

/// Exchanges rows and columns of bits, as far as the first `columns` are wanted: halves of words are swapped with halves
/// of others, then quarters, and so on (Warren, Hacker's Delight).
#[inline(always)]
fn transpose(words: &mut [u64; BLOCK], columns: usize) {
    let (mut width, mut mask) = (BLOCK / 2, u64::from(u32::MAX));
    while width > 0 {
        // Words from a column on that nobody wants are of its kind.
        for pair in words.chunks_exact_mut(2 * width).take(columns.div_ceil(2 * width)) {
            let (low, high) = pair.split_at_mut(width);
            for (low, high) in low.iter_mut().zip(high) {
                let swapped = ((*low >> width) ^ *high) & mask;
                *low ^= swapped << width;
                *high ^= swapped;
            }
        }
        width /= 2;
        mask ^= mask << width;
    }
}

/// Adds the rows of a mask by column and class; the first class is what the others leave.
#[inline(always)]
fn count(columns: &[u64], classes: &[u64], mask: u64, cells: &mut [u32]) {
    if let [class] = classes {
        let (cells, _) = cells.as_chunks_mut::<2>();
        for (column, cell) in columns.iter().zip(cells) {
            let held = column & mask;
            let second = (held & class).count_ones();
            cell[0] += held.count_ones() - second;
            cell[1] += second;
        }
        return;
    }
    for (column, cells) in columns.iter().zip(cells.chunks_exact_mut(classes.len() + 1)) {
        let held = column & mask;
        cells[0] += held.count_ones();
        for (at, class) in classes.iter().enumerate() {
            let count = (held & class).count_ones();
            cells[at + 1] += count;
            cells[0] -= count;
        }
    }
}

/// Entropy times weight of some counts, where `terms` are x·log₂ x.
#[inline(always)]
pub(super) fn bits(terms: &[f64], classes: &[u32]) -> f64 {
    let all: u32 = classes.iter().sum();
    terms[all as usize] - classes.iter().map(|&count| terms[count as usize]).sum::<f64>()
}

/// Information gain from the counts of branches, one after the other: that of [`Gain`](crate::measure::Gain) to the last
/// bit, since the same terms are added in the same order.
#[inline(always)]
pub(super) fn gain(terms: &[f64], before: f64, cells: &[u32], classes: usize) -> f64 {
    let (mut total, mut branches, mut all) = (0, 0.0, 0.0);
    for branch in cells.chunks_exact(classes) {
        let weight: u32 = branch.iter().sum();
        total += weight;
        branches += terms[weight as usize];
    }
    cells.iter().for_each(|&count| all += terms[count as usize]);
    (before - (branches - all)) / f64::from(total)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::{Gain, Measure, Table, x_log_x};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn columns_are_what_rows_say(words in prop::collection::vec(any::<u64>(), BLOCK), columns in 1..=BLOCK) {
            let mut turned: [u64; BLOCK] = words.clone().try_into().unwrap();
            transpose(&mut turned, columns);
            for (column, bits) in turned.iter().enumerate().take(columns) {
                for (row, word) in words.iter().enumerate() {
                    prop_assert_eq!(bits >> row & 1, word >> column & 1, "row {} column {}", row, column);
                }
            }
        }

        #[test]
        fn counts_are_those_of_single_rows(
            columns in prop::collection::vec(any::<u64>(), 1..9),
            codes in prop::collection::vec(0..4usize, BLOCK),
            classes in 2..=4usize,
            mask in any::<u64>(),
        ) {
            let class = |row: usize| codes[row] % classes;
            let of_class = |wanted| (0..BLOCK).filter(|&row| class(row) == wanted).map(|row| 1 << row).sum::<u64>();
            let bits: Vec<u64> = (1..classes).map(of_class).collect();
            let mut cells = vec![0; columns.len() * classes];
            let mut expected = cells.clone();
            count(&columns, &bits, mask, &mut cells);
            for (at, column) in columns.iter().enumerate() {
                let held = (0..BLOCK).filter(|row| (column & mask) >> row & 1 == 1);
                held.for_each(|row| expected[at * classes + class(row)] += 1);
            }
            prop_assert_eq!(cells, expected);
        }

        #[test]
        fn gains_are_those_of_the_measure_to_the_last_bit(cells in prop::collection::vec(0..200u32, 2..5)) {
            let cells: Vec<u32> = cells.iter().flat_map(|&count| [count, count / 3, 200 - count]).collect();
            let terms: Vec<f64> = (0..4000u32).map(|count| x_log_x(f64::from(count))).collect();
            let table = Table::new(3, cells.iter().map(|&count| f64::from(count)).collect(), 0.0);
            let classes: Vec<u32> = table.class_weights().iter().map(|&weight| weight as u32).collect();
            let found = gain(&terms, bits(&terms, &classes), &cells, 3);
            prop_assert_eq!(found.to_bits(), Gain.of(&table).to_bits());
        }
    }
}
