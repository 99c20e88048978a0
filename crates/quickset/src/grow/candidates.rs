//! What each attribute offers at a node.

use rayon::prelude::*;

use super::LOCAL_CELLS;
use super::histogram;
use super::rows::NodeRows;
use super::scratch::Scratch;
use super::task::{Place, Store, Task};
use crate::data::{ColumnData, Entry, Item, Order};
use crate::measure::{
    Bayes, Beta, ChiSquared, Distance, GSquared, GainRatio, Gini, Hypergeometric, Measure, Orthogonality, SMALL,
    SavedErrors, Table, total,
};
use crate::model::Unknown;
use crate::recipe::{CutBy, Missing, Recipe, Score};
use crate::split::Split;
use crate::split::criterion::{Count, Criterion, Squares};
use crate::split::scan::{Found, Limits, Sweep, cell_sum};
use crate::split::whole::{MOST_CLASSES, Steps, WholeList, sweep_whole};

/// An attribute of so many rows is looked at before anybody gets impatient.
const PATIENT_ROWS: usize = 1 << 14;

/// An attribute with a score. Its split is placed when it is chosen.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub attribute: usize,
    pub test: Placement,
    pub unknown: Unknown,
    pub gain: f64,
    pub score: f64,
}

/// A split, or what is needed to place it.
#[derive(Clone, Debug)]
pub(crate) enum Placement {
    Ready(Split),
    /// A threshold between these two values.
    Between(Place, Place),
}

/// The candidates of all attributes, in attribute order.
pub(crate) fn candidates(task: &Task<'_>, node: &mut NodeRows<'_>, scratch: &mut Scratch) -> Vec<Candidate> {
    if node.weights.is_none() && node.histograms.is_none() && histogram::pays(task, node.rows.len()) {
        node.histograms = Some(histogram::count_all(task, &node.rows));
    }
    with_look(task, node, scratch, All)
}

/// What is asked of a look: a function of any look, since its types depend on node and recipe.
pub(super) trait Question {
    type Answer;
    fn ask<N: Counting, K: Criterion<N::Count> + Criterion<f64>>(
        self,
        look: &Look<'_, N, K>,
        scratch: &mut Scratch,
    ) -> Self::Answer;
}

struct All;
struct PlaceOne(usize);

impl Question for All {
    type Answer = Vec<Candidate>;
    fn ask<N: Counting, K: Criterion<N::Count> + Criterion<f64>>(
        self,
        look: &Look<'_, N, K>,
        scratch: &mut Scratch,
    ) -> Vec<Candidate> {
        look.all(scratch)
    }
}

impl Question for PlaceOne {
    type Answer = Option<Candidate>;
    fn ask<N: Counting, K: Criterion<N::Count> + Criterion<f64>>(
        self,
        look: &Look<'_, N, K>,
        scratch: &mut Scratch,
    ) -> Option<Candidate> {
        look.one(self.0, scratch)
    }
}

/// Looks at a node in the way that its rows and the recipe ask for.
pub(super) fn with_look<Q: Question>(
    task: &Task<'_>,
    node: &NodeRows<'_>,
    scratch: &mut Scratch,
    question: Q,
) -> Q::Answer {
    let entropy = task.entropies.criterion();
    if let Some(weights) = &node.weights {
        let mut by_row = std::mem::take(&mut scratch.weight);
        by_row.resize(task.data.rows(), 0.0);
        node.rows.iter().zip(weights).for_each(|(&row, &weight)| by_row[row as usize] = weight);
        let counting = Fractional(&by_row);
        let answer = match task.recipe.candidates.cut.by {
            CutBy::Gain => question.ask(&Look::new(task, node, &counting, &entropy), scratch),
            CutBy::Gini => question.ask(&Look::new(task, node, &counting, &Squares), scratch),
            CutBy::Hypergeometric => {
                question.ask(&Look::new(task, node, &counting, &task.factorials.criterion()), scratch)
            }
        };
        scratch.weight = by_row;
        return answer;
    }
    match (task.recipe.candidates.cut.by, task.entropies.short()) {
        (CutBy::Gain, Some(entropy)) => question.ask(&Look::new(task, node, &Whole, &entropy), scratch),
        (CutBy::Gain, None) => question.ask(&Look::new(task, node, &Whole, &entropy), scratch),
        (CutBy::Gini, _) => question.ask(&Look::new(task, node, &Whole, &Squares), scratch),
        (CutBy::Hypergeometric, _) => match task.factorials.short() {
            Some(factorials) => question.ask(&Look::new(task, node, &Whole, &factorials), scratch),
            None => question.ask(&Look::new(task, node, &Whole, &task.factorials.criterion()), scratch),
        },
    }
}

