//! Two levels at once: a test is worth the training errors that are left after the best test in each of its branches
//! (T2; Auer, Holte and Maass 1995).
//!
//! A branch is looked at as any node of the last level is, so this is an ordinary score that owns an inner look. What is
//! new is which cuts of a number are tried. Fewer rows never have more errors, so what is left below a cut rises with the
//! cut, and what is left above it falls. Between two cuts that were tried there can be no less than the left side of the
//! lower one and the right side of the upper one have: most stretches are dismissed by their ends.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::candidates::{Candidate, Placement, candidates};
use super::lists::List;
use super::rows::{NodeRows, class_weights};
use super::task::{Place, Store, Task};
use crate::data::{MISSING, Value, part};
use crate::error::{Error, Result};
use crate::measure::{SMALL, errors};
use crate::model::Unknown;
use crate::recipe::Score;
use crate::split::Split;

/// All pairs of attributes are tried.
pub(crate) const MOST_ATTRIBUTES: usize = 100;

/// Steps of trying every first test. Most are dismissed, but on noise these may still take an hour of one thread.
pub(crate) const MOST_STEPS: f64 = 1e13;

/// Refuses what would take hours.
pub(crate) fn affordable(task: &Task<'_>) -> Result<()> {
    if !looks(task, 0) {
        return Ok(());
    }
    let attributes = task.data.attributes().len();
    let sentence = |what: String| {
        Error::data(what).remedy("leave columns out with --ignore, take fewer rows, or use another learner such as c45")
    };
    if attributes > MOST_ATTRIBUTES {
        return Err(sentence(format!(
            "score=errors-ahead tries all pairs of attributes: found {attributes}, expected at most {MOST_ATTRIBUTES}"
        )));
    }
    let rows = task.rows.len();
    let tests = |store: &Store<'_>| match store {
        Store::Levels { count, .. } | Store::SparseLevels { count, .. } => (*count).min(rows),
        Store::Binned { bins, .. } => bins.len(),
        Store::SparseNumbers { order, .. } => order.items().len().min(rows),
        Store::Sorted { .. } | Store::Unsorted { .. } | Store::Fixed { .. } => rows,
    };
    let tests: usize = task.stores.iter().map(tests).sum();
    let steps = tests as f64 * attributes as f64 * rows as f64 * (task.class_count + 1) as f64;
    if steps > MOST_STEPS {
        return Err(sentence(format!(
            "score=errors-ahead would try {tests} first tests with {attributes} second ones on {rows} rows, which takes hours"
        )));
    }
    Ok(())
}

/// Whether tests of this depth are valued by those below them.
pub(crate) fn looks(task: &Task<'_>, depth: usize) -> bool {
    task.recipe.score == Score::ErrorsAhead && task.recipe.stop.max_depth.is_some_and(|most| depth + 2 <= most)
}

/// The test that leaves the fewest errors. Ties go to the lower attribute, then the lower cut.
pub(crate) fn best(task: &Task<'_>, node: &NodeRows<'_>) -> Option<Candidate> {
    let as_leaf = errors(&node.class_weights);
    // What any attribute has reached. It dismisses only what is worse, so it may change at any time.
    let reached = AtomicU64::new(as_leaf.to_bits());
    let of_attribute = |attribute: usize| First::new(task, node, attribute, &reached).best();
    let found: Vec<Option<Candidate>> = (0..task.data.attributes().len()).into_par_iter().map(of_attribute).collect();
    let mut best: Option<Candidate> = None;
    for candidate in found.into_iter().flatten() {
        let before = best.as_ref().map_or(0.0, |best| best.score);
        if candidate.score > before + SMALL {
            best = Some(candidate);
        }
    }
    best
}

/// The first tests that one attribute offers.
struct First<'t> {
    task: &'t Task<'t>,
    node: &'t NodeRows<'t>,
    attribute: usize,
    /// By row of the data: the code of a level, the place among the numbers, or [`MISSING`].
    ranks: Vec<u32>,
    /// The numbers of the node's rows, ascending; empty for levels.
    numbers: Vec<f64>,
    reached: &'t AtomicU64,
}

/// A cut that was tried, by the place of the number before it.
#[derive(Clone, Copy)]
struct Tried {
    place: usize,
    /// The errors left on the two sides.
    left: f64,
    right: f64,
}

impl<'t> First<'t> {
    fn new(task: &'t Task<'t>, node: &'t NodeRows<'t>, attribute: usize, reached: &'t AtomicU64) -> Self {
        let column = &task.data.attributes()[attribute];
        let value = |row: u32| column.value(row as usize);
        let number = |&row: &u32| if let Value::Number(number) = value(row) { Some(number) } else { None };
        let mut numbers: Vec<f64> = node.rows.iter().filter_map(number).collect();
        numbers.sort_unstable_by(f64::total_cmp);
        numbers.dedup();
        let mut ranks = vec![MISSING; task.data.rows()];
        for &row in &node.rows {
            ranks[row as usize] = match value(row) {
                Value::Missing => MISSING,
                Value::Level(code) => code,
                Value::Number(number) => numbers.partition_point(|&other| other < number) as u32,
            };
        }
        First { task, node, attribute, ranks, numbers, reached }
    }

