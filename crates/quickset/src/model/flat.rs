//! Trees of thresholds only, laid out for speed: the children of a node stand side by side, so that a step is an
//! addition and no branch, and many rows step at once while their memory is on its way.

use super::bind::Binding;
use super::predict::most_probable;
use super::{Model, Node, NodeId};
use crate::split::Split;

/// Rows that step together.
const LANES: usize = 128;

/// Rows looked at together: long enough that reading a column is one stream, short enough that all columns stay in the
/// second cache.
const STRETCH: usize = 2048;

/// Trees deeper than this are left as soon as all rows have reached a leaf.
const SHALLOW: usize = 16;

/// A tree of thresholds.
pub(super) struct FlatTree {
    /// For numbers in double precision.
    doubles: Vec<FlatNode<f64>>,
    /// The same for numbers in single precision.
    singles: Vec<FlatNode<f32>>,
    /// The class of a leaf; unused for tests.
    labels: Vec<u16>,
    /// The model's attributes that occur, in the order in which nodes number them.
    attributes: Vec<usize>,
    depth: usize,
}

#[derive(Clone, Copy)]
pub(super) struct FlatNode<T> {
    cut: T,
    /// Position in `attributes`.
    slot: u32,
    /// The first child; the second follows it. A leaf is its own child and its cut is never exceeded.
    child: u32,
}

impl FlatTree {
    /// `None` where some test is not a threshold.
    pub fn of(model: &Model) -> Option<Self> {
        let tree = model.tree();
        let (mut nodes, mut labels, mut attributes) = (Vec::new(), Vec::new(), Vec::new());
        let mut queue = vec![NodeId::ROOT];
        let mut at = 0;
        while at < queue.len() {
            match tree.node(queue[at]) {
                Node::Leaf { probabilities, .. } => {
                    nodes.push(FlatNode { cut: f64::INFINITY, slot: 0, child: at as u32 });
                    labels.push(most_probable(probabilities));
                }
                Node::Inner { split: Split::Threshold { attribute, cut }, children, .. } => {
                    let slot = attributes.iter().position(|a| a == attribute).unwrap_or_else(|| {
                        attributes.push(*attribute);
                        attributes.len() - 1
                    });
                    nodes.push(FlatNode { cut: *cut, slot: slot as u32, child: queue.len() as u32 });
                    labels.push(0);
                    queue.extend(children);
                }
                Node::Inner { .. } => return None,
            }
            at += 1;
        }
        // A lone leaf tests nothing; a slot of its own would have no column.
        attributes.last()?;
        nodes.resize(nodes.len().next_power_of_two(), FlatNode { cut: f64::INFINITY, slot: 0, child: 0 });
        let single = |node: &FlatNode<f64>| FlatNode { cut: below(node.cut), slot: node.slot, child: node.child };
        let singles = nodes.iter().map(single).collect();
        Some(FlatTree { doubles: nodes, singles, labels, attributes, depth: tree.depth() })
    }

    /// Predicts the rows from `first` on. A stretch in which a value is missing is handed to `walk`, row by row.
    pub fn predict(&self, binding: &Binding<'_>, first: usize, codes: &mut [u16], walk: impl Fn(usize) -> u16) {
        let mut copies = vec![vec![0.0; STRETCH]; self.attributes.len()];
        for (part, codes) in codes.chunks_mut(STRETCH).enumerate() {
            let first = first + part * STRETCH;
            let rows = first..first + codes.len();
            let whole = codes.len() == STRETCH;
            let doubles = self.attributes.iter().map(|&attribute| binding.doubles(attribute, &rows));
            let singles = self.attributes.iter().map(|&attribute| binding.singles(attribute, &rows));
            let done = if let Some(columns) = doubles.collect::<Option<Vec<_>>>().filter(|_| whole) {
                self.predict_stretch(&columns, codes)
            } else if let Some(columns) = singles.collect::<Option<Vec<_>>>().filter(|_| whole) {
                self.predict_stretch(&columns, codes)
            } else {
                for (copy, &attribute) in copies.iter_mut().zip(&self.attributes) {
                    binding.numbers(attribute, rows.clone(), &mut copy[..codes.len()]);
                }
                let columns: Vec<&[f64]> = copies.iter().map(Vec::as_slice).collect();
                self.predict_stretch(&columns, codes)
            };
            if !done {
                codes.iter_mut().zip(rows).for_each(|(code, row)| *code = walk(row));
            }
        }
    }

