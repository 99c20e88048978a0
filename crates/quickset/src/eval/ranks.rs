//! Several learners over several data sets, by their ranks: Demšar (2006): *Statistical comparisons of classifiers over
//! multiple data sets*. Journal of Machine Learning Research 7, 1–30.
//!
//! On every set the best learner has rank 1. Friedman's test asks whether the mean ranks differ at all, Nemenyi's which
//! of them do: those that lie at least the *critical difference* apart.

use serde::Serialize;
use statrs::distribution::{ChiSquared, ContinuousCDF, FisherSnedecor};

use super::range::nemenyi_quantile;
use super::summary::{Better, same};

/// The ranks of scores: 1 for the best, and those that are the same share the mean of theirs.
pub fn ranks(scores: &[f64], better: Better) -> Vec<f64> {
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by(|&a, &b| match better {
        Better::Higher => scores[b].total_cmp(&scores[a]),
        Better::Lower => scores[a].total_cmp(&scores[b]),
    });
    let mut ranks = vec![0.0; scores.len()];
    let mut before = 0;
    for tied in order.chunk_by(|&a, &b| same(scores[a], scores[b])) {
        // The mean of before + 1 ..= before + tied.len().
        let rank = before as f64 + (tied.len() + 1) as f64 / 2.0;
        tied.iter().for_each(|&index| ranks[index] = rank);
        before += tied.len();
    }
    ranks
}

/// The mean rank of every learner over data sets; `scores` has a row for each set, all with a score for each learner.
pub fn mean_ranks(scores: &[Vec<f64>], better: Better) -> Vec<f64> {
    let mut sums = vec![0.0; scores.first().map_or(0, Vec::len)];
    for row in scores {
        sums.iter_mut().zip(ranks(row, better)).for_each(|(sum, rank)| *sum += rank);
    }
    sums.into_iter().map(|sum| sum / scores.len() as f64).collect()
}

/// Friedman's test that all learners are equal (1937), and what Iman and Davenport (1980) made of it, which is less
/// conservative.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Friedman {
    /// Friedman's χ², without a correction for shared ranks, as in Demšar (2006).
    pub chi_square: f64,
    /// Its degrees of freedom.
    pub degrees: usize,
    /// The probability of so large a χ² by chance.
    pub chi_square_p: f64,
    /// The F of Iman and Davenport; absent (infinite) where all data sets rank the learners alike.
    pub f: Option<f64>,
    /// Its two degrees of freedom.
    pub f_degrees: [usize; 2],
    /// The probability of so large an F by chance.
    pub f_p: f64,
}

impl Friedman {
    /// The test of mean ranks over `sets` data sets; `None` with fewer than two learners or two sets.
    pub fn of(mean_ranks: &[f64], sets: usize) -> Option<Self> {
        if mean_ranks.len() < 2 || sets < 2 {
            return None;
        }
        let (learners, n) = (mean_ranks.len() as f64, sets as f64);
        let degrees = mean_ranks.len() - 1;
        // Demšar (2006), section 3.2.2: 12 N / (k (k + 1)) (Σ R² − k (k + 1)² / 4). The mean of the ranks is (k + 1) / 2,
        // so this is the sum of squares around it, which does not cancel.
        let middle = (learners + 1.0) / 2.0;
        let squares: f64 = mean_ranks.iter().map(|rank| (rank - middle).powi(2)).sum();
        let chi_square = 12.0 * n / (learners * (learners + 1.0)) * squares;
        let f_degrees = [degrees, degrees * (sets - 1)];
        let most = n * (learners - 1.0);
        let f = (chi_square < most && !same(chi_square, most)).then(|| (n - 1.0) * chi_square / (most - chi_square));
        let f_p = match f {
            Some(f) => FisherSnedecor::new(f_degrees[0] as f64, f_degrees[1] as f64).ok()?.sf(f),
            None => 0.0,
        };
        let chi_square_p = ChiSquared::new(degrees as f64).ok()?.sf(chi_square);
        Some(Friedman { chi_square, degrees, chi_square_p, f, f_degrees, f_p })
    }
}

