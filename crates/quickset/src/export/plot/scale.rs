//! From figures to places on an axis, with ticks at numbers that a person would choose.

use super::lettering::{decimal, power, scientific};

/// A log axis pays once the largest figure is this many times the smallest.
const WORTH_A_LOG: f64 = 30.0;
/// Percentages are shown on at least this many points, so that a difference in the third digit does not look large.
const PERCENT_SPAN: f64 = 2.0;
/// Figures closer than this, for their size, count as one: ticks between them would need a dozen digits.
const ONE_FIGURE: f64 = 1e-9;
/// Beyond this, and below its inverse, steps between ticks would leave the range of `f64`.
const LARGEST: f64 = 1e300;
/// Its power of ten.
const MOST_DECADES: i64 = 300;

/// From here to its inverse, numbers on a log axis are written without powers of ten.
const PLAIN: f64 = 1e-5;

/// How figures are laid out along an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spacing {
    /// Equal steps.
    Linear,
    /// Equal factors; what is not positive has no place.
    Log,
    /// Equal factors where every figure is positive and the largest is many times the smallest, else equal steps.
    Fitting,
    /// Equal steps from 0 to 100 at most, and over two points at least.
    Percent,
}

/// A number written at an axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Tick {
    /// The number.
    pub value: f64,
    /// How it is written.
    pub label: String,
}

/// An axis that runs from its first tick to its last.
#[derive(Clone, Debug, PartialEq)]
pub struct Scale {
    log: bool,
    ticks: Vec<Tick>,
}

impl Scale {
    /// The scale on which all `values` have a place, with as many ticks as are round and at most `most` (at least 3).
    /// Values that are not finite, or beyond 1e300, are left out.
    pub fn new(spacing: Spacing, values: &[f64], most: usize) -> Scale {
        let most = most.max(3);
        let log = match spacing {
            Spacing::Linear | Spacing::Percent => false,
            Spacing::Log => true,
            Spacing::Fitting => {
                let (low, high) = extent(values.iter().copied());
                low > 0.0 && high / low >= WORTH_A_LOG
            }
        };
        let ticks = if log {
            let (low, high) = extent(values.iter().copied().filter(|&value| value >= 1.0 / LARGEST));
            log_ticks(low, high, most)
        } else if spacing == Spacing::Percent {
            let (low, high) = percent_extent(values);
            linear_ticks(low, high, most)
        } else {
            let (low, high) = extent(values.iter().copied());
            // A single figure stands in the middle of an axis from zero.
            let one = high - low <= ONE_FIGURE * low.abs().max(high.abs());
            let (low, high) = if one { (high.min(0.0) * 2.0, high.max(0.0) * 2.0) } else { (low, high) };
            if low == high { linear_ticks(0.0, 1.0, most) } else { linear_ticks(low, high, most) }
        };
        Scale { log, ticks }
    }

    /// Whether equal factors are equally far apart.
    pub fn is_log(&self) -> bool {
        self.log
    }

    /// The ticks, ascending; at least two.
    pub fn ticks(&self) -> &[Tick] {
        &self.ticks
    }

    /// How far from the first tick (0) to the last (1) the value lies; `None` if it lies outside or nowhere.
    pub fn place(&self, value: f64) -> Option<f64> {
        let along = |value: f64| if self.log { value.log10() } else { value };
        let (low, high) = (along(self.ticks[0].value), along(self.ticks[self.ticks.len() - 1].value));
        let place = (along(value) - low) / (high - low);
        // A value equal to the last tick may come out a rounding error beyond it.
        (-1e-9..=1.0 + 1e-9).contains(&place).then(|| place.clamp(0.0, 1.0))
    }
}

/// The smallest and the largest of the values that can be drawn; zeros if there are none.
fn extent(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let drawn = values.filter(|value| value.abs() <= LARGEST);
    // What is next to nothing is nothing: steps between such values would vanish.
    let drawn = drawn.map(|value| if value.abs() < 1.0 / LARGEST { 0.0 } else { value });
    drawn
        .fold(None, |found: Option<(f64, f64)>, value| {
            Some(found.map_or((value, value), |(low, high)| (low.min(value), high.max(value))))
        })
        .unwrap_or((0.0, 0.0))
}

fn percent_extent(values: &[f64]) -> (f64, f64) {
    let (low, high) = extent(values.iter().map(|value| value.clamp(0.0, 100.0)));
    let missing = (PERCENT_SPAN - (high - low)).max(0.0);
    let low = (low - missing / 2.0).clamp(0.0, 100.0 - PERCENT_SPAN);
    (low, high.max(low + PERCENT_SPAN).min(100.0))
}

