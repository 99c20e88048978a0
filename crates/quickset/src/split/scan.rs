//! The search for the best cut of a numeric attribute: the hot loop.
//!
//! A [`Sweep`] starts with all rows on the right, moves them to the left in ascending order of value and tries a cut
//! wherever the value changes. What is moved is single rows of a sorted list, or whole blocks: a bin of a histogram,
//! or the zeros that a sparse column does not store.

use super::criterion::{Count, Criterion};
use crate::data::Entry;
use crate::measure::SMALL;

/// The best cut found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Cut<P> {
    /// The last place on the left.
    pub low: P,
    /// The first place on the right.
    pub high: P,
    /// The criterion's sum over both sides.
    pub worth: f64,
}

/// Limits that a cut must keep.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// The least weight on either side.
    pub side: f64,
    /// The weight of the node, by which the criterion's tolerance is scaled.
    pub node: f64,
}

/// Rows on their way from the right to the left. `P` names a place between which a cut can be: a row or a bin.
pub(crate) struct Sweep<'a, C, K, P> {
    criterion: &'a K,
    left: &'a mut [C],
    right: &'a mut [C],
    best_left: &'a mut [C],
    left_total: C,
    right_total: C,
    left_cells: f64,
    right_cells: f64,
    side: f64,
    tolerance: f64,
    base: f64,
    best_worth: f64,
    best: Option<Cut<P>>,
    positions: usize,
}

impl<'a, C: Count, K: Criterion<C>, P: Copy> Sweep<'a, C, K, P> {
    /// Starts with `left` (usually nothing) and `right` as they are; a cut must beat leaving them together.
    pub fn new(
        criterion: &'a K,
        left: &'a mut [C],
        right: &'a mut [C],
        best_left: &'a mut [C],
        limits: Limits,
    ) -> Self {
        let mut left_total = C::default();
        let mut right_total = C::default();
        let (mut left_cells, mut right_cells, mut both_cells) = (0.0, 0.0, 0.0);
        let mut both_total = C::default();
        for (&l, &r) in left.iter().zip(right.iter()) {
            let mut both = l;
            both += r;
            left_total += l;
            right_total += r;
            both_total += both;
            left_cells += criterion.cell(l);
            right_cells += criterion.cell(r);
            both_cells += criterion.cell(both);
        }
        let base = criterion.side(both_cells, both_total);
        Sweep {
            criterion,
            left,
            right,
            best_left,
            left_total,
            right_total,
            left_cells,
            right_cells,
            // Both comparisons with the limit allow for rounding in sums of fractions.
            side: limits.side - SMALL,
            tolerance: K::TOLERANCE * limits.node,
            base,
            best_worth: base,
            best: None,
            positions: 0,
        }
    }

    /// What leaving all rows together is worth.
    pub fn base(&self) -> f64 {
        self.base
    }

    /// Takes the best cut even where none is better than leaving all rows together.
    pub fn accept_any(&mut self) {
        self.best_worth = f64::NEG_INFINITY;
    }

    /// Moves weight of one class to the left.
    #[inline]
    pub fn shift(&mut self, class: usize, weight: C) {
        let (old_left, old_right) = (self.left[class], self.right[class]);
        let (mut new_left, mut new_right) = (old_left, old_right);
        new_left += weight;
        new_right -= weight;
        self.left_cells += self.criterion.cell(new_left) - self.criterion.cell(old_left);
        self.right_cells += self.criterion.cell(new_right) - self.criterion.cell(old_right);
        self.left[class] = new_left;
        self.right[class] = new_right;
        self.left_total += weight;
        self.right_total -= weight;
    }

    /// Moves a block of weights by class to the left.
    #[inline]
    pub fn shift_block(&mut self, block: &[C]) {
        for (class, &weight) in block.iter().enumerate() {
            if weight != C::default() {
                self.shift(class, weight);
            }
        }
    }

    /// Tries a cut here. Answers whether a later cut can still keep the limits.
    #[inline]
    pub fn boundary(&mut self, low: P, high: P) -> bool {
        if self.right_total.weight() <= self.side {
            return false;
        }
        if self.left_total.weight() > self.side {
            self.positions += 1;
            let worth = self.criterion.side(self.left_cells, self.left_total)
                + self.criterion.side(self.right_cells, self.right_total);
            if worth > self.best_worth + self.tolerance {
                self.best_worth = worth;
                self.best = Some(Cut { low, high, worth });
                self.best_left.copy_from_slice(self.left);
            }
        }
        true
    }

    /// The best cut and the number of positions that kept the limits. The weights left of it are in `best_left`.
    pub fn finish(self) -> (Option<Cut<P>>, usize) {
        (self.best, self.positions)
    }
}

