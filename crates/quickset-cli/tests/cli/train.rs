use serde_json::Value;

use crate::folder::{Folder, WEATHER};

#[test]
fn the_tree_comes_first_and_the_figures_last() {
    let folder = Folder::new();
    let ran = folder.run("train builtin:weather");
    let out = ran.succeeded();
    assert!(out.contains("outlook = overcast: yes (4.0)"), "{out}");
    let figures: Vec<&str> = out.lines().rev().take(6).collect();
    let starts = ["model", "seconds", "training accuracy", "tree", "data", "learner"];
    assert!(figures.iter().zip(starts).all(|(line, start)| line.starts_with(start)), "{out}");
    assert!(out.contains("14 rows × 4 attributes, 2 classes"), "{out}");
    assert!(out.contains("5 leaves, size 8, depth 2"), "{out}");
    assert!(out.contains("100.00 % (14 of 14 rows right)"), "{out}");
    assert!(figures[0].contains("not written; --output MODEL keeps it"), "{out}");
    assert!(folder.files().is_empty(), "without --output no file is written");
}

#[test]
fn the_model_is_written_where_it_was_asked_for() {
    let folder = Folder::new();
    let ran = folder.run("train builtin:weather --learner j48 --output model.json");
    assert!(ran.succeeded().lines().last().unwrap().ends_with(" model.json"));
    assert_eq!(folder.files(), ["model.json"]);
    let model: Value = serde_json::from_str(&folder.read("model.json")).unwrap();
    assert_eq!(model["version"], 1);
}

#[test]
fn json_is_one_object_on_one_line() {
    let folder = Folder::new();
    let report = folder.run("train builtin:weather --format json --output model.json --threads 1 --seed 7").json();
    let fields: Vec<&str> = report.as_object().unwrap().keys().map(String::as_str).collect();
    let mut expected = [
        "learner",
        "recipe",
        "rows",
        "attributes",
        "classes",
        "leaves",
        "size",
        "depth",
        "mean_depth",
        "train_errors",
        "train_accuracy",
        "threads",
        "seconds",
        "peak_memory_bytes",
        "model",
    ];
    expected.sort_unstable();
    let mut found = fields.clone();
    found.sort_unstable();
    assert_eq!(found, expected);
    for (field, value) in [
        ("rows", 14),
        ("attributes", 4),
        ("classes", 2),
        ("leaves", 5),
        ("size", 8),
        ("depth", 2),
        ("train_errors", 0),
        ("threads", 1),
    ] {
        assert_eq!(report[field], value, "{field}");
    }
    assert_eq!(report["learner"], "nt");
    assert_eq!(report["recipe"]["seed"], 7);
    assert_eq!(report["train_accuracy"], 1.0);
    assert_eq!(report["model"], "model.json");
    // Four of the fourteen rows stop after one test.
    assert!((report["mean_depth"].as_f64().unwrap() - 24.0 / 14.0).abs() < 1e-9);
    for phase in ["read", "tables", "grow", "prune", "total"] {
        assert!(report["seconds"][phase].as_f64().unwrap() >= 0.0, "{phase}");
    }
    if cfg!(target_os = "linux") {
        assert!(report["peak_memory_bytes"].as_u64().unwrap() > 100_000);
    }
    assert_eq!(folder.run("train builtin:weather --format json").json()["model"], Value::Null);
}

#[test]
fn a_set_key_changes_the_recipe() {
    let folder = Folder::new();
    let report = folder.run("train builtin:weather --format json --set max-depth=1 --set prune=none").json();
    assert_eq!(report["recipe"]["stop"]["max_depth"], 1);
    assert_eq!(report["recipe"]["prune"], "none");
    assert!(report["depth"].as_u64().unwrap() <= 1);
}

#[test]
fn every_learner_learns() {
    let folder = Folder::new();
    for learner in ["nt", "c45", "j48", "id3", "cart", "nb"] {
        let report = folder.run(&format!("train builtin:monks-1 --learner {learner} --format json")).json();
        assert_eq!((&report["learner"], &report["rows"]), (&Value::from(learner), &Value::from(432)));
    }
}

