//! From a checked recipe and data to a model.

use crate::data::Dataset;
use crate::error::{Error, Result};
use crate::model::Model;
use crate::recipe::Recipe;

/// A recipe that was checked: the only way to a thing that fits.
#[derive(Clone, Debug)]
pub struct Learner {
    recipe: Recipe,
}

/// A model, and what making it took.
pub struct Trained {
    /// The model.
    pub model: Model,
    /// Where the time went.
    pub seconds: Phases,
    /// Remarks for the user.
    pub notes: Vec<String>,
}

/// Seconds spent by phase.
#[derive(Clone, Copy, Debug, Default)]
pub struct Phases {
    /// Sorting and binning columns.
    pub tables: f64,
    /// Growing.
    pub grow: f64,
    /// Pruning.
    pub prune: f64,
    /// All of it.
    pub total: f64,
}

impl Learner {
    /// Checks the recipe.
    pub fn new(recipe: Recipe) -> Result<Self> {
        recipe.check()?;
        Ok(Learner { recipe })
    }

    /// Learns from all rows that have a class.
    pub fn fit(&self, data: &Dataset) -> Result<Model> {
        let rows: Vec<u32> = (0..data.rows() as u32).collect();
        Ok(self.train(data, &rows)?.model)
    }

    /// Learns from the given rows.
    pub fn train(&self, _data: &Dataset, _rows: &[u32]) -> Result<Trained> {
        Err(Error::data(format!("{} cannot be trained yet", self.recipe.name)))
    }
}
