//! `quickset compare`: learners side by side in a stratified cross-validation.

use std::io::{self, Write};
use std::path::Path;

use anyhow::Result;
use clap::{Args, ValueEnum};
use quickset::Dataset;
use quickset::data::Folds;
use quickset::eval::{Cell, Series, cross_validate};
use rayon::prelude::*;

use crate::failure::Usage;
use crate::input::{DATA_HELP, DataArguments, name_of};
use crate::output::{Console, check_place, deliver};
use crate::recipe::{Entry, entries, keys_help};
use crate::table::table;

const RUNS: usize = 10;

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

    /// How often the data are divided anew [default: 10, or what --folds-from holds]
    #[arg(long, value_name = "R", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    runs: Option<u32>,

    /// Into how many parts they are divided
    #[arg(long, value_name = "F", default_value_t = 10, value_parser = clap::value_parser!(u16).range(2..))]
    folds: u16,

    /// Where random draws start
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// Take the folds from this file, or from NAME.folds in this folder: a line per row, a digit per run
    #[arg(long, value_name = "FILE|DIR", conflicts_with = "folds")]
    folds_from: Option<String>,

    /// How the results are printed
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,

    /// Write to this file instead of standard output
    #[arg(long, value_name = "FILE")]
    output: Option<String>,

    #[command(flatten)]
    columns: DataArguments,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// Means and standard deviations over the folds
    Table,
    /// A line per data set, learner, run and fold
    Csv,
}

/// Runs every learner on every data set. What fails is reported, and the rest goes on.
pub fn run(arguments: &Arguments, console: &Console) -> Result<()> {
    let learners = entries(&arguments.learners, arguments.seed)?;
    check_place(arguments.output.as_deref())?;
    let mut cells = Vec::new();
    let mut failures = 0;
    for path in &arguments.data {
        match compare_on(path, &learners, arguments, console) {
            Ok(found) => cells.extend(found),
            Err(error) if error.is::<Usage>() => return Err(error),
            Err(error) => {
                console.error(&format!("{error:#}"));
                failures += 1;
            }
        }
    }
    for cell in cells.iter().filter(|cell| !cell.is_ok()) {
        let Cell { dataset, learner, run, fold, status, .. } = cell;
        console.error(&format!("{dataset}, {learner}, run {run}, fold {fold}: {status}"));
        failures += 1;
    }
    if !cells.is_empty() {
        deliver(arguments.output.as_deref(), console, |out| match arguments.format {
            Format::Table => print_table(out, &cells),
            Format::Csv => print_csv(out, &cells),
        })?;
    }
    anyhow::ensure!(failures == 0, "{failures} of the comparisons failed; the rest was done");
    Ok(())
}

/// The cells of one data set: by learner, then run, then fold.
fn compare_on(path: &str, learners: &[Entry], arguments: &Arguments, console: &Console) -> Result<Vec<Cell>> {
    let data = arguments.columns.read(path, console)?;
    let name = name_of(path);
    let runs = divisions(&name, path, &data, arguments)?;
    if let (Some(first), Some(class)) = (runs.first(), data.class())
        && let Some(note) = first.note(class)
    {
        console.warning(&format!("{path}: {note}"));
    }
    let work: Vec<(&Entry, usize)> =
        learners.iter().flat_map(|entry| (0..runs.len()).map(move |run| (entry, run))).collect();
    let cells: quickset::Result<Vec<Vec<Cell>>> = work
        .into_par_iter()
        .map(|(entry, run)| {
            let series = Series { dataset: &name, learner: &entry.label, run: run + 1 };
            cross_validate(&entry.learner, &data, &runs[run], series)
        })
        .collect();
    Ok(cells.map_err(|error| error.in_file(path))?.into_iter().flatten().collect())
}

/// How the rows are divided in every run.
fn divisions(name: &str, path: &str, data: &Dataset, arguments: &Arguments) -> Result<Vec<Folds>> {
    let asked = arguments.runs.map(|runs| runs as usize);
    let Some(source) = &arguments.folds_from else {
        let codes = data.class().map_or(&[][..], |class| &class.codes);
        let folds = |run| Folds::stratified(codes, usize::from(arguments.folds), arguments.seed, run);
        let runs: quickset::Result<_> = (1..=asked.unwrap_or(RUNS)).map(folds).collect();
        return Ok(runs.map_err(|error| error.in_file(path))?);
    };
    let mut file = Path::new(source).to_path_buf();
    if file.is_dir() {
        file.push(format!("{name}.folds"));
    }
    let text = std::fs::read_to_string(&file).map_err(|error| {
        quickset::Error::io(&file, &error).remedy("--folds-from names a file, or a folder of NAME.folds")
    })?;
    let runs = asked.unwrap_or_else(|| Folds::runs_in(&text).min(RUNS));
    let runs: quickset::Result<_> = (1..=runs).map(|run| Folds::parse(&text, run, data.rows())).collect();
    Ok(runs.map_err(|error| error.in_file(&file))?)
}

fn print_csv(out: &mut dyn Write, cells: &[Cell]) -> io::Result<()> {
    writeln!(out, "{}", Cell::HEADER)?;
    cells.iter().try_for_each(|cell| writeln!(out, "{}", cell.csv()))
}

fn print_table(out: &mut dyn Write, cells: &[Cell]) -> io::Result<()> {
    let mut table = table(["dataset", "learner", "accuracy %", "leaves", "size", "train s", "folds"], 2..7);
    for group in cells.chunk_by(|a, b| (&a.dataset, &a.learner) == (&b.dataset, &b.learner)) {
        let done: Vec<&Cell> = group.iter().filter(|cell| cell.is_ok()).collect();
        let spread = |figure: fn(&Cell) -> Option<f64>, digits| {
            mean_and_deviation(done.iter().filter_map(|cell| figure(cell)).collect(), digits)
        };
        table.add_row([
            group[0].dataset.clone(),
            group[0].learner.clone(),
            spread(|cell| cell.accuracy, 2),
            spread(|cell| cell.leaves.map(|leaves| leaves as f64), 1),
            spread(|cell| cell.size.map(|size| size as f64), 1),
            spread(|cell| cell.train_seconds, 6),
            if done.len() == group.len() {
                group.len().to_string()
            } else {
                format!("{} of {}", done.len(), group.len())
            },
        ]);
    }
    writeln!(out, "{}", table.trim_fmt())
}

/// `mean ± sample standard deviation`; the deviation of a single figure is not known.
fn mean_and_deviation(figures: Vec<f64>, digits: usize) -> String {
    let count = figures.len() as f64;
    if figures.is_empty() {
        return "-".to_string();
    }
    let mean = figures.iter().sum::<f64>() / count;
    if figures.len() == 1 {
        return format!("{mean:.digits$}");
    }
    let squares: f64 = figures.iter().map(|figure| (figure - mean).powi(2)).sum();
    format!("{mean:.digits$} ± {:.digits$}", (squares / (count - 1.0)).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_come_with_the_sample_deviation() {
        assert_eq!(mean_and_deviation(vec![1.0, 2.0, 3.0], 2), "2.00 ± 1.00");
        assert_eq!(mean_and_deviation(vec![4.0], 1), "4.0");
        assert_eq!(mean_and_deviation(vec![], 1), "-");
    }
}
