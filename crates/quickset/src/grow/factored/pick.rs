//! The attribute that a node is split by: the best by its estimated table whose split also divides the node's rows.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::bound::{Bounds, SLACK};
use super::score::{present, worth};
use super::words::Words;
use super::{Path, Range, Scores, Tables, bits};
use crate::data::Value;
use crate::grow::candidates::{Candidate, place};
use crate::grow::choose::AVERAGE_SLACK;
use crate::grow::rows::NodeRows;
use crate::grow::scratch::Scratch;
use crate::grow::task::Task;
use crate::measure::{SMALL, largest, total};
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

/// A node of numbers with less weight has no cut: both sides hold two rows.
const FEWEST_CUT: f64 = 4.0;

/// The bounds of this many attributes are computed in the time that finds one in a row.
const SCANNED: usize = 4;

/// As often as this the best attribute may fail to divide the rows before those are asked which attributes they have.
const PATIENCE: usize = 32;

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
    let words = tables.words.as_ref();
    // Words are numbers, and no number divides fewer rows than these.
    if words.is_some_and(|words| words.only_numbers) && total(&node.class_weights) < FEWEST_CUT - SMALL {
        return None;
    }
    let present = present(&node.class_weights);
    let most = tables.spreads.len() / SCANNED;
    let few = words.filter(|words| words.count(&node.rows, most) < most);
    let buffer = std::mem::take(&mut scratch.bounds);
    let mut search = match few {
        Some(words) => Search::of_words(tables, bounds, &present, buffer, path, &occurring(task, words, node, scratch)),
        None => Search::of_all(tables, bounds, &present, buffer, path),
    };
    let mut picked = None;
    let mut failed = 0;
    while let Some(attribute) = search.next(path) {
        picked = place(task, node, attribute, scratch);
        if picked.is_some() {
            break;
        }
        path.remove(attribute);
        failed += 1;
        if failed == PATIENCE
            && few.is_none()
            && let Some(words) = words
        {
            let found = occurring(task, words, node, scratch);
            search = Search::of_words(tables, bounds, &present, search.bounds, path, &found);
        }
    }
    scratch.bounds = search.bounds;
    picked
}

/// The attributes that can divide the node's rows: one that none or one of them has cannot be cut.
fn occurring(task: &Task<'_>, words: &Words, node: &NodeRows<'_>, scratch: &mut Scratch) -> Vec<u32> {
    let times = &mut scratch.times;
    times.resize(task.data.attributes().len(), 0);
    let mut found = Vec::new();
    for &word in node.rows.iter().flat_map(|&row| words.of(row)) {
        if times[word as usize] == 0 {
            found.push(word);
        }
        times[word as usize] += 1;
    }
    found.retain(|&word| {
        let times = std::mem::take(&mut times[word as usize]);
        // Levels may be divided from one row on, numbers from two.
        times > 1 || !words.only_numbers && task.data.attributes()[word as usize].levels().is_some()
    });
    found.extend(&words.dense);
    found
}

/// Bounds looked at together.
const CHUNK: usize = 64;

/// The search for the attributes of the largest gains: the highest bound is replaced by its gain, until no bound is
/// higher than the best gain.
struct Search<'s> {
    tables: &'s Tables,
    present: &'s [(usize, f64)],
    /// The attributes beside `bounds`; empty where it is all, in order.
    attributes: Vec<u32>,
    /// What the gains that were not computed cannot exceed; below zero for the others.
    bounds: Vec<f32>,
    /// The highest bound of every chunk.
    tops: Vec<f32>,
    computed: BinaryHeap<Computed>,
}

impl<'s> Search<'s> {
    /// Among all attributes.
    fn of_all(
        tables: &'s Tables,
        bounds: &Bounds,
        present: &'s [(usize, f64)],
        mut buffer: Vec<f32>,
        path: &Path,
    ) -> Self {
        bounds.all(&tables.spreads, present, &mut buffer);
        bits(&path.single).for_each(|attribute| buffer[attribute] = 0.0);
        bits(&path.gone).for_each(|attribute| buffer[attribute] = f32::NEG_INFINITY);
        let mut search = Search::new(tables, present, Vec::new(), buffer);
        // What was cut on the path may be worth more than its bound says.
        for &(cut, _) in path.ranges().iter().filter(|(cut, _)| !path.is_gone(*cut)) {
            search.compute(cut, path);
        }
        search
    }

    /// Among the attributes that occur.
    fn of_words(
        tables: &'s Tables,
        bounds: &Bounds,
        present: &'s [(usize, f64)],
        mut buffer: Vec<f32>,
        path: &Path,
        found: &[u32],
    ) -> Self {
        let left = found.iter().copied().filter(|&attribute| !path.is_gone(attribute as usize));
        let attributes: Vec<u32> = left.collect();
        let bound = bounds.of(&tables.spreads, present);
        buffer.clear();
        buffer.extend(attributes.iter().map(|&attribute| match path.is_single(attribute as usize) {
            true => 0.0,
            false => bound(attribute as usize),
        }));
        let mut search = Search::new(tables, present, attributes, buffer);
        for &(cut, _) in path.ranges() {
            let place = search.attributes.iter().position(|&attribute| attribute as usize == cut);
            place.into_iter().for_each(|place| search.compute(place, path));
        }
        search
    }

    fn new(tables: &'s Tables, present: &'s [(usize, f64)], attributes: Vec<u32>, bounds: Vec<f32>) -> Self {
        let tops = bounds.chunks(CHUNK).map(highest).collect();
        Search { tables, present, attributes, bounds, tops, computed: BinaryHeap::new() }
    }

    /// The attribute of the largest gain that was not given yet, of equal ones the lowest.
    fn next(&mut self, path: &Path) -> Option<usize> {
        loop {
            let top = highest(&self.tops);
            let best = self.computed.peek().map_or(f32::NEG_INFINITY, |best| best.gain as f32);
            if top < 0.0 || top + SLACK < best {
                return self.computed.pop().map(|best| best.attribute);
            }
            let chunk = self.tops.iter().position(|&bound| bound == top)? * CHUNK;
            let place = chunk + self.bounds[chunk..].iter().position(|&bound| bound == top)?;
            self.compute(place, path);
        }
    }

    /// Computes a gain, which takes the bound's place.
    fn compute(&mut self, place: usize, path: &Path) {
        let attribute = self.attributes.get(place).map_or(place, |&attribute| attribute as usize);
        self.bounds[place] = f32::NEG_INFINITY;
        let chunk = place / CHUNK;
        self.tops[chunk] = highest(&self.bounds[chunk * CHUNK..self.bounds.len().min((chunk + 1) * CHUNK)]);
        let Some(spread) = &self.tables.spreads[attribute] else { return };
        let range = path.ranges().iter().find(|(cut, _)| *cut == attribute).map(|(_, range)| *range);
        let single = path.is_single(attribute);
        let gain = if single { 0.0 } else { worth(self.tables, spread, self.present, range).gain };
        self.computed.push(Computed { gain, attribute });
    }
}

/// An attribute with its gain; the greatest is that of the largest gain, of equal ones the lowest.
struct Computed {
    gain: f64,
    attribute: usize,
}

impl Ord for Computed {
    fn cmp(&self, other: &Self) -> Ordering {
        self.gain.total_cmp(&other.gain).then(other.attribute.cmp(&self.attribute))
    }
}

impl PartialOrd for Computed {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Computed {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Computed {}

/// The highest of some bounds.
fn highest(bounds: &[f32]) -> f32 {
    largest(bounds, f32::NEG_INFINITY)
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
