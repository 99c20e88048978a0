//! Cells for tests.

use serde_json::json;

use super::cross_validation::Cell;

/// A cell of 10 rows with an accuracy, or one that failed.
pub(crate) fn cell(dataset: &str, learner: &str, run: usize, fold: usize, accuracy: Option<f64>) -> Cell {
    // Read as a document, so that a new figure of cells concerns only the tests that are about it.
    serde_json::from_value(json!({
        "dataset": dataset,
        "learner": learner,
        "run": run,
        "fold": fold,
        "rows": 10,
        "accuracy": accuracy,
        "status": if accuracy.is_some() { "ok" } else { "failed: too dull" },
    }))
    .expect("the fields of a cell that must be there")
}
