//! Least squares, small and dense: a handful of constants from some dozens of runs.

use super::paper::{Case, Growing, Pruning};
use crate::error::{Error, Result};

/// A tree that was grown, and what it took.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Observation {
    /// What T_B is asked about.
    pub case: Case,
    /// The nodes that the tree had.
    pub nodes: f64,
    /// What growing took.
    pub milliseconds: f64,
}

/// How the nodes of a tree enter T_B.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nodes {
    /// Those of a full tree of the same depth, as in the paper.
    Full,
    /// Those it had.
    Counted,
}

/// Constants fitted to runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit<C> {
    /// The constants.
    pub constants: C,
    /// The share of the variance that they explain, 1 at most: of the times, or of their logarithms where these were
    /// fitted.
    pub r_squared: f64,
}

/// The constants of T_B that fit the runs best, by ordinary least squares, as the paper fitted them.
pub fn refit(observations: &[Observation], nodes: Nodes) -> Result<Fit<Growing>> {
    let row = |seen: &Observation| {
        let count = if nodes == Nodes::Full { seen.case.full_nodes() } else { seen.nodes };
        seen.case.terms(count).to_vec()
    };
    let terms: Vec<Vec<f64>> = observations.iter().map(row).collect();
    let times: Vec<f64> = observations.iter().map(|seen| seen.milliseconds).collect();
    let found = least_squares(&terms, &times)?;
    let fitted = terms.iter().map(|terms| dot(terms, &found));
    let constants = Growing { row: found[0], class: found[1], node: found[2], descent: found[3] };
    Ok(Fit { constants, r_squared: r_squared(&times, fitted) })
}

/// A tree that was pruned, and what it took.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PruningObservation {
    /// N.
    pub rows: f64,
    /// h*: the geometric mean of the row-weighted leaf depth before and after.
    pub depth: f64,
    /// What pruning took.
    pub seconds: f64,
}

/// The constants of t_p that fit the logarithms of the times best, with k2 = 0 as in the paper, and k1 at most k0 so that
/// no time is negative. Runs without rows, depth or time say nothing and are passed over.
pub fn refit_pruning(observations: &[PruningObservation]) -> Result<Fit<Pruning>> {
    let tells = |seen: &&PruningObservation| seen.rows > 0.0 && seen.depth > 0.0 && seen.seconds > 0.0;
    let seen: Vec<PruningObservation> = observations.iter().filter(tells).copied().collect();
    if seen.len() < 3 {
        return Err(Error::data(format!("found {} trees that pruning took time for, expected 3 or more", seen.len())));
    }
    let logs: Vec<f64> = seen.iter().map(|seen| seen.seconds.ln()).collect();
    // With ξ and k1/k0 given, the best k0 is a mean of logarithms: two numbers are left to search, coarse to fine.
    let at = |growth: f64, share: f64| {
        let unit = Pruning { k0: 1.0, k1: share, k2: 0.0, growth };
        let shape: Vec<f64> = seen.iter().map(|seen| unit.seconds(seen.rows, seen.depth).ln()).collect();
        let level = logs.iter().zip(&shape).map(|(log, shape)| log - shape).sum::<f64>() / logs.len() as f64;
        let squares: f64 = logs.iter().zip(&shape).map(|(log, shape)| (log - shape - level).powi(2)).sum();
        (squares, level)
    };
    const STEPS: i32 = 20;
    let (mut growth, mut share) = (0.5, 0.5);
    let (mut wide, mut high) = (0.5, 0.5);
    for _ in 0..12 {
        let (middle, centre) = (growth, share);
        let mut least = f64::INFINITY;
        for i in -STEPS..=STEPS {
            for j in -STEPS..=STEPS {
                let growing = (middle + wide * f64::from(i) / f64::from(STEPS)).clamp(1e-4, 4.0);
                let part = (centre + high * f64::from(j) / f64::from(STEPS)).clamp(0.0, 1.0);
                let (squares, _) = at(growing, part);
                if squares < least {
                    (least, growth, share) = (squares, growing, part);
                }
            }
        }
        (wide, high) = (wide / 3.0, high / 3.0);
    }
    let (_, level) = at(growth, share);
    let constants = Pruning { k0: level.exp(), k1: level.exp() * share, k2: 0.0, growth };
    let fitted = seen.iter().map(|seen| constants.seconds(seen.rows, seen.depth).ln());
    Ok(Fit { constants, r_squared: r_squared(&logs, fitted) })
}

