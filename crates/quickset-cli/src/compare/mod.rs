//! `quickset compare`: learners side by side in a repeated stratified cross-validation.

pub mod journal;
mod page;
mod print;
pub mod sets;
pub mod work;

use std::collections::HashSet;
use std::path::Path;

use anyhow::Result;
use clap::{Args, ValueEnum};
use quickset::eval::Cell;

use crate::estimate::known_constants;
use crate::failure::Usage;
use crate::input::{DATA_HELP, DataArguments};
use crate::output::{Console, check_place, deliver};
use crate::progress::Progress;
use crate::recipe::{Entry, entries, keys_help};
use journal::{Journal, Settings, Shape};
use sets::{Division, Set};
use work::{Ready, Work};

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

    /// How the results are printed [default: as the ending of --output says, else table]
    #[arg(long, value_enum)]
    format: Option<Format>,

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
    /// A page with a sortable table and plots, in one file
    Html,
}

impl Arguments {
    fn format(&self) -> Format {
        let ending = self.output.as_deref().and_then(|path| Path::new(path).extension()?.to_str());
        self.format.unwrap_or(match ending {
            Some("csv") => Format::Csv,
            Some("json") => Format::Json,
            Some("html" | "htm") => Format::Html,
            _ => Format::Table,
        })
    }
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
    let cost = known_constants();
    let work = Work {
        learners: &learners,
        shares: &shares,
        journal: &journal,
        progress: &progress,
        cost: cost.as_ref(),
        console,
    };
    let (cells, mut failures) = work.all(&sets, done, |set| prepare(set, arguments, &work))?;
    progress.finish();
    for cell in cells.iter().filter(|cell| !cell.is_ok()) {
        let Cell { dataset, learner, run, fold, status, .. } = cell;
        console.error(&format!("{dataset}, {learner}, run {run}, fold {fold}: {status}"));
        failures += 1;
    }
    if !cells.is_empty() {
        deliver(arguments.output.as_deref(), console, |out| match arguments.format() {
            Format::Table => print::table(out, &cells),
            Format::Csv => print::csv(out, &cells),
            Format::Json => print::json(out, &cells),
            Format::Html => page::html(out, &cells, arguments.division.facts(&cells)),
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
    let kept = match arguments.format() {
        Format::Csv => Some(Shape::Csv { curve: !arguments.curve.is_empty() }),
        Format::Json => Some(Shape::Json),
        Format::Table | Format::Html => None,
    };
    let settings = Settings::new(arguments.division.seed, arguments.division.count(), learners);
    if arguments.resume && Journal::is_finished(output) {
        let what = "the run was finished; what it holds is taken to be of the same data, folds and seed";
        console.note(&format!("{}: {what}", output.display()));
    }
    Journal::open(output, kept, settings, arguments.resume)
}

fn prepare(set: &Set, arguments: &Arguments, work: &Work<'_>) -> Result<Ready> {
    let data = work.progress.aside(|| arguments.columns.read(&set.path, work.console))?;
    let (runs, text) = arguments.division.of(set, &data)?;
    if let (Some(first), Some(class)) = (runs.first(), data.class())
        && let Some(note) = first.note(class)
    {
        work.progress.aside(|| work.console.warning(&format!("{}: {note}", set.path)));
    }
    let fingerprint = work.journal.is_kept().then(|| sets::fingerprint(&data, text.as_deref()));
    Ok(Ready { data, runs, fingerprint: fingerprint.unwrap_or_default() })
}
