//! Two learners on the same folds: is one better, or could it be chance?

use serde::Serialize;
use statrs::distribution::{ContinuousCDF, StudentsT};

use super::summary::{Spread, same};

/// How the differences between two learners on the same folds are tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PairedTest {
    /// The paired t-test over all runs and folds, as most papers use it.
    ///
    /// It takes the folds for independent, though the training sets overlap, and finds too many differences.
    Plain,
    /// The corrected resampled t-test of Nadeau and Bengio (2003): *Inference for the generalization error*. Machine
    /// Learning 52, 239–281. The variance is enlarged by what overlapping training sets hide.
    Corrected,
}

/// A two-tailed paired t-test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Paired {
    /// The mean of first less second.
    pub difference: f64,
    /// The t statistic; absent where all differences are equal.
    pub statistic: Option<f64>,
    /// Degrees of freedom.
    pub degrees: usize,
    /// The probability of a difference as large as this by chance; 1 where no fold differs, and 0 where all differ by
    /// the same.
    pub p: f64,
}

/// What a test says of the first learner against the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// It is better.
    Win,
    /// The difference may be chance.
    Tie,
    /// It is worse.
    Loss,
}

/// On how many data sets one learner beat another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Sets on which it was better.
    pub wins: usize,
    /// Sets on which the difference may be chance.
    pub ties: usize,
    /// Sets on which it was worse.
    pub losses: usize,
}

/// First less second, where rounding is no difference.
pub(super) fn difference(first: f64, second: f64) -> f64 {
    if same(first, second) { 0.0 } else { first - second }
}

impl PairedTest {
    /// Tests `differences`, first less second of each fold, where more is better.
    ///
    /// `test_over_train` is the number of test rows for each training row, 1/(k−1) with k folds; only the corrected test
    /// needs it. `None` with fewer than two differences, or where a number is not finite.
    pub fn of(self, differences: &[f64], test_over_train: f64) -> Option<Paired> {
        let Spread { count, mean, deviation, least, most, .. } = Spread::of(differences)?;
        let deviation = deviation?;
        let degrees = count - 1;
        if same(least, most) {
            let p = if mean == 0.0 { 1.0 } else { 0.0 };
            return Some(Paired { difference: mean, statistic: None, degrees, p });
        }
        let share = 1.0 / count as f64;
        // Nadeau and Bengio (2003), section 3: 1/J + n2/n1 in place of 1/J.
        let share = match self {
            PairedTest::Plain => share,
            PairedTest::Corrected => share + test_over_train,
        };
        let statistic = mean / (share.sqrt() * deviation);
        if !statistic.is_finite() {
            return None;
        }
        let student = StudentsT::new(0.0, 1.0, degrees as f64).ok()?;
        let p = (2.0 * student.sf(statistic.abs())).min(1.0);
        Some(Paired { difference: mean, statistic: Some(statistic), degrees, p })
    }
}

impl Paired {
    /// What the test says at the significance level `alpha`.
    pub fn verdict(&self, alpha: f64) -> Verdict {
        if self.p >= alpha {
            Verdict::Tie
        } else if self.difference > 0.0 {
            Verdict::Win
        } else {
            Verdict::Loss
        }
    }
}

impl Verdict {
    /// What it is for the second learner against the first.
    pub fn reversed(self) -> Self {
        match self {
            Verdict::Win => Verdict::Loss,
            Verdict::Tie => Verdict::Tie,
            Verdict::Loss => Verdict::Win,
        }
    }
}

impl Tally {
    /// The same sets as the other learner sees them.
    pub fn reversed(self) -> Self {
        Tally { wins: self.losses, ties: self.ties, losses: self.wins }
    }
}

