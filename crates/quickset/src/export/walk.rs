//! The ways through a tree. Nothing here recurses: a tree may be deeper than the stack.

use crate::model::{NodeId, Tree};

/// A node on the way.
pub(super) struct Visit {
    /// The node.
    pub id: NodeId,
    /// Tests above it.
    pub depth: usize,
    /// The test above it and the branch taken there; `None` for the root.
    pub from: Option<(NodeId, usize)>,
}

/// Every node down to the depth `deepest`, parents first, branches in order.
pub(super) fn preorder(tree: &Tree, deepest: usize) -> impl Iterator<Item = Visit> {
    let mut open = vec![Visit { id: NodeId::ROOT, depth: 0, from: None }];
    std::iter::from_fn(move || {
        let visit = open.pop()?;
        if visit.depth < deepest {
            for (branch, &child) in tree.node(visit.id).children().iter().enumerate().rev() {
                open.push(Visit { id: child, depth: visit.depth + 1, from: Some((visit.id, branch)) });
            }
        }
        Some(visit)
    })
}

/// How many nodes lie below each node, beside [`Tree::nodes`].
pub(super) fn nodes_below(tree: &Tree) -> Vec<usize> {
    let mut below = vec![0; tree.size()];
    // Children come after their parents, so the last nodes are counted first.
    for (index, node) in tree.nodes().iter().enumerate().rev() {
        below[index] = node.children().iter().map(|child| 1 + below[child.index()]).sum();
    }
    below
}
