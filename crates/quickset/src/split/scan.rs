//! The search for the best cut of a numeric attribute: the hot loop.
//!
//! A [`Sweep`] holds the rows of a node on two sides. It moves them to the left in ascending order of value and tries
//! a cut wherever the value changes. What is moved is single rows of a sorted list, or whole blocks: a bin of a
//! histogram, or the zeros that a sparse column does not store.

use super::criterion::{Count, Criterion};
use crate::data::{Entry, Item};
use crate::measure::SMALL;

/// The best cut found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Cut {
    /// The first place on the right: an index into the list or the histogram that was swept.
    pub high: usize,
    /// The last place on the left.
    pub low: usize,
    /// The criterion's sum over both sides.
    pub worth: f64,
    /// The weights of the two sides.
    pub sides: [f64; 2],
}

/// What a sweep found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Found {
    /// The best cut, where one is better than none.
    pub cut: Option<Cut>,
    /// How many cuts kept the limits.
    pub positions: usize,
    /// What leaving all rows together is worth.
    pub base: f64,
}

/// What a cut must keep to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// The least weight on either side.
    pub side: f64,
    /// The weight of the node, by which the criterion's tolerance is scaled.
    pub node: f64,
    /// Whether the best cut is taken even where none is better than leaving all rows together.
    pub any: bool,
}

/// The rows of a node on two sides.
pub(crate) struct Sweep<'a, C, K> {
    criterion: &'a K,
    left: &'a mut [C],
    right: &'a mut [C],
    left_total: C,
    right_total: C,
    left_cells: f64,
    right_cells: f64,
    side: f64,
    tolerance: f64,
    base: f64,
    best_worth: f64,
    best: Option<Cut>,
    positions: usize,
}

/// The sum of the criterion's terms over classes.
pub(crate) fn cell_sum<C: Count, K: Criterion<C>>(criterion: &K, weights: &[C]) -> f64 {
    weights.iter().map(|&weight| criterion.cell(weight)).sum()
}

fn sum<C: Count>(weights: &[C]) -> C {
    let mut total = C::default();
    weights.iter().for_each(|&weight| total += weight);
    total
}

impl<'a, C: Count, K: Criterion<C>> Sweep<'a, C, K> {
    /// Starts with the two sides as they are.
    pub fn new(criterion: &'a K, left: &'a mut [C], right: &'a mut [C], limits: Limits) -> Self {
        let (left_cells, right_cells) = (cell_sum(criterion, left), cell_sum(criterion, right));
        let mut both_cells = 0.0;
        let mut both_total = C::default();
        for (&l, &r) in left.iter().zip(right.iter()) {
            let mut both = l;
            both += r;
            both_total += both;
            both_cells += criterion.cell(both);
        }
        let base = criterion.side(both_cells, both_total);
        Self::with_sums(criterion, left, right, [left_cells, right_cells], base, limits)
    }

    /// Starts with all rows on the right; `cells` is the sum of their terms, which the attributes of a node share.
    pub fn from_right(criterion: &'a K, left: &'a mut [C], right: &'a mut [C], cells: f64, limits: Limits) -> Self {
        let base = criterion.side(cells, sum(right));
        Self::with_sums(criterion, left, right, [0.0, cells], base, limits)
    }

    /// Starts with all rows on the left.
    pub fn from_left(criterion: &'a K, left: &'a mut [C], right: &'a mut [C], cells: f64, limits: Limits) -> Self {
        let base = criterion.side(cells, sum(left));
        Self::with_sums(criterion, left, right, [cells, 0.0], base, limits)
    }

    fn with_sums(
        criterion: &'a K,
        left: &'a mut [C],
        right: &'a mut [C],
        [left_cells, right_cells]: [f64; 2],
        base: f64,
        limits: Limits,
    ) -> Self {
        Sweep {
            criterion,
            left_total: sum(left),
            right_total: sum(right),
            left,
            right,
            left_cells,
            right_cells,
            // Both comparisons with the limit allow for rounding in sums of fractions.
            side: limits.side - SMALL,
            tolerance: K::TOLERANCE * limits.node,
            base,
            best_worth: if limits.any { f64::NEG_INFINITY } else { base },
            best: None,
            positions: 0,
        }
    }

    /// Moves weight of one class to the left.
    #[inline(always)]
    fn shift(&mut self, class: usize, weight: C) {
        self.transfer(class, weight, true);
    }

