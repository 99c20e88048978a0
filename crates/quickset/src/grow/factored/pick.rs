//! The attribute that a node is split by: the best by its estimated table whose split also divides the node's rows.

use super::bound::{Bounds, SLACK};
use super::score::{present, worth};
use super::words::Words;
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
    if let (Some(bounds), RangeBy::Path) = (&tables.bounds, tables.range) {
        return pick_bounded(task, tables, bounds, node, path, scratch);
    }
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

/// As often as this the best attribute may fail to divide the rows before those are asked which attributes they have.
const PATIENCE: usize = 2;

/// The same where only the largest gain counts: gains are computed where their bound says that they may be the largest,
/// and a small node looks only at the attributes that its rows have.
fn pick_bounded(
    task: &Task<'_>,
    tables: &Tables,
    bounds: &Bounds,
    node: &NodeRows<'_>,
    path: &mut Path,
    scratch: &mut Scratch,
) -> Option<Candidate> {
    let present = present(&node.class_weights);
    let mut open = Bounded { tables, present: &present, attributes: None, bounds: std::mem::take(&mut scratch.bounds) };
    let words = tables.words.as_ref();
    let few = words.filter(|words| words.count(&node.rows, tables.spreads.len()) < tables.spreads.len());
    match few {
        Some(words) => open.only_occurring(task, bounds, words, node, scratch),
        None => bounds.all(&present, &mut open.bounds),
    }
    let mut picked = None;
    let mut failed = 0;
    while let Some((place_in_list, attribute)) = open.best(path) {
        picked = place(task, node, attribute, scratch);
        if picked.is_some() {
            break;
        }
        path.remove(attribute);
        open.bounds[place_in_list] = f32::NEG_INFINITY;
        failed += 1;
        if failed == PATIENCE
            && open.attributes.is_none()
            && let Some(words) = words
        {
            open.only_occurring(task, bounds, words, node, scratch);
        }
    }
    scratch.bounds = open.bounds;
    picked
}

/// Attributes with what their gains cannot exceed.
struct Bounded<'b> {
    tables: &'b Tables,
    present: &'b [(usize, f64)],
    /// Ascending; `None` where it is all.
    attributes: Option<Vec<u32>>,
    /// Beside the attributes; below zero where one is out.
    bounds: Vec<f32>,
}

impl Bounded<'_> {
    /// Keeps only what can divide the node's rows: an attribute that none or one of them has cannot be cut.
    fn only_occurring(
        &mut self,
        task: &Task<'_>,
        bounds: &Bounds,
        words: &Words,
        node: &NodeRows<'_>,
        scratch: &mut Scratch,
    ) {
        let times = &mut scratch.times;
        times.resize(self.tables.spreads.len(), 0);
        let mut found: Vec<u32> = words.dense.clone();
        for &word in node.rows.iter().flat_map(|&row| words.of(row)) {
            times[word as usize] += 1;
            // Levels may be divided from one row on, numbers from two.
            let least = if task.data.attributes()[word as usize].levels().is_none() { 2 } else { 1 };
            if times[word as usize] == least {
                found.push(word);
            }
        }
        node.rows.iter().flat_map(|&row| words.of(row)).for_each(|&word| times[word as usize] = 0);
        found.sort_unstable();
        self.bounds.clear();
        self.bounds.extend(found.iter().map(|&attribute| bounds.of(self.present, attribute as usize)));
        self.attributes = Some(found);
    }

    fn attribute(&self, place: usize) -> usize {
        self.attributes.as_ref().map_or(place, |attributes| attributes[place] as usize)
    }

    /// The gain of an attribute; `None` where it is out.
    fn gain(&self, attribute: usize, path: &Path) -> Option<f64> {
        let spread = self.tables.spreads[attribute].as_ref().filter(|_| !path.is_gone(attribute))?;
        let range = path.ranges().iter().find(|(cut, _)| *cut == attribute).map(|(_, range)| *range);
        Some(worth(self.tables, spread, self.present, range).gain)
    }

    /// The attribute of the largest gain, of equal ones the lowest, with its place in the list.
    fn best(&self, path: &Path) -> Option<(usize, usize)> {
        let mut best: Option<(usize, f64)> = None;
        let take = |best: &mut Option<(usize, f64)>, place: usize| {
            if let Some(gain) = self.gain(self.attribute(place), path)
                && best.is_none_or(|(at, most)| gain > most || gain == most && place < at)
            {
                *best = Some((place, gain));
            }
        };
        // What was cut on the path is worth other than its bound says.
        for (attribute, _) in path.ranges() {
            let place = match &self.attributes {
                Some(attributes) => attributes.binary_search(&(*attribute as u32)).ok(),
                None => Some(*attribute),
            };
            place.filter(|&place| self.bounds[place] >= 0.0).into_iter().for_each(|place| take(&mut best, place));
        }
        let top = (0..self.bounds.len()).fold(0, |top, at| if self.bounds[at] > self.bounds[top] { at } else { top });
        if !self.bounds.is_empty() && self.bounds[top] >= 0.0 {
            take(&mut best, top);
        }
        for (place, &bound) in self.bounds.iter().enumerate() {
            let may_win = best.is_none_or(|(_, most)| bound + SLACK >= most as f32);
            if bound >= 0.0 && may_win && place != top {
                take(&mut best, place);
            }
        }
        best.map(|(place, _)| (place, self.attribute(place)))
    }
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
