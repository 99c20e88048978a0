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

    /// Whether one row that has a column is enough for it to divide some.
    #[inline(always)]
    fn divides_by_one<'c>(&self, column: impl FnOnce() -> &'c Column) -> bool {
        !self.only_numbers && column().levels().is_some()
    }
}

/// Whether a column that the rows of these bits have may divide some: levels from one row on, numbers from two. Without
/// a jump, since it is hard to foresee.
#[inline(always)]
fn divides(rows: u64, by_one: bool) -> bool {
    (rows & rows.wrapping_sub(1) != 0) | (by_one & (rows != 0))
}

/// The sparse attributes that occur in a few rows, and in which of them.
#[derive(Debug)]
pub(crate) struct Held {
    /// Ascending.
    rows: Arc<[u32]>,
    /// By attribute, ascending.
    found: Vec<Found>,
    /// Where only those are left that may be the best below a node: all, and what rows times gain of no other exceeds.
    narrowed: Option<(Arc<Held>, f64)>,
}

/// An attribute that can divide the rows of a node, with a bit for every row that has it.
#[derive(Clone, Copy, Debug, Default)]
struct Found {
    /// Of those that are told together.
    node: u32,
    attribute: u32,
    mask: u64,
}

/// Below a node of fewer rows there are not many.
const WORTH_NARROWING: f64 = 16.0;

/// Columns that are gone through together.
const CHUNK: usize = 256;

impl Held {
    /// The most rows there is a bit for.
    pub const MOST: usize = u64::BITS as usize;

    /// Tells some small nodes, each of at most [`Held::MOST`] rows, which attributes can divide their rows or some of
    /// them: one pass over the entries for all of them.
    pub fn tell(task: &Task<'_>, words: &Words, nodes: &mut [(&NodeRows<'_>, &mut Path)]) {
        let places = Places::new(task.data.rows(), nodes.iter().map(|(rows, _)| &rows.rows[..]));
        let attributes = task.data.attributes();
        let chunks = attributes.par_chunks(CHUNK).enumerate();
        let met: Vec<Met> = chunks.map(|(chunk, columns)| places.met(words, columns, chunk * CHUNK)).collect();
        for (node, (rows, path)) in nodes.iter_mut().enumerate() {
            let count = met.iter().map(|met| met.of_node(node).len()).sum::<usize>();
            // A list of all is gone through faster than most of it at a time.
            if count < attributes.len() / 2 {
                let mut found = Vec::with_capacity(count);
                met.iter().for_each(|met| found.extend_from_slice(met.of_node(node)));
                path.held = Some(Arc::new(Held { rows: rows.rows[..].into(), found, narrowed: None }));
            }
        }
    }

    /// The bits of some of the rows.
    pub fn bits(&self, rows: &[u32]) -> u64 {
        let (mut bits, mut at) = (0, 0);
        for &row in rows {
            while self.rows[at] != row {
                at += 1;
            }
            bits |= 1 << at;
        }
        bits
    }

    /// Finds the attributes that can divide the rows of some bits.
    pub fn among(&self, task: &Task<'_>, words: &Words, rows: u64, attributes: &mut Vec<u32>) {
        // Every place is written and only some are kept: which ones is hard to foresee.
        attributes.clear();
        attributes.resize(self.found.len() + 1, 0);
        let mut count = 0;
        for &Found { attribute, mask, .. } in &self.found {
            attributes[count] = attribute;
            let column = || &task.data.attributes()[attribute as usize];
            count += usize::from(divides(mask & rows, words.divides_by_one(column)));
        }
        attributes.truncate(count);
    }

    /// Those of the rows of some bits that have an attribute, if it is a sparse one.
    pub fn having(&self, attribute: usize, rows: u64, having: &mut Vec<u32>) -> bool {
        let Ok(at) = self.found.binary_search_by_key(&(attribute as u32), |found| found.attribute) else {
            return false;
        };
        let mut bits = self.found[at].mask & rows;
        having.clear();
        while bits != 0 {
            having.push(self.rows[bits.trailing_zeros() as usize]);
            bits &= bits - 1;
        }
        true
    }

    /// Only those of some attributes, as they were found, whose place is `kept`; rows times gain of no other exceeds
    /// `rest`.
    pub fn narrowed(self: &Arc<Self>, attributes: &[u32], kept: impl Fn(usize) -> bool, rest: f64) -> Self {
        let mut found = vec![Found::default(); attributes.len() + 1];
        let (mut place, mut count) = (0, 0);
        for &one in &self.found {
            found[count] = one;
            let is_next = attributes.get(place) == Some(&one.attribute);
            count += usize::from(is_next && kept(place));
            place += usize::from(is_next);
        }
        found.truncate(count);
        Held { rows: self.rows.clone(), found, narrowed: Some((self.clone(), rest)) }
    }

    /// What it was narrowed from, if another attribute may gain more at a node than one whose rows times gain are these.
    pub fn all_unless_ahead(&self, rows_times_gain: f64) -> Option<&Arc<Held>> {
        let (all, rest) = self.narrowed.as_ref()?;
        (rows_times_gain <= *rest).then_some(all)
    }

    /// Whether it pays to leave only some for the nodes below one of this weight.
    pub fn may_narrow(&self, weight: f64) -> bool {
        self.narrowed.is_none() && weight >= WORTH_NARROWING
    }
}

