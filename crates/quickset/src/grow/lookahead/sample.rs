//! Trees that are grown at random below the branches of a test, of which only the cost is told.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use rayon::prelude::*;

use super::super::factored::Path;
use super::super::rows::{Child, NodeRows};
use super::super::{Divided, divide_by};
use super::earlier::{Look, Shown};
use super::walk::Walk;
use super::words::Words;
use super::{ATTRIBUTE, Free, LEAF, LOCAL_STEPS, Position, Reached, Scratch, Task, Tried, best_counted, cost_of_test};
use crate::recipe::{Choose, Sampler};

/// What is asked of a sampled tree.
#[derive(Clone, Copy)]
pub(super) struct Wanted<'w> {
    pub choose: Choose,
    /// By attribute: whether it may be asked for nothing. Of the others each has its price once, however often it is asked.
    pub free: &'w [bool],
    /// A tree that costs more is given up.
    pub most: f64,
}

/// What lies below the tests of a node.
pub(super) struct Below<'n> {
    pub task: &'n Task<'n>,
    pub node: &'n NodeRows<'n>,
    /// The task's, where the node's rows count 1 each.
    pub words: Option<&'n Words>,
    pub sampler: Sampler,
    pub position: Position,
    /// As in [`Wanted`].
    pub free: Arc<[bool]>,
    pub reached: &'n Reached,
}

impl Below<'_> {
    /// What a test costs by itself.
    fn price(&self, test: &Tried) -> f64 {
        if self.free[test.candidate.attribute] { 0.0 } else { ATTRIBUTE as f64 }
    }

    /// What a test was known to cost before, if it was.
    pub fn known_cost(&self, test: &Tried, earlier: &Look) -> Option<f64> {
        earlier.cost(test).map(|cost| self.price(test) + cost)
    }

    /// What a test costs with the cheapest of some sampled trees in each of its branches; none where it exceeds what is
    /// reached. Then what these trees have shown, by branch.
    pub fn cost(&self, test: &Tried, earlier: &Look) -> (Option<f64>, Vec<Shown>) {
        let known = earlier.of(test);
        let drawn = if known.is_empty() { 0 } else { earlier.samples.min(test.samples) };
        let cost = self.known_cost(test, earlier);
        if drawn == test.samples && (cost.is_some() || self.price(test) + earlier.floor(test) > self.reached.most()) {
            return (cost, known.to_vec());
        }
        let mut arrays = Vec::new();
        let copy = self.node.copied(&mut arrays);
        let divided = self
            .task
            .pool
            .with(|scratch| divide_by(self.task, copy, Path::default(), &test.candidate, self.position, scratch));
        let known = |at: usize| known.get(at).copied().unwrap_or(Shown::NOTHING);
        let branches: Vec<Branch> = (0..divided.children.len()).map(|at| Branch::new(known(at))).collect();
        let floors = || branches.iter().map(|branch| f64::from(branch.floor.load(Ordering::Relaxed))).sum::<f64>();
        let total = || self.price(test) + floors();
        let of_branch = |(at, child): (usize, &Child<'_>)| {
            let branch = &branches[at];
            let Some(rows) = &child.open else {
                branch.found(LEAF, 0);
                return Some(());
            };
            let most = || self.reached.most() - (total() - LEAF as f64);
            // What was given up before is given up again, unless more is allowed than then.
            let settled = known(at).is_settled(most());
            let (first, others) = if settled { (drawn, known(at).others) } else { (0, u32::MAX) };
            branch.others.store(others, Ordering::Relaxed);
            let sample = |repetition: usize| {
                let most = most().min(branch.most(repetition));
                if self.task.signal.is_raised() {
                    return;
                }
                let position = self.position.sample(test.candidate.attribute, test.place, at, repetition);
                let wanted = Wanted { choose: self.sampler.choose(repetition), free: &self.free, most };
                match if most < LEAF as f64 { None } else { self.sample(rows, position, wanted) } {
                    Some(cost) => branch.found(cost, repetition),
                    None => branch.gave_up(most),
                }
            };
            let steps = rows.rows.len() * self.task.data.attributes().len();
            if steps > LOCAL_STEPS {
                (first..test.samples).into_par_iter().for_each(sample);
            } else {
                (first..test.samples).for_each(sample);
            }
            let least = branch.least();
            branch.floor.store(least, Ordering::Relaxed);
            (least < u32::MAX).then_some(())
        };
        let steps = self.node.rows.len() * self.task.data.attributes().len();
        let counted = if steps > LOCAL_STEPS {
            divided.children.par_iter().enumerate().map(of_branch).collect::<Option<Vec<()>>>()
        } else {
            divided.children.iter().enumerate().map(of_branch).collect()
        };
        (counted.map(|_| total()), branches.into_iter().map(Branch::shown).collect())
    }

    fn sample(&self, rows: &NodeRows<'_>, position: Position, wanted: Wanted<'_>) -> Option<usize> {
        self.task.pool.with(|scratch| cost_of(self.task, self.words, rows, position, wanted, scratch))
    }

    /// By branch of a test, the attributes that the cheapest tree there asks.
    pub fn asked_by_cheapest(&self, test: &Tried, shown: &[Shown]) -> Vec<Free> {
        let asked = |(branch, child): (usize, &Child<'_>), scratch: &mut Scratch| {
            let rows = child.open.as_ref()?;
            // Where there was nothing to choose from, no tree was sampled.
            let Some(shown) = shown.get(branch) else { return Some(self.free.clone()) };
            let repetition = shown.by as usize;
            let position = self.position.sample(test.candidate.attribute, test.place, branch, repetition);
            let none = vec![false; self.free.len()];
            let wanted = Wanted { choose: self.sampler.choose(repetition), free: &none, most: f64::INFINITY };
            cost_of(self.task, self.words, rows, position, wanted, scratch)?;
            Some(scratch.walk.asked.as_slice().into())
        };
        let mut arrays = Vec::new();
        let copy = self.node.copied(&mut arrays);
        self.task.pool.with(|scratch| {
            let divided = divide_by(self.task, copy, Path::default(), &test.candidate, self.position, scratch);
            divided.children.iter().enumerate().map(|child| asked(child, scratch)).collect()
        })
    }
}