/// The candidate of one attribute, from the node's rows themselves.
pub(crate) fn place(
    task: &Task<'_>,
    node: &NodeRows<'_>,
    attribute: usize,
    scratch: &mut Scratch,
) -> Option<Candidate> {
    with_look(task, node, scratch, PlaceOne(attribute))
}

/// How rows are counted: one each, or by their weights.
pub(super) trait Counting: Sync {
    type Count: Count;
    fn weight(&self, row: u32) -> Self::Count;
    fn buffer(scratch: &mut Scratch) -> &mut Vec<Self::Count>;
    /// The steps of rows by class, where sweeps take them.
    fn steps<K: Criterion<Self::Count>>(criterion: &K, classes: &[Self::Count]) -> Option<Steps>;
    /// Sweeps a sorted list, all of whose rows are on the right.
    fn sweep<K: Criterion<Self::Count>>(
        &self,
        criterion: &K,
        list: &List<'_>,
        sides: [&mut [Self::Count]; 2],
        cells: f64,
        limits: Limits,
        apart: impl Fn(usize, usize) -> bool,
    ) -> Found;
}

/// A sorted list with the classes of its rows.
pub(super) struct List<'l> {
    pub items: &'l [Item],
    pub classes: &'l [u16],
    /// Whether all rows of the node are listed.
    pub complete: bool,
    /// The node's; a list that is not complete has its own.
    pub steps: Option<&'l Steps>,
}

struct Whole;
struct Fractional<'w>(&'w [f64]);

impl Counting for Whole {
    type Count = u32;
    #[inline(always)]
    fn weight(&self, _row: u32) -> u32 {
        1
    }
    fn buffer(scratch: &mut Scratch) -> &mut Vec<u32> {
        &mut scratch.whole
    }
    fn steps<K: Criterion<u32>>(criterion: &K, classes: &[u32]) -> Option<Steps> {
        Steps::new(criterion, classes)
    }
    fn sweep<K: Criterion<u32>>(
        &self,
        criterion: &K,
        list: &List<'_>,
        [left, right]: [&mut [u32]; 2],
        cells: f64,
        limits: Limits,
        apart: impl Fn(usize, usize) -> bool,
    ) -> Found {
        if right.len() <= MOST_CLASSES {
            let own = if list.complete { None } else { Steps::new(criterion, right) };
            let steps = if list.complete { list.steps } else { own.as_ref() };
            let list = WholeList { items: list.items, classes: list.classes, totals: right, cells, steps };
            return sweep_whole(criterion, &list, limits, apart);
        }
        let sweep = Sweep::from_right(criterion, left, right, cells, limits);
        sweep.list(list.items, list.classes, |_| 1, apart)
    }
}

impl Counting for Fractional<'_> {
    type Count = f64;
    #[inline(always)]
    fn weight(&self, row: u32) -> f64 {
        self.0[row as usize]
    }
    fn buffer(scratch: &mut Scratch) -> &mut Vec<f64> {
        &mut scratch.fractional
    }
    fn steps<K: Criterion<f64>>(_criterion: &K, _classes: &[f64]) -> Option<Steps> {
        None
    }
    fn sweep<K: Criterion<f64>>(
        &self,
        criterion: &K,
        list: &List<'_>,
        [left, right]: [&mut [f64]; 2],
        cells: f64,
        limits: Limits,
        apart: impl Fn(usize, usize) -> bool,
    ) -> Found {
        let sweep = Sweep::from_right(criterion, left, right, cells, limits);
        sweep.list(list.items, list.classes, |row| self.weight(row), apart)
    }
}

