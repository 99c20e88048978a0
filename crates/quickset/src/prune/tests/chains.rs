//! Chains: at every level a few rows leave and the rest goes on.

use crate::data::{Column, Dataset};
use crate::grow::{Draft, DraftNode, ROOT, Task, Test};
use crate::model::Unknown;
use crate::prune::reroute::Weighted;
use crate::split::Split;

/// A chain's data, with the tests from the top down: attribute, and the cut up to which rows leave.
pub struct Chain {
    pub data: Dataset,
    pub tests: Vec<(usize, f64)>,
}

/// Rows that leave a level that is of use, so that it is neither cut nor raised.
pub const BLOCK: usize = 9;

/// What one level of a chain is.
#[derive(Clone, Copy, PartialEq)]
pub enum Level {
    /// A block of one class leaves; classes alternate. Its rows would be wrong one level further down.
    Useful,
    /// One row leaves that the levels below would have got right, so that these are raised. It is like the rows that
    /// leave last, and goes all the way down.
    Useless,
}

impl Chain {
    /// Attribute 0 tells the blocks apart, attribute 1 the rows that leave at useless levels. What is left of `rows` stays
    /// to the end and is divided there, by attribute 0; of these one in `missing` lacks a value of attribute 1.
    pub fn new(rows: usize, levels: &[Level], missing: Option<usize>) -> Chain {
        let deepest = levels.len() as f64;
        let (mut block, mut alone, mut class) = (Vec::new(), Vec::new(), Vec::new());
        let mut push = |in_block: f64, is_alone: f64, of: usize| {
            block.push(in_block);
            alone.push(is_alone);
            class.push(Some(if of.is_multiple_of(2) { "even" } else { "odd" }));
        };
        let mut tests = Vec::new();
        // Counted from the last one, which must not be of the class that leaves after it.
        let mut useful = levels.iter().filter(|level| **level == Level::Useful).count();
        for (at, level) in levels.iter().enumerate() {
            let place = at as f64;
            match level {
                Level::Useful => {
                    (0..BLOCK).for_each(|_| push(place, deepest, useful));
                    useful -= 1;
                    tests.push((0, place));
                }
                Level::Useless => {
                    push(deepest + (at % 2) as f64, place, at);
                    tests.push((1, place));
                }
            }
        }
        let left = rows - leaving(levels);
        let lacks = |row: usize| missing.is_some_and(|one_in| row.is_multiple_of(one_in));
        (0..left).for_each(|row| push(deepest + (row % 2) as f64, if lacks(row) { f64::NAN } else { deepest }, row));
        tests.push((0, deepest));
        let class = Column::from_texts("class", class);
        let columns = vec![Column::numeric("block", block), Column::numeric("alone", alone), class];
        Chain { data: Dataset::new(columns).unwrap().with_last_as_target().unwrap(), tests }
    }

    /// The tree of the chain's tests, with its rows counted and kept.
    pub fn draft(&self, task: &Task<'_>) -> Draft {
        let leaf = || DraftNode { weights: Vec::new(), test: None, rows: Vec::new() };
        let mut draft = Draft { nodes: vec![leaf()] };
        let mut at = ROOT;
        for &(attribute, cut) in &self.tests {
            let next = draft.nodes.len();
            let split = Split::Threshold { attribute, cut };
            draft.nodes[at].test = Some(Test { split, unknown: Unknown::Fractions, children: vec![next, next + 1] });
            draft.nodes.extend([leaf(), leaf()]);
            at = next + 1;
        }
        let mut open = vec![(ROOT, Weighted::of(task.data, &task.rows))];
        while let Some((at, rows)) = open.pop() {
            let node = &mut draft.nodes[at];
            node.weights = rows.class_weights(task.classes, task.class_count);
            match &node.test {
                Some(test) => open.extend(test.children.iter().copied().zip(rows.divide(task.data, test))),
                None => node.rows = rows.rows,
            }
        }
        draft
    }
}

/// How many rows leave before the last level.
pub fn leaving(levels: &[Level]) -> usize {
    levels.iter().map(|level| if *level == Level::Useful { BLOCK } else { 1 }).sum()
}