/// The node of each row, and the row's bit there.
struct Places {
    /// By row of the data; [`Places::NONE`] for rows of no node.
    of_rows: Vec<u32>,
    nodes: usize,
}

/// What some columns have for some nodes.
struct Met {
    /// By node, then attribute.
    found: Vec<Found>,
    /// Where those of each node end.
    ends: Vec<u32>,
}

impl Met {
    fn of_node(&self, node: usize) -> &[Found] {
        let start = if node == 0 { 0 } else { self.ends[node - 1] };
        &self.found[start as usize..self.ends[node] as usize]
    }
}

impl Places {
    const NONE: u32 = u32::MAX;

    fn new<'r>(rows: usize, nodes: impl ExactSizeIterator<Item = &'r [u32]>) -> Self {
        let mut places = Places { of_rows: vec![Self::NONE; rows], nodes: nodes.len() };
        for (node, rows) in nodes.enumerate() {
            let bits = rows.iter().enumerate();
            bits.for_each(|(bit, &row)| places.of_rows[row as usize] = (node * Held::MOST + bit) as u32);
        }
        places
    }

    /// What some columns, from an attribute on, have for the nodes.
    fn met(&self, words: &Words, columns: &[Column], first: usize) -> Met {
        let mut masks = vec![0u64; self.nodes];
        let (mut inside, mut touched) = (Vec::new(), Vec::new());
        let (mut all, mut used) = (Vec::new(), 0);
        let mut counts = vec![0u32; self.nodes];
        for (attribute, column) in fetched(columns).enumerate().map(|(at, column)| (first + at, column)) {
            let rows = entries(column);
            // In all three loops every place is written and only some are kept: which ones is hard to foresee.
            let most = inside.len().max(rows.len() + 1);
            inside.resize(most, 0);
            touched.resize(most, 0);
            if all.len() < used + rows.len() + 1 {
                all.resize(2 * all.len() + rows.len() + 1, Found::default());
            }
            let by_one = words.divides_by_one(|| column);
            let mut held = 0;
            for &row in rows {
                let place = self.of_rows[row as usize];
                inside[held] = place;
                held += usize::from(place != Self::NONE);
            }
            let mut count = 0;
            for &place in &inside[..held] {
                let (node, bit) = (place as usize / Held::MOST, place as usize % Held::MOST);
                let mask = &mut masks[node];
                touched[count] = node as u32;
                count += usize::from(*mask == 0);
                *mask |= 1 << bit;
            }
            for &node in &touched[..count] {
                let mask = std::mem::take(&mut masks[node as usize]);
                all[used] = Found { node, attribute: attribute as u32, mask };
                let divides = divides(mask, by_one);
                used += usize::from(divides);
                counts[node as usize] += u32::from(divides);
            }
        }
        by_node(&all[..used], counts)
    }
}

/// Sorts what was found by node, of which so many are of each.
fn by_node(all: &[Found], counts: Vec<u32>) -> Met {
    let mut ends = counts;
    let mut sum = 0;
    ends.iter_mut().for_each(|end| sum += std::mem::replace(end, sum));
    let mut found = vec![Found::default(); all.len()];
    for &one in all {
        let at = &mut ends[one.node as usize];
        found[*at as usize] = one;
        *at += 1;
    }
    Met { found, ends }
}

/// The rows with an entry; none for a column that is not sparse.
fn entries(column: &Column) -> &[u32] {
    match column.data() {
        ColumnData::SparseNumeric(sparse) => &sparse.rows,
        ColumnData::SparseNominal { codes, .. } => &codes.rows,
        _ => &[],
    }
}
