//! `quickset data info`: what is in a file.

use std::io::{self, Write};

use anyhow::Result;
use clap::Args;
use comfy_table::Table;
use quickset::data::{Class, NO_CLASS, Value};
use quickset::{Column, Dataset};

use crate::input::{DATA_HELP, DataArguments};
use crate::output::{Console, print};
use crate::table::table;

/// Columns that are listed; of wide data the rest is counted.
const MOST_COLUMNS: usize = 200;
/// Levels that are named beside a column, and classes that are listed.
const MOST_LEVELS: usize = 6;
const MOST_CLASSES: usize = 50;

/// Say what is in a data file: rows, columns, classes
#[derive(Args)]
#[command(after_help = DATA_HELP)]
pub struct Arguments {
    /// The data
    #[arg(value_name = "FILE")]
    data: String,

    #[command(flatten)]
    columns: DataArguments,
}

/// Reads and describes.
pub fn run(arguments: &Arguments, console: &Console) -> Result<()> {
    let data = arguments.columns.read_any(&arguments.data, console)?;
    print(|out| describe(out, &data))
}

fn describe(out: &mut dyn Write, data: &Dataset) -> io::Result<()> {
    writeln!(out, "rows        {}", data.rows())?;
    writeln!(out, "attributes  {}", data.attributes().len())?;
    match data.class() {
        Some(class) => writeln!(out, "class       {} ({} levels)", class.name, class.levels.len())?,
        None => writeln!(out, "class       none")?,
    }
    if let Some(weights) = data.weights() {
        writeln!(out, "weight      {} in all", weights.iter().sum::<f64>())?;
    }
    if let Some(class) = data.class() {
        writeln!(out, "\n{}", classes(class).trim_fmt())?;
    }
    if !data.attributes().is_empty() {
        writeln!(out, "\n{}", columns(data.attributes()).trim_fmt())?;
    }
    if data.attributes().len() > MOST_COLUMNS {
        writeln!(out, "… and {} more columns", data.attributes().len() - MOST_COLUMNS)?;
    }
    Ok(())
}

fn classes(class: &Class) -> Table {
    let mut counts = vec![0_usize; class.levels.len()];
    let mut missing = 0;
    for &code in &class.codes {
        match counts.get_mut(usize::from(code)) {
            Some(count) if code != NO_CLASS => *count += 1,
            _ => missing += 1,
        }
    }
    let mut table = table(["class", "rows", "%"], 1..3);
    let share = |count: usize| percent(count, class.codes.len());
    for (level, &count) in class.levels.iter().zip(&counts).take(MOST_CLASSES) {
        table.add_row([level.clone(), count.to_string(), share(count)]);
    }
    if counts.len() > MOST_CLASSES {
        let rest: usize = counts[MOST_CLASSES..].iter().sum();
        table.add_row([format!("… {} more", counts.len() - MOST_CLASSES), rest.to_string(), share(rest)]);
    }
    if missing > 0 {
        table.add_row(["(missing)".to_string(), missing.to_string(), share(missing)]);
    }
    table
}

fn columns(columns: &[Column]) -> Table {
    let mut table = table(["column", "kind", "distinct", "missing %", "values"], 2..4);
    for column in columns.iter().take(MOST_COLUMNS) {
        let kind = match (column.is_sparse(), column.levels().is_some()) {
            (false, false) => "numeric",
            (false, true) => "nominal",
            (true, false) => "numeric, sparse",
            (true, true) => "nominal, sparse",
        };
        let (distinct, values) = contents(column);
        let missing = percent(column.missing_count(), column.len());
        table.add_row([column.name().to_string(), kind.to_string(), distinct.to_string(), missing, values]);
    }
    table
}

/// How many different values occur, and the range of numbers or the names of levels.
fn contents(column: &Column) -> (usize, String) {
    if let Some(levels) = column.levels() {
        let mut occurs = vec![false; levels.len()];
        for row in 0..column.len() {
            if let Value::Level(code) = column.value(row) {
                occurs[code as usize] = true;
            }
        }
        let more = if levels.len() > MOST_LEVELS { format!(", … ({} levels)", levels.len()) } else { String::new() };
        let names: Vec<&str> = levels.iter().take(MOST_LEVELS).map(String::as_str).collect();
        return (occurs.iter().filter(|&&occurs| occurs).count(), names.join(", ") + &more);
    }
    let mut numbers: Vec<f64> = (0..column.len())
        .filter_map(|row| match column.value(row) {
            Value::Number(number) => Some(number),
            _ => None,
        })
        .collect();
    numbers.sort_unstable_by(f64::total_cmp);
    numbers.dedup();
    match (numbers.first(), numbers.last()) {
        (Some(least), Some(most)) => (numbers.len(), format!("{least} to {most}")),
        _ => (0, String::new()),
    }
}

fn percent(part: usize, whole: usize) -> String {
    format!("{:.1}", 100.0 * part as f64 / whole.max(1) as f64)
}
