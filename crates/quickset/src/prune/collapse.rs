//! C4.5's first step: a subtree that gets no fewer training rows right than a leaf would becomes that leaf.

use crate::grow::{Draft, ROOT};
use crate::measure::errors;

/// Savings below this are none.
const SLACK: f64 = 1e-3;

/// Cuts from the root down.
pub(crate) fn collapse(draft: &mut Draft) {
    // The errors of every subtree at once: a node comes after its parent in the draft, its children after it.
    let mut subtree: Vec<f64> = draft.nodes.iter().map(|node| errors(&node.weights)).collect();
    for at in (0..draft.nodes.len()).rev() {
        if let Some(test) = &draft.nodes[at].test {
            subtree[at] = test.children.iter().map(|&child| subtree[child]).sum();
        }
    }
    let mut open = vec![ROOT];
    while let Some(at) = open.pop() {
        let node = &draft.nodes[at];
        let saves = errors(&node.weights) - SLACK > subtree[at];
        match &node.test {
            Some(test) if saves => open.extend(&test.children),
            Some(_) => draft.cut(at),
            None => {}
        }
    }
}
