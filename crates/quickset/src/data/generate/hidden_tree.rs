//! The tree behind `random-tree`.
//!
//! Every test has two branches: a number below a threshold in the middle of what is still possible there, or a level
//! among half of those still possible. Some leaves lie nearer the root than the given depth, so that greedy learners
//! find a start; the path of first branches always has the full depth. Two leaves under one test never share a class.

use super::random::Random;

/// Levels of each nominal attribute.
pub(super) const LEVELS: [&str; 5] = ["a", "b", "c", "d", "e"];
/// From this depth on a node may be a leaf before its time, with this probability.
const EARLIEST_LEAF: usize = 2;
const EARLY_LEAF: f64 = 0.2;

/// What the tree is to be like. There are leaves for all classes, and tests for all depths.
pub(super) struct Shape {
    pub numeric: usize,
    pub nominal: usize,
    pub classes: usize,
    pub depth: usize,
}

enum Node {
    Leaf { class: usize },
    Inner { test: Test, branches: [usize; 2] },
}

#[derive(Clone, Copy)]
enum Test {
    /// The first branch has the numbers below the threshold.
    Below { column: usize, threshold: f64 },
    /// The first branch has the levels whose bits are set.
    Among { column: usize, levels: u8 },
}

/// A hidden tree; the root is node 0.
pub(super) struct HiddenTree {
    nodes: Vec<Node>,
}

impl HiddenTree {
    /// A random tree of this shape.
    pub fn grow(shape: &Shape, random: Random) -> Self {
        let mut grower = Grower {
            shape,
            random,
            nodes: Vec::new(),
            leaves: Vec::new(),
            spare: (1 << shape.depth) - shape.classes,
            ranges: vec![(0.0, 1.0); shape.numeric],
            possible: vec![(1 << LEVELS.len()) - 1; shape.nominal],
        };
        grower.node(0, true);
        grower.name_leaves();
        HiddenTree { nodes: grower.nodes }
    }

    /// The class of a row of the columns.
    pub fn classify(&self, numbers: &[Vec<f64>], codes: &[Vec<u32>], row: usize) -> usize {
        let mut at = 0;
        loop {
            match &self.nodes[at] {
                Node::Leaf { class } => return *class,
                Node::Inner { test, branches } => {
                    let first = match *test {
                        Test::Below { column, threshold } => numbers[column][row] < threshold,
                        Test::Among { column, levels } => levels >> codes[column][row] & 1 == 1,
                    };
                    at = branches[usize::from(!first)];
                }
            }
        }
    }
}

/// A tree being grown, depth first.
struct Grower<'a> {
    shape: &'a Shape,
    random: Random,
    nodes: Vec<Node>,
    /// Which nodes are leaves, and for each the leaf under the same test, where there is one.
    leaves: Vec<(usize, Option<usize>)>,
    /// How many leaves of the full tree may still be given up so that every class keeps one.
    spare: usize,
    /// What a number at the current node lies between, and which levels are possible there.
    ranges: Vec<(f64, f64)>,
    possible: Vec<u8>,
}

