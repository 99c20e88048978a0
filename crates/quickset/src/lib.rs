//! Quickset learns one decision tree a person can read.

pub mod data;
pub mod error;
mod grow;
pub mod io;
mod leaf;
pub mod learner;
pub mod measure;
pub mod model;
mod prune;
pub mod recipe;
pub mod split;

pub use data::{Column, Dataset};
pub use error::{Error, ErrorKind, Result};
pub use learner::Learner;
pub use model::Model;
pub use recipe::Recipe;
