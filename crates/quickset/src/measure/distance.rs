//! López de Mántaras's distance between the classes and the branches.

use super::{Gain, Measure, SMALL, Table, x_log_x};

/// 1 − d = gain over the joint entropy of class and branch (López de Mántaras 1991), so that nearer is better. The joint
/// entropy is that of the rows with a known branch.
#[derive(Clone, Copy, Debug, Default)]
pub struct Distance;

impl Distance {
    /// 1 − d for a gain that was corrected after it was measured.
    pub fn with_gain(&self, table: &Table, gain: f64) -> f64 {
        let known = table.known();
        let information = x_log_x(known) - table.cells().iter().copied().map(x_log_x).sum::<f64>();
        if information < SMALL { 0.0 } else { gain / (information / known) }
    }
}

impl Measure for Distance {
    fn of(&self, table: &Table) -> f64 {
        self.with_gain(table, Gain.of(table))
    }
}
