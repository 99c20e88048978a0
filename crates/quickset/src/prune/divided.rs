//! Surgery on rows that have weights, or values missing so that they go down several branches in fractions.
//!
//! A row that comes to a test changes the shares of its branches, and with them the weight, in every leaf below, of each
//! row that the test cannot tell. So what moves on from a test is the rows that came, and these: a row of known value
//! that was there before stays where it is, and a subtree that nothing moves into keeps its estimate.
//!
//! Weights are changed by differences, which rounds otherwise than adding up all rows does. Decisions have a tolerance
//! far above that; the weights of the finished tree are counted anew, once, so that they are those of plain re-routing.

use super::reroute::{Weighted, branches, refit, work};
use super::surgery::{Estimated, Surgery};
use crate::data::MISSING;
use crate::deep::deep;
use crate::grow::{Draft, ROOT, Task, Test, fractions};

/// A row that has another weight than before; 0 where it was not there, or is not any more.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moved {
    row: u32,
    before: f64,
    after: f64,
}

/// What is kept of a node.
#[derive(Clone, Debug, Default)]
struct Held {
    /// Rows and their weights, ascending: all of a leaf; of a test those it sends down in fractions.
    rows: Vec<(u32, f64)>,
    /// What the rows with a known value weigh, by branch.
    known: Vec<f64>,
}

/// Rows with weights, by leaf.
pub(super) struct Divided<'t, 'd> {
    task: &'t Task<'d>,
    held: Vec<Held>,
    raised: bool,
}

/// How rows that moved go on from a test.
struct Passed {
    /// As in [`Held`], after the move.
    held: Held,
    /// Ascending, by branch.
    parts: Vec<Vec<Moved>>,
}

impl<'t, 'd> Divided<'t, 'd> {
    /// Sends all rows to their leaves.
    pub fn new(task: &'t Task<'d>, draft: &Draft) -> Self {
        let mut held = vec![Held::default(); draft.nodes.len()];
        let mut open = vec![(ROOT, Weighted::of(task.data, &task.rows))];
        while let Some((at, rows)) = open.pop() {
            let Some(test) = &draft.nodes[at].test else {
                held[at].rows = rows.pairs().collect();
                continue;
            };
            let (branches, count) = (rows.branches(task.data, test), test.children.len());
            let unknown = rows.pairs().zip(&branches).filter(|(_, branch)| **branch == MISSING);
            held[at] = Held { rows: unknown.map(|(row, _)| row).collect(), known: rows.known(&branches, count) };
            open.extend(test.children.iter().copied().zip(rows.divide_by(&branches, count)));
        }
        Divided { task, held, raised: false }
    }

    /// Counts the weights of the finished tree.
    pub fn finish(self, draft: &mut Draft) {
        if self.raised {
            refit(self.task, draft, Weighted::of(self.task.data, &self.task.rows));
        }
    }

    /// The rows below a node with their weights there, ascending. A row that some test sent down in fractions has its
    /// weight at the topmost of these.
    fn gather(&self, draft: &Draft, mut open: Vec<usize>, mut rows: Vec<Moved>) -> Vec<Moved> {
        while let Some(at) = open.pop() {
            rows.extend(self.held[at].rows.iter().map(|&(row, after)| Moved { row, before: 0.0, after }));
            open.extend(draft.nodes[at].test.iter().flat_map(|test| &test.children));
        }
        // Stable, so that of equal rows the first one found stays: a test is found before what is below it.
        rows.sort_by_key(|moved| moved.row);
        rows.dedup_by_key(|moved| moved.row);
        rows
    }

    fn pass(&self, at: usize, test: &Test, moved: &[Moved]) -> Passed {
        let Held { rows: unknown, known } = &self.held[at];
        let numbers: Vec<u32> = moved.iter().map(|moved| moved.row).collect();
        let mut parts = vec![Vec::new(); test.children.len()];
        let mut after = known.clone();
        let mut came = Vec::new();
        for (&moved, branch) in moved.iter().zip(branches(self.task.data, test, &numbers)) {
            if branch == MISSING {
                came.push(moved);
            } else {
                after[branch as usize] += moved.after - moved.before;
                parts[branch as usize].push(moved);
            }
        }
        let (shares_before, shares) = (fractions(known), fractions(&after));
        let all = joined(unknown, &came);
        let spread = if shares == shares_before { &came } else { &all };
        if !spread.is_empty() {
            work::routed(spread.len());
            for (branch, part) in parts.iter_mut().enumerate() {
                let given = |moved: &Moved| Moved {
                    row: moved.row,
                    before: moved.before * shares_before[branch],
                    after: moved.after * shares[branch],
                };
                part.extend(spread.iter().map(given).filter(|moved| moved.before != moved.after));
                part.sort_by_key(|moved| moved.row);
            }
        }
        Passed { held: Held { rows: kept(all), known: after }, parts }
    }