/// A place in a sorted list: a row, or the block of zeros that has no entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// This row's value.
    Row(u32),
    /// Zero.
    Zero,
}

/// The zeros of a sparse attribute: where they stand among the entries, and their weights by class.
pub(crate) struct Zeros<'a, C> {
    /// Rank of zero.
    pub rank: u32,
    /// Weights by class.
    pub block: &'a [C],
}

/// Sweeps a list sorted by rank. `apart` says whether two neighbours of different rank may be cut apart.
pub(crate) fn sweep_list<C: Count, K: Criterion<C>>(
    mut sweep: Sweep<'_, C, K, Place>,
    entries: &[Entry],
    zeros: Option<Zeros<'_, C>>,
    classes: &[u16],
    weight: impl Fn(u32) -> C,
    apart: impl Fn(Place, Place) -> bool,
) -> (Option<Cut<Place>>, usize) {
    let below = zeros.as_ref().map_or(entries.len(), |zeros| entries.partition_point(|e| e.rank < zeros.rank));
    let mut previous: Option<(u32, Place)> = None;
    if !sweep_run(&mut sweep, &entries[..below], &mut previous, classes, &weight, &apart) {
        return sweep.finish();
    }
    if let Some(zeros) = zeros.filter(|zeros| zeros.block.iter().any(|&weight| weight != C::default())) {
        if let Some((_, low)) = previous {
            if apart(low, Place::Zero) && !sweep.boundary(low, Place::Zero) {
                return sweep.finish();
            }
        }
        sweep.shift_block(zeros.block);
        previous = Some((zeros.rank, Place::Zero));
    }
    sweep_run(&mut sweep, &entries[below..], &mut previous, classes, &weight, &apart);
    sweep.finish()
}

#[inline]
fn sweep_run<C: Count, K: Criterion<C>>(
    sweep: &mut Sweep<'_, C, K, Place>,
    entries: &[Entry],
    previous: &mut Option<(u32, Place)>,
    classes: &[u16],
    weight: &impl Fn(u32) -> C,
    apart: &impl Fn(Place, Place) -> bool,
) -> bool {
    for entry in entries {
        let here = Place::Row(entry.row);
        if let Some((rank, low)) = *previous {
            if rank != entry.rank && apart(low, here) && !sweep.boundary(low, here) {
                return false;
            }
        }
        *previous = Some((entry.rank, here));
        sweep.shift(usize::from(classes[entry.row as usize]), weight(entry.row));
    }
    true
}

/// Sweeps a histogram: `cells` holds, bin after bin, a weight per class.
pub(crate) fn sweep_histogram<C: Count, K: Criterion<C>>(
    mut sweep: Sweep<'_, C, K, u32>,
    cells: &[C],
    classes: usize,
    apart: impl Fn(u32, u32) -> bool,
) -> (Option<Cut<u32>>, usize) {
    let mut previous: Option<u32> = None;
    for (bin, block) in cells.chunks_exact(classes).enumerate() {
        if block.iter().all(|&weight| weight == C::default()) {
            continue;
        }
        let bin = bin as u32;
        if let Some(low) = previous {
            if apart(low, bin) && !sweep.boundary(low, bin) {
                break;
            }
        }
        sweep.shift_block(block);
        previous = Some(bin);
    }
    sweep.finish()
}

#[cfg(test)]
mod tests {
    use super::super::criterion::{Entropy, Squares, entropy_table};
    use super::*;
    use crate::measure::{Gain, Gini, Measure, Table};
    use proptest::prelude::*;

    /// The slow twin: every cut between different ranks as a full table.
    fn slow(ranks: &[u32], classes: &[u16], weights: &[f64], side: f64, measure: &dyn Measure) -> (Option<u32>, usize) {
        let mut distinct: Vec<u32> = ranks.to_vec();
        distinct.sort_unstable();
        distinct.dedup();
        let (mut best, mut best_score, mut positions) = (None, 0.0, 0);
        for &low in distinct.iter().take(distinct.len().saturating_sub(1)) {
            let mut cells = vec![0.0; 6];
            for ((&rank, &class), &weight) in ranks.iter().zip(classes).zip(weights) {
                cells[usize::from(rank > low) * 3 + usize::from(class)] += weight;
            }
            let table = Table::new(3, cells, 0.0);
            if table.branch_weights().any(|weight| weight < side - 1e-6) {
                continue;
            }
            positions += 1;
            let score = measure.of(&table);
            if score > best_score + 1e-9 {
                best_score = score;
                best = Some(low);
            }
        }
        (best, positions)
    }

