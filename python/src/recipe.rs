//! Recipes as documents.

use pyo3::pyfunction;
use quickset::{Learner, Recipe, recipe as library};

use crate::error::{Result, wrong};

/// The recipe of a learner, named as on the command line, with some keys set: a JSON document.
#[pyfunction]
pub fn recipe(learner: &str, settings: Vec<(String, String)>, seed: Option<u64>) -> Result<String> {
    changed(Recipe::parse(learner)?, &settings, seed)
}

/// A recipe document that was made before, checked, with some keys set.
#[pyfunction]
pub fn checked(document: &str, settings: Vec<(String, String)>, seed: Option<u64>) -> Result<String> {
    changed(parsed(document)?, &settings, seed)
}

fn changed(mut recipe: Recipe, settings: &[(String, String)], seed: Option<u64>) -> Result<String> {
    for (key, value) in settings {
        recipe.set(key, value)?;
    }
    recipe.seed = seed.unwrap_or(recipe.seed);
    let learner = Learner::new(recipe)?;
    serde_json::to_string(learner.recipe()).map_err(|error| wrong(error.to_string()))
}

/// The recipe behind a document.
pub fn parsed(document: &str) -> Result<Recipe> {
    serde_json::from_str(document).map_err(|error| wrong(format!("this is not a recipe: {error}")))
}

/// The learners: their names and what they do.
#[pyfunction]
pub fn learners() -> Vec<(&'static str, &'static str)> {
    library::PRESETS.iter().map(|preset| (preset.name, preset.summary)).collect()
}

/// The keys of recipes that can be set, and the values that they take.
#[pyfunction]
pub fn keys() -> Vec<(&'static str, &'static str)> {
    library::keys().collect()
}