#[test]
fn the_model_does_not_depend_on_threads() {
    let folder = Folder::new();
    for learner in ["c45", "cart"] {
        for threads in [1, 2, 3] {
            let output = format!("{threads}.json");
            folder
                .run(&format!("train builtin:waveform --learner {learner} --threads {threads} --output {output}"))
                .succeeded();
        }
        assert_eq!(folder.read("1.json"), folder.read("2.json"));
        assert_eq!(folder.read("1.json"), folder.read("3.json"));
    }
}

#[test]
fn a_large_tree_is_printed_in_part() {
    let folder = Folder::new();
    let ran = folder.run("train builtin:waveform --output model.json");
    let out = ran.succeeded();
    assert!(out.lines().count() < 60, "{out}");
    assert!(out.contains("the first 3 levels"), "{out}");
    assert!(folder.run("show model.json").succeeded().lines().count() > 60);
}

#[test]
fn columns_can_be_named_and_overridden() {
    let folder = Folder::new();
    folder.write("weather.csv", WEATHER);
    let train = |flags: &str| folder.run(&format!("train weather.csv --format json --output m.json {flags}")).json();
    assert_eq!(train("--ignore temperature,humidity")["attributes"], 2);
    assert_eq!(train("--target outlook")["classes"], 3);
    train("--nominal humidity,temperature");
    let model: Value = serde_json::from_str(&folder.read("m.json")).unwrap();
    assert!(model["model"]["schema"]["attributes"][2]["levels"].is_array());
    assert_eq!(train("--missing sunny")["rows"], 14);
    let model: Value = serde_json::from_str(&folder.read("m.json")).unwrap();
    assert!(!model["model"]["schema"]["attributes"][0]["levels"].as_array().unwrap().contains(&"sunny".into()));
}

#[test]
fn other_forms_of_the_same_data_give_the_same_tree() {
    let folder = Folder::new();
    folder.write("plain.csv", WEATHER);
    folder.write("crlf.csv", format!("\u{feff}{}", WEATHER.replace('\n', "\r\n")));
    folder.write("tabs.tsv", WEATHER.replace(',', "\t"));
    let expected = folder.run("train plain.csv --format json").json()["size"].clone();
    for file in ["crlf.csv", "tabs.tsv"] {
        assert_eq!(folder.run(&format!("train {file} --format json")).json()["size"], expected, "{file}");
    }
    for ending in ["arff", "parquet", "arrow", "csv.gz", "csv.zst", "tsv.gz", "arff.gz"] {
        folder.run(&format!("data convert plain.csv --output copy.{ending}")).succeeded();
        assert_eq!(folder.run(&format!("train copy.{ending} --format json")).json()["size"], expected, "{ending}");
    }
    assert_eq!(folder.run_with_input("train - --format json", WEATHER).json()["size"], expected);
}

#[test]
fn rows_without_a_class_are_left_out_with_a_note() {
    let folder = Folder::new();
    folder.write("some.csv", format!("{WEATHER}sunny,70,70,no,\nrainy,70,70,no,?\n"));
    let ran = folder.run("train some.csv --format json");
    assert_eq!(ran.json()["rows"], 14);
    assert!(ran.err.contains("note: some.csv: 2 rows"), "{}", ran.err);
}

#[test]
fn useless_columns_are_noted_and_never_tested() {
    let folder = Folder::new();
    let mut text = String::from("id,constant,empty,x,class\n");
    for row in 0..40 {
        text += &format!("r{row},same,,{},{}\n", row, if row < 20 { "low" } else { "high" });
    }
    folder.write("odd.csv", &text);
    let ran = folder.run("train odd.csv");
    let out = ran.succeeded();
    assert!(out.contains("x <= 19"), "{out}");
    for name in ["id", "constant", "empty"] {
        let noted = ran.err.lines().any(|line| line.starts_with("note: odd.csv") && line.contains(name));
        assert!(noted, "{name}: {}", ran.err);
    }
}
