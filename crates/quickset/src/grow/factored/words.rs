//! Which sparse attributes the rows of small nodes have: few of all there are.

use std::sync::Arc;

use crate::data::{ByRow, Column, Dataset};
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
        let kinds = data.kinds();
        let dense = kinds.dense.iter().map(|&attribute| attribute as u32).collect();
        let words = Words { dense, only_numbers: kinds.only_numbers };
        (!kinds.sparse.is_empty() && data.weights().is_none()).then_some(words)
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
    attribute: u32,
    mask: u64,
}

/// Below a node of fewer rows there are not many.
const WORTH_NARROWING: f64 = 16.0;

/// What finding them needs, one piece after the other; all zero between uses.
#[derive(Default)]
pub(crate) struct Masks {
    /// By attribute: a bit for every row that has it.
    rows: Vec<u64>,
    /// A bit for every attribute that some row has.
    met: Vec<u64>,
}

impl Held {
    /// The most rows there is a bit for.
    pub const MOST: usize = u64::BITS as usize;

    /// The attributes that can divide at most [`Held::MOST`] rows or some of them; `None` where these are most of all
    /// attributes, a list of which is gone through faster.
    pub fn of(task: &Task<'_>, words: &Words, rows: &[u32], masks: &mut Masks) -> Option<Self> {
        let attributes = task.data.attributes();
        masks.meet(task.data.by_row(), attributes.len(), rows);
        let mut found = vec![Found::default(); masks.count() + 1];
        let mut count = 0;
        masks.take(|attribute, mask| {
            // Every place is written and only some are kept: which ones is hard to foresee.
            found[count] = Found { attribute, mask };
            count += usize::from(divides(mask, words.divides_by_one(|| &attributes[attribute as usize])));
        });
        found.truncate(count);
        (count < attributes.len() / 2).then(|| Held { rows: rows.into(), found, narrowed: None })
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

impl Masks {
    /// Gives every attribute that some rows have a bit for each of them.
    fn meet(&mut self, by_row: &ByRow, attributes: usize, rows: &[u32]) {
        self.rows.resize(attributes, 0);
        self.met.resize(attributes.div_ceil(u64::BITS as usize), 0);
        by_row.fetch(rows);
        for (bit, &row) in rows.iter().enumerate() {
            for &attribute in by_row.columns(row) {
                self.rows[attribute as usize] |= 1 << bit;
                self.met[attribute as usize / u64::BITS as usize] |= 1 << (attribute % u64::BITS);
            }
        }
    }

    /// How many attributes some row has.
    fn count(&self) -> usize {
        self.met.iter().map(|met| met.count_ones() as usize).sum()
    }

    /// Gives what was met, ascending, and leaves nothing.
    fn take(&mut self, mut give: impl FnMut(u32, u64)) {
        for (word, met) in self.met.iter_mut().enumerate() {
            let mut left = std::mem::take(met);
            while left != 0 {
                let attribute = word as u32 * u64::BITS + left.trailing_zeros();
                give(attribute, std::mem::take(&mut self.rows[attribute as usize]));
                left &= left - 1;
            }
        }
    }
}
