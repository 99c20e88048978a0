//! What a tree was worth as time went on.

use serde::{Deserialize, Serialize};

/// The first moment of the axis, in seconds.
const FIRST: f64 = 0.01;
/// How many moments it has from one to ten times as late a one.
const PER_DECADE: f64 = 10.0;

/// A tree, and when it was there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Found {
    /// What made it.
    pub by: String,
    /// Since the search began, or what a single training took.
    pub seconds: f64,
    /// Percent of the test rows that it gets right.
    pub accuracy: f64,
    /// Its leaves.
    pub leaves: f64,
}

/// Moments at equal factors from 10 milliseconds on; the last one is the end.
pub fn grid(end: f64) -> Vec<f64> {
    let moment = |step: i32| FIRST * 10f64.powf(f64::from(step) / PER_DECADE);
    // A moment that is the end but for rounding is not counted twice.
    let mut grid: Vec<f64> = (0..).map(moment).take_while(|moment| *moment < end * (1.0 - 1e-9)).collect();
    grid.push(end);
    grid
}

/// The tree that is there at a moment: the last of those found by then, which are in the order of time.
pub fn at(found: &[Found], moment: f64) -> Option<&Found> {
    found[..found.partition_point(|found| found.seconds <= moment)].last()
}

/// Means of two curves over the axis, from the first moment at which both have a tree: the accuracy of each, then the
/// leaves of each. `None` where one of them never has a tree.
pub fn means(first: &[Found], second: &[Found], grid: &[f64]) -> Option<[[f64; 2]; 2]> {
    let both = grid.iter().filter_map(|&moment| Some([at(first, moment)?, at(second, moment)?]));
    let both: Vec<[&Found; 2]> = both.collect();
    let mean = |of: &dyn Fn(&[&Found; 2]) -> f64| both.iter().map(of).sum::<f64>() / both.len() as f64;
    let means = |figure: fn(&Found) -> f64| [mean(&|pair| figure(pair[0])), mean(&|pair| figure(pair[1]))];
    (!both.is_empty()).then(|| [means(|found| found.accuracy), means(|found| found.leaves)])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(trees: &[(f64, f64, f64)]) -> Vec<Found> {
        let tree = |&(seconds, accuracy, leaves)| Found { by: String::new(), seconds, accuracy, leaves };
        trees.iter().map(tree).collect()
    }

    #[test]
    fn moments_are_at_equal_factors_and_end_at_the_end() {
        let moments = grid(30.0);
        assert_eq!((moments[0], moments[moments.len() - 1]), (0.01, 30.0));
        assert_eq!(moments.len(), 36);
        assert!(moments.windows(2).all(|pair| pair[0] < pair[1] && pair[1] / pair[0] < 1.26));
        assert!((moments[20] - 1.0).abs() < 1e-12);
        // An end that is a moment itself is there once.
        assert_eq!(grid(1.0).len(), 21);
        assert_eq!(grid(0.001), [0.001]);
    }

    #[test]
    fn a_curve_has_no_value_before_its_first_tree_and_goes_on_flat() {
        let curve = found(&[(0.02, 60.0, 9.0), (0.5, 70.0, 8.0)]);
        let leaves = |moment| at(&curve, moment).map(|found| found.leaves);
        assert_eq!([0.01, 0.02, 0.49, 0.5, 99.0].map(leaves), [None, Some(9.0), Some(9.0), Some(8.0), Some(8.0)]);
        assert_eq!(at(&[], 1.0), None);
    }

    #[test]
    fn means_begin_where_both_have_a_tree() {
        let early = found(&[(0.0, 50.0, 40.0), (0.3, 80.0, 20.0)]);
        let late = found(&[(0.2, 90.0, 30.0)]);
        // Of the four moments the last three count.
        let [accuracy, leaves] = means(&early, &late, &[0.1, 0.2, 0.3, 0.4]).unwrap();
        assert_eq!((accuracy, leaves), ([70.0, 90.0], [80.0 / 3.0, 30.0]));
        assert_eq!(means(&early, &late, &[0.1]), None);
        assert_eq!(means(&early, &[], &[0.1, 1.0]), None);
    }
}