impl FromIterator<Verdict> for Tally {
    fn from_iter<I: IntoIterator<Item = Verdict>>(verdicts: I) -> Self {
        let mut tally = Tally::default();
        for verdict in verdicts {
            match verdict {
                Verdict::Win => tally.wins += 1,
                Verdict::Tie => tally.ties += 1,
                Verdict::Loss => tally.losses += 1,
            }
        }
        tally
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn close(found: f64, expected: f64) {
        assert!((found - expected).abs() <= 1e-10 * expected.abs(), "found {found}, expected {expected}");
    }

    // Both statistics by scipy: ttest_rel, and t.sf of the formula of Nadeau and Bengio.
    #[test]
    fn both_tests_agree_with_scipy() {
        let first = [81.5, 79.0, 84.2, 80.1, 77.7, 83.3, 82.0, 78.9, 80.5, 81.1];
        let second = [79.9, 79.3, 82.0, 78.8, 77.9, 80.6, 81.2, 77.0, 80.0, 79.5];
        let differences: Vec<f64> = first.into_iter().zip(second).map(|(a, b)| difference(a, b)).collect();
        let plain = PairedTest::Plain.of(&differences, 1.0 / 9.0).unwrap();
        close(plain.difference, 1.21);
        close(plain.statistic.unwrap(), 3.84153870784313);
        assert_eq!(plain.degrees, 9);
        close(plain.p, 0.003957199741764288);
        let corrected = PairedTest::Corrected.of(&differences, 1.0 / 9.0).unwrap();
        close(corrected.statistic.unwrap(), 2.6439282655560032);
        close(corrected.p, 0.026741022114379395);
        assert_eq!((plain.verdict(0.01), corrected.verdict(0.01)), (Verdict::Win, Verdict::Tie));
        assert_eq!(corrected.verdict(0.05), Verdict::Win);
    }

    // 2 t.sf(|t|, df) by scipy, up to the folds of a thousand runs.
    #[test]
    fn probabilities_hold_for_many_folds() {
        let p = |t: f64, degrees: f64| 2.0 * StudentsT::new(0.0, 1.0, degrees).unwrap().sf(t);
        for (t, degrees, expected) in [
            (0.001, 99.0, 0.9992041278571371),
            (1.96, 1.0, 0.3003428917760331),
            (1.96, 99.0, 0.052807113750970754),
            (1.96, 999.0, 0.050273462733810045),
            (1.96, 9_999.0, 0.0500235230052102),
            (1.96, 999_999.0, 0.04999606758554708),
            (5.0, 9_999.0, 5.830336410228308e-07),
        ] {
            let found = p(t, degrees);
            assert!((found / expected - 1.0).abs() < 1e-6, "t {t}, {degrees} degrees: {found}, expected {expected}");
        }
    }

    #[test]
    fn equal_differences_need_no_test() {
        for test in [PairedTest::Plain, PairedTest::Corrected] {
            let none = test.of(&[0.0; 5], 0.25).unwrap();
            assert_eq!((none.p, none.statistic, none.verdict(0.05)), (1.0, None, Verdict::Tie));
            let more = test.of(&[2.0; 5], 0.25).unwrap();
            assert_eq!((more.p, more.verdict(0.05)), (0.0, Verdict::Win));
            assert_eq!(test.of(&[-2.0; 2], 1.0).unwrap().verdict(0.05), Verdict::Loss);
            assert_eq!(test.of(&[2.0], 1.0), None);
            assert_eq!(test.of(&[], 1.0), None);
            assert_eq!(test.of(&[1.0, f64::INFINITY], 1.0), None);
        }
        // The same accuracy, added up in another order.
        assert_eq!(difference(100.0 * (0.1 + 0.2), 100.0 * 0.3), 0.0);
        assert_eq!(difference(0.0, 0.0), 0.0);
    }

    #[test]
    fn a_tally_counts_verdicts() {
        let tally: Tally = [Verdict::Win, Verdict::Tie, Verdict::Win, Verdict::Loss].into_iter().collect();
        assert_eq!(tally, Tally { wins: 2, ties: 1, losses: 1 });
        assert_eq!(tally.reversed(), Tally { wins: 1, ties: 1, losses: 2 });
    }

    proptest! {
        #[test]
        fn the_order_of_learners_only_turns_the_verdict(
            differences in prop::collection::vec(prop_oneof![Just(0.0), -20.0..20.0f64, any::<f64>()], 0..30),
            ratio in 0.0..1.0f64,
        ) {
            let turned: Vec<f64> = differences.iter().map(|difference| -difference).collect();
            for test in [PairedTest::Plain, PairedTest::Corrected] {
                match (test.of(&differences, ratio), test.of(&turned, ratio)) {
                    (Some(found), Some(turned)) => {
                        prop_assert!((0.0..=1.0).contains(&found.p));
                        prop_assert!((found.p - turned.p).abs() < 1e-9);
                        if (found.p - 0.05).abs() > 1e-9 {
                            prop_assert_eq!(found.verdict(0.05), turned.verdict(0.05).reversed());
                        }
                    }
                    (found, turned) => prop_assert_eq!(found.is_some(), turned.is_some()),
                }
            }
        }

        #[test]
        fn the_correction_finds_fewer_differences(
            differences in prop::collection::vec(-20.0..20.0f64, 2..30),
            ratio in 0.0..1.0f64,
        ) {
            let plain = PairedTest::Plain.of(&differences, ratio).unwrap();
            prop_assert!(PairedTest::Corrected.of(&differences, ratio).unwrap().p >= plain.p - 1e-12);
            prop_assert_eq!(PairedTest::Corrected.of(&differences, 0.0).unwrap(), plain);
        }
    }
}
