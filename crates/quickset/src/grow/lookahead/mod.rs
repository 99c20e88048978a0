//! A test is worth what can be made of its branches.
//!
//! - [`every`] lists the tests of a node: unlike a greedy look, which takes the best cut of a number, all cuts or some
//!   that are drawn;
//! - [`sample`] grows a tree at random below a branch, and only tells its cost (LSID3: its leaves); [`walk`] does the same
//!   where rows are [`words`] of bits;
//! - [`earlier`] remembers what was sampled, for a look with more samples;
//! - [`deeper`] finds the entropy that is left some levels further down (ID3-k);
//! - [`skew`] weighs rows anew where no test gains anything.
//!
//! What a test costs is a sum over its branches of numbers that are never negative. So a test is given up as soon as its
//! part of the sum exceeds the whole of another: this never changes which is the best, nor does the order in which
//! threads find it out.

mod deeper;
mod earlier;
mod every;
mod sample;
mod skew;
#[cfg(test)]
mod tests;
mod walk;
mod words;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use rayon::prelude::*;

use super::candidates::Candidate;
use super::position::Position;
use super::rows::NodeRows;
use super::scratch::Scratch;
use super::task::Task;
use super::{best_counted, choose};
use crate::measure::SMALL;
use crate::recipe::{Lookahead, Sampler};
use earlier::{Look, Place, Shown};
use every::Tried;
use sample::Below;

pub(crate) use earlier::Earlier;
pub(crate) use walk::Memory;
pub(crate) use words::Words;

/// What a leaf of a sampled tree costs.
const LEAF: usize = 4;

/// What an attribute costs that it asks, where attributes have a price: four more of them must save a leaf. At the price of
/// a whole leaf trees become larger than they need be.
const ATTRIBUTE: usize = 1;

/// What a test adds to the cost of a tree: its branches are there in place of a leaf.
fn cost_of_test(branches: usize, asks_another: bool) -> usize {
    LEAF * (branches - 1) + ATTRIBUTE * usize::from(asks_another)
}

/// Work of fewer steps, each a cell of a sampled tree, is done by one thread.
const LOCAL_STEPS: usize = 1 << 14;

/// Whether tests are valued by more than their own tables here. Where branches may not be divided nothing lies ahead.
pub(super) fn looks(task: &Task<'_>, position: Position) -> bool {
    let last = task.recipe.stop.max_depth.is_some_and(|most| position.depth + 1 >= most);
    match task.recipe.lookahead {
        Some(Lookahead::Skew(_)) => true,
        Some(Lookahead::Levels { k }) => k > 1 && !last,
        Some(Lookahead::Samples { .. }) | None => position.samples > 0 && !last,
    }
}

/// By attribute: whether a test of it costs nothing here, since the tree asks it by which this node's parent was chosen.
/// None where no such tree is known.
pub(crate) type Free = Option<Arc<[bool]>>;

/// The test that was found to be the best.
pub(super) struct Found {
    pub test: Candidate,
    /// By branch, where attributes have a price; else nothing.
    pub free: Vec<Free>,
}

impl From<Candidate> for Found {
    fn from(test: Candidate) -> Self {
        Found { test, free: Vec::new() }
    }
}

/// The best test of a node; none where there is none, or where the signal was raised before it was found.
pub(super) fn best(
    task: &Task<'_>,
    node: &mut NodeRows<'_>,
    free: &Free,
    position: Position,
    scratch: &mut Scratch,
) -> Option<Found> {
    match task.recipe.lookahead {
        Some(Lookahead::Skew(skew)) => skew::best(task, node, position, &skew, scratch).map(Found::from),
        Some(Lookahead::Levels { k }) => {
            let mut tests = tests(task, node, None, scratch);
            let reached = Reached::new();
            let cost = |at: usize| deeper::left_by(task, node, &tests[at], k, position, &reached);
            let best = cheapest(task, node, &tests, &reached, cost)?;
            Some(tests.swap_remove(best).candidate.into())
        }
        Some(Lookahead::Samples { sampler, .. }) => sampled(task, node, free, sampler, position, scratch),
        None => sampled(task, node, free, Sampler::Drawn, position, scratch),
    }
}

/// The tests that are worth trying.
fn tests(task: &Task<'_>, node: &NodeRows<'_>, position: Option<Position>, scratch: &mut Scratch) -> Vec<Tried> {
    let mut tests = every::tests(task, node, position, scratch);
    tests.retain(|test| choose::good_enough(task.recipe, &test.candidate));
    tests
}

