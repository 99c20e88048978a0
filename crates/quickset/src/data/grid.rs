//! Numbers with few decimals lie on a grid: counting sorts them in one pass, without comparisons or digits.

use super::item::Item;

/// Grids are tried in this order: whole numbers, then one to three decimals.
const SCALES: [f64; 4] = [1.0, 10.0, 100.0, 1000.0];

/// Fewer numbers are not worth the search for a grid.
const FEWEST: usize = 256;

/// The grid point of a missing value.
const MISSING: i32 = i32::MIN;

/// Rows in ascending order of their numbers, and the smallest gap between two numbers; those without one are left out.
/// `None` unless all lie on a grid with not many more points than there are numbers.
pub(super) fn order_on_grid(
    rows: impl ExactSizeIterator<Item = u32> + Clone,
    value: impl Fn(u32) -> f64,
) -> Option<(Vec<Item>, f64)> {
    let count = rows.len();
    if count < FEWEST {
        return None;
    }
    let known = rows.clone().map(&value).filter(|value| !value.is_nan());
    let first: Vec<f64> = known.take(16).collect();
    if first.is_empty() {
        return None;
    }
    let scale = SCALES.into_iter().find(|&scale| first.iter().all(|&value| on_grid(value, scale)))?;
    let mut points = Vec::with_capacity(count);
    let (mut low, mut high, mut all) = (i32::MAX, -i32::MAX, true);
    for value in rows.clone().map(value) {
        let point = if value.is_nan() { MISSING } else { nearest(value, scale) as i32 };
        all &= value.is_nan() | on_grid(value, scale);
        low = if point == MISSING { low } else { low.min(point) };
        high = high.max(point);
        points.push(point);
    }
    let span = (i64::from(high) - i64::from(low) + 1).max(0) as usize;
    if !all || span > 2 * count {
        return None;
    }
    // Where the next number of each point goes.
    let mut next = vec![0u32; span];
    let slot = |point: i32| point.wrapping_sub(low) as usize;
    points.iter().filter(|&&point| point != MISSING).for_each(|&point| next[slot(point)] += 1);
    let mut sum = 0;
    let (mut previous, mut smallest_gap) = (f64::NAN, f64::INFINITY);
    let mut firsts = Vec::new();
    for (point, next) in (low..).zip(&mut next) {
        let held = std::mem::replace(next, sum);
        if held > 0 {
            firsts.push(sum);
            let number = f64::from(point) / scale;
            smallest_gap = smallest_gap.min(number - previous);
            previous = number;
        }
        sum += held;
    }
    let mut items = vec![Item::new(0, false); sum as usize];
    for (row, &point) in rows.zip(&points).filter(|(_, point)| **point != MISSING) {
        let next = &mut next[slot(point)];
        items[*next as usize] = Item::new(row, true);
        *next += 1;
    }
    for first in firsts {
        let first = &mut items[first as usize];
        *first = Item::new(first.row(), false);
    }
    Some((items, smallest_gap))
}

/// Whether a number is what its nearest grid point reads as. A decimal number and the quotient of two whole ones are
/// both the closest double to the same fraction, so this is exact.
#[inline(always)]
fn on_grid(value: f64, scale: f64) -> bool {
    let nearest = nearest(value, scale);
    (nearest / scale == value) & (nearest.abs() < f64::from(i32::MAX))
}

/// The grid point nearest to a number, as long as it is small.
#[inline(always)]
fn nearest(value: f64, scale: f64) -> f64 {
    // Doubles of this size are whole, so that adding rounds.
    const ROUNDS: f64 = (1u64 << 52) as f64 * 1.5;
    (value * scale + ROUNDS) - ROUNDS
}
