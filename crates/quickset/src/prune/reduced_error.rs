//! Reduced-error pruning (Quinlan 1987): rows that growing did not see decide what stays.

use super::reroute::{Weighted, refit};
use crate::data::Folds;
use crate::deep::deep;
use crate::error::Result;
use crate::grow::{Draft, ROOT, Task};
use crate::measure::{SMALL, heaviest, total};

/// Divides the rows into those to grow from and those held out: one in `folds`, stratified by class.
pub(crate) fn reserve(classes: &[u16], rows: &[u32], folds: usize, seed: u64) -> Result<(Vec<u32>, Vec<u32>)> {
    let of_rows: Vec<u16> = rows.iter().map(|&row| classes[row as usize]).collect();
    let folds = Folds::stratified(&of_rows, folds.min(rows.len()), seed, 1)?;
    let rows_at = |places: Vec<u32>| places.iter().map(|&at| rows[at as usize]).collect();
    Ok((rows_at(folds.train_rows(0)), rows_at(folds.test_rows(0))))
}

/// Prunes from the leaves up, then counts all rows into what is left.
pub(crate) fn prune(task: &Task<'_>, draft: &mut Draft, reserved: &[u32]) {
    let held_out = Weighted::of(task.data, reserved);
    cut(task, draft, ROOT, held_out, 0);
    let mut rows = [task.rows.as_slice(), reserved].concat();
    rows.sort_unstable();
    refit(task, draft, Weighted::of(task.data, &rows));
}

/// Answers the held-out errors of what is left below `at`. `fallback` is the class that an empty leaf predicts.
fn cut(task: &Task<'_>, draft: &mut Draft, at: usize, rows: Weighted, fallback: usize) -> f64 {
    let seen = rows.class_weights(task.classes, task.class_count);
    let weights = &draft.nodes[at].weights;
    let label = if total(weights) < SMALL { fallback } else { heaviest(weights) };
    let as_leaf = total(&seen) - seen[label];
    let Some(test) = draft.nodes[at].test.clone() else { return as_leaf };
    let parts = rows.divide(task.data, &test);
    // A tree may be as deep as it has rows: they are not held at every level.
    drop(rows);
    let mut as_tree = 0.0;
    for (&child, part) in test.children.iter().zip(parts) {
        as_tree += deep(|| cut(task, draft, child, part, label));
    }
    if as_leaf <= as_tree + SMALL {
        draft.cut(at);
        return as_leaf;
    }
    as_tree
}
