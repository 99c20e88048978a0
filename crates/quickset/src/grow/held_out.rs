//! What splits save of the errors that naive Bayes makes at a node on held-out rows (Kohavi 1996).
//!
//! The rows' columns are listed once for a node; then a split costs one pass over the lists, whatever its branches.

use rayon::prelude::*;

use super::candidates::Candidate;
use super::fractions::{divide_rows, fractions, known_weights};
use super::rows::NodeRows;
use super::task::Task;
use super::{branches, split_of};
use crate::data::{Column, MISSING, Value};
use crate::density::Scale;
use crate::error::{Error, Result};
use crate::leaf::bayes::{FOLDS, HeldOut, Listed, Part};
use crate::measure::{SMALL, total};
use crate::model::Unknown;
use crate::recipe::{Density, Leaf, Numeric, Score, Shares};
use crate::split::{Split, route};

/// Steps of one level of the tree: with more it may take an hour of one thread.
const MOST_STEPS: f64 = 1e13;

/// Refuses what would take hours: every attribute's split is tried with the models of all attributes.
pub(crate) fn affordable(task: &Task<'_>) -> Result<()> {
    let (attributes, rows) = (task.data.attributes().len(), task.rows.len());
    let steps = (attributes as f64).powi(2) * rows as f64 * task.class_count as f64;
    if task.recipe.score != Score::HeldOut || steps <= MOST_STEPS {
        return Ok(());
    }
    Err(Error::data(format!(
        "score=held-out would try the splits of {attributes} attributes with {attributes} likelihoods each on {rows} rows, \
         which takes hours"
    ))
    .remedy("leave columns out with --ignore, take fewer rows, or use another learner such as nt with leaf=nb"))
}

/// Leaves those splits that have two branches large enough, each scored by the share of the errors that it saves.
pub(crate) fn score(task: &Task<'_>, node: &NodeRows<'_>, found: &mut Vec<Candidate>) {
    let saved = match Node::of(task, node) {
        Some(node) => found.par_iter().map(|candidate| node.saved(candidate)).collect(),
        None => vec![None; found.len()],
    };
    let mut saved = saved.into_iter();
    found.retain_mut(|candidate| match saved.next().flatten() {
        Some(saved) => {
            candidate.score = saved;
            true
        }
        None => false,
    });
}

/// Whether the winner saves as much as the recipe asks, if it does.
pub(crate) fn passes(task: &Task<'_>, node: &NodeRows<'_>, winner: &Candidate) -> bool {
    let Some(least) = task.recipe.stop.reduction else { return true };
    let saved = match task.recipe.score {
        Score::HeldOut => Some(winner.score),
        _ => Node::of(task, node).and_then(|node| node.saved(winner)),
    };
    saved.is_some_and(|saved| saved > SMALL && saved >= least - SMALL)
}

/// A node whose naive Bayes errs.
struct Node<'n> {
    task: &'n Task<'n>,
    rows: &'n NodeRows<'n>,
    how: (Density, Shares),
    classes: Vec<u16>,
    columns: Vec<Listed>,
    errors: f64,
}

impl<'n> Node<'n> {
    /// `None` where there is no error to save, or too few rows to tell.
    fn of(task: &'n Task<'n>, rows: &'n NodeRows<'n>) -> Option<Self> {
        let Leaf::Nb { density, counts } = task.recipe.leaf else { return None };
        if rows.rows.len() < FOLDS {
            return None;
        }
        let classes = rows.rows.iter().map(|&row| task.classes[row as usize]).collect();
        // A leaf sees values as they are given; adaptive densities see them on their scale.
        let scale = |attribute| if density == Density::Adaptive { task.scale(attribute) } else { None };
        let columns = task.given.attributes().par_iter().enumerate();
        let columns = columns.map(|(attribute, column)| listed(column, &rows.rows, scale(attribute))).collect();
        let how = (density, counts);
        let mut node = Node { task, rows, how, classes, columns, errors: 0.0 };
        let places = (0..rows.rows.len() as u32).collect();
        node.errors = node.held_out(&[(places, rows.weights.clone().unwrap_or_default())]);
        (node.errors > SMALL).then_some(node)
    }

    /// The share of the errors that a split saves; `None` where fewer than two branches are large enough.
    fn saved(&self, candidate: &Candidate) -> Option<f64> {
        let split = split_of(self.task, candidate);
        // Weka asks for one row more of a side of a threshold.
        let threshold = self.task.recipe.candidates.numeric == Numeric::Threshold && !split.cuts().is_empty();
        let least = if threshold { FOLDS + 1 } else { FOLDS };
        let (large, small): (Vec<Part>, Vec<Part>) =
            self.divide(&split, candidate.unknown).into_iter().partition(|(places, _)| places.len() >= least);
        if large.len() < 2 {
            return None;
        }
        let weight = |(places, weights): &Part| if weights.is_empty() { places.len() as f64 } else { total(weights) };
        let given_up: f64 = small.iter().map(weight).sum();
        Some((self.errors - given_up - self.held_out(&large)) / self.errors)
    }

    fn held_out(&self, parts: &[Part]) -> f64 {
        let mut held_out = HeldOut::new(parts, &self.classes, self.task.class_count, self.how, self.task.recipe.seed);
        held_out.add_all(&self.columns, &self.task.chosen);
        held_out.errors()
    }

    /// The places of the rows of every branch.
    fn divide(&self, split: &Split, unknown: Unknown) -> Vec<Part> {
        let rows = &self.rows.rows;
        let weights = self.rows.weights.as_deref();
        let instead = match unknown {
            Unknown::Branch(branch) => branch,
            Unknown::Fractions => usize::MAX,
        };
        let mut marks = vec![0; rows.len()];
        route(split, &self.task.data.attributes()[split.attribute()], rows, |place, _, branch| {
            marks[place] = if branch == MISSING { instead } else { branch as usize };
        });
        let places: Vec<u32> = (0..rows.len() as u32).collect();
        let branches = branches(self.task, split, unknown);
        let branch = |place: usize, _| marks[place];
        let shares = marks
            .iter()
            .any(|&mark| mark >= branches)
            .then(|| fractions(&known_weights(&places, weights, branches, branch)));
        divide_rows(&places, weights, shares.as_deref(), branches, branch)
    }
}

/// What a column has at some rows, numbers on a scale if there is one.
fn listed(column: &Column, rows: &[u32], scale: Option<Scale>) -> Listed {
    match column.levels() {
        Some(levels) => {
            let code = |&row: &u32| match column.value(row as usize) {
                Value::Level(code) => code,
                _ => MISSING,
            };
            let codes: Vec<u32> = rows.iter().map(code).collect();
            let mut seen: Vec<u32> = codes.iter().copied().filter(|&code| code != MISSING).collect();
            seen.sort_unstable();
            seen.dedup();
            let item = |code: &u32| seen.binary_search(code).map_or(MISSING, |item| item as u32);
            Listed::Levels { levels: levels.len(), seen: seen.len(), items: codes.iter().map(item).collect() }
        }
        None => {
            let number = |(place, &row): (usize, &u32)| match column.value(row as usize) {
                Value::Number(number) if number.is_finite() => {
                    Some((place as u32, scale.map_or(number, |scale| scale.of_number(number))))
                }
                _ => None,
            };
            let mut numbers: Vec<(u32, f64)> = rows.iter().enumerate().filter_map(number).collect();
            numbers.sort_by(|a, b| a.1.total_cmp(&b.1));
            Listed::Numbers(numbers)
        }
    }
}
