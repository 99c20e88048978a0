//! From rows to classes.
//!
//! A row follows the tests to a leaf. Where a tested value is missing, or is a level that training never saw, it goes
//! the way the node says: into every branch in proportion to the training weight there, or into one branch.

use rayon::prelude::*;

use super::bayes::BayesLeaves;
use super::bind::Binding;
use super::flat::FlatTree;
use super::{Model, Node, NodeId, Unknown};
use crate::data::{Dataset, Value};
use crate::deep::deep;
use crate::error::{Error, Result};
use crate::leaf::bayes::Ready;
use crate::measure::SMALL;
use crate::recipe::Leaf;

/// Rows handled as one piece of work.
pub(super) const BLOCK: usize = 1 << 14;

/// A probability per row and class.
#[derive(Clone, Debug, PartialEq)]
pub struct Probabilities {
    classes: usize,
    values: Vec<f64>,
}

impl Probabilities {
    /// Probabilities made elsewhere: the values of the first row, of the second, and so on.
    pub fn new(classes: usize, values: Vec<f64>) -> Result<Self> {
        if classes == 0 || !values.len().is_multiple_of(classes) {
            return Err(Error::data(format!("{} probabilities are not rows of {classes} classes", values.len())));
        }
        Ok(Probabilities { classes, values })
    }

    /// The classes' probabilities for one row.
    pub fn row(&self, row: usize) -> &[f64] {
        &self.values[row * self.classes..(row + 1) * self.classes]
    }

    /// All of them: those of the first row, of the second, and so on.
    pub fn into_values(self) -> Vec<f64> {
        self.values
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.values.len() / self.classes.max(1)
    }
}

impl Model {
    /// The class code of every row.
    pub fn predict(&self, data: &Dataset) -> Result<Vec<u16>> {
        let binding = Binding::new(self, data)?;
        let bayes = BayesLeaves::new(self, &binding, data.rows());
        let flat = FlatTree::of(self);
        let mut codes = vec![0; data.rows()];
        codes.par_chunks_mut(BLOCK).enumerate().for_each(|(block, codes)| {
            let first = block * BLOCK;
            let walk = |row| most_probable(&self.walk(&binding, &bayes, row));
            match &flat {
                Some(flat) => flat.predict(&binding, first, codes, walk),
                None => codes.iter_mut().enumerate().for_each(|(at, code)| *code = walk(first + at)),
            }
        });
        Ok(codes)
    }

    /// The probability of every class for every row.
    pub fn predict_proba(&self, data: &Dataset) -> Result<Probabilities> {
        let binding = Binding::new(self, data)?;
        let bayes = BayesLeaves::new(self, &binding, data.rows());
        let classes = self.schema.classes.len();
        let mut values = vec![0.0; data.rows() * classes];
        values.par_chunks_mut(BLOCK * classes).enumerate().for_each(|(block, values)| {
            for (at, out) in values.chunks_exact_mut(classes).enumerate() {
                out.copy_from_slice(&self.walk(&binding, &bayes, block * BLOCK + at));
            }
        });
        Ok(Probabilities { classes, values })
    }

    /// The leaves a row reaches, each with the share of the row that does.
    pub fn route(&self, data: &Dataset, row: usize) -> Result<Vec<(NodeId, f64)>> {
        let routes = self.route_rows(data, &[row as u32])?;
        Ok(routes.into_iter().map(|(_, leaf, share)| (leaf, share)).collect())
    }

    /// The same for many rows, one after the other: a row, a leaf that it reaches, and its share there. A list for every
    /// row would cost more than the rest of naive Bayes.
    pub fn route_rows(&self, data: &Dataset, rows: &[u32]) -> Result<Vec<(u32, NodeId, f64)>> {
        let binding = Binding::new(self, data)?;
        let route = |rows: &[u32]| {
            let mut reached = Vec::with_capacity(rows.len());
            for &row in rows {
                let value = |attribute| binding.value(attribute, row as usize);
                self.descend(&value, NodeId::ROOT, 1.0, &mut |leaf, share| reached.push((row, leaf, share)));
            }
            reached
        };
        let blocks: Vec<Vec<(u32, NodeId, f64)>> = rows.par_chunks(BLOCK).map(route).collect();
        Ok(blocks.concat())
    }