    /// The estimated errors below `at` after a move.
    fn moved(&self, tree: &Estimated<'_>, at: usize, moved: Vec<Moved>, enough: f64) -> f64 {
        if let (true, Some(same)) = (moved.is_empty(), tree.below[at]) {
            return same;
        }
        let Some(test) = &tree.draft.nodes[at].test else {
            let mut weights = tree.draft.nodes[at].weights.clone();
            self.change(&mut weights, &moved);
            return tree.estimate.of(&weights);
        };
        let parts = self.pass(at, test, &moved).parts;
        // A tree may be as deep as it has rows: they are not held at every level.
        drop(moved);
        let mut sum = 0.0;
        for (&child, part) in test.children.iter().zip(parts) {
            sum += deep(|| self.moved(tree, child, part, enough - sum));
            if sum > enough {
                break;
            }
        }
        sum
    }

    fn change(&self, weights: &mut [f64], moved: &[Moved]) {
        for moved in moved {
            weights[usize::from(self.task.classes[moved.row as usize])] += moved.after - moved.before;
        }
    }
}

/// Rows that were there, and those that moved; both ascend.
fn joined(there: &[(u32, f64)], moved: &[Moved]) -> Vec<Moved> {
    let there = there.iter().map(|&(row, weight)| Moved { row, before: weight, after: weight });
    let mut all: Vec<Moved> = moved.iter().copied().chain(there).collect();
    // Stable: of a row that was there and moved, the move counts.
    all.sort_by_key(|moved| moved.row);
    all.dedup_by_key(|moved| moved.row);
    all
}

/// What is left after a move.
fn kept(moved: Vec<Moved>) -> Vec<(u32, f64)> {
    moved.into_iter().filter(|moved| moved.after > 0.0).map(|moved| (moved.row, moved.after)).collect()
}

impl Surgery for Divided<'_, '_> {
    type Outside = Vec<Moved>;

    /// A row in fractions was in the branch with its share, and comes with the rest.
    fn outside(&self, draft: &Draft, at: usize, largest: usize) -> Vec<Moved> {
        let Some(test) = &draft.nodes[at].test else { return Vec::new() };
        let shares = fractions(&self.held[at].known);
        let share = test.children.iter().zip(shares).find(|(child, _)| **child == largest).map_or(0.0, |found| found.1);
        let unknown = self.held[at].rows.iter();
        let unknown = unknown.map(|&(row, weight)| Moved { row, before: weight * share, after: weight }).collect();
        let others = test.children.iter().copied().filter(|&child| child != largest).collect();
        let mut outside = self.gather(draft, others, unknown);
        outside.retain(|moved| moved.before != moved.after);
        outside
    }

    fn joined(&mut self, tree: &Estimated<'_>, branch: usize, outside: &Vec<Moved>, enough: f64) -> f64 {
        self.moved(tree, branch, outside.clone(), enough)
    }

    fn raise(
        &mut self,
        draft: &mut Draft,
        at: usize,
        branch: usize,
        outside: Vec<Moved>,
        mut changed: impl FnMut(usize),
    ) {
        self.raised = true;
        draft.nodes[at].test = draft.nodes[branch].test.take();
        self.held[at] = std::mem::take(&mut self.held[branch]);
        let mut open = vec![(at, outside)];
        while let Some((place, moved)) = open.pop() {
            if moved.is_empty() {
                continue;
            }
            changed(place);
            if place != at {
                self.change(&mut draft.nodes[place].weights, &moved);
            }
            match &draft.nodes[place].test {
                Some(test) => {
                    let Passed { held, parts } = self.pass(place, test, &moved);
                    self.held[place] = held;
                    open.extend(test.children.iter().copied().zip(parts));
                }
                None => self.held[place].rows = kept(joined(&self.held[place].rows, &moved)),
            }
        }
    }

    fn cut(&mut self, draft: &mut Draft, at: usize) {
        self.held[at] = Held { rows: kept(self.gather(draft, vec![at], Vec::new())), known: Vec::new() };
        draft.cut(at);
    }
}
