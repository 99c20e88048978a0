//! What subtree raising asks of the rows: how a branch would fare if its siblings' rows came to it, and to bring them
//! there. Only the rows outside the branch are routed; what is known of the others is kept.
//!
//! [`None`] is for pruning without raising, [`Whole`] for rows that are in one leaf each and count 1; rows with weights
//! or in fractions are [`Divided`](super::divided::Divided).

use super::estimate::Estimate;
use super::reroute::next;
use crate::data::Dataset;
use crate::grow::{Draft, Task};

/// So many rows are sent into a branch at first to see what becomes of its errors.
const FIRST: usize = 4;

/// A tree with what is estimated of it.
pub(super) struct Estimated<'e> {
    pub draft: &'e Draft,
    pub estimate: Estimate,
    /// The estimated errors below every node that was pruned and whose rows are the same since.
    pub below: &'e [Option<f64>],
}

/// The rows of a tree that is being pruned.
pub(super) trait Surgery {
    /// Rows that come to a branch.
    type Outside;

    /// The rows that the branch `largest` of `at` has not, or not in full.
    fn outside(&self, draft: &Draft, at: usize, largest: usize) -> Self::Outside;

    /// The estimated errors of the branch if they came to it. Once these exceed `enough` the rest is not counted.
    fn joined(&self, tree: &Estimated<'_>, branch: usize, outside: &Self::Outside, enough: f64) -> f64;

    /// Puts the branch in the place of its parent, with all rows of that, whose weights are as they were. `changed` is
    /// told of every node that has other rows now.
    fn raise(
        &mut self,
        draft: &mut Draft,
        at: usize,
        branch: usize,
        outside: Self::Outside,
        changed: impl FnMut(usize),
    );

    /// Makes a node a leaf.
    fn cut(&mut self, draft: &mut Draft, at: usize);
}

/// No surgery: weights by class are all that pruning reads, so no row is looked at.
pub(super) struct None;

impl Surgery for None {
    type Outside = ();

    fn outside(&self, _: &Draft, _: usize, _: usize) {}

    fn joined(&self, _: &Estimated<'_>, _: usize, (): &(), _: f64) -> f64 {
        f64::INFINITY
    }

    fn raise(&mut self, _: &mut Draft, _: usize, _: usize, (): (), _: impl FnMut(usize)) {
        unreachable!("a branch of infinite errors is not raised")
    }

    fn cut(&mut self, draft: &mut Draft, at: usize) {
        draft.cut(at);
    }
}

/// Rows that count 1 and have no missing value, kept by the leaves of the draft.
pub(super) struct Whole<'t> {
    pub data: &'t Dataset,
    pub classes: &'t [u16],
}

impl<'t> Whole<'t> {
    pub fn new(task: &Task<'t>) -> Self {
        Whole { data: task.data, classes: task.classes }
    }

    /// The leaf that a row reaches from `at`.
    fn leaf(&self, draft: &Draft, mut at: usize, row: u32) -> usize {
        while let Some(child) = next(self.data, &draft.nodes[at], row) {
            at = child;
        }
        at
    }

    /// By how much the estimated errors rise, from leaves and the classes of rows that come to them.
    fn rise(tree: &Estimated<'_>, landed: &mut [(usize, u16)]) -> f64 {
        let of_leaf = |rows: &[(usize, u16)]| {
            let before = &tree.draft.nodes[rows[0].0].weights;
            let mut weights = before.clone();
            rows.iter().for_each(|&(_, class)| weights[usize::from(class)] += 1.0);
            tree.estimate.of(&weights) - tree.estimate.of(before)
        };
        landed.sort_unstable();
        landed.chunk_by(|one, next| one.0 == next.0).map(of_leaf).sum()
    }
}

impl Surgery for Whole<'_> {
    /// The other branches: their rows are collected as far as they are needed.
    type Outside = Vec<usize>;

    fn outside(&self, draft: &Draft, at: usize, largest: usize) -> Vec<usize> {
        let children = draft.nodes[at].test.iter().flat_map(|test| &test.children);
        children.copied().filter(|&child| child != largest).collect()
    }

    /// More rows never lower the errors, so that the first few tell enough once they exceed it.
    fn joined(&self, tree: &Estimated<'_>, branch: usize, outside: &Vec<usize>, enough: f64) -> f64 {
        let before = tree.below[branch].unwrap_or(0.0);
        let mut landed: Vec<(usize, u16)> = Vec::new();
        let mut look_at = FIRST;
        for row in tree.draft.rows_below(outside.clone()) {
            landed.push((self.leaf(tree.draft, branch, row), self.classes[row as usize]));
            if landed.len() == look_at {
                let rise = Self::rise(tree, &mut landed);
                if before + rise > enough {
                    return before + rise;
                }
                look_at *= 2;
            }
        }
        before + Self::rise(tree, &mut landed)
    }

    fn raise(
        &mut self,
        draft: &mut Draft,
        at: usize,
        branch: usize,
        outside: Vec<usize>,
        mut changed: impl FnMut(usize),
    ) {
        let outside: Vec<u32> = draft.rows_below(outside).collect();
        let node = &mut draft.nodes[branch];
        (draft.nodes[at].test, draft.nodes[at].rows) = (node.test.take(), std::mem::take(&mut node.rows));
        for row in outside {
            let class = usize::from(self.classes[row as usize]);
            let mut place = at;
            changed(at);
            while let Some(below) = next(self.data, &draft.nodes[place], row) {
                place = below;
                draft.nodes[place].weights[class] += 1.0;
                changed(place);
            }
            draft.nodes[place].rows.push(row);
        }
    }

    fn cut(&mut self, draft: &mut Draft, at: usize) {
        draft.cut(at);
    }
}
