//! How well a model does: figures on labelled data, and cross-validation.

mod auc;
mod metrics;

pub use metrics::{Evaluation, evaluate};
