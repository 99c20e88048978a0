//! How often naive Bayes errs on rows that it was not fitted to: cross-validation without a model for every fold.
//!
//! What tells numbers apart (cuts, a precision) is made from all rows together, once, as Weka's NBTree does: a little
//! optimistic. Then a fold is left out by taking its rows from the sums of all. Only densities that are no sums are fitted
//! for every fold.
//!
//! The rows come in *parts*, such as the branches of a split, each cross-validated by itself; one pass over a column
//! serves all parts. A row of a part is a *member*: a row in fractions is a member of several parts.

use std::ops::Range;

use rayon::prelude::*;

use super::Likelihood;
use super::adaptive::{Adaptive, differ};
use super::density::Moments;
use super::fit::given;
use super::ready::{Logs, log, smoothed};
use crate::data::{Folds, MISSING, Value};
use crate::density::{Chosen, Scale};
use crate::leaf::probabilities;
use crate::measure::SMALL;
use crate::recipe::{Density, Leaf, Shares};
use crate::split::mdl::{Labelled, mdl_cuts};

/// How many folds there are; a part has at least as many rows.
pub(crate) const FOLDS: usize = 5;

/// What an attribute has at some rows, each known by its place among them.
pub(crate) enum Listed {
    /// By place: which of the `seen` levels it is, or [`MISSING`]. The attribute has `levels` in all.
    Levels { levels: usize, seen: usize, items: Vec<u32> },
    /// Places with their numbers, which ascend; missing ones are left out.
    Numbers(Vec<(u32, f64)>),
}

/// The rows of one part: their places, and their weights unless all count 1.
pub(crate) type Part = (Vec<u32>, Vec<f64>);

/// The cross-validation of some parts, one attribute after the other.
pub(crate) struct HeldOut {
    density: Density,
    counts: Shares,
    classes: usize,
    /// The members of part p are `starts[p]..starts[p + 1]`.
    starts: Vec<usize>,
    members: Vec<Member>,
    /// The members at place r are `at_place[place_starts[r]..place_starts[r + 1]]`.
    place_starts: Vec<u32>,
    at_place: Vec<u32>,
    /// By member, then class: ln P(class) and ln P(value | class) of the attributes that were added, as the other folds
    /// tell them.
    sums: Vec<f64>,
}

struct Member {
    place: u32,
    part: u32,
    class: u16,
    fold: u16,
    weight: f64,
}

impl HeldOut {
    /// `of_places` has the classes of all places; equal seeds make equal folds.
    pub fn new(
        parts: &[Part],
        of_places: &[u16],
        classes: usize,
        (density, counts): (Density, Shares),
        seed: u64,
    ) -> Self {
        let (mut starts, mut members) = (vec![0], Vec::new());
        for (part, (places, weights)) in parts.iter().enumerate() {
            let of_part: Vec<u16> = places.iter().map(|&place| of_places[place as usize]).collect();
            let folds = Folds::as_weka(&of_part, FOLDS, seed as usize);
            let fold = |at: usize| folds.as_ref().map_or(0, |folds| folds.assignment()[at]);
            members.extend(places.iter().enumerate().map(|(at, &place)| Member {
                place,
                part: part as u32,
                class: of_part[at],
                fold: fold(at),
                weight: weights.get(at).copied().unwrap_or(1.0),
            }));
            starts.push(members.len());
        }
        let mut place_starts = vec![0; of_places.len() + 1];
        members.iter().for_each(|member| place_starts[member.place as usize + 1] += 1);
        (0..of_places.len()).for_each(|place| place_starts[place + 1] += place_starts[place]);
        let (mut next, mut at_place) = (place_starts.clone(), vec![0; members.len()]);
        for (at, member) in members.iter().enumerate() {
            let next = &mut next[member.place as usize];
            at_place[*next as usize] = at as u32;
            *next += 1;
        }
        let sums = Vec::with_capacity(members.len() * classes);
        let mut held_out = HeldOut { density, counts, classes, starts, members, place_starts, at_place, sums };
        (0..parts.len()).for_each(|part| held_out.start(part));
        held_out
    }

