//! What growing reads and never changes: the data as stores made for scanning, and the recipe.

use crate::data::{Class, Column, ColumnData, Dataset, Order, Value};
use crate::recipe::{CutAt, CutBy, CutOver, Recipe};
use crate::split::bins::{Bins, midpoint};
use crate::split::criterion::entropy_table;
use crate::split::scan::Place;

use super::histogram;
use super::scratch::ScratchPool;

/// One run of growing: data, rows, recipe.
pub(crate) struct Task<'d> {
    pub data: &'d Dataset,
    pub recipe: &'d Recipe,
    /// The rows the tree is grown from, ascending.
    pub rows: Vec<u32>,
    class: &'d Class,
    pub classes: &'d [u16],
    pub class_count: usize,
    pub stores: Vec<Store<'d>>,
    /// Attributes whose every row is stored, ascending.
    pub dense: Vec<usize>,
    /// The attribute behind each slot of the sparse lists, ascending.
    pub sparse: Vec<usize>,
    /// x·log₂x of whole numbers.
    pub entropies: Vec<f64>,
    /// Cells of the histograms of all binned attributes of a node.
    pub histogram_cells: usize,
    pub pool: ScratchPool,
    /// Whether a row of the dataset is among `rows`; empty where all are.
    member: Vec<bool>,
}

/// An attribute in the form in which nodes count it.
pub(crate) enum Store<'d> {
    /// Numbers in sorted lists; `slot` is the list's place in a node.
    Sorted { slot: usize, order: &'d Order },
    /// Numbers in bins; the cells of the attribute start at `start` in a node's histograms.
    Binned { start: usize, bins: Bins },
    /// Levels by row.
    Levels { codes: &'d [u32], count: usize },
    /// Numbers of which most are zero.
    SparseNumbers { zero_rank: u32, order: &'d Order },
    /// Levels of which most are the first.
    SparseLevels { count: usize, entries: &'d crate::data::Sparse<u32> },
}

/// C4.5 does not cut between values closer than this.
pub(crate) const SMALLEST_GAP: f64 = 1e-5;

impl<'d> Task<'d> {
    /// Prepares the data for growing from `rows`: sorts or bins what is numeric.
    pub fn new(data: &'d Dataset, class: &'d Class, rows: Vec<u32>, recipe: &'d Recipe) -> Self {
        use rayon::prelude::*;
        let all = rows.len() == data.rows();
        let mut member = vec![false; if all { 0 } else { data.rows() }];
        if !all {
            rows.iter().for_each(|&row| member[row as usize] = true);
        }
        let binned = recipe.candidates.cut.over == CutOver::Bins;
        let store = |column: &'d Column| match column.data() {
            ColumnData::Numeric(_) | ColumnData::Numeric32(_) if binned => {
                Store::Binned { start: 0, bins: Bins::by_frequency(column, &rows, recipe.candidates.cut.bins) }
            }
            ColumnData::Numeric(_) | ColumnData::Numeric32(_) => Store::Sorted { slot: 0, order: column.order() },
            ColumnData::Nominal { levels, codes } => Store::Levels { codes, count: levels.len() },
            ColumnData::SparseNumeric(_) => {
                let order = column.order();
                Store::SparseNumbers { zero_rank: order.zero_rank().unwrap_or(0), order }
            }
            ColumnData::SparseNominal { levels, codes } => Store::SparseLevels { count: levels.len(), entries: codes },
        };
        let mut stores: Vec<Store<'d>> = data.attributes().par_iter().map(store).collect();
        let (mut lists, mut histogram_cells) = (0, 0);
        for store in &mut stores {
            match store {
                Store::Sorted { slot, .. } => {
                    *slot = lists;
                    lists += 1;
                }
                Store::Binned { start, bins } => {
                    *start = histogram_cells;
                    histogram_cells += histogram::cells(bins, class.levels.len());
                }
                Store::Levels { .. } | Store::SparseNumbers { .. } | Store::SparseLevels { .. } => {}
            }
        }
        let (sparse, dense) =
            (0..data.attributes().len()).partition(|&attribute| data.attributes()[attribute].is_sparse());
        let entropies = if recipe.candidates.cut.by == CutBy::Gain { entropy_table(rows.len()) } else { Vec::new() };
        Task {
            data,
            recipe,
            class,
            classes: &class.codes,
            class_count: class.levels.len(),
            stores,
            dense,
            sparse,
            entropies,
            histogram_cells,
            pool: ScratchPool::default(),
            member,
            rows,
        }
    }

    /// The same run on other rows.
    pub fn on(&self, rows: Vec<u32>) -> Task<'d> {
        Task::new(self.data, self.class, rows, self.recipe)
    }

    /// Whether the tree is grown from this row.
    pub fn trains(&self, row: u32) -> bool {
        self.member.is_empty() || self.member[row as usize]
    }

    /// The number at a place of an attribute's list.
    pub fn number(&self, attribute: usize, place: Place) -> f64 {
        match place {
            Place::Zero => 0.0,
            Place::Row(row) => match self.data.attributes()[attribute].value(row as usize) {
                Value::Number(number) => number,
                _ => unreachable!("sorted lists hold known values only"),
            },
        }
    }

    /// The threshold between two neighbouring values.
    pub fn threshold(&self, attribute: usize, low: f64, high: f64) -> f64 {
        let middle = midpoint(low, high);
        match self.recipe.candidates.cut.at {
            CutAt::Midpoint => middle,
            CutAt::Observed => self.largest_observed(attribute, middle).unwrap_or(middle),
        }
    }

    /// The largest value of the training rows that is not above `limit`.
    fn largest_observed(&self, attribute: usize, limit: f64) -> Option<f64> {
        let column = &self.data.attributes()[attribute];
        let order = match self.stores[attribute] {
            Store::Sorted { order, .. } | Store::SparseNumbers { order, .. } => order,
            Store::Binned { .. } | Store::Levels { .. } | Store::SparseLevels { .. } => return None,
        };
        let number = |row: u32| self.number(attribute, Place::Row(row));
        let above = order.partition_point(|row| number(row) <= limit);
        let stored = order.rows_before(above).find(|&row| self.trains(row)).map(number);
        // Zero is a value of a sparse column unless every training row has an entry.
        let zero = (column.is_sparse() && limit >= 0.0).then_some(0.0);
        match (stored, zero) {
            (Some(stored), Some(zero)) => Some(stored.max(zero)),
            (stored, zero) => stored.or(zero),
        }
    }
}
