//! How large a tree becomes, told from the shape of its data alone.
//!
//! Depth and nodes of the tree before pruning are products of powers of what [`Shape`] holds. The powers do not depend
//! on a machine: they were fitted by least squares on logarithms to the trees of 1,664 trainings, from a sixteenth to all
//! rows of 33 sets of the UCI collection and nine generated ones. The depth is within a factor of two of the true one in
//! 19 of 20 cases, the nodes in two of three: how hard the data are is not known before a look at them, which is what a
//! pilot is for.

use super::family::Family;
use super::shape::Shape;
use crate::recipe::Recipe;

/// A tree as far as its cost goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Size {
    /// Nodes before pruning.
    pub nodes: f64,
    /// Mean depth of the rows' leaves before pruning.
    pub depth: f64,
}

/// Powers of e, N, C, A; and factors by the share of nominal attributes, of missing values and of sparse attributes.
type Powers = [f64; 7];

const FACTORED: [Powers; 2] =
    [[-0.341, 0.860, 0.399, -0.253, 0.969, -2.299, 1.839], [0.402, 0.124, 0.256, 0.047, -0.043, -0.340, 0.516]];
const GAIN_RATIO: [Powers; 2] =
    [[-0.238, 0.771, 0.388, -0.183, 0.378, -0.525, 1.216], [0.297, 0.130, 0.266, 0.055, -0.284, -0.163, 0.674]];
const TO_PURITY: [Powers; 2] =
    [[0.223, 0.718, 0.425, -0.186, 0.755, 2.847, 1.150], [0.759, 0.146, 0.201, -0.120, -0.457, 1.640, 1.132]];
const TWO_WAY: [Powers; 2] =
    [[0.006, 0.727, 0.425, -0.284, -0.593, -0.507, 1.534], [0.281, 0.213, 0.208, -0.077, -0.317, -0.487, 0.839]];

impl Size {
    /// The tree that a recipe may be expected to grow.
    pub fn expected(recipe: &Recipe, shape: &Shape) -> Self {
        let powers = match Family::of(recipe) {
            Family::Bayes | Family::Majority => return Size { nodes: 1.0, depth: 0.0 },
            Family::Factored => FACTORED,
            Family::Unpruned | Family::Intervals | Family::Ahead => TO_PURITY,
            Family::CrossValidated => TWO_WAY,
            Family::Pruned => GAIN_RATIO,
        };
        let attributes = shape.attributes().max(1) as f64;
        let logs = [
            1.0,
            (shape.rows.max(1) as f64).ln(),
            (shape.classes.max(2) as f64).ln(),
            attributes.ln(),
            shape.nominal as f64 / attributes,
            shape.missing,
            shape.sparse as f64 / attributes,
        ];
        let [nodes, depth] = powers.map(|powers| powers.iter().zip(logs).map(|(p, log)| p * log).sum::<f64>().exp());
        let mut size = Size { nodes: nodes.clamp(1.0, 2.0 * shape.rows.max(1) as f64), depth };
        if let Some(most) = recipe.stop.max_depth {
            let branches = shape.levels.max(2.0);
            size.nodes = size.nodes.min(branches.powi(most.min(60) as i32 + 1));
            size.depth = size.depth.min(most as f64);
        }
        size
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::generate::{Knobs, generate};

    #[test]
    fn more_rows_make_a_larger_tree_and_a_limit_a_smaller_one() {
        let shape = Shape::of(&generate("waveform", &Knobs::default()).unwrap().with_last_as_target().unwrap());
        let (few, many) = (shape.with_rows(100), shape.with_rows(10_000));
        for recipe in [Recipe::nt(), Recipe::c45(), Recipe::id3(), Recipe::cart()] {
            let (small, large) = (Size::expected(&recipe, &few), Size::expected(&recipe, &many));
            assert!(small.nodes < large.nodes && small.depth < large.depth, "{}", recipe.name);
            let mut limited = recipe.clone();
            limited.stop.max_depth = Some(2);
            let limited = Size::expected(&limited, &many);
            assert!(limited.depth <= 2.0 && limited.nodes <= 8.0, "{limited:?}");
        }
        assert_eq!(Size::expected(&Recipe::nb(), &many), Size { nodes: 1.0, depth: 0.0 });
    }
}
