//! What a comparison of learners found: the cells of a cross-validation, summed up and tested.

use std::collections::HashMap;

use serde::Serialize;

use super::cross_validation::Cell;
use super::overall::Overall;
use super::paired::{Paired, PairedTest, Tally, Verdict, difference};
use super::reliability::Reliability;
use super::summary::{Figure, Spreads};

/// The level of significance of all tests.
const ALPHA: f64 = 0.05;

/// The finished result of a comparison, in the form in which it is printed or written.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// The level of significance at which wins and differences are told.
    pub alpha: f64,
    /// The data sets, in the order of their first cells.
    pub datasets: Vec<String>,
    /// The learners, in the order of their first cells.
    pub learners: Vec<String>,
    /// Every learner on every data set: set by set, and the learners in their order.
    pub summaries: Vec<Summary>,
    /// Every two learners on every data set: set by set, and each learner against those behind it.
    pub contrasts: Vec<Contrast>,
    /// Every learner against every other, over the data sets.
    pub records: Vec<Record>,
    /// The learners over all data sets, where there are at least two of these.
    pub overall: Option<Overall>,
    /// How often the learners' predictions were right, by their probability: over all folds of all sets. Empty where the
    /// cells do not tell.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reliability: Vec<Believability>,
}

/// How often a learner's predictions were right.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Believability {
    /// The learner.
    pub learner: String,
    /// By their probability.
    pub tenths: Reliability,
    /// The mean distance between probability and share.
    pub error: f64,
}

/// One learner on one data set.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// The data set.
    pub dataset: String,
    /// The learner.
    pub learner: String,
    /// How many runs and folds were tried.
    pub cells: usize,
    /// In how many of them the learner failed.
    pub failed: usize,
    /// How the figures of the others spread.
    pub figures: Spreads,
}

/// The accuracies of two learners on the same folds of one data set, in points of percent. The tests are absent with
/// fewer than two folds.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Contrast {
    /// The data set.
    pub dataset: String,
    /// The learner that wins where the difference is positive.
    pub first: String,
    /// The other learner.
    pub second: String,
    /// The runs and folds that both finished.
    pub cells: usize,
    /// Test rows for each training row, the mean over the folds of the data set. Absent where a run has one fold only.
    pub test_over_train: Option<f64>,
    /// The plain paired t-test.
    pub plain: Option<Paired>,
    /// The corrected resampled t-test.
    pub corrected: Option<Paired>,
}

/// On how many data sets a learner beat another. Sets without a test are not counted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Record {
    /// The learner that wins.
    pub learner: String,
    /// The learner that it beats.
    pub against: String,
    /// By the plain paired t-test.
    pub plain: Tally,
    /// By the corrected resampled t-test.
    pub corrected: Tally,
}

impl Comparison {
    /// Sums up the cells of a cross-validation. Learners are paired by run and fold, in whatever order the cells are.
    pub fn of(cells: &[Cell]) -> Self {
        let grid = Grid::of(cells);
        let (datasets, learners) = (grid.datasets.list.len(), grid.learners.list.len());
        let mut summaries = Vec::with_capacity(datasets * learners);
        let mut contrasts = Vec::with_capacity(datasets * pairs(learners));
        for dataset in 0..datasets {
            let ratio = grid.test_over_train(dataset);
            for learner in 0..learners {
                summaries.push(grid.summary(dataset, learner));
                contrasts.extend((learner + 1..learners).map(|other| grid.contrast(dataset, learner, other, ratio)));
            }
        }
        let rows: Vec<&[Summary]> = summaries.chunks(learners.max(1)).collect();
        let overall = (datasets > 1).then(|| Overall::of(&rows, ALPHA));
        let reliability = believed(cells, &grid.learners.list);
        let names = |names: Names<'_>| names.list.into_iter().map(String::from).collect();
        let mut comparison = Comparison {
            alpha: ALPHA,
            datasets: names(grid.datasets),
            learners: names(grid.learners),
            summaries,
            contrasts,
            records: Vec::new(),
            overall,
            reliability,
        };
        comparison.records = comparison.records();
        comparison
    }

    /// One learner on one data set, by their places in [`Comparison::datasets`] and [`Comparison::learners`]. Panics where
    /// there is no such place.
    pub fn summary(&self, dataset: usize, learner: usize) -> &Summary {
        assert!(learner < self.learners.len(), "learner {learner} of {}", self.learners.len());
        &self.summaries[dataset * self.learners.len() + learner]
    }