/// One look at a node: what counts, by what cuts are compared, and what the attributes share.
pub(super) struct Look<'l, N: Counting, K> {
    pub task: &'l Task<'l>,
    pub node: &'l NodeRows<'l>,
    pub counting: &'l N,
    pub criterion: &'l K,
    /// The node's weight.
    pub weight: f64,
    /// The node's weights by class.
    pub classes: Vec<N::Count>,
    /// The criterion's sum over them.
    pub cells: f64,
    /// What the sweeps of its lists share.
    pub steps: Option<Steps>,
    /// The classes that occur, numbered from 0: small nodes hold few of many.
    pub local: Local<N::Count>,
}

/// The classes that occur at a node, and which of them each row has.
pub(super) struct Local<C> {
    pub weights: Vec<C>,
    /// Beside the node's rows; empty where no attribute is binned.
    pub of_rows: Vec<u16>,
}

impl<'l, N: Counting, K: Criterion<N::Count> + Criterion<f64>> Look<'l, N, K> {
    fn new(task: &'l Task<'l>, node: &'l NodeRows<'l>, counting: &'l N, criterion: &'l K) -> Self {
        let classes: Vec<N::Count> = node.class_weights.iter().map(|&weight| N::Count::from_weight(weight)).collect();
        let mut local = Local { weights: Vec::new(), of_rows: Vec::new() };
        if task.histogram_cells > 0 {
            let mut number = vec![0; classes.len()];
            for (class, weight) in classes.iter().enumerate().filter(|(_, weight)| weight.weight() > 0.0) {
                number[class] = local.weights.len() as u16;
                local.weights.push(*weight);
            }
            local.of_rows = node.rows.iter().map(|&row| number[usize::from(task.classes[row as usize])]).collect();
        }
        Look {
            task,
            node,
            counting,
            criterion,
            weight: total(&node.class_weights),
            cells: cell_sum(criterion, &classes),
            steps: if node.sorted.is_empty() { None } else { N::steps(criterion, &classes) },
            classes,
            local,
        }
    }

    /// The candidates of all attributes, in attribute order.
    pub fn all(&self, scratch: &mut Scratch) -> Vec<Candidate> {
        let task = self.task;
        let cells = task.dense.len() * self.node.rows.len() + self.node.sparse.entries.len();
        let of_sparse = |(slot, entries): (usize, &[Entry]), scratch: &mut Scratch| {
            self.sparse(task.sparse[slot], entries, scratch)
        };
        let mut found: Vec<Candidate> = if cells > LOCAL_CELLS && rayon::current_num_threads() > 1 {
            let sparse: Vec<(usize, &[Entry])> = self.node.sparse.iter().collect();
            let dense = task.dense.par_iter().map(|&attribute| task.pool.with(|s| self.dense(attribute, s)));
            let sparse = sparse.par_iter().with_min_len(64).map(|&list| task.pool.with(|s| of_sparse(list, s)));
            dense.chain(sparse).flatten_iter().collect()
        } else {
            let mut found: Vec<Candidate> =
                task.dense.iter().filter_map(|&attribute| self.dense(attribute, scratch)).collect();
            found.extend(self.node.sparse.iter().filter_map(|list| of_sparse(list, scratch)));
            found
        };
        // Ties go to the lowest attribute, so the order must not depend on how they are stored.
        if !task.sparse.is_empty() && !task.dense.is_empty() {
            found.sort_by_key(|candidate| candidate.attribute);
        }
        found
    }

    fn dense(&self, attribute: usize, scratch: &mut Scratch) -> Option<Candidate> {
        // Where a run is to end in the middle of a node, the node becomes a leaf whatever is found.
        if self.node.rows.len() > PATIENT_ROWS && self.task.signal.is_raised() {
            return None;
        }
        if self.cuts_intervals() {
            return match &self.task.stores[attribute] {
                Store::Levels { codes, count } => self.levels(attribute, *count, codes, N::buffer(scratch)),
                _ => self.intervals(attribute, &[]),
            };
        }
        match &self.task.stores[attribute] {
            Store::Sorted { slot, column, .. } => {
                self.sorted(attribute, self.node.sorted[*slot].items(), column.smallest_gap(), N::buffer(scratch))
            }
            Store::Binned { start, bins } => self.binned(attribute, *start, bins, N::buffer(scratch)),
            Store::Levels { codes, count } => self.levels(attribute, *count, codes, N::buffer(scratch)),
            Store::Fixed { codes } => self.fixed(attribute, codes, N::buffer(scratch)),
            Store::Unsorted { column } => {
                if let ColumnData::SparseNumeric(sparse) = column.data() {
                    let knows = scratch.having_of == Some(attribute);
                    let rows = if knows { &scratch.having } else { &self.node.rows };
                    sparse.among(rows, &mut scratch.members, &mut scratch.entries);
                    scratch.entries_of = Some(attribute);
                    let (entries, order) = Order::of_held(&scratch.entries, &mut scratch.sorting);
                    let zero_rank = order.zero_rank().unwrap_or(0);
                    return self.sparse_numbers(attribute, &entries, zero_rank, &order, N::buffer(scratch));
                }
                let order = Order::of_rows(column, &self.node.rows, &mut scratch.sorting);
                self.sorted(attribute, order.items(), order.smallest_gap(), N::buffer(scratch))
            }
            Store::SparseNumbers { .. } | Store::SparseLevels { .. } => None,
        }
    }

