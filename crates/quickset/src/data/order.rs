//! The rows of a numeric column in ascending order: sorted once per dataset, filtered for every fit.

use super::column::{Column, ColumnData};
use super::grid::order_on_grid;
use super::item::Item;

/// A row with the rank of its value: its place among the distinct values of the column. Equal values share a rank;
/// ranks ascend without gaps over the whole column. One word, so that it moves as one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Entry(u64);

impl Entry {
    #[inline(always)]
    pub fn new(rank: u32, row: u32) -> Self {
        Entry(u64::from(rank) << 32 | u64::from(row))
    }

    #[inline(always)]
    pub fn rank(self) -> u32 {
        (self.0 >> 32) as u32
    }

    #[inline(always)]
    pub fn row(self) -> u32 {
        self.0 as u32
    }
}

impl std::fmt::Debug for Entry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "row {} of rank {}", self.row(), self.rank())
    }
}

/// Rows with a known value, ascending by value, ties by row. Zeros of a sparse column are left out, but they have a rank.
#[derive(Clone, Debug)]
pub(crate) struct Order {
    items: Vec<Item>,
    smallest_gap: f64,
    /// Sparse columns only: how many items are below zero.
    negatives: Option<usize>,
    /// Sparse columns only: rows without a value. In a dense column they are the rows that are not listed.
    missing: Vec<u32>,
}

impl Order {
    /// Sorts a numeric column.
    pub(super) fn of(column: &Column) -> Self {
        match column.data() {
            ColumnData::Numeric(values) => Self::dense(values.len(), |i| values[i]),
            ColumnData::Numeric32(values) => Self::dense(values.len(), |i| f64::from(values[i])),
            ColumnData::SparseNumeric(sparse) => {
                let missing = sparse.rows.iter().zip(&sparse.values).filter(|(_, value)| value.is_nan());
                let missing = missing.map(|(&row, _)| row).collect();
                let (rows, values) = (&sparse.rows, &sparse.values);
                Order { missing, ..Self::sort(values.len(), |i| values[i], |i| rows[i as usize], true) }
            }
            ColumnData::Nominal { .. } | ColumnData::SparseNominal { .. } => {
                unreachable!("only numeric columns have an order")
            }
        }
    }

    /// Sorts some entries of a sparse column; missing values stand last.
    pub fn of_held(held: &[(u32, f64)]) -> (Vec<Entry>, Self) {
        let order = match held {
            // Most often a word occurs once in each of its texts.
            &[(_, first), ..] if first > 0.0 && held.iter().all(|&(_, value)| value == first) => {
                let items = held.iter().enumerate().map(|(at, &(row, _))| Item::new(row, at > 0));
                Order { items: items.collect(), smallest_gap: first, negatives: Some(0), missing: Vec::new() }
            }
            _ => {
                let missing = held.iter().filter(|(_, value)| value.is_nan()).map(|&(row, _)| row).collect();
                Order { missing, ..Self::sort(held.len(), |i| held[i].1, |i| held[i as usize].0, true) }
            }
        };
        (order.all().collect(), order)
    }

    /// Sorts some rows of a dense numeric column.
    pub fn of_rows(column: &Column, rows: &[u32]) -> Self {
        // Side by side: a number is looked at several times, in no order.
        let numbers: Vec<f64> = match column.data() {
            ColumnData::Numeric(values) => rows.iter().map(|&row| values[row as usize]).collect(),
            ColumnData::Numeric32(values) => rows.iter().map(|&row| f64::from(values[row as usize])).collect(),
            _ => unreachable!("only dense numeric columns are sorted so"),
        };
        let mut order = Self::dense(rows.len(), |i| numbers[i]);
        order.items.iter_mut().for_each(|item| *item = Item::new(rows[item.row() as usize], item.is_same()));
        order
    }

    fn dense(count: usize, value: impl Fn(usize) -> f64) -> Self {
        match order_on_grid(count, &value) {
            Some((items, smallest_gap)) => Order { items, smallest_gap, negatives: None, missing: Vec::new() },
            None => Self::sort(count, value, |i| i, false),
        }
    }

