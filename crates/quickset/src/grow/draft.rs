//! A tree while it is made: pruners cut and graft here, then it is laid out as a [`Tree`].

use crate::deep::deep;
use crate::leaf;
use crate::measure::{SMALL, total};
use crate::model::{Node, NodeId, Tree, Unknown};
use crate::recipe::Leaf;
use crate::split::Split;

/// Nodes in the order in which they were made. Nodes that were cut off stay behind, unreachable.
#[derive(Clone, Debug)]
pub(crate) struct Draft {
    pub nodes: Vec<DraftNode>,
}

/// A node with its class weights; a leaf where it has no test.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct DraftNode {
    pub weights: Vec<f64>,
    pub test: Option<Test>,
    /// The rows of a leaf, where they are kept for surgery; in no order.
    pub rows: Vec<u32>,
}

/// A split and where its branches lead.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Test {
    pub split: Split,
    pub unknown: Unknown,
    pub children: Vec<usize>,
}

/// The root of every draft.
pub(crate) const ROOT: usize = 0;

impl Draft {
    /// A tree of one leaf.
    pub fn leaf(weights: Vec<f64>) -> Self {
        Draft { nodes: vec![DraftNode { weights, test: None, rows: Vec::new() }] }
    }

    /// The tree of a model, node by node; its leaves keep no rows.
    pub fn of_tree(tree: &Tree) -> Self {
        let node = |node: &Node| DraftNode {
            weights: node.weights().to_vec(),
            test: match node {
                Node::Leaf { .. } => None,
                Node::Inner { split, unknown, children, .. } => Some(Test {
                    split: split.clone(),
                    unknown: *unknown,
                    children: children.iter().map(|child| child.index()).collect(),
                }),
            },
            rows: Vec::new(),
        };
        Draft { nodes: tree.nodes().iter().map(node).collect() }
    }

    /// The nodes of the tree, in the order in which it is laid out.
    pub fn reachable(&self) -> impl Iterator<Item = usize> {
        let mut open = vec![ROOT];
        std::iter::from_fn(move || {
            let at = open.pop()?;
            open.extend(self.nodes[at].test.iter().flat_map(|test| test.children.iter().rev()));
            Some(at)
        })
    }

    /// Leaves out what cannot be reached; answers where each node that is left was before.
    pub fn compact(&mut self) -> Vec<usize> {
        let order: Vec<usize> = self.reachable().collect();
        let mut places = vec![0; self.nodes.len()];
        order.iter().enumerate().for_each(|(place, &at)| places[at] = place);
        let mut nodes: Vec<Option<DraftNode>> = self.nodes.drain(..).map(Some).collect();
        let moved = |&at: &usize| {
            let mut node = nodes[at].take()?;
            node.test.iter_mut().flat_map(|test| &mut test.children).for_each(|child| *child = places[*child]);
            Some(node)
        };
        self.nodes = order.iter().filter_map(moved).collect();
        order
    }

    /// Whether another one has the same tests in the same places; both are compact.
    pub fn asks_the_same(&self, other: &Draft) -> bool {
        self.nodes.iter().map(|node| &node.test).eq(other.nodes.iter().map(|node| &node.test))
    }

    /// Makes a node a leaf, which takes the rows of those below it.
    pub fn cut(&mut self, at: usize) {
        let (mut rows, mut open) = (Vec::new(), vec![at]);
        while let Some(below) = open.pop() {
            let node = &mut self.nodes[below];
            open.extend(node.test.iter().flat_map(|test| &test.children));
            let mut others = std::mem::take(&mut node.rows);
            // The longest list stays where it is: a chain that is cut level by level would copy its rows each time.
            if others.len() > rows.len() {
                std::mem::swap(&mut rows, &mut others);
            }
            rows.append(&mut others);
        }
        self.nodes[at].rows = rows;
        self.nodes[at].test = None;
    }

    /// The rows of the leaves below some nodes.
    pub fn rows_below(&self, mut open: Vec<usize>) -> impl Iterator<Item = u32> {
        let leaves = std::iter::from_fn(move || {
            let node = &self.nodes[open.pop()?];
            open.extend(node.test.iter().flat_map(|test| &test.children));
            Some(if node.test.is_none() { &node.rows[..] } else { &[] })
        });
        leaves.flatten().copied()
    }

