//! Every fold of a run trained and tested: one cell of results each.

use std::borrow::Cow;
use std::time::Instant;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::metrics::compare;
use super::reliability::Reliability;
use crate::data::{Dataset, Folds, NO_CLASS};
use crate::error::{Error, Result};
use crate::learner::{Learner, Trained};

/// What the cells of one cross-validation are called.
#[derive(Clone, Copy, Debug)]
pub struct Series<'a> {
    /// The data's name.
    pub dataset: &'a str,
    /// The learner as the user wrote it.
    pub learner: &'a str,
    /// The run, from 1.
    pub run: usize,
}

/// The result of one learner on one fold. The figures are absent where the learner failed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// The data's name.
    pub dataset: String,
    /// The learner as the user wrote it.
    pub learner: String,
    /// The run, from 1.
    pub run: usize,
    /// The fold that was tested, from 1.
    pub fold: usize,
    /// Rows with a class in that fold.
    pub rows: usize,
    /// Those predicted rightly.
    pub correct: Option<usize>,
    /// Percent predicted rightly.
    pub accuracy: Option<f64>,
    /// The mean over classes of the percent of their rows predicted rightly.
    #[serde(default)]
    pub balanced_accuracy: Option<f64>,
    /// Mean of −ln of the probability of the true class.
    pub log_loss: Option<f64>,
    /// Mean squared error of the probabilities, from 0 to 2.
    #[serde(default)]
    pub brier: Option<f64>,
    /// Area under the ROC curve, averaged over the classes by how often they occur.
    #[serde(default)]
    pub auc: Option<f64>,
    /// How often predictions were right, by their probability. Documents have it, lines of CSV do not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reliability: Option<Reliability>,
    /// Leaves of the tree.
    pub leaves: Option<usize>,
    /// Nodes of the tree.
    pub size: Option<usize>,
    /// Tests on its longest path.
    pub depth: Option<usize>,
    /// Mean number of tests on a training row's path.
    pub mean_depth: Option<f64>,
    /// Seconds of training. Folds run beside each other: compare times only of runs on one thread.
    pub train_seconds: Option<f64>,
    /// Seconds of predicting the fold's classes.
    pub predict_seconds: Option<f64>,
    /// `ok`, or `failed: ` and why.
    pub status: String,
    /// Percent of the training rows that were learnt from, where it was not all of them.
    #[serde(default)]
    pub share: Option<f64>,
}

/// Which part of a cross-validation a cell is of.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// The fold that is tested, from 0.
    pub fold: usize,
    /// The percent of the training rows to learn from: a point of a learning curve.
    pub share: Option<f64>,
}

/// Trains on all folds but one and tests on that one, for every fold in turn. The cells are in the order of the folds
/// and, but for the seconds, do not depend on the number of threads.
///
/// A fold on which the learner fails gives a cell that says so; an error is only data that cannot be divided so.
pub fn cross_validate(learner: &Learner, data: &Dataset, folds: &Folds, series: Series<'_>) -> Result<Vec<Cell>> {
    let cell = |fold| test(learner, data, folds, series, Place { fold, share: None });
    (0..folds.count()).into_par_iter().map(cell).collect()
}

/// One cell of it. The rows of a share are drawn by the recipe's seed.
pub fn test(learner: &Learner, data: &Dataset, folds: &Folds, series: Series<'_>, place: Place) -> Result<Cell> {
    test_with(|rows| learner.train_uncounted(data, rows), learner.recipe().seed, data, folds, series, place)
}

