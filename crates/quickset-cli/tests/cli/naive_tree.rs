//! The naive tree on data that are hard on its tables.

use crate::folder::Folder;

#[test]
fn an_attribute_with_as_many_values_as_rows_is_left_out_and_said_so() {
    let folder = Folder::new();
    let mut text = String::from("name,x,class\n");
    (0..60).for_each(|row| text += &format!("r{row},{},{}\n", row % 7, if row % 7 < 3 { "low" } else { "high" }));
    folder.write("names.csv", &text);
    let ran = folder.run("train names.csv");
    let out = ran.succeeded();
    assert!(out.contains("x <= 2") && !out.contains("name ="), "{out}");
    assert!(ran.err.contains("note: names.csv") && ran.err.contains("\"name\" is left out"), "{}", ran.err);
}

#[test]
fn a_hundred_thousand_classes_are_refused() {
    let folder = Folder::new();
    let mut text = String::from("x,class\n");
    (0..100_000).for_each(|row| text += &format!("{row},c{row}\n"));
    folder.write("classes.csv", &text);
    folder.run("train classes.csv").failed(1, &["classes.csv", "100000 different values", "--target"]);
}

const TEXT: &str = "@relation text\n@attribute a numeric\n@attribute b numeric\n@attribute class {x,y}\n@data\n";

#[test]
fn words_that_never_occur_give_a_leaf() {
    let folder = Folder::new();
    folder.write("zero.arff", format!("{TEXT}{}", "{}\n{2 y}\n{2 y}\n".repeat(5)));
    assert!(folder.run("train zero.arff").succeeded().contains("1 leaves, size 1"));
}

#[test]
fn an_empty_document_trains_and_is_predicted() {
    let folder = Folder::new();
    let documents = "{0 2}\n{0 1, 1 3}\n{1 1, 2 y}\n{1 2, 2 y}\n{}\n{2 y}\n{2 y}\n".repeat(4);
    folder.write("empty.arff", format!("{TEXT}{documents}"));
    assert!(folder.run("train empty.arff --output model.json").succeeded().contains("a > 0: x (8.0)"));
    folder.write("one.arff", format!("{TEXT}{{}}\n"));
    assert!(folder.run("predict model.json one.arff").succeeded().ends_with(",y\n"));
}

#[test]
fn a_class_of_a_single_row_is_learnt_with_the_others() {
    let folder = Folder::new();
    let mut text = String::from("x,y,class\n");
    (0..30).for_each(|row| text += &format!("{row},{},{}\n", row % 3, if row < 15 { "a" } else { "b" }));
    folder.write("single.csv", text + "31,1,c\n");
    assert!(folder.run("train single.csv").succeeded().contains("x <= 14: a (15.0)"));
}

#[test]
fn all_kinds_of_bins_and_counts_train() {
    let folder = Folder::new();
    for setting in ["bins=width", "bins=frequency", "bins=mdl", "bins.count=8", "range=observed", "score=iig"] {
        let ran = folder.run(&format!("train builtin:waveform --set {setting} --format json"));
        assert!(ran.json()["train_accuracy"].as_f64().unwrap() > 0.8, "{setting}: {}", ran.out);
    }
    folder.run("train builtin:waveform --set bins=log").failed(2, &["bins", "width|frequency|mdl"]);
}
