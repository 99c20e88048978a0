//! Rows divided between the branches of a test: the one place where a row goes down several branches in fractions, for
//! growing, surgery and held-out rows alike.
//!
//! Parts keep the order of the rows, and a row in fractions stands in its place. So the same rows always give the same
//! sums, bit for bit, whoever divides them.

use crate::measure::{SMALL, total};
use crate::split::divide_in_two;

/// Rows, and their weights; these are left out where all count 1.
pub(crate) type Part = (Vec<u32>, Vec<f64>);

/// What the rows of each branch weigh. `branch` is asked with the place and the row, and answers no branch where the
/// value is missing.
pub(crate) fn known_weights(
    rows: &[u32],
    weights: Option<&[f64]>,
    branches: usize,
    branch: impl Fn(usize, u32) -> usize,
) -> Vec<f64> {
    let mut known = vec![0.0; branches];
    for (at, &row) in rows.iter().enumerate() {
        if let Some(sum) = known.get_mut(branch(at, row)) {
            *sum += weights.map_or(1.0, |weights| weights[at]);
        }
    }
    known
}

/// The share of each branch in a row whose value is missing, from what the rows of known value weigh. A branch of next
/// to nothing gets nothing.
pub(crate) fn fractions(known: &[f64]) -> Vec<f64> {
    let sum = total(known);
    let share = |weight: &f64| if sum > 0.0 && weight / sum > SMALL { weight / sum } else { 0.0 };
    known.iter().map(share).collect()
}

/// The rows of each branch. `fractions` are those of rows without a branch of their own, where there are such.
pub(crate) fn divide_rows(
    rows: &[u32],
    weights: Option<&[f64]>,
    fractions: Option<&[f64]>,
    branches: usize,
    branch: impl Fn(usize, u32) -> usize,
) -> Vec<Part> {
    let weighted = weights.is_some() || fractions.is_some();
    let mut sizes = vec![0; branches];
    for (at, &row) in rows.iter().enumerate() {
        match sizes.get_mut(branch(at, row)) {
            Some(size) => *size += 1,
            // A row in fractions is in every branch.
            None => sizes.iter_mut().for_each(|size| *size += 1),
        }
    }
    if branches == 2 && !weighted {
        return divide_in_two(rows, sizes[1], branch).map(|rows| (rows, Vec::new())).into();
    }
    let part = |size| (Vec::with_capacity(size), Vec::with_capacity(if weighted { size } else { 0 }));
    let mut parts: Vec<Part> = sizes.into_iter().map(part).collect();
    for (at, &row) in rows.iter().enumerate() {
        let weight = weights.map_or(1.0, |weights| weights[at]);
        let mut give = |branch: usize, weight: f64| {
            parts[branch].0.push(row);
            if weighted {
                parts[branch].1.push(weight);
            }
        };
        match (branch(at, row), fractions) {
            (none, Some(fractions)) if none >= branches => {
                let taken = fractions.iter().enumerate().filter(|(_, fraction)| **fraction > 0.0);
                taken.for_each(|(branch, fraction)| give(branch, weight * fraction));
            }
            (branch, _) => give(branch, weight),
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_in_fractions_stands_in_its_place_and_empty_branches_get_none() {
        let branch = |_, row: u32| [0, 9, 2, 2][row as usize];
        let rows = [0, 1, 2, 3];
        let known = known_weights(&rows, Some(&[1.0, 4.0, 1.0, 2.0]), 3, branch);
        assert_eq!(known, [1.0, 0.0, 3.0]);
        let parts = divide_rows(&rows, Some(&[1.0, 4.0, 1.0, 2.0]), Some(&fractions(&known)), 3, branch);
        assert_eq!(parts[0], (vec![0, 1], vec![1.0, 1.0]));
        assert_eq!(parts[1], (vec![], vec![]));
        assert_eq!(parts[2], (vec![1, 2, 3], vec![3.0, 1.0, 2.0]));
        assert_eq!(fractions(&[0.0, 0.0]), [0.0, 0.0], "without a known value nothing goes on");
    }
}
