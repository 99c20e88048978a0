use crate::folder::Folder;

#[test]
fn help_is_a_result() {
    let folder = Folder::new();
    let commands = ["train", "predict", "show", "explain", "evaluate", "compare", "learners", "data"];
    let ran = folder.run("--help");
    for command in commands {
        assert!(ran.succeeded().lines().any(|line| line.trim_start().starts_with(command)), "{command}: {}", ran.out);
        assert!(folder.run(&format!("{command} --help")).succeeded().contains("Usage: quickset"));
    }
    for command in ["info", "convert", "generate", "list"] {
        assert!(folder.run(&format!("data {command} -h")).succeeded().contains("Usage: quickset data"));
    }
    assert!(folder.run("--version").succeeded().starts_with("quickset "));
}

#[test]
fn help_names_the_flags_and_the_long_help_the_keys() {
    let folder = Folder::new();
    let ran = folder.run("train --help");
    for part in [
        "--target",
        "--learner",
        "--set",
        "--seed",
        "--format",
        "--output",
        "--missing",
        "--nominal",
        "--numeric",
        "--ignore",
        "--threads",
        "--quiet",
        "builtin:NAME",
        "prune.confidence",
        "max-depth",
    ] {
        assert!(ran.succeeded().contains(part), "{part}: {}", ran.out);
    }
    assert!(!folder.run("train -h").succeeded().contains("prune.confidence"));
    for part in ["--runs", "--folds", "--folds-from", "--learners", "prune.confidence"] {
        assert!(folder.run("compare --help").succeeded().contains(part), "{part}");
    }
}

#[test]
fn wrong_arguments_are_exit_code_2() {
    let folder = Folder::new();
    for arguments in [
        "grow",
        "train",
        "train builtin:weather --format html",
        "train builtin:weather --threads 0",
        "predict model.json",
        "train builtin:weather --budget soon",
        "data",
        "data info",
        "show",
        "train builtin:weather --seed x",
    ] {
        let ran = folder.run(arguments);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{arguments}: {}", ran.err);
        assert!(ran.err.contains("Usage: ") || ran.err.contains("error: "), "{}", ran.err);
    }
}

#[test]
fn an_unknown_learner_lists_the_known_ones() {
    let folder = Folder::new();
    folder
        .run("train builtin:weather --learner oak --output model.json")
        .failed(2, &["there is no learner named \"oak\"", "c45, j48, id3, id3-k"]);
    assert!(folder.files().is_empty());
}

#[test]
fn an_unknown_key_or_value_lists_the_valid_ones() {
    let folder = Folder::new();
    let set = |pair: &str| folder.run(&format!("train builtin:weather --output model.json --set {pair}"));
    set("depth=3").failed(2, &["\"depth\"", "max-depth", "prune.confidence"]);
    set("leaf=oak").failed(2, &["leaf=oak", "majority|distribution|laplace"]);
    set("leaf").failed(2, &["\"leaf\"", "key=value"]);
    set("prune.confidence=0.9").failed(2, &["prune.confidence", "0.5"]);
    set("missing=learned").failed(2, &["missing=learned", "nominal=subset"]);
    assert!(folder.files().is_empty());
}
