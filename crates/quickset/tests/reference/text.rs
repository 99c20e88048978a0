//! The sparse text sets.

use quickset::Recipe;

use crate::shared;

#[test]
fn sparse_trees_are_those_of_weka() {
    let Some(folder) = shared::folder("sparse_trees_are_those_of_weka") else { return };
    let mut checked = 0;
    for line in shared::results(&folder, "weka_text.csv") {
        if line[1] != "J48" || line[4].is_empty() {
            continue;
        }
        let data = shared::dataset(&folder, "text", &line[0]);
        assert!(data.attributes().iter().all(|column| column.is_sparse()), "{}: sparse stays sparse", line[0]);
        let model = shared::fit(Recipe::j48(), &data);
        let found = [model.tree().leaves(), model.tree().size(), model.training().errors];
        let expected: Vec<usize> = line[4..7].iter().map(|figure| figure.parse().unwrap()).collect();
        assert_eq!(found.as_slice(), expected, "{}: leaves, size, training errors", line[0]);
        checked += 1;
    }
    assert_eq!(checked, 13, "the text sets that Weka trained on in full");
}