/// Nemenyi's critical difference: mean ranks of two of so many learners over `sets` data sets differ at the level
/// `alpha` if they lie at least this far apart (Demšar 2006, section 3.2.2). `None` with fewer than two learners, with no
/// set, or where `alpha` does not lie between 0 and 1.
pub fn critical_difference(learners: usize, sets: usize, alpha: f64) -> Option<f64> {
    let q = nemenyi_quantile(learners, alpha)?;
    let k = learners as f64;
    (sets > 0).then(|| q * (k * (k + 1.0) / (6.0 * sets as f64)).sqrt())
}

/// The groups of learners that do not differ, as bars in a critical-difference diagram: runs of the learners in the
/// order of their ranks, all within less than the critical difference, at least two, and none inside another.
pub fn groups(mean_ranks: &[f64], critical_difference: f64) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..mean_ranks.len()).collect();
    order.sort_by(|&a, &b| mean_ranks[a].total_cmp(&mean_ranks[b]));
    let mut groups = Vec::new();
    let mut covered = 0;
    for start in 0..order.len() {
        let within = |&&other: &&usize| mean_ranks[other] - mean_ranks[order[start]] < critical_difference;
        let end = start + order[start..].iter().take_while(within).count();
        // A run that ends where an earlier one did lies inside it.
        if end > start + 1 && end > covered {
            groups.push(order[start..end].to_vec());
            covered = end;
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn close(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-10, "found {found}, expected {expected}");
    }

    /// Areas under the ROC curve of C4.5 as it is, with m tuned, with cf tuned, with both: Demšar (2006), table 6.
    fn demsar() -> Vec<Vec<f64>> {
        [
            [0.763, 0.768, 0.771, 0.798],
            [0.599, 0.591, 0.590, 0.569],
            [0.954, 0.971, 0.968, 0.967],
            [0.628, 0.661, 0.654, 0.657],
            [0.882, 0.888, 0.886, 0.898],
            [0.936, 0.931, 0.916, 0.931],
            [0.661, 0.668, 0.609, 0.685],
            [0.583, 0.583, 0.563, 0.625],
            [0.775, 0.838, 0.866, 0.875],
            [1.000, 1.000, 1.000, 1.000],
            [0.940, 0.962, 0.965, 0.962],
            [0.619, 0.666, 0.614, 0.669],
            // Printed as 0.975 twice, but ranked 2 and 3.
            [0.972, 0.981, 0.9751, 0.975],
            [0.957, 0.978, 0.946, 0.970],
        ]
        .map(Vec::from)
        .to_vec()
    }

    #[test]
    fn demsars_example() {
        let found = mean_ranks(&demsar(), Better::Higher);
        for (&found, expected) in found.iter().zip([3.143, 2.000, 2.893, 1.964]) {
            assert!((found - expected).abs() < 0.0005, "found {found}, expected {expected}");
        }
        let friedman = Friedman::of(&found, 14).unwrap();
        assert!((friedman.chi_square - 9.28).abs() < 0.005);
        assert!((friedman.f.unwrap() - 3.69).abs() < 0.005);
        assert_eq!((friedman.degrees, friedman.f_degrees), (3, [3, 39]));
        // By scipy: chi2.sf and f.sf.
        close(friedman.chi_square_p, 0.025807496707063185);
        close(friedman.f_p, 0.019823006192249054);
        // The paper gives 1.25 at 0.05; at 0.10 q is 2.291, and it gives 1.12.
        let difference = critical_difference(4, 14, 0.05).unwrap();
        assert!((difference - 1.25).abs() < 0.005);
        assert!((critical_difference(4, 14, 0.10).unwrap() - 1.12).abs() < 0.005);
        // The paper: not even the best and the worst, 1.18 apart, are told apart at 0.05. At 0.10 C4.5 is worse than the
        // two with m tuned.
        assert_eq!(groups(&found, difference), [[3, 1, 2, 0]]);
        assert_eq!(groups(&found, 1.12), [vec![3, 1, 2], vec![2, 0]]);
    }

    // scipy.stats.friedmanchisquare; f.sf for the F.
    #[test]
    fn friedmans_test_agrees_with_scipy() {
        let scores = [
            [80.1, 79.2, 81.3],
            [70.0, 72.5, 71.1],
            [90.2, 88.8, 91.0],
            [65.5, 60.1, 66.6],
            [77.7, 75.0, 78.8],
            [85.5, 86.0, 84.4],
        ]
        .map(Vec::from);
        let friedman = Friedman::of(&mean_ranks(&scores, Better::Higher), 6).unwrap();
        close(friedman.chi_square, 2.3333333333333286);
        close(friedman.chi_square_p, 0.31140322391459846);
        close(friedman.f.unwrap(), 1.2068965517241395);
        close(friedman.f_p, 0.33921690367851237);
    }

    #[test]
    fn the_ends_of_friedmans_test() {
        let alike = Friedman::of(&[1.0, 2.0, 3.0], 5).unwrap();
        assert_eq!((alike.chi_square, alike.f, alike.f_p), (10.0, None, 0.0));
        let equal = Friedman::of(&[2.0; 3], 5).unwrap();
        assert_eq!((equal.chi_square, equal.chi_square_p, equal.f, equal.f_p), (0.0, 1.0, Some(0.0), 1.0));
        assert_eq!(Friedman::of(&[1.0], 5), None);
        assert_eq!(Friedman::of(&[1.0, 2.0], 1), None);
        assert_eq!(critical_difference(3, 0, 0.05), None);
        assert!(mean_ranks(&[], Better::Higher).is_empty());
        assert!(groups(&[], 1.0).is_empty());
    }

    #[test]
    fn groups_are_the_bars_of_the_diagram() {
        assert_eq!(groups(&[1.0, 3.0, 2.0, 5.0], 1.5), [[0, 2], [2, 1]]);
        assert!(groups(&[1.0, 2.0], 1.0).is_empty());
    }

    proptest! {
        #[test]
        fn a_rank_counts_what_is_better(scores in prop::collection::vec(0..6u8, 1..12), higher in any::<bool>()) {
            let better = if higher { Better::Higher } else { Better::Lower };
            let found = ranks(&scores.iter().map(|&score| f64::from(score)).collect::<Vec<_>>(), better);
            for (&score, rank) in scores.iter().zip(found) {
                let ahead = scores.iter().filter(|&&other| if higher { other > score } else { other < score }).count();
                let beside = scores.iter().filter(|&&other| other == score).count();
                prop_assert_eq!(rank, ahead as f64 + (beside as f64 + 1.0) / 2.0);
            }
        }

        #[test]
        fn friedmans_test_has_probabilities(
            scores in (2..6usize).prop_flat_map(|k| prop::collection::vec(prop::collection::vec(0.0..1.0f64, k), 2..9)),
        ) {
            let friedman = Friedman::of(&mean_ranks(&scores, Better::Lower), scores.len()).unwrap();
            prop_assert!(friedman.chi_square >= 0.0);
            prop_assert!((0.0..=1.0).contains(&friedman.chi_square_p) && (0.0..=1.0).contains(&friedman.f_p));
        }

        #[test]
        fn learners_share_a_group_if_they_do_not_differ(ranks in prop::collection::vec(1.0..9.0f64, 0..9), by in 0.1..4.0f64) {
            let groups = groups(&ranks, by);
            for a in 0..ranks.len() {
                for b in 0..a {
                    let together = groups.iter().any(|group| group.contains(&a) && group.contains(&b));
                    prop_assert_eq!(together, (ranks[a] - ranks[b]).abs() < by);
                }
            }
        }
    }
}
