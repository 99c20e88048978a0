//! `quickset train`: learn a tree from data.

use std::io::{self, Write};
use std::time::Instant;

use anyhow::Result;
use clap::{Args, ValueEnum};
use quickset::cost::Shape;
use quickset::learner::Trained;
use quickset::search::{Bought, Checkpoint, Report, Run};
use quickset::{Budget, Dataset, Model, Recipe, Signal, export};
use serde::Serialize;

use crate::estimate::{self, Constants, known_constants};
use crate::input::{DATA_HELP, DataArguments};
use crate::interrupt;
use crate::output::{Console, check_place, print};
use crate::progress::{Expected, Live, Telling};
use crate::recipe::{RecipeArguments, keys_help};

/// A tree of at most this many nodes is printed whole ...
const WHOLE_SIZE: usize = 60;
/// ... and of a larger one this many levels.
const FIRST_LEVELS: usize = 3;

/// Learn a tree from data
#[derive(Args)]
#[command(after_help = DATA_HELP, after_long_help = format!("{DATA_HELP}\n\n{}", keys_help()))]
pub struct Arguments {
    /// The data to learn from
    #[arg(value_name = "DATA")]
    data: String,

    #[command(flatten)]
    recipe: RecipeArguments,

    /// Say how long this learner and the others would take, and train none; =refit measures the machine anew
    #[arg(long, value_enum, value_name = "CONSTANTS", num_args = 0..=1, require_equals = true)]
    #[arg(default_missing_value = "kept", conflicts_with = "output", hide_possible_values = true)]
    estimate: Option<Constants>,

    /// Return by then with the best tree that can be had: 500ms, 30s, 10m; reading the data counts
    #[arg(long, value_name = "TIME")]
    budget: Option<Budget>,

    /// Begin with the tree of this model, refitted to the data
    #[arg(long, value_name = "MODEL")]
    start_from: Option<String>,

    /// Keep in this file what the search came to, at every better tree
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<String>,

    /// Go on from the checkpoint, if there is one
    #[arg(long, requires = "checkpoint")]
    resume: bool,

    /// How a search tells what it does: a line on a terminal, nothing, or a JSON object a line
    #[arg(long, value_enum, value_name = "HOW", default_value_t = Telling::Auto)]
    progress: Telling,

    /// How the result is printed
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,

    /// Write the model to this file
    #[arg(long, value_name = "MODEL")]
    output: Option<String>,

    #[command(flatten)]
    columns: DataArguments,
}

/// How the result is printed.
#[derive(Clone, Copy, ValueEnum)]
pub enum Format {
    /// The tree and its figures
    Text,
    /// The figures as one JSON object on one line
    Json,
}

/// Learns, writes the model, and prints what came of it. `began` is when the command did: budgets count from there.
pub fn run(arguments: &Arguments, console: &Console, began: Instant) -> Result<()> {
    let searching = arguments.budget.is_some() || arguments.start_from.is_some();
    let learner = arguments.recipe.learner_or(if searching { "auto" } else { "nt" })?;
    check_place(arguments.output.as_deref())?;
    check_place(arguments.checkpoint.as_deref())?;
    let start_from = arguments.start_from.as_ref().map(Model::load).transpose()?;
    let start = Instant::now();
    let data = arguments.columns.read(&arguments.data, console)?;
    if let Some(constants) = arguments.estimate {
        return estimate::run(&learner, &data, &arguments.data, constants, arguments.format, console);
    }
    let read = start.elapsed().as_secs_f64();
    let signal = arguments.budget.map_or_else(Signal::default, |budget| budget.signal(began));
    interrupt::end_by_hand(&signal)?;
    let checkpoint = arguments.checkpoint.as_ref().map(|path| Checkpoint::new(path, arguments.resume));
    let trained = {
        // A search has a line of its own.
        let searches = arguments.budget.is_some() || !learner.recipe().search.is_once();
        let known = known_constants().filter(|_| !searches);
        let expected = known.map_or(0.0, |cost| cost.estimate(learner.recipe(), &Shape::of(&data)).seconds);
        let _bar = Expected::begin(expected, console.is_quiet());
        let live = Live::new(arguments.progress, &signal, console);
        let run =
            Run { signal: &signal, progress: &live, start_from: start_from.as_ref(), checkpoint: checkpoint.as_ref() };
        learner.train_with(&data, &run).map_err(|error| error.in_file(&arguments.data))?
    };
    for note in &trained.notes {
        console.note(&format!("{}: {note}", arguments.data));
    }
    if let Some(path) = &arguments.output {
        trained.model.save(path)?;
    }
    let summary = Summary::of(&trained, &data, read, arguments.output.as_deref());
    print(|out| match arguments.format {
        Format::Text => {
            print_tree(out, &trained.model)?;
            summary.print(out)
        }
        Format::Json => {
            serde_json::to_writer(&mut *out, &summary)?;
            writeln!(out)
        }
    })
}

