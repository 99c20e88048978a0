//! Cuts that are made once, and tests of one level against the rest.

use proptest::prelude::*;
use quickset::data::{Column, Dataset};
use quickset::export;
use quickset::measure::{Gain, Measure, Table};
use quickset::model::{Node, NodeId, Tree};
use quickset::split::Split;
use quickset::{Learner, Model, Recipe};

use crate::random::{Cells, LEVELS, cells, dataset};
use crate::same_tree::{shifted, sparse};

const CUTS: [&str; 4] = ["quartiles", "natural", "mdl", "sqrt"];

fn changed(learner: &str, changes: &[&str]) -> Recipe {
    let mut recipe = Recipe::named(learner).unwrap();
    changes.iter().for_each(|change| recipe.set_pair(change).unwrap());
    recipe
}

fn fit(recipe: &Recipe, data: &Dataset) -> Model {
    Learner::new(recipe.clone()).unwrap().fit(data).unwrap()
}

/// Every way to cut under learners that differ in what they do with missing values.
fn recipes() -> Vec<Recipe> {
    let mut recipes = Vec::new();
    for cuts in CUTS.map(|cuts| format!("numeric={cuts}")) {
        for ways in ["numeric.ways=many", "numeric.ways=two"] {
            recipes.push(changed("id3", &[&cuts, ways]));
            recipes.push(changed("id3", &[&cuts, ways, "nominal=value", "missing=own"]));
            recipes.push(changed("c45", &[&cuts, ways, "missing=impute"]));
            recipes.push(changed("cart", &[&cuts, ways, "prune=none"]));
            recipes.push(changed("c45", &[&cuts, ways, "nominal=value", "missing=learned", "prune=reduced-error"]));
        }
    }
    recipes.push(changed("c45", &["nominal=value"]));
    recipes.push(changed("cart", &["nominal=value", "cut=bins"]));
    recipes
}

/// The tests on a way down, from every node that is tested.
fn visit(tree: &Tree, id: NodeId, path: &mut Vec<Split>, see: &mut impl FnMut(&[Split])) {
    if let Node::Inner { split, children, .. } = tree.node(id) {
        path.push(split.clone());
        see(path);
        children.iter().for_each(|&child| visit(tree, child, path, see));
        path.pop();
    }
}

/// The known values of a number, ascending.
fn known(cells: &Cells, at: usize) -> Vec<i32> {
    let mut values: Vec<i32> = cells.numbers[at].iter().copied().flatten().collect();
    values.sort_unstable();
    values
}

