//! J48's figures, set by set and fold by fold.

use quickset::Recipe;

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
    shared::check_folds(&folder, "J48", &Recipe::j48(), &ALWAYS);
}