/// Multiples of 1, 2 or 5 times a power of ten, from the last one not above `low` to the first not below `high`.
fn linear_ticks(low: f64, high: f64, most: usize) -> Vec<Tick> {
    // Finer than any step that could do; every round below is coarser.
    let finest = ((high - low) / most as f64).log10().floor() as i32 - 1;
    let steps = (finest..).flat_map(|exponent| [1, 2, 5].map(|digit| (digit, exponent)));
    for (digit, exponent) in steps {
        let value = |multiple: i64| power(multiple * digit, exponent);
        let step = value(1);
        let (mut first, mut last) = ((low / step).floor() as i64, (high / step).ceil() as i64);
        // The division may have rounded past the end.
        first -= i64::from(value(first) > low);
        last += i64::from(value(last) < high);
        if (last - first) < most as i64 {
            let largest = value(first).abs().max(value(last).abs());
            let tick = |multiple| Tick { value: value(multiple), label: decimal(value(multiple), largest, exponent) };
            return (first..=last).map(tick).collect();
        }
    }
    unreachable!("a step beyond both ends leaves three ticks")
}

/// Ticks at 1, 2 and 5 in every decade; if these are too many at every decade, then at every second, third, and so on.
fn log_ticks(low: f64, high: f64, most: usize) -> Vec<Tick> {
    let (low, high) = if low > 0.0 { (low, high) } else { (1.0, 10.0) };
    let decade = |value: f64| value.log10().floor() as i64;
    let cover = |value: &dyn Fn(i64) -> f64, near_low: i64, near_high: i64| {
        // The guesses are at most one tick off, since the logarithm is rounded.
        let first = (near_low - 1..).take_while(|&at| value(at) <= low).last().unwrap_or(near_low - 1);
        let last = (near_high..).find(|&at| value(at) >= high).unwrap_or(near_high);
        (first, last.max(first + 1))
    };
    let third = |at: i64| power([1, 2, 5][at.rem_euclid(3) as usize], at.div_euclid(3) as i32);
    let (first, last) = cover(&third, decade(low) * 3, decade(high) * 3);
    if last - first < most as i64 {
        return labelled((first..=last).map(third).collect());
    }
    for every in 1.. {
        // Steps of hundreds of decades may lead beyond what can be drawn.
        let value = |at: i64| power(1, (at * every).clamp(-MOST_DECADES, MOST_DECADES) as i32);
        let (first, last) = cover(&value, decade(low).div_euclid(every), decade(high).div_euclid(every));
        if last - first < most as i64 {
            return labelled((first..=last).map(value).collect());
        }
    }
    unreachable!("steps beyond both ends leave three ticks")
}

