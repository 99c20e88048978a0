//! Naive Bayes, alone and in the leaves of trees.

use proptest::prelude::*;
use quickset::data::{Column, ColumnData, Dataset, Sparse};
use quickset::model::Probabilities;
use quickset::recipe::{Density, Leaf};
use quickset::{Learner, Model, Recipe};

use crate::random::{cells, dataset};

const DENSITIES: [&str; 5] = ["normal", "kernel", "adaptive", "discretised", "multinomial"];

fn learners() -> impl Iterator<Item = Recipe> {
    let every = DENSITIES.into_iter().flat_map(|density| ["nb", "nt", "c45", "cart"].map(|name| (name, density)));
    let every = every.map(|(name, density)| {
        let mut recipe = Recipe::named(name).unwrap();
        recipe.set_pair("leaf=nb").unwrap();
        recipe.set("leaf.density", density).unwrap();
        recipe
    });
    every.chain(["normal", "kernel", "discretised"].map(nbtree)).chain(adaptive())
}

fn nbtree(density: &str) -> Recipe {
    let mut recipe = Recipe::nbtree();
    ["min-rows=1", "stop.rows=none", "stop.reduction=0"].iter().for_each(|change| recipe.set_pair(change).unwrap());
    recipe.set("leaf.density", density).unwrap();
    recipe
}

/// Self-adaptive NBTree, split wherever it can be, and its options.
fn adaptive() -> impl Iterator<Item = Recipe> {
    let changes = [&[][..], &["delta=loo", "missing=own"], &["leaf.counts=ml", "missing=fractions"]];
    changes.into_iter().map(|changes| {
        let mut recipe = Recipe::snbtree();
        ["stop.reduction=none", "stop.rows=none"].iter().chain(changes).for_each(|c| recipe.set_pair(c).unwrap());
        recipe
    })
}

fn fit(recipe: &Recipe, data: &Dataset) -> Model {
    Learner::new(recipe.clone()).unwrap().fit(data).unwrap()
}

fn near(a: &Probabilities, b: &Probabilities) -> bool {
    a.rows() == b.rows()
        && (0..a.rows()).all(|row| a.row(row).iter().zip(b.row(row)).all(|(a, b)| (a - b).abs() < 1e-9))
}

