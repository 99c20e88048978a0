//! The whole trees that a search makes, in order.

use std::time::{Duration, Instant};

use super::{Engine, Made};
use crate::data::Dataset;
use crate::error::Result;
use crate::grow::Draft;
use crate::recipe::{Prune, Recipe, SAMPLES_WITHOUT_BUDGET, Search};
use crate::signal::Signal;

/// A branch gets no more samples than this: where so many found nothing better, nothing is left to try.
pub(crate) const MOST_SAMPLES: usize = 1 << 14;

/// A recipe that makes a whole tree.
pub(crate) struct Stage {
    pub label: String,
    pub recipe: Recipe,
    /// Of look-ahead.
    pub samples: Option<usize>,
}

/// The stages of a search, one after the other.
pub(crate) struct Stages<'r> {
    given: &'r Recipe,
    attributes: usize,
    /// Of `auto`: those that do not look ahead.
    first: std::vec::IntoIter<Recipe>,
    /// The samples of the next stage that looks ahead; 0 is the greedy tree.
    samples: Option<usize>,
    most: Option<usize>,
    /// Of the last stage that looked ahead: its samples, its seconds, the nodes of its tree.
    last: Option<(usize, f64, usize)>,
}

/// The recipe by which a search looks ahead, with its own limits, leaves and pruning.
pub(crate) fn look_ahead(given: &Recipe) -> Recipe {
    Recipe { search: Search::Once, ..given.clone() }
}

impl<'r> Stages<'r> {
    /// With a clock, look-ahead takes more and more samples while it is expected to end in time.
    pub fn new(given: &'r Recipe, data: &Dataset, clock: bool) -> Self {
        let (first, most) = match given.search {
            Search::Once => (Vec::new(), None),
            Search::Improve { .. } => (Vec::new(), Some(0)),
            Search::Auto { r, .. } => {
                let limited = |preset: Recipe| {
                    let mut recipe =
                        Recipe { leaf: given.leaf, leaf_penalty: given.leaf_penalty, seed: given.seed, ..preset };
                    (recipe.stop.max_depth, recipe.stop.max_leaves) = (given.stop.max_depth, given.stop.max_leaves);
                    recipe
                };
                let most = r.or((!clock).then_some(SAMPLES_WITHOUT_BUDGET));
                (vec![limited(Recipe::nt()), limited(Recipe::c45())], most)
            }
        };
        let samples = Some(usize::from(given.search.is_once()));
        Stages { given, attributes: data.attributes().len(), first: first.into_iter(), samples, most, last: None }
    }

    /// What stands in for the first tree where there is no time for that: the greedy one, where none is made anyway.
    pub fn stand_in(&self) -> Option<Stage> {
        self.looking_ahead(0).filter(|_| self.given.search.is_once())
    }

    /// The next stage, if it is wanted and expected to end in time.
    pub fn next(&mut self, left: Option<Duration>) -> Option<Stage> {
        if let Some(recipe) = self.first.next() {
            return Some(Stage { label: recipe.name.clone(), recipe, samples: None });
        }
        let samples = self.samples.filter(|&samples| samples <= self.most.unwrap_or(MOST_SAMPLES))?;
        if let (Some(left), Some(expected)) = (left, self.expected(samples))
            && self.most.is_none()
            && expected > left.as_secs_f64()
        {
            self.samples = None;
            return None;
        }
        self.samples = Some(if samples == 0 { 1 } else { 2 * samples });
        self.looking_ahead(samples)
    }

    fn looking_ahead(&self, samples: usize) -> Option<Stage> {
        let mut recipe = look_ahead(self.given);
        *recipe.samples_mut()? = samples;
        let pruned = if recipe.prune == Prune::None { "" } else { ", pruned" };
        let label = if samples == 0 { format!("greedy{pruned}") } else { format!("look-ahead, r={samples}{pruned}") };
        Some(Stage { label, recipe, samples: Some(samples) })
    }

    /// What a stage took.
    pub fn took(&mut self, stage: &Stage, seconds: f64, nodes: usize) {
        self.last = stage.samples.map(|samples| (samples, seconds, nodes));
    }

    /// How long look-ahead with so many samples will take, in seconds.
    fn expected(&self, samples: usize) -> Option<f64> {
        let (last, seconds, nodes) = self.last?;
        if last > 0 {
            return Some(seconds * samples as f64 / last as f64);
        }
        // A sample costs as much as the greedy tree, and is drawn for every attribute on every level; bit columns make
        // it cheaper by far, so that only what is hopeless is not begun.
        const CHEAPER: f64 = 20.0;
        let levels = (nodes.max(2) as f64).log2();
        Some(seconds * self.attributes as f64 * levels / 2.0 / CHEAPER)
    }
}

impl Engine<'_> {
    /// Makes whole trees, as far as time goes. There is one in any case, unless somebody ends the run by hand.
    pub(super) fn run_stages(&mut self, notes: &mut Vec<String>) -> Result<()> {
        if self.steps > 0 {
            // An earlier run has come further.
            return Ok(());
        }
        let patient = self.run.signal.without_deadline();
        let mut stages = Stages::new(self.learner.recipe(), self.data, self.run.signal.left().is_some());
        let stand_in = match stages.stand_in().filter(|_| self.best.is_none()) {
            Some(stage) => Some((self.grow(&stage, &patient, notes)?, stage)),
            None => None,
        };
        for index in 0.. {
            let Some(stage) = stages.next(self.run.signal.left()) else { break };
            if index < self.stages {
                continue;
            }
            let awaited = self.best.is_none() && stand_in.is_none();
            if !awaited && self.is_over() {
                break;
            }
            self.tell(&stage.label, false);
            let signal = if awaited { &patient } else { self.run.signal };
            let late = awaited && self.is_over();
            let (draft, seconds) = self.grow(&stage, signal, notes)?;
            if signal.is_raised() && !awaited {
                break;
            }
            if late && !patient.is_raised() {
                notes.push(format!(
                    "the budget was over before a first tree could be grown: this is that of {}",
                    stage.label
                ));
            }
            stages.took(&stage, seconds, draft.reachable().count());
            self.stages += 1;
            self.take(stage, draft, seconds);
        }
        if let Some(((draft, seconds), stage)) = stand_in.filter(|_| self.best.is_none()) {
            self.take(stage, draft, seconds);
        }
        Ok(())
    }

    /// The tree of a stage, and the seconds it took.
    fn grow(&self, stage: &Stage, signal: &Signal, notes: &mut Vec<String>) -> Result<(Draft, f64)> {
        let began = Instant::now();
        let made = self.learner.by(&stage.recipe).grow(self.data, self.class, self.rows.clone(), signal, notes)?;
        Ok((made.draft, began.elapsed().as_secs_f64()))
    }

    /// Considers the tree of a stage.
    fn take(&mut self, stage: Stage, draft: Draft, seconds: f64) {
        let Stage { recipe, label, samples } = stage;
        self.r = samples.or(self.r);
        let made = Made::Stage { recipe: Box::new(recipe), seconds };
        if !self.consider(draft, made, samples.unwrap_or(0), &label) {
            self.save(false);
        }
    }
}