    /// The candidate of one attribute where nodes keep no lists.
    fn one(&self, attribute: usize, scratch: &mut Scratch) -> Option<Candidate> {
        let Store::SparseLevels { entries, .. } = &self.task.stores[attribute] else {
            return self.dense(attribute, scratch);
        };
        let mut held = Vec::new();
        entries.among(&self.node.rows, &mut scratch.members, &mut held);
        let mut listed: Vec<Entry> = held.into_iter().map(|(row, code)| Entry::new(code, row)).collect();
        listed.sort_by_key(|entry| entry.rank());
        self.sparse(attribute, &listed, scratch)
    }

    fn sparse(&self, attribute: usize, entries: &[Entry], scratch: &mut Scratch) -> Option<Candidate> {
        match &self.task.stores[attribute] {
            Store::SparseNumbers { .. } if self.cuts_intervals() => self.intervals(attribute, entries),
            Store::SparseNumbers { .. } if !self.task.fixed_cuts.is_empty() => self.sparse_fixed(attribute, entries),
            Store::SparseNumbers { zero_rank, order } => {
                self.sparse_numbers(attribute, entries, *zero_rank, order, N::buffer(scratch))
            }
            Store::SparseLevels { count, .. } => self.sparse_levels(attribute, *count, entries),
            _ => None,
        }
    }

    /// The score of a split by its full table.
    pub fn score(&self, table: &Table, gain: f64) -> f64 {
        match self.task.recipe.score {
            Score::Gain => gain,
            Score::GainRatio => GainRatio.with_gain(table, gain),
            Score::Gini => Gini.of(table),
            Score::Distance => Distance.with_gain(table, gain),
            Score::Orthogonality => Orthogonality.of(table),
            Score::Chi2 => ChiSquared.of(table),
            Score::G2 => GSquared.of(table),
            Score::Beta => Beta.of(table),
            Score::Bayes { .. } => Bayes.of(table),
            Score::Hypergeometric => Hypergeometric.of(table),
            Score::Errors | Score::ErrorsAhead => SavedErrors.of(table),
            // The attribute was chosen by its estimated table: this is only what its counted one is worth.
            // And held-out errors are told from the rows, once there is a split.
            Score::Independent | Score::Igr | Score::Iig | Score::HeldOut => GainRatio.with_gain(table, gain),
        }
    }

    /// The table of some branches, and where missing values go. A branch of their own comes after the `branches` that the
    /// split has.
    pub fn table_of(&self, branches: usize, mut cells: Vec<f64>, missing: &[f64]) -> (Table, Unknown) {
        let weight = total(missing);
        if self.task.recipe.missing == Missing::Own && weight > SMALL {
            cells.extend(missing);
            return (Table::new(self.classes.len(), cells, 0.0), Unknown::Branch(branches));
        }
        (Table::new(self.classes.len(), cells, weight), Unknown::Fractions)
    }

    /// The weight that a branch must exceed to count.
    pub fn least_branch(&self) -> f64 {
        least_branch(self.task.recipe)
    }
}

/// The weight that a branch must exceed to count.
pub(super) fn least_branch(recipe: &Recipe) -> f64 {
    // Whatever the recipe says, a branch without weight is no branch.
    recipe.stop.min_rows.max(2.0 * SMALL) - SMALL
}
