//! The tree as data: an arena of nodes in depth-first order, the root first.

use serde::{Deserialize, Serialize};

use crate::leaf::NaiveBayes;
use crate::split::Split;

/// A node's place in its [`Tree`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct NodeId(pub(crate) u32);

impl NodeId {
    /// The root of every tree.
    pub const ROOT: NodeId = NodeId(0);

    /// The place as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A decision tree. Children come after their parent; a subtree is a run of nodes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Tree {
    pub(crate) nodes: Vec<Node>,
}

/// A leaf or a test. Both keep the class weights of the training rows that reached them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Node {
    /// Ends a path with a prediction.
    Leaf {
        /// Weight of the training rows by class; all zero for a branch that no row took.
        weights: Vec<f64>,
        /// What it predicts: a probability per class.
        probabilities: Vec<f64>,
        /// Where the row's values count too: what they say. The probabilities are those before any value is known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        bayes: Option<Box<NaiveBayes>>,
    },
    /// Sends a row on by a test.
    Inner {
        /// Weight of the training rows by class.
        weights: Vec<f64>,
        /// The test.
        split: Split,
        /// Where a row goes whose value is missing.
        unknown: Unknown,
        /// One node per branch; where missing values have their own, it is the last.
        children: Vec<NodeId>,
    },
}

/// Where a row goes whose value is missing or was never seen in training.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Unknown {
    /// Into every branch, in proportion to the training weight there.
    Fractions,
    /// Into this branch. It may be one of its own, the last, which no known value takes.
    Branch(usize),
}

impl Node {
    /// Weight of the training rows by class.
    pub fn weights(&self) -> &[f64] {
        match self {
            Node::Leaf { weights, .. } | Node::Inner { weights, .. } => weights,
        }
    }

    /// Weight of all training rows.
    pub fn weight(&self) -> f64 {
        self.weights().iter().sum()
    }

    /// The children, none for a leaf.
    pub fn children(&self) -> &[NodeId] {
        match self {
            Node::Leaf { .. } => &[],
            Node::Inner { children, .. } => children,
        }
    }

    /// What the row's values say, at a leaf where they count.
    pub fn bayes(&self) -> Option<&NaiveBayes> {
        match self {
            Node::Leaf { bayes, .. } => bayes.as_deref(),
            Node::Inner { .. } => None,
        }
    }

    /// Whether the node predicts.
    pub fn is_leaf(&self) -> bool {
        matches!(self, Node::Leaf { .. })
    }
}

impl Tree {
    /// A node.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// All nodes in depth-first order.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Number of leaves, empty ones included.
    pub fn leaves(&self) -> usize {
        self.nodes.iter().filter(|node| node.is_leaf()).count()
    }

    /// Number of nodes: tests and leaves.
    pub fn size(&self) -> usize {
        self.nodes.len()
    }

    /// Tests on the longest path.
    pub fn depth(&self) -> usize {
        self.depths().into_iter().max().unwrap_or(0)
    }

    /// Mean number of tests on a training row's path.
    pub fn mean_depth(&self) -> f64 {
        let mut sum = 0.0;
        let mut weight = 0.0;
        for (node, depth) in self.nodes.iter().zip(self.depths()) {
            if node.is_leaf() {
                sum += node.weight() * depth as f64;
                weight += node.weight();
            }
        }
        if weight > 0.0 { sum / weight } else { 0.0 }
    }

    /// The depth of every node, beside [`Tree::nodes`].
    pub fn depths(&self) -> Vec<usize> {
        let mut depths = vec![0; self.nodes.len()];
        for (index, node) in self.nodes.iter().enumerate() {
            for child in node.children() {
                depths[child.index()] = depths[index] + 1;
            }
        }
        depths
    }

    /// The share of the training weight in each branch of a test: how a missing value is divided. Where no branch has
    /// weight, all share alike.
    pub fn shares(&self, children: &[NodeId]) -> Vec<f64> {
        let weights: Vec<f64> = children.iter().map(|&child| self.node(child).weight()).collect();
        let total: f64 = weights.iter().sum();
        let alike = 1.0 / children.len() as f64;
        weights.iter().map(|weight| if total > 0.0 { weight / total } else { alike }).collect()
    }
}
