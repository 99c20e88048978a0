//! Trees that are grown at random below the branches of a test, and only counted.

use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use super::super::factored::Path;
use super::super::rows::{Child, NodeRows};
use super::super::{Divided, divide_by};
use super::walk::Walk;
use super::words::Words;
use super::{LOCAL_STEPS, Position, Reached, Scratch, Task, Tried, best_counted};
use crate::recipe::Choose;

/// What lies below the tests of a node.
pub(super) struct Below<'n> {
    pub task: &'n Task<'n>,
    pub node: &'n NodeRows<'n>,
    /// The task's, where the node's rows count 1 each.
    pub words: Option<&'n Words>,
    pub sampler: Choose,
    pub position: Position,
    /// The test's place among those of the node: its samples have streams of their own.
    pub at: usize,
    pub reached: &'n Reached,
}

impl Below<'_> {
    /// The sum over a test's branches of the fewest leaves of some sampled trees; none where it exceeds what is reached.
    pub fn leaves(&self, test: &Tried) -> Option<f64> {
        let mut arrays = Vec::new();
        let copy = self.node.copied(&mut arrays);
        let divided = self
            .task
            .pool
            .with(|scratch| divide_by(self.task, copy, Path::default(), &test.candidate, self.position, scratch));
        // No branch has fewer leaves than one, and none has fewer than it turned out to have.
        let floors: Vec<AtomicUsize> = divided.children.iter().map(|_| AtomicUsize::new(1)).collect();
        let total = || floors.iter().map(|floor| floor.load(Ordering::Relaxed)).sum::<usize>();
        let of_branch = |(branch, child): (usize, &Child<'_>)| {
            let Some(rows) = &child.open else { return Some(()) };
            let least = AtomicUsize::new(usize::MAX);
            let sample = |repetition: usize| {
                let others = total() - 1;
                let most = (self.reached.most() - others as f64).min(least.load(Ordering::Relaxed) as f64 - 1.0);
                if most < 1.0 || self.task.signal.is_raised() {
                    return;
                }
                let position = self.position.sample(self.at, branch, repetition);
                if let Some(leaves) = self.sample(rows, position, most) {
                    least.fetch_min(leaves, Ordering::Relaxed);
                }
            };
            let steps = rows.rows.len() * self.task.data.attributes().len();
            if steps > LOCAL_STEPS {
                (0..test.samples).into_par_iter().for_each(sample);
            } else {
                (0..test.samples).for_each(sample);
            }
            let least = least.into_inner();
            floors[branch].store(least.min(1 << 32), Ordering::Relaxed);
            (least < usize::MAX).then_some(())
        };
        let steps = self.node.rows.len() * self.task.data.attributes().len();
        let known = if steps > LOCAL_STEPS {
            divided.children.par_iter().enumerate().map(of_branch).collect::<Option<Vec<()>>>()
        } else {
            divided.children.iter().enumerate().map(of_branch).collect()
        };
        known.map(|_| total() as f64)
    }

    fn sample(&self, rows: &NodeRows<'_>, position: Position, most: f64) -> Option<usize> {
        if let Some(words) = self.words {
            let Below { task, sampler, .. } = *self;
            return task.pool.with(|scratch| {
                let walk = Walk { task, words, sampler, most, leaves: 1, memory: &mut scratch.walk };
                walk.leaves(&rows.rows, position)
            });
        }
        let mut arrays = Vec::new();
        let copy = rows.copied(&mut arrays);
        self.task.pool.with(|scratch| sampled_leaves(self.task, self.sampler, copy, position, most, scratch))
    }
}

/// The leaves of the tree that draws grow from some rows; none where there are more than `most`, or where the signal was
/// raised. It is the tree that a recipe of this choice grows at the same position.
pub(super) fn sampled_leaves(
    task: &Task<'_>,
    sampler: Choose,
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
        let Some(winner) = best_counted(task, sampler, &mut rows, position, scratch) else { continue };
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