fn test_with(
    train: impl Fn(&[u32]) -> Result<Trained>,
    seed: u64,
    data: &Dataset,
    folds: &Folds,
    series: Series<'_>,
    place: Place,
) -> Result<Cell> {
    let class = data
        .class()
        .ok_or_else(|| Error::data("the data have no class to learn").remedy("name the class column with --target"))?;
    if folds.assignment().len() != data.rows() {
        return Err(Error::data(format!(
            "the folds are of {} rows, the data have {}",
            folds.assignment().len(),
            data.rows()
        )));
    }
    let test = folds.test_rows(place.fold);
    let rows = test.iter().filter(|&&row| class.codes[row as usize] != NO_CLASS).count();
    let empty = Cell::empty(series, place, rows);
    let learnt_from = match place.share {
        None => folds.train_rows(place.fold),
        Some(percent) => folds.train_part(place.fold, &class.codes, percent / 100.0, seed),
    };
    let tested = train(&learnt_from).and_then(|trained| test_fold(&trained, data, &test, &empty));
    Ok(tested.unwrap_or_else(|error| empty.failed(&error)))
}

fn test_fold(trained: &Trained, data: &Dataset, test: &[u32], empty: &Cell) -> Result<Cell> {
    let part = data.select(test);
    let start = Instant::now();
    let predicted = trained.model.predict(&part)?;
    let predict_seconds = start.elapsed().as_secs_f64();
    let figures = compare(&trained.model, &part, &predicted)?;
    let tree = trained.model.tree();
    Ok(Cell {
        correct: Some(figures.correct),
        accuracy: Some(100.0 * figures.accuracy),
        balanced_accuracy: Some(100.0 * figures.balanced_accuracy),
        log_loss: Some(figures.log_loss),
        brier: Some(figures.brier),
        auc: figures.auc,
        reliability: Some(figures.reliability),
        leaves: Some(tree.leaves()),
        size: Some(tree.size()),
        depth: Some(tree.depth()),
        mean_depth: Some(tree.mean_depth()),
        train_seconds: Some(trained.seconds.total),
        predict_seconds: Some(predict_seconds),
        status: "ok".into(),
        ..empty.clone()
    })
}

impl Cell {
    /// The names of the fields as the first line of a CSV file, without its end.
    pub const HEADER: &str = "dataset,learner,run,fold,rows,correct,accuracy,log_loss,leaves,size,depth,mean_depth,train_seconds,predict_seconds,status";

    /// The cell as a line of CSV under [`Cell::HEADER`], without its end. What is absent is empty; the share of a
    /// learning curve is one more field.
    pub fn csv(&self) -> String {
        fn text<T: ToString>(value: Option<T>) -> String {
            value.map_or_else(String::new, |value| value.to_string())
        }
        let mut fields = vec![
            quoted(&self.dataset).into_owned(),
            quoted(&self.learner).into_owned(),
            self.run.to_string(),
            self.fold.to_string(),
            self.rows.to_string(),
            text(self.correct),
            text(self.accuracy),
            text(self.log_loss),
            text(self.leaves),
            text(self.size),
            text(self.depth),
            text(self.mean_depth),
            text(self.train_seconds),
            text(self.predict_seconds),
            quoted(&self.status).into_owned(),
        ];
        fields.extend(self.share.map(|share| share.to_string()));
        fields.join(",")
    }

    /// Whether the learner gave a model.
    pub fn is_ok(&self) -> bool {
        self.status == "ok"
    }

    /// A cell without figures, and why.
    fn failed(self, error: &Error) -> Self {
        // One line in every format.
        Cell { status: format!("failed: {error}").replace(['\r', '\n'], " "), ..self }
    }

    fn empty(series: Series<'_>, place: Place, rows: usize) -> Self {
        Cell {
            dataset: series.dataset.into(),
            learner: series.learner.into(),
            run: series.run,
            fold: place.fold + 1,
            rows,
            correct: None,
            accuracy: None,
            balanced_accuracy: None,
            log_loss: None,
            brier: None,
            auc: None,
            reliability: None,
            leaves: None,
            size: None,
            depth: None,
            mean_depth: None,
            train_seconds: None,
            predict_seconds: None,
            status: String::new(),
            share: place.share,
        }
    }
}

