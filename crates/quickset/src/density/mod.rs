//! The density of a number in one class: normal kernels around its values, of a bandwidth that the values themselves
//! choose.
//!
//! Bandwidths have no unit, so numbers are brought to a [`Scale`] first, from 0 for the least of all training rows to 1
//! for the greatest. An [`Estimate`] is what a model keeps; a [`Ready`] one answers.

mod bandwidth;
mod crossings;
mod line;
mod scale;

use serde::{Deserialize, Serialize};

use crate::measure::{SMALL, total};
use crate::split::mdl::Labelled;
use line::{Line, REACH};

pub(crate) use bandwidth::Chosen;
pub(crate) use crossings::{Crossings, crossings};
pub(crate) use scale::Scale;

/// Values nearer than one part in so many of a bandwidth become one, at their mean. With two such kernels this changes
/// their sum by less than 5e-4 of its height, and it leaves at most this many values to a bandwidth.
const POOLED: f64 = 16.0;

/// Where the sum at a place is less than this part of the lightest value, it is not read but added up: nothing is within
/// six bandwidths, and what is read from so far has few digits.
const FAINT: f64 = 6e-9;

/// The standard normal density.
#[inline(always)]
pub(crate) fn phi(z: f64) -> f64 {
    const HEIGHT: f64 = 0.398_942_280_401_432_7;
    HEIGHT * (-0.5 * z * z).exp()
}

/// Kernels of one bandwidth around weighted values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Estimate {
    bandwidth: f64,
    /// Ascending.
    values: Vec<f64>,
    /// Beside `values`.
    weights: Vec<f64>,
}

impl Estimate {
    /// Of ascending values with their weights, under the bandwidth that makes each likeliest by the others.
    fn of(rows: impl Iterator<Item = (f64, f64)>, chosen: &Chosen) -> Self {
        let (values, weights) = tallied(rows);
        Self::pooled(chosen.best(&values, &weights), &values, &weights)
    }

    /// One for every class, of values that ascend.
    pub fn by_class(sorted: &[Labelled], scale: Scale, classes: usize, chosen: &Chosen) -> Vec<Self> {
        (0..classes as u16).map(|class| Self::of(of_class(sorted, scale, class), chosen)).collect()
    }

    /// The same under given bandwidths.
    pub fn by_class_under(bandwidths: &[f64], sorted: &[Labelled], scale: Scale) -> Vec<Self> {
        let of_class = |(class, &h): (usize, &f64)| Self::with_bandwidth(h, of_class(sorted, scale, class as u16));
        bandwidths.iter().enumerate().map(of_class).collect()
    }

    /// The same under a given bandwidth.
    fn with_bandwidth(bandwidth: f64, rows: impl Iterator<Item = (f64, f64)>) -> Self {
        let (values, weights) = tallied(rows);
        Self::pooled(bandwidth, &values, &weights)
    }

    fn pooled(bandwidth: f64, values: &[f64], weights: &[f64]) -> Self {
        let mut pooled = Estimate { bandwidth, values: Vec::new(), weights: Vec::new() };
        let cell = |value: f64| (value / bandwidth * POOLED).floor();
        let mut rows = values.iter().zip(weights).peekable();
        while let Some((&first, &weight)) = rows.next() {
            let (mut beyond, mut whole) = (0.0, weight);
            while let Some((&value, &weight)) = rows.next_if(|(value, _)| cell(**value) == cell(first)) {
                beyond += weight * (value - first);
                whole += weight;
            }
            pooled.values.push(first + beyond / whole);
            pooled.weights.push(whole);
        }
        pooled
    }

    pub fn bandwidth(&self) -> f64 {
        self.bandwidth
    }

    /// Whether equal values made the bandwidth the narrowest there is.
    pub fn is_narrowest(&self) -> bool {
        bandwidth::is_narrowest(self.bandwidth, total(&self.weights))
    }

