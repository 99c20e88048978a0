//! Where in the tree a node is: all that a random draw there may depend on.

use crate::recipe::Recipe;

/// A node's place. Nothing in it depends on the order in which nodes are visited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Position {
    /// Tests above it.
    pub depth: usize,
    /// Made from the recipe's seed and the branches taken on the way.
    pub seed: u64,
    /// The seed of the root of the tree, sampled or not.
    pub tree: u64,
    /// How many trees are sampled below every branch that is tried, here and further down; with none growing is greedy.
    pub samples: usize,
}

/// Branches take the first streams of a node; draws and samples have theirs beyond any number of branches.
const DRAWS: u64 = 1 << 32;
const SAMPLES: u64 = 1 << 33;
const CUTS: u64 = 1 << 34;
const WEIGHINGS: u64 = 1 << 35;
const ORDERS: u64 = 1 << 36;

impl Position {
    /// The root of a recipe's tree.
    pub fn root(recipe: &Recipe) -> Self {
        let seed = mixed(recipe.seed, 0);
        Position { depth: 0, seed, tree: seed, samples: recipe.samples() }
    }

    /// The child of a branch.
    pub fn below(self, branch: usize) -> Self {
        Position { depth: self.depth + 1, seed: self.stream(branch as u64), ..self }
    }

    /// The root of a sampled tree, in a branch of a test that is tried here: the one at this place among those of its
    /// attribute.
    pub fn sample(self, attribute: usize, place: usize, branch: usize, repetition: usize) -> Self {
        let test = mixed(self.stream(SAMPLES + attribute as u64), place as u64);
        self.below(branch).of_tree(mixed(mixed(test, branch as u64), repetition as u64))
    }

    /// The root of a sampled tree here.
    pub fn of_tree(self, seed: u64) -> Self {
        Position { depth: self.depth, seed, tree: seed, samples: 0 }
    }

    /// The place of the draws of an attribute's cuts.
    pub fn cuts(self, attribute: usize) -> Self {
        Position { seed: self.stream(CUTS + attribute as u64), ..self }
    }

    /// The place of the draws by which rows are weighed.
    pub fn weighing(self, time: usize) -> Self {
        Position { seed: self.stream(WEIGHINGS + time as u64), ..self }
    }

    /// A number from 0 up to 1, another for every `index`.
    pub fn draw(self, index: usize) -> f64 {
        unit(self.stream(DRAWS + index as u64))
    }

    /// Where an attribute stands in the order of the whole tree: from 0 up to 1, the highest first.
    pub fn order(self, attribute: usize) -> f64 {
        unit(mixed(self.tree, ORDERS + attribute as u64))
    }

    /// A seed of its own for every `index`.
    pub fn stream(self, index: u64) -> u64 {
        mixed(self.seed, index + 1)
    }
}

/// A number from 0 up to 1.
fn unit(bits: u64) -> f64 {
    const STEP: f64 = 1.0 / (1u64 << 53) as f64;
    (bits >> 11) as f64 * STEP
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

    #[test]
    fn every_sample_has_a_seed_of_its_own() {
        let root = Position::root(&Recipe::lsid3());
        assert_eq!((root.samples, root.below(1).samples, root.sample(0, 0, 0, 0).samples), (5, 5, 0));
        let seeds = (0..1000).map(|at| root.sample(at / 250, at / 50 % 5, at / 10 % 5, at % 10).seed);
        let seeds: BTreeSet<u64> = seeds.chain((0..1000).map(|branch| root.below(branch).seed)).collect();
        assert_eq!(seeds.len(), 2000);
    }

    #[test]
    fn draws_are_even() {
        let root = Position::root(&Recipe::sid3());
        let mut tenths = [0; 10];
        (0..10_000).for_each(|at| tenths[(root.draw(at) * 10.0) as usize] += 1);
        assert!(tenths.iter().all(|count| (900..1100).contains(count)), "{tenths:?}");
    }
}
