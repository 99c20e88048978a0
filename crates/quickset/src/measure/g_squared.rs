//! Wilks's likelihood ratio.

use super::chi_squared::degrees;
use super::tail::ln_chi_squared_tail;
use super::{Gain, Measure, Table};

/// Wilks's G² against independence of class and branch, as −ln p by the tail of χ² (Wilks 1938): information gain in nats,
/// by the number of rows and twice, compared with what chance gives a table of this shape.
#[derive(Clone, Copy, Debug, Default)]
pub struct GSquared;

impl GSquared {
    /// G² = 2 Σ f ln(f / e) = 2 N ln 2 · gain, of the rows with a known branch.
    pub fn statistic(&self, table: &Table) -> f64 {
        (2.0 * std::f64::consts::LN_2 * table.total() * Gain.of(table)).max(0.0)
    }

    /// ln of the chance of at least this G² if class and branch were independent.
    pub fn ln_p(&self, table: &Table) -> f64 {
        ln_chi_squared_tail(self.statistic(table), degrees(table))
    }
}

impl Measure for GSquared {
    fn of(&self, table: &Table) -> f64 {
        -self.ln_p(table)
    }
}
