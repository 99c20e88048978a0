//! Naive Bayes made ready to predict: everything that does not depend on the row is computed once.

use super::adaptive::ReadyAdaptive;
use super::density::{Kernels, Normals};
use super::{Likelihood, NaiveBayes};
use crate::data::Value;
use crate::measure::total;

/// No value makes a class less probable than this factor (Weka).
const LEAST: f64 = 1e-75;

/// Sums of counts are kept below this, so that their sums are numbers too.
const MOST: f64 = 1e300;

/// One leaf's model for data of which some columns are sparse.
pub(crate) struct Ready<'m> {
    /// By class: ln P(class), and ln P(zero | class) of every sparse column. A row that has other values there puts
    /// them in the place of the zeros, so that it costs what it holds.
    base: Vec<f64>,
    /// By attribute, ascending.
    slots: Vec<Slot<'m>>,
    /// Those of columns that are not sparse.
    dense: Vec<usize>,
}

struct Slot<'m> {
    attribute: usize,
    logs: Logs<'m>,
    /// Of a sparse column: ln P(zero | class).
    zero: Option<Vec<f64>>,
}

/// ln P(value | class), as tables where there is a finite number of cases.
pub(super) enum Logs<'m> {
    /// By level that occurred, then class; last what all others have.
    Levels(&'m [u32], Vec<f64>),
    /// By interval, then class.
    Intervals(&'m [f64], Vec<f64>),
    Normal(&'m Normals),
    /// With the weight of all kernels by class.
    Kernel(&'m Kernels, Vec<f64>),
    Adaptive(ReadyAdaptive<'m>),
    /// By class, for a count of one.
    Counts(Vec<f64>),
}

impl NaiveBayes {
    /// `classes` are the leaf's own probabilities, `levels` the numbers of levels of all attributes, `None` for numbers;
    /// `more` rows of every case are counted; `zero` tells what is left out of the column of an attribute, if it is sparse.
    pub(crate) fn ready(
        &self,
        classes: &[f64],
        levels: &[Option<usize>],
        more: f64,
        zero: impl Fn(usize) -> Option<Value>,
    ) -> Ready<'_> {
        let counted = self.counted(classes.len(), levels, more);
        let mut base: Vec<f64> = classes.iter().map(|&probability| log(probability)).collect();
        let slots: Vec<Slot<'_>> = self
            .evidence
            .iter()
            .map(|evidence| {
                let attribute = evidence.attribute;
                let logs = evidence.given.logs(levels[attribute], &counted, more);
                let zero = zero(attribute).map(|value| {
                    let mut zero = vec![0.0; classes.len()];
                    logs.add(value, &mut zero);
                    base.iter_mut().zip(&zero).for_each(|(base, zero)| *base += zero);
                    zero
                });
                Slot { attribute, logs, zero }
            })
            .collect();
        let dense = (0..slots.len()).filter(|&at| slots[at].zero.is_none()).collect();
        Ready { base, slots, dense }
    }
}

impl NaiveBayes {
    /// By class: the counts of all attributes, and so many more for each that may have some.
    pub(super) fn counted(&self, classes: usize, levels: &[Option<usize>], more: f64) -> Vec<f64> {
        let words = levels.iter().filter(|levels| levels.is_none()).count() as f64;
        let mut counted = vec![words * more; classes];
        for evidence in &self.evidence {
            if let Likelihood::Counts(sums) = &evidence.given {
                counted.iter_mut().zip(sums).for_each(|(counted, sum)| *counted += sum.min(MOST));
            }
        }
        counted
    }
}

impl Likelihood {
    /// `levels` is the number of levels, where it is of levels; `counted` are the counts of all attributes by class,
    /// where it is of counts; `more` rows of every case are counted.
    pub(super) fn logs(&self, levels: Option<usize>, counted: &[f64], more: f64) -> Logs<'_> {
        match self {
            Likelihood::Levels { seen, weights } => {
                // The last item stands for all levels that do not occur.
                let items = by_item(weights, seen.len() + 1);
                Logs::Levels(seen, smoothed(&items, weights.len(), levels.unwrap_or(0), more))
            }
            Likelihood::Intervals { cuts, weights } => {
                let items = cuts.len() + 1;
                Logs::Intervals(cuts, smoothed(&by_item(weights, items), weights.len(), items, more))
            }
            Likelihood::Normal(normals) => Logs::Normal(normals),
            Likelihood::Kernel(kernels) => Logs::Kernel(kernels, kernels.wholes()),
            Likelihood::Adaptive(adaptive) => Logs::Adaptive(adaptive.ready()),
            Likelihood::Counts(sums) => {
                let log = |(sum, counted): (&f64, &f64)| log((sum.min(MOST) + more) / counted);
                Logs::Counts(sums.iter().zip(counted).map(log).collect())
            }
        }
    }
}

impl Ready<'_> {
    /// The probability of every class. `entries` are the row's entries in sparse columns by attribute, ascending; `value`
    /// is asked for the others.
    pub fn probabilities(&self, entries: &[(u32, Value)], value: impl Fn(usize) -> Value) -> Vec<f64> {
        let mut sums = self.base.clone();
        for slot in self.dense.iter().map(|&at| &self.slots[at]) {
            slot.logs.add(value(slot.attribute), &mut sums);
        }
        for &(attribute, value) in entries {
            let slot = self.slots.binary_search_by_key(&(attribute as usize), |slot| slot.attribute);
            if let Some(Slot { logs, zero: Some(zero), .. }) = slot.ok().map(|slot| &self.slots[slot]) {
                logs.add(value, &mut sums);
                sums.iter_mut().zip(zero).for_each(|(sum, zero)| *sum -= zero);
            }
        }
        normalised(sums)
    }

    /// ln P(value | class) of every attribute whose value is known.
    pub fn evidence(&self, value: impl Fn(usize) -> Value) -> Vec<(usize, Vec<f64>)> {
        let known = self.slots.iter().filter(|slot| value(slot.attribute) != Value::Missing);
        let logs = |slot: &Slot<'_>| {
            let mut sums = vec![0.0; self.base.len()];
            slot.logs.add(value(slot.attribute), &mut sums);
            (slot.attribute, sums)
        };
        known.map(logs).collect()
    }
}

