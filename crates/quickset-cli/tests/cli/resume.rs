//! A comparison that is stopped at any moment goes on where it was.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::folder::{Folder, WEATHER};

/// Everything but the seconds.
fn results(csv: &str) -> Vec<String> {
    csv.lines().map(|line| line.split(',').take(12).collect::<Vec<_>>().join(",")).collect()
}

/// Starts a comparison and kills it when its output holds so many lines with `mark`.
fn kill_at(folder: &Folder, arguments: &str, output: &str, mark: &str, lines: usize) -> String {
    let mut running = Command::new(assert_cmd::cargo::cargo_bin!("quickset"))
        .current_dir(folder.path(""))
        .args(arguments.split(' '))
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let start = Instant::now();
    loop {
        let text = std::fs::read_to_string(folder.path(output)).unwrap_or_default();
        if text.lines().filter(|line| line.contains(mark)).count() >= lines {
            break;
        }
        assert!(running.try_wait().unwrap().is_none(), "it ended before it could be killed");
        assert!(start.elapsed() < Duration::from_secs(60), "it does not get on");
        std::thread::sleep(Duration::from_millis(1));
    }
    running.kill().unwrap();
    running.wait().unwrap();
    std::fs::read_to_string(folder.path(output)).unwrap()
}

fn rows(folder: &Folder) {
    folder.run("data generate random-tree --rows 3000 --numeric 6 --nominal 4 --noise 0.1 --output a.csv").succeeded();
    folder.run("data generate led24 --rows 2000 --output b.csv").succeeded();
}

const CALL: &str = "compare a.csv b.csv --learners c45,nt --runs 4 --folds 5 --format";

#[test]
fn a_killed_run_repeats_no_finished_cell_and_loses_none() {
    let folder = Folder::new();
    rows(&folder);
    folder.run(&format!("{CALL} csv --output whole.csv")).succeeded();
    let whole = folder.read("whole.csv");
    let call = format!("{CALL} csv --output out.csv");
    let mut before = kill_at(&folder, &call, "out.csv", ",ok", 7);
    // Whoever forgets --resume does not lose what is there.
    folder.run(&call).failed(1, &["out.csv", "unfinished run", "--resume"]);
    assert_eq!(folder.read("out.csv"), before);
    // A kill can come in the middle of a line.
    folder.write("out.csv", format!("{before}a,c45,4,"));
    let call = format!("{call} --resume");
    let second = kill_at(&folder, &call, "out.csv", ",ok", before.lines().count() + 15);
    assert!(before.lines().all(|line| second.lines().any(|other| other == line)));
    before = second;
    let ran = folder.run(&call);
    ran.succeeded();
    let after = folder.read("out.csv");
    // Seconds included: a repeated cell would have taken another time.
    for line in before.lines() {
        assert!(after.lines().any(|other| other == line), "{line}");
    }
    assert_eq!(results(&after), results(&whole));
    assert_eq!(folder.files(), ["a.csv", "b.csv", "out.csv", "whole.csv"]);
    // What is finished is not done again.
    folder.run(&call).succeeded();
    assert_eq!(folder.read("out.csv"), after);
}

#[test]
fn a_document_is_complete_after_every_cell() {
    let folder = Folder::new();
    rows(&folder);
    let call = format!("{CALL} json --output out.json");
    let before = kill_at(&folder, &call, "out.json", "\"dataset\"", 5);
    let document: serde_json::Value = serde_json::from_str(&before).unwrap();
    let cells = document["cells"].as_array().unwrap();
    assert!(cells.len() >= 5);
    folder.run(&format!("{call} --resume")).succeeded();
    let document: serde_json::Value = serde_json::from_str(&folder.read("out.json")).unwrap();
    let all = document["cells"].as_array().unwrap();
    assert_eq!(all.len(), 2 * 2 * 4 * 5);
    assert!(cells.iter().all(|cell| all.contains(cell)));
}

#[test]
fn a_table_is_resumed_from_a_file_beside_it() {
    let folder = Folder::new();
    rows(&folder);
    let call = format!("{CALL} table --output out.txt");
    let before = kill_at(&folder, &call, "out.txt.cells.json", "\"dataset\"", 5);
    assert!(before.lines().count() > 5);
    folder.run(&format!("{call} --resume")).succeeded();
    assert!(folder.read("out.txt").contains("c45"));
    assert_eq!(folder.files(), ["a.csv", "b.csv", "out.txt"]);
}

#[test]
fn another_run_is_not_continued() {
    let folder = Folder::new();
    rows(&folder);
    kill_at(&folder, &format!("{CALL} csv --output out.csv"), "out.csv", ",ok", 3);
    let resume = |call: &str| folder.run(&format!("compare {call} --format csv --output out.csv --resume"));
    let same = "a.csv b.csv --learners c45,nt --runs 4";
    resume(&format!("{same} --folds 5 --seed 2")).failed(1, &["out.csv", "its seed was 1, not 2"]);
    resume(&format!("{same} --folds 4")).failed(1, &["its folds were 5, not 4"]);
    resume("a.csv b.csv --learners nt --runs 4 --folds 5").failed(1, &["c45", "not asked for now"]);
    resume("b.csv --learners c45,nt --runs 4 --folds 5").failed(1, &["holds a, which is not asked for now"]);
    folder.run("data generate random-tree --rows 3000 --numeric 6 --nominal 4 --seed 9 --output a.csv").succeeded();
    resume(&format!("{same} --folds 5")).failed(1, &["the data or the folds of \"a\" were others"]);
    folder.write("out.csv", "x,y\n1,2\n");
    resume(&format!("{same} --folds 5")).failed(1, &["out.csv, line 1", "the first line"]);
}

#[test]
fn resuming_needs_a_file_and_begins_where_there_is_none() {
    let folder = Folder::new();
    folder.write("weather.csv", WEATHER);
    let call = "compare weather.csv --learners c45 --runs 1 --folds 2";
    folder.run(&format!("{call} --resume")).failed(2, &["--output"]);
    folder.run(&format!("{call} --resume --format csv --output out.csv")).succeeded();
    assert_eq!(folder.read("out.csv").lines().count(), 3);
    // More runs are added to those that are there.
    let before = folder.read("out.csv");
    folder
        .run("compare weather.csv --learners c45,nt --runs 2 --folds 2 --resume --format csv --output out.csv")
        .succeeded();
    let after = folder.read("out.csv");
    assert_eq!(after.lines().count(), 9);
    assert!(before.lines().all(|line| after.lines().any(|other| other == line)));
}

#[test]
fn finished_cells_stay_when_their_data_are_gone() {
    let folder = Folder::new();
    rows(&folder);
    let call = format!("{CALL} csv --output out.csv");
    let before = kill_at(&folder, &call, "out.csv", ",ok", 7);
    std::fs::remove_file(folder.path("a.csv")).unwrap();
    let ran = folder.run(&format!("{call} --resume"));
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert!(ran.err.contains("a.csv"), "{}", ran.err);
    let after = folder.read("out.csv");
    assert!(before.lines().all(|line| after.lines().any(|other| other == line)));
    assert_eq!(after.lines().filter(|line| line.starts_with("b,")).count(), 2 * 4 * 5);
}
