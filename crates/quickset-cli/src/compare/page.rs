//! The results as an HTML page.

use std::io::{self, Write};

use quickset::eval::{Cell, Comparison, Figure, PairedTest, Summary, Verdict};
use quickset::export::page::{Column, Curve, Entry, Outcome, Ranks, Results, Stage, Table, Tone};

use super::print::{of_most_rows, points};
use crate::machine::command_line;

/// Writes the page. `facts` say how the comparison was made.
pub fn html(out: &mut dyn Write, cells: &[Cell], facts: Vec<(String, String)>) -> io::Result<()> {
    let compared = of_most_rows(cells);
    let comparison = Comparison::of(&compared);
    let results = Results {
        title: "Learners compared".into(),
        facts: all_facts(&comparison, facts),
        command: command_line(),
        table: table(&comparison),
        outcomes: comparison.summaries.iter().map(|summary| outcome(summary, &compared)).collect(),
        ranks: ranks(&comparison),
        reliability: comparison.reliability.iter().map(|of| (of.learner.clone(), of.tenths.clone())).collect(),
        curves: curves(cells),
        notes: notes(cells, &compared),
    };
    out.write_all(results.page().html().as_bytes())
}

fn all_facts(comparison: &Comparison, facts: Vec<(String, String)>) -> Vec<(String, String)> {
    let named = |names: &[String]| format!("{}: {}", names.len(), names.join(", "));
    let mut all = vec![
        ("data sets".to_string(), named(&comparison.datasets)),
        ("learners".to_string(), named(&comparison.learners)),
    ];
    all.extend(facts);
    all
}

fn table(comparison: &Comparison) -> Table {
    let first = &comparison.learners[0];
    let mut columns = vec![Column::words("data set"), Column::words("learner")];
    columns.extend(Figure::ALL.map(|figure| Column::figures(figure.label(), meaning(figure))));
    columns.push(Column::figures("folds", "folds that were tested, over all runs"));
    Table {
        explanation: format!(
            "Mean ± standard deviation over the folds of all runs. Bold is the best mean of a data set; ▲ is more and ▼ less \
             accurate than {first} by the corrected resampled t-test at {}.",
            comparison.alpha
        ),
        columns,
        rows: (0..comparison.datasets.len())
            .flat_map(|set| (0..comparison.learners.len()).map(move |learner| (set, learner)))
            .map(|(set, learner)| row(comparison, set, learner))
            .collect(),
    }
}

fn row(comparison: &Comparison, set: usize, learner: usize) -> Vec<Entry> {
    let summary = comparison.summary(set, learner);
    let mean = |learner: usize, figure| comparison.summary(set, learner).figures.get(figure).map(|spread| spread.mean);
    let best = (0..comparison.learners.len()).filter_map(|other| mean(other, Figure::Accuracy)).fold(0.0, f64::max);
    let mut row = vec![Entry::words(&summary.dataset), Entry::words(&summary.learner)];
    for figure in Figure::ALL {
        let Some(spread) = summary.figures.get(figure) else {
            let failed = summary.failed == summary.cells && figure == Figure::Accuracy;
            row.push(if failed { Entry::words("failed").toned(Tone::Failed) } else { Entry::words("–") });
            continue;
        };
        let digits = figure.digits();
        let deviation = spread.deviation.map_or(String::new(), |deviation| format!(" ± {deviation:.digits$}"));
        let entry = Entry::figure(&format!("{:.digits$}{deviation}", spread.mean), spread.mean);
        let tone = match comparison.verdict(PairedTest::Corrected, set, learner, 0) {
            _ if figure != Figure::Accuracy => Tone::Plain,
            Some(Verdict::Win) => Tone::Better,
            Some(Verdict::Loss) => Tone::Worse,
            _ if spread.mean >= best => Tone::Best,
            _ => Tone::Plain,
        };
        row.push(entry.toned(tone));
    }
    let done = summary.cells - summary.failed;
    let folds = if summary.failed == 0 { done.to_string() } else { format!("{done} of {}", summary.cells) };
    row.push(Entry::figure(&folds, done as f64));
    row
}

