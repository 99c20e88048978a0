//! The attribute that a node is split by: the best by its estimated table whose split also divides the node's rows.

use super::{Path, Range, Scores, Tables};
use crate::data::Value;
use crate::grow::candidates::{Candidate, place};
use crate::grow::choose::AVERAGE_SLACK;
use crate::grow::rows::NodeRows;
use crate::grow::scratch::Scratch;
use crate::grow::task::Task;
use crate::recipe::{Choose, RangeBy};

/// Takes attributes from the best down until one divides the rows; those that do not are out for the subtree.
pub(in crate::grow) fn pick(
    task: &Task<'_>,
    tables: &Tables,
    node: &NodeRows<'_>,
    path: &mut Path,
    scratch: &mut Scratch,
) -> Option<Candidate> {
    let observed = |attribute: usize| match tables.range {
        RangeBy::Observed => observed(task, tables, node, attribute),
        RangeBy::Path => None,
    };
    let scores = Scores::new(tables, &node.class_weights, path, observed);
    let mut order = Order::new(&scores, tables.by.choose);
    while let Some(attribute) = order.next() {
        if let Some(candidate) = place(task, node, attribute, scratch) {
            return Some(candidate);
        }
        path.remove(attribute);
    }
    None
}

/// The bins of a numeric attribute that the node's rows are in.
fn observed(task: &Task<'_>, tables: &Tables, node: &NodeRows<'_>, attribute: usize) -> Option<Range> {
    let spread = tables.spreads[attribute].as_ref().filter(|spread| spread.is_numeric())?;
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

/// The attributes from the best down: those of at least average gain first, where the recipe asks for it, then by score;
/// of equal ones the lowest.
struct Order<'s> {
    scores: &'s Scores,
    least: f64,
    taken: Vec<bool>,
}

impl<'s> Order<'s> {
    fn new(scores: &'s Scores, choose: Choose) -> Self {
        let average = scores.gains.iter().sum::<f64>() / scores.gains.len().max(1) as f64;
        let least = if choose == Choose::Best { f64::NEG_INFINITY } else { average - AVERAGE_SLACK };
        Order { scores, least, taken: vec![false; scores.gains.len()] }
    }

    fn next(&mut self) -> Option<usize> {
        let key = |at: usize| (self.scores.gains[at] >= self.least, self.scores.scores[at]);
        let mut best: Option<usize> = None;
        for at in (0..self.taken.len()).filter(|&at| !self.taken[at]) {
            if best.is_none_or(|best| key(at) > key(best)) {
                best = Some(at);
            }
        }
        self.taken[best?] = true;
        best.map(|at| self.scores.attributes[at])
    }
}
