//! The tests that are tried at a node.

use std::borrow::Cow;

use super::super::candidates::{Candidate, Counting, Look, Placement, Question, with_look};
use super::super::choose::drawn;
use super::super::position::Position;
use super::super::rows::NodeRows;
use super::super::scratch::Scratch;
use super::super::task::{Place, SMALLEST_GAP, Store, Task};
use crate::data::{MISSING, Value};
use crate::measure::total;
use crate::recipe::{CutLimits, Lookahead, Nominal, Numeric};
use crate::split::Split;
use crate::split::bins::Marks;
use crate::split::criterion::{Count, Criterion};

/// A test that is tried.
pub(crate) struct Tried {
    pub candidate: Candidate,
    /// Among those of its attribute: the cut, the level, or the draw.
    pub place: usize,
    /// How many trees are sampled below each of its branches.
    pub samples: usize,
}

/// All tests of a node, in the order of attributes, levels and cuts; where a position tells how trees are sampled, as
/// many cuts as the recipe wants drawn.
pub(super) fn tests(
    task: &Task<'_>,
    node: &NodeRows<'_>,
    position: Option<Position>,
    scratch: &mut Scratch,
) -> Vec<Tried> {
    with_look(task, node, scratch, Every { position })
}

struct Every {
    position: Option<Position>,
}

impl Question for Every {
    type Answer = Vec<Tried>;
    fn ask<N: Counting, K: Criterion<N::Count> + Criterion<f64>>(
        self,
        look: &Look<'_, N, K>,
        scratch: &mut Scratch,
    ) -> Vec<Tried> {
        let recipe = look.task.recipe;
        let samples = self.position.map_or(0, |position| position.samples);
        let drawing = self.position.and_then(|position| Some((position, share(recipe.lookahead, samples)?)));
        let mut tests = Vec::new();
        for best in look.all(scratch) {
            let attribute = best.attribute;
            let number = look.task.data.attributes()[attribute].levels().is_none();
            let mut samples = samples;
            let of_attribute = match drawing {
                _ if !number && recipe.candidates.nominal == Nominal::Value => look.values(attribute, scratch),
                _ if !number || recipe.candidates.numeric != Numeric::Threshold => vec![best],
                None => look.cuts(attribute).into_iter().map(|(cut, _)| cut).collect(),
                Some((position, share)) => {
                    samples = 1;
                    look.drawn_cuts(attribute, position, share)
                }
            };
            let places = of_attribute.into_iter().enumerate();
            tests.extend(places.map(|(place, candidate)| Tried { candidate, place, samples }));
        }
        tests
    }
}

/// How many cuts are drawn for every row: as many as `p` says where a branch has as many samples as LSID3 usually takes,
/// and in proportion where it has more, since each draw is one.
fn share(lookahead: Option<Lookahead>, samples: usize) -> Option<f64> {
    const USUAL: f64 = 5.0;
    match lookahead {
        Some(Lookahead::Samples { p: Some(p), .. }) => Some(p * samples as f64 / USUAL),
        _ => None,
    }
}

