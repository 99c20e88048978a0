//! Immutable columns: what every reader produces and every learner reads.
//!
//! A [`Dataset`] is a list of attribute [`Column`]s and, where one was named, the class they are to predict.

mod by_row;
mod column;
mod dataset;
mod extent;
mod few;
mod fingerprint;
mod folds;
pub mod generate;
mod grid;
pub mod impute;
mod item;
mod kinds;
mod order;
mod select;
mod sort;
mod sparse;
mod weka_folds;

pub(crate) use by_row::ByRow;
pub use column::{Column, ColumnData, MISSING, Value};
pub use dataset::{Attribute, Class, Dataset, NO_CLASS};
pub(crate) use few::{FewValues, NO_CODE};
pub use folds::Folds;
pub(crate) use item::{Item, Parts, part};
pub(crate) use order::{Entry, Order};
pub(crate) use sort::{Sorting, radix_sort};
pub use sparse::Sparse;
