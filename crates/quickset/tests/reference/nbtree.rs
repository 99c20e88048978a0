//! NBTree against Weka 3.6.14's: one run of ten folds on each of 32 sets.
//!
//! Weka's trees are larger, for a reason that is not known (docs/DESIGN.md). So accuracies are compared in the mean.

use quickset::data::Folds;
use quickset::{Learner, Recipe};

use crate::shared;

/// Every run of the tests has the sets of at most so many rows.
const FEW_ROWS: usize = 1000;

/// Points of percent.
const MEAN_BAR: f64 = 0.5;
const BAR: f64 = 8.0;

#[test]
fn nbtree_is_as_accurate_as_weka() {
    let Some(folder) = shared::folder("nbtree_is_as_accurate_as_weka") else { return };
    let full = std::env::var("QUICKSET_FULL").is_ok();
    let learner = Learner::new(Recipe::nbtree()).unwrap();
    let mut differences = Vec::new();
    for line in shared::results(&folder, "weka_uci.csv") {
        if !line[1].starts_with("NBTree") {
            continue;
        }
        let data = shared::dataset(&folder, "uci", &line[0]);
        if data.rows() > FEW_ROWS && !full {
            continue;
        }
        let folds = std::fs::read_to_string(folder.join("reference/folds").join(format!("{}.folds", line[0]))).unwrap();
        let folds = Folds::parse(&folds, 1, data.rows()).unwrap();
        let accuracy = |fold| {
            let correct = shared::correct_in_fold(&learner, &data, &folds, fold);
            100.0 * correct as f64 / folds.test_rows(fold).len() as f64
        };
        let found = (0..10).map(accuracy).sum::<f64>() / 10.0;
        let expected: f64 = line[2].parse().unwrap();
        assert!((found - expected).abs() < BAR, "{}: {found:.2}, expected {expected:.2}", line[0]);
        differences.push(found - expected);
    }
    assert_eq!(differences.len(), if full { 32 } else { 25 });
    let mean = differences.iter().sum::<f64>() / differences.len() as f64;
    assert!(mean.abs() < MEAN_BAR, "{mean:.2} points from Weka in the mean: {differences:.2?}");
}

/// Where Weka does not split at all, its one leaf errs on the same number of training rows.
#[test]
fn a_single_leaf_has_the_training_errors_of_weka() {
    let Some(folder) = shared::folder("a_single_leaf_has_the_training_errors_of_weka") else { return };
    let mut recipe = Recipe::nbtree();
    recipe.set_pair("max-depth=0").unwrap();
    let mut checked = 0;
    for line in shared::results(&folder, "weka_uci.csv") {
        if line[1].starts_with("NBTree") && line[4] == "1" {
            let model = shared::fit(recipe.clone(), &shared::dataset(&folder, "uci", &line[0]));
            assert_eq!(model.training().errors.to_string(), line[6], "{}", line[0]);
            checked += 1;
        }
    }
    assert_eq!(checked, 3, "credit-g, diabetes and primary-tumor");
}