impl Grower<'_> {
    /// Adds a node and all below it; answers its number. `first_path`: only first branches lead here.
    fn node(&mut self, depth: usize, first_path: bool) -> usize {
        let at = self.nodes.len();
        self.nodes.push(Node::Leaf { class: 0 });
        let below = self.shape.depth - depth;
        if below == 0 {
            self.leaves.push((at, None));
            return at;
        }
        let given_up = (1 << below) - 1;
        if depth >= EARLIEST_LEAF && !first_path && given_up <= self.spare && self.random.happens(EARLY_LEAF) {
            self.spare -= given_up;
            self.leaves.push((at, None));
            return at;
        }
        let test = self.draw_test();
        let first_leaf = self.leaves.len();
        let branches = match test {
            Test::Below { column, threshold } => {
                let (low, high) = self.ranges[column];
                let branches = [(low, threshold), (threshold, high)].map(|range| {
                    self.ranges[column] = range;
                    self.node(depth + 1, first_path && range.0 == low)
                });
                self.ranges[column] = (low, high);
                branches
            }
            Test::Among { column, levels } => {
                let possible = self.possible[column];
                let branches = [levels, possible & !levels].map(|part| {
                    self.possible[column] = part;
                    self.node(depth + 1, first_path && part == levels)
                });
                self.possible[column] = possible;
                branches
            }
        };
        if self.leaves.len() == first_leaf + 2 {
            self.leaves[first_leaf].1 = Some(branches[1]);
            self.leaves[first_leaf + 1].1 = Some(branches[0]);
        }
        self.nodes[at] = Node::Inner { test, branches };
        at
    }

    /// A test that can go either way at the current node. The shape promises that one exists.
    fn draw_test(&mut self) -> Test {
        loop {
            let attribute = self.random.below(self.shape.numeric + self.shape.nominal);
            if attribute < self.shape.numeric {
                let (low, high) = self.ranges[attribute];
                let threshold = low + (0.3 + 0.4 * self.random.uniform()) * (high - low);
                return Test::Below { column: attribute, threshold };
            }
            let column = attribute - self.shape.numeric;
            let mut levels: Vec<u32> = (0..8).filter(|level| self.possible[column] >> level & 1 == 1).collect();
            if levels.len() > 1 {
                self.random.shuffle(&mut levels);
                let chosen = levels[..levels.len() / 2].iter().fold(0, |set, level| set | 1 << level);
                return Test::Among { column, levels: chosen };
            }
        }
    }

    /// Gives classes to the leaves in random order: first each class once, then any but that of the leaf beside.
    fn name_leaves(&mut self) {
        self.random.shuffle(&mut self.leaves);
        let mut named = vec![None; self.nodes.len()];
        for (turn, &(leaf, beside)) in self.leaves.iter().enumerate() {
            let class = match beside.and_then(|beside| named[beside]) {
                _ if turn < self.shape.classes => turn,
                Some(other) => self.random.below_except(self.shape.classes, other),
                None => self.random.below(self.shape.classes),
            };
            named[leaf] = Some(class);
            self.nodes[leaf] = Node::Leaf { class };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn depth_below(tree: &HiddenTree, at: usize) -> usize {
        match &tree.nodes[at] {
            Node::Leaf { .. } => 0,
            Node::Inner { branches, .. } => {
                1 + branches.iter().map(|&branch| depth_below(tree, branch)).max().expect("two branches")
            }
        }
    }

    fn leaf_classes(tree: &HiddenTree) -> Vec<usize> {
        let class = |node: &Node| match node {
            Node::Leaf { class } => Some(*class),
            Node::Inner { .. } => None,
        };
        tree.nodes.iter().filter_map(class).collect()
    }

    #[test]
    fn trees_have_their_depth_and_every_class() {
        for (numeric, nominal, classes, depth) in
            [(3, 3, 2, 1), (3, 3, 5, 7), (1, 0, 16, 4), (0, 2, 3, 4), (0, 3, 64, 6), (25, 25, 1_000, 10)]
        {
            let shape = Shape { numeric, nominal, classes, depth };
            for seed in 0..20 {
                let tree = HiddenTree::grow(&shape, Random::new(seed, 0));
                assert_eq!(depth_below(&tree, 0), depth);
                let mut classes_seen = leaf_classes(&tree);
                classes_seen.sort_unstable();
                classes_seen.dedup();
                assert_eq!(classes_seen, (0..classes).collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn leaves_under_one_test_differ_and_some_are_early() {
        let shape = Shape { numeric: 5, nominal: 5, classes: 3, depth: 7 };
        let trees: Vec<HiddenTree> = (0..20).map(|seed| HiddenTree::grow(&shape, Random::new(seed, 0))).collect();
        for tree in &trees {
            for node in &tree.nodes {
                let Node::Inner { branches, .. } = node else { continue };
                if let [Node::Leaf { class: first }, Node::Leaf { class: second }] =
                    branches.map(|branch| &tree.nodes[branch])
                {
                    assert_ne!(first, second);
                }
            }
        }
        assert!(trees.iter().any(|tree| leaf_classes(tree).len() < 1 << 7));
    }
}
