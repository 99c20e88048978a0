//! What was sampled at a node before. More samples begin with the same ones, so a node that is looked at again with twice
//! as many draws only the others: the tree is the same, and takes half the time.
//!
//! - *settled*: nothing that is still unknown of a branch's earlier samples could matter.
//!
//! It is nothing but a memory: what is forgotten is sampled again.

use std::collections::BTreeMap;
use std::mem::take;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::super::position::Position;
use super::super::rows::NodeRows;
use super::super::task::Task;
use super::every::Tried;
use super::{Free, LEAF};

/// The bytes that are remembered, about; what was not asked for since half as many came after it is forgotten.
pub(super) const MOST_BYTES: usize = 64 << 20;

/// What the samples of a branch have shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shown {
    /// What the cheapest costs of those that were grown to the end.
    pub least: u32,
    /// The first of these.
    pub by: u32,
    /// Those that were given up cost at least so much.
    pub others: u32,
}

impl Shown {
    /// Of samples that nobody drew.
    pub const NOTHING: Shown = Shown { least: u32::MAX, by: u32::MAX, others: LEAF as u32 };

    /// Whether it is known what the cheapest of all samples costs.
    pub fn is_exact(self) -> bool {
        self.least <= self.others
    }

    /// Whether that is known, or more than may be asked for.
    pub fn is_settled(self, most: f64) -> bool {
        self.is_exact() || f64::from(self.others) > most
    }
}

/// What the tests of a node have shown.
#[derive(Debug, Default)]
pub(super) struct Look {
    /// How many trees every branch has had, where cuts were not drawn instead.
    pub samples: usize,
    /// By attribute and place of the test: the end of its branches.
    tests: Vec<([u32; 2], usize)>,
    branches: Vec<Shown>,
}

impl Look {
    /// By test, in their order.
    pub fn new<'a>(samples: usize, tests: impl Iterator<Item = (&'a Tried, Vec<Shown>)>) -> Self {
        let mut look = Look { samples, ..Look::default() };
        for (test, shown) in tests {
            look.branches.extend(shown);
            look.tests.push((key(test), look.branches.len()));
        }
        look
    }

    /// What is known of the branches of a test; empty where nothing is.
    pub fn of(&self, test: &Tried) -> &[Shown] {
        match self.tests.binary_search_by_key(&key(test), |(other, _)| *other) {
            Ok(at) => &self.branches[at.checked_sub(1).map_or(0, |before| self.tests[before].1)..self.tests[at].1],
            Err(_) => &[],
        }
    }

    /// The sum over a test's branches of what the cheapest trees cost, where that is known.
    pub fn cost(&self, test: &Tried) -> Option<f64> {
        let shown = self.of(test);
        let known = !shown.is_empty() && shown.iter().all(|shown| shown.is_exact());
        known.then(|| shown.iter().map(|shown| f64::from(shown.least)).sum())
    }

    /// This sum is no less.
    pub fn floor(&self, test: &Tried) -> f64 {
        self.of(test).iter().map(|shown| f64::from(shown.least.min(shown.others))).sum()
    }
}

fn key(test: &Tried) -> [u32; 2] {
    [test.candidate.attribute as u32, test.place as u32]
}

/// A node: where draws start there, and its rows, which count 1 each.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    seed: u64,
    depth: usize,
    /// What attributes cost here depends on it.
    free: Free,
    /// How many rows the tree is grown from: bins, and what stands for missing values, are told from these.
    trained: usize,
    rows: Vec<u32>,
}

impl Place {
    /// None where rows have weights: sums of fractions depend on the way they came about.
    pub fn of(task: &Task<'_>, node: &NodeRows<'_>, free: &Free, position: Position) -> Option<Self> {
        let Position { seed, depth, .. } = position;
        let place = || Place { seed, depth, free: free.clone(), trained: task.rows.len(), rows: node.rows.clone() };
        node.weights.is_none().then(place)
    }
}

/// Earlier looks at nodes.
#[derive(Debug, Default)]
pub(crate) struct Earlier(Mutex<Shelves>);

/// Those of late, and those before: what is asked for again is of late again.
#[derive(Debug, Default)]
struct Shelves {
    late: BTreeMap<Place, Look>,
    before: BTreeMap<Place, Look>,
    bytes_of_late: usize,
}

impl Earlier {
    /// What is known of a node from no more than so many samples: of more, it is not known which had the fewest leaves.
    pub(super) fn take(&self, place: &Place, samples: usize) -> Option<Look> {
        let mut shelves = self.lock();
        let fits = |shelf: &BTreeMap<Place, Look>| shelf.get(place).is_some_and(|look| look.samples <= samples);
        if fits(&shelves.late) {
            let look = shelves.late.remove(place)?;
            shelves.bytes_of_late -= bytes(place, &look);
            return Some(look);
        }
        if fits(&shelves.before) { shelves.before.remove(place) } else { None }
    }

    /// Keeps what is known of a node, unless more is.
    pub(super) fn put(&self, place: Place, look: Look) {
        let mut shelves = self.lock();
        if shelves.late.contains_key(&place) {
            return;
        }
        shelves.bytes_of_late += bytes(&place, &look);
        shelves.late.insert(place, look);
        if shelves.bytes_of_late > MOST_BYTES / 2 {
            shelves.before = take(&mut shelves.late);
            shelves.bytes_of_late = 0;
        }
    }

    fn lock(&self) -> MutexGuard<'_, Shelves> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn bytes(place: &Place, look: &Look) -> usize {
    size_of::<(Place, Look)>()
        + size_of_val(&place.rows[..])
        + place.free.as_deref().map_or(0, size_of_val)
        + size_of_val(&look.tests[..])
        + size_of_val(&look.branches[..])
}
