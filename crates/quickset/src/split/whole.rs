//! The sweep of rows that count one each: the hottest loop of all, so it has a file of its own.
//!
//! It finds what [`Sweep::list`](super::scan::Sweep::list) finds, which is its slow twin in the tests beside that.

use super::criterion::Criterion;
use super::scan::{Cut, Found, Limits};
use crate::data::Entry;
use crate::measure::SMALL;

/// Sweeps a sorted list of rows that count one each, all of them in `right`. `cells` is the
/// criterion's sum over `right`; there are at most [`MOST_CLASSES`]. Because weights are places in the list, the limits are places too, and entries
/// beyond the last possible cut are not looked at.
pub(crate) fn sweep_whole<K: Criterion<u32>>(
    criterion: &K,
    entries: &[Entry],
    classes: &[u16],
    right: &[u32],
    cells: f64,
    limits: Limits,
    apart: impl Fn(usize, usize) -> bool,
) -> Found {
    let rows = entries.len();
    if right.len() <= PackedSides::CLASSES && rows < PackedSides::ROWS {
        sweep_sides(criterion, entries, classes, PackedSides::new(right, cells), cells, limits, apart)
    } else {
        sweep_sides(criterion, entries, classes, WholeSides::new(right, cells), cells, limits, apart)
    }
}

/// The most classes that [`sweep_whole`] counts.
pub(crate) const MOST_CLASSES: usize = 256;

/// The loop itself. Inlined into its caller it would have to keep its sums on the stack.
#[inline(never)]
fn sweep_sides<K: Criterion<u32>>(
    criterion: &K,
    entries: &[Entry],
    classes: &[u16],
    mut sides: impl Sides,
    cells: f64,
    limits: Limits,
    apart: impl Fn(usize, usize) -> bool,
) -> Found {
    let rows = entries.len();
    let base = criterion.side(cells, rows as u32);
    let mut found = Found { cut: None, positions: 0, base };
    let first = (limits.side - SMALL).max(0.0).ceil() as usize;
    if first == 0 || 2 * first > rows {
        return found;
    }
    let (before, rest) = entries.split_at(first);
    before.iter().for_each(|entry| sides.shift(criterion, classes[entry.row as usize]));
    let tolerance = K::TOLERANCE * limits.node;
    let mut enough = if limits.any { f64::NEG_INFINITY } else { base + tolerance };
    let mut best = (0, base);
    let mut positions = 0;
    let mut rank = before[first - 1].rank;
    for (at, entry) in (first..).zip(&rest[..=rows - 2 * first]) {
        // Whether the value changes here cannot be foretold, and a wrong guess costs more than the sums.
        let possible = usize::from((entry.rank != rank) & apart(at - 1, at));
        rank = entry.rank;
        positions += possible;
        let [left, right] = sides.cells();
        let worth = criterion.side(left, at as u32) + criterion.side(right, (rows - at) as u32) + PENALTY[possible];
        let raised = worth + tolerance;
        let better = worth > enough;
        enough = if better { raised } else { enough };
        best.0 = if better { at } else { best.0 };
        best.1 = if better { worth } else { best.1 };
        sides.shift(criterion, classes[entry.row as usize]);
    }
    let (at, worth) = best;
    found.positions = positions;
    found.cut = (at > 0).then(|| Cut { low: at - 1, high: at, worth, sides: [at as f64, (rows - at) as f64] });
    found
}

/// Added to the worth of a cut that is not possible, and of one that is.
static PENALTY: [f64; 2] = [f64::NEG_INFINITY, 0.0];

/// Whole rows on both sides, by class.
trait Sides {
    /// Moves one row to the left.
    fn shift<K: Criterion<u32>>(&mut self, criterion: &K, class: u16);
    /// The criterion's sums over the two sides.
    fn cells(&self) -> [f64; 2];
}

/// Counts in memory. The length is known at compile time, so a masked class needs no bounds check.
struct WholeSides {
    left: [u32; MOST_CLASSES],
    right: [u32; MOST_CLASSES],
    cells: [f64; 2],
}

impl WholeSides {
    /// All rows on the right.
    #[inline(always)]
    fn new(right: &[u32], cells: f64) -> Self {
        let mut sides = WholeSides { left: [0; MOST_CLASSES], right: [0; MOST_CLASSES], cells: [0.0, cells] };
        sides.right[..right.len()].copy_from_slice(right);
        sides
    }
}

impl Sides for WholeSides {
    #[inline(always)]
    fn shift<K: Criterion<u32>>(&mut self, criterion: &K, class: u16) {
        let class = usize::from(class) & (MOST_CLASSES - 1);
        let (left, right) = (self.left[class], self.right[class].wrapping_sub(1));
        self.cells[0] += criterion.step(left);
        self.cells[1] -= criterion.step(right);
        self.left[class] = left.wrapping_add(1);
        self.right[class] = right;
    }
    #[inline(always)]
    fn cells(&self) -> [f64; 2] {
        self.cells
    }
}

/// Counts of up to four classes in one register, 16 bits each: a count in memory would have to be written before the
/// next row of the same class could read it.
struct PackedSides {
    left: u64,
    total: [u32; Self::CLASSES],
    cells: [f64; 2],
}

impl PackedSides {
    const CLASSES: usize = 4;
    const ROWS: usize = 1 << 16;

    #[inline(always)]
    fn new(right: &[u32], cells: f64) -> Self {
        let mut total = [0; Self::CLASSES];
        total[..right.len()].copy_from_slice(right);
        PackedSides { left: 0, total, cells: [0.0, cells] }
    }
}

impl Sides for PackedSides {
    #[inline(always)]
    fn shift<K: Criterion<u32>>(&mut self, criterion: &K, class: u16) {
        let class = usize::from(class) & (Self::CLASSES - 1);
        let left = u32::from((self.left >> (16 * class)) as u16);
        let right = self.total[class].wrapping_sub(left).wrapping_sub(1);
        self.left = self.left.wrapping_add(1 << (16 * class));
        self.cells[0] += criterion.step(left);
        self.cells[1] -= criterion.step(right);
    }
    #[inline(always)]
    fn cells(&self) -> [f64; 2] {
        self.cells
    }
}