    fn sorted(ranks: &[u32]) -> Vec<Entry> {
        let mut entries: Vec<Entry> =
            ranks.iter().enumerate().map(|(row, &rank)| Entry { rank, row: row as u32 }).collect();
        entries.sort_by_key(|entry| (entry.rank, entry.row));
        entries
    }

    fn totals<C: Count>(classes: &[u16], weight: impl Fn(usize) -> C) -> Vec<C> {
        let mut totals = vec![C::default(); 3];
        for (row, &class) in classes.iter().enumerate() {
            totals[usize::from(class)] += weight(row);
        }
        totals
    }

    fn run<C: Count, K: Criterion<C>>(
        criterion: &K,
        ranks: &[u32],
        classes: &[u16],
        side: f64,
        weight: impl Fn(u32) -> C,
    ) -> (Option<u32>, usize) {
        let mut right = totals(classes, |row| weight(row as u32));
        let (mut left, mut best) = (vec![C::default(); 3], vec![C::default(); 3]);
        let node = right.iter().map(|c| c.weight()).sum();
        let sweep = Sweep::new(criterion, &mut left, &mut right, &mut best, Limits { side, node });
        let (cut, positions) = sweep_list(sweep, &sorted(ranks), None, classes, weight, |_, _| true);
        let low = cut.map(|cut| match cut.low {
            Place::Row(row) => ranks[row as usize],
            Place::Zero => unreachable!("no zeros here"),
        });
        (low, positions)
    }

    proptest! {
        #[test]
        fn the_sweep_finds_the_slow_twins_cut(
            rows in prop::collection::vec((0u32..8, 0u16..3, 1u32..4), 1..40),
            side in 1.0..5.0f64,
        ) {
            let ranks: Vec<u32> = rows.iter().map(|r| r.0).collect();
            let classes: Vec<u16> = rows.iter().map(|r| r.1).collect();
            let ones = vec![1.0; rows.len()];
            let weights: Vec<f64> = rows.iter().map(|r| f64::from(r.2) * 0.5).collect();
            let table = entropy_table(rows.len());
            let entropy = Entropy { table: &table };
            prop_assert_eq!(run(&entropy, &ranks, &classes, side, |_| 1u32), slow(&ranks, &classes, &ones, side, &Gain));
            prop_assert_eq!(
                run(&entropy, &ranks, &classes, side, |row| weights[row as usize]),
                slow(&ranks, &classes, &weights, side, &Gain)
            );
            prop_assert_eq!(
                run(&Squares, &ranks, &classes, side, |_| 1u32).1,
                slow(&ranks, &classes, &ones, side, &Gini).1
            );
        }

        #[test]
        fn zeros_by_difference_and_bins_agree_with_the_list(
            rows in prop::collection::vec((0u32..5, 0u16..3), 1..40),
            zero in 0u32..5,
        ) {
            let ranks: Vec<u32> = rows.iter().map(|r| r.0).collect();
            let classes: Vec<u16> = rows.iter().map(|r| r.1).collect();
            let table = entropy_table(rows.len());
            let entropy = Entropy { table: &table };
            let plain = run(&entropy, &ranks, &classes, 1.0, |_| 1u32);
            let limits = Limits { side: 1.0, node: rows.len() as f64 };
            let (mut left, mut best) = (vec![0u32; 3], vec![0u32; 3]);

            let mut right = totals(&classes, |_| 1u32);
            let mut block = vec![0u32; 3];
            for (&rank, &class) in ranks.iter().zip(&classes) {
                block[usize::from(class)] += u32::from(rank == zero);
            }
            let stored: Vec<Entry> = sorted(&ranks).into_iter().filter(|entry| entry.rank != zero).collect();
            let sweep = Sweep::new(&entropy, &mut left, &mut right, &mut best, limits);
            let zeros = Zeros { rank: zero, block: &block };
            let (cut, positions) = sweep_list(sweep, &stored, Some(zeros), &classes, |_| 1, |_, _| true);
            let low = cut.map(|cut| match cut.low {
                Place::Row(row) => ranks[row as usize],
                Place::Zero => zero,
            });
            prop_assert_eq!((low, positions), plain);

            let mut right = totals(&classes, |_| 1u32);
            left.fill(0);
            let mut cells = vec![0u32; 15];
            for (&rank, &class) in ranks.iter().zip(&classes) {
                cells[rank as usize * 3 + usize::from(class)] += 1;
            }
            let sweep = Sweep::new(&entropy, &mut left, &mut right, &mut best, limits);
            let (cut, positions) = sweep_histogram(sweep, &cells, 3, |_, _| true);
            prop_assert_eq!((cut.map(|cut| cut.low), positions), plain);
        }
    }
}