/// A branch while its trees are sampled.
struct Branch {
    /// What the cheapest tree costs, and the first of those that cost so little: together, so that neither depends on the
    /// order in which they are found.
    least: AtomicU64,
    /// As of [`Shown`].
    others: AtomicU32,
    /// No tree costs less than a leaf, and none less than the cheapest turned out to.
    floor: AtomicU32,
}

impl Branch {
    fn new(known: Shown) -> Self {
        // Of a branch that is never looked at, nothing but this is known.
        let least = AtomicU64::new(u64::from(known.least) << 32 | u64::from(known.by));
        Branch { least, others: AtomicU32::new(LEAF as u32), floor: AtomicU32::new(LEAF as u32) }
    }

    fn least(&self) -> u32 {
        (self.least.load(Ordering::Relaxed) >> 32) as u32
    }

    /// What a tree may cost to be the cheapest, or the first of these.
    fn most(&self, repetition: usize) -> f64 {
        let least = self.least.load(Ordering::Relaxed);
        f64::from((least >> 32) as u32) - f64::from(u8::from(repetition as u32 >= least as u32))
    }

    fn found(&self, cost: usize, repetition: usize) {
        self.least.fetch_min((cost as u64) << 32 | repetition as u64, Ordering::Relaxed);
    }

    fn gave_up(&self, most: f64) {
        // More than it was allowed, and a leaf at least.
        let more = (most.max(0.0) as u32).saturating_add(1);
        self.others.fetch_min(more.max(LEAF as u32), Ordering::Relaxed);
    }

    fn shown(self) -> Shown {
        let least = self.least.into_inner();
        Shown { least: (least >> 32) as u32, by: least as u32, others: self.others.into_inner() }
    }
}

/// What a sampled tree costs: its leaves, and the attributes it asks that are not free. The attributes that are free or
/// asked are left in the scratch.
pub(super) fn cost_of(
    task: &Task<'_>,
    words: Option<&Words>,
    rows: &NodeRows<'_>,
    position: Position,
    wanted: Wanted<'_>,
    scratch: &mut Scratch,
) -> Option<usize> {
    match words {
        Some(words) => Walk::new(task, words, wanted, &mut scratch.walk).cost(&rows.rows, position),
        None => {
            let mut arrays = Vec::new();
            let copy = rows.copied(&mut arrays);
            cost_of_tree(task, wanted, copy, position, scratch)
        }
    }
}

/// The same without words. It is the tree that a recipe of this choice grows at the same position.
pub(super) fn cost_of_tree(
    task: &Task<'_>,
    wanted: Wanted<'_>,
    rows: NodeRows<'_>,
    position: Position,
    scratch: &mut Scratch,
) -> Option<usize> {
    let mut asked = wanted.free.to_vec();
    let mut cost = LEAF;
    let mut open = vec![(rows, position)];
    while let Some((mut rows, position)) = open.pop() {
        if task.signal.is_raised() {
            return None;
        }
        let Some(winner) = best_counted(task, wanted.choose, &mut rows, position, scratch) else { continue };
        let is_new = !std::mem::replace(&mut asked[winner.attribute], true);
        let Divided { children, .. } = divide_by(task, rows, Path::default(), &winner, position, scratch);
        cost += cost_of_test(children.len(), is_new);
        if cost as f64 > wanted.most {
            return None;
        }
        let below = children.into_iter().enumerate();
        open.extend(below.filter_map(|(branch, child)| Some((child.open?, position.below(branch)))));
    }
    scratch.walk.asked = asked;
    Some(cost)
}
