//! Naive Bayes against Weka's, with normal densities and with kernels.

use quickset::data::Folds;
use quickset::{Learner, Recipe};

use crate::shared;

/// Checked fold by fold in every run of the tests: with and without missing values, nominal, numeric and mixed, and
/// with classes that some folds lack.
const ALWAYS: [&str; 10] =
    ["anneal", "audiology", "autos", "balance-scale", "colic", "glass", "hepatitis", "iris", "soybean", "zoo"];

fn recipe(algorithm: &str) -> Option<Recipe> {
    let mut recipe = Recipe::nb();
    match algorithm {
        "NaiveBayes" => {}
        "NaiveBayes -K" => recipe.set_pair("leaf.density=kernel").unwrap(),
        _ => return None,
    }
    Some(recipe)
}

#[test]
fn naive_bayes_has_the_training_errors_of_weka() {
    let Some(folder) = shared::folder("naive_bayes_has_the_training_errors_of_weka") else { return };
    let mut checked = 0;
    for line in shared::results(&folder, "weka_uci.csv") {
        let Some(recipe) = recipe(&line[1]) else { continue };
        let model = shared::fit(recipe, &shared::dataset(&folder, "uci", &line[0]));
        assert_eq!(model.training().errors.to_string(), line[6], "{} {}", line[0], line[1]);
        checked += 1;
    }
    assert_eq!(checked, 34 * 2, "34 sets, two densities");
}

#[test]
fn naive_bayes_gets_as_many_rows_of_every_fold_right_as_weka() {
    let Some(folder) = shared::folder("naive_bayes_gets_as_many_rows_of_every_fold_right_as_weka") else { return };
    for algorithm in ["NaiveBayes", "NaiveBayes -K"] {
        shared::check_folds(&folder, algorithm, &recipe(algorithm).unwrap(), &ALWAYS);
    }
}

/// On texts Weka's products of thousands of factors lose classes for good once they are too small for a number, ours are
/// sums of logarithms: accuracies are near, not equal.
#[test]
fn naive_bayes_on_texts_is_as_accurate_as_weka() {
    let Some(folder) = shared::folder("naive_bayes_on_texts_is_as_accurate_as_weka") else { return };
    let full = std::env::var("QUICKSET_FULL").is_ok();
    let learner = Learner::new(Recipe::nb()).unwrap();
    for line in shared::results(&folder, "weka_text.csv") {
        let whole = line[8] == "1x10";
        if line[1] != "NaiveBayes" || !whole || !(full || line[0].starts_with("oh") || line[0].starts_with("tr")) {
            continue;
        }
        let data = shared::dataset(&folder, "text", &line[0]);
        let folds = std::fs::read_to_string(folder.join("reference/folds").join(format!("{}.folds", line[0]))).unwrap();
        let folds = Folds::parse(&folds, 1, data.rows()).unwrap();
        let accuracy = |fold| {
            let correct = shared::correct_in_fold(&learner, &data, &folds, fold);
            100.0 * correct as f64 / folds.test_rows(fold).len() as f64
        };
        let found = (0..10).map(accuracy).sum::<f64>() / 10.0;
        let expected: f64 = line[2].parse().unwrap();
        assert!((found - expected).abs() < 0.5, "{}: {found:.2}, expected {expected:.2}", line[0]);
    }
}
