//! Where the bins of a numeric attribute end.

use crate::measure::widest;

/// Bins of an attribute: bin `i` holds the numbers above the edge before it, up to its own.
#[derive(Debug)]
pub(crate) struct Binning {
    /// The upper edges of all bins; there is none above the last.
    edges: Vec<f64>,
    /// For bins of equal width.
    even: Option<Even>,
}

/// How the bin of a number is guessed where all are equally wide.
#[derive(Clone, Copy, Debug)]
struct Even {
    low: f64,
    per_unit: f64,
    /// A guess that is no farther than this from the middle of a bin is right: more than what rounding makes of the
    /// number's place and of the edges lies between.
    sure: f64,
}

impl Binning {
    /// Bins of equal width from one number to another; `None` where these are the same, or there are none.
    pub fn by_width((low, high): (f64, f64), count: usize) -> Option<Self> {
        if low >= high || !(high - low).is_finite() {
            return None;
        }
        let width = (high - low) / count.max(2) as f64;
        let edges = (1..count.max(2)).map(|i| low + i as f64 * width).collect();
        let per_unit = width.recip();
        let rounding = 4.0 * f64::EPSILON * (count.max(2) as f64 + low.abs().max(high.abs()) * per_unit);
        Some(Binning { even: Some(Even { low, per_unit, sure: 0.5 - rounding }), ..Self::at(edges) })
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
        Some(Self::at(edges))
    }

    /// The upper edges of all bins but the last.
    pub fn edges(&self) -> &[f64] {
        &self.edges[..self.edges.len() - 1]
    }

    /// Given edges of all bins but the last.
    pub fn at(mut edges: Vec<f64>) -> Self {
        edges.push(f64::INFINITY);
        Binning { edges, even: None }
    }

    /// Number of bins.
    pub fn len(&self) -> usize {
        self.edges.len()
    }

    /// The bin of a number.
    pub fn bin(&self, number: f64) -> usize {
        let mut bin = [0];
        self.bins(&[number], &mut bin);
        bin[0] as usize
    }

    /// The bins of some numbers; that of a missing one is any. Answers whether none is missing and none is an edge; it may
    /// say no where it does not know.
    #[inline]
    pub fn bins(&self, numbers: &[f64], bins: &mut [u32]) -> bool {
        let Some(even) = self.even else {
            let search = |number: f64| self.edges.partition_point(|&edge| edge < number) as u32;
            bins.iter_mut().zip(numbers).for_each(|(bin, &number)| *bin = search(number));
            return false;
        };
        if even.guess(numbers, bins) {
            return true;
        }
        // The guesses are rounded; the edges decide.
        for (bin, &number) in bins.iter_mut().zip(numbers) {
            let mut at = (*bin as usize).min(self.edges.len() - 1);
            while at > 0 && number <= self.edges[at - 1] {
                at -= 1;
            }
            while number > self.edges[at] {
                at += 1;
            }
            *bin = at as u32;
        }
        false
    }

    /// The upper edge of a bin.
    #[inline(always)]
    pub fn edge(&self, bin: usize) -> f64 {
        self.edges[bin]
    }
}

impl Even {
    /// Guesses the bins of some numbers; answers whether all guesses are right for sure.
    fn guess(self, numbers: &[f64], bins: &mut [u32]) -> bool {
        // Doubles of this size are whole, so that adding rounds; their last bits are those of the whole number.
        const WHOLE: f64 = (1u64 << 52) as f64 * 1.5;
        let certain = widest(
            #[inline(always)]
            move || {
                let mut certain = 0u64;
                for (bin, &number) in bins.iter_mut().zip(numbers) {
                    let from_middle = (number - self.low) * self.per_unit - 0.5;
                    let nearest = from_middle + WHOLE;
                    *bin = nearest.to_bits() as u32;
                    certain += u64::from((from_middle - (nearest - WHOLE)).abs() <= self.sure);
                }
                certain
            },
        );
        certain as usize == numbers.len()
    }
}

/// The lowest and the highest of some numbers, several at a time; missing ones are left out.
pub(crate) fn ends(numbers: &[f64]) -> (f64, f64) {
    const LANES: usize = 8;
    let (lanes, rest) = numbers.as_chunks::<LANES>();
    let (low, high) = widest(
        #[inline(always)]
        move || {
            let (mut low, mut high) = ([f64::INFINITY; LANES], [f64::NEG_INFINITY; LANES]);
            for numbers in lanes {
                for ((low, high), &number) in low.iter_mut().zip(&mut high).zip(numbers) {
                    *low = if number < *low { number } else { *low };
                    *high = if number > *high { number } else { *high };
                }
            }
            (low, high)
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
        assert_eq!(binning.edges(), [30.0, 60.0]);
        let mut counts = [0; 3];
        numbers.iter().for_each(|&number| counts[binning.bin(number)] += 1);
        assert_eq!(counts, [8, 0, 1]);
    }

    proptest! {
        #[test]
        fn a_guessed_bin_is_the_searched_one(
            numbers in prop::collection::vec(prop_oneof![-5.0..5.0f64, (-5..5i32).prop_map(f64::from)], 2..40),
            far in prop_oneof![Just(0.0), Just(1e6), Just(-1e15)],
            count in 2usize..20,
        ) {
            let numbers: Vec<f64> = numbers.into_iter().map(|number| number + far).collect();
            let numbers_of = || numbers.iter().copied();
            let both = [Binning::by_width(ends(&numbers), count), Binning::by_frequency(numbers_of(), count)];
            for binning in both.into_iter().flatten() {
                let asked: Vec<f64> = numbers.iter().chain(binning.edges()).copied().collect();
                let mut bins = vec![0; asked.len()];
                prop_assert!(!binning.bins(&asked, &mut bins), "there are edges");
                for (&number, bin) in asked.iter().zip(bins) {
                    let slow = binning.edges().partition_point(|&edge| edge < number);
                    prop_assert_eq!(bin as usize, slow);
                    let mut alone = [0];
                    let inside = binning.bins(&[number], &mut alone);
                    prop_assert_eq!(alone[0] as usize, slow);
                    prop_assert!(!inside || binning.edges().get(slow) != Some(&number));
                }
                prop_assert!(binning.len() <= count);
            }
        }
    }
}
