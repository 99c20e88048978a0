//! How well a model does: figures on labelled data, and cross-validation.

mod auc;
mod cross_validation;
mod metrics;

pub use cross_validation::{Cell, Place, Series, cross_validate, test};
pub use metrics::{Evaluation, evaluate};
