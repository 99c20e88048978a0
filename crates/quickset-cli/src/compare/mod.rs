//! `quickset compare`: learners side by side in a repeated stratified cross-validation.

mod journal;
mod print;
mod progress;
mod sets;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::Result;
use clap::{Args, ValueEnum};
use quickset::data::Folds;
use quickset::eval::{Cell, Place, Series, test};
use quickset::{Dataset, Error};
use rayon::prelude::*;

use crate::failure::Usage;
use crate::input::{DATA_HELP, DataArguments};
use crate::output::{Console, check_place, deliver};
use crate::recipe::{Entry, entries, keys_help};
use journal::{Journal, Settings, Shape};
use progress::Progress;
use sets::{Division, Set};

/// Compare learners by stratified cross-validation
#[derive(Args)]
#[command(after_help = DATA_HELP, after_long_help = format!("{DATA_HELP}\n\n{}", keys_help()))]
pub struct Arguments {
    /// The data sets
    #[arg(value_name = "DATA", required = true)]
    data: Vec<String>,

    /// The learners, each with its changes in brackets: c45,j48[min-rows=5,collapse=false]
    #[arg(long, value_name = "LIST")]
    learners: String,

    #[command(flatten)]
    division: Division,

    /// Learn from parts of the training rows too, for learning curves: 5%,10%,50%,100%
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = sets::percent)]
    curve: Vec<f64>,

    /// How the results are printed
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,

    /// Write to this file instead of standard output, every result as soon as it is there
    #[arg(long, value_name = "FILE")]
    output: Option<String>,

    /// Go on with a run that was stopped: what --output holds is not done again
    #[arg(long, requires = "output")]
    resume: bool,

    #[command(flatten)]
    columns: DataArguments,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Means and spreads, with tests of the differences
    Table,
    /// A line per data set, learner, run and fold
    Csv,
    /// One document with every cell, the means and the tests
    Json,
}

/// Runs every learner on every data set. What fails is reported, and the rest goes on.
pub fn run(arguments: &Arguments, console: &Console) -> Result<()> {
    let learners = entries(&arguments.learners, arguments.division.seed)?;
    let mut labels = HashSet::new();
    if let Some(twice) = learners.iter().find(|entry| !labels.insert(&entry.label)) {
        return Err(Usage(format!("{} is listed twice; list every learner once", twice.label)).into());
    }
    let sets = sets::named(&arguments.data)?;
    let shares = sets::ascending(&arguments.curve);
    check_place(arguments.output.as_deref())?;
    let (journal, done) = open_journal(arguments, &learners, console)?;
    let progress = Progress::new(sets.iter().map(|set| set.path.as_str()), console.is_quiet());
    let work =
        Work { arguments, console, learners: &learners, shares: &shares, journal: &journal, progress: &progress };
    let (cells, mut failures) = work.all(&sets, done)?;
    progress.finish();
    for cell in cells.iter().filter(|cell| !cell.is_ok()) {
        let Cell { dataset, learner, run, fold, status, .. } = cell;
        console.error(&format!("{dataset}, {learner}, run {run}, fold {fold}: {status}"));
        failures += 1;
    }
    if !cells.is_empty() {
        deliver(arguments.output.as_deref(), console, |out| match arguments.format {
            Format::Table => print::table(out, &cells),
            Format::Csv => print::csv(out, &cells),
            Format::Json => print::json(out, &cells),
        })?;
    }
    journal.finish()?;
    anyhow::ensure!(failures == 0, "{failures} of the comparisons failed; the rest was done");
    Ok(())
}

fn open_journal(arguments: &Arguments, learners: &[Entry], console: &Console) -> Result<(Journal, Vec<Cell>)> {
    // What is no regular file, such as a pipe, keeps nothing.
    let output = arguments.output.as_deref().map(Path::new).filter(|path| path.is_file() || !path.exists());
    let Some(output) = output else { return Ok((Journal::none(), Vec::new())) };
    let kept = match arguments.format {
        Format::Csv => Some(Shape::Csv { curve: !arguments.curve.is_empty() }),
        Format::Json => Some(Shape::Json),
        Format::Table => None,
    };
    let settings = Settings {
        seed: arguments.division.seed,
        folds: arguments.division.count(),
        learners: learners.iter().map(|entry| (entry.label.clone(), entry.learner.recipe().clone())).collect(),
        data: BTreeMap::new(),
    };
    if arguments.resume && Journal::is_finished(output) {
        let what = "the run was finished; what it holds is taken to be of the same data, folds and seed";
        console.note(&format!("{}: {what}", output.display()));
    }
    Journal::open(output, kept, settings, arguments.resume)
}

