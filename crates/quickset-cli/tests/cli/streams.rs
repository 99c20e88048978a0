use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use crate::folder::Folder;

#[test]
fn quiet_silences_notes_and_never_errors() {
    let folder = Folder::new();
    folder.write("constant.csv", "x,same,class\n1,k,a\n2,k,a\n3,k,b\n4,k,b\n");
    let noisy = folder.run("train constant.csv --format json");
    noisy.succeeded();
    assert!(noisy.err.contains("note: constant.csv: ") && noisy.err.contains("same"), "{}", noisy.err);
    let quiet = folder.run("--quiet train constant.csv --format json");
    quiet.succeeded();
    assert_eq!(quiet.err, "");
    assert_eq!(folder.run("train constant.csv --quiet --format json --output model.json").err, "");
    folder.run("train none.csv --quiet").failed(1, &["error: none.csv"]);
}

#[test]
fn a_closed_pipe_is_no_failure() {
    let folder = Folder::new();
    folder.run("data generate led7 --rows 200000 --output rows.csv").succeeded();
    folder.run("train rows.csv --output model.json").succeeded();
    let mut child = Command::new(env!("CARGO_BIN_EXE_quickset"))
        .args(["predict", "model.json", "rows.csv"])
        .current_dir(folder.path("."))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).unwrap();
    assert_eq!(first, "row,prediction\n");
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn a_model_is_written_even_if_nobody_reads_the_figures() {
    let folder = Folder::new();
    let mut child = Command::new(env!("CARGO_BIN_EXE_quickset"))
        .args(["train", "builtin:weather", "--output", "model.json"])
        .current_dir(folder.path("."))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(folder.files(), ["model.json"]);
}

#[test]
fn standard_input_is_data() {
    let folder = Folder::new();
    let ran = folder.run_with_input("data info -", "x,class\n1,a\n2,b\n");
    assert!(ran.succeeded().starts_with("rows        2\n"), "{}", ran.out);
    folder.run_with_input("train -", "").failed(1, &["standard input"]);
}
