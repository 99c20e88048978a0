//! Learners over all data sets: means, ranks, and whether the ranks differ.

use serde::Serialize;

use super::comparison::Summary;
use super::ranks::{Friedman, critical_difference, groups, mean_ranks};
use super::summary::{Figure, Spread, Spreads};

/// Learners over the data sets that all of them finished, so that all are judged by the same.
///
/// A learner that finished on no set at all is left out first.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Overall {
    /// The sets on which every learner finished a fold.
    pub datasets: Vec<String>,
    /// The sets on which some learner finished none.
    pub datasets_left_out: Vec<String>,
    /// The learners that finished a fold somewhere.
    pub learners: Vec<Standing>,
    /// The learners that finished nowhere.
    pub learners_left_out: Vec<String>,
    /// What the ranks say, where there are at least two learners and two sets.
    pub ranking: Option<Ranking>,
}

/// One learner over the data sets.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Standing {
    /// The learner.
    pub learner: String,
    /// The mean rank of its mean accuracy, 1 for the best.
    pub mean_rank: Option<f64>,
    /// The spread, over the sets on which all learners have the figure, of its means.
    pub figures: Spreads,
}

/// Whether learners differ by the ranks of their mean accuracies (Demšar 2006).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ranking {
    /// Whether they differ at all.
    pub friedman: Friedman,
    /// Two differ if their mean ranks lie at least this far apart (Nemenyi's test).
    pub critical_difference: f64,
    /// The largest groups in which no two differ so, from the best rank on.
    pub groups: Vec<Vec<String>>,
}

impl Overall {
    /// The learners over data sets; there is a row for each set, all with the same learners.
    pub(super) fn of(rows: &[&[Summary]], alpha: f64) -> Self {
        let mean = |summary: &Summary, figure| summary.figures.get(figure).map(|spread: &Spread| spread.mean);
        let finished = |summary: &Summary| mean(summary, Figure::Accuracy).is_some();
        let learners = rows.first().map_or(0, |row| row.len());
        let (kept, out): (Vec<usize>, Vec<usize>) =
            (0..learners).partition(|&learner| rows.iter().any(|row| finished(&row[learner])));
        let (shared, partial): (Vec<&[Summary]>, Vec<&[Summary]>) =
            rows.iter().partition(|row| !kept.is_empty() && kept.iter().all(|&learner| finished(&row[learner])));

        // By set, then by learner, of the sets where all learners have the figure.
        let table = |figure: Figure| -> Vec<Vec<f64>> {
            shared.iter().filter_map(|row| kept.iter().map(|&learner| mean(&row[learner], figure)).collect()).collect()
        };
        let tables = Figure::ALL.map(table);
        let accuracies = &tables[Figure::Accuracy as usize];
        let ranks = mean_ranks(accuracies, Figure::Accuracy.better());
        let name = |learner: usize| rows[0][learner].learner.clone();
        let ranking = || {
            let friedman = Friedman::of(&ranks, shared.len())?;
            let critical_difference = critical_difference(kept.len(), shared.len(), alpha)?;
            let groups = groups(&ranks, critical_difference).into_iter();
            let groups = groups.map(|group| group.into_iter().map(|place| name(kept[place])).collect()).collect();
            Some(Ranking { friedman, critical_difference, groups })
        };
        let standing = |(place, &learner): (usize, &usize)| Standing {
            learner: name(learner),
            mean_rank: ranks.get(place).copied(),
            figures: Spreads::of(|figure| tables[figure as usize].iter().map(|means| means[place]).collect()),
        };
        let names = |rows: &[&[Summary]]| rows.iter().map(|row| row[0].dataset.clone()).collect();
        Overall {
            datasets: names(&shared),
            datasets_left_out: names(&partial),
            ranking: ranking(),
            learners: kept.iter().enumerate().map(standing).collect(),
            learners_left_out: out.into_iter().map(name).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::comparison::Comparison;
    use super::super::testing::cell;
    use super::*;
    use crate::eval::Cell;

    /// Two folds with these mean accuracies, by set and learner.
    fn cells(table: &[[Option<f64>; 3]]) -> Vec<Cell> {
        let mut cells = Vec::new();
        for (set, row) in table.iter().enumerate() {
            for (learner, accuracy) in ["a", "b", "c"].into_iter().zip(row) {
                let cell = |fold, by| cell(&format!("d{set}"), learner, 1, fold, accuracy.map(|mean| mean + by));
                cells.extend([cell(1, 1.0), cell(2, -1.0)]);
            }
        }
        cells
    }

    #[test]
    fn learners_are_ranked_over_the_sets_that_all_finished() {
        let table =
            [[Some(90.0), Some(80.0), Some(70.0)], [Some(60.0), Some(50.0), Some(60.0)], [Some(99.0), None, Some(1.0)]];
        let overall = Comparison::of(&cells(&table)).overall.unwrap();
        assert_eq!(overall.datasets, ["d0", "d1"]);
        assert_eq!(overall.datasets_left_out, ["d2"]);
        assert!(overall.learners_left_out.is_empty());
        let ranks: Vec<f64> = overall.learners.iter().map(|standing| standing.mean_rank.unwrap()).collect();
        assert_eq!(ranks, [1.25, 2.5, 2.25]);
        let means = overall.learners.iter().map(|standing| standing.figures.get(Figure::Accuracy).unwrap().mean);
        assert_eq!(means.collect::<Vec<_>>(), [75.0, 65.0, 65.0]);
        let ranking = overall.ranking.unwrap();
        assert_eq!(ranking.groups, [["a", "c", "b"]]);
        // 2.3437 sqrt(3 · 4 / 12)
        assert!((ranking.critical_difference - 2.3437).abs() < 1e-4);
    }

    #[test]
    fn a_learner_that_finished_nowhere_is_left_out() {
        let table = [[Some(90.0), None, Some(70.0)], [Some(60.0), None, Some(50.0)]];
        let overall = Comparison::of(&cells(&table)).overall.unwrap();
        assert_eq!(overall.learners_left_out, ["b"]);
        assert_eq!((overall.learners.len(), overall.datasets.len()), (2, 2));
        assert!(overall.datasets_left_out.is_empty());
        // Both sets rank the two alike.
        assert_eq!(overall.ranking.unwrap().friedman.f, None);
    }

    #[test]
    fn with_too_little_there_are_no_ranks() {
        let overall = |table: &[_]| Comparison::of(&cells(table)).overall;
        assert_eq!(overall(&[[Some(1.0); 3]]), None);
        let nothing = overall(&[[None; 3]; 2]).unwrap();
        assert_eq!((nothing.datasets_left_out.len(), nothing.learners_left_out.len()), (2, 3));
        assert!(nothing.learners.is_empty() && nothing.ranking.is_none());
        let one = overall(&[[Some(90.0), Some(80.0), Some(70.0)], [Some(90.0), None, None]]).unwrap();
        assert_eq!((one.datasets.len(), one.datasets_left_out.len(), one.ranking), (1, 1, None));
        assert_eq!(overall(&[[Some(90.0), None, None]; 2]).unwrap().ranking, None);
    }
}
