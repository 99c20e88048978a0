//! Trees of thresholds only, laid out for speed: the children of a node stand side by side, so that a step is an
//! addition and no branch, and many rows step at once while their memory is on its way.

use super::bind::Binding;
use super::predict::most_probable;
use super::{Model, Node, NodeId};
use crate::split::Split;

/// Rows that step together: few enough that their values stay in the first cache.
pub(super) const LANES: usize = 128;

/// Rows that are copied at a time where columns are not stored as they are read.
const COPIED: usize = 1024;

/// How many rows ahead memory is asked for, so that it comes while rows step.
const AHEAD: usize = 4 * LANES;

/// The nodes of the first three levels, which all rows of a block try one after the other. More would not pay, and
/// only so far are the nodes of a level known: the root has two children, and they stand before their own.
const TOP: [std::ops::Range<usize>; 3] = [0..1, 1..3, 3..7];

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
    /// Where the attribute's values begin in a block.
    values: u32,
    /// The first child; the second follows it. A leaf is its own child and its cut is never exceeded.
    child: u32,
}

impl FlatTree {
    /// `None` where some test is not a threshold, or some leaf asks for more values.
    pub fn of(model: &Model) -> Option<Self> {
        let tree = model.tree();
        let (mut nodes, mut labels, mut attributes) = (Vec::new(), Vec::new(), Vec::new());
        let mut queue = vec![NodeId::ROOT];
        let mut at = 0;
        while at < queue.len() {
            match tree.node(queue[at]) {
                Node::Leaf { bayes: Some(_), .. } => return None,
                Node::Leaf { probabilities, .. } => {
                    nodes.push(FlatNode { cut: f64::INFINITY, values: 0, child: at as u32 });
                    labels.push(most_probable(probabilities));
                }
                Node::Inner { split: Split::Threshold { attribute, cut }, children, .. } => {
                    let slot = attributes.iter().position(|a| a == attribute).unwrap_or_else(|| {
                        attributes.push(*attribute);
                        attributes.len() - 1
                    });
                    let values = (slot * LANES) as u32;
                    nodes.push(FlatNode { cut: *cut, values, child: queue.len() as u32 });
                    labels.push(0);
                    // Missing values may have a third branch: rows that have one are not stepped here.
                    queue.extend(&children[..2]);
                }
                Node::Inner { .. } => return None,
            }
            at += 1;
        }
        // A lone leaf tests nothing; a slot of its own would have no column.
        attributes.last()?;
        nodes.resize(nodes.len().next_power_of_two(), FlatNode { cut: f64::INFINITY, values: 0, child: 0 });
        let single = |node: &FlatNode<f64>| FlatNode { cut: below(node.cut), values: node.values, child: node.child };
        let singles = nodes.iter().map(single).collect();
        Some(FlatTree { doubles: nodes, singles, labels, attributes, depth: tree.depth() })
    }

    /// Predicts the rows from `first` on. A block in which a value is missing is handed to `walk`, row by row.
    pub fn predict(&self, binding: &Binding<'_>, first: usize, codes: &mut [u16], walk: impl Fn(usize) -> u16) {
        let rows = first..first + codes.len();
        let singles = self.attributes.iter().map(|&attribute| binding.singles(attribute, &rows));
        let doubles = self.attributes.iter().map(|&attribute| binding.doubles(attribute, &rows));
        if let Some(columns) = singles.collect::<Option<Vec<_>>>() {
            self.predict_blocks(&columns, first, codes, walk);
        } else if let Some(columns) = doubles.collect::<Option<Vec<_>>>() {
            self.predict_blocks(&columns, first, codes, walk);
        } else {
            // Few rows at a time: a tree of words may test a thousand columns.
            for (number, codes) in codes.chunks_mut(COPIED).enumerate() {
                let first = first + number * COPIED;
                let copy = |&attribute: &usize| {
                    let mut numbers = vec![0.0; codes.len()];
                    binding.numbers(attribute, first..first + codes.len(), &mut numbers);
                    numbers
                };
                let copies: Vec<Vec<f64>> = self.attributes.iter().map(copy).collect();
                let columns: Vec<&[f64]> = copies.iter().map(Vec::as_slice).collect();
                self.predict_blocks(&columns, first, codes, &walk);
            }
        }
    }

    /// The nodes for values that lie beside those of the same row: each says which of a row's it compares.
    pub fn for_rows<T: Number>(&self) -> Vec<FlatNode<T>> {
        let attribute = |node: &FlatNode<T>| self.attributes[node.values as usize / LANES] as u32;
        T::nodes(self).iter().map(|node| FlatNode { values: attribute(node), ..*node }).collect()
    }

