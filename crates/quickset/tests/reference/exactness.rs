//! J48's figures, set by set and fold by fold.

use std::collections::BTreeMap;

use quickset::data::Folds;
use quickset::{Learner, Recipe};

use crate::shared;

/// Checked fold by fold in every run of the tests: with and without missing values, nominal, numeric and mixed.
const ALWAYS: [&str; 12] = [
    "anneal",
    "audiology",
    "autos",
    "breast-cancer",
    "colic",
    "diabetes",
    "glass",
    "hepatitis",
    "iris",
    "segment",
    "vote",
    "waveform-5000",
];

#[test]
fn leaves_size_and_training_errors_are_those_of_weka() {
    let Some(folder) = shared::folder("leaves_size_and_training_errors_are_those_of_weka") else { return };
    let mut checked = 0;
    for line in shared::results(&folder, "weka_uci.csv") {
        let Some(recipe) = shared::recipe(&line[1]) else { continue };
        let model = shared::fit(recipe, &shared::dataset(&folder, "uci", &line[0]));
        let found = [model.tree().leaves(), model.tree().size(), model.training().errors];
        let expected: Vec<usize> = line[4..7].iter().map(|figure| figure.parse().unwrap()).collect();
        assert_eq!(found.as_slice(), expected, "{} {}: leaves, size, training errors", line[0], line[1]);
        checked += 1;
    }
    assert_eq!(checked, 34 * 3, "34 sets, three settings");
}

#[test]
fn every_fold_gets_as_many_rows_right_as_weka() {
    let Some(folder) = shared::folder("every_fold_gets_as_many_rows_right_as_weka") else { return };
    let full = std::env::var("QUICKSET_FULL").is_ok();
    let mut expected: BTreeMap<String, Vec<[usize; 3]>> = BTreeMap::new();
    for line in shared::results(&folder, "weka_uci_folds.csv") {
        if line[1] == "J48" && (full || ALWAYS.contains(&line[0].as_str())) {
            let figures = [2, 3, 5].map(|field: usize| line[field].parse().unwrap());
            expected.entry(line[0].clone()).or_default().push(figures);
        }
    }
    assert_eq!(expected.len(), if full { 34 } else { ALWAYS.len() });
    let learner = Learner::new(Recipe::j48()).unwrap();
    for (name, cells) in expected {
        assert_eq!(cells.len(), 100, "{name}: ten runs of ten folds");
        let data = shared::dataset(&folder, "uci", &name);
        let classes = &data.class().unwrap().codes;
        let folds = std::fs::read_to_string(folder.join("reference/folds").join(format!("{name}.folds"))).unwrap();
        for [run, fold, correct] in cells {
            let folds = Folds::parse(&folds, run, data.rows()).unwrap();
            let model = learner.train(&data, &folds.train_rows(fold - 1)).unwrap().model;
            let predicted = model.predict(&data).unwrap();
            let right = |&&row: &&u32| predicted[row as usize] == classes[row as usize];
            let found = folds.test_rows(fold - 1).iter().filter(right).count();
            assert_eq!(found, correct, "{name}, run {run}, fold {fold}");
        }
    }
}
