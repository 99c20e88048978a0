use serde_json::Value;

use crate::folder::Folder;

#[test]
fn text_reads_as_j48_prints() {
    let folder = Folder::with_model();
    let ran = folder.run("show model.json");
    let out = ran.succeeded();
    for line in [
        "outlook = sunny",
        "|   humidity <= 75: yes (2.0)",
        "|   humidity > 75: no (3.0)",
        "outlook = overcast: yes (4.0)",
    ] {
        assert!(out.lines().any(|found| found == line), "{line}: {out}");
    }
    assert!(out.contains("Number of Leaves  : \t5") && out.contains("Size of the tree : \t8"), "{out}");
    assert_eq!(folder.run("show model.json --format text").succeeded(), out);
}

#[test]
fn dot_is_a_graph() {
    let folder = Folder::with_model();
    let ran = folder.run("show model.json --format dot");
    let out = ran.succeeded();
    assert!(out.trim_start().starts_with("digraph") && out.trim_end().ends_with('}'), "{out}");
    assert_eq!(out.matches("->").count(), 7, "{out}");
}

#[test]
fn json_is_a_document() {
    let folder = Folder::with_model();
    let document: Value = serde_json::from_str(folder.run("show model.json --format json").succeeded()).unwrap();
    assert!(document.is_object());
}

#[test]
fn rules_are_one_per_leaf() {
    let folder = Folder::with_model();
    let ran = folder.run("show model.json --format rules");
    let out = ran.succeeded();
    assert_eq!(out.lines().filter(|line| line.contains("if ") && line.contains("then ")).count(), 5, "{out}");
    assert!(out.contains("support") && out.contains("confidence"), "{out}");
}

#[test]
fn a_file_is_written_instead_of_printing() {
    let folder = Folder::with_model();
    for format in ["text", "dot", "json", "rules"] {
        let printed = folder.run(&format!("show model.json --format {format}")).succeeded().to_string();
        let ran = folder.run(&format!("show model.json --format {format} --output tree.{format}"));
        assert_eq!(ran.succeeded(), "");
        assert_eq!(folder.read(&format!("tree.{format}")), printed);
    }
}
