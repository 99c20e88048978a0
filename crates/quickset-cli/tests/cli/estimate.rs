use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use crate::folder::{Folder, Ran, WEATHER};

/// Runs with the cache in a folder of the test's own.
fn estimate(folder: &Folder, arguments: &str) -> Ran {
    let mut command = folder.command();
    command.env("XDG_CACHE_HOME", folder.path("cache")).args(arguments.split(' '));
    Ran::of(&mut command)
}

fn cache_files(folder: &Folder) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder.path("cache").join("quickset")) else { return Vec::new() };
    entries.map(|entry| entry.unwrap().path()).collect()
}

#[test]
fn the_table_has_the_asked_learner_first_and_all_others() {
    let folder = Folder::new();
    let ran = estimate(&folder, "train builtin:tic-tac-toe --learner cart --estimate");
    let out = ran.succeeded();
    assert!(out.starts_with("958 rows × 9 attributes, 2 classes; "), "{out}");
    let lines: Vec<&str> = out.lines().skip(2).collect();
    assert!(lines[0].starts_with("learner") && lines[0].ends_with("memory"), "{out}");
    let learners: Vec<&str> = lines[1..18].iter().map(|line| line.split_whitespace().next().unwrap()).collect();
    assert_eq!(
        learners,
        [
            "cart", "nt", "c45", "j48", "id3", "id3-k", "sid3", "lsid3", "lsid3-mc", "skew", "hyper", "nbtree",
            "snbtree", "nb", "majority", "one-r", "t2"
        ]
    );
    assert!(lines[1].ends_with(" MB") && out.contains("within a factor of 2"), "{out}");
    assert!(!out.contains("training accuracy"), "nothing is trained: {out}");
    assert!(ran.err.contains("measured this machine in"), "{}", ran.err);
}

#[test]
fn json_is_one_object_on_one_line() {
    let folder = Folder::new();
    let report = estimate(&folder, "train builtin:waveform --learner c45 --threads 1 --estimate --format json").json();
    let fields = [("learner", "c45".into()), ("rows", 5000.into()), ("attributes", 21.into()), ("classes", 3.into())];
    for (field, value) in fields {
        assert_eq!(report[field], Value::clone(&value), "{field}");
    }
    assert_eq!((&report["threads"], &report["missing"]), (&Value::from(1), &Value::from(0.0)));
    let estimates = report["estimates"].as_array().unwrap();
    assert_eq!(estimates[0]["learner"], "c45");
    for line in estimates {
        let number = |field: &str| line[field].as_f64().unwrap();
        assert!(number("seconds") > 0.0 && number("seconds_from") < number("seconds"), "{line}");
        assert_eq!(number("seconds_to"), 2.0 * number("seconds"));
        assert!(number("memory_bytes") > 840_000.0, "{line}");
        assert!(number("pilot_rows") <= 2500.0 && number("pilot_seconds") >= 0.0, "{line}");
    }
}

#[test]
fn the_machine_is_measured_once_and_again_when_asked() {
    let folder = Folder::new();
    let run = |flags: &str| estimate(&folder, &format!("train builtin:weather --format json {flags}"));
    let first = run("--estimate");
    assert_eq!(first.json()["constants"], "measured");
    let files = cache_files(&folder);
    assert_eq!(files.len(), 1);
    assert!(first.err.contains(&files[0].display().to_string()), "{}", first.err);
    let text = fs::read_to_string(&files[0]).unwrap();
    let second = run("--estimate");
    assert_eq!((second.json()["constants"].as_str(), second.err.as_str()), (Some("kept"), ""));
    assert_eq!(fs::read_to_string(&files[0]).unwrap(), text, "it is not written again");
    assert_eq!(run("--estimate=refit").json()["constants"], "measured");
    assert_ne!(fs::read_to_string(&files[0]).unwrap(), text);
    fs::write(&files[0], "{\"key\": 1").unwrap();
    assert_eq!(run("--estimate").json()["constants"], "measured", "a damaged file is no obstacle");
    assert_eq!(cache_files(&folder), files);
}

#[test]
fn a_folder_that_cannot_be_written_is_no_obstacle() {
    let folder = Folder::new();
    // A file where the folder should be: nobody can write there, whatever rights they have.
    folder.write("cache", "");
    let ran = estimate(&folder, "train builtin:weather --estimate --format json");
    assert_eq!(ran.json()["constants"], "measured");
    assert!(ran.err.contains("cannot be kept"), "{}", ran.err);
    assert_eq!(folder.files(), ["cache"]);
}

#[test]
fn bad_data_get_their_sentence() {
    let folder = Folder::new();
    folder.write("one.csv", WEATHER.replace(",no\n", ",yes\n"));
    estimate(&folder, "train one.csv --estimate").failed(1, &["one.csv", "there is only one class"]);
    estimate(&folder, "train absent.csv --estimate").failed(1, &["absent.csv"]);
    estimate(&folder, "train one.csv --learner oak --estimate").failed(2, &["oak"]);
    let both = estimate(&folder, "train builtin:weather --estimate --output model.json");
    both.failed(2, &["--output"]);
    assert!(!folder.files().contains(&"model.json".to_string()));
}
