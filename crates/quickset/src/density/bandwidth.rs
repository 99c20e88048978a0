//! The bandwidth under which the values of a class are likeliest, each by the kernels of the others.
//!
//! With m rows the bandwidth is h = c/√m, and c is that of 0.20, 0.21, …, 0.80 with the least cross-entropy
//!
//! −1/m · Σ_k ln [ 1/((m − 1) h) · Σ_{j≠k} φ((x_j − x_k)/h) ].
//!
//! This has several minima, so all 61 are tried. Directly that is 61·m² kernels; along a [`Line`] it is 61·m readings.

use std::collections::HashMap;
use std::f64::consts::LN_2;
use std::sync::{Mutex, PoisonError};

use xxhash_rust::xxh3::Xxh3;

use super::line::{Line, Place};
use super::phi;
use crate::measure::{log2, total, widest};

/// The bandwidth of a value that has no other to be told by.
pub(super) const ALONE: f64 = 0.5;

/// What c may be, in hundredths.
const LEAST: usize = 20;
const MOST: usize = 80;

/// From here on values are spread over points of twice the distance.
const COARSE: usize = 40;

/// No sum of kernels is less: its logarithm must be a number.
const FLOOR: f64 = 1e-300;

/// So few values are compared pair by pair.
const FEW: usize = 64;

/// Where the others' kernels sum up to less, they are added one by one: what a value says of itself, which is taken off
/// what is read, would leave too few digits.
const FAINT: f64 = 0.01;

/// Bandwidths that were chosen, by a hash of what they were chosen from. The same rows are asked about as a branch of
/// their parent, for their own errors, for the measure of their attributes, and as a leaf; choosing takes most of the time.
pub(crate) struct Chosen {
    known: Mutex<HashMap<u128, f64>>,
    /// The weight that counts as one row. Values are to be likeliest by other rows: one that weighs a thousand is not its
    /// own neighbour 999 times over.
    row: f64,
}

impl Default for Chosen {
    fn default() -> Self {
        Chosen { known: Mutex::default(), row: 1.0 }
    }
}

impl Chosen {
    /// For rows of such weights: the heaviest is one row, if it weighs more than that.
    pub fn for_weights(weights: Option<&[f64]>) -> Self {
        let heaviest = weights.into_iter().flatten().fold(1.0, |heaviest: f64, &weight| heaviest.max(weight));
        Chosen { row: heaviest, ..Self::default() }
    }

    /// What [`best`] answers.
    pub fn best(&self, values: &[f64], weights: &[f64]) -> f64 {
        if self.row > 1.0 {
            let in_rows: Vec<f64> = weights.iter().map(|weight| weight / self.row).collect();
            return self.best_of_rows(values, &in_rows);
        }
        self.best_of_rows(values, weights)
    }

    fn best_of_rows(&self, values: &[f64], weights: &[f64]) -> f64 {
        let mut hash = Xxh3::new();
        values.iter().zip(weights).for_each(|(value, weight)| {
            hash.update(&value.to_le_bytes());
            hash.update(&weight.to_le_bytes());
        });
        let key = hash.digest128();
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let before = known().get(&key).copied();
        before.unwrap_or_else(|| {
            let chosen = best(values, weights);
            known().insert(key, chosen);
            chosen
        })
    }
}

/// The bandwidth of values of one class, all different and ascending, with their weights.
fn best(values: &[f64], weights: &[f64]) -> f64 {
    let whole = total(weights);
    let narrowest = LEAST as f64 / 100.0 / whole.sqrt();
    match values {
        _ if whole <= 1.0 => ALONE,
        [] | [_] => narrowest,
        _ => {
            let entropies = cross_entropies(values, weights);
            let mut best = 0;
            for (at, &entropy) in entropies.iter().enumerate() {
                if entropy < entropies[best] {
                    best = at;
                }
            }
            constant(LEAST + best) / whole.sqrt()
        }
    }
}

/// Whether a bandwidth is the narrowest that rows of this weight can have: equal values make it so.
pub(super) fn is_narrowest(bandwidth: f64, whole: f64) -> bool {
    whole > 1.0 && bandwidth * whole.sqrt() < constant(LEAST) + 1e-9
}