/// The gain of one level against the rest.
fn gain(cells: &Cells, column: &[Option<u32>], level: u32) -> f64 {
    let mut table = vec![0.0; 6];
    let mut missing = 0.0;
    for (cell, &class) in column.iter().zip(&cells.classes) {
        match cell {
            Some(code) => table[usize::from(*code != level) * 3 + class as usize] += 1.0,
            None => missing += 1.0,
        }
    }
    Gain.of(&Table::new(3, table, missing))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn one_tree_on_any_threads_in_any_storage_that_survives_its_file(cells in cells(true), by in 0i32..4) {
        prop_assume!(cells.can_be_learnt());
        let cells = shifted(&cells, by);
        for recipe in recipes() {
            let on = |threads: usize, data: &Dataset| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                pool.install(|| fit(&recipe, data))
            };
            let model = on(1, &cells.dataset());
            prop_assert_eq!(&model, &on(3, &cells.dataset()));
            // Bins of a sparse column are its values.
            if recipe.candidates.cut.over == quickset::recipe::CutOver::Rows {
                prop_assert_eq!(&model, &fit(&recipe, &sparse(&cells)), "{:?}", recipe);
            }
            prop_assert_eq!(&Model::from_json(&model.to_json().unwrap()).unwrap(), &model);
        }
    }

    #[test]
    fn labels_and_probabilities_agree_and_every_form_is_written(cells in cells(true), unseen in cells(true)) {
        prop_assume!(cells.can_be_learnt());
        for recipe in recipes() {
            let model = fit(&recipe, &cells.dataset());
            let data = unseen.dataset();
            let (labels, probabilities) = (model.predict(&data).unwrap(), model.predict_proba(&data).unwrap());
            for (row, &label) in labels.iter().enumerate() {
                let of_row = probabilities.row(row);
                let best = of_row.iter().copied().fold(0.0, f64::max);
                prop_assert!((of_row.iter().sum::<f64>() - 1.0).abs() < 1e-6 && of_row[usize::from(label)] >= best - 1e-6);
                export::explain(&model, &data, row).unwrap().to_string();
            }
            prop_assert!(export::rules_text(&model).unwrap().lines().count() == model.tree().leaves());
            serde_json::from_str::<serde_json::Value>(&export::json(&model)).unwrap();
            prop_assert!(export::text(&model).len() + export::dot(&model).len() > 0);
        }
    }

    /// All cuts of a tree are some of those that leave no interval without a row. A path divides a number into its
    /// intervals once at most, and no branch of it is empty.
    #[test]
    fn cuts_are_those_of_all_rows(cells in cells(true)) {
        prop_assume!(cells.can_be_learnt());
        for cuts in CUTS.map(|cuts| format!("numeric={cuts}")) {
            let many = fit(&changed("id3", &[&cuts]), &cells.dataset());
            let two = fit(&changed("id3", &[&cuts, "numeric.ways=two"]), &cells.dataset());
            let mut of_number = [Vec::new(), Vec::new()];
            visit(many.tree(), NodeId::ROOT, &mut Vec::new(), &mut |path: &[Split]| {
                let (last, above) = path.split_last().unwrap();
                if let Some(all) = of_number.get_mut(last.attribute()) {
                    assert!(above.iter().all(|split| split.attribute() != last.attribute()), "{path:?}");
                    all.extend(last.cuts());
                }
            });
            visit(two.tree(), NodeId::ROOT, &mut Vec::new(), &mut |path: &[Split]| {
                let last = &path[path.len() - 1];
                assert!(last.cuts().len() <= 1, "{path:?}");
                if let Some(all) = of_number.get_mut(last.attribute()) {
                    all.extend(last.cuts());
                }
            });
            for (at, cuts) in of_number.iter_mut().enumerate().filter(|(_, cuts)| !cuts.is_empty()) {
                cuts.sort_by(f64::total_cmp);
                cuts.dedup();
                let interval = |value: &i32| cuts.iter().filter(|&&cut| f64::from(*value) > cut).count();
                let mut held: Vec<usize> = known(&cells, at).iter().map(interval).collect();
                held.dedup();
                prop_assert_eq!(held.len(), cuts.len() + 1);
            }
            prop_assert!(cuts != "numeric=quartiles" || of_number.iter().all(|cuts| cuts.len() <= 3));
            for node in many.tree().nodes() {
                if let Node::Inner { split: Split::Intervals { .. }, children, .. } = node {
                    prop_assert!(children.iter().all(|&child| many.tree().node(child).weight() > 0.0));
                }
            }
        }
    }

    /// Weights are as good as repeated rows, also where cuts are made.
    #[test]
    fn weights_are_repeated_rows(cells in cells(false), weights in prop::collection::vec(1usize..4, 120)) {
        prop_assume!(cells.can_be_learnt());
        let data = cells.dataset();
        let repeated: Vec<u32> =
            (0..cells.rows()).flat_map(|row| std::iter::repeat_n(row as u32, weights[row])).collect();
        let heavy = data.clone().with_weights(weights[..cells.rows()].iter().map(|&w| w as f64).collect()).unwrap();
        for cuts in CUTS.map(|cuts| format!("numeric={cuts}")) {
            let recipe = changed("id3", &[&cuts, "nominal=value"]);
            let (heavy, repeated) = (fit(&recipe, &heavy), fit(&recipe, &data.select(&repeated)));
            prop_assert_eq!(heavy.tree().leaves(), repeated.tree().leaves(), "{}", cuts);
            // The density of weighted values is the same up to rounding, and so are its minima.
            prop_assert!(cuts == "numeric=natural" || heavy.tree() == repeated.tree(), "{}", cuts);
        }
    }

    #[test]
    fn one_level_against_the_rest_is_the_best_of_all(cells in cells(true)) {
        prop_assume!(cells.can_be_learnt());
        let columns = cells.levels.iter().enumerate().map(|(at, _)| cells.dataset().attributes()[2 + at].clone());
        let data = dataset(columns.collect::<Vec<Column>>(), cells.class());
        let model = fit(&changed("id3", &["nominal=value", "max-depth=1"]), &data);
        let occurs = |column: &[Option<u32>], level: u32| column.contains(&Some(level));
        let mut best: Option<(f64, usize, u32)> = None;
        for (at, column) in cells.levels.iter().enumerate() {
            let held = (0..LEVELS).filter(|&level| occurs(column, level)).count();
            for level in (0..LEVELS).filter(|&level| held > 1 && occurs(column, level)) {
                let gain = gain(&cells, column, level);
                if best.is_none_or(|(most, ..)| gain > most + 1e-6) {
                    best = Some((gain, at, level));
                }
            }
        }
        let expected = best.map(|(_, attribute, level)| Split::Subset { attribute, first: vec![level] });
        let found = match &model.tree().nodes()[0] {
            Node::Inner { split, .. } => Some(split.clone()),
            Node::Leaf { .. } => None,
        };
        prop_assert_eq!(found, expected);
    }
}