    /// The labels of at most [`LANES`] rows of a matrix that is so wide, without missing values. `nodes` are those of
    /// [`FlatTree::for_rows`].
    pub fn predict_rows<T: Number>(&self, nodes: &[FlatNode<T>], rows: &[T], width: usize, codes: &mut [u16]) {
        let mut at = [0u32; LANES];
        let at = &mut at[..codes.len()];
        for depth in 0..self.depth {
            let mut moved = false;
            for (row, at) in rows.chunks_exact(width).zip(at.iter_mut()) {
                let node = &nodes[*at as usize];
                let to = node.child + u32::from(row[node.values as usize] > node.cut);
                moved |= to != *at;
                *at = to;
            }
            if depth >= SHALLOW && !moved {
                break;
            }
        }
        codes.iter_mut().zip(at).for_each(|(code, leaf)| *code = self.labels[*leaf as usize]);
    }

    fn predict_blocks<T: Number>(
        &self,
        columns: &[&[T]],
        first: usize,
        codes: &mut [u16],
        walk: impl Fn(usize) -> u16,
    ) {
        let mut block = vec![T::default(); columns.len().next_power_of_two() * LANES];
        for (number, codes) in codes.chunks_mut(LANES).enumerate() {
            let start = number * LANES;
            let mut any_missing = false;
            for (values, column) in block.chunks_exact_mut(LANES).zip(columns) {
                let values = &mut values[..codes.len()];
                values.copy_from_slice(&column[start..start + codes.len()]);
                any_missing |= values.iter().fold(false, |any, value| any | value.is_missing());
                let ahead = (start + AHEAD).min(column.len());
                column[ahead..(ahead + LANES).min(column.len())].iter().step_by(64 / size_of::<T>()).for_each(fetch);
            }
            if any_missing {
                codes.iter_mut().zip(first + start..).for_each(|(code, row)| *code = walk(row));
            } else {
                let leaves = self.leaves(&block);
                codes.iter_mut().zip(leaves).for_each(|(code, leaf)| *code = self.labels[leaf as usize]);
            }
        }
    }

    /// The leaves of the rows of a block.
    fn leaves<T: Number>(&self, block: &[T]) -> [u32; LANES] {
        let nodes = T::nodes(self);
        let mut at = [0; LANES];
        // The first levels have few nodes: comparing all rows with each of them needs no look-up.
        let top = TOP.len().min(self.depth);
        for level in &TOP[..top] {
            let mut after = at;
            for (id, node) in nodes.iter().enumerate().take(level.end).skip(level.start) {
                step_from(id as u32, node, block, &at, &mut after);
            }
            at = after;
        }
        // In a shallow tree all rows take as many steps as the deepest: stepping on the spot costs less than asking.
        for _ in top..self.depth.min(SHALLOW) {
            step(nodes, block, &mut at);
        }
        for _ in SHALLOW..self.depth {
            let before = at;
            step(nodes, block, &mut at);
            if at == before {
                break;
            }
        }
        at
    }
}

/// Asks for the memory around a number, where the processor can be asked.
#[inline(always)]
fn fetch<T>(number: &T) {
    #[cfg(target_arch = "x86_64")]
    safe_arch::prefetch_t1(number);
    #[cfg(not(target_arch = "x86_64"))]
    let _ = number;
}

/// One step of the rows that are at one node.
#[inline(always)]
fn step_from<T: Number>(id: u32, node: &FlatNode<T>, block: &[T], at: &[u32; LANES], after: &mut [u32; LANES]) {
    let values = &block[node.values as usize..][..LANES];
    for lane in 0..LANES {
        let to = node.child + u32::from(values[lane] > node.cut);
        after[lane] = if at[lane] == id { to } else { after[lane] };
    }
}

/// One step of every row.
#[inline(always)]
fn step<T: Number>(nodes: &[FlatNode<T>], block: &[T], at: &mut [u32; LANES]) {
    // Both lengths are powers of two: the masks change nothing and save the checks of the bounds.
    let (node_mask, value_mask) = (nodes.len() - 1, block.len() - 1);
    for lane in 0..LANES {
        let node = &nodes[at[lane] as usize & node_mask];
        let value = block[(node.values as usize + lane) & value_mask];
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
pub(super) trait Number: Copy + Default + PartialOrd + Sync {
    fn is_missing(&self) -> bool;
    fn is_finite(self) -> bool;
    fn double(self) -> f64;
    fn nodes(tree: &FlatTree) -> &[FlatNode<Self>];
}

impl Number for f64 {
    fn is_missing(&self) -> bool {
        self.is_nan()
    }
    fn is_finite(self) -> bool {
        f64::is_finite(self)
    }
    fn double(self) -> f64 {
        self
    }
    fn nodes(tree: &FlatTree) -> &[FlatNode<Self>] {
        &tree.doubles
    }
}

impl Number for f32 {
    fn is_missing(&self) -> bool {
        self.is_nan()
    }
    fn is_finite(self) -> bool {
        f32::is_finite(self)
    }
    fn double(self) -> f64 {
        self.into()
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
