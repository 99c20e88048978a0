//! `quickset evaluate`: how well a model does on labelled data.

use std::io::{self, Write};
use std::time::Instant;

use anyhow::Result;
use clap::{Args, ValueEnum};
use quickset::Model;
use quickset::eval::{Evaluation, Tenth, evaluate};
use quickset::export::plot::{Believed, Look, ReliabilityDiagram};
use serde::Serialize;

use crate::input::{DATA_HELP, DataArguments};
use crate::output::{Console, check_place, deliver, print};

/// Compare a model's predictions with the classes in the data
#[derive(Args)]
#[command(after_help = DATA_HELP)]
pub struct Arguments {
    /// A model that `train --output` wrote
    #[arg(value_name = "MODEL")]
    model: String,

    /// Data with a class; columns are found by name
    #[arg(value_name = "DATA")]
    data: String,

    /// How the figures are printed
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,

    /// Draw how often predictions are right, by their probability, into this file
    #[arg(long, value_name = "FILE.svg")]
    reliability: Option<String>,

    #[command(flatten)]
    columns: DataArguments,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// The figures and the confusion matrix
    Text,
    /// One JSON object on one line
    Json,
}

/// The JSON document, stable for scripts.
#[derive(Serialize)]
struct Report {
    #[serde(flatten)]
    evaluation: Evaluation,
    seconds: Seconds,
}

#[derive(Serialize)]
struct Seconds {
    read: f64,
    /// Predicting the classes and nothing else.
    predict: f64,
}

/// Evaluates and prints.
pub fn run(arguments: &Arguments, console: &Console) -> Result<()> {
    check_place(arguments.reliability.as_deref())?;
    let model = Model::load(&arguments.model)?;
    let start = Instant::now();
    let data = arguments.columns.read_labelled(&arguments.data, &model.schema().class, console)?;
    let read = start.elapsed().as_secs_f64();
    let in_file = |error: quickset::Error| error.in_file(&arguments.data);
    let start = Instant::now();
    model.predict(&data).map_err(in_file)?;
    let predict = start.elapsed().as_secs_f64();
    let evaluation = evaluate(&model, &data).map_err(in_file)?;
    if let Some(path) = &arguments.reliability {
        let svg = diagram(&model.recipe().name, &evaluation).svg();
        deliver(Some(path), console, |out| out.write_all(svg.alone().as_bytes()))?;
    }
    print(|out| match arguments.format {
        Format::Text => print_figures(out, &evaluation)
            .and_then(|()| print_reliability(out, &evaluation))
            .and_then(|()| print_confusion(out, &evaluation)),
        Format::Json => {
            serde_json::to_writer(&mut *out, &Report { evaluation, seconds: Seconds { read, predict } })?;
            writeln!(out)
        }
    })
}

fn print_figures(out: &mut dyn Write, evaluation: &Evaluation) -> io::Result<()> {
    writeln!(out, "rows               {}", evaluation.rows)?;
    writeln!(out, "correct            {}", evaluation.correct)?;
    writeln!(out, "accuracy           {:.2} %", 100.0 * evaluation.accuracy)?;
    writeln!(out, "balanced accuracy  {:.2} %", 100.0 * evaluation.balanced_accuracy)?;
    writeln!(out, "log-loss           {:.4}", evaluation.log_loss)?;
    writeln!(out, "Brier score        {:.4}", evaluation.brier)?;
    match evaluation.auc {
        Some(auc) => writeln!(out, "AUC                {auc:.4}"),
        None => writeln!(out, "AUC                none: only one class occurs"),
    }
}

/// A line per tenth of the probabilities.
fn print_reliability(out: &mut dyn Write, evaluation: &Evaluation) -> io::Result<()> {
    if let Some(error) = evaluation.reliability.error() {
        writeln!(out, "calibration error  {error:.4}")?;
    }
    writeln!(out, "\nreliability: how often the predicted class is right, by the probability that it was given\n")?;
    writeln!(out, "probability    rows   mean  right")?;
    for Tenth { from, to, rows, probability, right } in &evaluation.reliability.tenths {
        writeln!(out, "{from:.1} to {to:.1} {:>7}  {probability:.3}  {right:.3}", amount(*rows))?;
    }
    Ok(())
}

fn diagram(name: &str, evaluation: &Evaluation) -> ReliabilityDiagram {
    let believed = Believed { name: name.into(), look: Look(0), groups: evaluation.reliability.groups() };
    let label = "The share of right predictions against their probability".to_string();
    ReliabilityDiagram { label, all: vec![believed], size: [560.0, 400.0] }
}

/// A line per true class and a column per predicted one. Columns are headed by letters, which stand beside the names
/// at the end of the lines: names may be long.
fn print_confusion(out: &mut dyn Write, evaluation: &Evaluation) -> io::Result<()> {
    let cells: Vec<Vec<String>> =
        evaluation.confusion.iter().map(|row| row.iter().map(|&weight| amount(weight)).collect()).collect();
    let letters: Vec<String> = (0..cells.len()).map(letter).collect();
    let width = cells.iter().flatten().chain(&letters).map(String::len).max().unwrap_or(1);
    let line = |fields: &[String]| fields.iter().map(|field| format!(" {field:>width$}")).collect::<String>();
    writeln!(out, "\nconfusion matrix: a line per true class, a column per predicted one\n")?;
    writeln!(out, "{}", line(&letters))?;
    for ((row, letter), class) in cells.iter().zip(&letters).zip(&evaluation.classes) {
        writeln!(out, "{} | {letter} = {class}", line(row))?;
    }
    Ok(())
}

/// A weight of rows: a count where it is whole.
fn amount(weight: f64) -> String {
    if weight.fract() == 0.0 { format!("{weight:.0}") } else { format!("{weight:.2}") }
}

/// a, b, …, z, aa, ab, …
fn letter(index: usize) -> String {
    let last = char::from(b'a' + (index % 26) as u8);
    if index < 26 { last.to_string() } else { format!("{}{last}", letter(index / 26 - 1)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_lettered_without_end() {
        let letters = [0, 1, 25, 26, 27, 51, 52, 701, 702].map(letter);
        assert_eq!(letters, ["a", "b", "z", "aa", "ab", "az", "ba", "zz", "aaa"]);
    }

    #[test]
    fn whole_weights_are_counts() {
        assert_eq!([0.0, 12.0, 1.25].map(amount), ["0", "12", "1.25"]);
    }

    #[test]
    fn the_confusion_matrix_lines_up() {
        let evaluation = Evaluation {
            rows: 12,
            correct: 11,
            accuracy: 11.0 / 12.0,
            balanced_accuracy: 0.9,
            log_loss: 0.1,
            brier: 0.1,
            auc: None,
            confusion: vec![vec![10.0, 0.0], vec![1.0, 1.0]],
            reliability: quickset::eval::Reliability::default(),
            classes: vec!["yes".into(), "no".into()],
        };
        let mut out = Vec::new();
        print_confusion(&mut out, &evaluation).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(text.ends_with("\n  a  b\n 10  0 | a = yes\n  1  1 | b = no\n"), "{text}");
    }
}
