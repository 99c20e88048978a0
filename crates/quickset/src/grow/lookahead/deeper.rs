//! The entropy that is left some levels further down (ID3-k).

use super::super::candidates::candidates;
use super::super::factored::Path;
use super::super::rows::NodeRows;
use super::super::{divide_by, may_split};
use super::{Position, Reached, Scratch, Task, Tried, every};
use crate::measure::{total, x_log_x};

/// The bits, of all rows together, that are left after a test and the best tests below it, `levels` in all; none where
/// they exceed what is reached.
pub(super) fn left_by(
    task: &Task<'_>,
    node: &NodeRows<'_>,
    test: &Tried,
    levels: usize,
    position: Position,
    reached: &Reached,
) -> Option<f64> {
    let most = || reached.most();
    task.pool.with(|scratch| left_below(task, node, test, levels, position, &most, scratch))
}

fn left_below(
    task: &Task<'_>,
    node: &NodeRows<'_>,
    test: &Tried,
    levels: usize,
    position: Position,
    most: &dyn Fn() -> f64,
    scratch: &mut Scratch,
) -> Option<f64> {
    let mut arrays = Vec::new();
    let copy = node.copied(&mut arrays);
    let divided = divide_by(task, copy, Path::default(), &test.candidate, position, scratch);
    let mut sum = 0.0;
    for (branch, mut child) in divided.children.into_iter().enumerate() {
        sum += match &mut child.open {
            Some(rows) => left_at(task, rows, levels - 1, position.below(branch), scratch),
            None => bits(&child.class_weights),
        };
        if sum > most() {
            return None;
        }
    }
    Some(sum)
}

/// The bits that the best tests of so many levels leave of a node.
fn left_at(task: &Task<'_>, node: &mut NodeRows<'_>, levels: usize, position: Position, scratch: &mut Scratch) -> f64 {
    let mut least = bits(&node.class_weights);
    if levels == 0 || !may_split(task, &node.class_weights, position.depth) || task.signal.is_raised() {
        return least;
    }
    if levels == 1 {
        let gains = candidates(task, node, scratch).into_iter().map(|candidate| candidate.gain);
        return (least - total(&node.class_weights) * gains.fold(0.0, f64::max)).max(0.0);
    }
    for test in every::tests(task, node, None, scratch) {
        let left = left_below(task, node, &test, levels, position, &|| least, scratch);
        least = least.min(left.unwrap_or(least));
    }
    least
}

/// Entropy times weight.
fn bits(class_weights: &[f64]) -> f64 {
    (x_log_x(total(class_weights)) - class_weights.iter().copied().map(x_log_x).sum::<f64>()).max(0.0)
}
