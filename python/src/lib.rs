//! What crosses the border between Python and the library: data as [`table::Table`], learners as one recipe document,
//! models as [`model::Model`]. Everything that scikit-learn's conventions ask for is in Python, in `quickset/`.

mod arrays;
mod arrow_stream;
mod error;
mod model;
mod recipe;
mod table;
mod threads;
mod train;

/// The native part of the package.
#[pyo3::pymodule]
mod _quickset {
    #[pymodule_export]
    use crate::model::Model;
    #[pymodule_export]
    use crate::recipe::{checked, keys, learners, recipe};
    #[pymodule_export]
    use crate::table::Table;
    #[pymodule_export]
    use crate::train::{seconds, train};
}
