//! Fayyad and Irani's orthogonality.

use super::{Measure, SMALL, Table};

/// 1 − the cosine of the angle between the class weights of two branches (Fayyad and Irani 1992). Of more branches it is
/// the mean over all pairs of them, a pair counting by the product of its branches' weights: as often as two rows are in
/// these two branches. Times the known share of the weight; 0 where fewer than two branches hold rows.
#[derive(Clone, Copy, Debug, Default)]
pub struct Orthogonality;

impl Measure for Orthogonality {
    fn of(&self, table: &Table) -> f64 {
        let known = table.known();
        // With u_v the unit vector along branch v, the pairs need not be gone through:
        // Σ_{u<v} m_u m_v cos(u, v) = ½ (|Σ m_v u_v|² − Σ m_v²).
        let mut along: Vec<f64> = table.class_weights().iter().map(|_| 0.0).collect();
        let mut squares = 0.0;
        for branch in table.branches() {
            let weight: f64 = branch.iter().sum();
            let length = branch.iter().map(|cell| cell * cell).sum::<f64>().sqrt();
            if length > 0.0 {
                along.iter_mut().zip(branch).for_each(|(sum, cell)| *sum += weight * cell / length);
                squares += weight * weight;
            }
        }
        let pairs = known * known - squares;
        if pairs < SMALL * known.max(SMALL) {
            return 0.0;
        }
        let cosines = along.iter().map(|sum| sum * sum).sum::<f64>() - squares;
        (1.0 - cosines / pairs).max(0.0) * known / table.total()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The slow twin: pair by pair.
    fn by_pairs(table: &Table) -> f64 {
        let branches: Vec<&[f64]> = table.branches().filter(|branch| branch.iter().sum::<f64>() > 0.0).collect();
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
        let (mut sum, mut weights) = (0.0, 0.0);
        for (at, first) in branches.iter().enumerate() {
            for second in &branches[at + 1..] {
                let weight = first.iter().sum::<f64>() * second.iter().sum::<f64>();
                sum += weight * (1.0 - dot(first, second) / (dot(first, first) * dot(second, second)).sqrt());
                weights += weight;
            }
        }
        if weights > 0.0 { sum / weights } else { 0.0 }
    }

    proptest! {
        #[test]
        fn the_mean_over_pairs_needs_no_pairs(cells in prop::collection::vec(0u32..20, 3..30)) {
            let cells = cells.iter().map(|&cell| f64::from(cell)).take(cells.len() / 3 * 3).collect();
            let table = Table::new(3, cells, 0.0);
            prop_assert!((Orthogonality.of(&table) - by_pairs(&table)).abs() < 1e-9);
        }
    }

    #[test]
    fn one_branch_has_no_angle_and_missing_values_lower_it() {
        let of = |cells: &[f64], missing| Orthogonality.of(&Table::new(2, cells.to_vec(), missing));
        assert_eq!(of(&[3.0, 4.0], 0.0), 0.0);
        assert_eq!(of(&[3.0, 4.0, 0.0, 0.0], 0.0), 0.0);
        assert_eq!(of(&[0.0, 0.0], 0.0), 0.0);
        assert_eq!(of(&[2.0, 0.0, 0.0, 2.0], 0.0), 1.0);
        assert_eq!(of(&[2.0, 0.0, 0.0, 2.0], 4.0), 0.5);
    }
}
