//! What growing reads and never changes: the data as stores made for scanning, and the recipe.

use std::sync::{Arc, OnceLock};

use crate::data::{Class, Column, ColumnData, Dataset, Order, Sparse, Value, impute};
use crate::density::{Chosen, Scale};
use crate::recipe::{self, CutAt, CutBy, CutOver, Leaf, Numeric, Recipe};
use crate::signal::{NEVER, Signal};
use crate::split::bins::{Bins, Marks, midpoint};
use crate::split::criterion::{EntropyTable, FactorialTable};

use super::factored::{Spread, Tables};
use super::fixed;
use super::futile;
use super::histogram;
use super::lookahead::{Earlier, Words};
use super::observed;
use super::scratch::ScratchPool;
use super::significance::Tally;

/// One run of growing: data, rows, recipe.
pub(crate) struct Task<'d> {
    pub data: &'d Dataset,
    /// The data before missing values were replaced: what stands for these is told from the others alone, since means
    /// of replaced values are rounded.
    pub given: &'d Dataset,
    pub recipe: &'d Recipe,
    /// Whether the run is to end.
    pub signal: &'d Signal,
    /// The rows the tree is grown from, ascending.
    pub rows: Vec<u32>,
    pub class: &'d Class,
    pub classes: &'d [u16],
    pub class_count: usize,
    pub stores: Vec<Store<'d>>,
    /// By attribute, where cuts are made once; empty where they are not.
    pub fixed_cuts: Vec<Vec<f64>>,
    /// Attributes whose every row is stored, ascending.
    pub dense: &'d [usize],
    /// The attribute behind each slot of the sparse lists, ascending.
    pub sparse: &'d [usize],
    /// For measures in bits.
    pub entropies: EntropyTable,
    /// For cuts by hypergeometric probability.
    pub factorials: FactorialTable,
    /// What the tests of the best splits found, where there are any.
    pub tally: Tally,
    /// Cells of the histograms of all binned attributes of a node, and how many attributes these are.
    pub histogram_cells: usize,
    pub binned: usize,
    /// A node of no more errors is a leaf in the end.
    pub futile_errors: f64,
    /// Whether leaves keep their rows for surgery. Only rows that are in one leaf each, and count 1, can be kept.
    pub keeps_rows: bool,
    /// The tables of all attributes, where they are not counted at every node.
    pub factored: Option<Tables>,
    /// What stands for a missing value, by attribute, once it was asked for.
    constants: Vec<OnceLock<Value>>,
    /// The rows as words of bits, once a look ahead has asked for them; none where they do not fit.
    words: OnceLock<Option<Words>>,
    /// Where a node is looked at again with more samples: what it has shown before.
    pub earlier: Option<Arc<Earlier>>,
    /// Bandwidths of densities, once they were chosen.
    pub chosen: Chosen,
    /// The range of the training rows, by attribute, once it was asked for.
    scales: OnceLock<Vec<OnceLock<Option<Scale>>>>,
    /// The weight of all training rows.
    weight: f64,
    pub pool: ScratchPool,
    /// Whether a row of the dataset is among `rows`; empty where all are.
    member: Vec<bool>,
}

