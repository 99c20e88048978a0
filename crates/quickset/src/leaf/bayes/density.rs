//! Densities of a number, one per class, as Weka's naive Bayes has them.
//!
//! Numbers are known to a *precision*: the mean gap between neighbouring values. They are rounded to its multiples, and
//! the probability of a number is that of the interval of this width around it.

use serde::{Deserialize, Serialize};
use statrs::function::erf::erfc;

use super::{are_numbers, ascends};
use crate::measure::{SMALL, total};
use crate::split::mdl::Labelled;

/// The precision of a number that has only one value.
const DEFAULT_PRECISION: f64 = 0.01;

/// A deviation below this says nothing of the scale.
const LEAST_DEVIATION: f64 = 1e-10;

/// Kernels are added up until the rest, if all were as near as the last, would change the sum by less than this share.
const NEGLIGIBLE: f64 = 0.01;

/// A normal distribution per class.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Normals {
    precision: f64,
    means: Vec<f64>,
    deviations: Vec<f64>,
}

/// A normal distribution around every value of a class, all of one deviation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Kernels {
    precision: f64,
    deviations: Vec<f64>,
    /// By class: ascending.
    values: Vec<Vec<f64>>,
    /// Beside `values`.
    weights: Vec<Vec<f64>>,
}

/// What normal distributions are told from: sums from which rows can be taken again.
#[derive(Clone)]
pub(super) struct Moments {
    precision: f64,
    first: f64,
    /// By class: the weight, and the sums of the values and of their squares, in steps of the precision from the first
    /// value: whole numbers, whose sums are exact and do not overflow.
    sums: Vec<[f64; 3]>,
}

impl Moments {
    /// Of values that ascend.
    pub fn of(sorted: &[Labelled], classes: usize) -> Self {
        let first = sorted.first().map_or(0.0, |row| row.value);
        let mut moments = Moments { precision: precision(sorted), first, sums: vec![[0.0; 3]; classes] };
        sorted.iter().for_each(|row| moments.count(row, row.weight));
        moments
    }

    /// The same steps, of other rows.
    #[cfg(test)]
    pub fn with(&self, rows: &[Labelled]) -> Self {
        let mut moments = Moments { sums: vec![[0.0; 3]; self.sums.len()], ..self.clone() };
        rows.iter().for_each(|row| moments.count(row, row.weight));
        moments
    }

    /// Takes away one of the rows.
    pub fn remove(&mut self, row: &Labelled) {
        self.count(row, -row.weight);
        let sums = &mut self.sums[usize::from(row.class)];
        // Differences of sums of fractions are only almost zero.
        if sums[0] < SMALL {
            *sums = [0.0; 3];
        }
    }

    fn count(&mut self, row: &Labelled, weight: f64) {
        let steps = (row.value / self.precision).round_ties_even() - (self.first / self.precision).round_ties_even();
        let steps = if steps.is_finite() { steps } else { 0.0 };
        let terms = [weight, weight * steps, weight * steps * steps];
        self.sums[usize::from(row.class)].iter_mut().zip(terms).for_each(|(sum, term)| *sum += term);
    }

    /// A class without any row has its mean at zero.
    pub fn normals(&self) -> Normals {
        let precision = self.precision;
        let first = rounded(self.first, precision);
        let mean = |&[weight, sum, _]: &[f64; 3]| {
            if weight > 0.0 { (first + sum / weight * precision).clamp(f64::MIN, f64::MAX) } else { 0.0 }
        };
        let deviation = |&[weight, sum, squares]: &[f64; 3]| {
            let mean = sum / weight;
            let deviation = ((squares / weight - mean * mean).max(0.0).sqrt() * precision).min(f64::MAX);
            if deviation > LEAST_DEVIATION { deviation.max(least(precision)) } else { least(precision) }
        };
        let (means, deviations) = self.sums.iter().map(|sums| (mean(sums), deviation(sums))).unzip();
        Normals { precision, means, deviations }
    }
}

impl Normals {
    /// Of values that ascend.
    pub fn of(sorted: &[Labelled], classes: usize) -> Self {
        Moments::of(sorted, classes).normals()
    }

