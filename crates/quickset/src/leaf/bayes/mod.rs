//! Naive Bayes in a leaf: P(class) times P(value | class) of every attribute, as if attributes were independent.
//!
//! P(class) is the leaf's own, with one row more of every class. What an attribute says is its *likelihood*; an
//! attribute that says the same of all classes has none. Values that are missing, or that training never saw, are
//! passed over.

mod adaptive;
mod density;
mod fit;
mod held_out;
mod ready;
mod strength;

use serde::{Deserialize, Serialize};

use crate::measure::{SMALL, total};
use adaptive::Adaptive;
use density::{Kernels, Normals};

pub(crate) use fit::{Places, Reached, fit};
pub(crate) use held_out::{FOLDS, HeldOut, Listed, Part};
pub(crate) use ready::Ready;

/// What the attributes say of the classes at one leaf.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct NaiveBayes {
    /// By attribute, ascending.
    evidence: Vec<Evidence>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Evidence {
    attribute: usize,
    given: Likelihood,
}

/// P(value | class). All that is by class has an item for every class.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
enum Likelihood {
    /// Weights of levels; one row more of every level is counted.
    Levels {
        /// The levels that occur, ascending: an identifier has millions of others.
        seen: Vec<u32>,
        /// By class, then beside `seen`.
        weights: Vec<Vec<f64>>,
    },
    /// Weights of the intervals between cuts; one row more of every interval is counted.
    Intervals {
        /// Ascending; a cut belongs to the interval below it.
        cuts: Vec<f64>,
        /// By class, then by interval.
        weights: Vec<Vec<f64>>,
    },
    /// A normal distribution per class.
    Normal(Normals),
    /// A normal distribution around every value that occurred.
    Kernel(Kernels),
    /// A normal distribution around every value that occurred, of a bandwidth that fits them.
    Adaptive(Adaptive),
    /// Of numbers that are counts, such as words of a text: their sum by class.
    Counts(Vec<f64>),
}

impl NaiveBayes {
    /// How many attributes have a say.
    pub fn attributes(&self) -> usize {
        self.evidence.len()
    }

    /// Those attributes, ascending.
    pub(crate) fn used(&self) -> impl Iterator<Item = usize> {
        self.evidence.iter().map(|evidence| evidence.attribute)
    }

    /// Attributes with how many of their densities are as narrow as they can be, where any is.
    pub(crate) fn narrowest(&self) -> impl Iterator<Item = (usize, usize)> {
        let of = |evidence: &Evidence| match &evidence.given {
            Likelihood::Adaptive(adaptive) => Some((evidence.attribute, adaptive.narrowest())),
            _ => None,
        };
        self.evidence.iter().filter_map(of).filter(|(_, narrowest)| *narrowest > 0)
    }

    /// Whether everything in it fits a leaf of these class weights; `levels` has the number of levels of every
    /// attribute, `None` for numbers. Answers what is wrong.
    pub(crate) fn check(&self, levels: &[Option<usize>], leaf: &[f64]) -> Result<(), &'static str> {
        if !self.evidence.is_sorted_by(|a, b| a.attribute < b.attribute) {
            return Err("has naive Bayes attributes out of order");
        }
        for evidence in &self.evidence {
            let Some(&levels) = levels.get(evidence.attribute) else {
                return Err("has a naive Bayes attribute that does not exist");
            };
            if !evidence.given.fits(levels, leaf) {
                return Err("has wrong naive Bayes numbers");
            }
        }
        Ok(())
    }
}

impl Likelihood {
    fn fits(&self, levels: Option<usize>, leaf: &[f64]) -> bool {
        match (self, levels) {
            (Likelihood::Levels { seen, weights }, Some(levels)) => {
                ascends(seen)
                    && seen.iter().all(|&code| (code as usize) < levels)
                    && are_weights(weights, seen.len(), leaf)
            }
            (Likelihood::Intervals { cuts, weights }, None) => {
                ascends(cuts) && are_numbers(cuts, cuts.len()) && are_weights(weights, cuts.len() + 1, leaf)
            }
            (Likelihood::Normal(normals), None) => normals.fit(leaf),
            (Likelihood::Kernel(kernels), None) => kernels.fit(leaf),
            (Likelihood::Adaptive(adaptive), None) => adaptive.fit(leaf),
            (Likelihood::Counts(sums), None) => are_numbers(sums, leaf.len()) && sums.iter().all(|&sum| sum >= 0.0),
            _ => false,
        }
    }
}

fn ascends<T: PartialOrd>(items: &[T]) -> bool {
    items.is_sorted_by(|a, b| a < b)
}

/// So many finite numbers.
fn are_numbers(numbers: &[f64], count: usize) -> bool {
    numbers.len() == count && numbers.iter().all(|number| number.is_finite())
}

/// Weights by class and item, together no more than the leaf has of the class.
fn are_weights(weights: &[Vec<f64>], items: usize, leaf: &[f64]) -> bool {
    let fit = |(weights, &whole): (&Vec<f64>, &f64)| {
        are_numbers(weights, items)
            && weights.iter().all(|&weight| weight >= 0.0)
            && total(weights) <= whole + SMALL * whole.max(1.0)
    };
    weights.len() == leaf.len() && weights.iter().zip(leaf).all(fit)
}
