//! Trees that are grown at random below the branches of a test, and only counted.

use std::sync::atomic::{AtomicU32, Ordering};

use rayon::prelude::*;

use super::super::factored::Path;
use super::super::rows::{Child, NodeRows};
use super::super::{Divided, divide_by};
use super::earlier::{Look, Shown};
use super::walk::Walk;
use super::words::Words;
use super::{LOCAL_STEPS, Position, Reached, Scratch, Task, Tried, best_counted};
use crate::recipe::{Choose, Sampler};

/// What lies below the tests of a node.
pub(super) struct Below<'n> {
    pub task: &'n Task<'n>,
    pub node: &'n NodeRows<'n>,
    /// The task's, where the node's rows count 1 each.
    pub words: Option<&'n Words>,
    pub sampler: Sampler,
    pub position: Position,
    pub reached: &'n Reached,
}

impl Below<'_> {
    /// The sum over a test's branches of the fewest leaves of some sampled trees; none where it exceeds what is reached.
    /// Then what these trees have shown, by branch.
    pub fn leaves(&self, test: &Tried, earlier: &Look) -> (Option<f64>, Vec<Shown>) {
        let known = earlier.of(test);
        let drawn = if known.is_empty() { 0 } else { earlier.samples.min(test.samples) };
        let leaves = earlier.leaves(test);
        if drawn == test.samples && (leaves.is_some() || earlier.floor(test) > self.reached.most()) {
            return (leaves, known.to_vec());
        }
        let mut arrays = Vec::new();
        let copy = self.node.copied(&mut arrays);
        let divided = self
            .task
            .pool
            .with(|scratch| divide_by(self.task, copy, Path::default(), &test.candidate, self.position, scratch));
        let known = |at: usize| known.get(at).copied().unwrap_or(Shown::NOTHING);
        let branches: Vec<Branch> = (0..divided.children.len()).map(|at| Branch::new(known(at).least)).collect();
        let total = || branches.iter().map(|branch| f64::from(branch.floor.load(Ordering::Relaxed))).sum::<f64>();
        let of_branch = |(at, child): (usize, &Child<'_>)| {
            let branch = &branches[at];
            let Some(rows) = &child.open else {
                branch.least.store(1, Ordering::Relaxed);
                return Some(());
            };
            let most = || self.reached.most() - (total() - 1.0);
            // What was given up before is given up again, unless more leaves are allowed than then.
            let settled = known(at).is_settled(most());
            let (first, others) = if settled { (drawn, known(at).others) } else { (0, u32::MAX) };
            branch.others.store(others, Ordering::Relaxed);
            let sample = |repetition: usize| {
                let most = most().min(f64::from(branch.least.load(Ordering::Relaxed)) - 1.0);
                if self.task.signal.is_raised() {
                    return;
                }
                let position = self.position.sample(test.candidate.attribute, test.place, at, repetition);
                let leaves =
                    if most < 1.0 { None } else { self.sample(rows, position, self.sampler.choose(repetition), most) };
                match leaves {
                    Some(leaves) => branch.least.fetch_min(leaves as u32, Ordering::Relaxed),
                    None => branch.others.fetch_min((most.max(0.0) as u32).saturating_add(1), Ordering::Relaxed),
                };
            };
            let steps = rows.rows.len() * self.task.data.attributes().len();
            if steps > LOCAL_STEPS {
                (first..test.samples).into_par_iter().for_each(sample);
            } else {
                (first..test.samples).for_each(sample);
            }
            let least = branch.least.load(Ordering::Relaxed);
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

    fn sample(&self, rows: &NodeRows<'_>, position: Position, choose: Choose, most: f64) -> Option<usize> {
        if let Some(words) = self.words {
            let task = self.task;
            return task.pool.with(|scratch| {
                let walk = Walk { task, words, choose, most, leaves: 1, memory: &mut scratch.walk };
                walk.leaves(&rows.rows, position)
            });
        }
        let mut arrays = Vec::new();
        let copy = rows.copied(&mut arrays);
        self.task.pool.with(|scratch| sampled_leaves(self.task, choose, copy, position, most, scratch))
    }
}

/// A branch while its trees are sampled.
struct Branch {
    /// As of [`Shown`].
    least: AtomicU32,
    others: AtomicU32,
    /// No branch has fewer leaves than one, and none has fewer than it turned out to have.
    floor: AtomicU32,
}

impl Branch {
    fn new(least: u32) -> Self {
        // Of a branch that is never looked at, nothing but this is known.
        Branch { least: AtomicU32::new(least), others: AtomicU32::new(1), floor: AtomicU32::new(1) }
    }

    fn shown(self) -> Shown {
        Shown { least: self.least.into_inner(), others: self.others.into_inner() }
    }
}

/// The leaves of the tree that draws grow from some rows; none where there are more than `most`, or where the signal was
/// raised. It is the tree that a recipe of this choice grows at the same position.
pub(super) fn sampled_leaves(
    task: &Task<'_>,
    choose: Choose,
    rows: NodeRows<'_>,
    position: Position,
    most: f64,
    scratch: &mut Scratch,
) -> Option<usize> {
    let mut leaves = 1;
    let mut open = vec![(rows, position)];
    while let Some((mut rows, position)) = open.pop() {
        if task.signal.is_raised() {
            return None;
        }
        let Some(winner) = best_counted(task, choose, &mut rows, position, scratch) else { continue };
        let Divided { children, .. } = divide_by(task, rows, Path::default(), &winner, position, scratch);
        leaves += children.len() - 1;
        if leaves as f64 > most {
            return None;
        }
        let below = children.into_iter().enumerate();
        open.extend(below.filter_map(|(branch, child)| Some((child.open?, position.below(branch)))));
    }
    Some(leaves)
}
