//! Better trees for more time.
//!
//! A search makes trees in a fixed order: whole ones first (its stages), then the best one with one subtree after the
//! other rebuilt (its steps). The clock only decides how far it comes, so what it came to can be done again without a
//! clock. There is a valid tree from the first stage on, and it is only ever replaced by one as good: a greedy tree that
//! look-ahead is to improve gives way to the first whole one that looks ahead, another one to one about as small that more
//! samples went into.
//!
//! - *stage*: a recipe that makes a whole tree, such as look-ahead with four samples (`stages`);
//! - *step*: a subtree that is rebuilt with more samples (IIDT, `improve`);
//! - *worth*: what trees are compared by; fixed before the first one is made (`worth`).

mod budget;
mod checkpoint;
mod improve;
mod progress;
mod refit;
mod stages;
#[cfg(test)]
mod tests;
mod transplant;
mod worth;

use std::time::Instant;

use serde::{Deserialize, Serialize};

use crate::data::{Class, Dataset, Folds};
use crate::error::Result;
use crate::grow::Draft;
use crate::learner::Learner;
use crate::model::{Model, Schema, Training};
use crate::prune::Estimate;
use crate::recipe::{Errors, Finish, Lookahead, Prune, Recipe, Search};
use crate::signal::Signal;

pub use budget::Budget;
pub use checkpoint::Checkpoint;
pub use progress::{Answer, Bought, News, Progress, Silent};

use checkpoint::State;
use refit::refit;
use worth::{By, Judge, Worth};

/// With at least so many rows `auto` holds some out to compare trees by.
const ROWS_TO_HOLD_OUT: usize = 5_000;

/// One part in so many is held out.
const HELD_OUT: usize = 5;

/// What a run listens to, tells, and begins with.
pub struct Run<'a> {
    /// When it is to end.
    pub signal: &'a Signal,
    /// Who hears of it.
    pub progress: &'a dyn Progress,
    /// A tree to begin with, refitted to the data at hand.
    pub start_from: Option<&'a Model>,
    /// Where it leaves what it came to.
    pub checkpoint: Option<&'a Checkpoint>,
}

impl<'a> Run<'a> {
    /// A run that ends by itself or by a signal, and tells nobody.
    pub fn until(signal: &'a Signal) -> Self {
        Run { signal, progress: &Silent, start_from: None, checkpoint: None }
    }
}

/// How a search went.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// How trees were compared: training, pessimistic or held-out.
    pub estimate: &'static str,
    /// What each second bought: every tree that took the place of the one before.
    pub bought: Vec<Bought>,
    /// The samples that look-ahead came to; none where it was not done.
    pub r: Option<usize>,
    /// Subtrees that were rebuilt.
    pub steps: usize,
    /// Whether nothing was left to try.
    pub exhausted: bool,
}

/// What a search came to.
pub(crate) struct Found {
    pub draft: Draft,
    pub rows: Vec<u32>,
    /// The recipe that does the same again without a clock.
    pub recipe: Recipe,
    pub report: Report,
}

/// The best tree so far.
struct Best {
    draft: Draft,
    worth: Worth,
    /// The leaves of the smallest tree so far that was as good.
    fewest: usize,
    /// The samples that each node of the draft was last grown with, alone or below another.
    tried: Vec<u32>,
    /// What subtrees have had since the root was rebuilt, as [`improve::spent_after`] counts.
    spent: f64,
    made: Made,
    gives_way: GivesWayTo,
}

/// To which whole tree of more samples the best one gives way, besides a better one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum GivesWayTo {
    /// A greedy tree that look-ahead is to improve, to any that is as good: it may be small by luck, with tests that say
    /// little of other rows.
    Any,
    /// One that looks ahead, to one that is about as small.
    AboutAsSmall,
    /// One that was given, or that an estimate compares with others, to nothing.
    Nothing,
}

impl Best {
    /// The fewest leaves when one of such worth takes its place.
    fn fewest_with(&self, worth: &Worth) -> usize {
        let counts = self.gives_way != GivesWayTo::Any && self.worth.is_as_good_as(worth);
        if counts { self.fewest.min(worth.leaves) } else { worth.leaves }
    }

    /// Whether it gives way to a whole tree of such worth that more samples went into.
    fn gives_way_to(&self, worth: &Worth, rows: usize) -> bool {
        let allowed = match self.gives_way {
            GivesWayTo::Any => true,
            GivesWayTo::AboutAsSmall => worth.is_about_as_small(&self.worth, self.fewest, rows),
            GivesWayTo::Nothing => false,
        };
        allowed && worth.is_as_good_as(&self.worth)
    }
}

/// What made a tree.
#[derive(Clone, Debug)]
enum Made {
    /// A stage, in so many seconds.
    Stage { recipe: Box<Recipe>, seconds: f64 },
    /// Rebuilding, or an earlier run.
    Otherwise,
}