fn constant(hundredths: usize) -> f64 {
    hundredths as f64 / 100.0
}

/// The cross-entropy for every c, of at least two values.
fn cross_entropies(values: &[f64], weights: &[f64]) -> Vec<f64> {
    if values.len() <= FEW {
        return (LEAST..=MOST).map(|c| entropy(values, weights, c, &mut pairwise(values, weights, c))).collect();
    }
    let mut entropies = along_line(values, weights, LEAST..COARSE);
    entropies.extend(along_line(values, weights, COARSE..MOST + 1));
    entropies
}

fn bandwidth(weights: &[f64], hundredths: usize) -> f64 {
    constant(hundredths) / total(weights).sqrt()
}

/// The cross-entropy from every value's sum over the other rows.
fn entropy(values: &[f64], weights: &[f64], c: usize, sums: &mut [f64]) -> f64 {
    let (whole, h) = (total(weights), bandwidth(weights, c));
    for (at, sum) in sums.iter_mut().enumerate().filter(|(_, sum)| **sum < FAINT) {
        *sum = others(values, weights, at, h).max(FLOOR);
    }
    // Each sum is over the rows but one, or less than one where the value weighs less.
    let fractions: f64 =
        weights.iter().filter(|&&weight| weight < 1.0).map(|&w| w * ((whole - w) / (whole - 1.0)).ln()).sum();
    (fractions - LN_2 * weighted_logs(sums, weights)) / whole + ((whole - 1.0) * h).ln()
}

/// The sum of weighted binary logarithms, several at a time.
fn weighted_logs(numbers: &[f64], weights: &[f64]) -> f64 {
    const LANES: usize = 8;
    widest(
        #[inline(always)]
        || {
            let ((numbers, rest), (weights, rest_weights)) =
                (numbers.as_chunks::<LANES>(), weights.as_chunks::<LANES>());
            let mut sums = [0.0; LANES];
            for (numbers, weights) in numbers.iter().zip(weights) {
                for lane in 0..LANES {
                    sums[lane] += weights[lane] * log2(numbers[lane]);
                }
            }
            let rest: f64 = rest.iter().zip(rest_weights).map(|(&number, weight)| weight * log2(number)).sum();
            total(&sums) + rest
        },
    )
}

/// What of the weight of equal values is left out: one row, or less where they are less.
fn own(weight: f64) -> f64 {
    weight.min(1.0)
}

/// Every value's sum over the other rows, pair by pair.
fn pairwise(values: &[f64], weights: &[f64], c: usize) -> Vec<f64> {
    let h = bandwidth(weights, c);
    let mut sums: Vec<f64> = weights.iter().map(|&weight| (weight - own(weight)) * phi(0.0)).collect();
    for (at, &value) in values.iter().enumerate() {
        for before in 0..at {
            let kernel = phi((value - values[before]) / h);
            sums[at] += weights[before] * kernel;
            sums[before] += weights[at] * kernel;
        }
    }
    sums
}

/// The cross-entropies for some c, the first the least.
fn along_line(values: &[f64], weights: &[f64], cs: std::ops::Range<usize>) -> Vec<f64> {
    let (low, high) = (values[0], values[values.len() - 1]);
    let line = Line::new(low, high, bandwidth(weights, cs.start));
    let places: Vec<Place> = values.iter().filter_map(|&value| line.place(value)).collect();
    let masses = line.shared_out(places.iter().copied().zip(weights.iter().copied()));
    let mut sums = vec![0.0; values.len()];
    let of_one = |c: usize| {
        let heights = line.smoothed(&masses, bandwidth(weights, c));
        for (sum, (place, &weight)) in sums.iter_mut().zip(places.iter().zip(weights)) {
            *sum = place.read(&heights) - own(weight) * phi(0.0);
        }
        entropy(values, weights, c, &mut sums)
    };
    cs.map(of_one).collect()
}

