//! Working memory that is used again and again, one piece for every task that runs at the same time.

use std::sync::{Mutex, PoisonError};

use super::factored::{Masks, Memory};
use super::lookahead;
use crate::data::{Item, Sorting};

/// Buffers for one task. What is in them between uses is of no meaning.
#[derive(Default)]
pub(crate) struct Scratch {
    /// The branch of each row of the node that is being divided, if there are few branches and if there are many.
    pub few_branches: Vec<u8>,
    pub many_branches: Vec<u32>,
    /// The weight of each row of the node that is being looked at, where rows have weights.
    pub weight: Vec<f64>,
    /// For [`Sparse::among`](crate::data::Sparse::among).
    pub members: Vec<bool>,
    /// The entries of the sparse attribute that was looked at last, which the node is then divided by, most often.
    pub entries: Vec<(u32, f64)>,
    pub entries_of: Option<usize>,
    /// Those of a node's rows that have the sparse attribute that is looked at next, where it is known which ones.
    pub having: Vec<u32>,
    pub having_of: Option<usize>,
    /// For the search through factored tables.
    pub search: Memory,
    /// For the attributes of a few rows.
    pub masks: Masks,
    /// For trees that are sampled from words.
    pub walk: lookahead::Memory,
    /// For the rows of a node that are sorted by an attribute.
    pub sorting: Sorting,
    /// Items on their way from a list to its parts.
    pub items: Vec<Item>,
    /// Counts of whole rows.
    pub whole: Vec<u32>,
    /// Sums of fractions.
    pub fractional: Vec<f64>,
}

/// The pieces that are not in use.
#[derive(Default)]
pub(crate) struct ScratchPool {
    free: Mutex<Vec<Scratch>>,
}

impl ScratchPool {
    /// Lends a piece for the time of `work`.
    pub fn with<T>(&self, work: impl FnOnce(&mut Scratch) -> T) -> T {
        let mut scratch = self.free.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default();
        let result = work(&mut scratch);
        self.free.lock().unwrap_or_else(PoisonError::into_inner).push(scratch);
        result
    }
}
