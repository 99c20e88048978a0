//! Trees of thresholds only, laid out for speed: the children of a node stand side by side, so that a step is an
//! addition and no branch, and many rows step at once while their memory is on its way.

use super::bind::Binding;
use super::predict::most_probable;
use super::{Model, Node, NodeId};
use crate::split::Split;

/// Rows that step together.
const LANES: usize = 64;

/// Rows looked at together: long enough that reading a column is one stream, short enough that all columns stay in the
/// second cache.
const STRETCH: usize = 2048;

/// Trees deeper than this are left as soon as all rows have reached a leaf.
const SHALLOW: usize = 16;

/// A tree of thresholds.
pub(super) struct FlatTree {
    nodes: Vec<FlatNode>,
    /// The class of a leaf; unused for tests.
    labels: Vec<u16>,
    /// The model's attributes that occur, in the order in which nodes number them.
    attributes: Vec<usize>,
    depth: usize,
}

#[derive(Clone, Copy)]
struct FlatNode {
    cut: f64,
    /// Position in `attributes`.
    slot: u32,
    /// The first child; the second follows it. A leaf is its own child and its cut is never exceeded.
    child: u32,
}

impl FlatTree {
    /// `None` where some test is not a threshold.
    pub fn of(model: &Model) -> Option<Self> {
        let tree = model.tree();
        let mut flat = FlatTree { nodes: Vec::new(), labels: Vec::new(), attributes: Vec::new(), depth: tree.depth() };
        let mut queue = vec![NodeId::ROOT];
        let mut at = 0;
        while at < queue.len() {
            match tree.node(queue[at]) {
                Node::Leaf { probabilities, .. } => {
                    flat.nodes.push(FlatNode { cut: f64::INFINITY, slot: 0, child: at as u32 });
                    flat.labels.push(most_probable(probabilities));
                }
                Node::Inner { split: Split::Threshold { attribute, cut }, children, .. } => {
                    let slot = flat.attributes.iter().position(|a| a == attribute).unwrap_or_else(|| {
                        flat.attributes.push(*attribute);
                        flat.attributes.len() - 1
                    });
                    flat.nodes.push(FlatNode { cut: *cut, slot: slot as u32, child: queue.len() as u32 });
                    flat.labels.push(0);
                    queue.extend(children);
                }
                Node::Inner { .. } => return None,
            }
            at += 1;
        }
        // A lone leaf tests nothing; a slot of its own would have no column.
        flat.attributes.last()?;
        let unused = FlatNode { cut: f64::INFINITY, slot: 0, child: 0 };
        flat.nodes.resize(flat.nodes.len().next_power_of_two(), unused);
        Some(flat)
    }

    /// Predicts the rows from `first` on. A stretch in which a value is missing is handed to `walk`, row by row.
    pub fn predict(&self, binding: &Binding<'_>, first: usize, codes: &mut [u16], walk: impl Fn(usize) -> u16) {
        let mut copies = vec![vec![0.0; STRETCH]; self.attributes.len()];
        for (part, codes) in codes.chunks_mut(STRETCH).enumerate() {
            let first = first + part * STRETCH;
            let rows = first..first + codes.len();
            for (copy, &attribute) in copies.iter_mut().zip(&self.attributes) {
                if codes.len() < STRETCH || binding.stored(attribute, &rows).is_none() {
                    binding.numbers(attribute, rows.clone(), &mut copy[..codes.len()]);
                }
            }
            let stored = |attribute| binding.stored(attribute, &rows).filter(|_| codes.len() == STRETCH);
            let columns = copies.iter().zip(&self.attributes);
            let columns: Vec<&[f64]> = columns.map(|(copy, &attribute)| stored(attribute).unwrap_or(copy)).collect();
            let any_missing = |column: &&[f64]| column.iter().fold(false, |any, value| any | value.is_nan());
            if columns.iter().any(any_missing) {
                codes.iter_mut().zip(rows).for_each(|(code, row)| *code = walk(row));
                continue;
            }
            for (lanes, codes) in codes.chunks_mut(LANES).enumerate() {
                let leaves = self.step(&columns, lanes * LANES);
                codes.iter_mut().zip(leaves).for_each(|(code, leaf)| *code = self.labels[leaf as usize]);
            }
        }
    }

    /// The leaf of `LANES` rows from `first` on.
    fn step(&self, columns: &[&[f64]], first: usize) -> [u32; LANES] {
        let mut lanes: Vec<&[f64; LANES]> = Vec::with_capacity(columns.len().next_power_of_two());
        lanes
            .extend(columns.iter().filter_map(|&column| <&[f64; LANES]>::try_from(&column[first..first + LANES]).ok()));
        lanes.resize(lanes.capacity(), lanes[0]);
        // All rows begin with the same test: the one step that needs no look-up.
        let root = self.nodes[0];
        let mut at = lanes[root.slot as usize].map(|value| root.child + u32::from(value > root.cut));
        // In a shallow tree all rows take as many steps as the deepest: stepping on the spot costs less than asking.
        for _ in 1..self.depth.min(SHALLOW) {
            self.step_once(&lanes, &mut at);
        }
        for _ in SHALLOW..self.depth {
            let before = at;
            self.step_once(&lanes, &mut at);
            if at == before {
                break;
            }
        }
        at
    }

    #[inline(always)]
    fn step_once(&self, columns: &[&[f64; LANES]], at: &mut [u32; LANES]) {
        let nodes = self.nodes.as_slice();
        // Both lengths are powers of two: the masks change nothing and save the checks of the bounds.
        let (node_mask, column_mask) = (nodes.len() - 1, columns.len() - 1);
        for lane in 0..LANES {
            let node = &nodes[at[lane] as usize & node_mask];
            at[lane] = node.child + u32::from(columns[node.slot as usize & column_mask][lane] > node.cut);
        }
    }
}