/// Ticks of equal factors: all in plain decimals if these are short, else all as powers of ten.
fn labelled(values: Vec<f64>) -> Vec<Tick> {
    let plain = values.iter().all(|value| (PLAIN..1.0 / PLAIN).contains(value));
    let label = |value: f64| if plain { value.to_string() } else { scientific(value) };
    values.into_iter().map(|value| Tick { value, label: label(value) }).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn labels(spacing: Spacing, values: &[f64], most: usize) -> Vec<String> {
        Scale::new(spacing, values, most).ticks().iter().map(|tick| tick.label.clone()).collect()
    }

    #[test]
    fn linear_ticks_are_round() {
        assert_eq!(labels(Spacing::Linear, &[0.0, 1.0], 6), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(labels(Spacing::Linear, &[3.0, 1158.0], 4), ["0", "500", "1000", "1500"]);
        assert_eq!(labels(Spacing::Linear, &[-7.0, 12.0], 6), ["−10", "−5", "0", "5", "10", "15"]);
        assert_eq!(labels(Spacing::Linear, &[0.0, 3e6], 4), ["0", "10⁶", "2×10⁶", "3×10⁶"]);
        assert_eq!(labels(Spacing::Linear, &[0.0, 2e-5], 3), ["0", "10⁻⁵", "2×10⁻⁵"]);
    }

    #[test]
    fn a_single_figure_stands_in_the_middle() {
        for value in [1.0, 5000.0, -3.0, 1e-12] {
            let scale = Scale::new(Spacing::Linear, &[value], 6);
            assert!((scale.place(value).unwrap() - 0.5).abs() < 0.2, "{value}");
        }
        assert_eq!(labels(Spacing::Linear, &[0.0], 3), ["0.0", "0.5", "1.0"]);
        assert_eq!(labels(Spacing::Linear, &[], 3), ["0.0", "0.5", "1.0"]);
    }

    #[test]
    fn logarithms_are_taken_where_the_range_asks_for_it() {
        assert_eq!(labels(Spacing::Fitting, &[1.0, 1158.0], 6), ["1", "10", "100", "1000", "10000"]);
        assert_eq!(labels(Spacing::Fitting, &[1.0, 40.0], 6), ["1", "2", "5", "10", "20", "50"]);
        assert_eq!(labels(Spacing::Fitting, &[0.00003, 0.2], 6), ["0.00001", "0.0001", "0.001", "0.01", "0.1", "1"]);
        assert_eq!(labels(Spacing::Fitting, &[3e-6, 0.2], 4), ["10⁻⁶", "10⁻⁴", "10⁻²", "10⁰"]);
        assert_eq!(labels(Spacing::Fitting, &[1.0, 29.0], 4), ["0", "10", "20", "30"]);
        assert_eq!(labels(Spacing::Fitting, &[0.0, 1000.0], 3), ["0", "500", "1000"]);
        assert_eq!(labels(Spacing::Log, &[1.0], 5), ["1", "2"]);
        assert_eq!(labels(Spacing::Log, &[], 5), ["1", "2", "5", "10"]);
    }

    #[test]
    fn percentages_stay_between_0_and_100_and_are_not_magnified() {
        assert_eq!(labels(Spacing::Percent, &[100.0], 4), ["98", "99", "100"]);
        assert_eq!(labels(Spacing::Percent, &[0.0], 4), ["0", "1", "2"]);
        assert_eq!(labels(Spacing::Percent, &[84.2, 84.3], 6), ["83.0", "83.5", "84.0", "84.5", "85.0", "85.5"]);
        assert_eq!(labels(Spacing::Percent, &[41.0, 99.7], 5), ["40", "60", "80", "100"]);
    }

    #[test]
    fn what_lies_outside_has_no_place() {
        let scale = Scale::new(Spacing::Log, &[1.0, 1000.0, f64::NAN, -4.0, f64::INFINITY], 4);
        assert_eq!(scale.place(1000.0), Some(1.0));
        assert!((scale.place(10.0).unwrap() - 1.0 / 3.0).abs() < 1e-12);
        assert_eq!([0.0, -1.0, 0.5, 2000.0, f64::NAN, f64::INFINITY].map(|value| scale.place(value)), [None; 6]);
    }

    #[test]
    fn steps_of_hundreds_of_decades_end_at_the_smallest_figure() {
        let scale = Scale::new(Spacing::Log, &[3e-244, 8e240], 4);
        assert_eq!(scale.ticks().iter().map(|tick| tick.value).collect::<Vec<_>>(), [1e-300, 1e-241, 1.0, 1e241]);
        assert!(scale.place(3e-244).is_some());
    }

    fn figure() -> impl Strategy<Value = f64> {
        let sized = (-300i32..300, -1.0..1.0f64).prop_map(|(exponent, share)| share * 10f64.powi(exponent));
        prop_oneof![Just(0.0), Just(f64::MIN_POSITIVE), -1e3..1e3f64, 1e-6..1e6f64, sized]
    }

    proptest! {
        #[test]
        fn ticks_cover_the_range(
            values in prop::collection::vec(figure(), 0..6),
            most in 0usize..12,
            spacing in prop::sample::select(vec![Spacing::Linear, Spacing::Log, Spacing::Fitting, Spacing::Percent]),
        ) {
            let scale = Scale::new(spacing, &values, most);
            let ticks = scale.ticks();
            prop_assert!((2..=most.max(3)).contains(&ticks.len()), "{ticks:?}");
            prop_assert!(ticks.windows(2).all(|pair| pair[0].value < pair[1].value), "{ticks:?}");
            prop_assert!(ticks.windows(2).all(|pair| pair[0].label != pair[1].label), "{ticks:?}");
            for value in values {
                let can = match spacing {
                    Spacing::Log => value >= 1e-300,
                    Spacing::Percent => (0.0..=100.0).contains(&value),
                    _ => true,
                };
                prop_assert!(!can || scale.place(value).is_some(), "{value} in {ticks:?}");
            }
        }

        #[test]
        fn the_ends_of_the_axis_are_no_further_than_they_must(low in 1e-3..1e3f64, span in 1e-3..1e3f64, most in 4usize..10) {
            let scale = Scale::new(Spacing::Linear, &[low, low + span], most);
            prop_assert!(scale.place(low + span).unwrap() - scale.place(low).unwrap() >= 0.25);
        }
    }
}
