//! Training errors that a split saves.

use super::{Measure, Table, errors};

/// How many of the node's training rows a class of their own for every branch gets right, and one class for all does not.
/// Rows whose value is missing are wrong or right as before.
#[derive(Clone, Copy, Debug, Default)]
pub struct SavedErrors;

impl Measure for SavedErrors {
    fn of(&self, table: &Table) -> f64 {
        errors(&table.class_weights()) - table.branches().map(errors).sum::<f64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// ALGORITHMS.md §7: outlook and humidity get 10 of 14 right, temperature and windy no more than the class alone.
    #[test]
    fn the_weather_is_as_in_the_books() {
        let saved = |cells: &[f64]| SavedErrors.of(&Table::new(2, cells.to_vec(), 0.0));
        assert_eq!(saved(&[2.0, 3.0, 4.0, 0.0, 3.0, 2.0]), 1.0);
        assert_eq!(saved(&[2.0, 2.0, 4.0, 2.0, 3.0, 1.0]), 0.0);
        assert_eq!(saved(&[3.0, 4.0, 6.0, 1.0]), 1.0);
        assert_eq!(saved(&[3.0, 3.0, 6.0, 2.0]), 0.0);
    }
}
