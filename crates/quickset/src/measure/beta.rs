//! Buntine's Beta function.

use super::{Measure, Table, ln_factorial};

/// How much likelier the split makes the classes: ln W of the branches less ln W of all rows together, where W is the
/// chance of the classes when every composition of a branch is equally likely beforehand (Buntine 1992, with α = 1). Without
/// missing values it ranks as ln W does, since all candidates of a node share what is subtracted; with them, an attribute
/// gains nothing by the rows it does not know. A split is above the unsplit value where this is above 0.
#[derive(Clone, Copy, Debug, Default)]
pub struct Beta;

impl Beta {
    /// ln W = Σ_v [ln Γ(C) + Σ_c ln Γ(f_cv + 1) − ln Γ(m_v + C)] of the branches.
    pub fn ln_w(&self, table: &Table) -> f64 {
        table.branches().map(ln_w_of).sum()
    }

    /// ln W of the same rows in one branch.
    pub fn ln_w_unsplit(&self, table: &Table) -> f64 {
        ln_w_of(&table.class_weights())
    }
}

fn ln_w_of(classes: &[f64]) -> f64 {
    let others = classes.len() as f64 - 1.0;
    ln_factorial(others) + classes.iter().copied().map(ln_factorial).sum::<f64>()
        - ln_factorial(classes.iter().sum::<f64>() + others)
}

impl Measure for Beta {
    fn of(&self, table: &Table) -> f64 {
        self.ln_w(table) - self.ln_w_unsplit(table)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_branch_changes_nothing_and_one_branch_is_unsplit() {
        let of = |cells: &[f64]| Beta.of(&Table::new(2, cells.to_vec(), 0.0));
        assert_eq!(of(&[3.0, 4.0]), 0.0);
        assert_eq!(of(&[3.0, 4.0, 0.0, 0.0]), 0.0);
        assert_eq!(of(&[3.0, 4.0, 0.0, 0.0, 6.0, 1.0]), of(&[3.0, 4.0, 6.0, 1.0]));
        assert!(of(&[6.0, 2.0, 3.0, 3.0]) < 0.0, "windy is below the unsplit value");
    }
}
