//! Figures of predictions against the truth.

use serde::{Serialize, Serializer};

use super::auc::{Scored, area};
use super::reliability::Reliability;
use crate::data::{Class, Dataset, NO_CLASS};
use crate::error::{Error, Result};
use crate::model::{Model, Probabilities};

/// A probability of 0 for what came true would cost infinitely much; it costs −ln of this.
const LEAST_PROBABILITY: f64 = 1e-15;

/// How well predictions agree with the truth. Rows without a class are left out.
///
/// `rows` and `correct` count rows; every other figure weighs them where the data have weights.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Evaluation {
    /// Rows with a class.
    pub rows: usize,
    /// Those predicted rightly.
    pub correct: usize,
    /// Share predicted rightly, from 0 to 1.
    pub accuracy: f64,
    /// The mean, over the classes that occur, of the share of their rows predicted rightly.
    pub balanced_accuracy: f64,
    /// Mean of −ln of the probability given to the true class, where no probability is below 1e-15.
    pub log_loss: f64,
    /// Mean over rows of the squared error of the probabilities, summed over classes: from 0 to 2.
    pub brier: f64,
    /// Area under the ROC curve of each class against the others, averaged by how often the classes occur. `None`
    /// where only one class occurs.
    pub auc: Option<f64>,
    /// Weight of the rows by true class, then by predicted class.
    #[serde(serialize_with = "whole_numbers_without_point")]
    pub confusion: Vec<Vec<f64>>,
    /// How often predictions are right, by their probability.
    pub reliability: Reliability,
    /// The names behind the rows and columns of `confusion`: the model's classes, then classes that only the data
    /// have. Empty where no names were known.
    #[serde(skip)]
    pub classes: Vec<String>,
}

impl Evaluation {
    /// Compares predictions with the true `classes`, codes below `class_count` or [`NO_CLASS`].
    ///
    /// `probabilities` may have fewer classes than `class_count`: a class the model does not know has probability 0.
    pub fn of(
        classes: &[u16],
        weights: Option<&[f64]>,
        probabilities: &Probabilities,
        predicted: &[u16],
        class_count: usize,
    ) -> Result<Self> {
        let rows = classes.len();
        if probabilities.rows() != rows || predicted.len() != rows || weights.is_some_and(|w| w.len() != rows) {
            return Err(Error::data(format!("the predictions are not of the same {rows} rows as the classes")));
        }
        let known = |code: u16| usize::from(code) < class_count;
        if !predicted.iter().all(|&code| known(code)) || !classes.iter().all(|&code| known(code) || code == NO_CLASS) {
            return Err(Error::data(format!("a class code is not below the number of classes, {class_count}")));
        }
        let weight = |row: usize| weights.map_or(1.0, |weights| weights[row]);
        let labelled: Vec<usize> = (0..rows).filter(|&row| classes[row] != NO_CLASS).collect();
        let total: f64 = labelled.iter().map(|&row| weight(row)).sum();
        if total <= 0.0 {
            return Err(Error::data("no row has a class, so there is nothing to compare predictions with")
                .remedy("name the class column with --target"));
        }

        let mut confusion = vec![vec![0.0; class_count]; class_count];
        let (mut correct, mut log_loss, mut brier) = (0, 0.0, 0.0);
        for &row in &labelled {
            let (truth, guess) = (usize::from(classes[row]), usize::from(predicted[row]));
            let given = probabilities.row(row);
            let of_truth = given.get(truth).copied().unwrap_or(0.0);
            confusion[truth][guess] += weight(row);
            correct += usize::from(truth == guess);
            log_loss -= weight(row) * of_truth.max(LEAST_PROBABILITY).ln();
            // Σ (p − y)², where y is 1 for the true class and 0 elsewhere.
            let squares: f64 = given.iter().map(|p| p * p).sum();
            brier += weight(row) * (squares + 1.0 - 2.0 * of_truth);
        }

        let sums: Vec<f64> = confusion.iter().map(|row| row.iter().sum()).collect();
        let present: Vec<usize> = (0..class_count).filter(|&class| sums[class] > 0.0).collect();
        let recalls: f64 = present.iter().map(|&class| confusion[class][class] / sums[class]).sum();
        let areas: Vec<(f64, f64)> = present
            .iter()
            .filter_map(|&class| {
                let scored = labelled.iter().map(|&row| Scored {
                    score: probabilities.row(row).get(class).copied().unwrap_or(0.0),
                    weight: weight(row),
                    positive: usize::from(classes[row]) == class,
                });
                area(scored.collect()).map(|area| (area, sums[class]))
            })
            .collect();
        let said = |&row: &usize| {
            let of_guess = probabilities.row(row).get(usize::from(predicted[row])).copied().unwrap_or(0.0);
            (of_guess, predicted[row] == classes[row], weight(row))
        };
        Ok(Evaluation {
            reliability: Reliability::of(labelled.iter().map(said)),
            rows: labelled.len(),
            correct,
            accuracy: present.iter().map(|&class| confusion[class][class]).sum::<f64>() / total,
            balanced_accuracy: recalls / present.len() as f64,
            log_loss: log_loss / total,
            brier: brier / total,
            auc: (!areas.is_empty()).then(|| areas.iter().map(|(area, sum)| area * sum).sum::<f64>() / total),
            confusion,
            classes: Vec::new(),
        })
    }
}

/// Evaluates a model on labelled data.
///
/// Classes are matched by name. A class that the model does not know counts as predicted wrongly.
pub fn evaluate(model: &Model, data: &Dataset) -> Result<Evaluation> {
    let predicted = model.predict(data)?;
    compare(model, data, &predicted)
}

