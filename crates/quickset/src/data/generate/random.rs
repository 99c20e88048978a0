//! Random draws that are the same on every machine and with every version of the random crates.
//!
//! Only the generator is taken from a crate; its output is fixed by its authors' reference. Everything above it is
//! arithmetic that IEEE 754 rounds in one way, so not even a last bit depends on the platform's mathematics library.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// A stream of draws.
#[derive(Debug)]
pub(super) struct Random {
    generator: Xoshiro256PlusPlus,
    /// Normal draws come in pairs; the second waits here.
    second_normal: Option<f64>,
}

impl Random {
    /// Stream number `stream` of `seed`. Parts of a set that draw from streams of their own do not disturb one another:
    /// more rows leave the first ones as they were.
    pub fn new(seed: u64, stream: u64) -> Self {
        // Not the increment by which the generator spreads its seed: streams would then be shifts of one another.
        const STREAM: u64 = 0xd1b5_4a32_d192_ed03;
        let generator = Xoshiro256PlusPlus::seed_from_u64(seed.wrapping_add(stream.wrapping_mul(STREAM)));
        Random { generator, second_normal: None }
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.generator.next_u64()
    }

    /// Uniform on [0, 1), a multiple of 2⁻⁵³.
    pub fn uniform(&mut self) -> f64 {
        const STEP: f64 = 1.0 / (1u64 << 53) as f64;
        (self.bits() >> 11) as f64 * STEP
    }

    /// True with this probability.
    pub fn happens(&mut self, probability: f64) -> bool {
        self.uniform() < probability
    }

    /// Uniform on `0..end`, without bias: the high half of a product, drawn again where the low half falls into the
    /// part that would favour some numbers (Lemire 2019).
    pub fn below(&mut self, end: usize) -> usize {
        let end = end as u64;
        assert!(end > 0, "a draw needs something to draw from");
        let unfair = end.wrapping_neg() % end;
        loop {
            let product = u128::from(self.bits()) * u128::from(end);
            if product as u64 >= unfair {
                return (product >> 64) as usize;
            }
        }
    }

    /// Uniform on `0..end` but never `other`.
    pub fn below_except(&mut self, end: usize, other: usize) -> usize {
        let draw = self.below(end - 1);
        if draw < other { draw } else { draw + 1 }
    }

    /// Standard normal, by Marsaglia's polar method.
    pub fn normal(&mut self) -> f64 {
        if let Some(normal) = self.second_normal.take() {
            return normal;
        }
        loop {
            let (x, y) = (2.0 * self.uniform() - 1.0, 2.0 * self.uniform() - 1.0);
            let square = x * x + y * y;
            if square > 0.0 && square < 1.0 {
                let scale = (-2.0 * natural_logarithm(square) / square).sqrt();
                self.second_normal = Some(y * scale);
                return x * scale;
            }
        }
    }

    /// Puts the items into a random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

/// ln x of a positive normal number: x = m·2ᵉ with m near 1, and ln m = 2 artanh((m − 1)/(m + 1)) as a series.
fn natural_logarithm(x: f64) -> f64 {
    const TERMS: u32 = 13;
    let bits = x.to_bits();
    let mut exponent = (bits >> 52) as i32 - 1023;
    let mut mantissa = f64::from_bits((bits & ((1 << 52) - 1)) | (1023 << 52));
    if mantissa > std::f64::consts::SQRT_2 {
        mantissa /= 2.0;
        exponent += 1;
    }
    let ratio = (mantissa - 1.0) / (mantissa + 1.0);
    let square = ratio * ratio;
    let series = (0..TERMS).rev().fold(0.0, |sum, term| sum * square + 1.0 / f64::from(2 * term + 1));
    f64::from(exponent) * std::f64::consts::LN_2 + 2.0 * ratio * series
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_is_the_published_one() {
        // Seed 1 by SplitMix64, then xoshiro256++, computed from the authors' definitions outside this program.
        let mut random = Random::new(1, 0);
        assert_eq!(random.bits(), 0xcfc5_d07f_6f03_c29b);
        assert_eq!(random.bits(), 0xbf42_4132_963f_e08d);
        assert_eq!(random.bits(), 0x19a3_7d57_57aa_f520);
    }

    #[test]
    fn streams_of_a_seed_differ() {
        let first = |seed, stream| Random::new(seed, stream).bits();
        assert_ne!(first(1, 0), first(1, 1));
        assert_ne!(first(1, 0), first(2, 0));
    }

    #[test]
    fn numbers_below_an_end_are_equally_frequent() {
        let mut random = Random::new(3, 0);
        let mut counts = [0; 5];
        (0..50_000).for_each(|_| counts[random.below(5)] += 1);
        assert!(counts.iter().all(|count| (9_700..10_300).contains(count)), "{counts:?}");
        assert!((0..100).all(|_| random.below_except(3, 1) != 1));
    }

    #[test]
    fn normal_draws_have_mean_zero_and_variance_one() {
        let mut random = Random::new(4, 0);
        let draws: Vec<f64> = (0..100_000).map(|_| random.normal()).collect();
        let moment = |power| draws.iter().map(|draw| draw.powi(power)).sum::<f64>() / draws.len() as f64;
        assert!(moment(1).abs() < 0.02, "mean {}", moment(1));
        assert!((moment(2) - 1.0).abs() < 0.02, "variance {}", moment(2));
        assert!((moment(4) - 3.0).abs() < 0.15, "fourth moment {}", moment(4));
    }

    #[test]
    fn the_logarithm_is_that_of_the_library() {
        let mut random = Random::new(5, 0);
        for x in (0..10_000).map(|_| random.uniform()).chain([1e-300, 0.5, 1.0]) {
            assert!((natural_logarithm(x) - x.ln()).abs() <= 4e-16 * x.ln().abs().max(1.0), "ln {x}");
        }
    }

    #[test]
    fn shuffling_keeps_every_item() {
        let mut items: Vec<usize> = (0..100).collect();
        Random::new(6, 0).shuffle(&mut items);
        assert_ne!(items, (0..100).collect::<Vec<_>>());
        items.sort_unstable();
        assert_eq!(items, (0..100).collect::<Vec<_>>());
    }
}
