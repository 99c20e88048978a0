//! The upper tail of χ², as a logarithm: probabilities too small for a number still differ.

use statrs::function::gamma::ln_gamma;

/// More steps than any tail of a table in memory needs: they grow with the root of the degrees of freedom.
const MOST_STEPS: usize = 1 << 20;

/// ln of the chance that χ² with so many degrees of freedom is at least `statistic`.
pub(crate) fn ln_chi_squared_tail(statistic: f64, degrees: usize) -> f64 {
    if degrees == 0 || statistic <= 0.0 {
        return 0.0;
    }
    ln_upper_gamma(degrees as f64 / 2.0, statistic / 2.0)
}

/// ln Q(a, x), the regularised upper incomplete gamma function: by the series of 1 − Q below the mean, by the continued
/// fraction above it (Abramowitz and Stegun 6.5.29 and 6.5.31, evaluated as Lentz 1976 does).
fn ln_upper_gamma(a: f64, x: f64) -> f64 {
    let ln_front = a * x.ln() - x - ln_gamma(a);
    if x < a + 1.0 {
        let (mut term, mut sum) = (1.0 / a, 1.0 / a);
        for step in 1..MOST_STEPS {
            term *= x / (a + step as f64);
            sum += term;
            if term < sum * f64::EPSILON {
                break;
            }
        }
        return (-(ln_front + sum.ln()).exp()).ln_1p();
    }
    // Stands for zero where the algorithm would divide by it.
    const TINY: f64 = 1e-300;
    let away_from_zero = |number: f64| if number.abs() < TINY { TINY } else { number };
    let mut b = x + 1.0 - a;
    let mut c = 1.0 / TINY;
    let mut d = 1.0 / away_from_zero(b);
    let mut fraction = d;
    for step in 1..MOST_STEPS {
        let step = step as f64;
        let numerator = -step * (step - a);
        b += 2.0;
        d = 1.0 / away_from_zero(numerator * d + b);
        c = away_from_zero(b + numerator / c);
        fraction *= c * d;
        if (c * d - 1.0).abs() < f64::EPSILON {
            break;
        }
    }
    (ln_front + fraction.ln()).min(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use statrs::distribution::{ChiSquared, ContinuousCDF};

    proptest! {
        #[test]
        fn tails_are_those_of_the_library(degrees in 1usize..400, share in 0.01..3.0f64) {
            let statistic = degrees as f64 * share;
            let expected = ChiSquared::new(degrees as f64).unwrap().sf(statistic);
            prop_assume!(expected > 1e-290);
            let found = ln_chi_squared_tail(statistic, degrees);
            prop_assert!((found - expected.ln()).abs() < 1e-9 * expected.ln().abs().max(1.0), "{found} {expected}");
        }
    }

    #[test]
    fn two_degrees_are_an_exponential_however_small() {
        for statistic in [1e-3, 1.0, 3.0, 50.0, 5e3, 1e6] {
            let found = ln_chi_squared_tail(statistic, 2);
            assert!((found + statistic / 2.0).abs() < 1e-9 * statistic.max(1.0), "{statistic} {found}");
        }
    }

    #[test]
    fn nothing_to_tell_apart_is_certain() {
        assert_eq!(ln_chi_squared_tail(3.0, 0), 0.0);
        assert_eq!(ln_chi_squared_tail(0.0, 4), 0.0);
        assert!(ln_chi_squared_tail(1e5, 100_000).is_finite());
    }
}