impl Logs<'_> {
    /// Adds to the sums of the classes; nothing for a value that is not known.
    pub fn add(&self, value: Value, sums: &mut [f64]) {
        let classes = sums.len();
        let mut add_row = |logs: &[f64], row: usize| {
            sums.iter_mut().zip(&logs[row * classes..]).for_each(|(sum, log)| *sum += log);
        };
        match (self, value) {
            (Logs::Levels(seen, logs), Value::Level(code)) => {
                add_row(logs, seen.binary_search(&code).unwrap_or(seen.len()));
            }
            (Logs::Intervals(cuts, logs), Value::Number(number)) => {
                add_row(logs, cuts.partition_point(|&cut| cut < number));
            }
            (Logs::Normal(normals), Value::Number(number)) => {
                let classes = sums.iter_mut().enumerate();
                classes.for_each(|(class, sum)| *sum += log(normals.probability(class, number)));
            }
            (Logs::Kernel(kernels, wholes), Value::Number(number)) => {
                let classes = sums.iter_mut().zip(wholes).enumerate();
                classes.for_each(|(class, (sum, &whole))| *sum += log(kernels.probability(class, whole, number)));
            }
            (Logs::Adaptive(adaptive), Value::Number(number)) => {
                sums.iter_mut().zip(adaptive.densities(number)).for_each(|(sum, density)| *sum += log(density));
            }
            (Logs::Counts(logs), Value::Number(number)) => {
                // A count below zero is none.
                sums.iter_mut().zip(logs).for_each(|(sum, log)| *sum += number.max(0.0) * log);
            }
            _ => {}
        }
    }
}

pub(super) fn log(probability: f64) -> f64 {
    probability.max(LEAST).ln()
}

/// The logarithms of shares within a class after so many rows more of all `cases`. Weights are by item, then class, and so
/// is the result. Where a class has no row at all, none of its shares is known, and all are as small as they can be.
pub(super) fn smoothed(weights: &[f64], classes: usize, cases: usize, more: f64) -> Vec<f64> {
    let mut wholes = vec![cases as f64 * more; classes];
    for item in weights.chunks_exact(classes) {
        wholes.iter_mut().zip(item).for_each(|(whole, weight)| *whole += weight);
    }
    let item = |item| std::iter::zip(item, &wholes).map(|(weight, whole): (&f64, &f64)| log((weight + more) / whole));
    weights.chunks_exact(classes).flat_map(item).collect()
}

/// Weights by class, then item, the other way round.
fn by_item(weights: &[Vec<f64>], items: usize) -> Vec<f64> {
    let of = |item: usize| weights.iter().map(move |of_class| of_class.get(item).copied().unwrap_or(0.0));
    (0..items).flat_map(of).collect()
}

/// From logarithms to probabilities.
fn normalised(mut sums: Vec<f64>) -> Vec<f64> {
    // Huge counts may lead below all numbers.
    sums.iter_mut().for_each(|sum| *sum = sum.max(f64::MIN));
    let most = sums.iter().copied().fold(f64::MIN, f64::max);
    sums.iter_mut().for_each(|sum| *sum = (*sum - most).exp());
    let whole = total(&sums);
    sums.iter_mut().for_each(|sum| *sum /= whole);
    sums
}

#[cfg(test)]
mod tests {
    use super::super::Evidence;
    use super::*;

    fn model(given: Likelihood) -> NaiveBayes {
        NaiveBayes { evidence: vec![Evidence { attribute: 0, given }] }
    }

