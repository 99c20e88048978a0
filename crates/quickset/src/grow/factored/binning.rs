//! Where the bins of a numeric attribute end.

use crate::recipe::BinsBy;

/// Bins of an attribute: bin `i` holds the numbers above the edge before it, up to its own.
#[derive(Debug)]
pub(crate) struct Binning {
    /// The upper edges of all bins but the last.
    edges: Vec<f64>,
    /// For bins of equal width: the lowest number and bins per unit, by which the bin is guessed.
    even: Option<(f64, f64)>,
}

impl Binning {
    /// Bins for some known numbers; `None` where all are the same.
    pub fn new(numbers: &[f64], by: BinsBy, count: usize) -> Option<Self> {
        let low = numbers.iter().copied().fold(f64::INFINITY, f64::min);
        let high = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if low >= high || !(high - low).is_finite() {
            return None;
        }
        let count = count.max(2);
        Some(match by {
            BinsBy::Width => {
                let width = (high - low) / count as f64;
                let edges = (1..count).map(|i| low + i as f64 * width).collect();
                Binning { edges, even: Some((low, width.recip())) }
            }
            BinsBy::Frequency => {
                let mut sorted = numbers.to_vec();
                sorted.sort_unstable_by(f64::total_cmp);
                let mut edges: Vec<f64> = (1..count)
                    .filter_map(|i| {
                        let at = i * sorted.len() / count;
                        (at > 0 && sorted[at - 1] < high).then(|| sorted[at - 1])
                    })
                    .collect();
                edges.dedup();
                Binning { edges, even: None }
            }
        })
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

    /// The bin of a number.
    #[inline]
    pub fn bin(&self, number: f64) -> usize {
        let Some((low, per_unit)) = self.even else { return self.edges.partition_point(|&edge| edge < number) };
        let mut bin = (((number - low) * per_unit) as usize).min(self.edges.len());
        // The guess is rounded; the edges decide.
        while bin > 0 && number <= self.edges[bin - 1] {
            bin -= 1;
        }
        while bin < self.edges.len() && number > self.edges[bin] {
            bin += 1;
        }
        bin
    }

    /// Whether a number is the upper edge of its bin.
    pub fn is_edge(&self, number: f64) -> bool {
        self.edges.get(self.bin(number)) == Some(&number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn equal_width_is_fragile_to_outliers() {
        // ALGORITHMS.md §3.2.
        let numbers = [0.0, 1.0, 2.0, 3.0, 4.0, 10.0, 20.0, 30.0, 90.0];
        let binning = Binning::new(&numbers, BinsBy::Width, 3).unwrap();
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
            for by in [BinsBy::Width, BinsBy::Frequency] {
                let Some(binning) = Binning::new(&numbers, by, count) else { continue };
                let edges = binning.edges.iter();
                for &number in numbers.iter().chain(edges) {
                    prop_assert_eq!(binning.bin(number), binning.edges.partition_point(|&edge| edge < number));
                }
                prop_assert!(binning.len() <= count);
            }
        }
    }
}
