//! Every cell of a comparison made, side by side.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use anyhow::Result;
use quickset::cost::{Cost, Shape};
use quickset::data::Folds;
use quickset::eval::{Cell, Place, Series, test};
use quickset::{Dataset, Error};
use rayon::prelude::*;

use super::journal::Journal;
use super::sets::Set;
use crate::failure::Usage;
use crate::output::Console;
use crate::progress::Progress;
use crate::recipe::Entry;

/// Learners on data sets: everything that is to be done.
pub struct Work<'a> {
    /// The learners.
    pub learners: &'a [Entry],
    /// The points of a learning curve; empty without one.
    pub shares: &'a [f64],
    /// Where finished cells go.
    pub journal: &'a Journal,
    /// What the user sees of it.
    pub progress: &'a Progress,
    /// The machine's constants, where they were measured: progress is told by them.
    pub cost: Option<&'a Cost>,
    /// Where to say what is wrong.
    pub console: &'a Console,
}

/// A data set that was read.
pub struct Ready {
    /// Its rows.
    pub data: Dataset,
    /// How they are divided, run by run.
    pub runs: Vec<Folds>,
    /// Identifies data and folds.
    pub fingerprint: String,
}

/// One cell that is to be made.
struct Task<'a> {
    entry: &'a Entry,
    /// From 1.
    run: usize,
    folds: &'a Folds,
    place: Place,
}

/// What tells a cell from all others of its data set: learner, run, fold, and the bits of its share.
type Key = (String, usize, usize, Option<u64>);

impl Work<'_> {
    /// The cells of all data sets, and how many sets could not be used, which is said. `done` are the cells of an
    /// earlier run; `prepare` reads a set.
    pub fn all(
        &self,
        sets: &[Set],
        done: Vec<Cell>,
        prepare: impl Fn(&Set) -> Result<Ready>,
    ) -> Result<(Vec<Cell>, usize)> {
        let mut earlier: HashMap<String, Vec<Cell>> = HashMap::new();
        for cell in done {
            earlier.entry(cell.dataset.clone()).or_default().push(cell);
        }
        if let Some(name) = earlier.keys().filter(|name| sets.iter().all(|set| set.name != **name)).min() {
            return Err(self.unasked(name).into());
        }
        let (mut cells, mut failures) = (Vec::new(), 0);
        for (index, set) in sets.iter().enumerate() {
            self.progress.say(format!("reading {}", set.name));
            let earlier = earlier.remove(&set.name).unwrap_or_default();
            match prepare(set) {
                Ok(ready) => cells.extend(self.cells(index, set, &ready, earlier)?),
                Err(error) if error.is::<Usage>() => return Err(error),
                Err(error) => {
                    // What is finished stays, though the set can no longer be read.
                    cells.extend(earlier);
                    self.progress.aside(|| self.console.error(&format!("{error:#}")));
                    failures += 1;
                }
            }
        }
        Ok((cells, failures))
    }

    /// The cells of one data set: by learner, then run, then fold, then share. An error is one that ends the run.
    fn cells(&self, index: usize, set: &Set, ready: &Ready, earlier: Vec<Cell>) -> Result<Vec<Cell>> {
        let Ready { data, runs, fingerprint } = ready;
        self.journal.begin(&set.name, fingerprint)?;
        let tasks = self.tasks(runs);
        let mut earlier: HashMap<Key, Cell> = earlier.into_iter().map(|cell| (key(&cell), cell)).collect();
        let mut found: Vec<Option<Cell>> = tasks.iter().map(|task| earlier.remove(&task.key())).collect();
        if let Some((learner, run, fold, _)) = earlier.keys().min() {
            return Err(self.unasked(&format!("{}, {learner}, run {run}, fold {fold}", set.name)).into());
        }
        let weights = self.weights(data, &tasks);
        let all: f64 = weights.iter().sum();
        let before = weights.iter().zip(&found).filter(|(_, cell)| cell.is_some()).map(|(weight, _)| weight).sum();
        let done: Mutex<f64> = Mutex::new(before);
        self.progress.reach(index, before / all);
        self.progress.begin_here();
        let open = tasks.par_iter().zip(&weights).zip(&mut found).filter(|(_, cell)| cell.is_none());
        open.try_for_each(|((task, weight), place)| {
            self.progress.say(format!("{}, {}", set.name, task.entry.label));
            let cell = task.run(&set.name, data).map_err(|error| error.in_file(&set.path))?;
            self.journal.add(&cell)?;
            *place = Some(cell);
            let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
            *done += weight;
            self.progress.reach(index, *done / all);
            anyhow::Ok(())
        })?;
        Ok(found.into_iter().flatten().collect())
    }

    fn tasks<'t>(&'t self, runs: &'t [Folds]) -> Vec<Task<'t>> {
        let shares: Vec<Option<f64>> = match self.shares {
            [] => vec![None],
            shares => shares.iter().copied().map(Some).collect(),
        };
        let mut tasks = Vec::new();
        for entry in self.learners {
            for (run, folds) in (1..).zip(runs) {
                for fold in 0..folds.count() {
                    let places = shares.iter().map(|&share| Place { fold, share });
                    tasks.extend(places.map(|place| Task { entry, run, folds, place }));
                }
            }
        }
        tasks
    }

    /// What every cell is expected to take, by the machine's constants; all the same where these were never measured.
    fn weights(&self, data: &Dataset, tasks: &[Task<'_>]) -> Vec<f64> {
        let Some(cost) = self.cost else { return vec![1.0; tasks.len()] };
        let shape = Shape::of(data);
        let weight = |task: &Task<'_>| {
            let folds = task.folds.count();
            let rows = shape.rows - shape.rows / folds;
            let part = task.place.share.map_or(rows, |percent| (rows as f64 * percent / 100.0) as usize);
            cost.estimate(task.entry.learner.recipe(), &shape.with_rows(part)).seconds.max(f64::MIN_POSITIVE)
        };
        tasks.iter().map(weight).collect()
    }

    fn unasked(&self, what: &str) -> Error {
        Error::data(format!("the run that is to be resumed holds {what}, which is not asked for now"))
            .in_file(self.journal.path().unwrap_or(Path::new("")))
            .remedy("ask for all that it holds, or write to another file")
    }
}

impl Task<'_> {
    fn run(&self, dataset: &str, data: &Dataset) -> quickset::Result<Cell> {
        let series = Series { dataset, learner: &self.entry.label, run: self.run };
        test(&self.entry.learner, data, self.folds, series, self.place)
    }

    fn key(&self) -> Key {
        (self.entry.label.clone(), self.run, self.place.fold + 1, self.place.share.map(f64::to_bits))
    }
}

fn key(cell: &Cell) -> Key {
    (cell.learner.clone(), cell.run, cell.fold, cell.share.map(f64::to_bits))
}