/// The figures of predictions that were already made.
pub(super) fn compare(model: &Model, data: &Dataset, predicted: &[u16]) -> Result<Evaluation> {
    let class = data.class().ok_or_else(|| {
        Error::data("the data have no class to compare predictions with").remedy("name the class column with --target")
    })?;
    let (names, codes) = in_terms_of(model, class);
    let probabilities = model.predict_proba(data)?;
    let mut evaluation = Evaluation::of(&codes, data.weights(), &probabilities, predicted, names.len())?;
    evaluation.classes = names;
    Ok(evaluation)
}

/// The model's classes followed by those that only the data have, and the data's classes as codes of these.
fn in_terms_of(model: &Model, class: &Class) -> (Vec<String>, Vec<u16>) {
    let mut occurs = vec![false; class.levels.len()];
    for &code in class.codes.iter().filter(|&&code| code != NO_CLASS) {
        occurs[usize::from(code)] = true;
    }
    let mut names = model.schema().classes.clone();
    let translate: Vec<u16> = class
        .levels
        .iter()
        .zip(occurs)
        .map(|(level, occurs)| match names.iter().position(|name| name == level) {
            Some(code) => code as u16,
            None if !occurs => NO_CLASS,
            None => {
                names.push(level.clone());
                names.len() as u16 - 1
            }
        })
        .collect();
    let codes = class.codes.iter().map(|&code| translate.get(usize::from(code)).copied().unwrap_or(NO_CLASS));
    let codes = codes.collect();
    (names, codes)
}

/// Counts of rows read as counts: 50, not 50.0.
fn whole_numbers_without_point<S: Serializer>(
    table: &[Vec<f64>],
    serializer: S,
) -> std::result::Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    #[serde(untagged)]
    enum Number {
        Whole(u64),
        Any(f64),
    }
    let number = |&x: &f64| if x.fract() == 0.0 && x < 1e15 { Number::Whole(x as u64) } else { Number::Any(x) };
    serializer.collect_seq(table.iter().map(|row| row.iter().map(number).collect::<Vec<_>>()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Column;
    use crate::model::testing::weather;

    fn close(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-12, "found {found}, expected {expected}");
    }

    #[test]
    fn the_figures_follow_their_definitions() {
        let probabilities = Probabilities::new(2, vec![0.9, 0.1, 0.4, 0.6, 0.4, 0.6, 0.5, 0.5]).unwrap();
        let found = Evaluation::of(&[0, 0, 1, NO_CLASS], None, &probabilities, &[0, 1, 1, 0], 2).unwrap();
        assert_eq!((found.rows, found.correct), (3, 2));
        close(found.accuracy, 2.0 / 3.0);
        close(found.balanced_accuracy, 0.75);
        close(found.log_loss, -(0.9f64.ln() + 0.4f64.ln() + 0.6f64.ln()) / 3.0);
        close(found.brier, (0.02 + 0.72 + 0.32) / 3.0);
        close(found.auc.unwrap(), 0.75);
        assert_eq!(found.confusion, [[1.0, 1.0], [0.0, 1.0]]);
    }

    #[test]
    fn weights_count_in_all_but_the_numbers_of_rows() {
        let probabilities = Probabilities::new(2, vec![1.0, 0.0, 1.0, 0.0]).unwrap();
        let found = Evaluation::of(&[0, 1], Some(&[3.0, 1.0]), &probabilities, &[0, 0], 2).unwrap();
        assert_eq!((found.rows, found.correct), (2, 1));
        close(found.accuracy, 0.75);
        close(found.log_loss, -1e-15f64.ln() / 4.0);
        assert_eq!(found.confusion, [[3.0, 0.0], [1.0, 0.0]]);
    }

    #[test]
    fn one_class_has_no_auc_and_no_rows_no_figures() {
        let probabilities = Probabilities::new(2, vec![1.0, 0.0]).unwrap();
        assert_eq!(Evaluation::of(&[0], None, &probabilities, &[0], 2).unwrap().auc, None);
        assert!(Evaluation::of(&[NO_CLASS], None, &probabilities, &[0], 2).is_err());
        assert!(Evaluation::of(&[5], None, &probabilities, &[0], 2).is_err());
        assert!(Evaluation::of(&[0, 1], None, &probabilities, &[0], 2).is_err());
    }

    #[test]
    fn the_document_has_the_promised_fields() {
        let probabilities = Probabilities::new(2, vec![1.0, 0.0, 0.0, 1.0]).unwrap();
        let found = Evaluation::of(&[0, 1], None, &probabilities, &[0, 1], 2).unwrap();
        assert_eq!(
            serde_json::to_string(&found).unwrap(),
            r#"{"rows":2,"correct":2,"accuracy":1.0,"balanced_accuracy":1.0,"log_loss":0.0,"brier":0.0,"auc":1.0,"confusion":[[1,0],[0,1]],"reliability":[{"from":0.9,"to":1.0,"rows":2.0,"probability":1.0,"right":1.0}]}"#
        );
    }

    #[test]
    fn classes_are_matched_by_name_and_an_unknown_one_is_wrong() {
        let data = Dataset::new(vec![
            Column::from_texts("outlook", [Some("overcast"), Some("overcast"), Some("sunny"), Some("overcast")]),
            Column::numeric("humidity", vec![70.0, 70.0, 90.0, 70.0]),
            Column::from_texts("windy", [Some("true"); 4]),
            Column::from_texts("play", [Some("perhaps"), Some("yes"), Some("no"), None]),
        ])
        .unwrap();
        assert!(evaluate(&weather(), &data).unwrap_err().to_string().contains("no class"));
        let found = evaluate(&weather(), &data.with_target("play").unwrap()).unwrap();
        assert_eq!(found.classes, ["yes", "no", "perhaps"]);
        assert_eq!((found.rows, found.correct), (3, 2));
        assert_eq!(found.confusion, [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]]);
    }
}
