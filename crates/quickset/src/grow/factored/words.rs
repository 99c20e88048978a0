//! Which sparse attributes the rows of small nodes have: few of all there are.

use std::sync::Arc;

use rayon::prelude::*;

use super::Path;
use crate::data::{Column, ColumnData, Dataset, fetched};
use crate::grow::rows::NodeRows;
use crate::grow::task::Task;

/// What is known of the attributes where some are sparse.
#[derive(Debug)]
pub(crate) struct Words {
    /// The attributes that every row has: those that are not sparse.
    pub dense: Vec<u32>,
    /// Whether all attributes are numbers.
    pub only_numbers: bool,
}

impl Words {
    /// `None` where no attribute is sparse, and where one row may be enough to be divided from others.
    pub fn new(data: &Dataset) -> Option<Self> {
        let (sparse, dense): (Vec<usize>, Vec<usize>) =
            (0..data.attributes().len()).partition(|&attribute| data.attributes()[attribute].is_sparse());
        let only_numbers = data.attributes().iter().all(|column| column.levels().is_none());
        let words = Words { dense: dense.into_iter().map(|attribute| attribute as u32).collect(), only_numbers };
        (!sparse.is_empty() && data.weights().is_none()).then_some(words)
    }

    /// Whether a column that the rows of these bits have may divide some: levels from one row on, numbers from two.
    #[inline(always)]
    fn divides<'c>(&self, column: impl FnOnce() -> &'c Column, rows: u64) -> bool {
        rows & rows.wrapping_sub(1) != 0 || !self.only_numbers && rows != 0 && column().levels().is_some()
    }
}

/// The sparse attributes that occur in a few rows, and in which of them.
#[derive(Debug)]
pub(crate) struct Held {
    /// Ascending.
    rows: Vec<u32>,
    attributes: Vec<u32>,
    /// Beside `attributes`: a bit for every row that has it.
    masks: Vec<u64>,
}

/// Columns that are gone through together.
const CHUNK: usize = 256;

impl Held {
    /// The most rows there is a bit for.
    pub const MOST: usize = u64::BITS as usize;

    /// Tells some small nodes, each of at most [`Held::MOST`] rows, which attributes can divide their rows or some of
    /// them: one pass over the entries for all of them.
    pub fn tell(task: &Task<'_>, words: &Words, nodes: &mut [(&NodeRows<'_>, &mut Path)]) {
        // The node of each row and the row's bit there; rows of no node share a place after the last.
        let place = |node: usize, bit: usize| (node * Self::MOST + bit) as u32;
        let mut places = vec![place(nodes.len(), 0); task.data.rows()];
        for (node, (rows, _)) in nodes.iter().enumerate() {
            rows.rows.iter().enumerate().for_each(|(bit, &row)| places[row as usize] = place(node, bit));
        }
        let attributes = task.data.attributes();
        let chunks = attributes.par_chunks(CHUNK).enumerate();
        let found: Vec<Vec<Found>> =
            chunks.map(|(chunk, columns)| found_in(words, columns, chunk * CHUNK, &places, nodes.len())).collect();
        let mut counts = vec![0; nodes.len()];
        found.iter().flatten().for_each(|found| counts[found.node as usize] += 1);
        let of = |((rows, _), count): (&(&NodeRows<'_>, &mut Path), &usize)| Held {
            rows: rows.rows.clone(),
            attributes: Vec::with_capacity(*count),
            masks: Vec::with_capacity(*count),
        };
        let mut held: Vec<Held> = nodes.iter().zip(&counts).map(of).collect();
        for &Found { node, attribute, mask } in found.iter().flatten() {
            held[node as usize].attributes.push(attribute);
            held[node as usize].masks.push(mask);
        }
        for ((_, path), held) in nodes.iter_mut().zip(held) {
            // A list of all is gone through faster than most of it at a time.
            if held.attributes.len() < attributes.len() / 2 {
                path.held = Some(Arc::new(held));
            }
        }
    }

    /// Finds the attributes that can divide some of the rows.
    pub fn among(&self, task: &Task<'_>, words: &Words, rows: &[u32], found: &mut Vec<u32>) {
        let mut inside = 0u64;
        let mut at = 0;
        for &row in rows {
            while self.rows[at] != row {
                at += 1;
            }
            inside |= 1 << at;
        }
        // Every place is written and only some are kept: which ones is hard to foresee.
        found.clear();
        found.resize(self.attributes.len() + 1, 0);
        let mut count = 0;
        for (&attribute, mask) in self.attributes.iter().zip(&self.masks) {
            found[count] = attribute;
            let column = || &task.data.attributes()[attribute as usize];
            count += usize::from(words.divides(column, mask & inside));
        }
        found.truncate(count);
    }
}

/// An attribute that can divide the rows of a node, and the rows that have it.
#[derive(Clone, Copy, Default)]
struct Found {
    node: u32,
    attribute: u32,
    mask: u64,
}

/// What some columns, from an attribute on, have for the nodes that `places` tell of.
fn found_in(words: &Words, columns: &[Column], first: usize, places: &[u32], nodes: usize) -> Vec<Found> {
    let mut masks = vec![0u64; nodes + 1];
    let (mut met, mut kept) = (Vec::new(), Vec::new());
    let mut all = Vec::new();
    for (attribute, column) in fetched(columns, false).enumerate().map(|(at, column)| (first + at, column)) {
        let rows = entries(column);
        // Every place is written and only some are kept, as in `among`.
        let most = met.len().max(rows.len() + 1);
        met.resize(most, 0u32);
        kept.resize(most, Found::default());
        let mut count = 0;
        for &row in rows {
            let place = places[row as usize] as usize;
            let (node, bit) = (place / Held::MOST, place % Held::MOST);
            let mask = &mut masks[node];
            met[count] = node as u32;
            count += usize::from(*mask == 0);
            *mask |= 1 << bit;
        }
        let mut to_keep = 0;
        for &node in &met[..count] {
            let mask = std::mem::take(&mut masks[node as usize]);
            kept[to_keep] = Found { node, attribute: attribute as u32, mask };
            let inside = (node as usize) < nodes;
            to_keep += usize::from(inside & words.divides(|| column, mask));
        }
        all.extend_from_slice(&kept[..to_keep]);
    }
    all
}

/// The rows with an entry; none for a column that is not sparse.
fn entries(column: &Column) -> &[u32] {
    match column.data() {
        ColumnData::SparseNumeric(sparse) => &sparse.rows,
        ColumnData::SparseNominal { codes, .. } => &codes.rows,
        _ => &[],
    }
}