/// The test whose branches have the cheapest trees.
fn sampled(
    task: &Task<'_>,
    node: &mut NodeRows<'_>,
    free: &Free,
    sampler: Sampler,
    position: Position,
    scratch: &mut Scratch,
) -> Option<Found> {
    let mut tests = tests(task, node, Some(position), scratch);
    let words = if node.weights.is_none() { task.words() } else { None };
    // Where attributes have no price, a place is the same whatever is free there.
    let free = if sampler.has_prices() { free } else { &None };
    let memory = task.earlier.as_ref().and_then(|earlier| Some((earlier, Place::of(task, node, free, position)?)));
    let earlier = memory.as_ref().and_then(|(earlier, place)| earlier.take(place, position.samples));
    let earlier = earlier.unwrap_or_default();
    let reached = Reached::new();
    let none = || vec![!sampler.has_prices(); task.data.attributes().len()].into();
    let free = free.clone().unwrap_or_else(none);
    let below = Below { task, node, words, sampler, position, free, reached: &reached };
    // More samples find no dearer trees, so that what was found before is reached already.
    tests.iter().filter_map(|test| below.known_cost(test, &earlier)).for_each(|cost| reached.tell(cost));
    let shown: Vec<OnceLock<Vec<Shown>>> = tests.iter().map(|_| OnceLock::new()).collect();
    let best = cheapest(task, node, &tests, &reached, |at| {
        let (cost, of_branches) = below.cost(&tests[at], &earlier);
        shown[at].get_or_init(|| of_branches);
        cost
    })?;
    let shown: Vec<Vec<Shown>> = shown.into_iter().map(|shown| shown.into_inner().unwrap_or_default()).collect();
    let free = if sampler.has_prices() { below.asked_by_cheapest(&tests[best], &shown[best]) } else { Vec::new() };
    if let Some((earlier, place)) = memory {
        earlier.put(place, Look::new(position.samples, tests.iter().zip(shown)));
    }
    Some(Found { test: tests.swap_remove(best).candidate, free })
}

/// The least that any test is known to cost. It dismisses only what costs more, so it may change at any time.
pub(super) struct Reached(AtomicU64);

impl Reached {
    fn new() -> Self {
        Reached(AtomicU64::new(f64::INFINITY.to_bits()))
    }

    /// What a test may cost and still be the best or one of equals.
    fn most(&self) -> f64 {
        f64::from_bits(self.0.load(Ordering::Relaxed)) + SMALL
    }

    /// Numbers that are not negative are ordered as their bits are.
    fn tell(&self, cost: f64) {
        self.0.fetch_min(cost.max(0.0).to_bits(), Ordering::Relaxed);
    }
}

/// The test of the least cost; of equals that of the highest gain, then the first. `cost` may answer none for one that
/// costs more than is reached. None where there is no test, or where the signal was raised before the best was found.
fn cheapest(
    task: &Task<'_>,
    node: &NodeRows<'_>,
    tests: &[Tried],
    reached: &Reached,
    cost: impl Fn(usize) -> Option<f64> + Sync,
) -> Option<usize> {
    // What gains most is tried first: it is likely to be cheap, and dismisses others.
    let mut order: Vec<usize> = (0..tests.len()).collect();
    order.sort_by(|&a, &b| tests[b].candidate.gain.total_cmp(&tests[a].candidate.gain));
    let of_test = |&at: &usize| {
        let cost = if task.signal.is_raised() { None } else { cost(at) };
        cost.iter().for_each(|&cost| reached.tell(cost));
        (at, cost)
    };
    let steps = node.rows.len() * task.data.attributes().len() * tests.len();
    let shared = if steps > LOCAL_STEPS { 1 } else { tests.len().max(1) };
    let mut costs: Vec<(usize, Option<f64>)> = match tests.len() {
        1 => vec![(0, Some(0.0))],
        _ => order.par_iter().with_min_len(shared).map(of_test).collect(),
    };
    if task.signal.is_raised() {
        return None;
    }
    costs.sort_unstable_by_key(|&(at, _)| at);
    let known: Vec<(usize, f64)> = costs.into_iter().filter_map(|(at, cost)| Some((at, cost?))).collect();
    best_of(&known, |at| tests[at].candidate.gain)
}

/// Of the tests that cost least, or as good as that, the one of the highest gain, then the first. What costs more must not
/// matter, not even as a step between others: whether it was given up depends on the threads.
fn best_of(costs: &[(usize, f64)], gain: impl Fn(usize) -> f64) -> Option<usize> {
    let least = costs.iter().map(|&(_, cost)| cost).fold(f64::INFINITY, f64::min);
    let mut best: Option<usize> = None;
    for &(at, _) in costs.iter().filter(|(_, cost)| *cost <= least + SMALL) {
        if best.is_none_or(|best| gain(at) > gain(best) + SMALL) {
            best = Some(at);
        }
    }
    best
}
