//! Martin's hypergeometric probability.

use super::two_by_two::TwoByTwo;
use super::{ChiSquared, Measure, Table, ln_factorial};

/// The chance P0 of exactly this table among all of the same branch and class totals, as −ln P0 (Martin 1997):
/// P0 = Π n_c! Π m_v! / (N! Π f_cv!). Rows whose value is missing do not count. Fractions of rows have x! = Γ(x + 1).
///
/// P0 is the chance of one table, so it shrinks with the number of rows even where branch and class have nothing to do
/// with each other: below 0.05 for two even branches of two even classes from about 1020 rows on. Whoever takes it for a
/// p-value will never stop there, hence the tail and the ratio.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hypergeometric;

impl Hypergeometric {
    /// ln P0.
    pub fn ln_p0(&self, table: &Table) -> f64 {
        let classes = table.class_weights();
        sum(classes.into_iter()) + sum(table.branch_weights())
            - ln_factorial(table.known())
            - sum(table.cells().iter().copied())
    }

    /// ln of the chance of a table that is at most as likely as this one. Two branches of two classes are exact (Fisher
    /// 1935); in fractions, the tables are those that moving whole rows leads to, and their chances are divided by their
    /// sum. Larger tables are approximated by Pearson's χ².
    pub fn ln_tail(&self, table: &Table) -> f64 {
        TwoByTwo::of(table).map_or_else(|| ChiSquared.ln_p(table), |table| table.ln_tail())
    }

    /// ln of P0 over the chance of the likeliest table. For more than two branches or classes the expected counts stand for
    /// the likeliest table, with ln x! a straight line between whole numbers: of all such tables those of whole rows are the
    /// likeliest, so the ratio is never below the true one. (Γ would not do: it dips below 1 between 0 and 1, and small
    /// expected counts would be likelier than any table.)
    pub fn ln_ratio(&self, table: &Table) -> f64 {
        if let Some(table) = TwoByTwo::of(table) {
            return table.ln_ratio();
        }
        let (known, classes) = (table.known(), table.class_weights());
        let expected = |branch: f64| classes.iter().map(|class| interpolated(branch * class / known)).sum::<f64>();
        let likeliest: f64 = table.branch_weights().filter(|&branch| branch > 0.0).map(expected).sum();
        (likeliest - sum(table.cells().iter().copied())).min(0.0)
    }

    /// Whether the tail is exact.
    pub fn has_exact_tail(&self, table: &Table) -> bool {
        TwoByTwo::of(table).is_some()
    }
}

fn sum(weights: impl Iterator<Item = f64>) -> f64 {
    weights.map(ln_factorial).sum()
}

/// ln x! of whole numbers, and straight lines between them.
fn interpolated(x: f64) -> f64 {
    let below = x.floor();
    let share = x - below;
    (1.0 - share) * ln_factorial(below) + share * ln_factorial(below + 1.0)
}

