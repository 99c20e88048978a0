//! The tests of a draft in a form made for single rows: what a row needs on its way down lies close together.

use std::collections::HashMap;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::reroute::work;
use crate::data::{ColumnData, Dataset, Sparse};
use crate::grow::{Draft, DraftNode, Task};
use crate::split::Split;

/// The different tests of sparse columns. Many nodes of a tree of words have the same test.
pub(super) struct Tests<'t> {
    data: &'t Dataset,
    /// By attribute and cut.
    places: HashMap<(usize, u64), u32>,
    /// Whether each row is above the cut, once somebody has asked; empty where that is too much.
    above: Vec<OnceLock<Vec<u64>>>,
    /// How many words of bits may still be made.
    left: AtomicUsize,
}

/// The tests of all nodes, for rows without missing values.
pub(super) struct Steps<'t> {
    tests: &'t Tests<'t>,
    /// By node of the draft.
    steps: Vec<Step<'t>>,
}

/// The test of a node.
#[derive(Default)]
enum Step<'t> {
    #[default]
    Leaf,
    Numbers {
        values: &'t [f64],
        cut: f64,
        children: [u32; 2],
    },
    Singles {
        values: &'t [f32],
        cut: f64,
        children: [u32; 2],
    },
    /// A sparse column.
    Entries {
        entries: &'t Sparse<f64>,
        cut: f64,
        children: [u32; 2],
        /// Which of the tests of sparse columns it is.
        test: u32,
    },
    /// Any other.
    Test,
}

/// All words of bits together.
const MOST_WORDS: usize = 1 << 20;

impl<'t> Tests<'t> {
    /// Those of a draft.
    pub fn new(task: &Task<'t>, draft: &Draft) -> Self {
        let mut places = HashMap::new();
        for test in draft.nodes.iter().filter_map(|node| node.test.as_ref()) {
            if let Split::Threshold { attribute, cut } = test.split
                && task.data.attributes()[attribute].is_sparse()
            {
                let next = places.len() as u32;
                places.entry((attribute, cut.to_bits())).or_insert(next);
            }
        }
        let above = places.iter().map(|_| OnceLock::new()).collect();
        Tests { data: task.data, places, above, left: AtomicUsize::new(MOST_WORDS) }
    }

    /// A bit for every row above a cut; none where making them takes longer than looking rows up.
    fn bits_above(&self, entries: &Sparse<f64>, cut: f64) -> Vec<u64> {
        let words = entries.len.div_ceil(64);
        let take = |left: usize| left.checked_sub(words);
        if cut < 0.0
            || words > 8 * entries.rows.len()
            || self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take).is_err()
        {
            return Vec::new();
        }
        let mut above = vec![0; words];
        for (&row, &value) in entries.rows.iter().zip(&entries.values) {
            above[row as usize / 64] |= u64::from(value > cut) << (row % 64);
        }
        above
    }
}

impl<'t> Steps<'t> {
    /// Of a draft, or a part of one, whose tests are among these.
    pub fn new(tests: &'t Tests<'t>, draft: &Draft) -> Self {
        let step = |node: &DraftNode| {
            let Some(test) = &node.test else { return Step::Leaf };
            let Split::Threshold { attribute, cut } = test.split else { return Step::Test };
            let children = [test.children[0] as u32, test.children[1] as u32];
            match tests.data.attributes()[attribute].data() {
                ColumnData::Numeric(values) => Step::Numbers { values, cut, children },
                ColumnData::Numeric32(values) => Step::Singles { values, cut, children },
                ColumnData::SparseNumeric(entries) => {
                    let test = tests.places[&(attribute, cut.to_bits())];
                    Step::Entries { entries, cut, children, test }
                }
                _ => Step::Test,
            }
        };
        Steps { tests, steps: draft.nodes.iter().map(step).collect() }
    }

    /// Whether many rows go down one by one as fast as together.
    pub fn is_quick(&self, at: usize) -> bool {
        matches!(self.steps[at], Step::Entries { .. })
    }

    /// The child that a row goes to; `None` at a leaf.
    #[inline]
    pub fn next(&self, draft: &Draft, at: usize, row: u32) -> Option<usize> {
        let (is_above, children) = match &self.steps[at] {
            Step::Leaf => return None,
            Step::Numbers { values, cut, children } => (values[row as usize] > *cut, children),
            Step::Singles { values, cut, children } => (f64::from(values[row as usize]) > *cut, children),
            Step::Entries { entries, cut, children, test } => {
                let above = self.tests.above[*test as usize].get_or_init(|| self.tests.bits_above(entries, *cut));
                let is_above = match above.get(row as usize / 64) {
                    Some(bits) => bits >> (row % 64) & 1 == 1,
                    None => entries.get(row as usize).unwrap_or(0.0) > *cut,
                };
                (is_above, children)
            }
            Step::Test => {
                work::routed(1);
                let test = draft.nodes[at].test.as_ref()?;
                let column = &self.tests.data.attributes()[test.split.attribute()];
                let branch = match (&test.split, column.data()) {
                    (Split::Levels { .. }, ColumnData::Nominal { codes, .. }) => codes[row as usize] as usize,
                    (split, _) => split.branch(column.value(row as usize))?,
                };
                return Some(test.children[branch]);
            }
        };
        work::routed(1);
        Some(children[usize::from(is_above)] as usize)
    }

    /// A node has the test of another one now, which has none.
    pub fn take(&mut self, at: usize, other: usize) {
        self.steps[at] = std::mem::take(&mut self.steps[other]);
    }

    /// A node has no test any more.
    pub fn cut(&mut self, at: usize) {
        self.steps[at] = Step::Leaf;
    }
}
