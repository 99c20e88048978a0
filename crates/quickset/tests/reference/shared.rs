//! Where the data and the reference results are, if they are.

use std::io::Write;
use std::path::{Path, PathBuf};

use quickset::io::{ReadOptions, read};
use quickset::{Dataset, Learner, Model, Recipe};

/// The folder, or `None` after saying loudly that `test` is skipped.
pub fn folder(test: &str) -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    if folder.join("reference").is_dir() {
        return Some(folder);
    }
    assert!(std::env::var("CI").as_deref() != Ok("true"), "../shared is absent, and with CI=true nothing is skipped");
    eprintln!("SKIPPED {test}: ../shared is absent");
    // `make test` counts these lines: the test runner hides what a passing test prints.
    if let Ok(list) = std::env::var("QUICKSET_SKIPPED") {
        let mut list = std::fs::OpenOptions::new().create(true).append(true).open(list).unwrap();
        // One write a line, since tests run side by side.
        list.write_all(format!("{test}\n").as_bytes()).unwrap();
    }
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

pub fn fit(recipe: Recipe, data: &Dataset) -> Model {
    Learner::new(recipe).unwrap().fit(data).unwrap()
}