    fn best(&self) -> Option<Candidate> {
        let missing = self.node.rows.iter().any(|&row| self.ranks[row as usize] == MISSING);
        let apart = if missing { self.errors_of(|rank| rank == MISSING) } else { 0.0 };
        let (left, test, branches) = match self.task.data.attributes()[self.attribute].levels() {
            Some(levels) => {
                let test = Placement::Ready(Split::Levels { attribute: self.attribute });
                (self.levels(apart)?, test, levels.len())
            }
            None => {
                let cut = self.cut(apart)?;
                let place = |at: usize| Place::Number(self.numbers[at]);
                (apart + cut.left + cut.right, Placement::Between(place(cut.place), place(cut.place + 1)), 2)
            }
        };
        let score = errors(&self.node.class_weights) - left;
        let unknown = if missing { Unknown::Branch(branches) } else { Unknown::Fractions };
        Some(Candidate { attribute: self.attribute, test, unknown, gain: score, score })
    }

    /// The errors left after a branch for every level; `None` where this is not the best.
    fn levels(&self, apart: f64) -> Option<f64> {
        let mut held: Vec<u32> = self.node.rows.iter().map(|&row| self.ranks[row as usize]).collect();
        held.sort_unstable();
        held.dedup();
        if held.len() < 2 {
            return None;
        }
        let mut left = apart;
        for code in held.into_iter().filter(|&code| code != MISSING) {
            left += self.errors_of(|rank| rank == code);
            if left > self.least() + SMALL {
                return None;
            }
        }
        self.reach(left);
        Some(left)
    }

    /// The lowest cut of the fewest errors; `None` where none is better than what is known.
    fn cut(&self, apart: f64) -> Option<Tried> {
        let last = self.numbers.len().checked_sub(1)?;
        let mut best: Option<Tried> = None;
        // Stretches between places, from the first to before the last, with what is left beside them.
        let mut open = vec![(0, last, 0.0, 0.0)];
        while let Some((from, to, left, right)) = open.pop() {
            let bound = left + right;
            // Of equals the lower cut wins, so a stretch below the best must be looked at for its equal.
            let hopeless = best.is_some_and(|best| {
                let excess = bound - (best.left + best.right);
                excess > SMALL || excess > -SMALL && from > best.place
            });
            if from >= to || hopeless || apart + bound > self.least() + SMALL {
                continue;
            }
            let place = from + (to - from) / 2;
            let tried = Tried {
                place,
                left: self.errors_of(|rank| rank as usize <= place),
                right: self.errors_of(|rank| rank != MISSING && rank as usize > place),
            };
            let better = best.is_none_or(|best| {
                let saved = best.left + best.right - tried.left - tried.right;
                saved > SMALL || saved > -SMALL && place < best.place
            });
            if better {
                best = Some(tried);
                self.reach(apart + tried.left + tried.right);
            }
            open.push((place + 1, to, tried.left, right));
            open.push((from, place, left, tried.right));
        }
        best
    }

    /// The errors of the best test on the rows of some ranks, or of no test.
    fn errors_of(&self, keep: impl Fn(u32) -> bool) -> f64 {
        let kept = |row: u32| keep(self.ranks[row as usize]);
        let places = (0..self.node.rows.len()).filter(|&at| kept(self.node.rows[at]));
        let (places, rows): (Vec<usize>, Vec<u32>) = places.map(|at| (at, self.node.rows[at])).unzip();
        let all = self.node.weights.as_ref();
        let weights: Option<Vec<f64>> = all.map(|all| places.iter().map(|&at| all[at]).collect());
        let of_classes = class_weights(self.task, &rows, weights.as_deref());
        let as_leaf = errors(&of_classes);
        if as_leaf <= SMALL {
            return 0.0;
        }
        let mut node = NodeRows::of(rows, weights, of_classes);
        node.sorted = self.node.sorted.iter().map(|list| List::Owned(part(list.items(), kept).collect())).collect();
        for (slot, entries) in self.node.sparse.iter() {
            node.sparse.push(slot, entries.iter().copied().filter(|entry| kept(entry.row())));
        }
        let found = self.task.pool.with(|scratch| candidates(self.task, &mut node, scratch));
        as_leaf - found.iter().map(|candidate| candidate.score).fold(0.0, f64::max)
    }

    fn least(&self) -> f64 {
        f64::from_bits(self.reached.load(Ordering::Relaxed))
    }

    /// Tells the other attributes. Numbers that are not negative are ordered as their bits are.
    fn reach(&self, left: f64) {
        self.reached.fetch_min(left.max(0.0).to_bits(), Ordering::Relaxed);
    }
}
