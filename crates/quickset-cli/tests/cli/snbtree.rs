//! Self-adaptive NBTree through the command.

use crate::folder::{Folder, WEATHER};

/// Rows whose class changes twice along a number, with a level that tells nothing and some values missing.
fn stripes() -> String {
    let mut text = String::from("x,noise,shade,class\n");
    for row in 0..300 {
        let x = f64::from(row * 37 % 300) / 300.0;
        let class = if (0.3..0.6).contains(&x) { "in" } else { "out" };
        let shade = ["light", "dark", ""][row as usize % 3];
        let noise = if row % 11 == 0 { String::new() } else { format!("{}", row * 53 % 97) };
        text += &format!("{x},{noise},{shade},{class}\n");
    }
    text
}

#[test]
fn numbers_are_cut_where_the_most_probable_class_changes() {
    let folder = Folder::new();
    folder.write("stripes.csv", stripes());
    let flags = "--set stop.reduction=none --output model.json";
    let ran = folder.run(&format!("train stripes.csv --learner snbtree {flags}"));
    let out = ran.succeeded();
    assert!(out.contains("x in (0.") && out.contains("3 leaves"), "{out}");
    let again = folder.run("show model.json");
    assert!(again.succeeded().contains("x in (0."), "{}", again.out);
    let report = folder.run("evaluate model.json stripes.csv --format json").json();
    assert!(report["accuracy"].as_f64().unwrap() > 0.95, "{report}");
    folder.run("explain model.json stripes.csv --row 1").succeeded();
    folder.run("predict model.json stripes.csv --proba").succeeded();
}

#[test]
fn options_are_taken_and_wrong_ones_refused() {
    let folder = Folder::new();
    folder.write("weather.csv", WEATHER);
    for change in ["delta=loo", "delta=paper", "leaf.counts=ml", "leaf.counts=add-one", "missing=fractions"] {
        let ran = folder.run(&format!("train weather.csv --learner snbtree --set {change}"));
        assert!(ran.succeeded().contains("naive Bayes over"), "{change}: {}", ran.out);
    }
    folder.run("train weather.csv --learner snbtree --set delta=oak").failed(2, &["delta=oak", "paper|loo"]);
    folder.run("train weather.csv --learner c45 --set delta=loo").failed(2, &["where score=bayes"]);
    folder.run("train weather.csv --learner snbtree --set leaf.counts=2").failed(2, &["add-one|ml"]);
    folder.run("train weather.csv --learner nt --set score=bayes").failed(2, &["tables=counted"]);
}

#[test]
fn bandwidths_that_ties_made_narrow_are_reported() {
    let folder = Folder::new();
    let mut text = String::from("x,y,class\n");
    for row in 0..60 {
        text += &format!("{},{},{}\n", row % 3, row * 7 % 60, if row % 4 == 0 { "a" } else { "b" });
    }
    folder.write("ties.csv", text);
    let ran = folder.run("train ties.csv --learner snbtree");
    ran.succeeded();
    assert!(ran.err.contains("\"x\": 2 densities") && ran.err.contains("0.20"), "{}", ran.err);
}