    /// What a test says of a learner against another on a data set, by their places. `None` where it cannot be made.
    pub fn verdict(&self, test: PairedTest, dataset: usize, learner: usize, against: usize) -> Option<Verdict> {
        let (first, second) = (learner.min(against), learner.max(against));
        let learners = self.learners.len();
        if first == second || second >= learners {
            return None;
        }
        // Before those of `first` are the pairs of the learners ahead of it.
        let place = pairs(learners) - pairs(learners - first) + (second - first - 1);
        let verdict = self.contrasts.get(dataset * pairs(learners) + place)?.by(test)?.verdict(self.alpha);
        Some(if learner == first { verdict } else { verdict.reversed() })
    }

    fn records(&self) -> Vec<Record> {
        let tally = |test, learner, against| {
            (0..self.datasets.len()).filter_map(|dataset| self.verdict(test, dataset, learner, against)).collect()
        };
        let places = 0..self.learners.len();
        let ordered = places.clone().flat_map(|learner| places.clone().map(move |against| (learner, against)));
        let record = |(learner, against): (usize, usize)| Record {
            learner: self.learners[learner].clone(),
            against: self.learners[against].clone(),
            plain: tally(PairedTest::Plain, learner, against),
            corrected: tally(PairedTest::Corrected, learner, against),
        };
        ordered.filter(|(learner, against)| learner != against).map(record).collect()
    }
}

impl Contrast {
    /// The result of one of the tests.
    pub fn by(&self, test: PairedTest) -> Option<&Paired> {
        match test {
            PairedTest::Plain => self.plain.as_ref(),
            PairedTest::Corrected => self.corrected.as_ref(),
        }
    }
}

fn believed(cells: &[Cell], learners: &[&str]) -> Vec<Believability> {
    let of_learner = |learner: &&str| {
        let own = cells.iter().filter(|cell| cell.learner == **learner);
        let tenths = Reliability::merged(own.filter_map(|cell| cell.reliability.as_ref()));
        Some(Believability { learner: learner.to_string(), error: tenths.error()?, tenths })
    };
    learners.iter().filter_map(of_learner).collect()
}

/// How many pairs so many learners make.
fn pairs(learners: usize) -> usize {
    learners * learners.saturating_sub(1) / 2
}

/// Names in the order in which they were first met.
#[derive(Default)]
struct Names<'a> {
    list: Vec<&'a str>,
    places: HashMap<&'a str, usize>,
}

impl<'a> Names<'a> {
    fn place(&mut self, name: &'a str) -> usize {
        *self.places.entry(name).or_insert_with(|| {
            self.list.push(name);
            self.list.len() - 1
        })
    }
}

/// The cells by data set and learner, each group in the order of runs and folds.
struct Grid<'a> {
    datasets: Names<'a>,
    learners: Names<'a>,
    groups: Vec<Vec<&'a Cell>>,
}

impl<'a> Grid<'a> {
    fn of(cells: &'a [Cell]) -> Self {
        let (mut datasets, mut learners) = (Names::default(), Names::default());
        let places: Vec<(usize, usize)> =
            cells.iter().map(|cell| (datasets.place(&cell.dataset), learners.place(&cell.learner))).collect();
        let mut groups: Vec<Vec<&Cell>> = vec![Vec::new(); datasets.list.len() * learners.list.len()];
        for (cell, (dataset, learner)) in cells.iter().zip(places) {
            groups[dataset * learners.list.len() + learner].push(cell);
        }
        groups.iter_mut().for_each(|group| group.sort_by_key(|cell| (cell.run, cell.fold)));
        Grid { datasets, learners, groups }
    }

    fn group(&self, dataset: usize, learner: usize) -> &[&'a Cell] {
        &self.groups[dataset * self.learners.list.len() + learner]
    }

    fn summary(&self, dataset: usize, learner: usize) -> Summary {
        let group = self.group(dataset, learner);
        Summary {
            dataset: self.datasets.list[dataset].to_string(),
            learner: self.learners.list[learner].to_string(),
            cells: group.len(),
            failed: group.iter().filter(|cell| !cell.is_ok()).count(),
            figures: Spreads::of(|figure| group.iter().filter_map(|cell| figure.of(cell)).collect()),
        }
    }