    pub fn probability(&self, class: usize, value: f64) -> f64 {
        let from_mean = rounded(value, self.precision) - self.means[class];
        interval(from_mean, self.deviations[class], self.precision)
    }

    /// Of two normal distributions, without their precision.
    pub fn divergence(&self, a: usize, b: usize) -> f64 {
        let [first, second] = [a, b].map(|class| self.deviations[class].powi(2));
        let apart = (self.means[a] - self.means[b]).powi(2);
        ((first + apart) / second + (second + apart) / first) / 2.0 - 1.0
    }

    pub fn fit(&self, leaf: &[f64]) -> bool {
        is_precision(self.precision)
            && are_numbers(&self.means, leaf.len())
            && are_numbers(&self.deviations, leaf.len())
            && self.deviations.iter().all(|&deviation| deviation > 0.0)
    }
}

impl Kernels {
    /// Of values that ascend.
    pub fn of(sorted: &[Labelled], classes: usize) -> Self {
        let precision = precision(sorted);
        let (mut values, mut weights) = (vec![Vec::new(); classes], vec![Vec::new(); classes]);
        for row in sorted {
            let value = rounded(row.value, precision);
            let (values, weights) = (&mut values[usize::from(row.class)], &mut weights[usize::from(row.class)]);
            match weights.last_mut() {
                Some(weight) if values.last() == Some(&value) => *weight += row.weight,
                _ => {
                    values.push(value);
                    weights.push(row.weight);
                }
            }
        }
        let deviation = |(values, weights): (&Vec<f64>, &Vec<f64>)| match values.as_slice() {
            [first, .., last] => ((last - first) / total(weights).sqrt()).clamp(least(precision), f64::MAX),
            _ => least(precision),
        };
        let deviations = values.iter().zip(&weights).map(deviation).collect();
        Kernels { precision, deviations, values, weights }
    }

    /// The weight of all kernels by class: what [`Kernels::probability`] asks for.
    pub fn wholes(&self) -> Vec<f64> {
        self.weights.iter().map(|weights| total(weights)).collect()
    }

    /// By what the two say of the values that either has; 0 where one has none.
    pub fn divergence(&self, wholes: &[f64], a: usize, b: usize) -> f64 {
        let log = |class: usize, value: f64| self.probability(class, wholes[class], value).max(f64::MIN_POSITIVE).ln();
        let mean = |of: usize, other: usize| {
            let told = self.values[of].iter().zip(&self.weights[of]);
            told.map(|(&value, weight)| weight * (log(of, value) - log(other, value))).sum::<f64>() / wholes[of]
        };
        if self.values[a].is_empty() || self.values[b].is_empty() { 0.0 } else { mean(a, b) + mean(b, a) }
    }

    pub fn probability(&self, class: usize, whole: f64, value: f64) -> f64 {
        let value = rounded(value, self.precision);
        let (values, weights) = (&self.values[class], &self.weights[class]);
        let (deviation, precision) = (self.deviations[class], self.precision);
        if values.is_empty() {
            return interval(value, deviation, precision);
        }
        // Outwards from the number, until what is left cannot add much.
        let (mut sum, mut left) = (0.0, whole);
        let mut add = |at: usize| {
            let near = interval(values[at] - value, deviation, precision);
            sum += weights[at] * near;
            left -= weights[at];
            near * left >= sum * NEGLIGIBLE
        };
        let above = values.partition_point(|&near| near < value);
        let _ = (above..values.len()).all(&mut add);
        let _ = (0..above).rev().all(&mut add);
        sum / whole
    }

    pub fn fit(&self, leaf: &[f64]) -> bool {
        let sound = |((values, weights), &whole): ((&Vec<f64>, &Vec<f64>), &f64)| {
            ascends(values)
                && are_numbers(values, values.len())
                && are_numbers(weights, values.len())
                && weights.iter().all(|&weight| weight > 0.0)
                && total(weights) <= whole + SMALL * whole.max(1.0)
        };
        is_precision(self.precision)
            && are_numbers(&self.deviations, leaf.len())
            && self.deviations.iter().all(|&deviation| deviation > 0.0)
            && self.values.len() == leaf.len()
            && self.weights.len() == leaf.len()
            && self.values.iter().zip(&self.weights).zip(leaf).all(sound)
    }
}

