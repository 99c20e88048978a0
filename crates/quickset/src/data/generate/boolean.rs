//! Concepts over bits: parity, the multiplexer, and a multiplexer of parities (Esmeir and Markovitch 2007).
//!
//! A row is an integer whose highest bit of `width` is the first attribute, so that counting up lists the full space
//! with the last attribute changing fastest.

use super::random::Random;
use super::{BITS, nominal};
use crate::data::Column;

/// Parity of the first `relevant` of `width` random bits; the others are irrelevant.
pub(super) fn parity(random: &mut Random, rows: usize, relevant: u32, width: u32) -> Vec<Column> {
    let patterns = random_patterns(random, rows, width);
    concept(&numbered("x", 1, width), &patterns, |pattern| (pattern >> (width - relevant)).count_ones() % 2 == 1)
}

/// The multiplexer over its full space: `address` bits, the highest first, name the data bit that is the class.
pub(super) fn multiplexer_space(address: u32) -> Vec<Column> {
    let width = address + (1 << address);
    multiplexer(address, &(0..1 << width).collect::<Vec<u32>>())
}

/// The multiplexer on random rows.
pub(super) fn multiplexer_draws(random: &mut Random, rows: usize, address: u32) -> Vec<Column> {
    let patterns = random_patterns(random, rows, address + (1 << address));
    multiplexer(address, &patterns)
}

fn multiplexer(address: u32, patterns: &[u32]) -> Vec<Column> {
    let data = 1 << address;
    let names = [numbered("a", 0, address), numbered("d", 0, data)].concat();
    concept(&names, patterns, |pattern| {
        let addressed = pattern >> data;
        pattern >> (data - 1 - addressed) & 1 == 1
    })
}

/// The first bit selects one of two parities: of the first k of x1 … x5, or of the first l of x6 … x10, where k and l
/// are drawn from 2 to 5.
pub(super) fn multiplexed_parity(random: &mut Random, rows: usize) -> Vec<Column> {
    const HALF: u32 = 5;
    const WIDTH: u32 = 2 * HALF + 1;
    let mut size = || 2 + random.below(4) as u32;
    let (when_clear, when_set) = (size(), size());
    let patterns = random_patterns(random, rows, WIDTH);
    concept(&numbered("x", 0, WIDTH), &patterns, |pattern| {
        let first_half = pattern >> HALF & 0b11111;
        let second_half = pattern & 0b11111;
        let parity_of_first = |half: u32, size: u32| (half >> (HALF - size)).count_ones() % 2 == 1;
        if pattern >> (2 * HALF) == 0 {
            parity_of_first(first_half, when_clear)
        } else {
            parity_of_first(second_half, when_set)
        }
    })
}

fn random_patterns(random: &mut Random, rows: usize, width: u32) -> Vec<u32> {
    (0..rows).map(|_| (random.bits() >> (64 - width)) as u32).collect()
}

fn numbered(letter: &str, first: u32, count: u32) -> Vec<String> {
    (first..first + count).map(|number| format!("{letter}{number}")).collect()
}

fn concept(names: &[String], patterns: &[u32], holds: impl Fn(u32) -> bool) -> Vec<Column> {
    let mut columns: Vec<Column> = names
        .iter()
        .enumerate()
        .map(|(at, name)| {
            let shift = names.len() - 1 - at;
            nominal(name, &BITS, patterns.iter().map(|pattern| pattern >> shift & 1).collect())
        })
        .collect();
    columns.push(nominal("class", &BITS, patterns.iter().map(|&pattern| u32::from(holds(pattern))).collect()));
    columns
}

#[cfg(test)]
mod tests {
    use super::super::tests::{class_codes, codes};
    use crate::data::Dataset;
    use crate::data::generate::{Knobs, builtin, generate};
    use std::collections::HashSet;

    fn bits(data: &Dataset, row: usize) -> Vec<u32> {
        (0..data.attributes().len() - 1).map(|at| codes(data, at)[row]).collect()
    }

    fn wrong_labels(data: &Dataset, label: impl Fn(&[u32]) -> u32) -> usize {
        (0..data.rows()).filter(|&row| label(&bits(data, row)) != class_codes(data)[row]).count()
    }

    #[test]
    fn parity_labels_are_sums_modulo_two() {
        for (name, rows, relevant, width, wrong) in
            [("xor-5", 200, 5, 10, 0), ("xor-5-noise", 200, 5, 10, 20), ("xor-10", 10_000, 10, 20, 0)]
        {
            let data = builtin(name).unwrap();
            assert_eq!((data.rows(), data.attributes().len()), (rows, width + 1), "{name}");
            assert_eq!(wrong_labels(&data, |bits| bits[..relevant].iter().sum::<u32>() % 2), wrong, "{name}");
        }
    }

    #[test]
    fn noise_changes_labels_and_nothing_else() {
        let (clean, noisy) = (builtin("xor-5").unwrap(), builtin("xor-5-noise").unwrap());
        assert!((0..10).all(|at| codes(&clean, at) == codes(&noisy, at)));
        let asked = generate("xor-5", &Knobs { noise: Some(0.1), ..Knobs::default() }).unwrap();
        assert_eq!(class_codes(&asked), class_codes(&noisy));
    }

    #[test]
    fn the_multiplexer_shows_the_addressed_bit() {
        for (name, rows, address) in [("mux-11", 2_048, 3), ("mux-20", 615, 4)] {
            let data = builtin(name).unwrap();
            assert_eq!((data.rows(), data.attributes().len()), (rows, address + (1 << address) + 1), "{name}");
            let label = |bits: &[u32]| {
                let at = bits[..address].iter().fold(0, |number, bit| 2 * number + bit);
                bits[address + at as usize]
            };
            assert_eq!(wrong_labels(&data, label), 0, "{name}");
        }
        let space = builtin("mux-11").unwrap();
        assert_eq!((0..2_048).map(|row| bits(&space, row)).collect::<HashSet<_>>().len(), 2_048);
    }

    #[test]
    fn multiplexed_parity_is_two_parities_of_two_to_five_bits() {
        for seed in 0..20 {
            let data = generate("mux-xor", &Knobs { seed: Some(seed), ..Knobs::default() }).unwrap();
            assert_eq!((data.rows(), data.attributes().len()), (200, 12));
            let explaining = (2..=5).flat_map(|k| (2..=5).map(move |l| (k, l))).filter(|&(k, l)| {
                let label = |bits: &[u32]| {
                    let parity = if bits[0] == 0 { &bits[1..1 + k] } else { &bits[6..6 + l] };
                    parity.iter().sum::<u32>() % 2
                };
                wrong_labels(&data, label) == 0
            });
            assert_eq!(explaining.count(), 1, "seed {seed}");
        }
    }
}
