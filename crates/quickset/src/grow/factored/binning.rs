//! Where the bins of a numeric attribute end.

use crate::measure::widest;

/// Bins of an attribute: bin `i` holds the numbers above the edge before it, up to its own.
#[derive(Debug)]
pub(crate) struct Binning {
    /// The upper edges of all bins but the last.
    edges: Vec<f64>,
    /// For bins of equal width: the lowest number and bins per unit, by which the bin is guessed.
    even: Option<(f64, f64)>,
}

impl Binning {
    /// Bins of equal width from one number to another; `None` where these are the same, or there are none.
    pub fn by_width((low, high): (f64, f64), count: usize) -> Option<Self> {
        if low >= high || !(high - low).is_finite() {
            return None;
        }
        let width = (high - low) / count.max(2) as f64;
        let edges = (1..count.max(2)).map(|i| low + i as f64 * width).collect();
        Some(Binning { edges, even: Some((low, width.recip())) })
    }

    /// Bins of about equal numbers of rows; `None` where all numbers are the same.
    pub fn by_frequency(numbers: impl Iterator<Item = f64>, count: usize) -> Option<Self> {
        let mut sorted: Vec<f64> = numbers.collect();
        sorted.sort_unstable_by(f64::total_cmp);
        let (Some(&low), Some(&high)) = (sorted.first(), sorted.last()) else { return None };
        if low >= high {
            return None;
        }
        let ends = (1..count.max(2)).map(|i| i * sorted.len() / count.max(2)).filter(|&end| end > 0);
        let mut edges: Vec<f64> = ends.map(|end| sorted[end - 1]).filter(|&edge| edge < high).collect();
        edges.dedup();
        Some(Binning { edges, even: None })
    }

    /// The upper edges of all bins but the last.
    pub fn edges(&self) -> &[f64] {
        &self.edges
    }

    /// Given edges.
    pub fn at(edges: Vec<f64>) -> Self {
        Binning { edges, even: None }
    }

    /// Number of bins.
    pub fn len(&self) -> usize {
        self.edges.len() + 1
    }

    /// The bin of a number; some bin where it is missing.
    #[inline(always)]
    pub fn bin(&self, number: f64) -> usize {
        let Some((low, per_unit)) = self.even else { return self.edges.partition_point(|&edge| edge < number) };
        let mut bin = (((number - low) * per_unit) as u32 as usize).min(self.edges.len());
        // The guess is rounded; the edges decide.
        while bin > 0 && number <= self.edges[bin - 1] {
            bin -= 1;
        }
        while bin < self.edges.len() && number > self.edges[bin] {
            bin += 1;
        }
        bin
    }

    /// The upper edge of a bin.
    #[inline(always)]
    pub fn edge(&self, bin: usize) -> f64 {
        self.edges.get(bin).copied().unwrap_or(f64::INFINITY)
    }
}

/// The lowest and the highest of some numbers, several at a time; missing ones are left out.
pub(crate) fn ends(numbers: &[f64]) -> (f64, f64) {
    const LANES: usize = 8;
    let (lanes, rest) = numbers.as_chunks::<LANES>();
    let (mut low, mut high) = ([f64::INFINITY; LANES], [f64::NEG_INFINITY; LANES]);
    widest(
        #[inline(always)]
        || {
            for numbers in lanes {
                for ((low, high), &number) in low.iter_mut().zip(&mut high).zip(numbers) {
                    *low = if number < *low { number } else { *low };
                    *high = if number > *high { number } else { *high };
                }
            }
        },
    );
    let lowest = low.iter().chain(rest).fold(f64::INFINITY, |low, &number| if number < low { number } else { low });
    let higher = |high, &number| if number > high { number } else { high };
    (lowest, high.iter().chain(rest).fold(f64::NEG_INFINITY, higher))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn equal_width_is_fragile_to_outliers() {
        // ALGORITHMS.md §3.2.
        let numbers = [0.0, 1.0, 2.0, 3.0, 4.0, 10.0, 20.0, 30.0, 90.0];
        let binning = Binning::by_width(ends(&numbers), 3).unwrap();
        assert_eq!(binning.edges, [30.0, 60.0]);
        let mut counts = [0; 3];
        numbers.iter().for_each(|&number| counts[binning.bin(number)] += 1);
        assert_eq!(counts, [8, 0, 1]);
    }

    proptest! {
        #[test]
        fn a_guessed_bin_is_the_searched_one(
            numbers in prop::collection::vec(-5.0..5.0f64, 2..40),
            count in 2usize..20,
        ) {
            let numbers_of = || numbers.iter().copied();
            let both = [Binning::by_width(ends(&numbers), count), Binning::by_frequency(numbers_of(), count)];
            for binning in both.into_iter().flatten() {
                let edges = binning.edges.iter();
                for &number in numbers.iter().chain(edges) {
                    prop_assert_eq!(binning.bin(number), binning.edges.partition_point(|&edge| edge < number));
                }
                prop_assert!(binning.len() <= count);
            }
        }
    }
}