/// A search at work.
struct Engine<'a> {
    learner: &'a Learner,
    data: &'a Dataset,
    class: &'a Class,
    run: &'a Run<'a>,
    /// All rows, and those that trees are grown from.
    all: Vec<u32>,
    rows: Vec<u32>,
    judge: Judge<'a>,
    began: Instant,
    /// Seconds that earlier runs took.
    before: f64,
    best: Option<Best>,
    bought: Vec<Bought>,
    stages: usize,
    r: Option<usize>,
    steps: usize,
    exhausted: bool,
    /// Whether the listener wants no more.
    refused: bool,
}

/// Whether this recipe is searched for, rather than grown once, by such a run: look-ahead takes as many samples as its
/// budget allows.
pub(crate) fn searches(recipe: &Recipe, run: &Run<'_>) -> bool {
    let samples = matches!(recipe.lookahead, Some(Lookahead::Samples { .. }));
    !recipe.search.is_once() || (samples && run.signal.left().is_some())
}

/// Searches for a tree of these rows.
pub(crate) fn search(
    learner: &Learner,
    data: &Dataset,
    class: &Class,
    rows: Vec<u32>,
    run: &Run<'_>,
    notes: &mut Vec<String>,
) -> Result<Found> {
    // Look-ahead with more and more samples, each tree from scratch, is what other searches are measured by.
    let learner = if learner.recipe().search.is_once() { learner.clone() } else { learner.remembering() };
    let mut engine = Engine::new(&learner, data, class, rows, run)?;
    engine.resume()?;
    engine.take_given(notes)?;
    engine.run_stages(notes)?;
    if !learner.recipe().search.is_once() {
        engine.improve()?;
    }
    engine.save(true);
    engine.tell("nothing more", false);
    engine.finish(notes)
}

impl<'a> Engine<'a> {
    fn new(learner: &'a Learner, data: &'a Dataset, class: &'a Class, all: Vec<u32>, run: &'a Run<'a>) -> Result<Self> {
        let recipe = learner.recipe();
        let estimate = |confidence, errors| By::Pessimistic(Box::new(Estimate::new(confidence, errors)));
        let mut rows = all.clone();
        let by = match (recipe.search, &recipe.prune) {
            (Search::Auto { .. }, _) if all.len() >= ROWS_TO_HOLD_OUT => {
                let classes: Vec<u16> = all.iter().map(|&row| class.codes[row as usize]).collect();
                let folds = Folds::stratified(&classes, HELD_OUT, recipe.seed, 1)?;
                let at = |places: Vec<u32>| places.iter().map(|&place| all[place as usize]).collect::<Vec<u32>>();
                rows = at(folds.train_rows(0));
                By::HeldOut(at(folds.test_rows(0)))
            }
            (_, Prune::Pessimistic { confidence, errors, .. }) => estimate(*confidence, *errors),
            (Search::Auto { .. }, _) => estimate(0.25, Errors::C45),
            _ => By::Training,
        };
        let judge = Judge::new(data, class, by, recipe.leaf_penalty);
        Ok(Engine {
            learner,
            data,
            class,
            run,
            all,
            rows,
            judge,
            began: Instant::now(),
            before: 0.0,
            best: None,
            bought: Vec::new(),
            stages: 0,
            r: None,
            steps: 0,
            exhausted: false,
            refused: false,
        })
    }

    fn seconds(&self) -> f64 {
        self.before + self.began.elapsed().as_secs_f64()
    }

    fn is_over(&self) -> bool {
        self.refused || self.run.signal.is_raised()
    }

    /// Goes on where a checkpoint ended.
    fn resume(&mut self) -> Result<()> {
        let Some(checkpoint) = self.run.checkpoint else { return Ok(()) };
        checkpoint.belongs_to(self.data, self.learner.recipe());
        let Some(state) = checkpoint.read()? else { return Ok(()) };
        let mut draft = Draft::of_tree(&state.model.tree);
        refit(self.data, self.class, &mut draft, &self.rows, true);
        let worth = self.judge.worth(&draft);
        self.best = Some(Best {
            draft,
            worth,
            fewest: state.fewest,
            tried: state.tried,
            spent: state.spent,
            made: Made::Otherwise,
            gives_way: state.gives_way,
        });
        self.before = state.seconds;
        self.bought = state.bought;
        self.stages = state.stages;
        self.r = state.r;
        self.steps = state.steps;
        Ok(())
    }

    /// The tree to begin with, if one was given.
    fn take_given(&mut self, notes: &mut Vec<String>) -> Result<()> {
        let Some(model) = self.run.start_from else { return Ok(()) };
        let mut draft = transplant::transplant(model, self.data, notes)?;
        refit(self.data, self.class, &mut draft, &self.rows, true);
        self.consider(draft, Made::Otherwise, 0, "the given tree");
        Ok(())
    }

