//! The pessimistic estimate of a leaf's errors.

use statrs::distribution::{ContinuousCDF, Normal};

use crate::measure::{SMALL, errors, total};
use crate::recipe::Errors;

/// C4.5 release 8 has no inverse normal: it interpolates in this table of confidences and deviations.
const CONFIDENCES: [f64; 9] = [0.0, 0.001, 0.005, 0.01, 0.05, 0.10, 0.20, 0.40, 1.0];
const DEVIATIONS: [f64; 9] = [4.0, 3.09, 2.58, 2.33, 1.65, 1.28, 0.84, 0.25, 0.0];

/// The upper limit of a leaf's errors at a confidence.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Estimate {
    confidence: f64,
    /// The deviation of the normal distribution that the confidence leaves above it.
    deviation: f64,
    /// The share of the rest that is added where nearly all rows are wrong.
    nearly_all: f64,
    /// What is added where so many rows have no error: most leaves are small and pure.
    pure: [f64; FEW],
}

/// Fewer rows are few.
const FEW: usize = 32;

impl Estimate {
    pub fn new(confidence: f64, errors: Errors) -> Self {
        let (deviation, nearly_all) = match errors {
            Errors::J48 => (Normal::standard().inverse_cdf(1.0 - confidence), 1.0),
            Errors::C45 => (interpolated(confidence), 0.67),
        };
        let pure = std::array::from_fn(|rows| pure(confidence, rows as f64));
        Estimate { confidence, deviation, nearly_all, pure }
    }

    /// Errors to add to `errors` seen among `rows`.
    pub fn added(&self, rows: f64, errors: f64) -> f64 {
        if errors < 1.0 {
            // Exact for no error; linear up to one.
            let few = self.pure.get(rows as usize).filter(|_| rows.fract() == 0.0);
            let none = few.copied().unwrap_or_else(|| pure(self.confidence, rows));
            return if errors == 0.0 { none } else { none + errors * (self.added(rows, 1.0) - none) };
        }
        if errors + 0.5 >= rows {
            return (self.nearly_all * (rows - errors)).max(0.0);
        }
        let z = self.deviation;
        let rate = (errors + 0.5) / rows;
        let spread = (rate / rows - rate * rate / rows + z * z / (4.0 * rows * rows)).sqrt();
        let upper = (rate + z * z / (2.0 * rows) + z * spread) / (1.0 + z * z / rows);
        upper * rows - errors
    }

    /// The estimated errors of a leaf.
    pub fn of(&self, weights: &[f64]) -> f64 {
        let rows = total(weights);
        if rows < SMALL {
            return 0.0;
        }
        self.with(rows, errors(weights))
    }

    /// The estimated errors of a leaf with so many among its rows.
    pub fn with(&self, rows: f64, errors: f64) -> f64 {
        errors + self.added(rows, errors)
    }
}

/// What is added where no row is wrong.
fn pure(confidence: f64, rows: f64) -> f64 {
    rows * (1.0 - confidence.powf(1.0 / rows))
}

fn interpolated(confidence: f64) -> f64 {
    let above = CONFIDENCES.partition_point(|&c| c < confidence).clamp(1, CONFIDENCES.len() - 1);
    let (low, high) = (CONFIDENCES[above - 1], CONFIDENCES[above]);
    let part = (confidence - low) / (high - low);
    DEVIATIONS[above - 1] + part * (DEVIATIONS[above] - DEVIATIONS[above - 1])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// ALGORITHMS.md §1.6: rows, errors, what J48 and C4.5 release 8 add at confidence 0.25.
    const ADDED: [(f64, f64, f64, f64); 14] = [
        (6.0, 0.0, 1.237796844, 1.237796844),
        (9.0, 0.0, 1.284804154, 1.284804154),
        (1.0, 0.0, 0.75, 0.75),
        (16.0, 1.0, 1.475714632, 1.506893958),
        (14.0, 4.0, 1.741286838, 1.775575447),
        (14.0, 5.0, 1.761119807, 1.794993148),
        (14.0, 1.0, 1.460550032, 1.490966925),
        (2.0, 1.0, 0.791493043, 0.796241132),
        (5.0, 2.0, 1.221972269, 1.239583292),
        (100.0, 10.0, 2.749611451, 2.814705318),
        (1000.0, 100.0, 7.095745810, 7.276903120),
        (6.0, 0.5, 1.270651701, 1.282141140),
        (3.0, 2.6, 0.4, 0.268),
        (10.0, 9.4, 0.584339859, 0.584934501),
    ];

    #[test]
    fn added_errors_are_those_of_the_vectors() {
        let j48 = Estimate::new(0.25, Errors::J48);
        let c45 = Estimate::new(0.25, Errors::C45);
        for (rows, errors, by_j48, by_c45) in ADDED {
            assert!(
                (j48.added(rows, errors) - by_j48).abs() < 1e-8,
                "J48 {rows} {errors}: {}",
                j48.added(rows, errors)
            );
            assert!(
                (c45.added(rows, errors) - by_c45).abs() < 1e-8,
                "C4.5 {rows} {errors}: {}",
                c45.added(rows, errors)
            );
        }
    }

    #[test]
    fn quinlans_printed_limit_follows_from_the_table() {
        let c45 = Estimate::new(0.25, Errors::C45);
        assert!((c45.deviation - 0.6925).abs() < 1e-12);
        assert!(((1.0 + c45.added(16.0, 1.0)) / 16.0 - 0.156681).abs() < 1e-6);
    }
}