/// One value's sum over the other rows, from the nearest outwards until the rest adds nothing.
fn others(values: &[f64], weights: &[f64], at: usize, h: f64) -> f64 {
    const NOTHING: f64 = 1e-18;
    let mut sum = (weights[at] - own(weights[at])) * phi(0.0);
    let whole = total(weights);
    let mut add = |other: usize| {
        let kernel = phi((values[other] - values[at]) / h);
        sum += weights[other] * kernel;
        whole * kernel > NOTHING * sum
    };
    let _ = (at + 1..values.len()).all(&mut add);
    let _ = (0..at).rev().all(&mut add);
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const EXAMPLE: [f64; 9] = [0.0, 0.1, 0.15, 0.4, 0.5, 0.55, 0.6, 0.9, 1.0];

    /// The formula, row by row.
    fn slow(rows: &[f64], c: usize) -> f64 {
        let m = rows.len() as f64;
        let h = constant(c) / m.sqrt();
        let sum = |k: usize| -> f64 {
            let others = rows.iter().enumerate().filter(|(j, _)| *j != k);
            others.map(|(_, x)| phi((x - rows[k]) / h)).sum()
        };
        -(0..rows.len()).map(|k| (sum(k).max(FLOOR) / ((m - 1.0) * h)).ln()).sum::<f64>() / m
    }

    /// Different values with the number of rows of each.
    fn tallied(rows: &mut [f64]) -> (Vec<f64>, Vec<f64>) {
        rows.sort_by(f64::total_cmp);
        rows.chunk_by(|a, b| a == b).map(|equal| (equal[0], equal.len() as f64)).unzip()
    }

    /// ALGORITHMS.md §6.2.
    #[test]
    fn cross_entropies_are_those_of_the_vectors() {
        let entropies = cross_entropies(&EXAMPLE, &[1.0; 9]);
        let expected = [(20, 0.651016087), (32, 0.508812033), (50, 0.534956669), (51, 0.535105554), (80, 0.510307564)];
        for (c, expected) in expected {
            assert!((entropies[c - LEAST] - expected).abs() < 1e-9, "{c}: {}", entropies[c - LEAST]);
        }
        // Two minima, and the maximum between them.
        let falls: Vec<bool> = entropies.windows(2).map(|pair| pair[1] < pair[0]).collect();
        assert_eq!(falls.chunk_by(|a, b| a == b).map(<[bool]>::len).collect::<Vec<_>>(), [12, 19, 29]);
        assert!((best(&EXAMPLE, &[1.0; 9]) - 0.106666667).abs() < 1e-9);
    }

    #[test]
    fn values_without_others_have_bandwidths_of_their_own() {
        assert_eq!(best(&[0.3], &[1.0]), 0.5);
        assert_eq!(best(&[], &[]), 0.5);
        assert_eq!(best(&[0.3], &[4.0]), 0.1);
        assert!(is_narrowest(0.1, 4.0) && !is_narrowest(0.5, 1.0) && !is_narrowest(0.11, 4.0));
        // Nothing but ties, far apart.
        assert!((best(&[0.0, 1.0], &[50.0, 50.0]) - 0.02).abs() < 1e-12);
        // Rows that no kernel joins are at the floor, whatever the bandwidth.
        assert!((best(&[0.0, 1e6], &[1.0, 1.0]) - 0.2 / 2f64.sqrt()).abs() < 1e-12);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        #[test]
        fn the_fast_way_is_the_direct_sum(
            mut rows in prop::collection::vec(
                prop_oneof![3 => 0.0..1.0f64, 2 => 0.3..0.31f64, 1 => (0..20u8).prop_map(|x| f64::from(x) / 20.0), 1 => Just(1.0)],
                2..400,
            ),
        ) {
            let (values, weights) = tallied(&mut rows);
            prop_assume!(values.len() > 1);
            let fast = cross_entropies(&values, &weights);
            prop_assert_eq!(fast.len(), MOST + 1 - LEAST);
            for (c, fast) in (LEAST..=MOST).zip(fast) {
                let slow = slow(&rows, c);
                prop_assert!((fast - slow).abs() < 1e-6, "{}: {} {}", c, fast, slow);
            }
        }
    }
}
