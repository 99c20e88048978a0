//! Small models built by hand, for tests of what reads models.

use super::{Attribute, Model, Node, NodeId, Schema, Training, Tree, Unknown};
use crate::recipe::Recipe;
use crate::split::Split;

/// A model of the given tree; an attribute is a name with its levels, none for numbers.
pub(crate) fn model(recipe: Recipe, attributes: &[(&str, &[&str])], classes: &[&str], nodes: Vec<Node>) -> Model {
    let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_string()).collect::<Vec<_>>();
    let attributes = attributes
        .iter()
        .map(|(name, levels)| Attribute { name: (*name).into(), levels: (!levels.is_empty()).then(|| texts(levels)) })
        .collect();
    let rows = nodes[0].weight() as usize;
    Model {
        schema: Schema { attributes, class: "class".into(), classes: texts(classes) },
        recipe,
        training: Training { rows, errors: 0 },
        tree: Tree { nodes },
    }
}

/// A leaf that predicts its shares; without rows, certainty of the first class.
pub(crate) fn leaf(weights: &[f64]) -> Node {
    let total: f64 = weights.iter().sum();
    let share = |(class, weight): (usize, &f64)| if total > 0.0 { weight / total } else { f64::from(class == 0) };
    Node::Leaf {
        weights: weights.to_vec(),
        probabilities: weights.iter().enumerate().map(share).collect(),
        bayes: None,
    }
}

/// A test that divides missing values.
pub(crate) fn inner(weights: &[f64], split: Split, children: &[u32]) -> Node {
    let children = children.iter().map(|&child| NodeId(child)).collect();
    Node::Inner { weights: weights.to_vec(), split, unknown: Unknown::Fractions, children }
}

/// The tree C4.5 is known by: 14 days, and whether to play.
pub(crate) fn weather() -> Model {
    model(
        Recipe::j48(),
        &[("outlook", &["sunny", "overcast", "rainy"]), ("humidity", &[]), ("windy", &["true", "false"])],
        &["yes", "no"],
        vec![
            inner(&[9.0, 5.0], Split::Levels { attribute: 0 }, &[1, 4, 5]),
            inner(&[2.0, 3.0], Split::Threshold { attribute: 1, cut: 75.0 }, &[2, 3]),
            leaf(&[2.0, 0.0]),
            leaf(&[0.0, 3.0]),
            leaf(&[4.0, 0.0]),
            inner(&[3.0, 2.0], Split::Levels { attribute: 2 }, &[6, 7]),
            leaf(&[0.0, 2.0]),
            leaf(&[3.0, 0.0]),
        ],
    )
}
