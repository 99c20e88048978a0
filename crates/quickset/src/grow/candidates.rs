//! What each attribute offers at a node.

use rayon::prelude::*;

use super::histogram;
use super::rows::NodeRows;
use super::scratch::Scratch;
use super::task::{SMALLEST_GAP, Store, Task};
use crate::data::{Entry, MISSING, Order};
use crate::measure::{Gain, GainRatio, Gini, Measure, SMALL, Table, total};
use crate::model::Unknown;
use crate::recipe::{CutBy, CutLimits, Missing, Nominal, Score};
use crate::split::Split;
use crate::split::bins::{Bins, NO_BIN};
use crate::split::criterion::{Count, Criterion, Entropy, Squares};
use crate::split::scan::{Cut, Limits, Place, Sweep, Zeros, sweep_histogram, sweep_list};
use crate::split::subset::divide;

/// An attribute with a score. Its split is placed when it is chosen.
#[derive(Debug)]
pub(crate) struct Candidate {
    pub attribute: usize,
    pub test: Placement,
    pub unknown: Unknown,
    pub gain: f64,
    pub score: f64,
}

/// A split, or what is needed to place it.
#[derive(Debug)]
pub(crate) enum Placement {
    Ready(Split),
    /// A threshold between these two values.
    Between(f64, f64),
}

/// Nodes with fewer cells to look at than this are not worth sharing between threads.
const PARALLEL_CELLS: usize = 1 << 15;

/// The candidates of all attributes, in attribute order.
pub(crate) fn candidates(task: &Task<'_>, node: &mut NodeRows<'_>, scratch: &mut Scratch) -> Vec<Candidate> {
    let entropy = Entropy { table: &task.entropies };
    match (task.recipe.candidates.cut.by, node.weights.is_some()) {
        (CutBy::Gain, false) => Whole::look(task, node, scratch, &entropy),
        (CutBy::Gini, false) => Whole::look(task, node, scratch, &Squares),
        (CutBy::Gain, true) => Fractional::look(task, node, scratch, &entropy),
        (CutBy::Gini, true) => Fractional::look(task, node, scratch, &Squares),
    }
}

/// How rows are counted: one each, or by their weights.
trait Counting: Sync + Sized {
    type Count: Count;
    fn weight(&self, row: u32) -> Self::Count;
    fn buffer(scratch: &mut Scratch) -> &mut Vec<Self::Count>;
}

struct Whole;
struct Fractional<'w>(&'w [f64]);

impl Counting for Whole {
    type Count = u32;
    fn weight(&self, _row: u32) -> u32 {
        1
    }
    fn buffer(scratch: &mut Scratch) -> &mut Vec<u32> {
        &mut scratch.whole
    }
}

impl Counting for Fractional<'_> {
    type Count = f64;
    fn weight(&self, row: u32) -> f64 {
        self.0[row as usize]
    }
    fn buffer(scratch: &mut Scratch) -> &mut Vec<f64> {
        &mut scratch.fractional
    }
}

impl Whole {
    fn look<K: Criterion<u32> + Criterion<f64>>(
        task: &Task<'_>,
        node: &mut NodeRows<'_>,
        scratch: &mut Scratch,
        criterion: &K,
    ) -> Vec<Candidate> {
        if task.histogram_cells > 0 && node.histograms.is_none() {
            node.histograms = Some(histogram::count_all(task, &node.rows));
        }
        Look { task, node, counting: &Whole, criterion }.all(scratch)
    }
}

impl Fractional<'_> {
    fn look<K: Criterion<f64>>(
        task: &Task<'_>,
        node: &NodeRows<'_>,
        scratch: &mut Scratch,
        criterion: &K,
    ) -> Vec<Candidate> {
        let mut by_row = std::mem::take(&mut scratch.weight);
        by_row.resize(task.data.rows(), 0.0);
        if let Some(weights) = &node.weights {
            node.rows.iter().zip(weights).for_each(|(&row, &weight)| by_row[row as usize] = weight);
        }
        let found = Look { task, node, counting: &Fractional(&by_row), criterion }.all(scratch);
        scratch.weight = by_row;
        found
    }
}

/// One look at a node: what counts, and by what cuts are compared.
struct Look<'l, N, K> {
    task: &'l Task<'l>,
    node: &'l NodeRows<'l>,
    counting: &'l N,
    criterion: &'l K,
}

/// A cut with the weights it leaves on each side.
struct Found<P> {
    cut: Cut<P>,
    positions: usize,
    cells: Vec<f64>,
    /// The criterion before the cut.
    base: f64,
}

