//! All tables of two branches and two classes with the totals of a given one.

use super::{SMALL, Table};

/// Chances that differ by less than one part in ten million are equal, as in other programs for Fisher's test.
const SLACK: f64 = 1e-7;

/// The cells of a table that has two branches and two classes with rows, branch after branch.
#[derive(Debug, PartialEq)]
pub(super) struct TwoByTwo([f64; 4]);

impl TwoByTwo {
    /// Leaves out what is empty; `None` where other than two branches and two classes remain.
    pub fn of(table: &Table) -> Option<Self> {
        let held = |(_, weight): &(usize, f64)| *weight > SMALL;
        let mut classes = table.class_weights().into_iter().enumerate().filter(held);
        let (Some((first, _)), Some((second, _)), None) = (classes.next(), classes.next(), classes.next()) else {
            return None;
        };
        let mut branches = table.branches().filter(|branch| branch.iter().sum::<f64>() > SMALL);
        let (Some(above), Some(below), None) = (branches.next(), branches.next(), branches.next()) else {
            return None;
        };
        Some(TwoByTwo([above[first], above[second], below[first], below[second]]))
    }

    /// ln of the chance of every table over that of this one.
    fn relative(&self) -> Vec<f64> {
        let [a, b, c, d] = self.0;
        let mut all = vec![0.0];
        // A row more in the cells that grow and a row less in those that shrink, as long as these have one.
        for ([mut grows, mut grows_too], [mut shrinks, mut shrinks_too]) in [([a, d], [b, c]), ([b, c], [a, d])] {
            let mut relative = 0.0;
            while shrinks.min(shrinks_too) >= 1.0 - SMALL {
                relative += (shrinks * shrinks_too / ((grows + 1.0) * (grows_too + 1.0))).ln();
                all.push(relative);
                [grows, grows_too] = [grows + 1.0, grows_too + 1.0];
                [shrinks, shrinks_too] = [shrinks - 1.0, shrinks_too - 1.0];
            }
        }
        all
    }

    /// ln of the chance of a table that is at most as likely (Fisher's exact test, two-sided).
    pub fn ln_tail(&self) -> f64 {
        let all = self.relative();
        let most = most(&all);
        // Each sum is scaled by its largest term, so that neither is lost.
        let tail: f64 = all.iter().filter(|&&relative| relative <= SLACK).map(|relative| relative.exp()).sum();
        let sum: f64 = all.iter().map(|relative| (relative - most).exp()).sum();
        (tail.ln() - most - sum.ln()).min(0.0)
    }

    /// ln of the chance of this table over that of the likeliest.
    pub fn ln_ratio(&self) -> f64 {
        -most(&self.relative())
    }
}

fn most(numbers: &[f64]) -> f64 {
    numbers.iter().copied().fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The slow twin, in whole numbers: the tables with these totals, each as the number of ways to get it.
    fn ways(cells: [u32; 4]) -> (u128, Vec<u128>) {
        let choose = |n: u32, k: u32| (0..k).fold(1u128, |ways, at| ways * u128::from(n - at) / u128::from(at + 1));
        let [a, b, c, d] = cells;
        let (first, second, above) = (a + c, b + d, a + b);
        let possible = (0..=above).filter(|&k| k <= first && above - k <= second);
        let all: Vec<u128> = possible.map(|k| choose(first, k) * choose(second, above - k)).collect();
        (choose(first, a) * choose(second, b), all)
    }

    proptest! {
        #[test]
        fn tail_and_ratio_are_those_of_all_tables(cells in prop::array::uniform4(0u32..25)) {
            let table = Table::new(2, cells.map(f64::from).to_vec(), 0.0);
            let Some(exact) = TwoByTwo::of(&table) else { return Ok(()) };
            let (own, all) = ways(cells);
            let sum: u128 = all.iter().sum();
            let tail: u128 = all.iter().filter(|&&ways| ways <= own).sum();
            prop_assert!((exact.ln_tail() - (tail as f64 / sum as f64).ln()).abs() < 1e-9);
            let most = *all.iter().max().unwrap();
            prop_assert!((exact.ln_ratio() - (own as f64 / most as f64).ln()).abs() < 1e-9);
        }

        /// A little more or less of a row changes the tail a little, unless tables tie.
        #[test]
        fn fractions_are_between_whole_rows(cells in prop::array::uniform4(1u32..25)) {
            let exact = TwoByTwo::of(&Table::new(2, cells.map(|cell| f64::from(cell) + 0.3).to_vec(), 0.0)).unwrap();
            prop_assert!(exact.ln_tail() <= 0.0 && exact.ln_ratio() <= 0.0);
            prop_assert!(exact.ln_tail() >= exact.ln_ratio() - f64::ln(1.0 + exact.relative().len() as f64));
        }
    }

    #[test]
    fn what_is_empty_is_left_out() {
        let table = Table::new(3, vec![3.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 3.0], 0.0);
        assert_eq!(TwoByTwo::of(&table), Some(TwoByTwo([3.0, 1.0, 1.0, 3.0])));
        assert_eq!(TwoByTwo::of(&Table::new(2, vec![3.0, 1.0], 0.0)), None);
        assert_eq!(TwoByTwo::of(&Table::new(2, vec![3.0, 0.0, 1.0, 0.0], 0.0)), None);
    }

    #[test]
    fn a_tail_too_small_for_a_number_is_still_a_logarithm() {
        let found = TwoByTwo([5000.0, 0.0, 0.0, 5000.0]).ln_tail();
        assert!(found.is_finite() && found < -6900.0, "{found}");
    }
}