/// An attribute in the form in which nodes count it.
pub(crate) enum Store<'d> {
    /// Numbers in sorted lists; `slot` is the list's place in a node. The order is the column's, unless it is sorted for
    /// one tree only.
    Sorted { slot: usize, column: &'d Column, order: Option<&'d Order> },
    /// Numbers in bins; the cells of the attribute start at `start` in a node's histograms.
    Binned { start: usize, bins: Bins<'d> },
    /// Numbers that are sorted at the node where they are asked for.
    Unsorted { column: &'d Column },
    /// Numbers by row, as intervals between fixed cuts.
    Fixed { codes: Vec<u32> },
    /// Levels by row.
    Levels { codes: &'d [u32], count: usize },
    /// Numbers of which most are zero.
    SparseNumbers { zero_rank: u32, order: &'d Order },
    /// Levels of which most are the first.
    SparseLevels { count: usize, entries: &'d Sparse<u32> },
}

/// Where a value is found.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Place {
    /// It is this row's.
    Row(u32),
    /// It is this.
    Number(f64),
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
        let entropies = if recipe.candidates.cut.by == CutBy::Gain || recipe.tables != recipe::Tables::Counted {
            EntropyTable::new(rows.len())
        } else {
            EntropyTable::default()
        };
        let factorials = if recipe.candidates.cut.by == CutBy::Hypergeometric {
            FactorialTable::new(rows.len())
        } else {
            FactorialTable::default()
        };
        let factored = match recipe.tables {
            recipe::Tables::Counted => None,
            recipe::Tables::Factored(how) => Some(Tables::new(data, class, &rows, &member, recipe, how, &entropies)),
        };
        let fixed_cuts = fixed::cuts(data, class, &rows, &member, recipe);
        let once = sorts_once(recipe, data, all);
        let store = |(attribute, column): (usize, &'d Column)| match column.data() {
            ColumnData::Numeric(_) | ColumnData::Numeric32(_) if !fixed_cuts.is_empty() => {
                Store::Fixed { codes: fixed::codes(column, &fixed_cuts[attribute]) }
            }
            ColumnData::Numeric(_) | ColumnData::Numeric32(_) if binned => {
                Store::Binned { start: 0, bins: Bins::by_frequency(column, &rows, recipe.candidates.cut.bins) }
            }
            ColumnData::Numeric(_) | ColumnData::Numeric32(_) if factored.is_some() => Store::Unsorted { column },
            ColumnData::Numeric(_) | ColumnData::Numeric32(_) => match column.few_values() {
                Some(few) => Store::Binned { start: 0, bins: Bins::by_value(few) },
                None => {
                    let order = if once { column.kept_order() } else { Some(column.order()) };
                    Store::Sorted { slot: 0, column, order }
                }
            },
            ColumnData::Nominal { levels, codes } => Store::Levels { codes, count: levels.len() },
            ColumnData::SparseNumeric(_) if factored.is_some() => Store::Unsorted { column },
            ColumnData::SparseNumeric(_) => {
                let order = column.order();
                Store::SparseNumbers { zero_rank: order.zero_rank().unwrap_or(0), order }
            }
            ColumnData::SparseNominal { levels, codes } => Store::SparseLevels { count: levels.len(), entries: codes },
        };
        let mut stores: Vec<Store<'d>> = data.attributes().par_iter().enumerate().map(store).collect();
        let (mut lists, mut histogram_cells, mut binned_count) = (0, 0, 0);
        for store in &mut stores {
            match store {
                Store::Sorted { slot, .. } => {
                    *slot = lists;
                    lists += 1;
                }
                Store::Binned { start, bins } => {
                    *start = histogram_cells;
                    binned_count += 1;
                    histogram_cells += histogram::cells(bins, class.levels.len());
                }
                Store::Unsorted { .. } | Store::Levels { .. } | Store::Fixed { .. } => {}
                Store::SparseNumbers { .. } | Store::SparseLevels { .. } => {}
            }
        }
        let kinds = data.kinds();
        Task {
            data,
            given: data,
            recipe,
            signal: &NEVER,
            class,
            classes: &class.codes,
            class_count: class.levels.len(),
            stores,
            fixed_cuts,
            dense: &kinds.dense,
            sparse: &kinds.sparse,
            entropies,
            factorials,
            tally: Tally::default(),
            histogram_cells,
            binned: binned_count,
            futile_errors: futile::errors(data, recipe),
            keeps_rows: kinds.complete
                && data.weights().is_none()
                && matches!(recipe.prune, recipe::Prune::Pessimistic { raising: true, .. }),
            factored,
            weight: data
                .weights()
                .map_or(rows.len() as f64, |weights| rows.iter().map(|&row| weights[row as usize]).sum()),
            constants: data.attributes().iter().map(|_| OnceLock::new()).collect(),
            words: OnceLock::new(),
            earlier: None,
            chosen: Chosen::for_weights(data.weights()),
            scales: OnceLock::new(),
            pool: ScratchPool::default(),
            member,
            rows,
        }
    }

    /// The same run on other rows.
    pub fn on(&self, rows: Vec<u32>) -> Task<'d> {
        Task { given: self.given, signal: self.signal, ..Task::new(self.data, self.class, rows, self.recipe) }
    }

    /// Every node is grown, and every gain computed.
    pub fn forget_short_cuts(&mut self) {
        self.futile_errors = 0.0;
        self.factored.iter_mut().for_each(Tables::forget_short_cuts);
    }

    /// The rows as words of bits, where their attributes have few values.
    pub fn words(&self) -> Option<&Words> {
        self.words.get_or_init(|| Words::new(self)).as_ref()
    }

    /// Whether the tree is grown from this row.
    pub fn trains(&self, row: u32) -> bool {
        self.member.is_empty() || self.member[row as usize]
    }

    /// The mean or the most frequent level of the training rows; missing where they have none.
    pub fn constant(&self, attribute: usize) -> Value {
        let column = &self.given.attributes()[attribute];
        *self.constants[attribute].get_or_init(|| {
            if self.member.is_empty() && self.data.weights().is_none() {
                return impute::constant(column, self.weight, &|_| 1.0);
            }
            let weight = |row: usize| {
                let weight = self.data.weights().map_or(1.0, |weights| weights[row]);
                if self.trains(row as u32) { weight } else { 0.0 }
            };
            impute::constant(column, self.weight, &weight)
        })
    }

    /// The scale on which densities are told of a number; `None` for levels, and where nothing is known.
    pub fn scale(&self, attribute: usize) -> Option<Scale> {
        let scales = self.scales.get_or_init(|| vec![OnceLock::new(); self.stores.len()]);
        *scales[attribute].get_or_init(|| Scale::of(&self.given.attributes()[attribute], &self.rows))
    }

    /// A row's number, NaN where it is missing.
    pub fn number(&self, attribute: usize, row: u32) -> f64 {
        match self.data.attributes()[attribute].value(row as usize) {
            Value::Number(number) => number,
            _ => f64::NAN,
        }
    }

    /// The threshold between two neighbouring places.
    pub fn threshold(&self, attribute: usize, low: Place, high: Place) -> f64 {
        let number = |place| match place {
            Place::Row(row) => self.number(attribute, row),
            Place::Number(number) => number,
        };
        let (low, high) = (number(low), number(high));
        let middle = midpoint(low, high);
        match self.recipe.candidates.cut.at {
            CutAt::Midpoint => middle,
            CutAt::Observed if observed::is_late(self, attribute) => middle,
            CutAt::Observed => self.largest_observed(attribute, low, middle).unwrap_or(middle),
        }
    }

    /// The largest value of the training rows that is not above `limit`; one of them has the value `low`.
    fn largest_observed(&self, attribute: usize, low: f64, limit: f64) -> Option<f64> {
        match &self.stores[attribute] {
            Store::Sorted { order, .. } => self.largest_listed(attribute, (*order)?, limit),
            Store::SparseNumbers { order, .. } => self.largest_with_zeros(attribute, order, limit),
            Store::Unsorted { column } => match column.data() {
                ColumnData::SparseNumeric(sparse) => {
                    let spread = self.factored.as_ref().and_then(|tables| tables.spreads.get(attribute));
                    let whole = spread.and_then(Spread::rest).is_some_and(|rest| rest.whole);
                    // As it is the largest there can be, the first such number will do.
                    let limit = if whole { limit.floor() } else { limit };
                    let alone = spread.and_then(Spread::rest).is_some_and(|rest| low == 0.0 && limit < rest.smallest);
                    Some(if alone { low } else { self.largest_entry(sparse, low, limit) })
                }
                // These cuts are moved when the tree is grown.
                _ => None,
            },
            Store::Binned { bins, .. } => match bins.marks {
                Marks::Values(values) => {
                    let above = values.partition_point(|&value| value <= limit);
                    (0..above).rev().find(|&code| self.holds(&bins.codes, code)).map(|code| values[code])
                }
                Marks::Edges(_) => None,
            },
            Store::Levels { .. } | Store::SparseLevels { .. } | Store::Fixed { .. } => None,
        }
    }

    /// The same from the entries of a sparse column as they come, where some training row has the value `low`.
    fn largest_entry(&self, sparse: &Sparse<f64>, low: f64, limit: f64) -> f64 {
        let mut largest = low;
        for (&row, &value) in sparse.rows.iter().zip(&sparse.values) {
            if largest == limit {
                break;
            }
            if value > largest && value <= limit && self.trains(row) {
                largest = value;
            }
        }
        let listed = || sparse.rows.iter().filter(|&&row| self.trains(row)).count();
        if largest < 0.0 && limit >= 0.0 && listed() < self.rows.len() { 0.0 } else { largest }
    }

    /// Zero may be the largest, if some training row is not listed.
    fn largest_with_zeros(&self, attribute: usize, order: &Order, limit: f64) -> Option<f64> {
        let listed = self.largest_listed(attribute, order, limit);
        let zero = limit >= 0.0 && listed.is_none_or(|listed| listed < 0.0) && self.has_zeros(order);
        if zero { Some(0.0) } else { listed }
    }

    fn largest_listed(&self, attribute: usize, order: &Order, limit: f64) -> Option<f64> {
        let number = |row: u32| self.number(attribute, row);
        let above = order.partition_point(|row| number(row) <= limit);
        order.rows_before(above).find(|&row| self.trains(row)).map(number)
    }

    /// Whether some training row has this code.
    fn holds(&self, codes: &[u8], code: usize) -> bool {
        self.member.is_empty() || self.rows.iter().any(|&row| usize::from(codes[row as usize]) == code)
    }

    /// Whether some training row of a sparse column is zero.
    fn has_zeros(&self, order: &Order) -> bool {
        let listed = order.entries().filter(|entry| self.trains(entry.row())).count();
        listed + order.missing().iter().filter(|&&row| self.trains(row)).count() < self.rows.len()
    }
}

/// More cells are sorted again for every tree of cost-complexity pruning: kept, their order would be as much memory as the
/// numbers themselves.
pub(crate) const MANY_CELLS: usize = 1 << 24;

/// Whether one tree is all that the sorted columns are for. Folds, searches and naive Bayes leaves come back to them, and
/// several cuts of one test are placed at once.
fn sorts_once(recipe: &Recipe, data: &Dataset, all: bool) -> bool {
    let in_folds = matches!(recipe.prune, recipe::Prune::CostComplexity { .. });
    let many = data.rows() * data.attributes().len() > MANY_CELLS;
    recipe.search.is_once()
        && recipe.lookahead.is_none()
        && recipe.candidates.numeric == Numeric::Threshold
        && if in_folds { many } else { all }
        && !matches!(recipe.leaf, Leaf::Nb { .. })
}
