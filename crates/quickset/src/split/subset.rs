//! CART's test on a nominal attribute: the levels divided in two.

use super::criterion::Criterion;

/// Up to this many levels with more than two classes, every division is tried (ALGORITHMS.md §9).
const MOST_LEVELS_TRIED: usize = 10;

/// The best division of the levels.
#[derive(Debug, PartialEq)]
pub(crate) struct Division {
    /// Positions, in the list of levels given, that go to the first branch.
    pub first: Vec<usize>,
    /// Weights by class of the first branch.
    pub left: Vec<f64>,
    /// Weights by class of the second branch.
    pub right: Vec<f64>,
    /// The criterion's sum over both sides.
    pub worth: f64,
}

/// Divides the levels present at a node. Each level is its weights by class; `left` and `right` are weights that stay
/// on their side whatever happens (rows without a value); both sides must reach `side`.
pub(crate) fn divide<K: Criterion<f64>>(
    criterion: &K,
    levels: &[&[f64]],
    left: &[f64],
    right: &[f64],
    side: f64,
) -> Option<Division> {
    let present = left
        .iter()
        .zip(right)
        .enumerate()
        .filter(|&(class, (l, r))| l + r > 0.0 || levels.iter().any(|level| level[class] > 0.0));
    let judge = Judge { criterion, levels, left, right, side };
    if present.count() > 2 && levels.len() <= MOST_LEVELS_TRIED {
        judge.every_division()
    } else {
        judge.best_prefix(&order(levels))
    }
}

struct Judge<'a, K> {
    criterion: &'a K,
    levels: &'a [&'a [f64]],
    left: &'a [f64],
    right: &'a [f64],
    side: f64,
}

impl<K: Criterion<f64>> Judge<'_, K> {
    /// Everything on the right.
    fn start(&self) -> (Vec<f64>, Vec<f64>) {
        let mut right = self.right.to_vec();
        self.levels.iter().for_each(|level| add(&mut right, level, 1.0));
        (self.left.to_vec(), right)
    }

    /// What a division is worth, if both sides are heavy enough.
    fn worth(&self, left: &[f64], right: &[f64]) -> Option<f64> {
        let totals = [left, right].map(|weights| weights.iter().sum::<f64>());
        if totals.iter().any(|&total| total < self.side) {
            return None;
        }
        let cells = |weights: &[f64]| weights.iter().map(|&w| self.criterion.cell(w)).sum::<f64>();
        Some(self.criterion.side(cells(left), totals[0]) + self.criterion.side(cells(right), totals[1]))
    }

    /// The first level stays on the left: a division and its mirror image are the same test, unless weights are bound
    /// to a side.
    fn every_division(&self) -> Option<Division> {
        let mut best: Option<Division> = None;
        let bound = self.left.iter().chain(self.right).any(|&weight| weight > 0.0);
        for bits in 1u32..(1 << self.levels.len()) - 1 {
            if bits & 1 == 0 && !bound {
                continue;
            }
            let first: Vec<usize> = (0..self.levels.len()).filter(|&at| bits >> at & 1 == 1).collect();
            let (mut left, mut right) = self.start();
            for &at in &first {
                add(&mut left, self.levels[at], 1.0);
                add(&mut right, self.levels[at], -1.0);
            }
            if let Some(worth) = self.worth(&left, &right)
                && best.as_ref().is_none_or(|best| worth > best.worth)
            {
                best = Some(Division { first, left, right, worth });
            }
        }
        best
    }

    /// The best division of the ordered levels into a first and a last part.
    fn best_prefix(&self, order: &[usize]) -> Option<Division> {
        let (mut left, mut right) = self.start();
        let mut best: Option<(usize, f64)> = None;
        for (at, &level) in order.iter().enumerate() {
            if at > 0
                && let Some(worth) = self.worth(&left, &right)
                && best.is_none_or(|(_, most)| worth > most)
            {
                best = Some((at, worth));
            }
            add(&mut left, self.levels[level], 1.0);
            add(&mut right, self.levels[level], -1.0);
        }
        let (end, worth) = best?;
        let (mut left, mut right) = self.start();
        let mut first = order[..end].to_vec();
        first.sort_unstable();
        for &level in &first {
            add(&mut left, self.levels[level], 1.0);
            add(&mut right, self.levels[level], -1.0);
        }
        Some(Division { first, left, right, worth })
    }
}

