//! Weights by branch and class.

/// The only thing a measure may read: how much weight of each class falls into each branch.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    classes: usize,
    /// Branch after branch, a weight per class.
    cells: Vec<f64>,
    missing: f64,
}

impl Table {
    /// A table of the given branches, each a slice of weights by class; `missing` is the weight in no branch.
    pub fn new(classes: usize, cells: Vec<f64>, missing: f64) -> Self {
        debug_assert!(classes > 0 && cells.len().is_multiple_of(classes));
        Table { classes, cells, missing }
    }

    /// The branches, each with its weights by class.
    pub fn branches(&self) -> impl ExactSizeIterator<Item = &[f64]> {
        self.cells.chunks_exact(self.classes)
    }

    /// The weight of each branch.
    pub fn branch_weights(&self) -> impl ExactSizeIterator<Item = f64> {
        self.branches().map(|branch| branch.iter().sum())
    }

    /// The weight of each class over all branches.
    pub fn class_weights(&self) -> Vec<f64> {
        let mut totals = vec![0.0; self.classes];
        for branch in self.branches() {
            for (total, weight) in totals.iter_mut().zip(branch) {
                *total += weight;
            }
        }
        totals
    }

    /// All cells, branch after branch.
    pub fn cells(&self) -> &[f64] {
        &self.cells
    }

    /// The weight with a known branch.
    pub fn known(&self) -> f64 {
        self.cells.iter().sum()
    }

    /// The weight whose value is missing.
    pub fn missing(&self) -> f64 {
        self.missing
    }

    /// The weight of the node.
    pub fn total(&self) -> f64 {
        self.known() + self.missing
    }
}
