//! Trees of thresholds only, laid out for speed: the children of a node stand side by side, so that a step is an
//! addition and no branch, and many rows step at once while their memory is on its way.

use super::bind::Binding;
use super::predict::most_probable;
use super::{Model, Node, NodeId};
use crate::split::Split;

/// Rows that step together.
const LANES: usize = 64;

/// A tree of thresholds.
pub(super) struct FlatTree {
    nodes: Vec<FlatNode>,
    /// The class of a leaf; unused for tests.
    labels: Vec<u16>,
    /// The model's attributes that occur, in the order in which nodes number them.
    attributes: Vec<usize>,
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
        let mut flat = FlatTree { nodes: Vec::new(), labels: Vec::new(), attributes: Vec::new() };
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
        if flat.attributes.is_empty() { None } else { Some(flat) }
    }

    /// Predicts the rows from `first` on. A row that meets a missing value is handed to `walk`.
    pub fn predict(&self, binding: &Binding<'_>, first: usize, codes: &mut [u16], walk: impl Fn(usize) -> u16) {
        let mut block = vec![0.0; self.attributes.len() * LANES];
        for (part, codes) in codes.chunks_mut(LANES).enumerate() {
            let first = first + part * LANES;
            for (slot, &attribute) in self.attributes.iter().enumerate() {
                let numbers = &mut block[slot * LANES..slot * LANES + codes.len()];
                binding.numbers(attribute, first..first + codes.len(), numbers);
            }
            let mut at = [0u32; LANES];
            let mut missing = [false; LANES];
            loop {
                let mut moved = 0;
                for lane in 0..LANES {
                    let node = self.nodes[at[lane] as usize];
                    let value = block[node.slot as usize * LANES + lane];
                    let next = node.child + u32::from(value > node.cut);
                    missing[lane] |= value.is_nan();
                    moved |= next ^ at[lane];
                    at[lane] = next;
                }
                if moved == 0 {
                    break;
                }
            }
            for (lane, code) in codes.iter_mut().enumerate() {
                *code = if missing[lane] { walk(first + lane) } else { self.labels[at[lane] as usize] };
            }
        }
    }
}
