//! What a search tells while it goes on.

use serde::{Deserialize, Serialize};

use crate::model::Model;

/// Hears of every step of a search and of every better tree, and may end it.
pub trait Progress: Sync {
    /// Something began, or was bought.
    fn report(&self, news: &News<'_>) -> Answer;

    /// A better tree is there. `model` makes a model of it, whose leaves predict by the classes of their rows; making one
    /// takes time that the search then lacks.
    fn improved(&self, bought: &Bought, model: &dyn Fn() -> Option<Model>) {
        let _ = (bought, model);
    }
}

/// Whether a search is to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It may.
    Continue,
    /// The best tree so far is the result.
    Stop,
}

/// Where a search stands.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct News<'a> {
    /// Since it began, those of earlier runs included.
    pub seconds: f64,
    /// Until its deadline, where it has one.
    pub seconds_left: Option<f64>,
    /// What is being tried.
    pub trying: &'a str,
    /// The best tree so far, if there is one.
    pub best: Option<&'a Bought>,
    /// Whether that one is new.
    pub improved: bool,
    /// Something that went wrong without ending the run, such as a checkpoint that could not be written.
    pub warning: Option<&'a str>,
}

/// A better tree, and when it was there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bought {
    /// Since the search began.
    pub seconds: f64,
    /// What made it.
    pub by: String,
    /// Its leaves.
    pub leaves: usize,
    /// The share of rows that it is expected to get wrong, by the estimate that the search compares trees with.
    pub estimated_error: f64,
}

/// Nobody listens.
pub struct Silent;

impl Progress for Silent {
    fn report(&self, _: &News<'_>) -> Answer {
        Answer::Continue
    }
}