    fn close(found: &[f64], expected: &[f64]) {
        assert_eq!(found.len(), expected.len());
        assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-9), "{found:?}, expected {expected:?}");
    }

    /// The outlook of the weather (ALGORITHMS.md §2.1): priors 0.625 and 0.375, P(sunny | yes) 0.25.
    #[test]
    fn levels_are_counted_with_one_more() {
        let weights = vec![vec![2.0, 4.0, 3.0], vec![3.0, 0.0, 2.0]];
        let outlook = model(Likelihood::Levels { seen: vec![0, 1, 2], weights });
        let ready = outlook.ready(&[0.625, 0.375], &[Some(3)], 1.0, |_| None);
        close(&ready.evidence(|_| Value::Level(0))[0].1, &[0.25f64.ln(), 0.5f64.ln()]);
        let (yes, no) = (0.625 * 0.25, 0.375 * 0.5);
        close(&ready.probabilities(&[], |_| Value::Level(0)), &[yes / (yes + no), no / (yes + no)]);
        close(&ready.probabilities(&[], |_| Value::Missing), &[0.625, 0.375]);
    }

    #[test]
    fn levels_that_do_not_occur_have_one_row() {
        let identifier = model(Likelihood::Levels { seen: vec![7], weights: vec![vec![3.0], vec![0.0]] });
        let ready = identifier.ready(&[0.5, 0.5], &[Some(1000)], 1.0, |_| None);
        let (first, second) = (1.0 / 1003.0, 1.0 / 1000.0);
        close(&ready.probabilities(&[], |_| Value::Level(3)), &[first / (first + second), second / (first + second)]);
    }

    #[test]
    fn without_a_row_more_a_level_that_a_class_never_had_excludes_it() {
        let weights = vec![vec![2.0, 2.0], vec![3.0, 0.0], vec![0.0, 0.0]];
        let levels = model(Likelihood::Levels { seen: vec![0, 1], weights });
        let ready = levels.ready(&[0.5, 0.5, 0.0], &[Some(3)], 0.0, |_| None);
        close(&ready.probabilities(&[], |_| Value::Level(0)), &[1.0 / 3.0, 2.0 / 3.0, 0.0]);
        close(&ready.probabilities(&[], |_| Value::Level(1)), &[1.0, 0.0, 0.0]);
        // A level that nobody had tells nothing.
        close(&ready.probabilities(&[], |_| Value::Level(2)), &[0.5, 0.5, 0.0]);
    }

    #[test]
    fn a_cut_belongs_to_the_interval_below() {
        let weights = vec![vec![3.0, 0.0], vec![0.0, 3.0]];
        let bins = model(Likelihood::Intervals { cuts: vec![1.5], weights });
        let ready = bins.ready(&[0.5, 0.5], &[None], 1.0, |_| None);
        close(&ready.probabilities(&[], |_| Value::Number(1.5)), &[0.8, 0.2]);
        close(&ready.probabilities(&[], |_| Value::Number(1.6)), &[0.2, 0.8]);
    }

    /// Two words of two: log P = log prior + Σ count · log((N_wc + 1)/(N_c + n)).
    #[test]
    fn counts_are_multinomial() {
        let words = NaiveBayes {
            evidence: vec![
                Evidence { attribute: 0, given: Likelihood::Counts(vec![3.0, 0.0]) },
                Evidence { attribute: 1, given: Likelihood::Counts(vec![1.0, 2.0]) },
            ],
        };
        let ready = words.ready(&[0.5, 0.5], &[None, None], 1.0, |_| None);
        let (first, second) = ((4.0f64 / 6.0).powi(2) * (2.0 / 6.0), 0.25f64.powi(2) * 0.75);
        let row = |attribute| Value::Number(if attribute == 0 { 2.0 } else { 1.0 });
        close(&ready.probabilities(&[], row), &[first / (first + second), second / (first + second)]);
        let huge: Vec<f64> = ready.probabilities(&[], |_| Value::Number(f64::MAX));
        close(&[huge.iter().sum::<f64>()], &[1.0]);
    }

    #[test]
    fn a_sparse_row_is_its_entries_in_the_place_of_zeros() {
        let words = NaiveBayes {
            evidence: (0..3)
                .map(|attribute| {
                    let weights = vec![vec![1.0 + attribute as f64, 2.0], vec![3.0, 1.0]];
                    Evidence { attribute, given: Likelihood::Intervals { cuts: vec![0.5], weights } }
                })
                .collect(),
        };
        let levels = [None, None, None];
        let row = [0.0, 1.0, f64::NAN].map(|x: f64| if x.is_nan() { Value::Missing } else { Value::Number(x) });
        let plain = words.ready(&[0.4, 0.6], &levels, 1.0, |_| None).probabilities(&[], |at| row[at]);
        let zero = |attribute| (attribute > 0).then_some(Value::Number(0.0));
        let sparse = words.ready(&[0.4, 0.6], &levels, 1.0, zero);
        close(&sparse.probabilities(&[(1, row[1]), (2, row[2])], |at| row[at]), &plain);
    }
}
