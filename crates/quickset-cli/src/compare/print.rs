//! The results in every format.

use std::collections::HashMap;
use std::io::{self, Write};

use quickset::eval::{Cell, Comparison, Figure, Spread};
use quickset::export::comparison_text;

use super::journal::{Shape, write_cells, write_list};
use crate::table::table as new_table;

/// A line per cell.
pub fn csv(out: &mut dyn Write, cells: &[Cell]) -> io::Result<()> {
    write_cells(out, Shape::Csv { curve: is_curve(cells) }, cells)
}

/// One document: the cells, a line each, and what they say together.
pub fn json(out: &mut dyn Write, cells: &[Cell]) -> io::Result<()> {
    write!(out, "{{\"quickset\":\"{}\",\"cells\":[", env!("CARGO_PKG_VERSION"))?;
    write_list(out, cells)?;
    let curve =
        if is_curve(cells) { format!(",\"curve\":{}", serde_json::to_string(&points(cells))?) } else { String::new() };
    let comparison = serde_json::to_string(&Comparison::of(&of_most_rows(cells)))?;
    writeln!(out, "\n]{curve},\"comparison\":{comparison}}}")
}

/// Means and spreads, and tests of the differences; a learning curve first.
pub fn table(out: &mut dyn Write, cells: &[Cell]) -> io::Result<()> {
    if is_curve(cells) {
        writeln!(out, "{}\n", curve_table(cells))?;
        writeln!(out, "With {} % of the training rows:\n", most(cells).unwrap_or(100.0))?;
    }
    write!(out, "{}", comparison_text(&Comparison::of(&of_most_rows(cells))))
}

/// A learner on a data set, trained on a share of the rows.
#[derive(serde::Serialize)]
pub struct Point {
    /// The data's name.
    pub dataset: String,
    /// The learner as the user wrote it.
    pub learner: String,
    /// Percent of the training rows.
    pub share: f64,
    /// Percent predicted rightly.
    pub accuracy: Option<Spread>,
    /// Leaves of the tree.
    pub leaves: Option<Spread>,
    /// Seconds of training.
    pub train_seconds: Option<Spread>,
}

/// The points of all learning curves: by data set and learner in order of appearance, then by share.
pub fn points(cells: &[Cell]) -> Vec<Point> {
    let mut places: HashMap<(&str, &str, u64), usize> = HashMap::new();
    let mut groups: Vec<Vec<&Cell>> = Vec::new();
    for cell in cells {
        let place = (cell.dataset.as_str(), cell.learner.as_str(), cell.share.unwrap_or(100.0).to_bits());
        let at = *places.entry(place).or_insert_with(|| {
            groups.push(Vec::new());
            groups.len() - 1
        });
        groups[at].push(cell);
    }
    groups.into_iter().map(|group| point(&group)).collect()
}

fn point(group: &[&Cell]) -> Point {
    let spread = |figure: Figure| Spread::of(&group.iter().filter_map(|cell| figure.of(cell)).collect::<Vec<_>>());
    Point {
        dataset: group[0].dataset.clone(),
        learner: group[0].learner.clone(),
        share: group[0].share.unwrap_or(100.0),
        accuracy: spread(Figure::Accuracy),
        leaves: spread(Figure::Leaves),
        train_seconds: spread(Figure::TrainSeconds),
    }
}

fn curve_table(cells: &[Cell]) -> String {
    let mut table = new_table(["dataset", "learner", "training rows %", "accuracy %", "leaves", "train s"], 2..6);
    for point in points(cells) {
        table.add_row([
            point.dataset,
            point.learner,
            point.share.to_string(),
            shown(point.accuracy, 2),
            shown(point.leaves, 1),
            shown(point.train_seconds, 6),
        ]);
    }
    table.trim_fmt()
}

fn shown(spread: Option<Spread>, digits: usize) -> String {
    let Some(Spread { mean, deviation, .. }) = spread else { return "-".into() };
    deviation.map_or(format!("{mean:.digits$}"), |deviation| format!("{mean:.digits$} ± {deviation:.digits$}"))
}

fn is_curve(cells: &[Cell]) -> bool {
    cells.iter().any(|cell| cell.share.is_some())
}

fn most(cells: &[Cell]) -> Option<f64> {
    cells.iter().filter_map(|cell| cell.share).max_by(f64::total_cmp)
}

/// The cells to compare learners by: those of a learning curve's end, or all.
pub fn of_most_rows(cells: &[Cell]) -> Vec<Cell> {
    let most = most(cells);
    cells.iter().filter(|cell| cell.share == most).cloned().collect()
}
