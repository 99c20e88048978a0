use crate::folder::{Folder, WEATHER};

const HEADER: &str = "dataset,learner,run,fold,rows,correct,accuracy,log_loss,leaves,size,depth,mean_depth,\
    train_seconds,predict_seconds,status";

/// Everything but the seconds.
fn results(csv: &str) -> Vec<String> {
    csv.lines().map(|line| line.split(',').take(12).collect::<Vec<_>>().join(",")).collect()
}

#[test]
fn the_table_has_a_line_per_data_set_and_learner() {
    let folder = Folder::new();
    let ran = folder.run("compare builtin:monks-1 builtin:balance-scale --learners c45,cart --runs 2 --folds 5");
    let lines: Vec<&str> = ran.succeeded().lines().collect();
    assert_eq!(lines.len(), 5, "{}", ran.out);
    for column in ["dataset", "learner", "accuracy", "leaves", "size", "train s"] {
        assert!(lines[0].contains(column), "{}", lines[0]);
    }
    for (line, (set, learner)) in lines[1..].iter().zip([
        ("monks-1", "c45"),
        ("monks-1", "cart"),
        ("balance-scale", "c45"),
        ("balance-scale", "cart"),
    ]) {
        assert!(line.contains(set) && line.contains(learner) && line.contains(" ± "), "{line}");
    }
}

#[test]
fn csv_has_a_line_per_cell() {
    let folder = Folder::new();
    let ran = folder
        .run("compare builtin:monks-1 --learners c45,j48[min-rows=5,collapse=false] --runs 3 --folds 4 --format csv");
    let lines: Vec<&str> = ran.succeeded().lines().collect();
    assert_eq!(lines[0], HEADER);
    assert_eq!(lines.len(), 1 + 2 * 3 * 4);
    assert!(lines[1].starts_with("monks-1,c45,1,1,108,"), "{}", lines[1]);
    assert!(lines[24].starts_with("monks-1,\"j48[min-rows=5,collapse=false]\",3,4,108,"), "{}", lines[24]);
    assert!(lines[1..].iter().all(|line| line.ends_with(",ok")));
    for line in &lines[1..13] {
        let fields: Vec<&str> = line.split(',').collect();
        let (rows, correct, accuracy): (f64, f64, f64) =
            (fields[4].parse().unwrap(), fields[5].parse().unwrap(), fields[6].parse().unwrap());
        assert!((accuracy - 100.0 * correct / rows).abs() < 1e-9, "{line}");
    }
}

#[test]
fn seed_decides_and_threads_do_not() {
    let folder = Folder::new();
    let call = |flags: &str| {
        let ran = folder.run(&format!("compare builtin:tic-tac-toe --learners c45 --runs 2 --format csv {flags}"));
        results(ran.succeeded())
    };
    assert_eq!(call("--threads 1"), call("--threads 3"));
    assert_eq!(call("--seed 1"), call("--threads 2"));
    assert_ne!(call("--seed 1"), call("--seed 2"));
}

#[test]
fn folds_can_come_from_a_file_or_a_folder() {
    let folder = Folder::new();
    folder.write("weather.csv", WEATHER);
    // Two runs of two folds; the second run has the folds of the first exchanged.
    let folds: String = (0..14).map(|row| format!("{}{}\n", row % 2, (row + 1) % 2)).collect();
    std::fs::create_dir(folder.path("folds")).unwrap();
    folder.write("folds/weather.folds", &folds);
    let call = |flags: &str| {
        let ran = folder.run(&format!("compare weather.csv --learners c45 --format csv {flags}"));
        results(ran.succeeded())
    };
    let from_folder = call("--folds-from folds");
    assert_eq!(from_folder.len(), 1 + 4);
    assert_eq!(call("--folds-from folds/weather.folds"), from_folder);
    assert_eq!(call("--folds-from folds --runs 1"), from_folder[..3]);
    let without_place = |line: &String| line.splitn(5, ',').last().unwrap().to_string();
    assert_eq!(without_place(&from_folder[1]), without_place(&from_folder[4]));
    folder
        .run("compare weather.csv --learners c45 --folds-from folds --runs 3")
        .failed(1, &["weather.folds", "2 runs"]);
    folder.run("compare builtin:monks-1 --learners c45 --folds-from folds").failed(1, &["monks-1.folds"]);
    folder.run("compare weather.csv --learners c45 --folds-from folds --folds 3").failed(2, &["--folds"]);
    folder.write("folds/weather.folds", &folds[3..]);
    folder.run("compare weather.csv --learners c45 --folds-from folds").failed(1, &["weather.folds", "expected 14"]);
}

#[test]
fn what_fails_is_reported_and_the_rest_goes_on() {
    let folder = Folder::new();
    folder.write("ragged.csv", "a,b\n1,x\n2\n");
    let ran = folder.run("compare ragged.csv builtin:monks-1 none.csv --learners c45 --runs 1 --folds 2 --format csv");
    assert_eq!(ran.code, 1);
    assert_eq!(ran.out.lines().count(), 3, "{}", ran.out);
    for part in ["error: ragged.csv, line 3", "error: none.csv", "2 of the comparisons failed"] {
        assert!(ran.err.contains(part), "{part}: {}", ran.err);
    }
}

#[test]
fn a_cell_that_fails_says_so() {
    let folder = Folder::new();
    // Fold 0 holds all rows of one class: without it nothing is left to tell apart.
    folder.write("tiny.csv", "x,class\n1,a\n2,a\n3,b\n4,b\n");
    folder.write("tiny.folds", "0\n0\n1\n1\n");
    let ran = folder.run("compare tiny.csv --learners c45 --folds-from tiny.folds --format csv --output out.csv");
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert!(ran.err.contains("error: tiny, c45, run 1, fold 1: failed: "), "{}", ran.err);
    let written = folder.read("out.csv");
    assert_eq!(written.lines().filter(|line| line.contains("failed: ")).count(), 2, "{written}");
}

#[test]
fn a_class_smaller_than_the_folds_is_a_warning() {
    let folder = Folder::new();
    folder.write("weather.csv", WEATHER);
    let ran = folder.run("compare weather.csv --learners c45 --runs 1");
    ran.succeeded();
    assert!(ran.err.contains("warning: weather.csv: classes with fewer rows than the 10 folds"), "{}", ran.err);
}

#[test]
fn results_can_go_to_a_file() {
    let folder = Folder::new();
    let ran = folder.run("compare builtin:monks-1 --learners c45 --runs 1 --format csv --output out.csv");
    assert_eq!(ran.succeeded(), "");
    assert!(folder.read("out.csv").starts_with(HEADER));
    assert_eq!(folder.files(), ["out.csv"]);
}

#[test]
fn a_wrong_list_of_learners_is_wrong_usage() {
    let folder = Folder::new();
    let call = |list: &str| folder.run(&format!("compare builtin:monks-1 --learners {list}"));
    call("c45,oak").failed(2, &["\"oak\"", "c45, j48"]);
    call("c45[min-rows=many]").failed(2, &["min-rows=many"]);
    call("c45[min-rows=5").failed(2, &["bracket"]);
    call("c45,").failed(2, &["learner"]);
    folder.run("compare builtin:monks-1").failed(2, &["--learners"]);
    folder.run("compare --learners c45").failed(2, &["DATA"]);
    folder.run("compare builtin:monks-1 --learners c45 --folds 1").failed(2, &["--folds"]);
    folder.run("compare builtin:monks-1 --learners c45 --runs 0").failed(2, &["--runs"]);
}