impl<N: Counting, K: Criterion<N::Count> + Criterion<f64>> Look<'_, N, K> {
    /// Every level against the rest.
    fn values(&self, attribute: usize, scratch: &mut Scratch) -> Vec<Candidate> {
        let (codes, count) = match &self.task.stores[attribute] {
            Store::Levels { codes, count } => (Cow::Borrowed(*codes), *count),
            Store::SparseLevels { count, .. } => {
                let column = &self.task.data.attributes()[attribute];
                let mut codes = vec![MISSING; self.task.data.rows()];
                for &row in &self.node.rows {
                    if let Value::Level(code) = column.value(row as usize) {
                        codes[row as usize] = code;
                    }
                }
                (Cow::Owned(codes), *count)
            }
            _ => return Vec::new(),
        };
        let Some(counted) = self.count_levels(count, &codes, N::buffer(scratch)) else { return Vec::new() };
        let candidate = |(code, sides): (u32, [Vec<f64>; 2])| {
            let test = Placement::Ready(Split::Subset { attribute, first: vec![code] });
            Some(self.judge(&sides.concat(), &counted.missing)?.candidate(attribute, test))
        };
        self.against_rest(&counted).into_iter().filter_map(candidate).collect()
    }

    /// Every cut of a number, ascending, with the weight of the rows just below it.
    fn cuts(&self, attribute: usize) -> Vec<(Candidate, f64)> {
        let count = self.classes.len();
        let edges = match &self.task.stores[attribute] {
            Store::Binned { bins, .. } => match &bins.marks {
                Marks::Edges(edges) => Some((bins.codes.as_ref(), edges)),
                Marks::Values(_) => None,
            },
            _ => None,
        };
        let mut above = self.node.class_weights.clone();
        let mut missing = vec![0.0; count];
        let mut known: Vec<(f64, u32)> = Vec::with_capacity(self.node.rows.len());
        for &row in &self.node.rows {
            let number = self.task.number(attribute, row);
            if number.is_nan() {
                missing[usize::from(self.task.classes[row as usize])] += self.counting.weight(row).weight();
            } else {
                // Bins stand for the numbers in them.
                known.push((edges.map_or(number, |(codes, _)| f64::from(codes[row as usize])), row));
            }
        }
        known.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        above.iter_mut().zip(&missing).for_each(|(above, missing)| *above -= missing);
        let limits = self.limits(&above.iter().map(|&weight| N::Count::from_weight(weight)).collect::<Vec<_>>());
        let gap = if self.task.recipe.candidates.cut.limits == CutLimits::C45 { SMALLEST_GAP } else { 0.0 };
        let mut below = vec![0.0; count];
        let (mut cuts, mut group) = (Vec::new(), 0.0);
        for (at, &(number, row)) in known.iter().enumerate() {
            let (class, weight) = (usize::from(self.task.classes[row as usize]), self.counting.weight(row).weight());
            below[class] += weight;
            above[class] -= weight;
            group += weight;
            let Some(&(next, _)) = known.get(at + 1) else { break };
            if number == next {
                continue;
            }
            let (of_group, sides) = (group, [total(&below), total(&above)]);
            group = 0.0;
            if sides.iter().any(|&side| side < limits.side - 1e-9)
                || number + gap >= next && edges.is_none() && gap > 0.0
            {
                continue;
            }
            let test = match edges {
                Some((_, edges)) => Placement::Ready(Split::Threshold { attribute, cut: edges[number as usize] }),
                None => Placement::Between(Place::Number(number), Place::Number(next)),
            };
            let cells = [below.as_slice(), above.as_slice()].concat();
            cuts.extend(self.judge(&cells, &missing).map(|worth| (worth.candidate(attribute, test), of_group)));
        }
        cuts
    }

    /// Cuts drawn in proportion to their gain and to the rows just below them, in the order of drawing; a cut may be drawn
    /// several times. Where none gains anything the rows alone decide.
    fn drawn_cuts(&self, attribute: usize, position: Position, share: f64) -> Vec<Candidate> {
        let cuts = self.cuts(attribute);
        let gained = |(cut, weight): &(Candidate, f64)| cut.gain.max(0.0) * weight;
        let mut chances: Vec<f64> = cuts.iter().map(gained).collect();
        if total(&chances) <= 0.0 {
            chances = cuts.iter().map(|(_, weight)| *weight).collect();
        }
        let draws = (share * self.weight).round().max(1.0) as usize;
        // Many samples are many draws, and nobody waits for them once the run is to end.
        let awaited = (0..draws).take_while(|_| !self.task.signal.is_raised());
        let places = awaited.filter_map(|at| drawn(&chances, position.cuts(attribute).draw(at)));
        places.map(|place| cuts[place].0.clone()).collect()
    }
}