    /// Predicts a stretch of rows, unless a value is missing.
    fn predict_stretch<T: Number>(&self, columns: &[&[T]], codes: &mut [u16]) -> bool {
        let any_missing = |column: &&[T]| column.iter().fold(false, |any, value| any | value.is_missing());
        if columns.iter().any(any_missing) {
            return false;
        }
        for (lanes, codes) in codes.chunks_mut(LANES).enumerate() {
            let leaves = self.leaves(columns, lanes * LANES);
            codes.iter_mut().zip(leaves).for_each(|(code, leaf)| *code = self.labels[leaf as usize]);
        }
        true
    }

    /// The leaf of `LANES` rows from `first` on.
    fn leaves<T: Number>(&self, columns: &[&[T]], first: usize) -> [u32; LANES] {
        let mut lanes: Vec<&[T; LANES]> = Vec::with_capacity(columns.len().next_power_of_two());
        lanes.extend(columns.iter().filter_map(|&column| <&[T; LANES]>::try_from(&column[first..first + LANES]).ok()));
        lanes.resize(lanes.capacity(), lanes[0]);
        // All rows begin with the same test: the one step that needs no look-up.
        let nodes = T::nodes(self);
        let root = nodes[0];
        let mut at = lanes[root.slot as usize].map(|value| root.child + u32::from(value > root.cut));
        // In a shallow tree all rows take as many steps as the deepest: stepping on the spot costs less than asking.
        for _ in 1..self.depth.min(SHALLOW) {
            step(nodes, &lanes, &mut at);
        }
        for _ in SHALLOW..self.depth {
            let before = at;
            step(nodes, &lanes, &mut at);
            if at == before {
                break;
            }
        }
        at
    }
}

/// One step of every row.
#[inline(always)]
fn step<T: Number>(nodes: &[FlatNode<T>], columns: &[&[T; LANES]], at: &mut [u32; LANES]) {
    // Both lengths are powers of two: the masks change nothing and save the checks of the bounds.
    let (node_mask, column_mask) = (nodes.len() - 1, columns.len() - 1);
    for lane in 0..LANES {
        let node = &nodes[at[lane] as usize & node_mask];
        let value = columns[node.slot as usize & column_mask][lane];
        at[lane] = node.child + u32::from(value > node.cut);
    }
}

/// The largest number of single precision that is not above `cut`: the numbers of single precision above the one are
/// those above the other.
fn below(cut: f64) -> f32 {
    let near = cut as f32;
    if f64::from(near) > cut { near.next_down() } else { near }
}

/// A number as it is stored.
trait Number: Copy + PartialOrd {
    fn is_missing(&self) -> bool;
    fn nodes(tree: &FlatTree) -> &[FlatNode<Self>];
}

impl Number for f64 {
    fn is_missing(&self) -> bool {
        self.is_nan()
    }
    fn nodes(tree: &FlatTree) -> &[FlatNode<Self>] {
        &tree.doubles
    }
}

impl Number for f32 {
    fn is_missing(&self) -> bool {
        self.is_nan()
    }
    fn nodes(tree: &FlatTree) -> &[FlatNode<Self>] {
        &tree.singles
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_cut_in_single_precision_divides_the_same_numbers(cut in -10.0..10.0f64, value in -10.0..10.0f32) {
            for value in [value, cut as f32, (cut as f32).next_up(), (cut as f32).next_down()] {
                prop_assert_eq!(f64::from(value) > cut, value > below(cut));
            }
        }
    }
}