fn add(sum: &mut [f64], weights: &[f64], sign: f64) {
    sum.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += sign * weight);
}

/// Levels by the first principal component of their class shares. With two classes this is the order of the share of
/// either one, along which the best division is always a prefix (Breiman et al. 1984); with more it is a good
/// heuristic (Coppersmith, Hong and Hosking 1999).
fn order(levels: &[&[f64]]) -> Vec<usize> {
    let classes = levels.first().map_or(0, |level| level.len());
    let total: f64 = levels.iter().flat_map(|level| level.iter()).sum();
    let shares: Vec<(f64, Vec<f64>)> = levels
        .iter()
        .map(|level| {
            let weight: f64 = level.iter().sum();
            (weight, level.iter().map(|w| if weight > 0.0 { w / weight } else { 0.0 }).collect())
        })
        .collect();
    let mut mean = vec![0.0; classes];
    for (weight, share) in &shares {
        mean.iter_mut().zip(share).for_each(|(m, s)| *m += weight / total * s);
    }
    let centred: Vec<(f64, Vec<f64>)> =
        shares.iter().map(|(weight, share)| (*weight, share.iter().zip(&mean).map(|(s, m)| s - m).collect())).collect();
    let direction = principal_direction(&centred, classes);
    let score = |at: usize| dot(&centred[at].1, &direction);
    let mut order: Vec<usize> = (0..levels.len()).collect();
    order.sort_by(|&a, &b| score(a).total_cmp(&score(b)).then(a.cmp(&b)));
    order
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// Power iteration on the weighted scatter, without forming the matrix.
fn principal_direction(centred: &[(f64, Vec<f64>)], classes: usize) -> Vec<f64> {
    const STEPS: usize = 50;
    // The longest deviation is a start that cannot be orthogonal to everything.
    let start = centred.iter().max_by(|a, b| (a.0 * dot(&a.1, &a.1)).total_cmp(&(b.0 * dot(&b.1, &b.1))));
    let mut direction = start.map_or_else(|| vec![0.0; classes], |(_, deviation)| deviation.clone());
    for _ in 0..STEPS {
        let mut next = vec![0.0; classes];
        for (weight, deviation) in centred {
            let along = weight * dot(deviation, &direction);
            next.iter_mut().zip(deviation).for_each(|(n, d)| *n += along * d);
        }
        let length = dot(&next, &next).sqrt();
        if length < f64::MIN_POSITIVE {
            break;
        }
        direction = next.iter().map(|n| n / length).collect();
    }
    direction
}

#[cfg(test)]
mod tests {
    use super::super::criterion::Squares;
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn with_two_classes_the_ordered_scan_is_exact(
            cells in prop::collection::vec((0u32..6, 0u32..6), 2..7),
        ) {
            let levels: Vec<Vec<f64>> = cells
                .iter()
                .filter(|c| c.0 + c.1 > 0)
                .map(|c| vec![f64::from(c.0), f64::from(c.1)])
                .collect();
            prop_assume!(levels.len() >= 2);
            let levels: Vec<&[f64]> = levels.iter().map(Vec::as_slice).collect();
            let none = [0.0, 0.0];
            let judge = Judge { criterion: &Squares, levels: &levels, left: &none, right: &none, side: 1.0 };
            let fast = divide(&Squares, &levels, &none, &none, 1.0).unwrap();
            let slow = judge.every_division().unwrap();
            prop_assert!((fast.worth - slow.worth).abs() < 1e-9, "{} {}", fast.worth, slow.worth);
        }
    }

    #[test]
    fn three_classes_are_divided_by_trying_all() {
        let levels: [&[f64]; 3] = [&[5.0, 0.0, 0.0], &[0.0, 4.0, 0.0], &[0.0, 0.0, 4.0]];
        let division = divide(&Squares, &levels, &[0.0; 3], &[0.0; 3], 1.0).unwrap();
        assert_eq!(division.first, [0]);
    }

    #[test]
    fn a_side_that_is_too_light_is_no_division() {
        let levels: [&[f64]; 2] = [&[1.0, 0.0], &[0.0, 9.0]];
        assert_eq!(divide(&Squares, &levels, &[0.0; 2], &[0.0; 2], 2.0), None);
    }
}