    /// The values of one row by attribute, as the model understands them. What it does not use is missing.
    pub(crate) fn values(&self, data: &Dataset, row: usize) -> Result<Vec<Value>> {
        let binding = Binding::new(self, data)?;
        Ok((0..self.schema.attributes.len()).map(|attribute| binding.value(attribute, row)).collect())
    }

    /// The leaves that such values reach, each with its share.
    pub(crate) fn route_values(&self, values: &[Value]) -> Vec<(NodeId, f64)> {
        self.leaves(&|attribute| values[attribute])
    }

    /// What leaves predict together for such values: a probability per class.
    pub(crate) fn mix(&self, leaves: &[(NodeId, f64)], values: &[Value]) -> Vec<f64> {
        let mut sum = vec![0.0; self.schema.classes.len()];
        let levels = self.schema.level_counts();
        for &(leaf, share) in leaves {
            match self.ready(leaf, &levels, |_| None) {
                Some(ready) => add(&ready.probabilities(&[], |attribute| values[attribute]), share, &mut sum),
                None => add(self.probabilities(leaf), share, &mut sum),
            }
        }
        sum
    }

    /// A naive Bayes leaf ready to predict; `None` for other nodes. `levels` are the schema's; `zero` tells what sparse
    /// columns leave out.
    pub(crate) fn ready(
        &self,
        leaf: NodeId,
        levels: &[Option<usize>],
        zero: impl Fn(usize) -> Option<Value>,
    ) -> Option<Ready<'_>> {
        let more = match self.recipe.leaf {
            Leaf::Nb { counts, .. } => counts.more(),
            _ => 1.0,
        };
        Some(self.tree.node(leaf).bayes()?.ready(self.probabilities(leaf), levels, more, zero))
    }

    fn walk(&self, binding: &Binding<'_>, bayes: &BayesLeaves<'_>, row: usize) -> Vec<f64> {
        let mut sum = vec![0.0; self.schema.classes.len()];
        let value = |attribute| binding.value(attribute, row);
        self.descend(&value, NodeId::ROOT, 1.0, &mut |leaf, share| match bayes.probabilities(leaf, row, value) {
            Some(probabilities) => add(&probabilities, share, &mut sum),
            None => add(self.probabilities(leaf), share, &mut sum),
        });
        sum
    }

    /// What a leaf predicts before values count.
    pub(super) fn probabilities(&self, leaf: NodeId) -> &[f64] {
        match self.tree.node(leaf) {
            Node::Leaf { probabilities, .. } => probabilities,
            Node::Inner { .. } => &[],
        }
    }

    fn leaves(&self, value: &impl Fn(usize) -> Value) -> Vec<(NodeId, f64)> {
        let mut leaves = Vec::new();
        self.descend(value, NodeId::ROOT, 1.0, &mut |leaf, share| leaves.push((leaf, share)));
        leaves
    }

    pub(super) fn descend(
        &self,
        value: &impl Fn(usize) -> Value,
        mut id: NodeId,
        share: f64,
        reach: &mut impl FnMut(NodeId, f64),
    ) {
        loop {
            let Node::Inner { split, unknown, children, .. } = self.tree.node(id) else {
                return reach(id, share);
            };
            match (split.branch(value(split.attribute())), unknown) {
                (Some(branch), _) => id = children[branch],
                (None, Unknown::Branch(branch)) => id = children[*branch],
                (None, Unknown::Fractions) => {
                    for (&child, part) in children.iter().zip(self.tree.shares(children)) {
                        if part > SMALL {
                            deep(|| self.descend(value, child, share * part, reach));
                        }
                    }
                    return;
                }
            }
        }
    }
}

pub(super) fn add(probabilities: &[f64], share: f64, sum: &mut [f64]) {
    sum.iter_mut().zip(probabilities).for_each(|(sum, probability)| *sum += share * probability);
}

/// The first class of the highest probability, where differences below rounding are none.
pub(crate) fn most_probable(probabilities: &[f64]) -> u16 {
    let mut best = 0;
    for (class, &probability) in probabilities.iter().enumerate() {
        if probability > probabilities[best] + SMALL {
            best = class;
        }
    }
    best as u16
}
