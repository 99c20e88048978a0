use serde_json::Value;

use crate::folder::{Folder, WEATHER};

/// The weather, and a naive Bayes model of it as `model.json`.
fn with_model(changes: &str) -> Folder {
    let folder = Folder::new();
    folder.write("weather.csv", WEATHER);
    folder.run(&format!("train weather.csv --learner nb --output model.json{changes}")).succeeded();
    folder
}

#[test]
fn naive_bayes_is_trained_shown_explained_and_evaluated() {
    for density in ["normal", "kernel", "adaptive", "discretised", "multinomial"] {
        let folder = with_model(&format!(" --set leaf.density={density}"));
        let attributes = if density == "discretised" { 2 } else { 4 };
        let line = format!(": naive Bayes over {attributes} attributes, strongest ");
        let ran = folder.run("show model.json");
        assert!(ran.succeeded().contains(&line) && ran.out.contains(" (14 rows)"), "{density}: {}", ran.out);
        assert!(folder.run("show model.json --format dot").succeeded().contains("naive Bayes"));
        let tree: Value = serde_json::from_str(folder.run("show model.json --format json").succeeded()).unwrap();
        assert_eq!(tree["tree"]["naive-bayes"][0]["attribute"], "outlook");
        let ran = folder.run("explain model.json weather.csv --row 3");
        let out = ran.succeeded();
        assert!(out.contains("Row 3: yes") && out.contains("outlook = overcast: "), "{out}");
        assert!(!out.contains("No change"), "{out}");
        let report = folder.run("evaluate model.json weather.csv --format json").json();
        assert!(report["accuracy"].as_f64().unwrap() > 0.75, "{density}: {report}");
        let ran = folder.run("predict model.json weather.csv --proba");
        assert_eq!(ran.succeeded().lines().count(), 15);
    }
}

#[test]
fn any_learner_may_have_such_leaves() {
    let folder = Folder::new();
    folder.write("weather.csv", WEATHER);
    for learner in ["nt", "c45", "j48", "id3", "cart"] {
        let flags = "--set leaf=nb --set max-depth=1 --set min-rows=1 --set prune=none --output model.json";
        folder.run(&format!("train weather.csv --learner {learner} {flags}")).succeeded();
        let ran = folder.run("show model.json");
        assert!(ran.succeeded().contains("naive Bayes over"), "{learner}: {}", ran.out);
        assert_eq!(folder.run("evaluate model.json weather.csv --format json").json()["rows"], 14);
        folder.run("explain model.json weather.csv --row 1").succeeded();
    }
    let ran = folder.run("compare weather.csv --learners nb,c45[leaf=nb,leaf.density=kernel] --runs 1 --folds 3");
    assert!(ran.succeeded().contains("c45[leaf=nb,leaf.density=kernel]"), "{}", ran.out);
}

#[test]
fn rules_cannot_hold_it() {
    let folder = with_model("");
    folder.run("show model.json --format rules").failed(1, &["model.json", "naive Bayes leaf", "text, dot or json"]);
}

#[test]
fn a_wrong_density_is_refused_with_the_valid_ones() {
    let folder = Folder::new();
    let all = "normal|kernel|adaptive|discretised|multinomial";
    folder.run("train builtin:weather --learner nb --set leaf.density=oak").failed(2, &["leaf.density=oak", all]);
    folder.run("train builtin:weather --learner c45 --set leaf.density=kernel").failed(2, &["where leaf=nb", all]);
}

#[test]
fn counts_may_not_be_negative() {
    let folder = Folder::new();
    folder.write("debts.csv", "debt,class\n3,a\n-1,b\n2,a\n0,b\n");
    folder
        .run("train debts.csv --learner nb --set leaf.density=multinomial --output model.json")
        .failed(1, &["debts.csv", "\"debt\"", "found -1", "leaf.density=normal"]);
    assert_eq!(folder.files(), ["debts.csv"]);
}

#[test]
fn a_column_that_naive_bayes_asks_for_must_be_there() {
    let folder = with_model("");
    folder.write("less.csv", "outlook,temperature,humidity\nsunny,70,70\n");
    folder.run("predict model.json less.csv").failed(1, &["less.csv", "\"windy\"", "lack this column"]);
}
