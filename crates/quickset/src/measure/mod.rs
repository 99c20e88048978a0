//! What a split is worth, read from the table of weights by branch and class.
//!
//! *Gain* is the information about the class that knowing the branch gives, in bits. A row whose value is missing
//! belongs to no branch: it counts in the total only, and so lowers the gain of the attribute.

mod bayes;
mod beta;
mod chi_squared;
mod distance;
mod g_squared;
mod gain;
mod gain_ratio;
mod gini;
mod hypergeometric;
mod ln_factorial;
mod log;
mod orthogonality;
mod saved_errors;
mod table;
mod tail;
mod two_by_two;
#[cfg(test)]
mod vectors;

use std::sync::LazyLock;

pub use bayes::Bayes;
pub use beta::Beta;
pub use chi_squared::ChiSquared;
pub use distance::Distance;
pub use g_squared::GSquared;
pub use gain::Gain;
pub use gain_ratio::GainRatio;
pub use gini::Gini;
pub use hypergeometric::Hypergeometric;
pub use ln_factorial::ln_factorial;
pub use orthogonality::Orthogonality;
pub use saved_errors::SavedErrors;
pub use table::Table;

pub(crate) use ln_factorial::ln_factorials;
pub(crate) use log::{binary_entropy, log2, rough, widest};

/// Differences smaller than this are none: C4.5's and Weka's rule for comparing sums of floating-point weights.
pub(crate) const SMALL: f64 = 1e-6;

/// A number for a table: larger is better.
pub trait Measure {
    /// What the split behind `table` is worth.
    fn of(&self, table: &Table) -> f64;
}

/// x·log₂ x, 0 for a weight that is none.
pub(crate) fn x_log_x(x: f64) -> f64 {
    if x < SMALL { 0.0 } else { x * x.log2() }
}

/// x·log₂ x of the first whole numbers: as [`x_log_x`] computes it, without its logarithm.
pub(crate) fn x_log_x_of_counts() -> &'static [f64] {
    static TERMS: LazyLock<Vec<f64>> = LazyLock::new(|| (0..1 << 13).map(|count| x_log_x(f64::from(count))).collect());
    &TERMS
}

/// The weight of all classes.
pub(crate) fn total(weights: &[f64]) -> f64 {
    weights.iter().sum()
}

/// The first class of the largest weight, where differences below rounding are none.
pub(crate) fn heaviest(weights: &[f64]) -> usize {
    let (mut best, mut most) = (0, 0.0);
    for (class, &weight) in weights.iter().enumerate() {
        if weight > most + SMALL {
            (best, most) = (class, weight);
        }
    }
    best
}

/// The weight outside the heaviest class: what a leaf gets wrong.
pub(crate) fn errors(weights: &[f64]) -> f64 {
    total(weights) - weights[heaviest(weights)]
}

/// The largest of some numbers, several at a time; `least` where there is none.
pub(crate) fn largest<T: Copy + PartialOrd>(numbers: &[T], least: T) -> T {
    const LANES: usize = 8;
    let larger = |a: T, b: T| if a > b { a } else { b };
    let (lanes, rest) = numbers.as_chunks::<LANES>();
    let mut most = [least; LANES];
    for numbers in lanes {
        most.iter_mut().zip(numbers).for_each(|(most, &number)| *most = larger(number, *most));
    }
    most.iter().chain(rest).fold(least, |most, &number| larger(number, most))
}
