//! Open nodes that are valued together: what every attribute is worth at each of them.
//!
//! Their mixtures are the product of two matrices: of the tables of all attributes, by cell and class, with the nodes'
//! shares, by class and node. It is taken attribute by attribute, with all nodes at each: tables of many attributes are
//! larger than any cache, and so they come from memory once for many nodes. The cells of an attribute with levels are few,
//! so that nodes are side by side in a register; numbers have cuts enough for each node to fill registers by itself. What
//! follows the product is summed, or the best is found, attribute by attribute.
//!
//! Each number is made by the same steps as for a node by itself.

use rayon::prelude::*;

use super::score::{present, worth};
use super::spread::{Share, Spread, Worth};
use super::{Path, Range, Scores, Tables};
use crate::data::Value;
use crate::grow::rows::NodeRows;
use crate::grow::task::Task;
use crate::recipe::{RangeBy, Score};

/// Nodes side by side.
const TILE: usize = 8;

/// Nodes that take turns at an attribute, and the numbers that are kept of them at most.
const MOST_NODES: usize = 64;
const MOST_WORTHS: usize = 1 << 20;

/// Attributes that one thread takes at a time.
const CHUNK: usize = 64;

/// How many nodes are valued together where there are so many attributes.
pub(super) fn nodes_together(attributes: usize) -> usize {
    (MOST_WORTHS / attributes.max(1)).clamp(TILE, MOST_NODES)
}

/// Values all attributes that the paths of some nodes have left; all threads take part if they are `shared`.
pub(super) fn value(task: &Task<'_>, tables: &Tables, nodes: &[(&NodeRows<'_>, &Path)], shared: bool) -> Vec<Scores> {
    let count = tables.spreads.len();
    let level = Level::new(task, tables, nodes);
    // By chunk of attributes, then node, then attribute.
    let mut worths = vec![Worth::default(); count.div_ceil(CHUNK) * CHUNK * nodes.len()];
    let of_chunk = |(at, worths): (usize, &mut [Worth])| {
        let attributes = at * CHUNK..count.min((at + 1) * CHUNK);
        // What is cut short is not used.
        if !task.signal.is_raised() {
            attributes.for_each(|attribute| level.value(attribute, &mut worths[attribute % CHUNK..]));
        }
    };
    let size = CHUNK * nodes.len();
    if shared {
        worths.par_chunks_mut(size).enumerate().for_each(of_chunk);
    } else {
        worths.chunks_mut(size).enumerate().for_each(of_chunk);
    }
    let scores = |(at, node): (usize, &Node<'_>)| {
        let mut scores = Scores::default();
        let left = |attribute: &usize| tables.spreads.get(*attribute).is_some() && !node.path.is_gone(*attribute);
        for attribute in (0..count).filter(left) {
            let worth = worths[(attribute / CHUNK * nodes.len() + at) * CHUNK + attribute % CHUNK];
            scores.push(tables.by.score, attribute, worth);
        }
        scores
    };
    if shared {
        level.nodes.par_iter().enumerate().map(scores).collect()
    } else {
        level.nodes.iter().enumerate().map(scores).collect()
    }
}

/// Some nodes of the same tables.
struct Level<'n> {
    task: &'n Task<'n>,
    tables: &'n Tables,
    nodes: Vec<Node<'n>>,
    /// The shares of the classes in nodes side by side.
    tiles: Vec<Vec<Share<TILE>>>,
    /// By attribute: whether some node has a range of it.
    narrowed: Vec<bool>,
}

/// One of them.
struct Node<'n> {
    rows: &'n NodeRows<'n>,
    path: &'n Path,
    present: Vec<Share<1>>,
}

impl<'n> Level<'n> {
    fn new(task: &'n Task<'n>, tables: &'n Tables, nodes: &[(&'n NodeRows<'n>, &'n Path)]) -> Self {
        let node =
            |&(rows, path): &(&'n NodeRows<'n>, &'n Path)| Node { rows, path, present: present(&rows.class_weights) };
        let nodes: Vec<Node<'_>> = nodes.iter().map(node).collect();
        let mut narrowed = vec![false; tables.spreads.len()];
        for attribute in nodes.iter().flat_map(|node| node.path.narrowed_attributes()) {
            narrowed[attribute] = true;
        }
        Level { task, tables, tiles: nodes.chunks(TILE).map(tile).collect(), nodes, narrowed }
    }

    /// What an attribute is worth at every node, `CHUNK` apart.
    fn value(&self, attribute: usize, worths: &mut [Worth]) {
        let Some(spread) = self.tables.spreads.get(attribute) else { return };
        let (score, range) = (self.tables.by.score, self.tables.range);
        let side_by_side = self.nodes.len() > 1 && !spread.has_cuts() && score != Score::Gini && range == RangeBy::Path;
        if side_by_side {
            let found = self.tiles.iter().flat_map(|tile| spread.levels(tile));
            for (at, worth) in found.take(self.nodes.len()).enumerate() {
                worths[at * CHUNK] = spread.of_known(worth);
            }
        }
        if side_by_side && !self.narrowed[attribute] {
            return;
        }
        for (at, node) in self.nodes.iter().enumerate().filter(|(_, node)| !node.path.is_gone(attribute)) {
            worths[at * CHUNK] = match self.range(node, spread, attribute) {
                None if node.path.is_single(attribute) => Worth::default(),
                None if side_by_side => continue,
                range => worth(self.tables, spread, &node.present, range),
            };
        }
    }

    /// The bins of an attribute that a node has left.
    fn range(&self, node: &Node<'_>, spread: &Spread, attribute: usize) -> Option<Range> {
        let observed = match self.tables.range {
            RangeBy::Observed => observed(self.task, spread, node.rows, attribute),
            RangeBy::Path => None,
        };
        observed.or_else(|| node.path.range_of(attribute))
    }
}

/// The shares of the classes that occur in one of some nodes. Where there are fewer than go side by side, no class occurs
/// in the rest.
fn tile(nodes: &[Node<'_>]) -> Vec<Share<TILE>> {
    let mut classes: Vec<usize> = nodes.iter().flat_map(|node| &node.present).map(|(class, _)| *class).collect();
    classes.sort_unstable();
    classes.dedup();
    let share = |node: &Node<'_>, class: usize| {
        let place = node.present.binary_search_by_key(&class, |(class, _)| *class);
        place.map_or(0.0, |place| node.present[place].1[0])
    };
    let shares = |class| std::array::from_fn(|place| nodes.get(place).map_or(0.0, |node| share(node, class)));
    classes.into_iter().map(|class| (class, shares(class))).collect()
}

/// The bins of a numeric attribute that the node's rows are in.
fn observed(task: &Task<'_>, spread: &Spread, node: &NodeRows<'_>, attribute: usize) -> Option<Range> {
    if !spread.is_numeric() {
        return None;
    }
    let column = &task.data.attributes()[attribute];
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for &row in &node.rows {
        if let Value::Number(number) = column.value(row as usize) {
            low = low.min(number);
            high = high.max(number);
        }
    }
    (low <= high).then(|| spread.range_of(low, high))
}
