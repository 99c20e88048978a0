//! Measures as sums over cells, so that moving one row from a side of a cut to the other updates two terms.

use std::ops::{AddAssign, SubAssign};

use crate::measure::{SMALL, x_log_x};

/// Weight in a cell: whole rows are counted exactly, fractions are summed.
pub(crate) trait Count: Copy + Default + AddAssign + SubAssign + PartialEq + Send + Sync {
    /// The weight as a number.
    fn weight(self) -> f64;
    /// A weight that is known to be representable.
    fn from_weight(weight: f64) -> Self;
}

impl Count for u32 {
    fn weight(self) -> f64 {
        f64::from(self)
    }
    fn from_weight(weight: f64) -> Self {
        weight as u32
    }
}

impl Count for f64 {
    fn weight(self) -> f64 {
        self
    }
    fn from_weight(weight: f64) -> Self {
        weight
    }
}

/// What a two-way cut is judged by: the sum of its sides, larger is better.
pub(crate) trait Criterion<C: Count>: Sync {
    /// An improvement must exceed this much per unit of the node's weight.
    const TOLERANCE: f64;
    /// Whether the worth of a side is the sum of its cells' terms less a function of its weight.
    const ADDITIVE: bool;
    /// The term of one cell.
    fn cell(&self, count: C) -> f64;
    /// How much the term of a cell grows by one more row.
    fn step(&self, count: u32) -> f64;
    /// The worth of a side from the sum of its cells' terms and its weight.
    fn side(&self, cells: f64, total: C) -> f64;
}

/// Information gain: worth = −(weight × entropy) of the sides, in bits.
pub(crate) struct Entropy<'a> {
    /// x·log₂x of whole numbers up to the number of rows; unused for fractions.
    pub table: &'a [f64],
}

impl Criterion<u32> for Entropy<'_> {
    const TOLERANCE: f64 = SMALL;
    const ADDITIVE: bool = true;
    #[inline]
    fn cell(&self, count: u32) -> f64 {
        self.table[count as usize]
    }
    #[inline(always)]
    fn step(&self, count: u32) -> f64 {
        self.table[count as usize + 1] - self.table[count as usize]
    }
    #[inline]
    fn side(&self, cells: f64, total: u32) -> f64 {
        cells - self.table[total as usize]
    }
}

impl Criterion<f64> for Entropy<'_> {
    const TOLERANCE: f64 = SMALL;
    const ADDITIVE: bool = true;
    #[inline]
    fn cell(&self, count: f64) -> f64 {
        x_log_x(count)
    }
    #[inline]
    fn step(&self, count: u32) -> f64 {
        self.table[count as usize + 1] - self.table[count as usize]
    }
    #[inline]
    fn side(&self, cells: f64, total: f64) -> f64 {
        cells - x_log_x(total)
    }
}

/// The same for fewer rows than 65,536: a table of that length needs no check of a count's bounds.
pub(crate) struct ShortEntropy<'a> {
    table: &'a [f64; SHORT],
    steps: &'a [f64; SHORT],
}

const SHORT: usize = 1 << 16;

impl Criterion<u32> for ShortEntropy<'_> {
    const TOLERANCE: f64 = SMALL;
    const ADDITIVE: bool = true;
    #[inline(always)]
    fn cell(&self, count: u32) -> f64 {
        self.table[usize::from(count as u16)]
    }
    #[inline(always)]
    fn step(&self, count: u32) -> f64 {
        self.steps[usize::from(count as u16)]
    }
    #[inline(always)]
    fn side(&self, cells: f64, total: u32) -> f64 {
        cells - self.cell(total)
    }
}

impl Criterion<f64> for ShortEntropy<'_> {
    const TOLERANCE: f64 = SMALL;
    const ADDITIVE: bool = true;
    fn cell(&self, count: f64) -> f64 {
        x_log_x(count)
    }
    fn step(&self, count: u32) -> f64 {
        Criterion::<u32>::step(self, count)
    }
    fn side(&self, cells: f64, total: f64) -> f64 {
        cells - x_log_x(total)
    }
}

/// The Gini index: worth = Σ f²/m of the sides.
pub(crate) struct Squares;

impl<C: Count> Criterion<C> for Squares {
    const TOLERANCE: f64 = 0.0;
    const ADDITIVE: bool = false;
    #[inline]
    fn cell(&self, count: C) -> f64 {
        count.weight() * count.weight()
    }
    #[inline(always)]
    fn step(&self, count: u32) -> f64 {
        2.0 * f64::from(count) + 1.0
    }
    #[inline]
    fn side(&self, cells: f64, total: C) -> f64 {
        if total.weight() > 0.0 { cells / total.weight() } else { 0.0 }
    }
}

/// x·log₂x for whole numbers, and its steps from each to the next.
#[derive(Default)]
pub(crate) struct EntropyTable {
    table: Vec<f64>,
    steps: Vec<f64>,
}

impl EntropyTable {
    /// The table for 0..=rows.
    pub fn new(rows: usize) -> Self {
        // What is beyond the rows is never read; the memory of zeros that nobody wrote costs nothing.
        let mut table = vec![0.0; (rows + 1).max(SHORT)];
        (1..=rows).for_each(|count| table[count] = x_log_x(count as f64));
        // Only the short form looks steps up: for many rows the memory is better spared.
        let mut steps = vec![0.0; if table.len() == SHORT { SHORT } else { 0 }];
        steps.iter_mut().zip(table.windows(2)).take(rows).for_each(|(step, pair)| *step = pair[1] - pair[0]);
        EntropyTable { table, steps }
    }

    /// x·log₂x of whole numbers, as far as there are rows.
    pub fn terms(&self) -> &[f64] {
        &self.table
    }

    /// The criterion for few rows, where it applies.
    pub fn short(&self) -> Option<ShortEntropy<'_>> {
        let (table, steps) = (self.table.as_slice(), self.steps.as_slice());
        Some(ShortEntropy { table: table.try_into().ok()?, steps: steps.try_into().ok()? })
    }

    /// The criterion that reads it.
    pub fn criterion(&self) -> Entropy<'_> {
        Entropy { table: &self.table }
    }
}
