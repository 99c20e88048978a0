//! The attribute that a node is split by: the best by its estimated table whose split also divides the node's rows.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::sync::Arc;

use super::score::{present, worth};
use super::shortlist::{SLACK, Shortlist};
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
        return pick_listed(task, tables, all, node, path, scratch);
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

/// An attribute is on the list for the nodes below where its gain is at least this share of the best.
const KEPT: f64 = 0.1;

/// The same where only the largest gain counts: only attributes that may have it are looked at, and a small node looks
/// at those that its rows have.
fn pick_listed(
    task: &Task<'_>,
    tables: &Tables,
    all: &Arc<Shortlist>,
    node: &NodeRows<'_>,
    path: &mut Path,
    scratch: &mut Scratch,
) -> Option<Candidate> {
    let words = tables.words.as_ref();
    let weights = &node.class_weights;
    // Words are numbers, and no number divides fewer rows than these.
    if words.is_some_and(|words| words.only_numbers) && total(weights) < FEWEST_CUT - SMALL {
        return None;
    }
    let mut memory = std::mem::take(&mut scratch.search);
    let present = present(weights);
    let mut search = Search { tables, present: &present, memory: &mut memory };
    let bits = path.held.as_ref().map_or(0, |held| held.bits(&node.rows));
    match (&path.held, words) {
        (Some(held), Some(words)) => search.among(task, all, words, held, bits, path),
        _ => search.over(path.list.as_ref().unwrap_or(all), path),
    }
    let mut picked = None;
    loop {
        let best = search.next(path).filter(|best| tables.by.promises_enough(best.score, total(weights)));
        let gained = best.as_ref().map_or(tables.by.promise.next_up(), |best| best.score * total(weights));
        if let (Some(held), Some(words)) = (&path.held, words) {
            if let Some(whole) = held.all_unless_ahead(gained).cloned() {
                search.among(task, all, words, &whole, bits, path);
                path.held = Some(whole);
                continue;
            }
        } else if path.list.as_ref().is_some_and(|list| !list.is_ahead(gained)) {
            path.list = None;
            search.over(all, path);
            continue;
        }
        let Some(best) = best else { break };
        let knows = path.held.as_ref().is_some_and(|held| held.having(best.attribute, bits, &mut scratch.having));
        scratch.having_of = knows.then_some(best.attribute);
        let placed = place(task, node, best.attribute, scratch);
        picked = placed.filter(|candidate| tables.by.confirms(candidate.gain, best.score));
        if picked.is_some() {
            search.shorten(path, all, best.score, total(weights));
            break;
        }
        path.remove(best.attribute);
    }
    scratch.having_of = None;
    scratch.search = memory;
    picked
}

/// Attributes whose tables are looked at together.
const CHUNK: usize = 32;

/// What searches use again and again.
#[derive(Default)]
pub(crate) struct Memory {
    attributes: Vec<u32>,
    /// Beside `attributes`: gains in single precision; below zero for those that were computed.
    gains: Vec<f32>,
    /// The highest of every chunk of them.
    tops: Vec<f32>,
    computed: BinaryHeap<Ranked>,
    /// The places of all that were computed.
    seen: Vec<u32>,
}

/// The search for the attributes of the largest gains: the highest in single precision is replaced by its exact gain,
/// until no other can be higher than the best of these.
struct Search<'s> {
    tables: &'s Tables,
    present: &'s [Share<1>],
    memory: &'s mut Memory,
}