/// The coefficients of the terms whose sums are nearest to the values, by Householder's method on scaled columns.
pub(super) fn least_squares(terms: &[Vec<f64>], values: &[f64]) -> Result<Vec<f64>> {
    let count = terms.first().map_or(0, Vec::len);
    if terms.len() < count || count == 0 {
        return Err(Error::data(format!("found {} runs, expected {} or more", terms.len(), count.max(1)))
            .remedy("add runs that differ in rows, attributes and classes"));
    }
    let norm = |column: usize| terms.iter().map(|row| row[column].powi(2)).sum::<f64>().sqrt();
    let scales: Vec<f64> = (0..count).map(norm).collect();
    let scaled = |row: &Vec<f64>| row.iter().zip(&scales).map(|(term, scale)| term / scale).collect();
    let mut left: Vec<Vec<f64>> = terms.iter().map(scaled).collect();
    let mut right = values.to_vec();
    for column in 0..count {
        let length = left[column..].iter().map(|row| row[column].powi(2)).sum::<f64>().sqrt();
        // A column of length 1 of which nothing is left is a sum of those before it. Not a number is not enough either.
        if !length.is_finite() || length < 1e-10 {
            return Err(Error::data("the runs do not tell the constants apart")
                .remedy("add runs that differ in rows, attributes and classes"));
        }
        let first = left[column][column];
        let mirror = if first > 0.0 { first + length } else { first - length };
        let normal: Vec<f64> =
            left[column..].iter().enumerate().map(|(at, row)| if at == 0 { mirror } else { row[column] }).collect();
        let half = dot(&normal, &normal) / 2.0;
        for other in column..count {
            let along = left[column..].iter().zip(&normal).map(|(row, n)| row[other] * n).sum::<f64>() / half;
            left[column..].iter_mut().zip(&normal).for_each(|(row, n)| row[other] -= along * n);
        }
        let along = dot(&right[column..], &normal) / half;
        right[column..].iter_mut().zip(&normal).for_each(|(value, n)| *value -= along * n);
    }
    let mut found = vec![0.0; count];
    for column in (0..count).rev() {
        let known = dot(&left[column][column + 1..], &found[column + 1..]);
        found[column] = (right[column] - known) / left[column][column];
    }
    Ok(found.iter().zip(&scales).map(|(value, scale)| value / scale).collect())
}

/// The same where no coefficient may be negative: the positive ones of least squares among themselves, found by turning
/// one coordinate at a time (a convex problem, so that the order does not matter). A term that is always 0 gets 0.
pub(super) fn non_negative(terms: &[Vec<f64>], values: &[f64]) -> Vec<f64> {
    const ROUNDS: usize = 3_000;
    let count = terms.first().map_or(0, Vec::len);
    let squares: Vec<f64> = (0..count).map(|at| terms.iter().map(|row| row[at].powi(2)).sum()).collect();
    let mut found = vec![0.0; count];
    let mut missing = values.to_vec();
    for _ in 0..ROUNDS {
        for at in 0..count {
            if squares[at] <= 0.0 {
                continue;
            }
            let along: f64 = terms.iter().zip(&missing).map(|(row, missing)| row[at] * missing).sum();
            let turned = (found[at] + along / squares[at]).max(0.0);
            let step: f64 = turned - found[at];
            terms.iter().zip(&mut missing).for_each(|(row, missing)| *missing -= step * row[at]);
            found[at] = turned;
        }
    }
    found
}

fn dot(left: &[f64], right: &[f64]) -> f64 {
    left.iter().zip(right).map(|(left, right)| left * right).sum()
}

