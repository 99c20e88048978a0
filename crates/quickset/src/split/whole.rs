//! The sweep of rows that count one each: the hottest loop of all, so it has a file of its own.
//!
//! It finds what [`Sweep::list`](super::scan::Sweep::list) finds, which is its slow twin in the tests beside that.

use super::criterion::Criterion;
use super::scan::{Cut, Found, Limits};
use crate::data::Item;
use crate::measure::{SMALL, largest};

/// The most classes that [`sweep_whole`] counts.
pub(crate) const MOST_CLASSES: usize = 256;

/// A sorted list of rows that count one each.
pub(crate) struct WholeList<'l> {
    pub items: &'l [Item],
    /// The class of every row of the data, of at most [`MOST_CLASSES`].
    pub classes: &'l [u16],
    /// The listed rows by class.
    pub totals: &'l [u32],
    /// The criterion's sum over them.
    pub cells: f64,
    /// The steps of the totals, if they were made.
    pub steps: Option<&'l Steps>,
}

/// Finds the best cut of a list.
pub(crate) fn sweep_whole<K: Criterion<u32>>(
    criterion: &K,
    list: &WholeList<'_>,
    limits: Limits,
    apart: impl Fn(usize, usize) -> bool,
) -> Found {
    let base = criterion.side(list.cells, list.items.len() as u32);
    let best = Best {
        at: 0,
        worth: if limits.any { f64::NEG_INFINITY } else { base },
        tolerance: K::TOLERANCE * limits.node,
        positions: 0,
    };
    let best = match list.steps {
        Some(steps) if list.totals.len() <= Packed::CLASSES => {
            sweep_in_stretches(ByStep::new(steps, Packed::new(&steps.starts), list.cells), list, best, limits, apart)
        }
        Some(steps) => {
            sweep_in_stretches(ByStep::new(steps, InMemory::new(&steps.starts), list.cells), list, best, limits, apart)
        }
        None => sweep_in_stretches(BothSides::new(criterion, list), list, best, limits, apart),
    };
    let Best { at, worth, positions, .. } = best;
    let sides = [at as f64, (list.items.len() - at) as f64];
    Found { cut: (at > 0).then(|| Cut { low: at - 1, high: at, worth, sides }), positions, base }
}

/// Short lists are swept with less room for worths, which has to be cleared first.
fn sweep_in_stretches(
    sides: impl Sides,
    list: &WholeList<'_>,
    best: Best,
    limits: Limits,
    apart: impl Fn(usize, usize) -> bool,
) -> Best {
    if list.items.len() <= 64 {
        sweep::<64>(sides, list.items, list.classes, best, limits, apart)
    } else {
        sweep::<256>(sides, list.items, list.classes, best, limits, apart)
    }
}

/// The loop itself: values the cuts of a stretch of rows, then looks for the best of them. Because weights are places
/// in the list, the limits are places too, and items beyond the last possible cut are not looked at. Inlined into its
/// caller it would have to keep its sums on the stack.
#[inline(never)]
fn sweep<const STRETCH: usize>(
    mut sides: impl Sides,
    items: &[Item],
    classes: &[u16],
    mut best: Best,
    limits: Limits,
    apart: impl Fn(usize, usize) -> bool,
) -> Best {
    let rows = items.len();
    let first = (limits.side - SMALL).max(0.0).ceil() as usize;
    if first == 0 || 2 * first > rows {
        return best;
    }
    let (before, rest) = items.split_at(first);
    before.iter().for_each(|item| sides.shift(classes[item.row() as usize]));
    let mut buffer = [0.0; STRETCH];
    for (stretch, items) in rest[..=rows - 2 * first].chunks(STRETCH).enumerate() {
        let start = first + stretch * STRETCH;
        let worths = &mut buffer[..items.len()];
        sides.begin(start, worths);
        for place in 0..items.len().min(worths.len()) {
            let item = items[place];
            // Whether the value changes here cannot be foretold, and a wrong guess costs more than the sums.
            let possible = usize::from(!item.is_same() & apart(start + place - 1, start + place));
            best.positions += possible;
            worths[place] += sides.worth() + PENALTY[possible];
            sides.shift(classes[item.row() as usize]);
        }
        best.take(start, worths);
    }
    best
}

/// Added to the worth of a cut that is not possible, and of one that is.
static PENALTY: [f64; 2] = [f64::NEG_INFINITY, 0.0];

/// The best cut so far: each exceeds the best before it by more than the tolerance.
struct Best {
    /// The first place on the right; 0 where there is no cut.
    at: usize,
    worth: f64,
    tolerance: f64,
    positions: usize,
}

impl Best {
    /// Takes the cuts from `start` on, one after the other.
    fn take(&mut self, start: usize, worths: &[f64]) {
        let top = largest(worths, f64::NEG_INFINITY);
        if top <= self.worth + self.tolerance {
            return;
        }
        // Whatever is taken before it, the first one near the top is taken too, and nothing exceeds it: unless one only
        // a little lower came first, which may hold it off.
        let lower = (top - 2.0 * self.tolerance).max(self.worth);
        if let Some(at) = worths.iter().position(|&worth| worth > lower)
            && worths[at] > (top - self.tolerance).max(self.worth + self.tolerance)
        {
            (self.at, self.worth) = (start + at, worths[at]);
            return;
        }
        for (at, &worth) in (start..).zip(worths) {
            if worth > self.worth + self.tolerance {
                (self.at, self.worth) = (at, worth);
            }
        }
    }
}