/// The mean gap between neighbouring values, of values that ascend.
fn precision(sorted: &[Labelled]) -> f64 {
    let gaps = sorted.windows(2).map(|pair| pair[1].value - pair[0].value).filter(|&gap| gap > 0.0);
    let (mut sum, mut count) = (0.0, 0.0);
    gaps.for_each(|gap| {
        sum += gap;
        count += 1.0;
    });
    if count > 0.0 { (sum / count).clamp(f64::MIN_POSITIVE, f64::MAX) } else { DEFAULT_PRECISION }
}

fn is_precision(precision: f64) -> bool {
    precision.is_finite() && precision > 0.0
}

/// The least deviation at a precision.
fn least(precision: f64) -> f64 {
    (precision / 6.0).max(f64::MIN_POSITIVE)
}

fn rounded(value: f64, precision: f64) -> f64 {
    let rounded = (value / precision).round_ties_even() * precision;
    if rounded.is_finite() { rounded } else { value }
}

/// The probability that a normal distribution gives the interval around a number so far from its mean.
fn interval(from_mean: f64, deviation: f64, precision: f64) -> f64 {
    let half = precision / 2.0;
    below((from_mean + half) / deviation) - below((from_mean - half) / deviation)
}

/// The standard normal distribution function.
fn below(z: f64) -> f64 {
    0.5 * erfc(-z * std::f64::consts::FRAC_1_SQRT_2)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The temperatures of the weather: played, and not.
    fn temperatures() -> Vec<Labelled> {
        let days = [64, 65, 68, 69, 70, 71, 72, 72, 75, 75, 80, 81, 83, 85];
        let play = b"abaaabbaaabaab";
        let label = |(&day, class): (&i32, &u8)| Labelled {
            value: f64::from(day),
            class: u16::from(class - b'a'),
            weight: 1.0,
        };
        days.iter().zip(play).map(label).collect()
    }

    fn close(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-6, "found {found}, expected {expected}");
    }

    /// ALGORITHMS.md §2.1.
    #[test]
    fn densities_are_those_of_the_vectors() {
        let normals = Normals::of(&temperatures(), 2);
        close(normals.precision, 1.909090909);
        close(normals.means[0], 72.969697);
        close(normals.deviations[0], 5.230412);
        close(normals.probability(0, 66.0), 0.073071321);
        close(normals.means[1], 74.836364);
        close(normals.deviations[1], 7.384012);
        close(normals.probability(1, 66.0), 0.057228222);
        let kernels = Kernels::of(&temperatures(), 2);
        close(kernels.deviations[0], 5.727273);
        close(kernels.deviations[1], 9.391486);
    }

    #[test]
    fn kernels_weigh_as_much_as_their_rows_and_the_nearest_always_counts() {
        let rows = [(1.0, 3.0), (2.0, 1.0)].map(|(value, weight)| Labelled { value, class: 0, weight });
        let kernels = Kernels::of(&rows, 1);
        close(kernels.deviations[0], 0.5);
        let expected = 0.75 * interval(0.0, 0.5, 1.0) + 0.25 * interval(1.0, 0.5, 1.0);
        let probability = |value| kernels.probability(0, kernels.wholes()[0], value);
        close(probability(1.0), expected);
        assert!(probability(9.0) > 0.0 && probability(9.0) < probability(8.0));
    }

    #[test]
    fn one_value_or_none_has_the_default_precision() {
        let one = [Labelled { value: 7.0, class: 1, weight: 2.0 }];
        let normals = Normals::of(&one, 2);
        assert_eq!((normals.precision, normals.means[0], normals.deviations[0]), (0.01, 0.0, 0.01 / 6.0));
        close(normals.probability(1, 7.0), 0.9973002);
        assert_eq!(Normals::of(&[], 1).precision, 0.01);
    }
}
