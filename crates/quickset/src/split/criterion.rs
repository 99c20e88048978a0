//! Measures as sums over cells, so that moving one row from a side of a cut to the other updates two terms.

use std::marker::PhantomData;
use std::ops::{AddAssign, SubAssign};

use crate::measure::{SMALL, ln_factorial, ln_factorials, x_log_x, x_log_x_of_counts};

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

/// What a weight adds to a criterion that is a sum over cells less the same sum over sides.
pub(crate) trait Term: Default + Send + Sync {
    /// An improvement must exceed this much per unit of the node's weight.
    const TOLERANCE: f64;
    /// The term of a weight.
    fn of(weight: f64) -> f64;
    /// The terms of 0, 1, 2 and so on.
    fn of_whole() -> impl Iterator<Item = f64>;
}

/// Information gain: terms are x·log₂x, and worth = −(weight × entropy) of the sides, in bits.
#[derive(Default)]
pub(crate) struct Bits;

impl Term for Bits {
    const TOLERANCE: f64 = SMALL;
    #[inline]
    fn of(weight: f64) -> f64 {
        x_log_x(weight)
    }
    fn of_whole() -> impl Iterator<Item = f64> {
        let first = x_log_x_of_counts();
        first.iter().copied().chain((first.len() as u32..).map(|count| x_log_x(f64::from(count))))
    }
}

/// The hypergeometric probability: terms are ln x!, and what a cut improves on leaving all rows together is −ln P0.
#[derive(Default)]
pub(crate) struct Factorials;

impl Term for Factorials {
    /// Only what rounding may make of a tie: P0 tells tables apart whose gains are nearly equal.
    const TOLERANCE: f64 = 1e-9;
    #[inline]
    fn of(weight: f64) -> f64 {
        ln_factorial(weight)
    }
    fn of_whole() -> impl Iterator<Item = f64> {
        ln_factorials()
    }
}

/// The criterion of some terms: worth = Σ terms of cells − term of the side.
pub(crate) struct Sums<'a, T> {
    /// Terms of whole numbers up to the number of rows; unused for fractions.
    table: &'a [f64],
    term: PhantomData<T>,
}

impl<T: Term> Criterion<u32> for Sums<'_, T> {
    const TOLERANCE: f64 = T::TOLERANCE;
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

impl<T: Term> Criterion<f64> for Sums<'_, T> {
    const TOLERANCE: f64 = T::TOLERANCE;
    const ADDITIVE: bool = true;
    #[inline]
    fn cell(&self, count: f64) -> f64 {
        T::of(count)
    }
    #[inline]
    fn step(&self, count: u32) -> f64 {
        self.table[count as usize + 1] - self.table[count as usize]
    }
    #[inline]
    fn side(&self, cells: f64, total: f64) -> f64 {
        cells - T::of(total)
    }
}

/// The same for fewer rows than 65,536: a table of that length needs no check of a count's bounds.
pub(crate) struct ShortSums<'a, T> {
    table: &'a [f64; SHORT],
    steps: &'a [f64; SHORT],
    term: PhantomData<T>,
}

const SHORT: usize = 1 << 16;

impl<T: Term> Criterion<u32> for ShortSums<'_, T> {
    const TOLERANCE: f64 = T::TOLERANCE;
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
        cells - self.table[usize::from(total as u16)]
    }
}

impl<T: Term> Criterion<f64> for ShortSums<'_, T> {
    const TOLERANCE: f64 = T::TOLERANCE;
    const ADDITIVE: bool = true;
    fn cell(&self, count: f64) -> f64 {
        T::of(count)
    }
    fn step(&self, count: u32) -> f64 {
        self.steps[usize::from(count as u16)]
    }
    fn side(&self, cells: f64, total: f64) -> f64 {
        cells - T::of(total)
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

/// Terms of whole numbers, and the steps from each to the next.
#[derive(Default)]
pub(crate) struct TermTable<T> {
    table: Vec<f64>,
    steps: Vec<f64>,
    term: PhantomData<T>,
}

/// x·log₂x.
pub(crate) type EntropyTable = TermTable<Bits>;

/// ln x!.
pub(crate) type FactorialTable = TermTable<Factorials>;

impl<T: Term> TermTable<T> {
    /// The table for 0..=rows.
    pub fn new(rows: usize) -> Self {
        // What is beyond the rows is never read; the memory of zeros that nobody wrote costs nothing.
        let mut table = vec![0.0; (rows + 1).max(SHORT)];
        table[..=rows].iter_mut().zip(T::of_whole()).for_each(|(term, of_count)| *term = of_count);
        // Only the short form looks steps up: for many rows the memory is better spared.
        let mut steps = vec![0.0; if table.len() == SHORT { SHORT } else { 0 }];
        steps.iter_mut().zip(table.windows(2)).take(rows).for_each(|(step, pair)| *step = pair[1] - pair[0]);
        TermTable { table, steps, term: PhantomData }
    }

    /// The terms of whole numbers, as far as there are rows.
    pub fn terms(&self) -> &[f64] {
        &self.table
    }

    /// The criterion for few rows, where it applies.
    pub fn short(&self) -> Option<ShortSums<'_, T>> {
        let (table, steps) = (self.table.as_slice(), self.steps.as_slice());
        Some(ShortSums { table: table.try_into().ok()?, steps: steps.try_into().ok()?, term: PhantomData })
    }

    /// The criterion that reads it.
    pub fn criterion(&self) -> Sums<'_, T> {
        Sums { table: &self.table, term: PhantomData }
    }
}