/// Whole rows on both sides, all of them on the right at first.
trait Sides {
    /// Moves one row to the left.
    fn shift(&mut self, class: u16);
    /// Writes what the sizes of the sides alone add to the worths of the cuts from `start` on.
    fn begin(&self, start: usize, worths: &mut [f64]);
    /// The rest of the worth of a cut here.
    fn worth(&self) -> f64;
}

/// What a node's cuts are made of, for a criterion that is [additive](Criterion::ADDITIVE): by how much the cells of
/// both sides change when the next row of a class moves, and what the sizes of the sides add. All attributes of the
/// node share it.
pub(crate) struct Steps {
    /// The first step of each class.
    starts: Vec<u32>,
    /// The steps of one class after those of another.
    steps: Vec<f64>,
    /// By number of rows on the left.
    sizes: Vec<f64>,
}

impl Steps {
    /// Beyond this many rows the steps would leave the cache.
    pub const MOST_ROWS: usize = 1 << 16;

    /// The steps of rows by class; `None` where there are none or they would not pay.
    pub fn new<K: Criterion<u32>>(criterion: &K, totals: &[u32]) -> Option<Self> {
        let rows: usize = totals.iter().map(|&total| total as usize).sum();
        if !K::ADDITIVE || rows >= Self::MOST_ROWS || totals.len() > MOST_CLASSES {
            return None;
        }
        let mut steps = Vec::with_capacity(rows);
        let mut starts = Vec::with_capacity(totals.len());
        for &total in totals {
            starts.push(steps.len() as u32);
            steps.extend((0..total).map(|left| criterion.step(left) - criterion.step(total - left - 1)));
        }
        let side = |size: usize| criterion.side(0.0, size as u32);
        let sizes = (0..=rows).map(|left| side(left) + side(rows - left)).collect();
        Some(Steps { starts, steps, sizes })
    }
}

/// Sides by their steps.
struct ByStep<'s, N> {
    steps: &'s Steps,
    next: N,
    cells: f64,
}

impl<'s, N> ByStep<'s, N> {
    fn new(steps: &'s Steps, next: N, cells: f64) -> Self {
        ByStep { steps, next, cells }
    }
}

impl<N: Next> Sides for ByStep<'_, N> {
    #[inline(always)]
    fn shift(&mut self, class: u16) {
        self.cells += self.steps.steps[self.next.take(class)];
    }
    #[inline(always)]
    fn begin(&self, start: usize, worths: &mut [f64]) {
        worths.copy_from_slice(&self.steps.sizes[start..start + worths.len()]);
    }
    #[inline(always)]
    fn worth(&self) -> f64 {
        self.cells
    }
}

/// The place of each class's next step.
trait Next {
    fn take(&mut self, class: u16) -> usize;
}

/// Places of up to four classes in one register, 16 bits each: a place in memory would have to be written before the
/// next row of the same class could read it.
struct Packed(u64);

impl Packed {
    const CLASSES: usize = 4;

    fn new(starts: &[u32]) -> Self {
        Packed(starts.iter().rev().fold(0, |packed, &start| packed << 16 | u64::from(start)))
    }
}

impl Next for Packed {
    #[inline(always)]
    fn take(&mut self, class: u16) -> usize {
        let shift = 16 * (usize::from(class) & (Self::CLASSES - 1));
        let place = (self.0 >> shift) as u16;
        self.0 = self.0.wrapping_add(1 << shift);
        usize::from(place)
    }
}

/// Places of more classes. The length is known at compile time, so a masked class needs no bounds check.
struct InMemory([u32; MOST_CLASSES]);

impl InMemory {
    fn new(starts: &[u32]) -> Self {
        let mut places = [0; MOST_CLASSES];
        places[..starts.len()].copy_from_slice(starts);
        InMemory(places)
    }
}

impl Next for InMemory {
    #[inline(always)]
    fn take(&mut self, class: u16) -> usize {
        let place = &mut self.0[usize::from(class) & (MOST_CLASSES - 1)];
        *place += 1;
        *place as usize - 1
    }
}

/// Sides by the counts of both, for other criteria and for more rows.
struct BothSides<'k, K> {
    criterion: &'k K,
    sizes: [u32; 2],
    left: [u32; MOST_CLASSES],
    right: [u32; MOST_CLASSES],
    cells: [f64; 2],
}

impl<'k, K: Criterion<u32>> BothSides<'k, K> {
    fn new(criterion: &'k K, list: &WholeList<'_>) -> Self {
        let mut right = [0; MOST_CLASSES];
        right[..list.totals.len()].copy_from_slice(list.totals);
        let sizes = [0, list.items.len() as u32];
        BothSides { criterion, sizes, left: [0; MOST_CLASSES], right, cells: [0.0, list.cells] }
    }
}

impl<K: Criterion<u32>> Sides for BothSides<'_, K> {
    #[inline(always)]
    fn shift(&mut self, class: u16) {
        let class = usize::from(class) & (MOST_CLASSES - 1);
        let (left, right) = (self.left[class], self.right[class].wrapping_sub(1));
        self.cells[0] += self.criterion.step(left);
        self.cells[1] -= self.criterion.step(right);
        self.left[class] = left.wrapping_add(1);
        self.right[class] = right;
        self.sizes = [self.sizes[0].wrapping_add(1), self.sizes[1].wrapping_sub(1)];
    }
    #[inline(always)]
    fn begin(&self, _start: usize, worths: &mut [f64]) {
        worths.fill(0.0);
    }
    #[inline(always)]
    fn worth(&self) -> f64 {
        self.criterion.side(self.cells[0], self.sizes[0]) + self.criterion.side(self.cells[1], self.sizes[1])
    }
}