    /// ln P(class) of the members of a part.
    fn start(&mut self, part: usize) {
        let members = &self.members[self.range(part)];
        let mut weights = vec![vec![0.0; self.classes]; FOLDS];
        for member in members {
            let others = weights.iter_mut().enumerate().filter(|(fold, _)| *fold != usize::from(member.fold));
            others.for_each(|(_, weights)| weights[usize::from(member.class)] += member.weight);
        }
        let leaf = Leaf::Nb { density: self.density, counts: self.counts };
        let logs =
            |weights: &Vec<f64>| -> Vec<f64> { probabilities(leaf, weights, &[]).into_iter().map(log).collect() };
        let logs: Vec<Vec<f64>> = weights.iter().map(logs).collect();
        let rows = members.iter().flat_map(|member| &logs[usize::from(member.fold)]);
        self.sums.extend(rows);
    }

    fn range(&self, part: usize) -> Range<usize> {
        self.starts[part]..self.starts[part + 1]
    }

    /// Adds what attributes say of every member.
    pub fn add_all(&mut self, columns: &[Listed], chosen: &Chosen) {
        // Choosing bandwidths takes most of the time, and asks for nothing that is added.
        let bandwidths: Vec<_> = columns.par_iter().map(|column| self.bandwidths(column, chosen)).collect();
        columns.iter().zip(&bandwidths).for_each(|(column, bandwidths)| self.add(column, bandwidths));
    }

    /// By part, then class, from all folds together; empty where the density has none, and where all values are equal.
    fn bandwidths(&self, column: &Listed, chosen: &Chosen) -> Vec<Vec<f64>> {
        let (Listed::Numbers(numbers), Density::Adaptive) = (column, self.density) else { return Vec::new() };
        let (listed, ends) = self.by_part(numbers);
        let of_part = |(part, &end): (usize, &usize)| {
            let known = self.labelled(&listed[self.starts[part]..end]);
            Adaptive::of(&known, Scale::UNIT, self.classes, chosen).map_or(Vec::new(), |adaptive| adaptive.bandwidths())
        };
        ends.iter().enumerate().map(of_part).collect()
    }

    /// Members with their numbers, which ascend within a part, and where those of each part end.
    fn by_part(&self, numbers: &[(u32, f64)]) -> (Vec<(u32, f64)>, Vec<usize>) {
        let mut listed = vec![(0, 0.0); self.members.len()];
        let mut ends = self.starts[..self.starts.len() - 1].to_vec();
        for &(place, value) in numbers {
            let held = self.place_starts[place as usize] as usize..self.place_starts[place as usize + 1] as usize;
            for &member in &self.at_place[held] {
                let end = &mut ends[self.members[member as usize].part as usize];
                listed[*end] = (member, value);
                *end += 1;
            }
        }
        (listed, ends)
    }

    fn labelled(&self, listed: &[(u32, f64)]) -> Vec<Labelled> {
        let labelled = |&(member, value): &(u32, f64)| {
            let Member { class, weight, .. } = self.members[member as usize];
            Labelled { value, class, weight }
        };
        listed.iter().map(labelled).collect()
    }

    fn add(&mut self, column: &Listed, bandwidths: &[Vec<f64>]) {
        match column {
            Listed::Levels { levels, seen, items } => {
                for part in 0..self.starts.len() - 1 {
                    let members = &self.members[self.range(part)];
                    let items: Vec<u32> = members.iter().map(|member| items[member.place as usize]).collect();
                    self.add_items(part, &items, *seen, *levels);
                }
            }
            Listed::Numbers(numbers) => {
                let (listed, ends) = self.by_part(numbers);
                for (part, end) in ends.into_iter().enumerate() {
                    let bandwidths = bandwidths.get(part).map_or(&[][..], Vec::as_slice);
                    self.add_numbers(part, &listed[self.starts[part]..end], bandwidths);
                }
            }
        }
    }