    /// Moves weight of one class to one side.
    #[inline(always)]
    fn transfer(&mut self, class: usize, weight: C, to_left: bool) {
        let (left, right) = (&mut self.left[class], &mut self.right[class]);
        let (old_left, old_right) = (*left, *right);
        let (gains, loses) = if to_left { (left, right) } else { (right, left) };
        *gains += weight;
        *loses -= weight;
        let (gains, loses) = if to_left {
            (&mut self.left_total, &mut self.right_total)
        } else {
            (&mut self.right_total, &mut self.left_total)
        };
        *gains += weight;
        *loses -= weight;
        self.left_cells += self.criterion.cell(self.left[class]) - self.criterion.cell(old_left);
        self.right_cells += self.criterion.cell(self.right[class]) - self.criterion.cell(old_right);
    }

    /// Moves a block of weights by class to the left.
    #[inline]
    fn shift_block(&mut self, block: &[C]) {
        for (class, &weight) in block.iter().enumerate() {
            if weight != C::default() {
                self.shift(class, weight);
            }
        }
    }

    /// Tries a cut here. Answers whether a later cut can still keep the limits.
    #[inline(always)]
    fn boundary(&mut self, low: usize, high: usize) -> bool {
        let sides = [self.left_total.weight(), self.right_total.weight()];
        if sides[1] <= self.side {
            return false;
        }
        if sides[0] > self.side {
            self.positions += 1;
            let worth = self.criterion.side(self.left_cells, self.left_total)
                + self.criterion.side(self.right_cells, self.right_total);
            if worth > self.best_worth + self.tolerance {
                self.best_worth = worth;
                self.best = Some(Cut { low, high, worth, sides });
            }
        }
        true
    }

    fn finish(self) -> Found {
        Found { cut: self.best, positions: self.positions, base: self.base }
    }

    /// Sweeps a sorted list, all of whose rows are on the right. `apart` says whether two neighbouring places of different
    /// value may be cut apart.
    pub fn list(
        mut self,
        items: &[Item],
        classes: &[u16],
        weight: impl Fn(u32) -> C,
        apart: impl Fn(usize, usize) -> bool,
    ) -> Found {
        self.run(items.iter().map(|item| (item.row(), !item.is_same())), 0, classes, &weight, &apart);
        self.finish()
    }

    /// Sweeps a list of a sparse attribute without negative values, all rows being on the left. The rows it does not
    /// list are zero: what is not zero goes to the right first, and the zeros need not be counted at all. They take
    /// the first place, so that an entry is found one place further.
    pub fn sparse_list(
        mut self,
        entries: &[Entry],
        classes: &[u16],
        weight: impl Fn(u32) -> C,
        apart: impl Fn(usize, usize) -> bool,
    ) -> Found {
        for entry in entries {
            self.transfer(usize::from(classes[entry.row() as usize]), weight(entry.row()), false);
        }
        let zeros_exist = self.left_total.weight() > SMALL;
        if entries.is_empty() || zeros_exist && apart(0, 1) && !self.boundary(0, 1) {
            return self.finish();
        }
        self.run(by_rank(entries), 1, classes, &weight, &apart);
        self.finish()
    }

    /// The same for any values, all rows being on the right: the zeros stand before the entry `zero_at`. `known` are
    /// the weights of the rows that have a value.
    pub fn sparse_list_with_zeros_at(
        mut self,
        known: &[C],
        entries: &[Entry],
        zero_at: usize,
        classes: &[u16],
        weight: impl Fn(u32) -> C,
        apart: impl Fn(usize, usize) -> bool,
    ) -> Found {
        let mut zeros = known.to_vec();
        for entry in entries {
            zeros[usize::from(classes[entry.row() as usize])] -= weight(entry.row());
        }
        // Differences of sums of fractions are only almost zero.
        zeros.iter_mut().filter(|zero| zero.weight() < SMALL).for_each(|zero| *zero = C::default());
        let zeros_exist = zeros.iter().any(|&zero| zero != C::default());
        let (below, above) = entries.split_at(zero_at);
        if !self.run(by_rank(below), 0, classes, &weight, &apart) {
            return self.finish();
        }
        // The places that hold rows around the zeros' place, from low to high.
        let mut low = zero_at.checked_sub(1);
        if zeros_exist {
            if low.is_some_and(|low| apart(low, zero_at) && !self.boundary(low, zero_at)) {
                return self.finish();
            }
            self.shift_block(&zeros);
            low = Some(zero_at);
        }
        let high = zero_at + 1;
        if !above.is_empty() && low.is_none_or(|low| !apart(low, high) || self.boundary(low, high)) {
            self.run(by_rank(above), high, classes, &weight, &apart);
        }
        self.finish()
    }

