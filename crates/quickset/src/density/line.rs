//! Sums of normal kernels at many places at once, from points along a line.
//!
//! A value's weight is shared out to the eight points around it, as polynomials through them demand; the points are
//! summed with the kernel once; and what stands at a place is read from the eight points around it by the same shares.
//! With eight points to a bandwidth this is off by less than 1e-8 for each kernel, and costs a value a few products,
//! however many others are near.

use super::phi;
use crate::measure::widest;

/// A value is shared out to so many points, and read from so many.
const AROUND: usize = 8;

/// How many of them lie before the place, beside the nearest below.
const BEFORE: usize = 3;

/// Points to a bandwidth, at least.
const FINENESS: f64 = 8.0;

/// A kernel ends so many bandwidths from its value: there it has e⁻³² of its height.
pub(super) const REACH: f64 = 8.0;

/// Points at equal distances.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    low: f64,
    step: f64,
    points: usize,
}

/// A place on a line: the first of the points around it, and the share of each.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    first: usize,
    shares: [f64; AROUND],
}

impl Line {
    /// The line for places from `low` to `high` and kernels of this bandwidth or a larger one.
    pub fn new(low: f64, high: f64, bandwidth: f64) -> Self {
        let step = bandwidth / FINENESS;
        let points = ((high - low) / step) as usize + AROUND;
        Line { low: low - BEFORE as f64 * step, step, points }
    }

    /// `None` for a place that is not on it.
    pub fn place(&self, x: f64) -> Option<Place> {
        let at = (x - self.low) / self.step - BEFORE as f64;
        // Ends are on the line whatever rounding makes of them.
        let first = at.floor().clamp(0.0, (self.points - AROUND) as f64);
        ((at - first).abs() <= 1.0 + 1e-6).then(|| Place { first: first as usize, shares: shares(at - first) })
    }

    /// The weights of some places, shared out.
    pub fn shared_out(&self, places: impl Iterator<Item = (Place, f64)>) -> Vec<f64> {
        let mut masses = vec![0.0; self.points];
        for (place, weight) in places {
            let around = &mut masses[place.first..place.first + AROUND];
            around.iter_mut().zip(place.shares).for_each(|(mass, share)| *mass += weight * share);
        }
        masses
    }

    /// The sum of kernels of this bandwidth at every point, from the masses there.
    pub fn smoothed(&self, masses: &[f64], bandwidth: f64) -> Vec<f64> {
        let reach = (REACH * bandwidth / self.step) as usize;
        let kernel: Vec<f64> = (0..=reach).map(|points| phi(points as f64 * self.step / bandwidth)).collect();
        smoothed(masses, &kernel)
    }
}

impl Place {
    /// What stands here, by what stands at the points.
    #[inline(always)]
    pub fn read(&self, heights: &[f64]) -> f64 {
        let around: &[f64; AROUND] = heights[self.first..].first_chunk().expect("a place has its points on the line");
        let products: [f64; AROUND] = std::array::from_fn(|at| around[at] * self.shares[at]);
        let [a, b, c, d, e, f, g, h] = products;
        ((a + h) + (b + g)) + ((c + f) + (d + e))
    }
}

/// The shares of the points 3 below to 4 above for a place so far above the one in their middle: Lagrange's polynomials.
fn shares(above: f64) -> [f64; AROUND] {
    /// One over the product of a point's distances from the others.
    const SCALES: [f64; AROUND] =
        [-1.0 / 5040.0, 1.0 / 720.0, -1.0 / 240.0, 1.0 / 144.0, -1.0 / 144.0, 1.0 / 240.0, -1.0 / 720.0, 1.0 / 5040.0];
    let distance = |point: usize| above - (point as f64 - BEFORE as f64);
    let mut shares = SCALES;
    let (mut below, mut beyond) = (1.0, 1.0);
    for point in 0..AROUND {
        shares[point] *= below;
        below *= distance(point);
        shares[AROUND - 1 - point] *= beyond;
        beyond *= distance(AROUND - 1 - point);
    }
    shares
}

