//! Information gain.

use super::{Measure, Table, x_log_x};

/// Class entropy before the split less after it, times the known share of the weight.
pub struct Gain;

impl Measure for Gain {
    fn of(&self, table: &Table) -> f64 {
        let total = table.total();
        if total <= 0.0 {
            return 0.0;
        }
        let known = table.known();
        let before = x_log_x(known) - table.class_weights().iter().copied().map(x_log_x).sum::<f64>();
        let after =
            table.branch_weights().map(x_log_x).sum::<f64>() - table.cells().iter().copied().map(x_log_x).sum::<f64>();
        (before - after) / total
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// The nominal weather attributes as branches of (yes, no), from ALGORITHMS.md §1.6.
    pub(crate) fn weather() -> [Table; 4] {
        let table = |cells: &[f64]| Table::new(2, cells.to_vec(), 0.0);
        [
            table(&[2.0, 3.0, 4.0, 0.0, 3.0, 2.0]),
            table(&[2.0, 2.0, 4.0, 2.0, 3.0, 1.0]),
            table(&[3.0, 4.0, 6.0, 1.0]),
            table(&[3.0, 3.0, 6.0, 2.0]),
        ]
    }

    /// Outlook with its value for row 12 unknown: the example of Quinlan's book.
    pub(crate) fn weather_with_missing() -> Table {
        Table::new(2, vec![2.0, 3.0, 3.0, 0.0, 3.0, 2.0], 1.0)
    }

    #[test]
    fn weather_gains_are_the_published_ones() {
        let gains = weather().map(|table| Gain.of(&table));
        for (found, expected) in gains.iter().zip([0.246749820, 0.029222566, 0.151835501, 0.048127030]) {
            assert!((found - expected).abs() < 1e-9, "{found} {expected}");
        }
        assert!((gains.iter().sum::<f64>() / 4.0 - 0.118983729).abs() < 1e-9);
    }

    #[test]
    fn a_missing_value_lowers_the_gain() {
        assert!((Gain.of(&weather_with_missing()) - 0.199040708).abs() < 1e-9);
    }
}
