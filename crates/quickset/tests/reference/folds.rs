use quickset::data::Folds;

use crate::shared::{dataset, folder};

#[test]
fn the_folds_of_every_set_and_run_are_those_that_weka_made() {
    let Some(folder) = folder("the_folds_of_every_set_and_run_are_those_that_weka_made") else { return };
    let mut checked = 0;
    for kind in ["uci", "text"] {
        for entry in std::fs::read_dir(folder.join("datasets").join(kind)).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_stem().unwrap().to_str().unwrap();
            let Ok(text) = std::fs::read_to_string(folder.join(format!("reference/folds/{name}.folds"))) else {
                continue;
            };
            let data = dataset(&folder, kind, name);
            for run in 1..=Folds::runs_in(&text) {
                let expected = Folds::parse(&text, run, data.rows()).unwrap();
                let found = Folds::as_weka(&data.class().unwrap().codes, 10, run).unwrap();
                assert_eq!(found, expected, "{name}, run {run}");
                checked += 1;
            }
        }
    }
    assert!(checked >= 350, "{checked}");
}