impl Measure for Hypergeometric {
    fn of(&self, table: &Table) -> f64 {
        -self.ln_p0(table)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn table(cells: [f64; 4]) -> Table {
        Table::new(2, cells.to_vec(), 0.0)
    }

    /// ALGORITHMS.md §5.2: no association at all, and from N ≈ 1020 on P0 is below 0.05 all the same.
    #[test]
    fn the_chance_of_one_table_falls_below_any_level() {
        let vectors = [
            (20.0, 0.343718),
            (100.0, 0.158385),
            (200.0, 0.112416),
            (1000.0, 0.050425),
            (1020.0, 0.049929),
            (1e4, 0.015956),
            (1e5, 0.005046),
        ];
        for (rows, expected) in vectors {
            let even = table([rows / 4.0; 4]);
            assert!((Hypergeometric.ln_p0(&even).exp() - expected).abs() < 5e-7, "{rows}");
            assert!(Hypergeometric.ln_tail(&even).abs() < 1e-9, "the tail is all tables at {rows}");
            assert!(Hypergeometric.ln_ratio(&even).abs() < 1e-9, "no table is likelier at {rows}");
        }
    }

    /// ALGORITHMS.md §5.2.
    #[test]
    fn fishers_two_sided_tails() {
        for (cells, expected) in [
            ([3.0, 4.0, 6.0, 1.0], 0.265734266),
            ([6.0, 2.0, 3.0, 3.0], 0.580419580),
            ([3.0, 1.0, 1.0, 3.0], 0.485714286),
            ([260.0, 250.0, 250.0, 260.0], 0.573046736),
        ] {
            let found = Hypergeometric.ln_tail(&table(cells)).exp();
            assert!((found - expected).abs() < 1e-9, "{cells:?} {found}");
        }
        let p0 = Hypergeometric.ln_p0(&table([260.0, 250.0, 250.0, 260.0])).exp();
        assert!((p0 - 0.041054067).abs() < 1e-9, "{p0}");
    }

    #[test]
    fn more_classes_or_branches_are_approximated() {
        let outlook = Table::new(2, vec![2.0, 3.0, 4.0, 0.0, 3.0, 2.0], 0.0);
        assert_eq!(Hypergeometric.ln_tail(&outlook), ChiSquared.ln_p(&outlook));
        assert!(!Hypergeometric.has_exact_tail(&outlook));
        let independent = Table::new(3, vec![4.0; 9], 0.0);
        assert!(Hypergeometric.ln_ratio(&independent).abs() < 1e-9);
        assert!(Hypergeometric.ln_ratio(&outlook) < -0.5);
    }

    /// A level for every row says nothing, however many there are: all tables are equally likely.
    #[test]
    fn the_ratio_of_an_identifier_is_one() {
        let rows = (0..300).flat_map(|row| (0..3).map(move |class| f64::from(u8::from(row % 3 == class))));
        let table = Table::new(3, rows.collect(), 0.0);
        assert!(Hypergeometric.ln_ratio(&table).abs() < 1e-9);
        assert!(Hypergeometric.ln_tail(&table) > f64::ln(0.05));
    }

    proptest! {
        /// Against all tables of two branches and three classes.
        #[test]
        fn the_ratio_is_at_least_the_true_one(
            above in prop::array::uniform3(0u32..12),
            below in prop::array::uniform3(0u32..12),
        ) {
            let totals = [0, 1, 2].map(|class| above[class] + below[class]);
            let size: u32 = above.iter().sum();
            let of = |above: [u32; 3]| {
                let below = [0, 1, 2].map(|class| totals[class] - above[class]);
                Table::new(3, above.into_iter().chain(below).map(f64::from).collect(), 0.0)
            };
            let pairs = (0..=totals[0]).flat_map(|first| (0..=totals[1]).map(move |second| (first, second)));
            let tables = pairs.filter_map(|(first, second)| {
                let third = size.checked_sub(first + second).filter(|&third| third <= totals[2])?;
                Some(Hypergeometric.ln_p0(&of([first, second, third])))
            });
            let likeliest = tables.fold(f64::NEG_INFINITY, f64::max);
            let expected = Hypergeometric.ln_p0(&of(above)) - likeliest;
            let found = Hypergeometric.ln_ratio(&of(above));
            prop_assert!(found >= expected - 1e-9 && found <= expected + 0.7, "{} {}", found, expected);
        }
    }

    #[test]
    fn one_branch_is_certain() {
        for cells in [vec![3.0, 4.0], vec![3.0, 4.0, 0.0, 0.0], vec![0.0, 0.0, 0.0, 0.0]] {
            let table = Table::new(2, cells, 1.0);
            let found = [Hypergeometric.of(&table), Hypergeometric.ln_tail(&table), Hypergeometric.ln_ratio(&table)];
            assert!(found.iter().all(|ln| ln.abs() < 1e-12), "{found:?}");
        }
    }
}
