//! Whether a node's best split may be chance: tested by the score that ranked it.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::candidates::Candidate;
use super::rows::NodeRows;
use super::split_of;
use super::task::Task;
use crate::measure::{ChiSquared, Hypergeometric, SMALL, Table, total};
use crate::model::Unknown;
use crate::recipe::{Recipe, Score, StopMode};

/// Logarithms nearer than this are equal: P0 of three rows against three is 1/20, and that is not above 0.05.
const SLACK: f64 = 1e-9;

/// Tests by kind. Sums, so that the order of the nodes does not matter.
#[derive(Default)]
pub(crate) struct Tally {
    points: AtomicUsize,
    tails: AtomicUsize,
    /// Tails by the χ² distribution.
    approximated: AtomicUsize,
    /// Those of them whose expected counts are too small for it.
    inadmissible: AtomicUsize,
}

impl Tally {
    /// What is to be said of the tests of a run.
    pub fn notes(&self, recipe: &Recipe) -> Vec<String> {
        let [points, tails, approximated, inadmissible] =
            [&self.points, &self.tails, &self.approximated, &self.inadmissible].map(|n| n.load(Ordering::Relaxed));
        let mut notes = Vec::new();
        let auto = recipe.stop.significance.as_ref().is_some_and(|level| level.mode == StopMode::Auto);
        if auto && recipe.score == Score::Hypergeometric && points + tails > 0 {
            notes.push(format!(
                "stop.mode=auto made {points} tests by the point and, where more than 1000 rows were, {tails} by the tail"
            ));
        }
        if inadmissible > 0 {
            let what = match recipe.score {
                Score::G2 => "g2",
                Score::Hypergeometric => "chi2, which stands for the tail of larger tables,",
                _ => "chi2",
            };
            notes.push(format!(
                "{what} was not admissible at {inadmissible} of {approximated} tests: an expected count was below 1, or more \
                 than one in five below 5"
            ));
        }
        notes
    }

    fn count(counter: &AtomicUsize) {
        counter.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts a tail by the χ² distribution.
    fn approximate(&self, table: &Table) {
        Self::count(&self.approximated);
        if !ChiSquared.is_admissible(table) {
            Self::count(&self.inadmissible);
        }
    }
}

/// Whether what ranks higher is never likelier to be chance, so that the test of the best decides for all. Tails and
/// ratios of tables of different shape need not follow the probabilities of the tables.
pub(crate) fn follows_ranks(task: &Task<'_>, node: &NodeRows<'_>) -> bool {
    let mode = task.recipe.stop.significance.as_ref().map(|level| level.mode.at(total(&node.class_weights)));
    task.recipe.score != Score::Hypergeometric || !matches!(mode, Some(StopMode::Tail | StopMode::Ratio))
}

/// Whether the best of the `tried` splits is unlikely enough, where the recipe asks.
pub(crate) fn passes(task: &Task<'_>, node: &NodeRows<'_>, winner: &Candidate, tried: usize) -> bool {
    let Some(level) = &task.recipe.stop.significance else { return true };
    let ln_p = match task.recipe.score {
        Score::Hypergeometric => hypergeometric(task, node, winner, level.mode.at(total(&node.class_weights))),
        _ => {
            task.tally.approximate(&table(task, node, winner));
            -winner.score
        }
    };
    let trials = if level.bonferroni { (tried as f64).ln() } else { 0.0 };
    ln_p + trials <= level.p.ln() + SLACK
}

fn hypergeometric(task: &Task<'_>, node: &NodeRows<'_>, winner: &Candidate, mode: StopMode) -> f64 {
    match mode {
        // The score is −ln P0.
        StopMode::Auto | StopMode::Point => {
            Tally::count(&task.tally.points);
            -winner.score
        }
        StopMode::Tail => {
            Tally::count(&task.tally.tails);
            let table = table(task, node, winner);
            if !Hypergeometric.has_exact_tail(&table) {
                task.tally.approximate(&table);
            }
            Hypergeometric.ln_tail(&table)
        }
        StopMode::Ratio => Hypergeometric.ln_ratio(&table(task, node, winner)),
    }
}

/// The table of a split at a node. Branches without rows are left out: an attribute may have many more levels than the
/// node has rows.
fn table(task: &Task<'_>, node: &NodeRows<'_>, winner: &Candidate) -> Table {
    let split = split_of(task, winner);
    let column = &task.data.attributes()[winner.attribute];
    let branch = |&row: &u32| match (split.branch(column.value(row as usize)), winner.unknown) {
        (Some(branch), _) | (None, Unknown::Branch(branch)) => Some(branch),
        (None, Unknown::Fractions) => None,
    };
    let of_rows: Vec<Option<usize>> = node.rows.iter().map(branch).collect();
    let mut held: Vec<usize> = of_rows.iter().flatten().copied().collect();
    held.sort_unstable();
    held.dedup();
    let mut cells = vec![0.0; held.len() * task.class_count];
    let mut missing = 0.0;
    for (at, (&row, branch)) in node.rows.iter().zip(of_rows).enumerate() {
        let weight = node.weights.as_ref().map_or(1.0, |weights| weights[at]);
        match branch {
            Some(branch) => {
                let place = held.partition_point(|&other| other < branch);
                cells[place * task.class_count + usize::from(task.classes[row as usize])] += weight;
            }
            None => missing += weight,
        }
    }
    Table::new(task.class_count, cells, if missing < SMALL { 0.0 } else { missing })
}