/// Everything that is to be done.
struct Work<'a> {
    arguments: &'a Arguments,
    console: &'a Console,
    learners: &'a [Entry],
    /// The points of a learning curve; empty without one.
    shares: &'a [f64],
    journal: &'a Journal,
    progress: &'a Progress,
}

/// A data set that was read.
struct Ready<'a> {
    set: &'a Set,
    data: Dataset,
    runs: Vec<Folds>,
    /// Identifies data and folds.
    fingerprint: String,
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
    /// The cells of all data sets, and how many sets could not be used. `done` are the cells of an earlier run.
    fn all(&self, sets: &[Set], done: Vec<Cell>) -> Result<(Vec<Cell>, usize)> {
        let mut earlier: HashMap<String, Vec<Cell>> = HashMap::new();
        for cell in done {
            earlier.entry(cell.dataset.clone()).or_default().push(cell);
        }
        if let Some(name) = earlier.keys().filter(|name| sets.iter().all(|set| set.name != **name)).min() {
            return Err(self.unasked(name).into());
        }
        let (mut cells, mut failures) = (Vec::new(), 0);
        for (index, set) in sets.iter().enumerate() {
            match self.prepare(set) {
                Ok(ready) => cells.extend(self.cells(index, &ready, earlier.remove(&set.name).unwrap_or_default())?),
                Err(error) if error.is::<Usage>() => return Err(error),
                Err(error) => {
                    self.progress.aside(|| self.console.error(&format!("{error:#}")));
                    failures += 1;
                }
            }
        }
        Ok((cells, failures))
    }

    fn prepare<'s>(&self, set: &'s Set) -> Result<Ready<'s>> {
        self.progress.say(format!("reading {}", set.name));
        let data = self.progress.aside(|| self.arguments.columns.read(&set.path, self.console))?;
        let (runs, text) = self.arguments.division.of(set, &data)?;
        if let (Some(first), Some(class)) = (runs.first(), data.class())
            && let Some(note) = first.note(class)
        {
            self.progress.aside(|| self.console.warning(&format!("{}: {note}", set.path)));
        }
        let fingerprint =
            if self.journal.is_kept() { sets::fingerprint(&data, text.as_deref()) } else { String::new() };
        Ok(Ready { set, data, runs, fingerprint })
    }

    /// The cells of one data set: by learner, then run, then fold, then share. An error is one that ends the run.
    fn cells(&self, index: usize, ready: &Ready<'_>, earlier: Vec<Cell>) -> Result<Vec<Cell>> {
        let Ready { set, data, runs, fingerprint } = ready;
        self.journal.begin(&set.name, fingerprint)?;
        let tasks = self.tasks(runs);
        let mut earlier: HashMap<Key, Cell> = earlier.into_iter().map(|cell| (key(&cell), cell)).collect();
        let mut found: Vec<Option<Cell>> = tasks.iter().map(|task| earlier.remove(&task.key())).collect();
        if let Some((learner, run, fold, _)) = earlier.keys().min() {
            return Err(self.unasked(&format!("{}, {learner}, run {run}, fold {fold}", set.name)).into());
        }
        let done = AtomicUsize::new(found.iter().flatten().count());
        self.progress.reach(index, done.load(Ordering::Relaxed), tasks.len());
        self.progress.begin_here();
        let open = tasks.par_iter().zip(&mut found).filter(|(_, cell)| cell.is_none());
        open.try_for_each(|(task, place)| {
            self.progress.say(format!("{}, {}", set.name, task.entry.label));
            let cell = task.run(&set.name, data).map_err(|error| error.in_file(&set.path))?;
            self.journal.add(&cell)?;
            *place = Some(cell);
            self.progress.reach(index, done.fetch_add(1, Ordering::Relaxed) + 1, tasks.len());
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

    fn unasked(&self, what: &str) -> Error {
        let path = self.arguments.output.as_deref().unwrap_or_default();
        Error::data(format!("the run that is to be resumed holds {what}, which is not asked for now"))
            .in_file(path)
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