    fn sort(count: usize, value: impl Fn(usize) -> f64, row: impl Fn(u32) -> u32, sparse: bool) -> Self {
        let kept = (0..count).filter(|&i| !(value(i).is_nan() || sparse && value(i) == 0.0));
        let mut keyed = Vec::with_capacity(count);
        keyed.extend(kept.map(|i| u64::from(sort_key(value(i))) << 32 | i as u64));
        radix_sort(&mut keyed);
        // Adding zero makes -0 and 0 one value.
        let number = |item: u64| value(item as u32 as usize) + 0.0;
        // Keys are single precision: where numbers differ below that, their run is sorted again in full.
        for run in keyed.chunk_by_mut(|a, b| a >> 32 == b >> 32) {
            if !run.is_sorted_by(|&a, &b| number(a) <= number(b)) {
                run.sort_by(|&a, &b| number(a).total_cmp(&number(b)));
            }
        }
        let negatives = sparse.then(|| keyed.partition_point(|&item| number(item) < 0.0));
        let mut smallest_gap = f64::INFINITY;
        let mut previous = f64::NAN;
        let items = keyed.iter().enumerate().map(|(at, &item)| {
            let number = number(item);
            if negatives == Some(at) {
                // The zeros that are not listed stand between the two.
                smallest_gap = smallest_gap.min(number).min(if previous.is_nan() { f64::INFINITY } else { -previous });
                previous = f64::NAN;
            }
            let gap = number - previous;
            // A comparison with NaN, where there is no neighbour, leaves the gap as it is.
            smallest_gap = if gap > 0.0 && gap < smallest_gap { gap } else { smallest_gap };
            let is_same = number == previous;
            previous = number;
            Item::new(row(item as u32), is_same)
        });
        let items = items.collect();
        Order { items, smallest_gap, negatives, missing: Vec::new() }
    }

    /// Rows in ascending order.
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    pub(super) fn into_items(self) -> Vec<Item> {
        self.items
    }

    /// Rows in ascending order with their ranks.
    pub fn entries(&self) -> impl Iterator<Item = Entry> + '_ {
        let zero_at = self.negatives.unwrap_or(usize::MAX);
        // The next rank to give; a sparse zero takes one of its own.
        let mut next = 0;
        self.items.iter().enumerate().map(move |(at, item)| {
            if at == zero_at {
                next += 1;
            }
            if !item.is_same() {
                next += 1;
            }
            Entry::new(next - 1, item.row())
        })
    }

    /// Rows in ascending order with their ranks, then those of a sparse column that have no value.
    pub fn all(&self) -> impl Iterator<Item = Entry> + '_ {
        self.entries().chain(self.missing.iter().map(|&row| Entry::new(super::MISSING, row)))
    }

    /// Rows of a sparse column that have no value.
    pub fn missing(&self) -> &[u32] {
        &self.missing
    }

    /// The rank of the zeros that a sparse column leaves out; `None` for a dense column.
    pub fn zero_rank(&self) -> Option<u32> {
        let negatives = self.negatives?;
        Some(self.items[..negatives].iter().filter(|item| !item.is_same()).count() as u32)
    }

    /// How many rows, from the smallest value on, satisfy `holds`; as they ascend it must turn from true to false once.
    pub fn partition_point(&self, holds: impl Fn(u32) -> bool) -> usize {
        self.items.partition_point(|item| holds(item.row()))
    }

    /// The first `count` rows, from the largest value down.
    pub fn rows_before(&self, count: usize) -> impl Iterator<Item = u32> + '_ {
        self.items[..count].iter().rev().map(|item| item.row())
    }

    /// The smallest distance between two different values; infinite where there are not two.
    pub fn smallest_gap(&self) -> f64 {
        self.smallest_gap
    }
}

/// Maps a number to an integer of the same order; numbers that single precision cannot tell apart share one.
fn sort_key(value: f64) -> u32 {
    let bits = (value as f32 + 0.0).to_bits();
    if bits >> 31 == 1 { !bits } else { bits | 1 << 31 }
}

/// Stable sort by the upper half, eleven bits at a time from the lowest; digits that all keys share are skipped.
fn radix_sort(items: &mut Vec<u64>) {
    const SMALL: usize = 256;
    const BITS: usize = 11;
    if items.len() < SMALL {
        items.sort_by_key(|item| item >> 32);
        return;
    }
    let digit = |item: u64, place: usize| (item >> (32 + BITS * place)) as usize & ((1 << BITS) - 1);
    let mut histograms = [[0u32; 1 << BITS]; 3];
    for &item in items.iter() {
        for (place, histogram) in histograms.iter_mut().enumerate() {
            histogram[digit(item, place)] += 1;
        }
    }
    let mut buffer = vec![0; items.len()];
    for (place, starts) in histograms.iter_mut().enumerate() {
        if starts[digit(items[0], place)] == items.len() as u32 {
            continue;
        }
        let mut sum = 0;
        for start in starts.iter_mut() {
            sum += std::mem::replace(start, sum);
        }
        for &item in items.iter() {
            let start = &mut starts[digit(item, place)];
            buffer[*start as usize] = item;
            *start += 1;
        }
        std::mem::swap(items, &mut buffer);
    }
}

