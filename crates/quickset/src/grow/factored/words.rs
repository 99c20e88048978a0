//! Which sparse attributes the rows of small nodes have: few of all there are.

use super::blocks::Blocks;
use crate::data::{ByRow, Dataset};
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
    fn divides_by_one(&self, task: &Task<'_>, all: &Blocks, place: u32) -> bool {
        !self.only_numbers && task.data.attributes()[all.attribute(place)].levels().is_some()
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
    rows: Vec<u32>,
    /// By place among all attributes, ascending.
    found: Vec<Found>,
}

/// An attribute that can divide the rows of a node, with a bit for every row that has it.
#[derive(Clone, Copy, Debug, Default)]
struct Found {
    place: u32,
    mask: u64,
}

/// What finding them needs, one piece after the other; all zero between uses.
#[derive(Default)]
pub(crate) struct Masks {
    /// By place: a bit for every row that has the attribute.
    rows: Vec<u64>,
    /// A bit for every place that some row has.
    met: Vec<u64>,
    /// The places of one row.
    places: Vec<u32>,
}

impl Held {
    /// The most rows there is a bit for.
    pub const MOST: usize = u64::BITS as usize;

    /// Those of the `first` places whose attributes can divide at most [`Held::MOST`] rows or some of them; `None` where
    /// these are most of all attributes, which are gone through faster.
    pub fn of(
        task: &Task<'_>,
        words: &Words,
        all: &Blocks,
        first: usize,
        rows: &[u32],
        masks: &mut Masks,
    ) -> Option<Self> {
        masks.meet(task.data.by_row(), all, first, rows);
        let mut found = vec![Found::default(); masks.count() + 1];
        let mut count = 0;
        masks.take(|place, mask| {
            // Every place is written and only some are kept: which ones is hard to foresee.
            found[count] = Found { place, mask };
            count += usize::from(divides(mask, words.divides_by_one(task, all, place)));
        });
        found.truncate(count);
        (count < all.len() / 2).then(|| Held { rows: rows.to_vec(), found })
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

    /// Finds those of the `first` places whose attributes can divide the rows of some bits.
    pub fn among(&self, task: &Task<'_>, words: &Words, all: &Blocks, first: usize, rows: u64, places: &mut Vec<u32>) {
        let found = &self.found[..self.found.partition_point(|found| (found.place as usize) < first)];
        // Every place is written and only some are kept: which ones is hard to foresee.
        places.clear();
        places.resize(found.len() + 1, 0);
        let mut count = 0;
        for &Found { place, mask } in found {
            places[count] = place;
            count += usize::from(divides(mask & rows, words.divides_by_one(task, all, place)));
        }
        places.truncate(count);
    }

    /// Those of the rows of some bits that have the attribute of a place, if it is a sparse one.
    pub fn having(&self, place: u32, rows: u64, having: &mut Vec<u32>) -> bool {
        let Ok(at) = self.found.binary_search_by_key(&place, |found| found.place) else {
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
}

impl Masks {
    /// Gives each of the `first` places a bit for every one of some rows that has its attribute.
    fn meet(&mut self, by_row: &ByRow, all: &Blocks, first: usize, rows: &[u32]) {
        self.rows.resize(all.len(), 0);
        self.met.resize(all.len().div_ceil(u64::BITS as usize), 0);
        by_row.fetch(rows);
        for (bit, &row) in rows.iter().enumerate() {
            let attributes = by_row.columns(row);
            // As above.
            self.places.resize(attributes.len() + 1, 0);
            let mut count = 0;
            for &attribute in attributes {
                let place = all.place(attribute as usize);
                self.places[count] = place;
                count += usize::from((place as usize) < first);
            }
            for &place in &self.places[..count] {
                self.rows[place as usize] |= 1 << bit;
                self.met[place as usize / u64::BITS as usize] |= 1 << (place % u64::BITS);
            }
        }
    }

    /// How many places some row has.
    fn count(&self) -> usize {
        self.met.iter().map(|met| met.count_ones() as usize).sum()
    }

    /// Gives what was met, ascending, and leaves nothing.
    fn take(&mut self, mut give: impl FnMut(u32, u64)) {
        for (word, met) in self.met.iter_mut().enumerate() {
            let mut left = std::mem::take(met);
            while left != 0 {
                let place = word as u32 * u64::BITS + left.trailing_zeros();
                give(place, std::mem::take(&mut self.rows[place as usize]));
                left &= left - 1;
            }
        }
    }
}