    /// Moves rows to the left one by one, each with whether its value differs from the one before; the first of them has
    /// the place `first`.
    #[inline(always)]
    fn run(
        &mut self,
        rows: impl Iterator<Item = (u32, bool)>,
        first: usize,
        classes: &[u16],
        weight: &impl Fn(u32) -> C,
        apart: &impl Fn(usize, usize) -> bool,
    ) -> bool {
        for (at, (row, differs)) in rows.enumerate() {
            if differs && at > 0 {
                let high = first + at;
                if apart(high - 1, high) && !self.boundary(high - 1, high) {
                    return false;
                }
            }
            self.shift(usize::from(classes[row as usize]), weight(row));
        }
        true
    }

    /// Sweeps a histogram: `cells` holds, bin after bin, a weight per class.
    pub fn histogram(mut self, cells: &[C], apart: impl Fn(usize, usize) -> bool) -> Found {
        let mut previous: Option<usize> = None;
        for (bin, block) in cells.chunks_exact(self.left.len()).enumerate() {
            if block.iter().all(|&weight| weight == C::default()) {
                continue;
            }
            if let Some(low) = previous
                && apart(low, bin)
                && !self.boundary(low, bin)
            {
                break;
            }
            self.shift_block(block);
            previous = Some(bin);
        }
        self.finish()
    }
}

/// The rows of a list sorted by rank, each with whether its rank differs from the one before.
fn by_rank(entries: &[Entry]) -> impl Iterator<Item = (u32, bool)> {
    let mut last = None;
    entries.iter().map(move |entry| (entry.row(), last.replace(entry.rank()) != Some(entry.rank())))
}

#[cfg(test)]
mod tests {
    use super::super::criterion::{EntropyTable, Squares};
    use super::super::whole::{Steps, WholeList, sweep_whole};
    use super::*;
    use crate::measure::{Gain, Gini, Measure, Table};
    use proptest::prelude::*;

    const CLASSES: usize = 6;

    /// The slow twin: every cut between different ranks as a full table. Answers the rank below the best cut.
    fn slow(ranks: &[u32], classes: &[u16], weights: &[f64], side: f64, measure: &dyn Measure) -> (Option<u32>, usize) {
        let mut distinct: Vec<u32> = ranks.to_vec();
        distinct.sort_unstable();
        distinct.dedup();
        let (mut best, mut best_score, mut positions) = (None, 0.0, 0);
        for &low in distinct.iter().take(distinct.len().saturating_sub(1)) {
            let mut cells = vec![0.0; 2 * CLASSES];
            for ((&rank, &class), &weight) in ranks.iter().zip(classes).zip(weights) {
                cells[usize::from(rank > low) * CLASSES + usize::from(class)] += weight;
            }
            let table = Table::new(CLASSES, cells, 0.0);
            if table.branch_weights().any(|weight| weight < side - 1e-6) {
                continue;
            }
            positions += 1;
            let score = measure.of(&table);
            if score > best_score + 1e-6 {
                best_score = score;
                best = Some(low);
            }
        }
        (best, positions)
    }

    fn sorted(ranks: &[u32]) -> Vec<Entry> {
        let mut entries: Vec<Entry> =
            ranks.iter().enumerate().map(|(row, &rank)| Entry::new(rank, row as u32)).collect();
        entries.sort_by_key(|entry| (entry.rank(), entry.row()));
        entries
    }

    fn items(entries: &[Entry]) -> Vec<Item> {
        let is_same = |at: usize| at > 0 && entries[at - 1].rank() == entries[at].rank();
        (0..entries.len()).map(|at| Item::new(entries[at].row(), is_same(at))).collect()
    }

    fn totals<C: Count>(classes: &[u16], weight: impl Fn(usize) -> C) -> Vec<C> {
        let mut totals = vec![C::default(); CLASSES];
        for (row, &class) in classes.iter().enumerate() {
            totals[usize::from(class)] += weight(row);
        }
        totals
    }

    /// Rank, class and weight of few rows with many ties, or of many with few classes.
    fn rows() -> impl Strategy<Value = Vec<(u32, u16, u32)>> {
        prop_oneof![
            prop::collection::vec((0u32..8, 0..CLASSES as u16, 1u32..4), 1..40),
            prop::collection::vec((0u32..300, 0u16..4, 1u32..4), 1..600),
        ]
    }