#[cfg(test)]
mod tests {
    use super::super::sparse::Sparse;
    use super::*;
    use proptest::prelude::*;

    /// The slow twin: rank by counting smaller distinct values.
    fn slow(values: &[f64]) -> Vec<Entry> {
        let mut rows: Vec<usize> = (0..values.len()).filter(|&row| !values[row].is_nan()).collect();
        rows.sort_by(|&a, &b| values[a].partial_cmp(&values[b]).unwrap().then(a.cmp(&b)));
        let rank = |row: usize| {
            let mut smaller: Vec<f64> = values.iter().copied().filter(|&v| v < values[row]).collect();
            smaller.sort_by(f64::total_cmp);
            smaller.dedup();
            smaller.len() as u32
        };
        rows.iter().map(|&row| Entry::new(rank(row), row as u32)).collect()
    }

    fn cell() -> impl Strategy<Value = f64> {
        prop_oneof![
            Just(f64::NAN),
            Just(0.0),
            Just(-0.0),
            (-5i32..5).prop_map(f64::from),
            -2.0..2.0f64,
            // Different only in double precision, or too large for single.
            (0u32..4).prop_map(|i| 1.0 + f64::from(i) * 1e-12),
            (1u32..4).prop_map(|i| f64::from(i) * 1e300),
        ]
    }

    proptest! {
        #[test]
        fn the_order_is_that_of_the_slow_twin(values in prop::collection::vec(cell(), 0..400)) {
            let column = Column::numeric("x", values.clone());
            prop_assert_eq!(column.order().entries().collect::<Vec<_>>(), slow(&values));
        }

        #[test]
        fn numbers_on_a_grid_are_sorted_as_others_are(
            points in prop::collection::vec((0..10u8, -200..200i32), 1..600),
            decimals in 0..5i32,
            stray in prop::option::of(-2.0..2.0f64),
        ) {
            let scale = 10f64.powi(decimals);
            let number = |&(kind, point): &(u8, i32)| if kind == 0 { f64::NAN } else { f64::from(point) / scale };
            let values: Vec<f64> = points.iter().map(number).chain(stray).collect();
            let column = Column::numeric("x", values.clone());
            prop_assert_eq!(column.order().entries().collect::<Vec<_>>(), slow(&values));
            let sorted = Order::sort(values.len(), |i| values[i], |i| i, false);
            prop_assert_eq!(column.order().smallest_gap(), sorted.smallest_gap());
        }

        #[test]
        fn a_sparse_order_is_the_dense_one_without_its_zeros(values in prop::collection::vec(cell(), 1..60)) {
            let stored: Vec<usize> = (0..values.len()).filter(|&row| values[row] != 0.0).collect();
            let sparse = Sparse {
                len: values.len(),
                rows: stored.iter().map(|&row| row as u32).collect(),
                values: stored.iter().map(|&row| values[row]).collect(),
            };
            let column = Column::new("x", ColumnData::SparseNumeric(sparse));
            // A zero is always among the ranks of a sparse column: add one so that the dense twin has it too.
            let mut padded = values.clone();
            padded.push(0.0);
            let dense: Vec<Entry> = slow(&padded);
            let zero = dense.iter().find(|e| padded[e.row() as usize] == 0.0).unwrap().rank();
            let expected: Vec<Entry> = dense.into_iter().filter(|e| e.rank() != zero).collect();
            prop_assert_eq!(column.order().entries().collect::<Vec<_>>(), expected);
            prop_assert_eq!(column.order().zero_rank(), Some(zero));
        }
    }

    #[test]
    fn a_long_column_without_any_value_has_an_empty_order() {
        assert_eq!(Column::numeric("x", vec![f64::NAN; 1000]).order().items(), []);
    }

    #[test]
    fn a_sparse_gap_includes_the_zeros() {
        let sparse = Sparse { len: 9, rows: vec![1, 4, 6], values: vec![3.0, -2.0, 5.0] };
        assert_eq!(Column::new("x", ColumnData::SparseNumeric(sparse)).order().smallest_gap(), 2.0);
    }

    #[test]
    fn the_smallest_gap_is_between_different_values() {
        let column = Column::numeric("x", vec![3.0, 1.0, 1.0, 1.5]);
        assert_eq!(column.order().smallest_gap(), 0.5);
    }
}
