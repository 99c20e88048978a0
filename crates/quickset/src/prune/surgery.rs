//! What subtree raising asks of the rows: how a branch would fare if its siblings' rows came to it, and to bring them
//! there. Only the rows outside the branch are routed; what is known of the others is kept.
//!
//! [`None`] is for pruning without raising, [`Whole`] for rows that are in one leaf each and count 1; rows with weights
//! or in fractions are [`Divided`](super::divided::Divided).

use super::estimate::Estimate;
use super::reroute::Weighted;
use super::steps::{Steps, Tests};
use crate::data::Dataset;
use crate::grow::{Draft, Task};
use crate::measure::{largest, total};

/// So many rows are sent into a branch at first to see what becomes of its errors. They go down side by side, so that
/// none waits for what the others ask for.
const TOGETHER: usize = 8;

/// Fewer rows go down so: more of them test by test.
const MANY: usize = 64;

/// A tree with what is estimated of it.
pub(super) struct Estimated<'e> {
    pub draft: &'e Draft,
    pub estimate: &'e Estimate,
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
    fn joined(&mut self, tree: &Estimated<'_>, branch: usize, outside: &Self::Outside, enough: f64) -> f64;

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

    fn joined(&mut self, _: &Estimated<'_>, _: usize, (): &(), _: f64) -> f64 {
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
    data: &'t Dataset,
    classes: &'t [u16],
    steps: Steps<'t>,
    /// Nothing between uses.
    landed: Landed,
}

impl<'t> Whole<'t> {
    /// Of a draft, or a part of one, whose tests are among these.
    pub fn new(task: &'t Task<'_>, tests: &'t Tests<'t>, draft: &Draft) -> Self {
        let landed = Landed { places: vec![0; draft.nodes.len()], ..Landed::default() };
        Whole { data: task.data, classes: task.classes, steps: Steps::new(tests, draft), landed }
    }

    /// The leaves that a few rows reach from `at`.
    fn leaves(&self, draft: &Draft, at: usize, rows: &[u32]) -> [usize; TOGETHER] {
        let mut places = [at; TOGETHER];
        let mut moved = true;
        while moved {
            moved = false;
            for (place, &row) in places.iter_mut().zip(rows) {
                if let Some(child) = self.steps.next(draft, *place, row) {
                    (*place, moved) = (child, true);
                }
            }
        }
        places
    }

    /// Sends rows down from `branch` to the leaves they land in.
    fn land(&mut self, tree: &Estimated<'_>, branch: usize, rows: &[u32]) {
        let goes_together = |steps: &Steps<'_>, at: usize, rows: &[u32]| rows.len() >= MANY && !steps.is_quick(at);
        if !goes_together(&self.steps, branch, rows) {
            return self.land_apart(tree, branch, rows);
        }
        let mut open = vec![(branch, Weighted { rows: rows.to_vec(), weights: Vec::new() })];
        while let Some((at, came)) = open.pop() {
            match &tree.draft.nodes[at].test {
                Some(test) if goes_together(&self.steps, at, &came.rows) => {
                    open.extend(test.children.iter().copied().zip(came.divide(self.data, test)));
                }
                _ => self.land_apart(tree, at, &came.rows),
            }
        }
    }

    /// The same, each row for itself.
    fn land_apart(&mut self, tree: &Estimated<'_>, at: usize, rows: &[u32]) {
        for rows in rows.chunks(TOGETHER) {
            let leaves = self.leaves(tree.draft, at, rows);
            for (&row, leaf) in rows.iter().zip(leaves) {
                self.landed.add(tree, leaf, usize::from(self.classes[row as usize]));
            }
        }
    }
}

/// The leaves that rows came to, with these.
#[derive(Default)]
struct Landed {
    /// By node: its place among those reached, from 1; 0 where no row came to it.
    places: Vec<u32>,
    reached: Vec<Reached>,
    /// By leaf that was reached, then class.
    weights: Vec<f64>,
    /// By how much the estimated errors have risen.
    rise: f64,
}

/// A leaf that rows came to.
struct Reached {
    leaf: usize,
    rows: f64,
    /// The rows of the heaviest class.
    most: f64,
    estimate: f64,
}

impl Landed {
    /// A row of some class comes to a leaf.
    fn add(&mut self, tree: &Estimated<'_>, leaf: usize, class: usize) {
        let before = &tree.draft.nodes[leaf].weights;
        if self.places[leaf] == 0 {
            self.weights.extend_from_slice(before);
            let estimate = tree.below[leaf].unwrap_or_else(|| tree.estimate.of(before));
            self.reached.push(Reached { leaf, rows: total(before), most: largest(before, 0.0), estimate });
            self.places[leaf] = self.reached.len() as u32;
        }
        let place = self.places[leaf] as usize - 1;
        let (reached, weight) = (&mut self.reached[place], &mut self.weights[place * before.len() + class]);
        *weight += 1.0;
        reached.rows += 1.0;
        reached.most = reached.most.max(*weight);
        let estimate = tree.estimate.with(reached.rows, reached.rows - reached.most);
        self.rise += estimate - std::mem::replace(&mut reached.estimate, estimate);
    }

    /// Forgets all of them; answers the rise.
    fn clear(&mut self) -> f64 {
        self.reached.drain(..).for_each(|reached| self.places[reached.leaf] = 0);
        self.weights.clear();
        std::mem::take(&mut self.rise)
    }
}

impl Surgery for Whole<'_> {
    /// The other branches: their rows are collected as far as they are needed.
    type Outside = Vec<usize>;

    fn outside(&self, draft: &Draft, at: usize, largest: usize) -> Vec<usize> {
        let children = draft.nodes[at].test.iter().flat_map(|test| &test.children);
        children.copied().filter(|&child| child != largest).collect()
    }

    /// More rows never lower the errors, so that the first few tell enough once they exceed it. Of a leaf it is known
    /// without any.
    fn joined(&mut self, tree: &Estimated<'_>, branch: usize, outside: &Vec<usize>, enough: f64) -> f64 {
        let draft = tree.draft;
        if draft.nodes[branch].test.is_none() {
            let mut weights = draft.nodes[branch].weights.clone();
            let came = outside.iter().map(|&other| &draft.nodes[other].weights);
            came.for_each(|came| weights.iter_mut().zip(came).for_each(|(weight, came)| *weight += came));
            return tree.estimate.of(&weights);
        }
        let before = tree.below[branch].unwrap_or(0.0);
        let mut rows = draft.rows_below(outside.clone());
        let (mut some, mut seen) = (Vec::with_capacity(TOGETHER), 0);
        loop {
            // Twice as many each time where many go down faster than few.
            let wanted = if self.steps.is_quick(branch) { TOGETHER } else { seen.max(TOGETHER) };
            some.clear();
            some.extend(rows.by_ref().take(wanted));
            self.land(tree, branch, &some);
            if some.len() < wanted || before + self.landed.rise > enough {
                return before + self.landed.clear();
            }
            seen += some.len();
        }
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
        self.steps.take(at, branch);
        for row in outside {
            let class = usize::from(self.classes[row as usize]);
            let mut place = at;
            changed(at);
            while let Some(below) = self.steps.next(draft, place, row) {
                place = below;
                draft.nodes[place].weights[class] += 1.0;
                changed(place);
            }
            draft.nodes[place].rows.push(row);
        }
    }

    fn cut(&mut self, draft: &mut Draft, at: usize) {
        self.steps.cut(at);
        draft.cut(at);
    }
}