/// Every mass spread to both sides by a kernel, which is given from its middle on.
fn smoothed(masses: &[f64], kernel: &[f64]) -> Vec<f64> {
    const LANES: usize = 16;
    let Some((middle, side)) = kernel.split_first() else { return Vec::new() };
    let reach = side.len();
    let blocks = masses.len().div_ceil(LANES);
    // Nothing lies beyond the ends, nor in the last block beyond the last mass.
    let mut padded = vec![0.0; reach + blocks * LANES + reach];
    padded[reach..reach + masses.len()].copy_from_slice(masses);
    let mut heights = vec![0.0; blocks * LANES];
    widest(
        #[inline(always)]
        || {
            let (blocks, _) = heights.as_chunks_mut::<LANES>();
            for (block, heights) in blocks.iter_mut().enumerate() {
                let at = reach + block * LANES;
                let window = |from: usize| -> &[f64; LANES] {
                    padded[from..].first_chunk().expect("the masses are padded by the kernel's reach")
                };
                let here = window(at);
                let mut sums: [f64; LANES] = std::array::from_fn(|lane| middle * here[lane]);
                for (away, weight) in side.iter().enumerate() {
                    let (below, above) = (window(at - away - 1), window(at + away + 1));
                    for lane in 0..LANES {
                        sums[lane] += weight * (below[lane] + above[lane]);
                    }
                }
                *heights = sums;
            }
        },
    );
    heights.truncate(masses.len());
    heights
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn shares_are_those_of_polynomials() {
        for above in [0.0, 0.3, 0.5, 1.0] {
            let shares = shares(above);
            for power in 0..AROUND as i32 {
                let sum: f64 = (-3..5).zip(shares).map(|(point, share)| share * f64::from(point).powi(power)).sum();
                assert!((sum - f64::powi(above, power)).abs() < 1e-9, "{above} {power} {sum}");
            }
        }
        assert_eq!(shares(0.0)[BEFORE], 1.0);
    }

    #[test]
    fn places_are_on_the_line_from_end_to_end() {
        let line = Line::new(0.25, 1.0, 0.1);
        assert!([0.25, 0.5, 1.0].iter().all(|&x| line.place(x).is_some()));
        assert!([0.2, 1.1, f64::INFINITY, f64::MAX].iter().all(|&x| line.place(x).is_none()));
    }

    proptest! {
        #[test]
        fn smoothing_is_the_direct_sum(
            masses in prop::collection::vec(-1.0..1.0f64, 1..90),
            kernel in prop::collection::vec(0.0..1.0f64, 1..40),
        ) {
            for (at, fast) in smoothed(&masses, &kernel).into_iter().enumerate() {
                let weight = |from: usize| kernel.get(from.abs_diff(at)).copied().unwrap_or(0.0);
                let slow: f64 = masses.iter().enumerate().map(|(from, mass)| weight(from) * mass).sum();
                prop_assert!((fast - slow).abs() < 1e-12);
            }
        }

        #[test]
        fn sums_of_kernels_are_the_direct_ones(
            values in prop::collection::vec(0.0..1.0f64, 1..40),
            bandwidth in 0.01..0.4f64,
            wider in 1.0..2.0f64,
        ) {
            let line = Line::new(0.0, 1.0, bandwidth);
            let masses = line.shared_out(values.iter().map(|&value| (line.place(value).unwrap(), 1.0)));
            let heights = line.smoothed(&masses, bandwidth * wider);
            for x in (0..=50).map(|x| f64::from(x) / 50.0) {
                let slow: f64 = values.iter().map(|value| phi((x - value) / (bandwidth * wider))).sum();
                let fast = line.place(x).unwrap().read(&heights);
                prop_assert!((fast - slow).abs() < 1e-8 * values.len() as f64, "{} {}", fast, slow);
            }
        }
    }
}