    /// Made to answer for many places.
    pub fn ready(&self) -> Ready<'_> {
        let h = self.bandwidth;
        let table = match self.values.as_slice() {
            // Where a scale is as it should be, there are no more.
            [first, .., last] if (last - first) / h <= MOST_BANDWIDTHS => {
                let line = Line::new(first - REACH * h, last + REACH * h, h);
                let values = self.values.iter().zip(&self.weights);
                let places = values.filter_map(|(&value, &weight)| Some((line.place(value)?, weight)));
                Some((line, line.smoothed(&line.shared_out(places), h)))
            }
            _ => None,
        };
        let faint = FAINT * self.weights.iter().copied().fold(f64::INFINITY, f64::min);
        Ready { estimate: self, whole: total(&self.weights), table, faint }
    }

    /// The kernels at a place, added up from the nearest outwards until all that are left would change the sum by less
    /// than a millionth: at most a few hundred, since a bandwidth holds few values and kernels end soon.
    /// The nearest counts without the weight `own`.
    fn sum(&self, x: f64, own: f64) -> f64 {
        const NOTHING: f64 = 1e-6;
        let above = self.values.partition_point(|&value| value < x);
        let from = |at: usize| self.values.get(at).map_or(f64::INFINITY, |value| (value - x).abs());
        let nearest = if above > 0 && from(above - 1) < from(above) { above - 1 } else { above };
        let (mut sum, whole) = (0.0, total(&self.weights));
        let mut add = |at: usize| {
            let kernel = phi((self.values[at] - x) / self.bandwidth);
            let weight = if at == nearest { (self.weights[at] - own).max(0.0) } else { self.weights[at] };
            sum += weight * kernel;
            whole * kernel > NOTHING * sum
        };
        let _ = (above..self.values.len()).all(&mut add);
        let _ = (0..above).rev().all(&mut add);
        sum
    }

    /// Whether everything in it fits rows of this weight.
    pub fn fits(&self, weight: f64) -> bool {
        let finite = |numbers: &[f64]| numbers.iter().all(|number| number.is_finite());
        self.bandwidth.is_finite()
            && self.bandwidth > 0.0
            && self.values.len() == self.weights.len()
            && self.values.is_sorted_by(|a, b| a < b)
            && finite(&self.values)
            && self.weights.iter().all(|&weight| weight > 0.0)
            && total(&self.weights) <= weight + SMALL * weight.max(1.0)
    }
}

/// A range of 1 has at most √m/0.2 bandwidths, and there are fewer rows than 2³². A line takes memory by them.
const MOST_BANDWIDTHS: f64 = 65_536.0 / 0.2 + 1.0;

/// An estimate that answers for a place by eight readings, to 1e-8 for each kernel, or, far from all values, by its
/// nearest kernels.
pub(crate) struct Ready<'e> {
    estimate: &'e Estimate,
    whole: f64,
    /// The sums of kernels along a line; one value needs none.
    table: Option<(Line, Vec<f64>)>,
    faint: f64,
}

impl Ready<'_> {
    /// The sum of the weighted kernels at a place, each of the height φ(0).
    fn sum(&self, x: f64) -> f64 {
        self.read(x).filter(|&sum| sum > self.faint).unwrap_or_else(|| self.estimate.sum(x, 0.0))
    }

    fn read(&self, x: f64) -> Option<f64> {
        let (line, heights) = self.table.as_ref()?;
        Some(line.place(x)?.read(heights))
    }

    /// The weight of a class times its density here, over a factor that all classes share.
    pub fn score(&self, x: f64) -> f64 {
        self.sum(x) / self.estimate.bandwidth
    }

    /// The same at a value of the class, without one row of it, or without all that equal values weigh if that is less.
    pub fn score_of_others(&self, x: f64, weight: f64) -> f64 {
        let own = weight.min(1.0);
        // What is read less what the row itself adds has too few digits where the others add little.
        let read = self.read(x).map(|sum| sum - own * phi(0.0)).filter(|&sum| sum > 0.01);
        read.unwrap_or_else(|| self.estimate.sum(x, own)) / self.estimate.bandwidth
    }

    /// The values, each with its share of the weight.
    pub fn values(&self) -> impl Iterator<Item = (f64, f64)> {
        let Estimate { values, weights, .. } = self.estimate;
        values.iter().zip(weights).map(|(&value, weight)| (value, weight / self.whole))
    }

    /// The density; 0 where there is no value.
    pub fn density(&self, x: f64) -> f64 {
        if self.whole > 0.0 { self.score(x) / self.whole } else { 0.0 }
    }
}

/// The values of one class on a scale, with their weights.
fn of_class(sorted: &[Labelled], scale: Scale, class: u16) -> impl Iterator<Item = (f64, f64)> {
    let rows = sorted.iter().filter(move |row| row.class == class);
    rows.map(move |row| (scale.of_number(row.value), row.weight))
}