/// Constants, ties, gaps that only double precision sees, and numbers whose squares are too large. Not negative, since
/// they are to be counts too.
fn odd() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => (0u8..3).prop_map(f64::from),
        1 => Just(f64::NAN),
        1 => (0u8..3).prop_map(|i| 1.0 + f64::from(i) * f64::EPSILON),
        1 => (0u8..3).prop_map(|i| f64::from(i) * 1e-310),
        1 => (1u8..3).prop_map(|i| f64::from(i) * 1e300),
        1 => Just(f64::MAX),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn probabilities_are_finite_and_sum_to_one(
        rows in prop::collection::vec((odd(), odd(), 0u32..2), 3..40),
        unseen in prop::collection::vec((odd(), odd()), 1..20),
    ) {
        let table = |rows: Vec<(f64, f64)>, classes: Vec<u32>| {
            let level = |row: &(f64, f64)| if row.1 > 1.0 { Some("b") } else { None };
            let class = ColumnData::Nominal { levels: ["x", "y", "z", "never"].map(String::from).to_vec(), codes: classes };
            dataset(
                vec![
                    Column::numeric("odd", rows.iter().map(|row| row.0).collect()),
                    Column::numeric("odder", rows.iter().map(|row| row.1).collect()),
                    Column::numeric("constant", vec![1e307; rows.len()]),
                    Column::numeric("empty", vec![f64::NAN; rows.len()]),
                    Column::from_texts("level", rows.iter().map(level)),
                    Column::from_texts("nothing", rows.iter().map(|_| None)),
                ],
                Column::new("class", class),
            )
        };
        let mut classes: Vec<u32> = rows.iter().map(|row| row.2).collect();
        // A class of one row, and two that can be told apart.
        (classes[0], classes[1], classes[2]) = (2, 0, 1);
        let data = table(rows.iter().map(|row| (row.0, row.1)).collect(), classes);
        let other = table(unseen.clone(), vec![0; unseen.len()]);
        for recipe in learners() {
            let model = fit(&recipe, &data);
            let again = Model::from_json(&model.to_json().unwrap()).unwrap();
            prop_assert_eq!(&again, &model);
            for data in [&data, &other] {
                let probabilities = again.predict_proba(data).unwrap();
                for row in 0..probabilities.rows() {
                    let of_row = probabilities.row(row);
                    prop_assert!(of_row.iter().all(|p| (0.0..=1.0 + 1e-9).contains(p)), "{:?} {:?}", recipe, of_row);
                    prop_assert!((of_row.iter().sum::<f64>() - 1.0).abs() < 1e-6, "{:?} {:?}", recipe, of_row);
                    quickset::export::explain(&again, data, row).unwrap().to_string();
                }
            }
        }
    }

    /// A model of dense columns predicts sparse ones, and the other way round.
    #[test]
    fn sparse_rows_are_predicted_as_dense_ones(cells in cells(true)) {
        prop_assume!(cells.can_be_learnt());
        let dense = cells.dataset();
        let mut columns = dense.attributes().to_vec();
        for (at, column) in columns.iter_mut().take(2).enumerate() {
            let all = cells.numbers(at);
            let rows: Vec<u32> = (0..all.len() as u32).filter(|&row| all[row as usize] != 0.0).collect();
            let values = rows.iter().map(|&row| all[row as usize]).collect();
            *column = Column::new(column.name(), ColumnData::SparseNumeric(Sparse { len: all.len(), rows, values }));
        }
        let sparse = dataset(columns, cells.class());
        for recipe in learners() {
            let model = fit(&recipe, &dense);
            let found = model.predict_proba(&sparse).unwrap();
            prop_assert!(near(&found, &model.predict_proba(&dense).unwrap()), "{:?}", recipe);
        }
    }

    /// But for bandwidths that are chosen by leaving out a row: a heavy one is still one.
    #[test]
    fn a_weight_is_as_good_as_repeated_rows(cells in cells(true), weights in prop::collection::vec(1usize..4, 120)) {
        prop_assume!(cells.can_be_learnt());
        let data = cells.dataset();
        let repeated: Vec<u32> =
            (0..cells.rows()).flat_map(|row| std::iter::repeat_n(row as u32, weights[row])).collect();
        let weighted = weights[..cells.rows()].iter().map(|&weight| weight as f64).collect();
        let weighted = data.clone().with_weights(weighted).unwrap();
        let by_rows = |recipe: &Recipe| matches!(recipe.leaf, Leaf::Nb { density: Density::Adaptive, .. });
        for recipe in learners().filter(|recipe| recipe.name == "nb" && !by_rows(recipe)) {
            let found = fit(&recipe, &weighted).predict_proba(&data).unwrap();
            prop_assert!(near(&found, &fit(&recipe, &data.select(&repeated)).predict_proba(&data).unwrap()), "{:?}", recipe);
        }
    }
}

/// Every number of a model file, replaced by what it cannot be, is refused.
#[test]
fn damaged_numbers_are_refused() {
    let data = quickset::io::read("builtin:weather", &quickset::io::ReadOptions::default()).unwrap();
    for recipe in learners().filter(|recipe| recipe.name == "nb") {
        let document: serde_json::Value = serde_json::from_str(&fit(&recipe, &data).to_json().unwrap()).unwrap();
        let leaf = "/model/tree/0/leaf/bayes";
        let mut places = Vec::new();
        numbers(document.pointer(leaf).unwrap(), leaf.to_string(), &mut places);
        assert!(places.len() > 10, "{places:?}");
        for place in places {
            for wrong in [serde_json::Value::Null, (-7e9).into(), 4_000_000_000u64.into(), "x".into()] {
                let mut damaged = document.clone();
                *damaged.pointer_mut(&place).unwrap() = wrong;
                assert!(Model::from_json(&damaged.to_string()).is_err(), "{place}");
            }
        }
    }
}

fn numbers(value: &serde_json::Value, place: String, places: &mut Vec<String>) {
    match value {
        serde_json::Value::Array(items) => {
            items.iter().enumerate().for_each(|(at, item)| numbers(item, format!("{place}/{at}"), places));
        }
        serde_json::Value::Object(fields) => {
            fields.iter().for_each(|(name, item)| numbers(item, format!("{place}/{name}"), places));
        }
        _ => places.push(place),
    }
}

#[test]
fn counts_are_not_negative() {
    let numbers = Column::numeric("balance", vec![1.0, -2.0, 3.0]);
    let data = dataset(vec![numbers], Column::from_texts("class", [Some("a"), Some("b"), Some("a")]));
    let mut recipe = Recipe::nb();
    recipe.set_pair("leaf.density=multinomial").unwrap();
    let error = Learner::new(recipe).unwrap().fit(&data).unwrap_err().to_string();
    assert!(error.contains("column \"balance\": found -2, expected counts"), "{error}");
}