    fn run<C: Count, K: Criterion<C>>(
        criterion: &K,
        ranks: &[u32],
        classes: &[u16],
        side: f64,
        weight: impl Fn(u32) -> C,
    ) -> (Option<u32>, usize) {
        let mut right = totals(classes, |row| weight(row as u32));
        let mut left = vec![C::default(); CLASSES];
        let limits = Limits { side, node: right.iter().map(|c| c.weight()).sum(), any: false };
        let cells = cell_sum(criterion, &right);
        let sweep = Sweep::from_right(criterion, &mut left, &mut right, cells, limits);
        let entries = sorted(ranks);
        let found = sweep.list(&items(&entries), classes, weight, |_, _| true);
        (found.cut.map(|cut| entries[cut.low].rank()), found.positions)
    }

    proptest! {
        #[test]
        fn the_sweep_finds_the_slow_twins_cut(
            rows in rows(),
            side in 1.0..5.0f64,
        ) {
            let ranks: Vec<u32> = rows.iter().map(|r| r.0).collect();
            let classes: Vec<u16> = rows.iter().map(|r| r.1).collect();
            let ones = vec![1.0; rows.len()];
            let weights: Vec<f64> = rows.iter().map(|r| f64::from(r.2) * 0.5).collect();
            let table = EntropyTable::new(rows.len());
            let entropy = table.criterion();
            prop_assert_eq!(run(&entropy, &ranks, &classes, side, |_| 1u32), slow(&ranks, &classes, &ones, side, &Gain));
            let right = totals(&classes, |_| 1u32);
            let cells = cell_sum(&entropy, &right);
            let limits = Limits { side, node: rows.len() as f64, any: false };
            let entries = sorted(&ranks);
            let items = items(&entries);
            // With counts of all classes in memory, of four packed, and without steps.
            let four = if right[4..] == [0; 2] { &right[..4] } else { &right };
            for (totals, steps) in [(&right[..], true), (four, true), (&right, false)] {
                let steps = Steps::new(&entropy, totals).filter(|_| steps);
                let list = WholeList { items: &items, classes: &classes, totals, cells, steps: steps.as_ref() };
                let found = sweep_whole(&entropy, &list, limits, |_, _| true);
                prop_assert_eq!(
                    (found.cut.map(|cut| entries[cut.low].rank()), found.positions),
                    slow(&ranks, &classes, &ones, side, &Gain)
                );
            }
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
            let table = EntropyTable::new(rows.len());
            let entropy = table.criterion();
            let plain = run(&entropy, &ranks, &classes, 1.0, |_| 1u32);
            let limits = Limits { side: 1.0, node: rows.len() as f64, any: false };
            let known = totals(&classes, |_| 1u32);
            let cells = cell_sum(&entropy, &known);

            let stored: Vec<Entry> = sorted(&ranks).into_iter().filter(|entry| entry.rank() != zero).collect();
            let zero_at = stored.partition_point(|entry| entry.rank() < zero);
            let (mut all, mut none) = (known.clone(), vec![0u32; CLASSES]);
            let sweep = Sweep::from_right(&entropy, &mut none, &mut all, cells, limits);
            let found = sweep.sparse_list_with_zeros_at(&known, &stored, zero_at, &classes, |_| 1, |_, _| true);
            let low = found.cut.map(|cut| match cut.low.cmp(&zero_at) {
                std::cmp::Ordering::Less => stored[cut.low].rank(),
                std::cmp::Ordering::Equal => zero,
                std::cmp::Ordering::Greater => stored[cut.low - 1].rank(),
            });
            prop_assert_eq!((low, found.positions), plain);
            if zero_at == 0 {
                let (mut all, mut none) = (known.clone(), vec![0u32; CLASSES]);
                let sweep = Sweep::from_left(&entropy, &mut all, &mut none, cells, limits);
                // The sums are made in another order, so only their last bits may differ.
                let from_left = sweep.sparse_list(&stored, &classes, |_| 1, |_, _| true);
                prop_assert_eq!(from_left.positions, found.positions);
                prop_assert_eq!(from_left.cut.map(|cut| (cut.low, cut.sides)), found.cut.map(|cut| (cut.low, cut.sides)));
            }

            let mut bins = vec![0u32; 5 * CLASSES];
            for (&rank, &class) in ranks.iter().zip(&classes) {
                bins[rank as usize * CLASSES + usize::from(class)] += 1;
            }
            let (mut left, mut right) = (vec![0u32; CLASSES], known);
            let sweep = Sweep::new(&entropy, &mut left, &mut right, limits);
            let found = sweep.histogram(&bins, |_, _| true);
            prop_assert_eq!((found.cut.map(|cut| cut.low as u32), found.positions), plain);
        }
    }
}
