//! From rows to classes.
//!
//! A row follows the tests to a leaf. Where a tested value is missing, or is a level that training never saw, it goes
//! the way the node says: into every branch in proportion to the training weight there, or into one branch.

use rayon::prelude::*;

use super::bind::Binding;
use super::flat::FlatTree;
use super::{Model, Node, NodeId, Unknown};
use crate::data::{Dataset, Value};
use crate::deep::deep;
use crate::error::{Error, Result};
use crate::measure::SMALL;

/// Rows handled as one piece of work.
const BLOCK: usize = 1 << 14;

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

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.values.len() / self.classes.max(1)
    }
}

impl Model {
    /// The class code of every row.
    pub fn predict(&self, data: &Dataset) -> Result<Vec<u16>> {
        let binding = Binding::new(self, data)?;
        let flat = FlatTree::of(self);
        let mut codes = vec![0; data.rows()];
        codes.par_chunks_mut(BLOCK).enumerate().for_each(|(block, codes)| {
            let first = block * BLOCK;
            let walk = |row| most_probable(&self.walk(&binding, row));
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
        let classes = self.schema.classes.len();
        let mut values = vec![0.0; data.rows() * classes];
        values.par_chunks_mut(BLOCK * classes).enumerate().for_each(|(block, values)| {
            for (at, out) in values.chunks_exact_mut(classes).enumerate() {
                out.copy_from_slice(&self.walk(&binding, block * BLOCK + at));
            }
        });
        Ok(Probabilities { classes, values })
    }

    /// The leaves a row reaches, each with the share of the row that does.
    pub fn route(&self, data: &Dataset, row: usize) -> Result<Vec<(NodeId, f64)>> {
        let binding = Binding::new(self, data)?;
        let mut leaves = Vec::new();
        self.descend(&|attribute| binding.value(attribute, row), NodeId::ROOT, 1.0, &mut |leaf, share| {
            leaves.push((leaf, share));
        });
        Ok(leaves)
    }

    /// The values of one row by attribute, as the model understands them. What no test asks for is missing.
    pub(crate) fn values(&self, data: &Dataset, row: usize) -> Result<Vec<Value>> {
        let binding = Binding::new(self, data)?;
        Ok((0..self.schema.attributes.len()).map(|attribute| binding.value(attribute, row)).collect())
    }

    /// The leaves that such values reach, each with its share.
    pub(crate) fn route_values(&self, values: &[Value]) -> Vec<(NodeId, f64)> {
        let mut leaves = Vec::new();
        self.descend(&|attribute| values[attribute], NodeId::ROOT, 1.0, &mut |leaf, share| leaves.push((leaf, share)));
        leaves
    }

    /// What leaves predict together: a probability per class.
    pub(crate) fn mix(&self, leaves: &[(NodeId, f64)]) -> Vec<f64> {
        let mut sum = vec![0.0; self.schema.classes.len()];
        leaves.iter().for_each(|&(leaf, share)| self.add(leaf, share, &mut sum));
        sum
    }

    fn walk(&self, binding: &Binding<'_>, row: usize) -> Vec<f64> {
        let mut sum = vec![0.0; self.schema.classes.len()];
        let value = |attribute| binding.value(attribute, row);
        self.descend(&value, NodeId::ROOT, 1.0, &mut |leaf, share| self.add(leaf, share, &mut sum));
        sum
    }

    fn add(&self, leaf: NodeId, share: f64, sum: &mut [f64]) {
        if let Node::Leaf { probabilities, .. } = self.tree.node(leaf) {
            sum.iter_mut().zip(probabilities).for_each(|(s, p)| *s += share * p);
        }
    }

    fn descend(
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
