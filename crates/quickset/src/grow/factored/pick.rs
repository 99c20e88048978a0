//! The attribute that a node is split by: the best by its estimated table whose split also divides the node's rows.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::sync::Arc;

use super::blocks::{BLOCK, Blocks};
use super::score::{present, worth};
use super::spread::Share;
use super::words::{Held, Words};
use super::{Path, Scores, Tables};
use crate::grow::candidates::{Candidate, place};
use crate::grow::choose::AVERAGE_SLACK;
use crate::grow::rows::NodeRows;
use crate::grow::scratch::Scratch;
use crate::grow::task::Task;
use crate::measure::{SMALL, largest, total};
use crate::recipe::{Choose, RangeBy};

/// Takes attributes from the best down until one divides the rows; those that do not are out for the subtree. What they
/// are worth is told where the nodes of a level were valued together.
pub(in crate::grow) fn pick(
    task: &Task<'_>,
    tables: &Tables,
    node: &NodeRows<'_>,
    path: &mut Path,
    scores: Option<Scores>,
    scratch: &mut Scratch,
) -> Option<Candidate> {
    let above = path.tables.clone();
    let mut tables = above.as_deref().unwrap_or(tables);
    if let Some(scores) = scores {
        return pick_ranked(task, tables, node, path, &scores, scratch);
    }
    let own = tables.recounted(task, node, path).map(Arc::new);
    if let Some(own) = &own {
        path.restart(own.clone());
        tables = own;
    }
    if let (Some(all), RangeBy::Path) = (&tables.all, tables.range) {
        return pick_bounded(task, tables, all, node, path, scratch);
    }
    let scores = tables.value(task, &[(node, path)], false).pop()?;
    pick_ranked(task, tables, node, path, &scores, scratch)
}

/// The first in the order of their scores.
fn pick_ranked(
    task: &Task<'_>,
    tables: &Tables,
    node: &NodeRows<'_>,
    path: &mut Path,
    scores: &Scores,
    scratch: &mut Scratch,
) -> Option<Candidate> {
    let mut ranked = ranked(scores, tables.by.choose);
    while let Some(Ranked { attribute, score, .. }) = ranked.pop() {
        if !tables.by.promises_enough(score, total(&node.class_weights)) {
            return None;
        }
        if let Some(candidate) = place(task, node, attribute, scratch)
            && tables.by.confirms(candidate.gain, score)
        {
            return Some(candidate);
        }
        path.remove(attribute);
    }
    None
}

/// A node of numbers with less weight has no cut: both sides hold two rows.
const FEWEST_CUT: f64 = 4.0;

/// The same where only the largest gain counts: only attributes that may have it are looked at, and a small node looks
/// at those that its rows have.
fn pick_bounded(
    task: &Task<'_>,
    tables: &Tables,
    all: &Blocks,
    node: &NodeRows<'_>,
    path: &mut Path,
    scratch: &mut Scratch,
) -> Option<Candidate> {
    let words = tables.words.as_ref();
    let weight = total(&node.class_weights);
    // Words are numbers, and no number divides fewer rows than these.
    if words.is_some_and(|words| words.only_numbers) && weight < FEWEST_CUT - SMALL {
        return None;
    }
    let mut memory = std::mem::take(&mut scratch.search);
    let present = present(&node.class_weights);
    let mut search =
        Search { tables, all, present: &present, least: tables.by.least_gain(weight), memory: &mut memory };
    let bits = path.held.as_ref().map_or(0, |held| held.bits(&node.rows));
    match (&path.held, words) {
        (Some(held), Some(words)) => search.among(task, words, held, bits, path),
        _ => search.over(path),
    }
    let mut picked = None;
    while let Some(best) = search.next(path).filter(|best| tables.by.promises_enough(best.score, weight)) {
        let held = path.held.as_ref();
        let knows = held.is_some_and(|held| held.having(all.place(best.attribute), bits, &mut scratch.having));
        scratch.having_of = knows.then_some(best.attribute);
        let placed = place(task, node, best.attribute, scratch);
        picked = placed.filter(|candidate| tables.by.confirms(candidate.gain, best.score));
        if picked.is_some() {
            break;
        }
        path.remove(best.attribute);
    }
    scratch.having_of = None;
    scratch.search = memory;
    picked
}

/// What searches use again and again.
#[derive(Default)]
pub(crate) struct Memory {
    /// The places among all attributes that are looked at; the first ones where there are none.
    places: Vec<u32>,
    /// The places of attributes that are out, or of which nothing more can be said, with the gain that stands for that.
    settled: Vec<(usize, f32)>,
    /// By what is looked at: gains in single precision; below zero for those that were computed or are out. Of blocks that
    /// were not opened they are of no meaning.
    gains: Vec<f32>,
    /// By block: the highest of these, or what none of them is above.
    tops: Vec<f32>,
    opened: Vec<bool>,
    computed: BinaryHeap<Ranked>,
}

/// The search for the attributes of the largest gains: the block of the highest bound is opened, and the highest gain in
/// single precision replaced by the exact one, until no other can be higher than the best of these.
struct Search<'s> {
    tables: &'s Tables,
    all: &'s Blocks,
    present: &'s [Share<1>],
    /// Lower gains need not be told apart.
    least: f64,
    memory: &'s mut Memory,
}

