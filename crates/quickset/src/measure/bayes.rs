//! The Bayes measure of Self-adaptive NBTree.

use super::{Measure, Table, errors};

/// δ: the share of the rows of known value that have the most probable class of their branch.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bayes;

impl Measure for Bayes {
    fn of(&self, table: &Table) -> f64 {
        let known = table.known();
        if known > 0.0 { 1.0 - table.branches().map(errors).sum::<f64>() / known } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// ALGORITHMS.md §6.1: what 1R gets right, 10 of 14 by the outlook and by the humidity (§7).
    #[test]
    fn the_weather_is_as_right_as_one_rule_makes_it() {
        let delta = |cells: &[f64], missing| Bayes.of(&Table::new(2, cells.to_vec(), missing));
        assert!((delta(&[2.0, 3.0, 4.0, 0.0, 3.0, 2.0], 0.0) - 10.0 / 14.0).abs() < 1e-12);
        assert!((delta(&[3.0, 4.0, 6.0, 1.0], 0.0) - 10.0 / 14.0).abs() < 1e-12);
        assert!((delta(&[2.0, 2.0, 4.0, 2.0, 3.0, 1.0], 0.0) - 9.0 / 14.0).abs() < 1e-12);
        assert!((delta(&[3.0, 0.0, 1.0, 4.0], 100.0) - 7.0 / 8.0).abs() < 1e-12);
        assert_eq!(delta(&[0.0, 0.0], 3.0), 0.0);
    }
}
