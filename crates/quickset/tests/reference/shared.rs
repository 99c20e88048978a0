//! Where the data and the reference results are, if they are.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use quickset::data::Folds;
use quickset::io::{ReadOptions, read};
use quickset::{Dataset, Learner, Model, Recipe};

use crate::skip::skip;

/// The folder, or `None` after saying loudly that `test` is skipped.
pub fn folder(test: &str) -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    if folder.join("reference").is_dir() {
        return Some(folder);
    }
    skip(test, "../shared is absent");
    None
}

/// A data set of the folder.
pub fn dataset(folder: &Path, kind: &str, name: &str) -> Dataset {
    let path = folder.join("datasets").join(kind).join(format!("{name}.arff"));
    read(&path.display().to_string(), &ReadOptions::default()).unwrap()
}

/// The lines of a CSV file of results, without its heading, as fields.
pub fn results(folder: &Path, file: &str) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(folder.join("reference").join(file)).unwrap();
    text.lines().skip(1).map(|line| line.split(',').map(str::to_string).collect()).collect()
}

/// The recipe behind the name of an algorithm in the results.
pub fn recipe(algorithm: &str) -> Option<Recipe> {
    let mut recipe = Recipe::j48();
    match algorithm {
        "J48" => {}
        "J48 -U" => recipe.set_pair("prune=none").unwrap(),
        "J48 -S" => recipe.set_pair("prune.raising=false").unwrap(),
        _ => return None,
    }
    Some(recipe)
}

/// Demands that every fold of the sets named, or of all sets with `QUICKSET_FULL`, gets as many rows right as Weka.
pub fn check_folds(folder: &Path, algorithm: &str, recipe: &Recipe, always: &[&str]) {
    let full = std::env::var("QUICKSET_FULL").is_ok();
    let mut expected: BTreeMap<String, Vec<[usize; 3]>> = BTreeMap::new();
    for line in results(folder, "weka_uci_folds.csv") {
        if line[1] == algorithm && (full || always.contains(&line[0].as_str())) {
            let figures = [2, 3, 5].map(|field: usize| line[field].parse().unwrap());
            expected.entry(line[0].clone()).or_default().push(figures);
        }
    }
    assert_eq!(expected.len(), if full { 34 } else { always.len() });
    let learner = Learner::new(recipe.clone()).unwrap();
    for (name, cells) in expected {
        assert_eq!(cells.len(), 100, "{name}: ten runs of ten folds");
        let data = dataset(folder, "uci", &name);
        let folds = std::fs::read_to_string(folder.join("reference/folds").join(format!("{name}.folds"))).unwrap();
        for [run, fold, correct] in cells {
            let folds = Folds::parse(&folds, run, data.rows()).unwrap();
            assert_eq!(correct_in_fold(&learner, &data, &folds, fold - 1), correct, "{name}, run {run}, fold {fold}");
        }
    }
}

/// How many rows of a fold are predicted rightly by what the other folds teach.
pub fn correct_in_fold(learner: &Learner, data: &Dataset, folds: &Folds, fold: usize) -> usize {
    let model = learner.train(data, &folds.train_rows(fold)).unwrap().model;
    let test = data.select(&folds.test_rows(fold));
    let predicted = model.predict(&test).unwrap();
    predicted.iter().zip(&test.class().unwrap().codes).filter(|(found, expected)| found == expected).count()
}

pub fn fit(recipe: Recipe, data: &Dataset) -> Model {
    Learner::new(recipe).unwrap().fit(data).unwrap()
}