    /// `items` are those of the part's members; `cases` are as many as there may be.
    fn add_items(&mut self, part: usize, items: &[u32], seen: usize, cases: usize) {
        let range = self.range(part);
        let classes = self.classes;
        let members = &self.members[range.clone()];
        let known = || members.iter().zip(items).filter(|(_, item)| **item != MISSING);
        let (size, more) = (seen * classes, self.counts.more());
        let (mut all, mut folds) = (vec![0.0; size], vec![0.0; FOLDS * size]);
        for (member, &item) in known() {
            let cell = item as usize * classes + usize::from(member.class);
            all[cell] += member.weight;
            folds[usize::from(member.fold) * size + cell] += member.weight;
        }
        let logs: Vec<Vec<f64>> = folds
            .chunks_exact(size.max(1))
            .map(|fold| {
                // Differences of sums of fractions are only almost zero.
                let rest: Vec<f64> = all.iter().zip(fold).map(|(all, fold)| (all - fold).max(0.0)).collect();
                smoothed(&rest, classes, cases, more)
            })
            .collect();
        let sums = self.sums[range.start * classes..range.end * classes].chunks_exact_mut(classes);
        for ((member, &item), sums) in members.iter().zip(items).zip(sums) {
            if item != MISSING {
                let logs = &logs[usize::from(member.fold)][item as usize * classes..];
                sums.iter_mut().zip(logs).for_each(|(sum, log)| *sum += log);
            }
        }
    }

    /// `listed` are members of the part with their numbers, which ascend.
    fn add_numbers(&mut self, part: usize, listed: &[(u32, f64)], bandwidths: &[f64]) {
        let known = self.labelled(listed);
        match self.density {
            // As a leaf is fitted: where all are zero there is nothing to tell.
            _ if known.iter().all(|row| row.value == 0.0) => {}
            Density::Discretised => {
                let cuts = mdl_cuts(&known, self.classes);
                if cuts.is_empty() {
                    return;
                }
                let range = self.range(part);
                let mut items = vec![MISSING; range.len()];
                let mut interval = 0;
                for &(member, value) in listed {
                    while cuts.get(interval).is_some_and(|&cut| cut < value) {
                        interval += 1;
                    }
                    items[member as usize - range.start] = interval as u32;
                }
                self.add_items(part, &items, cuts.len() + 1, cuts.len() + 1);
            }
            Density::Normal => {
                let all = Moments::of(&known, self.classes);
                for fold in 0..FOLDS {
                    let mut rest = all.clone();
                    self.of_fold(fold, listed).for_each(|at| rest.remove(&known[at]));
                    self.add_fold(fold, listed, &Logs::Normal(&rest.normals()));
                }
            }
            Density::Adaptive if !differ(&known) => {}
            Density::Adaptive | Density::Kernel | Density::Multinomial => {
                for fold in 0..FOLDS {
                    let mut rest = known.clone();
                    let mut at = 0;
                    rest.retain(|_| {
                        at += 1;
                        usize::from(self.members[listed[at - 1].0 as usize].fold) != fold
                    });
                    let given = match self.density {
                        Density::Adaptive => {
                            Some(Likelihood::Adaptive(Adaptive::under(bandwidths, &rest, Scale::UNIT)))
                        }
                        _ => given(&rest, false, self.density, None, self.classes),
                    };
                    if let Some(given) = given {
                        self.add_fold(fold, listed, &given.logs(None, &[], self.counts.more()));
                    }
                }
            }
        }
    }

    /// The places in the list of the members of a fold.
    fn of_fold(&self, fold: usize, listed: &[(u32, f64)]) -> impl Iterator<Item = usize> {
        (0..listed.len()).filter(move |&at| usize::from(self.members[listed[at].0 as usize].fold) == fold)
    }

    /// Adds what the other folds tell of the members of one.
    fn add_fold(&mut self, fold: usize, listed: &[(u32, f64)], logs: &Logs<'_>) {
        let classes = self.classes;
        let held: Vec<usize> = self.of_fold(fold, listed).collect();
        for (member, value) in held.into_iter().map(|at| listed[at]) {
            logs.add(Value::Number(value), &mut self.sums[member as usize * classes..][..classes]);
        }
    }

    /// The weight of the members whose class is not the most probable one.
    pub fn errors(&self) -> f64 {
        let rows = self.members.iter().zip(self.sums.chunks_exact(self.classes));
        rows.filter(|(member, sums)| first_highest(sums) != usize::from(member.class))
            .map(|(member, _)| member.weight)
            .sum()
    }
}

/// The first of the highest, where differences below rounding are none.
fn first_highest(sums: &[f64]) -> usize {
    let mut best = 0;
    for (class, &sum) in sums.iter().enumerate() {
        if sum > sums[best] + SMALL {
            best = class;
        }
    }
    best
}

#[cfg(test)]
mod tests;
