//! Pearson's χ².

use super::tail::ln_chi_squared_tail;
use super::{Measure, SMALL, Table};

/// Pearson's X² against independence of class and branch, as −ln p: tables of different shape compare by their p-value,
/// not by X². Rows whose value is missing do not count.
#[derive(Clone, Copy, Debug, Default)]
pub struct ChiSquared;

impl ChiSquared {
    /// X² = Σ (f − e)² / e, where e is what independence expects.
    pub fn statistic(&self, table: &Table) -> f64 {
        let classes = table.class_weights();
        let cells = expected(table, &classes).zip(table.cells()).filter(|(expected, _)| *expected > 0.0);
        cells.map(|(expected, &found)| (found - expected) * (found - expected) / expected).sum()
    }

    /// ln of the chance of at least this X² if class and branch were independent.
    pub fn ln_p(&self, table: &Table) -> f64 {
        ln_chi_squared_tail(self.statistic(table), degrees(table))
    }

    /// Whether X² follows χ² well enough (Cochran 1954): every expected count is at least 1, four in five at least 5.
    pub fn is_admissible(&self, table: &Table) -> bool {
        let classes = table.class_weights();
        // Branches and classes without rows are no part of the test.
        let counts: Vec<f64> = expected(table, &classes).filter(|&expected| expected > 0.0).collect();
        let ample = counts.iter().filter(|&&expected| expected >= 5.0 - SMALL).count();
        counts.iter().all(|&expected| expected >= 1.0 - SMALL) && 5 * ample >= 4 * counts.len()
    }
}

/// What independence expects in every cell.
fn expected<'t>(table: &'t Table, classes: &'t [f64]) -> impl Iterator<Item = f64> + 't {
    let known = table.known();
    table.branch_weights().flat_map(move |branch| classes.iter().map(move |class| branch * class / known))
}

/// Degrees of freedom: of the branches and classes that hold rows, one less each.
pub(super) fn degrees(table: &Table) -> usize {
    let held = |weight: &f64| *weight > SMALL;
    let branches = table.branch_weights().filter(held).count();
    let classes = table.class_weights().iter().filter(|weight| held(weight)).count();
    branches.saturating_sub(1) * classes.saturating_sub(1)
}

impl Measure for ChiSquared {
    fn of(&self, table: &Table) -> f64 {
        -self.ln_p(table)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(cells: &[f64]) -> Table {
        Table::new(2, cells.to_vec(), 0.0)
    }

    #[test]
    fn small_expected_counts_are_not_admissible() {
        assert!(ChiSquared.is_admissible(&table(&[10.0, 10.0, 10.0, 10.0])));
        // One of four below 5 is more than one in five; one of six is not.
        assert!(!ChiSquared.is_admissible(&table(&[3.0, 4.0, 6.0, 1.0])));
        assert!(ChiSquared.is_admissible(&table(&[2.0, 12.0, 8.0, 40.0, 9.0, 40.0])));
        // One expected count below 1 is enough.
        assert!(!ChiSquared.is_admissible(&table(&[1.0, 0.0, 9.0, 90.0])));
        // Levels and classes that do not occur are no reason.
        let with_none = [10.0, 0.0, 10.0, 0.0, 0.0, 0.0, 10.0, 0.0, 10.0];
        assert!(ChiSquared.is_admissible(&Table::new(3, with_none.to_vec(), 0.0)));
    }

    #[test]
    fn p_values_too_small_for_a_number_still_differ() {
        let of = |rows: f64| ChiSquared.of(&table(&[rows, 0.0, 0.0, rows]));
        assert!(of(1000.0) > 745.0 && of(2000.0) > of(1000.0) + 900.0);
    }

    #[test]
    fn what_does_not_divide_has_no_worth() {
        for cells in [&[3.0, 4.0][..], &[3.0, 4.0, 0.0, 0.0], &[3.0, 0.0, 4.0, 0.0], &[0.0, 0.0, 0.0, 0.0]] {
            assert_eq!(ChiSquared.of(&table(cells)), 0.0, "{cells:?}");
        }
    }
}