#[cfg(test)]
mod tests {
    use super::super::scan::{Limits, Sweep, cell_sum};
    use super::super::whole::{Steps, WholeList, sweep_whole};
    use super::*;
    use crate::data::Item;
    use crate::measure::{Hypergeometric, Measure, Table};
    use proptest::prelude::*;

    const CLASSES: usize = 5;

    /// The slow twin: −ln P0 of every cut from its whole table. Answers the number of rows below the best cut and its
    /// −ln P0; rows are sorted and no two are equal.
    fn slow(classes: &[u16], weights: &[f64]) -> Option<(usize, f64)> {
        let mut best: Option<(usize, f64)> = None;
        for below in 1..classes.len() {
            let mut cells = vec![0.0; 2 * CLASSES];
            for (row, (&class, &weight)) in classes.iter().zip(weights).enumerate() {
                cells[usize::from(row >= below) * CLASSES + usize::from(class)] += weight;
            }
            let worth = Hypergeometric.of(&Table::new(CLASSES, cells, 0.0));
            let tolerance = Factorials::TOLERANCE * weights.iter().sum::<f64>();
            if worth > best.map_or(0.0, |(_, most)| most) + tolerance {
                best = Some((below, worth));
            }
        }
        best
    }

    fn totals<C: Count>(classes: &[u16], weight: impl Fn(usize) -> C) -> Vec<C> {
        let mut totals = vec![C::default(); CLASSES];
        classes.iter().enumerate().for_each(|(row, &class)| totals[usize::from(class)] += weight(row));
        totals
    }

    proptest! {
        #[test]
        fn ln_p0_by_small_steps_is_that_of_the_whole_table(
            rows in prop::collection::vec((0..CLASSES as u16, 0.1..2.0f64), 1..300),
        ) {
            let classes: Vec<u16> = rows.iter().map(|row| row.0).collect();
            let items: Vec<Item> = (0..rows.len() as u32).map(|row| Item::new(row, false)).collect();
            let table = FactorialTable::new(rows.len());
            let limits = Limits { side: 1e-3, node: rows.len() as f64, any: false };
            let expected = slow(&classes, &vec![1.0; rows.len()]);
            let close = |found: Option<(usize, f64)>, expected: Option<(usize, f64)>| match (found, expected) {
                (Some(found), Some(expected)) => found.0 == expected.0 && (found.1 - expected.1).abs() < 1e-8,
                (found, expected) => found == expected,
            };

            let all = totals(&classes, |_| 1u32);
            let short = table.short().unwrap();
            let cells = cell_sum(&short, &all);
            for steps in [Steps::new(&short, &all), None] {
                let list = WholeList { items: &items, classes: &classes, totals: &all, cells, steps: steps.as_ref() };
                let found = sweep_whole(&short, &list, limits, |_, _| true);
                prop_assert!(close(found.cut.map(|cut| (cut.high, cut.worth - found.base)), expected));
            }
            let (mut left, mut right) = (vec![0u32; CLASSES], all);
            let sums = table.criterion();
            let found = Sweep::new(&sums, &mut left, &mut right, limits).list(&items, &classes, |_| 1, |_, _| true);
            prop_assert!(close(found.cut.map(|cut| (cut.high, cut.worth - found.base)), expected));

            // Fractions of rows, by the gamma function.
            let weights: Vec<f64> = rows.iter().map(|row| row.1).collect();
            let (mut left, mut right) = (vec![0.0; CLASSES], totals(&classes, |row| weights[row]));
            let limits = Limits { node: weights.iter().sum(), ..limits };
            let sweep = Sweep::new(&sums, &mut left, &mut right, limits);
            let found = sweep.list(&items, &classes, |row| weights[row as usize], |_, _| true);
            prop_assert!(close(found.cut.map(|cut| (cut.high, cut.worth - found.base)), slow(&classes, &weights)));
        }
    }
}
