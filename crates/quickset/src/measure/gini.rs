//! The Gini index of CART.

use super::{Measure, Table};

/// How much the split lowers the chance that two random rows of a branch differ in class.
pub struct Gini;

impl Measure for Gini {
    fn of(&self, table: &Table) -> f64 {
        let total = table.total();
        if total <= 0.0 {
            return 0.0;
        }
        let squares = |weights: &[f64]| weights.iter().map(|w| w * w).sum::<f64>();
        let per_weight = |sum: f64, weight: f64| if weight > 0.0 { sum / weight } else { 0.0 };
        let before = per_weight(squares(&table.class_weights()), table.known());
        let after: f64 = table.branches().map(|branch| per_weight(squares(branch), branch.iter().sum())).sum();
        (after - before) / total
    }
}

#[cfg(test)]
mod tests {
    use super::super::gain::tests::weather;
    use super::*;

    #[test]
    fn weather_decreases_are_those_of_the_vectors() {
        let [outlook, _, humidity, windy] = weather();
        for (table, expected) in [(outlook, 0.11632653), (humidity, 0.09183673), (windy, 0.03061224)] {
            assert!((Gini.of(&table) - expected).abs() < 1e-8);
        }
    }
}