/// A field in quotation marks where it could be read as several.
fn quoted(field: &str) -> Cow<'_, str> {
    if field.contains([',', '"', '\n', '\r']) {
        Cow::Owned(format!("\"{}\"", field.replace('"', "\"\"")))
    } else {
        Cow::Borrowed(field)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Column;
    use crate::learner::Phases;
    use crate::model::testing::weather;
    use crate::recipe::Recipe;

    const SERIES: Series<'static> = Series { dataset: "a,b", learner: "c45", run: 2 };

    fn days() -> Dataset {
        Dataset::new(vec![
            Column::from_texts("outlook", [Some("overcast"), Some("sunny"), Some("overcast"), Some("sunny")]),
            Column::numeric("humidity", vec![70.0, 90.0, 70.0, 90.0]),
            Column::from_texts("windy", [Some("true"); 4]),
            Column::from_texts("play", [Some("yes"), Some("no"), Some("no"), None]),
        ])
        .unwrap()
        .with_target("play")
        .unwrap()
    }

    #[test]
    fn a_fold_is_tested_with_the_model_of_the_others_or_says_why_not() {
        let train = |rows: &[u32]| match rows {
            [1, 3] => {
                let seconds = Phases { total: 0.5, ..Phases::default() };
                Ok(Trained { model: weather(), seconds, notes: Vec::new(), search: None })
            }
            _ => Err(Error::data("too dull")),
        };
        let folds = Folds::parse("0\n1\n0\n1\n", 1, 4).unwrap();
        let place = |fold| Place { fold, share: None };
        let cells = [0, 1].map(|fold| test_with(train, 1, &days(), &folds, SERIES, place(fold)).unwrap());
        let first = Cell { predict_seconds: Some(0.25), log_loss: Some(1.0), ..cells[0].clone() };
        assert_eq!(first.csv(), "\"a,b\",c45,2,1,2,1,50,1,5,8,2,1.7142857142857142,0.5,0.25,ok");
        assert!(cells[0].is_ok() && !cells[1].is_ok());
        // The row without a class is not counted.
        assert_eq!(cells[1].csv(), "\"a,b\",c45,2,2,1,,,,,,,,,,failed: too dull");
    }

    #[test]
    fn a_line_has_a_field_for_every_name_of_the_header() {
        let empty = Cell::empty(SERIES, Place { fold: 0, share: None }, 3).failed(&Error::data("a,\n\"b\""));
        assert_eq!(empty.csv(), "\"a,b\",c45,2,1,3,,,,,,,,,,\"failed: a, \"\"b\"\"\"");
        // The fields of the document come in the same order.
        let document = serde_json::to_string(&empty).unwrap();
        let mut from = 0;
        for name in Cell::HEADER.split(',') {
            let at = document[from..].find(&format!("\"{name}\":")).expect("the names are in order");
            from += at;
        }
        assert_eq!(serde_json::from_str::<Cell>(&document).unwrap(), empty);
    }

    #[test]
    fn a_point_of_a_learning_curve_learns_from_its_share() {
        let folds = Folds::parse("0\n1\n1\n1\n", 1, 4).unwrap();
        let train = |rows: &[u32]| Err(Error::data(format!("{} rows", rows.len())));
        let place = |share| Place { fold: 0, share: Some(share) };
        let cell = |share| test_with(train, 1, &days(), &folds, SERIES, place(share)).unwrap();
        assert_eq!(cell(100.0).csv(), "\"a,b\",c45,2,1,1,,,,,,,,,,failed: 3 rows,100");
        // A row of every class, and of those without one.
        assert_eq!(cell(12.5).csv(), "\"a,b\",c45,2,1,1,,,,,,,,,,failed: 2 rows,12.5");
    }

    #[test]
    fn folds_of_other_data_are_refused() {
        let folds = Folds::stratified(&[0, 1, 0], 2, 1, 1).unwrap();
        let learner = Learner::new(Recipe::c45()).unwrap();
        let error = cross_validate(&learner, &days(), &folds, SERIES).unwrap_err();
        assert_eq!(error.to_string(), "the folds are of 3 rows, the data have 4");
    }
}
