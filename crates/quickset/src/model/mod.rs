//! The finished model: its tree, how it predicts, and its file. Knows nothing of training.

mod bayes;
mod bind;
mod file;
mod flat;
mod importance;
mod matrix;
mod predict;
mod schema;
#[cfg(test)]
pub(crate) mod testing;
mod tree;

use serde::{Deserialize, Serialize};

use crate::recipe::Recipe;

pub use crate::data::Attribute;
pub use crate::leaf::NaiveBayes;
pub use matrix::Numbers;
pub use predict::Probabilities;
pub(crate) use predict::most_probable;
pub use schema::Schema;
pub use tree::{Node, NodeId, Tree, Unknown};

/// A decision tree with what it expects of the data and how it was made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Model {
    pub(crate) schema: Schema,
    pub(crate) recipe: Recipe,
    pub(crate) training: Training,
    pub(crate) tree: Tree,
}

/// What the tree was learnt from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Training {
    /// Rows with a class.
    pub rows: usize,
    /// Rows that the tree itself gets wrong.
    pub errors: usize,
}

impl Model {
    /// Attributes and classes.
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// How it was learnt.
    pub fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    /// What it was learnt from.
    pub fn training(&self) -> &Training {
        &self.training
    }

    /// The tree.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }
}