    /// Puts `part` in the place of the leaf `at`.
    pub fn graft(&mut self, at: usize, part: Draft) {
        // The root of the part takes the place `at`; the others follow the nodes that are here.
        let offset = self.nodes.len() - 1;
        let moved = |mut node: DraftNode| {
            if let Some(test) = &mut node.test {
                test.children.iter_mut().for_each(|child| *child += offset);
            }
            node
        };
        let mut nodes = part.nodes.into_iter().map(moved);
        if let Some(root) = nodes.next() {
            self.nodes[at] = root;
        }
        self.nodes.extend(nodes);
    }

    /// Lays the reachable nodes out depth-first, with predictions in the leaves.
    pub fn into_tree(self, leaf: Leaf) -> Tree {
        let mut tree = Tree { nodes: Vec::new() };
        let root = &self.nodes[ROOT];
        self.lay_out(ROOT, leaf, &root.weights, &mut tree);
        tree
    }

    /// `parent` is what an empty leaf predicts from.
    fn lay_out(&self, at: usize, leaf: Leaf, parent: &[f64], tree: &mut Tree) -> NodeId {
        let id = NodeId(tree.nodes.len() as u32);
        let node = &self.nodes[at];
        let weights = node.weights.clone();
        match &node.test {
            None => {
                let basis = if total(&weights) < SMALL { parent } else { &weights };
                let probabilities = leaf::probabilities(leaf, basis, &self.nodes[ROOT].weights);
                tree.nodes.push(Node::Leaf { probabilities, weights, bayes: None });
            }
            Some(test) => {
                tree.nodes.push(Node::Inner {
                    weights,
                    split: test.split.clone(),
                    unknown: test.unknown,
                    children: Vec::new(),
                });
                let ids = test
                    .children
                    .iter()
                    .map(|&child| deep(|| self.lay_out(child, leaf, &node.weights, tree)))
                    .collect();
                if let Node::Inner { children, .. } = &mut tree.nodes[id.index()] {
                    *children = ids;
                }
            }
        }
        id
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split_in(children: Vec<usize>) -> Option<Test> {
        let split = Split::Threshold { attribute: 0, cut: 1.0 };
        Some(Test { split, unknown: Unknown::Fractions, children })
    }

    #[test]
    fn a_graft_takes_the_leafs_place_and_the_layout_is_depth_first() {
        let leaf = |a: f64, b: f64| DraftNode { weights: vec![a, b], test: None, rows: Vec::new() };
        let mut draft = Draft {
            nodes: vec![
                DraftNode { weights: vec![3.0, 3.0], test: split_in(vec![1, 2]), rows: Vec::new() },
                leaf(2.0, 1.0),
                leaf(1.0, 2.0),
            ],
        };
        let part = Draft {
            nodes: vec![
                DraftNode { weights: vec![2.0, 1.0], test: split_in(vec![1, 2]), rows: Vec::new() },
                leaf(2.0, 0.0),
                leaf(0.0, 0.0),
            ],
        };
        draft.graft(1, part);
        let tree = draft.into_tree(Leaf::Distribution);
        let weights: Vec<&[f64]> = tree.nodes().iter().map(Node::weights).collect();
        assert_eq!(weights, [&[3.0, 3.0], &[2.0, 1.0], &[2.0, 0.0], &[0.0, 0.0], &[1.0, 2.0]]);
        let mut again = Draft::of_tree(&tree);
        assert_eq!(again.compact(), [0, 1, 2, 3, 4], "a tree is laid out already");
        again.cut(1);
        assert_eq!(again.compact(), [0, 1, 4]);
        assert_eq!(again.nodes[0].test.as_ref().unwrap().children, [1, 2]);
        let Node::Leaf { probabilities, .. } = &tree.nodes()[3] else { panic!("a leaf") };
        assert_eq!(probabilities, &[2.0 / 3.0, 1.0 / 3.0], "an empty leaf predicts as its parent");
    }
}