impl Search<'_> {
    /// Among the attributes of a list.
    fn over(&mut self, list: &Shortlist, path: &Path) {
        let memory = &mut *self.memory;
        memory.attributes.clear();
        memory.attributes.extend_from_slice(list.attributes());
        list.gains(self.tables, self.present, &mut memory.gains);
        self.start();
        // What was cut on the path may gain more than before, and be on no list.
        for &(cut, _) in path.ranges() {
            match list.attributes().binary_search(&(cut as u32)) {
                Ok(place) => self.compute(place, path),
                Err(_) => self.add(cut, path),
            }
        }
    }

    /// Among the attributes that can divide the few rows of a node.
    fn among(&mut self, task: &Task<'_>, all: &Shortlist, words: &Words, held: &Held, rows: u64, path: &Path) {
        let Memory { attributes: found, gains, .. } = &mut *self.memory;
        held.among(task, words, rows, found);
        found.extend(&words.dense);
        all.gains_at(self.tables, self.present, found, gains);
        self.start();
        for &(cut, _) in path.ranges() {
            let place = self.memory.attributes.iter().position(|&attribute| attribute as usize == cut);
            place.into_iter().for_each(|place| self.compute(place, path));
        }
    }

    fn start(&mut self) {
        let memory = &mut *self.memory;
        memory.tops.clear();
        memory.tops.extend(memory.gains.chunks(CHUNK).map(highest));
        memory.computed.clear();
        memory.seen.clear();
    }

    /// The attribute of the largest gain that was not given yet, of equal ones the lowest.
    fn next(&mut self, path: &Path) -> Option<Ranked> {
        loop {
            let memory = &mut *self.memory;
            let top = highest(&memory.tops);
            let best = memory.computed.peek().map_or(f32::NEG_INFINITY, |best| best.score as f32);
            if top < 0.0 || top + SLACK < best {
                return memory.computed.pop();
            }
            let chunk = memory.tops.iter().position(|&gain| gain == top)? * CHUNK;
            let place = chunk + memory.gains[chunk..].iter().position(|&gain| gain == top)?;
            self.compute(place, path);
        }
    }

    /// Computes the gain of an attribute in full.
    fn compute(&mut self, place: usize, path: &Path) {
        let memory = &mut *self.memory;
        let attribute = memory.attributes[place] as usize;
        let chunk = place / CHUNK;
        memory.gains[place] = f32::NEG_INFINITY;
        memory.tops[chunk] = highest(&memory.gains[chunk * CHUNK..memory.gains.len().min((chunk + 1) * CHUNK)]);
        memory.seen.push(place as u32);
        self.add(attribute, path);
    }

    /// Adds an attribute to those whose gain was computed.
    fn add(&mut self, attribute: usize, path: &Path) {
        let Some(spread) = self.tables.spreads.get(attribute).filter(|_| !path.is_gone(attribute)) else { return };
        let range = path.range_of(attribute);
        let single = path.is_single(attribute);
        let gain = if single { 0.0 } else { worth(self.tables, spread, self.present, range).gain };
        self.memory.computed.push(Ranked { worthy: true, score: gain, attribute });
    }

    /// Leaves on the path those attributes that may be the best below a node of this weight, if it has all of them.
    fn shorten(&self, path: &mut Path, all: &Shortlist, best: f64, weight: f64) {
        // What promises too little here does so in every node below.
        let (kept, promising) = (KEPT * best, self.tables.by.promise / weight - f64::from(SLACK));
        let least = kept.max(promising);
        let rest = if promising >= kept { self.tables.by.promise } else { weight * (kept + f64::from(SLACK)) };
        match &path.held {
            Some(held) if held.may_narrow(weight) => {
                let Memory { attributes, gains, .. } = &*self.memory;
                let kept = |place: usize| is_kept(gains[place], least as f32);
                path.held = Some(Arc::new(held.narrowed(attributes, kept, rest)));
            }
            None if path.list.is_none() => {
                // Of all attributes, the place is the attribute.
                let mut places = self.kept(least as f32);
                let is_out = |place: u32| path.is_gone(place as usize) || path.is_single(place as usize);
                places.retain(|&place| self.memory.gains[place as usize] >= 0.0 || !is_out(place));
                path.list = Some(Arc::new(all.narrowed(&places, rest)));
            }
            _ => {}
        }
    }

    /// The places of attributes of at least some gain, and of those that were computed, ascending.
    fn kept(&self, least: f32) -> Vec<u32> {
        let Memory { gains, tops, seen, .. } = &*self.memory;
        let mut holds: Vec<bool> = tops.iter().map(|&top| top >= least).collect();
        seen.iter().for_each(|&place| holds[place as usize / CHUNK] = true);
        let mut kept = Vec::new();
        for (chunk, gains) in gains.chunks(CHUNK).enumerate().filter(|(chunk, _)| holds[*chunk]) {
            // Every place is written and only some are kept: which ones is hard to foresee.
            let (mut places, mut count) = ([0; CHUNK], 0);
            for (place, &gain) in gains.iter().enumerate() {
                places[count % CHUNK] = (chunk * CHUNK + place) as u32;
                count += usize::from(is_kept(gain, least));
            }
            kept.extend_from_slice(&places[..count]);
        }
        kept
    }
}

/// Whether an attribute is on the list for the nodes below; those that were computed are.
#[inline(always)]
fn is_kept(gain: f32, least: f32) -> bool {
    (gain >= least) | (gain < 0.0)
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
