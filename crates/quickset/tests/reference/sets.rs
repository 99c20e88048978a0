//! What the readers find, against the tables of `datasets/README.md`.

use crate::shared;

#[test]
fn every_set_has_the_rows_attributes_and_classes_of_its_table() {
    let Some(folder) = shared::folder("every_set_has_the_rows_attributes_and_classes_of_its_table") else { return };
    let text = std::fs::read_to_string(folder.join("datasets/README.md")).unwrap();
    let mut checked = 0;
    for line in text.lines().filter(|line| line.starts_with("| ")) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let Ok(rows) = cells.get(1).unwrap_or(&"").parse::<usize>() else { continue };
        let name = cells[0];
        let kind = if folder.join("datasets/uci").join(format!("{name}.arff")).exists() { "uci" } else { "text" };
        let data = shared::dataset(&folder, kind, name);
        let class = data.class().unwrap();
        let nominal = data.attributes().iter().filter(|column| column.levels().is_some()).count();
        let attributes = data.attributes().len();
        let missing: usize = data.attributes().iter().map(|column| column.missing_count()).sum();
        let percent = 100.0 * missing as f64 / (rows * attributes) as f64;
        assert_eq!(data.rows(), rows, "{name}: rows");
        assert_eq!(format!("{attributes} ({nominal} / {})", attributes - nominal), cells[2], "{name}: attributes");
        assert_eq!(class.levels.len().to_string(), cells[3].split(' ').next().unwrap(), "{name}: classes");
        assert_eq!(format!("{percent:.2}"), cells[4], "{name}: missing");
        checked += 1;
    }
    assert_eq!(checked, 34 + 18);
}
