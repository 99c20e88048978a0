//! What the naive tree costs as data grow (Su and Zhang 2006: as naive Bayes, m·n).

use std::path::Path;

use anyhow::Result;
use quickset::data::generate::{Knobs, generate};
use quickset::export::page::Panel;
use quickset::export::plot::{Axis, Chart, Look, Point, Series, Spacing};

use super::report::{self, Report};
use super::timing::best;
use crate::output::Console;
use crate::progress::Progress;
use crate::recipe::{Entry, entries};

const LEARNERS: &str = "nt[bins.count=64],nt,c45,nb";
/// Rows at few attributes, and attributes at few rows.
const ROWS: [usize; 4] = [1_000, 10_000, 100_000, 1_000_000];
const ATTRIBUTES: [usize; 4] = [10, 100, 1_000, 10_000];
const FEW_ATTRIBUTES: usize = 20;
const FEW_ROWS: usize = 1_000;

/// Seconds of every learner on data of some size.
struct Measured {
    rows: usize,
    attributes: usize,
    seconds: Vec<f64>,
}

/// Makes the study. `sizes` limits how many sizes of each kind are tried.
pub fn run(output: Option<&Path>, sizes: Option<usize>, console: &Console) -> Result<Report> {
    let learners = entries(LEARNERS, 1)?;
    let labels: Vec<&str> = learners.iter().map(|entry| entry.label.as_str()).collect();
    // One thread: exponents of times on several would tell of the threads too.
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let sizes = sizes.unwrap_or(ROWS.len()).clamp(2, ROWS.len());
    let by_rows: Vec<_> = ROWS[..sizes].iter().map(|&rows| (rows, FEW_ATTRIBUTES)).collect();
    let by_attributes: Vec<_> = ATTRIBUTES[..sizes].iter().map(|&attributes| (FEW_ROWS, attributes)).collect();
    let progress =
        Progress::of_parts(by_rows.iter().chain(&by_attributes).map(|(m, n)| (m * n) as u64), console.is_quiet());
    let mut step = 0;
    let mut measure = |shapes: &[(usize, usize)]| -> Result<Vec<Measured>> {
        let mut found = Vec::new();
        for &(rows, attributes) in shapes {
            progress.say(format!("{rows} rows × {attributes} attributes"));
            let seconds = alone.install(|| time(rows, attributes, &learners))?;
            found.push(Measured { rows, attributes, seconds });
            step += 1;
            progress.reach(step - 1, 1.0);
        }
        Ok(found)
    };
    let (by_rows, by_attributes) = (measure(&by_rows)?, measure(&by_attributes)?);
    progress.finish();
    if let Some(folder) = output {
        report::write(folder, "raw.csv", &csv(&labels, by_rows.iter().chain(&by_attributes)))?;
    }
    Ok(tell(&labels, &by_rows, &by_attributes))
}

fn time(rows: usize, attributes: usize, learners: &[Entry]) -> Result<Vec<f64>> {
    let half = attributes / 2;
    let knobs = Knobs {
        rows: Some(rows),
        numeric: Some(half),
        nominal: Some(attributes - half),
        noise: Some(0.0),
        ..Knobs::default()
    };
    let data = generate("random-tree", &knobs)?.with_last_as_target()?;
    learners.iter().map(|entry| Ok(best(&entry.learner, &data)?.0.total)).collect()
}

fn csv<'a>(labels: &[&str], measured: impl Iterator<Item = &'a Measured>) -> String {
    let mut text = "rows,attributes,learner,seconds\n".to_string();
    for Measured { rows, attributes, seconds } in measured {
        for (label, seconds) in labels.iter().zip(seconds) {
            text += &format!("{rows},{attributes},{label},{seconds}\n");
        }
    }
    text
}

fn tell(labels: &[&str], by_rows: &[Measured], by_attributes: &[Measured]) -> Report {
    let mut report = Report::new(
        "What the naive tree costs as data grow",
        "Seconds of training on one thread, the best of several; half of the attributes numeric, half nominal, labels of \
         a hidden tree without noise. The paper (Su and Zhang 2006) says: time in proportion to rows × attributes, as \
         naive Bayes. The exponent is the slope of the logarithm of the time; 1 is in proportion.",
    );
    let of_rows = |measured: &Measured| measured.rows;
    let of_attributes = |measured: &Measured| measured.attributes;
    section(&mut report, labels, by_rows, &format!("Rows, {FEW_ATTRIBUTES} attributes"), "rows", of_rows);
    section(&mut report, labels, by_attributes, &format!("Attributes, {FEW_ROWS} rows"), "attributes", of_attributes);
    report
}

fn section(
    report: &mut Report,
    labels: &[&str],
    measured: &[Measured],
    heading: &str,
    what: &str,
    size: impl Fn(&Measured) -> usize,
) {
    report.section(heading);
    let mut header = vec![what];
    header.extend(labels);
    header.extend(["nt over nb", "c45 over nt"]);
    let of = |label: &str| labels.iter().position(|other| *other == label).unwrap_or(0);
    let mut rows: Vec<Vec<String>> = measured
        .iter()
        .map(|measured| {
            let seconds = &measured.seconds;
            let mut row = vec![size(measured).to_string()];
            row.extend(seconds.iter().map(|seconds| format!("{seconds:.6}")));
            let ratio = |a: &str, b: &str| format!("{:.2}", seconds[of(a)] / seconds[of(b)]);
            row.extend([ratio("nt", "nb"), ratio("c45", "nt")]);
            row
        })
        .collect();
    let mut exponents = vec!["exponent".to_string()];
    exponents.extend((0..labels.len()).map(|learner| {
        let points = measured.iter().map(|measured| (size(measured) as f64, measured.seconds[learner]));
        format!("{:.2}", exponent(points))
    }));
    exponents.extend([String::new(), String::new()]);
    rows.push(exponents);
    report.table(&header, rows, &[]);
    let series = |(learner, label): (usize, &&str)| Series {
        name: label.to_string(),
        look: Look(learner),
        points: measured
            .iter()
            .map(|measured| Point { x: size(measured) as f64, y: measured.seconds[learner], name: String::new() })
            .collect(),
        marks: true,
        line: true,
    };
    let chart = Chart {
        label: format!("seconds against {what}"),
        x: Axis::new(what, Spacing::Log),
        y: Axis::new("seconds", Spacing::Log),
        series: labels.iter().enumerate().map(series).collect(),
        size: [440.0, 330.0],
    };
    let legend = labels.iter().enumerate().map(|(learner, label)| (label.to_string(), Look(learner))).collect();
    report.plots(legend, vec![Panel { name: format!("Seconds against {what}"), svg: chart.svg() }]);
}

/// The slope of the line through the logarithms, by least squares.
fn exponent(points: impl Iterator<Item = (f64, f64)>) -> f64 {
    let points: Vec<(f64, f64)> = points.map(|(x, y)| (x.ln(), y.ln())).collect();
    let count = points.len() as f64;
    let (x, y) = points.iter().fold((0.0, 0.0), |(x, y), point| (x + point.0 / count, y + point.1 / count));
    let (above, below) = points.iter().fold((0.0, 0.0), |(above, below), point| {
        (above + (point.0 - x) * (point.1 - y), below + (point.0 - x).powi(2))
    });
    above / below
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exponent_of_a_power_is_found() {
        let power = |x: f64| (x, 3e-7 * x.powf(1.3));
        assert!((exponent([10.0, 100.0, 1e4].into_iter().map(power)) - 1.3).abs() < 1e-9);
    }
}