/// The different values of ascending ones, with their weights together.
fn tallied(rows: impl Iterator<Item = (f64, f64)>) -> (Vec<f64>, Vec<f64>) {
    let (mut values, mut weights): (Vec<f64>, Vec<f64>) = (Vec::new(), Vec::new());
    for (value, weight) in rows {
        match weights.last_mut() {
            Some(last) if values.last() == Some(&value) => *last += weight,
            _ => {
                values.push(value);
                weights.push(weight);
            }
        }
    }
    (values, weights)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn ones(values: &[f64]) -> impl Iterator<Item = (f64, f64)> {
        values.iter().map(|&value| (value, 1.0))
    }

    /// ALGORITHMS.md §6.2.
    #[test]
    fn the_density_is_that_of_the_vectors() {
        let estimate = Estimate::of(ones(&[0.0, 0.1, 0.15, 0.4, 0.5, 0.55, 0.6, 0.9, 1.0]), &Chosen::default());
        assert!((estimate.bandwidth() - 0.106666667).abs() < 1e-9);
        assert!((estimate.ready().density(0.3) - 0.608273685).abs() < 1e-8, "{}", estimate.ready().density(0.3));
    }

    #[test]
    fn heavy_rows_do_not_narrow_the_bandwidth() {
        let values = [0.0, 0.1, 0.15, 0.4, 0.5, 0.55, 0.6, 0.9, 1.0];
        let chosen = Chosen::for_weights(Some(&[1000.0; 9]));
        let heavy = Estimate::of(values.iter().map(|&value| (value, 1000.0)), &chosen);
        let light = Estimate::of(ones(&values), &Chosen::default());
        assert!((heavy.bandwidth() - light.bandwidth()).abs() < 1e-12);
        assert!((heavy.ready().density(0.3) - light.ready().density(0.3)).abs() < 1e-9);
    }

    #[test]
    fn one_value_and_none_have_densities() {
        let one = Estimate::of(ones(&[0.25]), &Chosen::default());
        assert!((one.ready().density(0.25) - phi(0.0) / 0.5).abs() < 1e-12);
        let none = Estimate::of(ones(&[]), &Chosen::default());
        assert_eq!(none.ready().density(0.5), 0.0);
        assert!(none.fits(0.0) && one.fits(1.0) && !one.fits(0.5));
    }

    #[test]
    fn wrong_numbers_do_not_fit() {
        let sound = Estimate { bandwidth: 0.1, values: vec![0.0, 1.0], weights: vec![1.0, 2.0] };
        assert!(sound.fits(3.0));
        for wrong in [
            Estimate { bandwidth: 0.0, ..sound.clone() },
            Estimate { values: vec![1.0, 0.0], ..sound.clone() },
            Estimate { values: vec![0.0], ..sound.clone() },
            Estimate { values: vec![0.0, f64::INFINITY], ..sound.clone() },
            Estimate { weights: vec![1.0, -1.0], ..sound.clone() },
        ] {
            assert!(!wrong.fits(3.0), "{wrong:?}");
        }
    }

    proptest! {
        #[test]
        fn answers_are_the_direct_sum(
            mut values in prop::collection::vec(prop_oneof![0.0..1.0f64, 0.2..0.21f64, (0..9u8).prop_map(|x| f64::from(x) / 8.0)], 1..200),
            bandwidth in 0.01..0.5f64,
            places in prop::collection::vec(-3.0..4.0f64, 20),
        ) {
            values.sort_by(f64::total_cmp);
            let estimate = Estimate::with_bandwidth(bandwidth, ones(&values));
            let ready = estimate.ready();
            prop_assert!((total(&estimate.weights) - values.len() as f64).abs() < 1e-9);
            for x in places {
                let all: f64 = values.iter().map(|value| phi((x - value) / bandwidth)).sum();
                // What pooling may change: so much of the kernels' bends here.
                let bend = |value: &f64| { let z = (x - value) / bandwidth; (z * z + 1.0) * phi(z.abs() - 1.0 / POOLED) };
                let pooling: f64 = values.iter().map(bend).sum::<f64>() / (8.0 * POOLED * POOLED);
                prop_assert!((ready.sum(x) - all).abs() <= pooling + 1e-3 * all + 1e-12, "{} {} {}", x, ready.sum(x), all);
                let kept: f64 = estimate.values.iter().zip(&estimate.weights)
                    .map(|(value, weight)| weight * phi((x - value) / bandwidth)).sum();
                prop_assert!((ready.sum(x) - kept).abs() <= (1e-8 * ready.whole).min(1e-3 * kept), "{} {} {}", x, ready.sum(x), kept);
            }
        }
    }
}