fn r_squared(values: &[f64], fitted: impl Iterator<Item = f64>) -> f64 {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let spread: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    let left: f64 = values.iter().zip(fitted).map(|(value, fitted)| (value - fitted).powi(2)).sum();
    if spread > 0.0 { 1.0 - left / spread } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::super::paper::{GROWING_1995, PRUNING_1995};
    use super::*;

    fn cases() -> Vec<Case> {
        let mut cases = Vec::new();
        for (at, rows) in [100.0, 250.0, 600.0, 2000.0, 5000.0, 9000.0].into_iter().enumerate() {
            for (attributes, classes) in [(4.0, 2.0), (15.0, 3.0), (40.0, 26.0)] {
                let depth = 1.5 + at as f64 + classes / 10.0;
                cases.push(Case { rows, attributes, classes, levels: 2.0 + classes / 10.0, depth });
            }
        }
        cases
    }

    #[test]
    fn the_constants_come_back_from_times_they_made() {
        for nodes in [Nodes::Full, Nodes::Counted] {
            let observe = |case: Case| {
                let counted = 3.0 + case.rows / 7.0;
                let count = if nodes == Nodes::Full { case.full_nodes() } else { counted };
                Observation { case, nodes: counted, milliseconds: GROWING_1995.milliseconds_of(&case, count) }
            };
            let seen: Vec<Observation> = cases().into_iter().map(observe).collect();
            let fit = refit(&seen, nodes).unwrap();
            let pairs = [
                (fit.constants.row, GROWING_1995.row),
                (fit.constants.class, GROWING_1995.class),
                (fit.constants.node, GROWING_1995.node),
                (fit.constants.descent, GROWING_1995.descent),
            ];
            assert!(pairs.iter().all(|(found, made)| (found - made).abs() < 1e-5 * made), "{pairs:?}");
            assert!(fit.r_squared > 1.0 - 1e-12);
        }
    }

    #[test]
    fn too_few_or_equal_runs_are_refused() {
        let case = cases()[0];
        let seen = [Observation { case, nodes: 9.0, milliseconds: 1.0 }; 6];
        assert!(refit(&seen[..2], Nodes::Counted).unwrap_err().to_string().contains("found 2 runs"));
        assert!(refit(&seen, Nodes::Counted).unwrap_err().to_string().contains("do not tell the constants apart"));
        assert!(refit(&[], Nodes::Full).is_err());
        assert!(refit_pruning(&[]).is_err());
    }

    #[test]
    fn pruning_comes_back_and_is_never_negative() {
        let made = Pruning { k0: 2e-7, k1: 1.5e-7, k2: 0.0, growth: 0.3 };
        let observe = |constants: Pruning, least: f64| {
            let depth = |at: i32| least + 0.7 * f64::from(at);
            let rows = |at: i32| 100.0 * f64::from(1 + at % 5);
            let seconds = move |at: i32| constants.seconds(rows(at), depth(at));
            (0..20)
                .map(|at| PruningObservation { rows: rows(at), depth: depth(at), seconds: seconds(at) })
                .collect::<Vec<_>>()
        };
        let fit = refit_pruning(&observe(made, 0.5)).unwrap();
        assert!((fit.constants.growth - made.growth).abs() < 1e-3, "{fit:?}");
        assert!((fit.constants.k1 / made.k1 - 1.0).abs() < 0.02, "{fit:?}");
        assert!(fit.r_squared > 0.9999);
        // Times of the paper's own constants, whose k1 is above k0.
        let fit = refit_pruning(&observe(PRUNING_1995, 2.0)).unwrap();
        assert!(fit.constants.k1 <= fit.constants.k0 && fit.constants.negative_below().is_none(), "{fit:?}");
        assert!((0..100).all(|depth| fit.constants.seconds(250.0, f64::from(depth) / 10.0) >= 0.0));
    }

    #[test]
    fn without_negative_coefficients_the_rest_fits_as_well_as_it_can() {
        let terms: Vec<Vec<f64>> = (1..9).map(|at| vec![1.0, f64::from(at), f64::from(at * at)]).collect();
        let made: Vec<f64> = terms.iter().map(|row| 2.0 + 0.5 * row[2]).collect();
        let found = non_negative(&terms, &made);
        assert!((found[0] - 2.0).abs() < 0.02 && found[1] < 0.02 && (found[2] - 0.5).abs() < 0.01, "{found:?}");
        let falling: Vec<f64> = terms.iter().map(|row| 10.0 - row[1]).collect();
        assert!(non_negative(&terms, &falling).iter().all(|&value| value >= 0.0));
    }
}
