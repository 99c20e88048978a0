use super::*;
use crate::Learner;
use crate::data::generate::{Knobs, generate};
use crate::data::{Column, Dataset};

/// A machine that takes a nanosecond for everything.
fn simple(threads: usize) -> Cost {
    let constants = Family::ALL.iter().map(|(family, _)| (*family, [1e-9; KINDS])).collect();
    Cost { constants, threads, speed_up: threads as f64 }
}

fn waves() -> Shape {
    Shape::of(&generate("waveform", &Knobs::default()).unwrap().with_last_as_target().unwrap())
}

#[test]
fn more_of_anything_costs_more() {
    let (cost, shape) = (simple(1), waves());
    for (_, recipe) in Family::ALL {
        let recipe = recipe();
        let one = cost.estimate(&recipe, &shape);
        assert!(one.seconds > 0.0 && one.bytes as usize > shape.bytes, "{}", recipe.name);
        let twice = cost.estimate(&recipe, &shape.with_rows(2 * shape.rows));
        assert!(twice.seconds > one.seconds && twice.bytes > one.bytes, "{}", recipe.name);
        let wide =
            cost.estimate(&recipe, &Shape { numeric: 2 * shape.numeric, bytes: 2 * shape.bytes, ..shape.clone() });
        assert!(wide.seconds > one.seconds && wide.bytes > one.bytes, "{}", recipe.name);
    }
}

#[test]
fn many_rows_cost_less_where_tables_are_counted_again() {
    let (cost, shape) = (simple(1), waves());
    let mut once = Recipe::nt();
    once.set_pair("tables.recount=never").unwrap();
    let ratio = |rows: usize, shape: &Shape| {
        let shape = shape.with_rows(rows);
        cost.estimate(&Recipe::nt(), &shape).seconds / cost.estimate(&once, &shape).seconds
    };
    assert_eq!(ratio(16_384, &shape), 1.0);
    assert!(ratio(1_000_000, &shape) < 0.5);
    assert_eq!(ratio(1_000_000, &Shape { sparse: 1, ..shape }), 1.0);
}

#[test]
fn columns_are_sorted_once_for_a_cross_validation() {
    let (mut cost, shape) = (simple(1), waves());
    let recipe = Recipe::c45();
    let folds = |cost: &Cost| cost.cross_validation(&recipe, &shape, 10).seconds;
    let one = |cost: &Cost| cost.estimate(&recipe, &shape.with_rows(4_500)).seconds;
    let mut sorting = [0.0; KINDS];
    sorting[ONCE] = 1e-9;
    assert!(folds(&cost) < 10.0 * one(&cost));
    cost.constants.insert(Family::Pruned, sorting);
    assert!((folds(&cost) / one(&cost) - 1.0).abs() < 1e-9);
    sorting = [1e-9; KINDS];
    sorting[ONCE] = 0.0;
    cost.constants.insert(Family::Pruned, sorting);
    assert!((folds(&cost) / one(&cost) - 10.0).abs() < 1e-9);
}

#[test]
fn threads_help_where_there_is_enough_to_do() {
    let (one, two, shape) = (simple(1), simple(2), waves());
    let ratio = |rows: usize, recipe: &Recipe| {
        let part = shape.with_rows(rows);
        one.estimate(recipe, &part).seconds / two.estimate(recipe, &part).seconds
    };
    assert_eq!(ratio(100, &Recipe::c45()), 1.0);
    assert!((1.8..=2.0).contains(&ratio(5_000, &Recipe::c45())));
    assert_eq!(ratio(100, &Recipe::cart()), 2.0);
    assert_eq!(ratio(5_000, &Recipe::majority()), 1.0);
}

#[test]
fn constants_survive_their_document_and_odd_ones_are_found() {
    let cost = simple(2);
    let text = serde_json::to_string(&cost).unwrap();
    let read: Cost = serde_json::from_str(&text).unwrap();
    assert_eq!(read, cost);
    assert!(read.is_sound());
    let mut lacking = cost.clone();
    lacking.constants.remove(&Family::Bayes);
    assert!(!lacking.is_sound());
    let mut negative = cost.clone();
    negative.constants.insert(Family::Bayes, [-1.0; KINDS]);
    assert!(!negative.is_sound());
    assert!(!Cost { speed_up: f64::NAN, ..cost }.is_sound());
}

#[test]
fn a_calibrated_machine_is_near_the_truth() {
    let cost = Cost::calibrate().unwrap();
    assert!(cost.is_sound());
    let data = generate("random-tree", &Knobs { rows: Some(3_000), ..Knobs::default() }).unwrap();
    let data = data.with_last_as_target().unwrap();
    let shape = Shape::of(&data);
    for recipe in [Recipe::nt(), Recipe::c45(), Recipe::nb()] {
        let learner = Learner::new(recipe.clone()).unwrap();
        let pilot = cost.pilot(&learner, &data, &shape).unwrap();
        let measured = (0..3).map(|_| learner.train_all(&data).unwrap().seconds.total).fold(f64::INFINITY, f64::min);
        // Tests run beside each other, so this is no measurement; `tests/estimate` is.
        let ratio = pilot.estimate.seconds / measured;
        assert!((0.02..50.0).contains(&ratio), "{}: {ratio}", recipe.name);
        assert!(pilot.rows <= data.rows() / 2 + 1);
    }
}

#[test]
fn what_cannot_be_learnt_from_is_refused_with_the_learners_sentence() {
    let same = [Some("a"); 40];
    let data =
        Dataset::new(vec![Column::numeric("x", (0..40).map(f64::from).collect()), Column::from_texts("y", same)]);
    let data = data.unwrap().with_last_as_target().unwrap();
    let learner = Learner::new(Recipe::nt()).unwrap();
    let refusal = simple(1).pilot(&learner, &data, &Shape::of(&data)).unwrap_err();
    assert_eq!(refusal.to_string(), learner.fit(&data).unwrap_err().to_string());
}

#[test]
fn tiny_data_need_no_pilot() {
    let data = generate("weather", &Knobs::default()).unwrap().with_last_as_target().unwrap();
    for (_, recipe) in Family::ALL {
        let learner = Learner::new(recipe()).unwrap();
        let pilot = simple(1).pilot(&learner, &data, &Shape::of(&data)).unwrap();
        assert!(pilot.estimate.seconds > 0.0 && pilot.estimate.seconds.is_finite());
    }
}
