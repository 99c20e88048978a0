//! Where in the tree a node is: all that a random draw there may depend on.

use crate::recipe::Recipe;

/// A node's place. Nothing in it depends on the order in which nodes are visited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Position {
    /// Tests above it.
    pub depth: usize,
    /// Made from the recipe's seed and the branches taken on the way.
    pub seed: u64,
}

impl Position {
    /// The root of a recipe's tree.
    pub fn root(recipe: &Recipe) -> Self {
        Position { depth: 0, seed: mixed(recipe.seed, 0) }
    }

    /// The child of a branch.
    pub fn below(self, branch: usize) -> Self {
        Position { depth: self.depth + 1, seed: self.stream(branch as u64) }
    }

    /// A seed of its own for every `index`.
    pub fn stream(self, index: u64) -> u64 {
        mixed(self.seed, index + 1)
    }
}

/// Two numbers as one, such that near ones give far ones: a step of SplitMix64 (Steele, Lea and Flood 2014).
pub(crate) fn mixed(seed: u64, index: u64) -> u64 {
    let mut state = seed.wrapping_add(index.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    state = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    state = (state ^ (state >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    state ^ (state >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_node_and_draw_has_a_seed_of_its_own() {
        let root = Position::root(&Recipe::id3());
        let mut level = vec![root];
        let mut seeds = BTreeSet::from([root.seed]);
        let mut nodes = 1;
        for _ in 0..6 {
            level = level.iter().flat_map(|node| (0..4).map(|branch| node.below(branch))).collect();
            nodes += level.len();
            seeds.extend(level.iter().map(|node| node.seed));
        }
        assert_eq!(seeds.len(), nodes);
        assert_eq!(level[0].depth, 6);
    }
}
