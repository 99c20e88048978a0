//! An existing tree on the rows at hand: its tests stay, its weights are counted anew.

use crate::data::{Class, Dataset};
use crate::grow::{Draft, ROOT};
use crate::prune::Weighted;

/// Counts the weights of all nodes from `rows`. Leaves keep their rows where `keeps_rows`, as surgery wants them.
pub(crate) fn refit(data: &Dataset, class: &Class, draft: &mut Draft, rows: &[u32], keeps_rows: bool) {
    let mut open = vec![(ROOT, Weighted::of(data, rows))];
    while let Some((at, rows)) = open.pop() {
        let node = &mut draft.nodes[at];
        node.weights = rows.class_weights(&class.codes, class.levels.len());
        node.rows = Vec::new();
        match &node.test {
            Some(test) => open.extend(test.children.iter().copied().zip(rows.divide(data, test))),
            None if keeps_rows => node.rows = rows.rows,
            None => {}
        }
    }
}

/// The rows that reach a node, by the nodes and branches on the way to it.
pub(crate) fn rows_at(data: &Dataset, draft: &Draft, rows: &[u32], path: &[(usize, usize)]) -> Weighted {
    let mut reached = Weighted::of(data, rows);
    for &(at, branch) in path {
        if let Some(test) = &draft.nodes[at].test {
            reached = reached.divide(data, test).swap_remove(branch);
        }
    }
    reached
}
