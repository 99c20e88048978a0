//! How well a model does: figures on labelled data, cross-validation, and the comparison of learners.

mod auc;
mod comparison;
mod cross_validation;
mod metrics;
mod overall;
mod paired;
mod range;
mod ranks;
mod reliability;
mod summary;
#[cfg(test)]
pub(crate) mod testing;

pub use comparison::{Believability, Comparison, Contrast, Record, Summary};
pub use cross_validation::{Cell, Place, Series, cross_validate, test};
pub use metrics::{Evaluation, evaluate};
pub use overall::{Overall, Ranking, Standing};
pub use paired::{Paired, PairedTest, Tally, Verdict};
pub use ranks::{Friedman, critical_difference, groups, mean_ranks, ranks};
pub use reliability::{Reliability, Tenth};
pub use summary::{Better, Figure, Spread, Spreads};
