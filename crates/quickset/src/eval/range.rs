//! The range of standard normal numbers: how far the largest of them lies above the smallest.

use statrs::function::erf::erfc;

/// The normal density is below 1e-18 farther from 0.
const END: f64 = 9.0;
/// The integrand is analytic and vanishes at both ends, where the trapezoid rule gains digits exponentially as steps get
/// shorter: with these the quantiles of up to a thousand numbers are right to 1e-10.
const STEPS: usize = 144;

/// Φ, the probability that a standard normal number is at most `z`.
fn normal(z: f64) -> f64 {
    erfc(-z * std::f64::consts::FRAC_1_SQRT_2) / 2.0
}

/// The range of `count` independent standard normal numbers: the studentised range with infinitely many degrees of
/// freedom.
struct Range {
    count: f64,
    /// Points z with k φ(z) dz and Φ(z).
    points: Vec<(f64, f64, f64)>,
}

impl Range {
    fn of(count: usize, steps: usize) -> Self {
        let (count, step) = (count as f64, 2.0 * END / steps as f64);
        let factor = count * step / std::f64::consts::TAU.sqrt();
        let point = |index: usize| {
            let z = index as f64 * step - END;
            (z, factor * (-z * z / 2.0).exp(), normal(z))
        };
        Range { count, points: (0..=steps).map(point).collect() }
    }

    /// The probability that the range is at most `r`: k ∫ φ(z) [Φ(z + r) − Φ(z)]^(k−1) dz, where z is the smallest.
    fn probability(&self, r: f64) -> f64 {
        self.points.iter().map(|&(z, weight, below)| weight * (normal(z + r) - below).powf(self.count - 1.0)).sum()
    }

    /// What the range exceeds with probability `alpha`, by halving an interval.
    fn exceeded_with(&self, alpha: f64) -> f64 {
        let (mut low, mut high) = (0.0, 2.0 * END);
        // Until the middle is one of the ends.
        loop {
            let middle = (low + high) / 2.0;
            if middle <= low || middle >= high {
                return middle;
            }
            if self.probability(middle) < 1.0 - alpha {
                low = middle;
            } else {
                high = middle;
            }
        }
    }
}

/// The quantile q of the Nemenyi test for `count` learners: what the range of as many standard normal numbers exceeds
/// with probability `alpha`, divided by √2 (Demšar 2006, table 5a). `None` with fewer than two learners, or where
/// `alpha` does not lie between 0 and 1.
pub(super) fn nemenyi_quantile(count: usize, alpha: f64) -> Option<f64> {
    let inside = alpha > 0.0 && alpha < 1.0;
    (count >= 2 && inside).then(|| Range::of(count, STEPS).exceeded_with(alpha) * std::f64::consts::FRAC_1_SQRT_2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_the_published_table() {
        let published = [
            (0.05, [1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164]),
            (0.10, [1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920]),
        ];
        for (alpha, row) in published {
            for (count, expected) in (2..).zip(row) {
                let found = nemenyi_quantile(count, alpha).unwrap();
                // The table cuts some of the digits off instead of rounding.
                assert!((found - expected).abs() < 0.001, "{count} at {alpha}: {found}, expected {expected}");
            }
        }
    }

    // scipy.stats.studentized_range.ppf(1 - alpha, k, inf) / sqrt(2)
    #[test]
    fn quantiles_are_those_of_scipy() {
        for (count, alpha, expected) in [
            (2, 0.01, 2.575829303548897),
            (2, 0.05, 1.9599639845400534),
            (3, 0.05, 2.343700586378409),
            (5, 0.10, 2.4595157642714183),
            (10, 0.05, 3.163683577053373),
            (20, 0.01, 3.9917695941997633),
            (50, 0.05, 3.9923432900094076),
            (100, 0.10, 4.110055508575388),
        ] {
            let found = nemenyi_quantile(count, alpha).unwrap();
            assert!((found - expected).abs() < 1e-8, "{count} at {alpha}: {found}, expected {expected}");
        }
    }

    #[test]
    fn finer_steps_change_nothing() {
        for count in [2, 7, 100, 1000] {
            let [coarse, fine] = [STEPS, 2 * STEPS].map(|steps| Range::of(count, steps).exceeded_with(0.05));
            assert!((coarse - fine).abs() < 1e-10, "{count}: {coarse}, {fine}");
        }
    }

    #[test]
    fn what_cannot_be_asked_has_no_answer() {
        assert_eq!(nemenyi_quantile(1, 0.05), None);
        for alpha in [0.0, 1.0, -1.0, f64::NAN] {
            assert_eq!(nemenyi_quantile(3, alpha), None);
        }
        assert!(nemenyi_quantile(3, 1e-300).is_some_and(f64::is_finite));
    }
}