    /// The mean over the folds of their rows by the rows of the run's other folds. What a learner failed on counts: its
    /// rows were divided too.
    fn test_over_train(&self, dataset: usize) -> Option<f64> {
        let learners = self.learners.list.len();
        let mut folds: Vec<&Cell> = (0..learners).flat_map(|learner| self.group(dataset, learner)).copied().collect();
        folds.sort_by_key(|cell| (cell.run, cell.fold));
        folds.dedup_by_key(|cell| (cell.run, cell.fold));
        let mut ratios = Vec::with_capacity(folds.len());
        for run in folds.chunk_by(|a, b| a.run == b.run) {
            let rows: f64 = run.iter().map(|cell| cell.rows as f64).sum();
            let ratio = |cell: &&Cell| cell.rows as f64 / (rows - cell.rows as f64);
            ratios.extend(run.iter().map(ratio).filter(|ratio| ratio.is_finite()));
        }
        (!ratios.is_empty()).then(|| ratios.iter().sum::<f64>() / ratios.len() as f64)
    }

    fn contrast(&self, dataset: usize, first: usize, second: usize, test_over_train: Option<f64>) -> Contrast {
        let differences = differences(self.group(dataset, first), self.group(dataset, second));
        Contrast {
            dataset: self.datasets.list[dataset].to_string(),
            first: self.learners.list[first].to_string(),
            second: self.learners.list[second].to_string(),
            cells: differences.len(),
            test_over_train,
            plain: PairedTest::Plain.of(&differences, 0.0),
            corrected: test_over_train.and_then(|ratio| PairedTest::Corrected.of(&differences, ratio)),
        }
    }
}

/// First less second in accuracy on the runs and folds that both finished. Both are in the order of runs and folds.
fn differences(first: &[&Cell], second: &[&Cell]) -> Vec<f64> {
    let mut others = second.iter().peekable();
    let mut differences = Vec::with_capacity(first.len());
    for cell in first {
        let place = (cell.run, cell.fold);
        while others.next_if(|other| (other.run, other.fold) < place).is_some() {}
        if let Some(other) = others.next_if(|other| (other.run, other.fold) == place)
            && let (Some(one), Some(two)) = (Figure::Accuracy.of(cell), Figure::Accuracy.of(other))
        {
            differences.push(difference(one, two));
        }
    }
    differences
}

#[cfg(test)]
mod tests {
    use super::super::testing::cell;
    use super::*;
    use proptest::prelude::*;

    fn series(dataset: &str, learner: &str, accuracies: &[Option<f64>]) -> Vec<Cell> {
        let cell = |(index, &accuracy): (usize, &_)| cell(dataset, learner, 1 + index / 2, 1 + index % 2, accuracy);
        accuracies.iter().enumerate().map(cell).collect()
    }

    #[test]
    fn learners_are_paired_by_run_and_fold() {
        let mut cells = series("d", "a", &[Some(80.0), Some(70.0), None, Some(90.0)]);
        let mut second = series("d", "b", &[Some(77.0), Some(69.0), Some(50.0), Some(88.0)]);
        second.reverse();
        cells.extend(second);
        let found = Comparison::of(&cells);
        assert_eq!(
            (found.datasets.as_slice(), found.learners.as_slice()),
            (&["d".into()][..], &["a", "b"].map(String::from)[..])
        );
        assert_eq!((found.summary(0, 0).cells, found.summary(0, 0).failed), (4, 1));
        assert_eq!(found.summary(0, 0).figures.get(Figure::Accuracy).unwrap().mean, 80.0);
        assert_eq!(found.summary(0, 1).failed, 0);
        let [contrast] = found.contrasts.as_slice() else { panic!("one pair") };
        assert_eq!((contrast.cells, contrast.test_over_train), (3, Some(1.0)));
        // Differences 3, 1, 2: t = 2 sqrt(3), and 2 / sqrt(1/3 + 1) corrected.
        assert!((contrast.plain.unwrap().statistic.unwrap() - 12f64.sqrt()).abs() < 1e-12);
        assert!((contrast.corrected.unwrap().statistic.unwrap() - 3f64.sqrt()).abs() < 1e-12);
        assert_eq!(found.overall, None);
    }

