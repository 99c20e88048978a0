//! Quinlan's gain ratio.

use super::{Gain, Measure, SMALL, Table, x_log_x};

/// Gain over the information of the split itself, in which the missing values are one more branch.
pub struct GainRatio;

impl GainRatio {
    /// The ratio for a gain that was corrected after it was measured.
    pub fn with_gain(&self, table: &Table, gain: f64) -> f64 {
        let branches: Vec<f64> = table.branch_weights().collect();
        self.of_branches(gain, &branches, table.missing())
    }

    /// The ratio from the weights of the branches alone.
    pub(crate) fn of_branches(&self, gain: f64, branches: &[f64], missing: f64) -> f64 {
        let total = branches.iter().sum::<f64>() + missing;
        let information = x_log_x(total) - x_log_x(missing) - branches.iter().copied().map(x_log_x).sum::<f64>();
        if information.abs() < SMALL { 0.0 } else { gain / (information / total) }
    }
}

impl Measure for GainRatio {
    fn of(&self, table: &Table) -> f64 {
        self.with_gain(table, Gain.of(table))
    }
}

#[cfg(test)]
mod tests {
    use super::super::gain::tests::{weather, weather_with_missing};
    use super::*;

    #[test]
    fn weather_ratios_are_the_published_ones() {
        let ratios = weather().map(|table| GainRatio.of(&table));
        for (found, expected) in ratios.iter().zip([0.156427562, 0.018772646, 0.151835501, 0.048848616]) {
            assert!((found - expected).abs() < 1e-9, "{found} {expected}");
        }
    }

    #[test]
    fn missing_values_are_a_branch_of_the_split_information() {
        assert!((GainRatio.of(&weather_with_missing()) - 0.110015866).abs() < 1e-9);
    }

    #[test]
    fn a_split_into_one_branch_has_no_ratio() {
        assert_eq!(GainRatio.of(&Table::new(2, vec![3.0, 4.0, 0.0, 0.0], 0.0)), 0.0);
    }
}
