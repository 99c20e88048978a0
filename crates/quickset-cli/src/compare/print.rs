//! The results in every format.

use std::io::{self, Write};

use quickset::eval::Cell;

use super::journal::{header, write_list};
use crate::table::table as new_table;

/// A line per cell.
pub fn csv(out: &mut dyn Write, cells: &[Cell]) -> io::Result<()> {
    writeln!(out, "{}", header(cells.iter().any(|cell| cell.share.is_some())))?;
    cells.iter().try_for_each(|cell| writeln!(out, "{}", cell.csv()))
}

/// One document.
pub fn json(out: &mut dyn Write, cells: &[Cell]) -> io::Result<()> {
    write!(out, "{{\"cells\":[")?;
    write_list(out, cells)?;
    writeln!(out, "\n]}}")
}

pub fn table(out: &mut dyn Write, cells: &[Cell]) -> io::Result<()> {
    let mut table = new_table(["dataset", "learner", "accuracy %", "leaves", "size", "train s", "folds"], 2..7);
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
