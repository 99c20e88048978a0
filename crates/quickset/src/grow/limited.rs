//! Growing to a number of leaves: the node with the most to tell apart is divided first.
//!
//! Which one that is depends on the nodes' class weights alone, so nothing depends on threads. A node whose test has more
//! branches than leaves are left stays a leaf, and the next one is asked.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::frontier::divide_open;
use super::task::Task;
use super::{Draft, Open, attach};
use crate::measure::{total, x_log_x};

/// An open node by what there is to tell apart in it.
struct Ranked<'a> {
    /// Its entropy times its weight, in bits.
    bits: f64,
    open: Open<'a>,
}

impl Ord for Ranked<'_> {
    /// Of equal ones the one that was made first is the largest.
    fn cmp(&self, other: &Self) -> Ordering {
        self.bits.total_cmp(&other.bits).then(other.open.at.cmp(&self.open.at))
    }
}

impl PartialOrd for Ranked<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Ranked<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Ranked<'_> {}

/// Divides the open nodes of a draft until it has `most` leaves or nothing is left to divide.
pub(super) fn grow<'a>(task: &Task<'_>, draft: &mut Draft, open: Vec<Open<'a>>, most: usize) {
    let ranked = |open: Open<'a>| {
        let weights = &open.rows.class_weights;
        Ranked { bits: x_log_x(total(weights)) - weights.iter().map(|&weight| x_log_x(weight)).sum::<f64>(), open }
    };
    let mut leaves = 1;
    let mut queue: BinaryHeap<Ranked<'a>> = open.into_iter().map(ranked).collect();
    while leaves < most
        && let Some(Ranked { open, .. }) = queue.pop()
    {
        let (at, position, divided) = divide_open(task, open);
        let branches = divided.as_ref().map_or(1, |divided| divided.children.len());
        if leaves + branches - 1 > most {
            let children = divided.into_iter().flat_map(|divided| divided.children);
            let rows = children.flat_map(|child| child.open.map_or(child.closed, |open| open.rows));
            keep(task, draft, at, rows.collect());
            continue;
        }
        leaves += branches - 1;
        let mut below = Vec::new();
        attach(task, draft, at, position, divided, &mut below);
        queue.extend(below.into_iter().map(ranked));
    }
    for Ranked { open, .. } in queue {
        keep(task, draft, open.at, open.rows.rows);
    }
}

/// What stays a leaf keeps its rows, where leaves do.
fn keep(task: &Task<'_>, draft: &mut Draft, at: usize, rows: Vec<u32>) {
    if task.keeps_rows {
        draft.nodes[at].rows = rows;
    }
}