    #[test]
    fn records_count_data_sets_by_both_tests() {
        let mut cells = Vec::new();
        for (set, by) in [("d", 5.0), ("e", -5.0), ("f", 0.0)] {
            cells.extend(series(set, "a", &[70.0, 80.0, 75.0, 81.0].map(Some)));
            cells.extend(series(set, "b", &[70.0 + by, 80.1 + by, 75.0 + by, 81.0 + by].map(Some)));
            cells.extend(series(set, "c", &[None; 4]));
        }
        let found = Comparison::of(&cells);
        assert_eq!(found.contrasts.len(), 9);
        assert_eq!(found.verdict(PairedTest::Plain, 0, 0, 1), Some(Verdict::Loss));
        assert_eq!(found.verdict(PairedTest::Corrected, 0, 1, 0), Some(Verdict::Win));
        assert_eq!(found.verdict(PairedTest::Corrected, 2, 1, 0), Some(Verdict::Tie));
        assert_eq!(found.verdict(PairedTest::Plain, 0, 2, 1), None);
        assert_eq!(found.verdict(PairedTest::Plain, 0, 1, 1), None);
        assert_eq!(found.verdict(PairedTest::Plain, 9, 1, 7), None);
        let even = Tally { wins: 1, ties: 1, losses: 1 };
        assert_eq!(found.records.len(), 6);
        for record in &found.records {
            let expected = if record.learner == "c" || record.against == "c" { Tally::default() } else { even };
            assert_eq!((record.plain, record.corrected), (expected, expected));
        }
    }

    #[test]
    fn rows_of_test_and_training_are_those_of_the_folds() {
        let with_rows = |run, fold, rows| Cell { rows, ..cell("d", "a", run, fold, None) };
        let cells = [with_rows(1, 1, 10), with_rows(1, 2, 30), with_rows(2, 1, 20), with_rows(2, 2, 20)];
        let ratio = (10.0 / 30.0 + 3.0 + 1.0 + 1.0) / 4.0;
        assert!((Grid::of(&cells).test_over_train(0).unwrap() - ratio).abs() < 1e-15);
        assert_eq!(Grid::of(&cells[..1]).test_over_train(0), None);
    }

    #[test]
    fn nothing_and_little_are_summed_up_too() {
        let none = Comparison::of(&[]);
        assert!(none.datasets.is_empty() && none.summaries.is_empty() && none.overall.is_none());
        let cells = [cell("d", "a", 1, 1, Some(50.0)), cell("d", "b", 1, 1, Some(60.0))];
        let one = Comparison::of(&cells);
        assert_eq!((one.contrasts[0].cells, one.contrasts[0].plain), (1, None));
        assert_eq!(serde_json::to_value(&one).unwrap()["summaries"][1]["figures"]["accuracy"]["mean"], 60.0);
        assert_eq!(one.records[0].plain, Tally::default());
    }

    proptest! {
        #[test]
        fn any_cells_are_summed_up(
            cells in prop::collection::vec((0..3u8, 0..4u8, 1..4usize, 1..4usize, prop::option::of(0..5u8)), 0..60),
        ) {
            let made = |&(dataset, learner, run, fold, accuracy): &(u8, u8, _, _, Option<u8>)| {
                cell(&dataset.to_string(), &learner.to_string(), run, fold, accuracy.map(|score| 20.0 * f64::from(score)))
            };
            let cells: Vec<Cell> = cells.iter().map(made).collect();
            let found = Comparison::of(&cells);
            let (datasets, learners) = (found.datasets.len(), found.learners.len());
            prop_assert_eq!(found.summaries.iter().map(|summary| summary.cells).sum::<usize>(), cells.len());
            prop_assert_eq!(found.contrasts.len(), datasets * pairs(learners));
            for (index, contrast) in found.contrasts.iter().enumerate() {
                let place = |name: &str| found.learners.iter().position(|learner| learner == name).unwrap();
                let (first, second) = (place(&contrast.first), place(&contrast.second));
                let dataset = index / pairs(learners);
                let verdict = contrast.by(PairedTest::Plain).map(|paired| paired.verdict(found.alpha));
                prop_assert_eq!(found.verdict(PairedTest::Plain, dataset, first, second), verdict);
            }
            prop_assert!(serde_json::to_string(&found).is_ok());
        }
    }
}
