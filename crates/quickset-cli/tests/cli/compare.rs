use crate::folder::{Folder, WEATHER};

const HEADER: &str = "dataset,learner,run,fold,rows,correct,accuracy,log_loss,leaves,size,depth,mean_depth,\
    train_seconds,predict_seconds,status";

/// Everything but the seconds.
fn results(csv: &str) -> Vec<String> {
    csv.lines().map(|line| line.split(',').take(12).collect::<Vec<_>>().join(",")).collect()
}

#[test]
fn the_table_has_a_line_per_data_set_and_learner_and_tests_of_the_differences() {
    let folder = Folder::new();
    let ran = folder.run("compare builtin:monks-1 builtin:balance-scale --learners c45,nb --runs 2 --folds 5");
    let lines: Vec<&str> = ran.succeeded().lines().collect();
    for column in ["dataset", "learner", "accuracy %", "balanced %", "log-loss", "AUC", "leaves", "depth", "train s"] {
        assert!(lines[0].contains(column), "{}", lines[0]);
    }
    for (line, (set, learner)) in lines[1..].iter().zip([
        ("monks-1", "c45"),
        ("monks-1", "nb"),
        ("balance-scale", "c45"),
        ("balance-scale", "nb"),
    ]) {
        assert!(line.contains(set) && line.contains(learner) && line.contains(" ± "), "{line}");
    }
    // Naive Bayes cannot see that two attributes are equal, but weighs the scale better.
    assert!(lines[2].contains('▼') && lines[4].contains('▲'), "{}", ran.out);
    for part in ["corrected resampled", "Wins/ties/losses", "1/0/1", "Means over 2 data sets", "Friedman", "Nemenyi"] {
        assert!(ran.out.contains(part), "{part}: {}", ran.out);
    }
}

#[test]
fn the_document_has_cells_spreads_and_tests() {
    let folder = Folder::new();
    let ran =
        folder.run("compare builtin:monks-1 builtin:balance-scale --learners c45,nb --runs 2 --folds 5 --format json");
    let document: serde_json::Value = serde_json::from_str(ran.succeeded()).unwrap();
    assert_eq!(document["cells"].as_array().unwrap().len(), 2 * 2 * 2 * 5);
    let comparison = &document["comparison"];
    let figures = &comparison["summaries"][0]["figures"];
    for figure in [
        "accuracy",
        "balanced_accuracy",
        "log_loss",
        "brier",
        "auc",
        "leaves",
        "size",
        "depth",
        "train_seconds",
        "predict_seconds",
    ] {
        assert!(figures[figure]["mean"].is_number() && figures[figure]["deviation"].is_number(), "{figure}: {figures}");
    }
    // The figures follow from the cells.
    let cells: Vec<f64> =
        document["cells"].as_array().unwrap()[..10].iter().map(|cell| cell["accuracy"].as_f64().unwrap()).collect();
    let mean = cells.iter().sum::<f64>() / 10.0;
    assert!((figures["accuracy"]["mean"].as_f64().unwrap() - mean).abs() < 1e-9);
    assert!(comparison["contrasts"][0]["corrected"]["p"].as_f64().unwrap() < 0.05);
    assert!(comparison["overall"]["ranking"]["critical_difference"].is_number());
}

#[test]
fn a_learning_curve_has_a_cell_for_every_share() {
    let folder = Folder::new();
    let call = "compare builtin:tic-tac-toe --learners c45,nb --runs 1 --folds 3 --curve 100%,5%,20% --format";
    let ran = folder.run(&format!("{call} csv"));
    let lines: Vec<&str> = ran.succeeded().lines().collect();
    assert_eq!(lines[0], format!("{HEADER},share"));
    assert_eq!(lines.len(), 1 + 2 * 3 * 3);
    assert!(lines[1].ends_with(",ok,5") && lines[2].ends_with(",ok,20") && lines[3].ends_with(",ok,100"));
    // With all rows the cells are those without a curve.
    let whole = folder.run("compare builtin:tic-tac-toe --learners c45,nb --runs 1 --folds 3 --format csv");
    let with_all: Vec<String> = results(&ran.out).into_iter().skip(1).skip(2).step_by(3).collect();
    assert_eq!(with_all, results(whole.succeeded())[1..]);
    let ran = folder.run(&format!("{call} table"));
    assert!(ran.succeeded().contains("training rows %") && ran.out.contains("With 100 % of the training rows"));
    let ran = folder.run(&format!("{call} json"));
    let document: serde_json::Value = serde_json::from_str(ran.succeeded()).unwrap();
    let curve = document["curve"].as_array().unwrap();
    assert_eq!(curve.len(), 6);
    let accuracy = |at: usize| curve[at]["accuracy"]["mean"].as_f64().unwrap();
    assert!(accuracy(2) > accuracy(0), "more rows teach more");
    for wrong in ["5", "0%", "120%", "x%"] {
        folder
            .run(&format!("compare builtin:monks-1 --learners c45 --curve {wrong}"))
            .failed(2, &["--curve", "5%,50%,100%"]);
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
    // The ending decides where nothing else does.
    for (file, start) in [("a.csv", HEADER), ("a.json", "{"), ("a.html", "<!doctype html>"), ("a.txt", "dataset")] {
        folder.run(&format!("compare builtin:monks-1 --learners c45 --runs 1 --output {file}")).succeeded();
        let written = folder.read(file);
        assert!(written.to_lowercase().starts_with(start), "{file}: {}", &written[..60]);
    }
    let call = "compare builtin:monks-1 --learners c45 --runs 1 --format csv";
    folder.run(&format!("{call} --output none/out.csv")).failed(1, &["none/out.csv", "create it first"]);
    folder.run(&format!("{call} --output .")).failed(1, &["directory"]);
}

#[test]
fn an_older_file_stays_where_nothing_can_be_compared() {
    let folder = Folder::new();
    for name in ["out.csv", "out.txt", "out.html"] {
        folder.write(name, "older");
        folder.run(&format!("compare none.csv --learners c45 --output {name}")).failed(1, &["none.csv"]);
        assert_eq!(folder.read(name), "older");
    }
    assert_eq!(folder.files(), ["out.csv", "out.html", "out.txt"]);
}

#[test]
fn a_wrong_list_of_learners_is_wrong_usage() {
    let folder = Folder::new();
    let call = |list: &str| folder.run(&format!("compare builtin:monks-1 --learners {list}"));
    call("c45,oak").failed(2, &["\"oak\"", "c45, j48"]);
    call("c45[min-rows=many]").failed(2, &["min-rows=many"]);
    call("c45[min-rows=5").failed(2, &["bracket"]);
    call("c45,").failed(2, &["learner"]);
    call("c45,nb,c45").failed(2, &["c45 is listed twice"]);
    folder.run("compare builtin:monks-1 builtin:monks-1 --learners c45").failed(2, &["named twice"]);
    folder.run("compare builtin:monks-1").failed(2, &["--learners"]);
    folder.run("compare --learners c45").failed(2, &["DATA"]);
    folder.run("compare builtin:monks-1 --learners c45 --folds 1").failed(2, &["--folds"]);
    folder.run("compare builtin:monks-1 --learners c45 --runs 0").failed(2, &["--runs"]);
}
