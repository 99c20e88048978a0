//! Naive Bayes leaves of a model, made ready for some data.

use super::bind::Binding;
use super::{Model, NaiveBayes, NodeId};
use crate::data::Value;
use crate::leaf::bayes::Ready;

/// The leaves, and the entries of sparse columns by row: a row is to cost what it holds.
pub(super) struct BayesLeaves<'m> {
    /// By node; empty where the model has no such leaf.
    leaves: Vec<Option<Ready<'m>>>,
    /// The entries of row r, by attribute, are `entries[starts[r]..starts[r + 1]]`.
    starts: Vec<usize>,
    entries: Vec<(u32, Value)>,
}

impl<'m> BayesLeaves<'m> {
    pub fn new(model: &'m Model, binding: &Binding<'_>, rows: usize) -> Self {
        let nodes = model.tree().nodes();
        let mut used = vec![false; model.schema().attributes.len()];
        let all = nodes.iter().filter_map(|node| node.bayes()).flat_map(NaiveBayes::used);
        all.for_each(|attribute| used[attribute] = true);
        if !used.contains(&true) && nodes.iter().all(|node| node.bayes().is_none()) {
            return BayesLeaves { leaves: Vec::new(), starts: Vec::new(), entries: Vec::new() };
        }
        let zeros: Vec<Option<Value>> = (0..used.len()).map(|attribute| binding.zero(attribute)).collect();
        let levels = model.schema().level_counts();
        let ready = |id| model.ready(NodeId(id), &levels, |attribute| zeros[attribute]);
        let leaves = (0..nodes.len() as u32).map(ready).collect();
        let sparse: Vec<usize> = (0..used.len()).filter(|&at| used[at] && zeros[at].is_some()).collect();
        let mut starts = vec![0; rows + 1];
        sparse.iter().for_each(|&attribute| binding.entries(attribute, |row, _| starts[row + 1] += 1));
        (0..rows).for_each(|row| starts[row + 1] += starts[row]);
        let mut next = starts.clone();
        let mut entries = vec![(0, Value::Missing); starts[rows]];
        for &attribute in &sparse {
            binding.entries(attribute, |row, value| {
                entries[next[row]] = (attribute as u32, value);
                next[row] += 1;
            });
        }
        BayesLeaves { leaves, starts, entries }
    }

    /// What a leaf predicts for a row; `None` where it is not naive Bayes. `value` has the values of the row.
    pub fn probabilities(&self, leaf: NodeId, row: usize, value: impl Fn(usize) -> Value) -> Option<Vec<f64>> {
        let ready = self.leaves.get(leaf.index())?.as_ref()?;
        Some(ready.probabilities(&self.entries[self.starts[row]..self.starts[row + 1]], value))
    }
}
