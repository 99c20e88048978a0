use crate::folder::{Folder, WEATHER};

#[test]
fn text_has_the_figures_and_a_readable_matrix() {
    let folder = Folder::with_model();
    folder.write("test.csv", WEATHER.replace("sunny,85,85,no,no", "sunny,85,85,no,yes"));
    let ran = folder.run("evaluate model.json test.csv");
    let out = ran.succeeded();
    for part in
        ["rows               14", "correct            13", "accuracy           92.86 %", "log-loss", "Brier", "AUC"]
    {
        assert!(out.contains(part), "{part}: {out}");
    }
    assert!(out.ends_with("\n a b\n 4 0 | a = no\n 1 9 | b = yes\n"), "{out}");
}

#[test]
fn json_is_stable_for_scripts() {
    let folder = Folder::with_model();
    let report = folder.run("evaluate model.json weather.csv --format json").json();
    for (field, value) in
        [("rows", 14.0), ("correct", 14.0), ("accuracy", 1.0), ("balanced_accuracy", 1.0), ("auc", 1.0)]
    {
        assert_eq!(report[field].as_f64(), Some(value), "{field}");
    }
    assert!(report["log_loss"].as_f64().unwrap() < 1e-9 && report["brier"].as_f64().unwrap() < 1e-9);
    assert_eq!(report["confusion"].to_string(), "[[5,0],[0,9]]");
    assert!(report["seconds"]["read"].is_f64() && report["seconds"]["predict"].is_f64());
}

#[test]
fn unlabelled_data_cannot_be_evaluated() {
    let folder = Folder::with_model();
    folder.write("unlabelled.csv", "outlook,temperature,humidity,windy\nsunny,70,70,no\n");
    folder.run("evaluate model.json unlabelled.csv").failed(1, &["unlabelled.csv", "\"play\""]);
    folder.write("empty.csv", "outlook,temperature,humidity,windy,play\nsunny,70,70,no,?\n");
    folder.run("evaluate model.json empty.csv").failed(1, &["empty.csv", "no row has a class"]);
}

#[test]
fn the_class_may_have_another_name() {
    let folder = Folder::with_model();
    folder.write("renamed.csv", WEATHER.replace("windy,play", "windy,went"));
    let report = folder.run("evaluate model.json renamed.csv --target went --format json").json();
    assert_eq!(report["correct"], 14);
}

#[test]
fn reliability_is_told_and_drawn() {
    let folder = Folder::with_model();
    folder.write("test.csv", WEATHER.replace("sunny,85,85,no,no", "sunny,85,85,no,yes"));
    let ran = folder.run("evaluate model.json test.csv --reliability said.svg");
    let out = ran.succeeded();
    for part in ["calibration error  0.0714", "reliability: how often", "0.9 to 1.0      14  1.000  0.929\n"] {
        assert!(out.contains(part), "{part}: {out}");
    }
    let svg = folder.read("said.svg");
    assert!(svg.starts_with("<svg xmlns") && svg.contains("14 rows, nt"), "{svg}");
    let report = folder.run("evaluate model.json test.csv --format json").json();
    assert_eq!(report["reliability"][0]["rows"], 14.0);
    assert_eq!(report["reliability"][0]["right"].as_f64(), Some(13.0 / 14.0));
    folder
        .run("evaluate model.json test.csv --reliability none/said.svg")
        .failed(1, &["none/said.svg", "does not exist"]);
}