impl Search<'_> {
    /// Among all attributes.
    fn over(&mut self, path: &Path) {
        let Memory { places, settled, gains, tops, opened, computed } = &mut *self.memory;
        places.clear();
        self.all.bounds(self.all.reaching(self.least), self.present, tops);
        gains.resize(tops.len() * BLOCK, 0.0);
        opened.clear();
        opened.resize(tops.len(), false);
        computed.clear();
        settled.clear();
        let mut settle = |attribute: usize, gain: f32| settled.push((self.all.place(attribute) as usize, gain));
        path.gone.iter().for_each(|attribute| settle(attribute, f32::NEG_INFINITY));
        path.single.iter().for_each(|attribute| settle(attribute, 0.0));
        // What was cut on the path may gain more than before.
        path.ranges().iter().for_each(|&(cut, _)| settle(cut, f32::NEG_INFINITY));
        path.ranges().iter().for_each(|&(cut, _)| self.add(cut, path));
    }

    /// Among the attributes that can divide the few rows of a node.
    fn among(&mut self, task: &Task<'_>, words: &Words, held: &Held, rows: u64, path: &Path) {
        let Memory { places, gains, tops, opened, computed, .. } = &mut *self.memory;
        held.among(task, words, self.all, self.all.reaching(self.least), rows, places);
        places.extend(words.dense.iter().map(|&attribute| self.all.place(attribute as usize)));
        self.all.gains_at(self.present, places, gains);
        tops.clear();
        tops.extend(gains.chunks(BLOCK).map(highest));
        opened.clear();
        opened.resize(tops.len(), true);
        computed.clear();
        for &(cut, _) in path.ranges() {
            let place = self.all.place(cut);
            let at = self.memory.places.iter().position(|&known| known == place);
            at.into_iter().for_each(|at| self.compute(at, path));
        }
    }

    /// The attribute of the largest gain that was not given yet, of equal ones the lowest.
    fn next(&mut self, path: &Path) -> Option<Ranked> {
        loop {
            let memory = &mut *self.memory;
            let top = highest(&memory.tops);
            let best = memory.computed.peek().map_or(self.least, |best| best.score.max(self.least)) as f32;
            if top < 0.0 || top + self.all.slack() < best {
                return memory.computed.pop();
            }
            let block = memory.tops.iter().position(|&gain| gain == top)?;
            if memory.opened[block] {
                let at = block * BLOCK + memory.gains[block * BLOCK..].iter().position(|&gain| gain == top)?;
                self.compute(at, path);
            } else {
                self.open(block);
                self.open_above(self.memory.tops[block].max(best));
            }
        }
    }

    /// Opens blocks that may hold more than this.
    fn open_above(&mut self, mut best: f32) {
        for block in 0..self.memory.tops.len() {
            if self.memory.tops[block] > best && !self.memory.opened[block] {
                self.open(block);
                best = best.max(self.memory.tops[block]);
            }
        }
    }

    /// Looks at the attributes of a block.
    fn open(&mut self, block: usize) {
        let Memory { settled, gains, tops, opened, .. } = &mut *self.memory;
        let gains = &mut gains[block * BLOCK..][..BLOCK];
        gains.copy_from_slice(&self.all.gains(block, self.present));
        gains.iter_mut().skip(self.all.len() - block * BLOCK).for_each(|gain| *gain = f32::NEG_INFINITY);
        for &(place, gain) in settled.iter().filter(|(place, _)| place / BLOCK == block) {
            gains[place % BLOCK] = gain;
        }
        tops[block] = highest(gains);
        opened[block] = true;
    }

    /// Computes the gain of an attribute in full.
    fn compute(&mut self, at: usize, path: &Path) {
        let Memory { places, gains, tops, .. } = &mut *self.memory;
        let (place, block) = (places.get(at).copied().unwrap_or(at as u32), at / BLOCK);
        gains[at] = f32::NEG_INFINITY;
        tops[block] = highest(&gains[block * BLOCK..gains.len().min((block + 1) * BLOCK)]);
        self.add(self.all.attribute(place), path);
    }

    /// Adds an attribute to those whose gain was computed.
    fn add(&mut self, attribute: usize, path: &Path) {
        let Some(spread) = self.tables.spreads.get(attribute).filter(|_| !path.is_gone(attribute)) else { return };
        let range = path.range_of(attribute);
        let single = path.is_single(attribute);
        let gain = if single { 0.0 } else { worth(self.tables, spread, self.present, range).gain };
        self.memory.computed.push(Ranked { worthy: true, score: gain, attribute });
    }
}

/// The highest of some gains.
fn highest(gains: &[f32]) -> f32 {
    largest(gains, f32::NEG_INFINITY)
}

/// The attributes from the best down: those of at least average gain first, where the recipe asks for it, then by score;
/// of equal ones the lowest. A heap, since most often the first is all that is asked for.
fn ranked(scores: &Scores, choose: Choose) -> BinaryHeap<Ranked> {
    let average = scores.gains.iter().sum::<f64>() / scores.gains.len().max(1) as f64;
    let least = if choose == Choose::Best { f64::NEG_INFINITY } else { average - AVERAGE_SLACK };
    let all = scores.attributes.iter().zip(&scores.gains).zip(&scores.scores);
    let ranked = all.map(|((&attribute, &gain), &score)| Ranked { worthy: gain >= least, score, attribute });
    ranked.collect::<Vec<_>>().into()
}

/// An attribute with what it is ranked by; the greatest is the one to take first.
struct Ranked {
    worthy: bool,
    score: f64,
    attribute: usize,
}

impl Ord for Ranked {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_score = self.worthy.cmp(&other.worthy).then(self.score.total_cmp(&other.score));
        by_score.then(other.attribute.cmp(&self.attribute))
    }
}

impl PartialOrd for Ranked {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Ranked {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Ranked {}
