//! Logarithms of many numbers: without a jump or a call, so that compilers do several at a time. Sums and products are
//! written out, so that the result is the same whatever the width.

use std::f64::consts::{FRAC_1_SQRT_2, LOG2_E};

/// Does some work with the widest instructions of the machine: they do more at a time, with the same results. The work
/// is to own (`move`) the numbers that it goes by and to answer its sums: behind a reference they would have to be read and
/// written for one element after the other.
#[inline(always)]
pub(crate) fn widest<R>(work: impl FnOnce() -> R) -> R {
    pulp::Arch::new().dispatch(work)
}

/// The binary logarithm of a positive number to about the last digit; some finite number for zero.
#[inline(always)]
pub(crate) fn log2(number: f64) -> f64 {
    const MANTISSA: u32 = 52;
    const MASK: u64 = (1 << MANTISSA) - 1;
    // Adding whole numbers below 2^52 to this one sets its last bits to them.
    const MAGIC: f64 = (1u64 << MANTISSA) as f64;
    const BIAS: f64 = 1023.0;
    // number = 2^exponent · rest with the rest from √½ up to √2.
    let shifted = number.to_bits().wrapping_add(1f64.to_bits() - FRAC_1_SQRT_2.to_bits());
    let exponent = f64::from_bits(MAGIC.to_bits() | shifted >> MANTISSA) - MAGIC - BIAS;
    let rest = f64::from_bits((shifted & MASK) + FRAC_1_SQRT_2.to_bits());
    // ln rest = 2 · artanh t, by the first terms of its series: what is left out is below 1e-15.
    let t = (rest - 1.0) / (rest + 1.0);
    let t2 = t * t;
    let mut series = 1.0 / 17.0;
    for term in [1.0 / 15.0, 1.0 / 13.0, 1.0 / 11.0, 1.0 / 9.0, 1.0 / 7.0, 1.0 / 5.0, 1.0 / 3.0, 1.0] {
        series = series * t2 + term;
    }
    exponent + 2.0 * LOG2_E * (t * series)
}

/// Entropy of two shares that sum to one, in bits.
#[inline(always)]
pub(crate) fn binary_entropy(share: f64) -> f64 {
    let share = share.max(0.0);
    let other = (1.0 - share).max(0.0);
    -share * log2(share) - other * log2(other)
}

/// The same in single precision, where what is far from the best is sorted out first.
pub(crate) mod rough {
    /// More than what single precision loses in the gain of a cut between this many classes.
    pub(crate) fn slack(classes: usize) -> f32 {
        3e-7 + 1.5e-7 * classes as f32
    }

    /// Entropy of two shares that sum to one, in bits.
    #[inline(always)]
    pub(crate) fn binary_entropy(share: f32) -> f32 {
        let other = (1.0 - share).max(0.0);
        -share * log2(share) - other * log2(other)
    }

    /// The binary logarithm to single precision, without a jump; some finite number for zero.
    #[inline(always)]
    pub(crate) fn log2(number: f32) -> f32 {
        // number = 2^exponent · rest with the rest between √½ and √2.
        const ROOT_HALF: i32 = std::f32::consts::FRAC_1_SQRT_2.to_bits() as i32;
        let bits = number.to_bits() as i32;
        let exponent = (bits - ROOT_HALF) >> 23;
        let rest = f32::from_bits((bits - (exponent << 23)) as u32);
        // ln rest = 2 · artanh t, by the first terms of its series: what is left out is below 1e-7.
        let t = (rest - 1.0) / (rest + 1.0);
        let t2 = t * t;
        let series = t * (1.0 + t2 * (1.0 / 3.0 + t2 * (1.0 / 5.0 + t2 * (1.0 / 7.0))));
        exponent as f32 + 2.0 * std::f32::consts::LOG2_E * series
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn logarithms_are_those_of_the_library(number in prop_oneof![1e-300..1e-3f64, 1e-3..1.0f64, 1.0..1e6f64]) {
            prop_assert!((log2(number) - number.log2()).abs() <= 1e-14 * number.log2().abs().max(1.0));
        }
    }

    proptest! {
        #[test]
        fn single_precision_is_right_well_within_its_slack(
            shares in prop::collection::vec((0.001..1.0f64, 0.0..=1.0f64), 1..30),
        ) {
            let all: f64 = shares.iter().map(|(share, _)| share).sum();
            let (mut below, mut own, mut rough_below, mut rough_own) = (0.0, 0.0, 0.0, 0.0);
            for &(share, part) in &shares {
                below += share / all * part;
                own += share / all * binary_entropy(part);
                rough_below += (share / all) as f32 * part as f32;
                rough_own += (share / all) as f32 * binary_entropy(part) as f32;
            }
            let gain = binary_entropy(below) - own;
            let rough_gain = rough::binary_entropy(rough_below) - rough_own;
            prop_assert!((gain - f64::from(rough_gain)).abs() < f64::from(rough::slack(shares.len())));
        }
    }

    #[test]
    fn nothing_and_all_have_no_entropy() {
        assert_eq!([0.0, 1.0].map(rough::binary_entropy), [0.0, 0.0]);
        assert_eq!([0.0, 1.0].map(binary_entropy), [0.0, 0.0]);
        assert_eq!([0.5, 0.25].map(binary_entropy).map(|bits| (bits * 1e12).round() / 1e12), [1.0, 0.811278124459]);
        assert_eq!(log2(1.0), 0.0);
        assert!(log2(0.0).is_finite());
    }
}