    /// Keeps a tree, all of which was grown with so many samples, if it is the best so far.
    fn consider(&mut self, mut draft: Draft, made: Made, samples: usize, by: &str) -> bool {
        let worth = self.judge.worth(&draft);
        let better = self.best.as_ref().is_none_or(|best| worth.is_better_than(&best.worth));
        if better {
            draft.compact();
            let tried = vec![samples as u32; draft.nodes.len()];
            let greedy = samples == 0 && matches!(made, Made::Stage { .. });
            let stands_in = greedy && self.judge.is_of_training() && !self.learner.recipe().search.is_once();
            let gives_way = if stands_in { GivesWayTo::Any } else { GivesWayTo::Nothing };
            let fewest = self.best.as_ref().map_or(worth.leaves, |best| best.fewest_with(&worth));
            self.keep(Best { draft, worth, fewest, tried, spent: 0.0, made, gives_way }, by);
        }
        better
    }

    fn keep(&mut self, best: Best, by: &str) {
        let Worth { error, leaves, .. } = best.worth;
        self.best = Some(best);
        self.bought.push(Bought { seconds: self.seconds(), by: by.into(), leaves, estimated_error: error });
        if let Some(bought) = self.bought.last() {
            self.run.progress.improved(bought, &|| self.model());
        }
        // What was told is on the disk.
        self.save(true);
        self.tell(by, true);
    }

    /// The best tree as a model; `None` before there is one.
    fn model(&self) -> Option<Model> {
        let (recipe, draft) = (self.learner.recipe(), &self.best.as_ref()?.draft);
        let training = Training { rows: self.rows.len(), errors: 0 };
        let tree = draft.clone().into_tree(recipe.leaf);
        Some(Model { schema: Schema::of(self.data)?, recipe: recipe.clone(), training, tree })
    }

    /// Tells where the search stands; the listener may end it.
    fn tell(&mut self, trying: &str, improved: bool) {
        let warning = self.run.checkpoint.and_then(Checkpoint::trouble);
        let news = News {
            seconds: self.seconds(),
            seconds_left: self.run.signal.left().map(|left| left.as_secs_f64()),
            trying,
            best: self.bought.last(),
            improved,
            warning: warning.as_deref(),
        };
        self.refused |= self.run.progress.report(&news) == Answer::Stop;
    }

    /// Leaves what it came to: at once, or with the next that is written.
    fn save(&self, at_once: bool) {
        let (Some(checkpoint), Some(best)) = (self.run.checkpoint, &self.best) else { return };
        let Some(model) = self.model() else { return };
        let state = State {
            seconds: self.seconds(),
            stages: self.stages,
            r: self.r,
            steps: self.steps,
            fewest: best.fewest,
            tried: best.tried.clone(),
            spent: best.spent,
            gives_way: best.gives_way,
            bought: self.bought.clone(),
            model,
        };
        checkpoint.offer(&state, at_once);
    }

    /// The best tree with all rows, and the recipe that leads to it again.
    fn finish(self, notes: &mut Vec<String>) -> Result<Found> {
        let mut recipe = self.learner.recipe().clone();
        let report = Report {
            estimate: self.judge.name(),
            bought: self.bought,
            r: self.r,
            steps: self.steps,
            exhausted: self.exhausted,
        };
        let Some(Best { mut draft, made, .. }) = self.best else {
            // The first stage is made in any case.
            unreachable!("a search has a tree from its first stage on");
        };
        let again = match &made {
            Made::Stage { recipe, .. } => Some(recipe.clone()),
            Made::Otherwise => None,
        };
        let mut finish = None;
        if self.rows.len() < self.all.len() {
            finish = Some(Finish::Refit);
            let asked = match recipe.search {
                Search::Auto { finish, .. } => finish,
                _ => None,
            };
            if let Made::Stage { recipe: by, seconds } = made {
                const SAFETY: f64 = 2.0;
                let enough = |left: std::time::Duration| left.as_secs_f64() > SAFETY * seconds;
                let fits = !self.refused && self.run.signal.left().is_none_or(enough) && !self.run.signal.is_raised();
                if asked.map_or(fits, |asked| asked == Finish::Rerun) {
                    let learner = self.learner.by(&by);
                    let again = learner.grow(self.data, self.class, self.all.clone(), self.run.signal, notes)?;
                    if !self.run.signal.is_raised() {
                        draft = again.draft;
                        finish = Some(Finish::Rerun);
                    }
                }
            }
            if finish == Some(Finish::Refit) {
                refit(self.data, self.class, &mut draft, &self.all, false);
            }
        }
        match &mut recipe.search {
            Search::Improve { steps, .. } => *steps = Some(self.steps),
            Search::Auto { r, steps, finish: done, .. } if self.r.is_some() => {
                (*r, *steps, *done) = (self.r, Some(self.steps), finish);
            }
            // The samples that made the best tree, which need not be the most that were taken; or the one tree that
            // there was time for.
            Search::Once | Search::Auto { .. } => recipe = again.map_or(recipe, |made| *made),
        }
        Ok(Found { draft, rows: self.all, recipe, report })
    }
}