fn print_tree(out: &mut dyn Write, model: &Model) -> io::Result<()> {
    if model.tree().size() <= WHOLE_SIZE {
        return writeln!(out, "{}", export::text(model).trim_end());
    }
    writeln!(out, "{}", export::text_with_depth(model, FIRST_LEVELS).trim_end())?;
    writeln!(out, "\n(the first {FIRST_LEVELS} levels; `quickset show MODEL` prints the whole tree)")
}

/// What a run came to. The fields are the JSON document, stable for scripts.
#[derive(Serialize)]
struct Summary<'a> {
    learner: &'a str,
    recipe: &'a Recipe,
    rows: usize,
    attributes: usize,
    classes: usize,
    leaves: usize,
    size: usize,
    depth: usize,
    mean_depth: f64,
    train_errors: usize,
    train_accuracy: f64,
    threads: usize,
    seconds: Seconds,
    peak_memory_bytes: Option<u64>,
    model: Option<&'a str>,
    /// How the search went, where there was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    search: Option<&'a Report>,
}

#[derive(Serialize)]
struct Seconds {
    read: f64,
    tables: f64,
    grow: f64,
    prune: f64,
    /// Everything but reading.
    total: f64,
}

impl<'a> Summary<'a> {
    fn of(trained: &'a Trained, data: &Dataset, read: f64, model: Option<&'a str>) -> Self {
        let (tree, training, phases) = (trained.model.tree(), trained.model.training(), trained.seconds);
        let right = training.rows - training.errors;
        Summary {
            learner: &trained.model.recipe().name,
            recipe: trained.model.recipe(),
            rows: training.rows,
            attributes: data.attributes().len(),
            classes: trained.model.schema().classes.len(),
            leaves: tree.leaves(),
            size: tree.size(),
            depth: tree.depth(),
            mean_depth: tree.mean_depth(),
            train_errors: training.errors,
            train_accuracy: right as f64 / training.rows.max(1) as f64,
            threads: rayon::current_num_threads(),
            seconds: Seconds {
                read,
                tables: phases.tables,
                grow: phases.grow,
                prune: phases.prune,
                total: phases.total,
            },
            peak_memory_bytes: peak_memory(),
            model,
            search: trained.search.as_ref(),
        }
    }

    fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        let Seconds { read, total, .. } = self.seconds;
        let right = self.rows - self.train_errors;
        if let Some(search) = self.search {
            print_bought(out, search)?;
        }
        writeln!(out)?;
        writeln!(out, "learner            {}", self.learner)?;
        writeln!(
            out,
            "data               {} rows × {} attributes, {} classes",
            self.rows, self.attributes, self.classes
        )?;
        writeln!(out, "tree               {} leaves, size {}, depth {}", self.leaves, self.size, self.depth)?;
        writeln!(out, "training accuracy  {:.2} % ({right} of {} rows right)", 100.0 * self.train_accuracy, self.rows)?;
        writeln!(
            out,
            "seconds            {} with {} {}, and {} to read the data",
            short(total),
            self.threads,
            if self.threads == 1 { "thread" } else { "threads" },
            short(read)
        )?;
        match self.model {
            Some(path) => writeln!(out, "model              {path}"),
            None => writeln!(out, "model              not written; --output MODEL keeps it"),
        }
    }
}

/// What each second bought: of many trees the first and the last ones.
fn print_bought(out: &mut dyn Write, search: &Report) -> io::Result<()> {
    const FIRST: usize = 4;
    const LAST: usize = 8;
    writeln!(out, "\nwhat the time bought (errors estimated: {})", search.estimate)?;
    writeln!(out, "{:>9}  {:>6}  {:>9}  by", "seconds", "leaves", "error")?;
    let (all, mut left_out) = (&search.bought, false);
    for (index, tree) in all.iter().enumerate() {
        if (FIRST..all.len().saturating_sub(LAST)).contains(&index) {
            if !std::mem::replace(&mut left_out, true) {
                writeln!(out, "{:>9}  {} more", "...", all.len() - FIRST - LAST)?;
            }
            continue;
        }
        let Bought { seconds, by, leaves, estimated_error } = tree;
        writeln!(out, "{:>9}  {leaves:>6}  {:>7.2} %  {by}", short(*seconds), 100.0 * estimated_error)?;
    }
    let rebuilt = if search.steps == 1 { "subtree" } else { "subtrees" };
    let end = if search.exhausted { ", then nothing was left to try" } else { "" };
    writeln!(out, "{} {rebuilt} rebuilt{end}", search.steps)
}

/// The most memory this process ever held, where the system tells.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}

/// Seconds with three digits that count: small trees take less than a millisecond.
pub fn short(seconds: f64) -> String {
    let decimals = (2.0 - seconds.max(1e-9).log10().floor()).clamp(2.0, 6.0);
    format!("{seconds:.*}", decimals as usize)
}