/// What a figure is, for a newcomer.
fn meaning(figure: Figure) -> &'static str {
    match figure {
        Figure::Accuracy => "percent of the rows predicted rightly",
        Figure::BalancedAccuracy => "the same for every class by itself, averaged over the classes",
        Figure::LogLoss => "mean of −ln of the probability given to the true class: smaller is better",
        Figure::Brier => "mean squared error of the probabilities, from 0 to 2: smaller is better",
        Figure::Auc => "area under the ROC curve: 0.5 is chance, 1 is perfect",
        Figure::Leaves => "leaves of the tree",
        Figure::Size => "nodes of the tree, leaves included",
        Figure::Depth => "tests on the longest path",
        Figure::TrainSeconds => "seconds of training",
        Figure::PredictSeconds => "seconds of predicting the rows of a fold",
    }
}

fn outcome(summary: &Summary, cells: &[Cell]) -> Outcome {
    let mean = |figure| summary.figures.get(figure).map(|spread| spread.mean);
    let own = cells.iter().filter(|cell| cell.dataset == summary.dataset && cell.learner == summary.learner);
    Outcome {
        dataset: summary.dataset.clone(),
        learner: summary.learner.clone(),
        accuracies: own.filter_map(|cell| cell.accuracy).collect(),
        size: mean(Figure::Size),
        seconds: mean(Figure::TrainSeconds),
    }
}

fn ranks(comparison: &Comparison) -> Option<Ranks> {
    let overall = comparison.overall.as_ref()?;
    let ranking = overall.ranking.as_ref()?;
    let learners: Vec<(String, f64)> =
        overall.learners.iter().filter_map(|standing| Some((standing.learner.clone(), standing.mean_rank?))).collect();
    let place = |name: &String| learners.iter().position(|(learner, _)| learner == name);
    let groups = ranking.groups.iter().map(|group| group.iter().filter_map(place).collect()).collect();
    Some(Ranks {
        datasets: overall.datasets.len(),
        critical_difference: Some(ranking.critical_difference),
        groups,
        friedman_p: Some(ranking.friedman.f_p),
        learners,
    })
}

fn curves(cells: &[Cell]) -> Vec<Curve> {
    if cells.iter().all(|cell| cell.share.is_none()) {
        return Vec::new();
    }
    let mut curves: Vec<Curve> = Vec::new();
    for point in points(cells) {
        let stage = Stage {
            rows: training_rows(cells, &point.dataset) * point.share / 100.0,
            accuracy: point.accuracy.map(|spread| spread.mean),
            leaves: point.leaves.map(|spread| spread.mean),
            seconds: point.train_seconds.map(|spread| spread.mean),
        };
        match curves.last_mut().filter(|curve| (&curve.dataset, &curve.learner) == (&point.dataset, &point.learner)) {
            Some(curve) => curve.stages.push(stage),
            None => curves.push(Curve { dataset: point.dataset, learner: point.learner, stages: vec![stage] }),
        }
    }
    curves
}

/// How many rows a fold leaves for training, in the mean.
fn training_rows(cells: &[Cell], dataset: &str) -> f64 {
    let Some(first) = cells.iter().find(|cell| cell.dataset == dataset) else { return 0.0 };
    let one_run = |cell: &&Cell| {
        (cell.dataset.as_str(), &cell.learner, cell.run, cell.share)
            == (dataset, &first.learner, first.run, first.share)
    };
    let (rows, folds) = cells.iter().filter(one_run).fold((0, 0), |(rows, folds), cell| (rows + cell.rows, folds + 1));
    rows as f64 * (folds as f64 - 1.0) / folds as f64
}

fn notes(cells: &[Cell], compared: &[Cell]) -> Vec<String> {
    let mut notes = Vec::new();
    if compared.len() < cells.len() {
        notes.push(
            "The table and the plots before the learning curves are of the largest share of the training rows.".into(),
        );
    }
    let failed: Vec<&Cell> = cells.iter().filter(|cell| !cell.is_ok()).collect();
    if let Some(Cell { dataset, learner, run, fold, status, .. }) = failed.first() {
        let more = failed.len() - 1;
        let more = if more > 0 { format!(" ({more} more folds failed)") } else { String::new() };
        notes.push(format!("{dataset}, {learner}, run {run}, fold {fold} {status}{more}"));
    }
    notes
}
