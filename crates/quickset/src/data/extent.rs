//! What one look at the numbers of a column tells.

/// Between which values the numbers of a column lie. Of sparse ones, those that are listed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Extent {
    /// The smallest number; infinite where none is known.
    pub low: f64,
    /// The largest.
    pub high: f64,
    /// Whether all are known to be whole.
    pub whole: bool,
    /// How many are missing.
    pub missing: usize,
}

/// Numbers looked at side by side, so that none waits for the last.
const LANES: usize = 8;

/// Adding this rounds a number to a whole one. Of very large numbers not all that are whole are known to be so.
const ROUND: f64 = (1u64 << 52) as f64 * 1.5;

impl Extent {
    /// Of numbers that are stored as `T`; NaN is missing.
    pub fn of<T: Copy>(values: &[T], number: impl Fn(T) -> f64) -> Self {
        let (mut low, mut high) = ([f64::INFINITY; LANES], [f64::NEG_INFINITY; LANES]);
        let (mut parts, mut missing) = ([0.0; LANES], [0u64; LANES]);
        let mut take = |lane: usize, value: T| {
            let value = number(value);
            // No comparison with NaN is true.
            low[lane] = if value < low[lane] { value } else { low[lane] };
            high[lane] = if value > high[lane] { value } else { high[lane] };
            parts[lane] += (value + ROUND - ROUND - value).abs();
            missing[lane] += u64::from(value.is_nan());
        };
        let (chunks, rest) = values.as_chunks::<LANES>();
        chunks.iter().for_each(|values| (0..LANES).for_each(|lane| take(lane, values[lane])));
        rest.iter().enumerate().for_each(|(lane, &value)| take(lane, value));
        Extent {
            low: low.into_iter().fold(f64::INFINITY, f64::min),
            high: high.into_iter().fold(f64::NEG_INFINITY, f64::max),
            whole: parts.into_iter().sum::<f64>() == 0.0,
            missing: missing.into_iter().sum::<u64>() as usize,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn whole_numbers_are_told_from_others() {
        let whole = |values: &[f64]| Extent::of(values, |value| value).whole;
        assert!(whole(&[]) && whole(&[-3.0, 0.0, 1e9, -7e12]));
        for part in [0.5, -0.5, 1e-9, 1e9 + 0.25] {
            assert!(!whole(&[1.0, part]), "{part}");
        }
    }

    proptest! {
        #[test]
        fn lanes_tell_what_one_number_after_the_other_tells(
            values in prop::collection::vec(prop_oneof![3 => -9i8..9, 1 => Just(i8::MIN)], 0..40),
        ) {
            let number = |&value: &i8| if value == i8::MIN { f64::NAN } else { f64::from(value) / 2.0 };
            let values: Vec<f64> = values.iter().map(number).collect();
            let known: Vec<f64> = values.iter().copied().filter(|value| !value.is_nan()).collect();
            let told = Extent::of(&values, |value| value);
            prop_assert_eq!(told.low, known.iter().copied().fold(f64::INFINITY, f64::min));
            prop_assert_eq!(told.high, known.iter().copied().fold(f64::NEG_INFINITY, f64::max));
            prop_assert_eq!(told.missing, values.len() - known.len());
            prop_assert_eq!(told.whole, told.missing == 0 && known.iter().all(|value| value.fract() == 0.0));
        }
    }
}
