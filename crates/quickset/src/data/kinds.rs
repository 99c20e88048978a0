//! What kinds of columns a table has.

use super::column::Column;

/// What is known of all columns together: with thousands of words, looking through them takes its time.
#[derive(Debug)]
pub(crate) struct Kinds {
    /// The columns of which only some entries are stored, ascending.
    pub sparse: Vec<usize>,
    /// The others, ascending.
    pub dense: Vec<usize>,
    /// Whether no value is missing.
    pub complete: bool,
    /// Whether no column has levels.
    pub only_numbers: bool,
}

impl Kinds {
    pub fn of(columns: &[Column]) -> Self {
        let (sparse, dense) = (0..columns.len()).partition(|&at| columns[at].is_sparse());
        Kinds {
            sparse,
            dense,
            complete: columns.iter().all(|column| column.missing_count() == 0),
            only_numbers: columns.iter().all(|column| column.levels().is_none()),
        }
    }

    /// Whether there are columns, and all are sparse.
    pub fn all_sparse(&self) -> bool {
        self.dense.is_empty() && !self.sparse.is_empty()
    }
}
