//! The two examples that run through Breiman, Friedman, Olshen and Stone, *Classification and Regression Trees*
//! (1984): a faulty digit display (section 2.6.1) and noisy waves (section 2.6.2).

use super::random::Random;
use super::{BITS, nominal};
use crate::data::Column;

const DIGITS: [&str; 10] = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"];

/// The segments of each digit: top, upper left, upper right, middle, lower left, lower right, bottom.
const SEGMENTS: [[u32; 7]; 10] = [
    [1, 1, 1, 0, 1, 1, 1],
    [0, 0, 1, 0, 0, 1, 0],
    [1, 0, 1, 1, 1, 0, 1],
    [1, 0, 1, 1, 0, 1, 1],
    [0, 1, 1, 1, 0, 1, 0],
    [1, 1, 0, 1, 0, 1, 1],
    [1, 1, 0, 1, 1, 1, 1],
    [1, 0, 1, 0, 0, 1, 0],
    [1, 1, 1, 1, 1, 1, 1],
    [1, 1, 1, 1, 0, 1, 1],
];

/// A random digit on a display whose segments are each inverted with probability `noise`, then `irrelevant` random
/// bits.
pub(super) fn display(random: &mut Random, rows: usize, noise: f64, irrelevant: usize) -> Vec<Column> {
    let mut bits = vec![Vec::with_capacity(rows); SEGMENTS[0].len() + irrelevant];
    let mut digits = Vec::with_capacity(rows);
    for _ in 0..rows {
        let digit = random.below(DIGITS.len());
        digits.push(digit as u32);
        for (at, column) in bits.iter_mut().enumerate() {
            column.push(match SEGMENTS[digit].get(at) {
                Some(segment) => segment ^ u32::from(random.happens(noise)),
                None => random.below(2) as u32,
            });
        }
    }
    let mut columns: Vec<Column> =
        bits.into_iter().enumerate().map(|(at, codes)| nominal(&format!("x{}", at + 1), &BITS, codes)).collect();
    columns.push(nominal("class", &DIGITS, digits));
    columns
}

/// Points at which a wave is measured, numbered from 1.
const POINTS: usize = 21;
/// Where the triangular waves peak, at a height of 6, and which two of them a class mixes. The classes are numbered as
/// in UCI's file.
const MIXED_PEAKS: [[i32; 2]; 3] = [[7, 15], [7, 11], [15, 11]];

/// A random mixture of two triangular waves with standard normal noise at each point, then `irrelevant` attributes of
/// noise only. Values have two decimals, as in UCI's file.
pub(super) fn waveform(random: &mut Random, rows: usize, irrelevant: usize) -> Vec<Column> {
    let mut values = vec![Vec::with_capacity(rows); POINTS + irrelevant];
    let mut classes = Vec::with_capacity(rows);
    for _ in 0..rows {
        let class = random.below(MIXED_PEAKS.len());
        classes.push(class as u32);
        let share = random.uniform();
        let [first, second] = MIXED_PEAKS[class];
        for (at, column) in values.iter_mut().enumerate() {
            let point = at as i32 + 1;
            let wave =
                if at < POINTS { share * height(point, first) + (1.0 - share) * height(point, second) } else { 0.0 };
            column.push(two_decimals(wave + random.normal()));
        }
    }
    let mut columns: Vec<Column> =
        values.into_iter().enumerate().map(|(at, values)| Column::numeric(format!("x{}", at + 1), values)).collect();
    columns.push(nominal("class", &DIGITS[..MIXED_PEAKS.len()], classes));
    columns
}

fn height(point: i32, peak: i32) -> f64 {
    f64::from((6 - (point - peak).abs()).max(0))
}

fn two_decimals(value: f64) -> f64 {
    // Adding zero turns −0 into 0.
    (value * 100.0).round() / 100.0 + 0.0
}

#[cfg(test)]
mod tests {
    use super::super::tests::{class_codes, class_counts, codes, numbers};
    use super::*;
    use crate::data::generate::{Knobs, builtin, generate};

    #[test]
    fn a_display_without_noise_shows_each_digit() {
        let data = generate("led7", &Knobs { noise: Some(0.0), ..Knobs::default() }).unwrap();
        assert_eq!((data.rows(), data.attributes().len()), (1_000, 8));
        for row in 0..data.rows() {
            let digit = class_codes(&data)[row] as usize;
            assert!((0..7).all(|at| codes(&data, at)[row] == SEGMENTS[digit][at]), "row {row}");
        }
        // Lit segments of the usual display: 8 has all seven, 1 has two.
        let lit: Vec<u32> = SEGMENTS.iter().map(|segments| segments.iter().sum()).collect();
        assert_eq!(lit, [6, 2, 5, 5, 4, 5, 6, 3, 7, 6]);
    }

    #[test]
    fn a_tenth_of_the_segments_is_inverted() {
        for (name, columns) in [("led7", 8), ("led24", 25)] {
            let data = generate(name, &Knobs { rows: Some(20_000), ..Knobs::default() }).unwrap();
            assert_eq!(data.attributes().len(), columns);
            let inverted = |at: usize| {
                let rows = codes(&data, at).iter().zip(class_codes(&data));
                rows.filter(|&(&bit, &digit)| bit != SEGMENTS[digit as usize][at]).count()
            };
            let counts: Vec<usize> = (0..7).map(inverted).collect();
            assert!(counts.iter().all(|count| (1_850..2_150).contains(count)), "{name}: {counts:?}");
            for at in 7..columns - 1 {
                let set = codes(&data, at).iter().sum::<u32>();
                assert!((9_700..10_300).contains(&set), "{name}, bit {at}: {set}");
            }
            assert!(class_counts(&data).iter().all(|count| (1_800..2_200).contains(count)));
        }
        assert_eq!(builtin("led24").unwrap().rows(), 1_000);
    }

    #[test]
    fn waves_have_equal_shares_and_the_means_of_their_mixtures() {
        for (name, columns) in [("waveform", 22), ("waveform-40", 41)] {
            let data = builtin(name).unwrap();
            assert_eq!((data.rows(), data.attributes().len()), (5_000, columns));
            let counts = class_counts(&data);
            assert!(counts.iter().all(|count| (1_550..1_790).contains(count)), "{counts:?}");
            for at in 0..columns - 1 {
                for class in 0..3 {
                    let of_class: Vec<f64> = numbers(&data, at)
                        .iter()
                        .zip(class_codes(&data))
                        .filter(|&(_, &code)| code == class)
                        .map(|(&value, _)| value)
                        .collect();
                    let mean = of_class.iter().sum::<f64>() / of_class.len() as f64;
                    let peaks = MIXED_PEAKS[class as usize];
                    let expected = if at < POINTS {
                        peaks.iter().map(|&peak| height(at as i32 + 1, peak) / 2.0).sum()
                    } else {
                        0.0
                    };
                    assert!((mean - expected).abs() < 0.2, "{name}, x{}, class {class}: {mean}", at + 1);
                }
            }
        }
        // Expected values of the mixtures at the middle, by hand: 2, 4 and 4.
        assert_eq!([7, 15, 11].map(|peak| height(11, peak)), [2.0, 2.0, 6.0]);
    }
}
