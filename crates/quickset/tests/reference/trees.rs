//! The printed trees.

use quickset::{Recipe, export};

use crate::shared;

/// The lines of the tree itself: what stands between the dashes and the number of leaves.
fn tree_lines(text: &str) -> Vec<&str> {
    let lines = text.lines().skip_while(|line| !line.starts_with("---")).skip(1);
    lines.take_while(|line| !line.starts_with("Number of Leaves")).filter(|line| !line.is_empty()).collect()
}

#[test]
fn trees_print_as_weka_prints_them() {
    let Some(folder) = shared::folder("trees_print_as_weka_prints_them") else { return };
    let mut checked = 0;
    for entry in std::fs::read_dir(folder.join("reference/j48_trees")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_string();
        let model = shared::fit(Recipe::j48(), &shared::dataset(&folder, "uci", &name));
        let expected = std::fs::read_to_string(&path).unwrap();
        assert_eq!(tree_lines(&export::text(&model)), tree_lines(&expected), "{name}");
        checked += 1;
    }
    assert_eq!(checked, 16);
}
