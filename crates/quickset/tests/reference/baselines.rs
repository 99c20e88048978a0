//! 1R against the rules that tutorials of Weka's OneR show. No run of it is among the reference results.

use quickset::{Recipe, export};

use crate::shared;

#[test]
fn one_r_has_the_rules_that_are_known_of_weka() {
    let Some(folder) = shared::folder("one_r_has_the_rules_that_are_known_of_weka") else { return };
    let fit = |name: &str, bucket: &str| {
        let mut recipe = Recipe::one_r();
        recipe.set("numeric.bucket", bucket).unwrap();
        shared::fit(recipe, &shared::dataset(&folder, "uci", name))
    };
    let cuts = |name: &str| {
        let model = fit(name, "6");
        let rules = export::rules(&model).unwrap();
        let cut = |rule: &export::Rule| match &rule.conditions[0] {
            export::Condition::Range { at_most, .. } => *at_most,
            _ => None,
        };
        (rules.iter().filter_map(cut).collect::<Vec<f64>>(), model.training().errors)
    };
    assert_eq!(cuts("iris"), (vec![0.8, 1.75], 150 - 144));
    let plas = vec![114.5, 115.5, 127.5, 128.5, 133.5, 135.5, 143.5, 152.5, 154.5];
    assert_eq!(cuts("diabetes"), (plas, 768 - 587));
    assert_eq!(fit("diabetes", "1").training().errors, 768 - 672);
    assert_eq!(fit("mushroom", "6").training().errors, 8124 - 8004);
}