impl<N: Counting, K: Criterion<N::Count>> Look<'_, N, K>
where
    K: Criterion<f64>,
{
    fn all(&self, scratch: &mut Scratch) -> Vec<Candidate> {
        let task = self.task;
        let dense = task.dense.len() * self.node.rows.len();
        let share = dense + self.node.sparse.entries.len() >= PARALLEL_CELLS && rayon::current_num_threads() > 1;
        let sparse: Vec<(usize, &[Entry])> = self.node.sparse.iter().collect();
        let of_sparse = |&(slot, entries): &(usize, &[Entry]), scratch: &mut Scratch| {
            self.sparse(task.sparse[slot], entries, scratch)
        };
        let mut found: Vec<Candidate> = if share {
            let dense = task.dense.par_iter().map(|&attribute| task.pool.with(|s| self.dense(attribute, s)));
            let sparse = sparse.par_iter().with_min_len(64).map(|list| task.pool.with(|s| of_sparse(list, s)));
            dense.chain(sparse).flatten_iter().collect()
        } else {
            let dense: Vec<Candidate> =
                task.dense.iter().filter_map(|&attribute| self.dense(attribute, scratch)).collect();
            dense.into_iter().chain(sparse.iter().filter_map(|list| of_sparse(list, scratch))).collect()
        };
        // Ties go to the lowest attribute, so the order must not depend on how they are stored.
        found.sort_by_key(|candidate| candidate.attribute);
        found
    }

    fn dense(&self, attribute: usize, scratch: &mut Scratch) -> Option<Candidate> {
        match &self.task.stores[attribute] {
            Store::Sorted { slot, order } => {
                self.numbers(attribute, self.node.sorted[*slot].entries(), None, order, scratch)
            }
            Store::Binned { start, bins } => self.binned(attribute, *start, bins, scratch),
            Store::Levels { codes, count } => {
                let entries = |row: u32| codes[row as usize];
                self.levels(attribute, *count, self.node.rows.iter().map(|&row| (row, entries(row))))
            }
            Store::SparseNumbers { .. } | Store::SparseLevels { .. } => None,
        }
    }

    fn sparse(&self, attribute: usize, entries: &[Entry], scratch: &mut Scratch) -> Option<Candidate> {
        match &self.task.stores[attribute] {
            Store::SparseNumbers { zero_rank, order, .. } => {
                self.numbers(attribute, entries, Some(*zero_rank), order, scratch)
            }
            Store::SparseLevels { count, .. } => self.sparse_levels(attribute, *count, entries),
            _ => None,
        }
    }

    /// The best threshold of a sorted list; with `zero_rank`, of a list that leaves out the zeros.
    fn numbers(
        &self,
        attribute: usize,
        entries: &[Entry],
        zero_rank: Option<u32>,
        order: &Order,
        scratch: &mut Scratch,
    ) -> Option<Candidate> {
        let rows = self.node.rows.len();
        // Missing values of a sparse list stand last; in a dense list they are absent.
        let listed = match zero_rank {
            Some(_) => entries.partition_point(|entry| entry.rank != MISSING),
            None => entries.len(),
        };
        let (entries, unlisted) = entries.split_at(listed);
        let known_rows = if zero_rank.is_some() { rows - unlisted.len() } else { listed };
        if known_rows < 2 {
            return None;
        }
        let classes = self.task.class_count;
        let buffer = N::buffer(scratch);
        buffer.clear();
        buffer.resize(classes * 6, N::Count::default());
        let (known, rest) = buffer.split_at_mut(classes);
        let (missing, rest) = rest.split_at_mut(classes);
        let (zeros, work) = rest.split_at_mut(classes);
        if known_rows == rows {
            known.iter_mut().zip(&self.node.class_weights).for_each(|(k, &w)| *k = N::Count::from_weight(w));
        } else if zero_rank.is_some() {
            known.iter_mut().zip(&self.node.class_weights).for_each(|(k, &w)| *k = N::Count::from_weight(w));
            for entry in unlisted {
                let class = usize::from(self.task.classes[entry.row as usize]);
                known[class] -= self.counting.weight(entry.row);
                missing[class] += self.counting.weight(entry.row);
            }
        } else {
            for entry in entries {
                known[usize::from(self.task.classes[entry.row as usize])] += self.counting.weight(entry.row);
            }
            for (class, &weight) in self.node.class_weights.iter().enumerate() {
                missing[class] = N::Count::from_weight((weight - known[class].weight()).max(0.0));
            }
        }
        let limits = self.limits(known)?;
        if (known_rows as f64) < 2.0 * limits.side - SMALL {
            return None;
        }
        if zero_rank.is_some() {
            // With the zeros on one side, too few entries cannot fill the other: most words end here.
            if self.node.weights.is_none() && (listed as f64) < limits.side {
                return None;
            }
            zeros.copy_from_slice(known);
            for entry in entries {
                let class = usize::from(self.task.classes[entry.row as usize]);
                zeros[class] -= self.counting.weight(entry.row);
            }
            if self.node.weights.is_some() {
                // Differences of sums of fractions are only almost zero.
                zeros.iter_mut().filter(|zero| zero.weight() < SMALL).for_each(|zero| *zero = N::Count::default());
            }
        }
        let zeros = &*zeros;
        let close = self.task.recipe.candidates.cut.limits == CutLimits::C45 && order.smallest_gap() <= SMALLEST_GAP;
        let number = |place| self.task.number(attribute, place);
        let found = self.best_side(known, missing, work, limits, |sweep| {
            let zeros = zero_rank.map(|rank| Zeros { rank, block: zeros });
            let weight = |row| self.counting.weight(row);
            let classes = self.task.classes;
            if close {
                let apart = |low, high| number(low) + SMALLEST_GAP < number(high);
                sweep_list(sweep, entries, zeros, classes, weight, apart)
            } else {
                sweep_list(sweep, entries, zeros, classes, weight, |_: Place, _: Place| true)
            }
        });
        let (found, unknown, missing) = found?;
        let test = Placement::Between(number(found.cut.low), number(found.cut.high));
        self.threshold_candidate(attribute, test, found, unknown, missing)
    }

    fn binned(&self, attribute: usize, start: usize, bins: &Bins, scratch: &mut Scratch) -> Option<Candidate> {
        let classes = self.task.class_count;
        let size = histogram::cells(bins, classes);
        let buffer = N::buffer(scratch);
        buffer.clear();
        buffer.resize(size + classes * 4, N::Count::default());
        let (counted, rest) = buffer.split_at_mut(size);
        match (&self.node.histograms, &self.node.weights) {
            (Some(all), None) => counted
                .iter_mut()
                .zip(&all[start..start + size])
                .for_each(|(cell, &count)| *cell = N::Count::from_weight(f64::from(count))),
            _ => {
                for &row in &self.node.rows {
                    let code = bins.codes[row as usize];
                    let bin = if code == NO_BIN { bins.len() } else { usize::from(code) };
                    let class = usize::from(self.task.classes[row as usize]);
                    counted[bin * classes + class] += self.counting.weight(row);
                }
            }
        }
        let (cells, missing) = counted.split_at(bins.len() * classes);
        let (known, work) = rest.split_at_mut(classes);
        for block in cells.chunks_exact(classes) {
            known.iter_mut().zip(block).for_each(|(sum, &cell)| *sum += cell);
        }
        let limits = self.limits(known)?;
        let found =
            self.best_side(known, missing, work, limits, |sweep| sweep_histogram(sweep, cells, classes, |_, _| true));
        let (found, unknown, missing) = found?;
        let cut = bins.edges[found.cut.low as usize];
        self.threshold_candidate(
            attribute,
            Placement::Ready(Split::Threshold { attribute, cut }),
            found,
            unknown,
            missing,
        )
    }

    /// What both sides must hold; `None` where no cut can.
    fn limits(&self, known: &[N::Count]) -> Option<Limits> {
        let recipe = self.task.recipe;
        let weight: f64 = known.iter().map(|count| count.weight()).sum();
        let side = match recipe.candidates.cut.limits {
            CutLimits::MinRows => recipe.stop.min_rows,
            CutLimits::C45 => {
                let tenth = 0.1 * weight / self.task.class_count as f64;
                if tenth <= recipe.stop.min_rows + SMALL { recipe.stop.min_rows } else { tenth.min(25.0) }
            }
        };
        // Whatever the recipe says, a side without weight is no side.
        Some(Limits { side: side.max(2.0 * SMALL), node: total(&self.node.class_weights) })
    }

    /// Runs `sweep` with the rows of missing value where the recipe wants them: in no branch, or on the better side.
    fn best_side<P: Copy>(
        &self,
        known: &[N::Count],
        missing: &[N::Count],
        work: &mut [N::Count],
        limits: Limits,
        run: impl Fn(Sweep<'_, N::Count, K, P>) -> (Option<Cut<P>>, usize),
    ) -> Option<(Found<P>, Unknown, f64)> {
        let missing_weight: f64 = missing.iter().map(|count| count.weight()).sum();
        let mut attempt = |left_missing: bool, right_missing: bool| {
            let classes = known.len();
            work.fill(N::Count::default());
            let (left, rest) = work.split_at_mut(classes);
            let (right, best) = rest.split_at_mut(classes);
            right.copy_from_slice(known);
            if left_missing {
                left.copy_from_slice(missing);
            }
            if right_missing {
                right.iter_mut().zip(missing).for_each(|(right, &missing)| *right += missing);
            }
            let mut sum: Vec<f64> = left.iter().zip(right.iter()).map(|(l, r)| l.weight() + r.weight()).collect();
            let mut sweep = Sweep::new(self.criterion, left, right, best, limits);
            if self.task.recipe.stop.to_purity {
                sweep.accept_any();
            }
            let base = sweep.base();
            let (cut, positions) = run(sweep);
            let cut = cut?;
            let mut cells: Vec<f64> = best.iter().map(|count| count.weight()).collect();
            sum.iter_mut().zip(&cells).for_each(|(sum, left)| *sum -= left);
            cells.append(&mut sum);
            Some(Found { cut, positions, cells, base })
        };
        if self.task.recipe.missing == Missing::Fractions {
            return Some((attempt(false, false)?, Unknown::Fractions, missing_weight));
        }
        let right = attempt(false, true);
        if missing_weight < SMALL {
            let found = right?;
            let classes = known.len();
            let heavier = usize::from(total(&found.cells[classes..]) > total(&found.cells[..classes]));
            return Some((found, Unknown::Branch(heavier), 0.0));
        }
        match (attempt(true, false), right) {
            (Some(left), Some(right)) if left.cut.worth >= right.cut.worth => Some((left, Unknown::Branch(0), 0.0)),
            (_, Some(right)) => Some((right, Unknown::Branch(1), 0.0)),
            (Some(left), None) => Some((left, Unknown::Branch(0), 0.0)),
            (None, None) => None,
        }
    }

    fn threshold_candidate<P>(
        &self,
        attribute: usize,
        test: Placement,
        found: Found<P>,
        unknown: Unknown,
        missing: f64,
    ) -> Option<Candidate> {
        let recipe = self.task.recipe;
        let weight = total(&self.node.class_weights);
        let table = Table::new(self.task.class_count, found.cells, missing);
        let mut gain = match recipe.candidates.cut.by {
            CutBy::Gain => (found.cut.worth - found.base) / weight,
            CutBy::Gini => Gain.of(&table),
        };
        if recipe.candidates.cut.mdl {
            gain -= (found.positions as f64).log2() / weight;
        }
        if gain <= SMALL && !recipe.stop.to_purity && recipe.candidates.cut.by == CutBy::Gain {
            return None;
        }
        let score = self.score(&table, gain);
        Some(Candidate { attribute, test, unknown, gain, score })
    }

    fn score(&self, table: &Table, gain: f64) -> f64 {
        match self.task.recipe.score {
            Score::Gain => gain,
            Score::GainRatio => GainRatio.with_gain(table, gain),
            Score::Gini => Gini.of(table),
        }
    }

    /// The candidate of a nominal attribute from each row's code.
    fn levels(
        &self,
        attribute: usize,
        count: usize,
        codes: impl Iterator<Item = (u32, u32)> + Clone,
    ) -> Option<Candidate> {
        // An attribute of many levels is counted by those that occur: a table of all would not fit.
        let compact = count > 64 && count > 2 * self.node.rows.len();
        let mut present: Vec<u32> = Vec::new();
        if compact {
            present = codes.clone().map(|(_, code)| code).filter(|&code| code != MISSING).collect();
            present.sort_unstable();
            present.dedup();
        }
        let branches = if compact { present.len() } else { count };
        let classes = self.task.class_count;
        let mut cells = vec![N::Count::default(); branches * classes];
        let mut missing = vec![0.0; classes];
        for (row, code) in codes {
            let class = usize::from(self.task.classes[row as usize]);
            let weight = self.counting.weight(row);
            if code == MISSING {
                missing[class] += weight.weight();
            } else {
                let at = if compact { present.partition_point(|&c| c < code) } else { code as usize };
                cells[at * classes + class] += weight;
            }
        }
        let cells: Vec<f64> = cells.iter().map(|count| count.weight()).collect();
        let code_of = |at: usize| if compact { present[at] } else { at as u32 };
        self.nominal_candidate(attribute, cells, &missing, code_of)
    }

    fn sparse_levels(&self, attribute: usize, count: usize, entries: &[Entry]) -> Option<Candidate> {
        let classes = self.task.class_count;
        let mut cells = vec![0.0; count * classes];
        let mut missing = vec![0.0; classes];
        cells[..classes].copy_from_slice(&self.node.class_weights);
        for entry in entries {
            let class = usize::from(self.task.classes[entry.row as usize]);
            let weight = self.counting.weight(entry.row).weight();
            cells[class] -= weight;
            if entry.rank == MISSING {
                missing[class] += weight;
            } else {
                cells[entry.rank as usize * classes + class] += weight;
            }
        }
        cells[..classes].iter_mut().filter(|cell| **cell < SMALL).for_each(|cell| *cell = 0.0);
        self.nominal_candidate(attribute, cells, &missing, |at| at as u32)
    }

    fn nominal_candidate(
        &self,
        attribute: usize,
        cells: Vec<f64>,
        missing: &[f64],
        code_of: impl Fn(usize) -> u32,
    ) -> Option<Candidate> {
        let classes = self.task.class_count;
        let least = self.task.recipe.stop.min_rows.max(2.0 * SMALL) - SMALL;
        match self.task.recipe.candidates.nominal {
            Nominal::Levels => {
                let table = Table::new(classes, cells, total(missing));
                if table.branch_weights().filter(|&weight| weight > least).count() < 2 {
                    return None;
                }
                let gain = Gain.of(&table);
                let test = Placement::Ready(Split::Levels { attribute });
                Some(Candidate { attribute, test, unknown: Unknown::Fractions, gain, score: self.score(&table, gain) })
            }
            Nominal::Subset => {
                let present: Vec<(usize, &[f64])> =
                    cells.chunks_exact(classes).enumerate().filter(|(_, level)| total(level) > SMALL).collect();
                self.subset_candidate(attribute, &present, missing, least, code_of)
            }
        }
    }

    fn subset_candidate(
        &self,
        attribute: usize,
        present: &[(usize, &[f64])],
        missing: &[f64],
        least: f64,
        code_of: impl Fn(usize) -> u32,
    ) -> Option<Candidate> {
        let levels: Vec<&[f64]> = present.iter().map(|(_, level)| *level).collect();
        let none = vec![0.0; missing.len()];
        let learned = self.task.recipe.missing == Missing::Learned && total(missing) > SMALL;
        let on_right = divide(self.criterion, &levels, &none, if learned { missing } else { &none }, least);
        let on_left = if learned { divide(self.criterion, &levels, missing, &none, least) } else { None };
        let (division, side) = match (on_left, on_right) {
            (Some(left), Some(right)) if left.worth >= right.worth => (left, 0),
            (_, Some(right)) => (right, 1),
            (Some(left), None) => (left, 0),
            (None, None) => return None,
        };
        let mut right: Vec<f64> = none;
        for level in &levels {
            right.iter_mut().zip(*level).for_each(|(sum, weight)| *sum += weight);
        }
        if learned {
            right.iter_mut().zip(missing).for_each(|(sum, weight)| *sum += weight);
        }
        right.iter_mut().zip(&division.left).for_each(|(sum, left)| *sum -= left);
        let heavier = usize::from(total(&right) > total(&division.left));
        let unknown = match self.task.recipe.missing {
            Missing::Fractions => Unknown::Fractions,
            Missing::Learned if learned => Unknown::Branch(side),
            Missing::Learned => Unknown::Branch(heavier),
        };
        let first: Vec<u32> = division.first.iter().map(|&at| code_of(present[at].0)).collect();
        let split = self.with_absent_levels(attribute, first, present, heavier, code_of);
        let cells = [division.left, right].concat();
        let table = Table::new(self.task.class_count, cells, if learned { 0.0 } else { total(missing) });
        let gain = Gain.of(&table);
        let score = self.score(&table, gain);
        Some(Candidate { attribute, test: Placement::Ready(split), unknown, gain, score })
    }

    /// Levels that do not occur at the node follow the heavier branch.
    fn with_absent_levels(
        &self,
        attribute: usize,
        mut first: Vec<u32>,
        present: &[(usize, &[f64])],
        heavier: usize,
        code_of: impl Fn(usize) -> u32,
    ) -> Split {
        if heavier == 0 {
            let count = self.task.data.attributes()[attribute].levels().map_or(0, <[String]>::len);
            let mut occurs = vec![false; count];
            present.iter().for_each(|(at, _)| occurs[code_of(*at) as usize] = true);
            first.extend((0..count as u32).filter(|&code| !occurs[code as usize]));
            first.sort_unstable();
        }
        Split::Subset { attribute, first }
    }
}
