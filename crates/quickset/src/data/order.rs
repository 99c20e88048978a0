//! The rows of a numeric column in ascending order: sorted once per dataset, filtered for every fit.

use super::column::{Column, ColumnData};
use super::grid::order_on_grid;
use super::item::Item;
use super::sort::Sorting;
use super::sparse::Sparse;

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
        let memory = &mut Sorting::default();
        match column.data() {
            ColumnData::Numeric(values) => Self::dense(0..values.len() as u32, |row| values[row as usize], memory),
            ColumnData::Numeric32(values) => {
                Self::dense(0..values.len() as u32, |row| values[row as usize].into(), memory)
            }
            ColumnData::SparseNumeric(Sparse { rows, values, .. }) => {
                Self::sparse(values.len(), |at| (rows[at as usize], values[at as usize]), memory)
            }
            ColumnData::Nominal { .. } | ColumnData::SparseNominal { .. } => {
                unreachable!("only numeric columns have an order")
            }
        }
    }

    /// Sorts some entries of a sparse column; missing values stand last.
    pub fn of_held(held: &[(u32, f64)], memory: &mut Sorting) -> (Vec<Entry>, Self) {
        let order = match held {
            // Most often a word occurs once in each of its texts.
            &[(_, first), ..] if first > 0.0 && held.iter().all(|&(_, value)| value == first) => {
                let items = held.iter().enumerate().map(|(at, &(row, _))| Item::new(row, at > 0));
                Order { items: items.collect(), smallest_gap: first, negatives: Some(0), missing: Vec::new() }
            }
            _ => Self::sparse(held.len(), |at| held[at as usize], memory),
        };
        (order.all().collect(), order)
    }

    /// Sorts some rows of a dense numeric column.
    pub fn of_rows(column: &Column, rows: &[u32], memory: &mut Sorting) -> Self {
        let rows = rows.iter().copied();
        match column.data() {
            ColumnData::Numeric(values) => Self::dense(rows, |row| values[row as usize], memory),
            ColumnData::Numeric32(values) => Self::dense(rows, |row| values[row as usize].into(), memory),
            _ => unreachable!("only dense numeric columns are sorted so"),
        }
    }

    fn dense(
        rows: impl ExactSizeIterator<Item = u32> + Clone,
        value: impl Fn(u32) -> f64,
        memory: &mut Sorting,
    ) -> Self {
        let (items, smallest_gap) = order_on_grid(rows.clone(), &value).unwrap_or_else(|| {
            let mut items: Vec<Item> = Vec::with_capacity(rows.len());
            items.extend(rows.filter(|&row| !value(row).is_nan()).map(|row| Item::new(row, false)));
            let smallest_gap = memory.ascend(&mut items, value);
            (items, smallest_gap)
        });
        Order { items, smallest_gap, negatives: None, missing: Vec::new() }
    }

    /// Sorts the entries of a sparse column, rows with their values, of which there are `count`.
    fn sparse(count: usize, entry: impl Fn(u32) -> (u32, f64), memory: &mut Sorting) -> Self {
        let (row, value) = (|at| entry(at).0, |at| entry(at).1);
        let all = 0..count as u32;
        let missing = all.clone().filter(|&at| value(at).is_nan()).map(row).collect();
        let listed = all.filter(|&at| !(value(at).is_nan() || value(at) == 0.0));
        let mut items: Vec<Item> = listed.map(|at| Item::new(at, false)).collect();
        let between = memory.ascend(&mut items, value);
        let negatives = items.partition_point(|item| value(item.row()) < 0.0);
        // The zeros that are not listed stand between the two.
        let nearest = [negatives.checked_sub(1), Some(negatives)].into_iter().flatten().filter_map(|at| items.get(at));
        let smallest_gap = nearest.map(|item| value(item.row()).abs()).fold(between, f64::min);
        items.iter_mut().for_each(|item| *item = Item::new(row(item.row()), item.is_same()));
        Order { items, smallest_gap, negatives: Some(negatives), missing }
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

#[cfg(test)]
mod tests {
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
            let mut items: Vec<Item> = column.order().items().to_vec();
            let smallest_gap = Sorting::default().ascend(&mut items, |row| values[row as usize]);
            prop_assert_eq!(column.order().smallest_gap(), smallest_gap);
            prop_assert_eq!(column.order().items(), items);
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
