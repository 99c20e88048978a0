use serde_json::Value;

use crate::folder::Folder;

#[test]
fn a_row_is_explained_by_its_path() {
    let folder = Folder::with_model();
    let ran = folder.run("explain model.json weather.csv --row 1");
    let out = ran.succeeded();
    for part in ["outlook", "sunny", "humidity", "75", "no"] {
        assert!(out.contains(part), "{part}: {out}");
    }
}

#[test]
fn json_says_the_same_to_programs() {
    let folder = Folder::with_model();
    let document: Value =
        serde_json::from_str(folder.run("explain model.json weather.csv --row 14 --format json").succeeded()).unwrap();
    assert!(document.is_object());
    assert!(document.to_string().contains("windy"), "{document}");
}

#[test]
fn a_row_that_does_not_exist_is_a_sentence() {
    let folder = Folder::with_model();
    for row in ["15", "4000000000"] {
        folder
            .run(&format!("explain model.json weather.csv --row {row}"))
            .failed(1, &["weather.csv", &format!("there is no row {row}"), "14 rows"]);
    }
    folder.run("explain model.json weather.csv --row 0").failed(2, &["--row"]);
    folder.run("explain model.json weather.csv --row first").failed(2, &["--row"]);
    folder.run("explain model.json weather.csv").failed(2, &["--row"]);
}
