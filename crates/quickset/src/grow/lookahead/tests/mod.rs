//! Looking ahead against slow twins, and against what the papers say.

mod earlier;
mod plain;
mod same_tree;
mod speed;
mod vectors;

use super::{best_of, cost_of_test};
use crate::Recipe;
use crate::data::generate::builtin;
use crate::data::{Column, ColumnData, Dataset};
use crate::measure::SMALL;

#[test]
fn a_test_of_three_branches_adds_two_leaves_and_a_quarter_for_its_attribute() {
    let leaves = |asks_another: bool| cost_of_test(3, asks_another) as f64 / cost_of_test(2, false) as f64;
    assert_eq!([false, true].map(leaves), [2.0, 2.25]);
}

#[test]
fn what_was_given_up_or_not_changes_nothing() {
    // Costs a little more than another, and may be given up for the last: without it the second is the first of equals.
    let all = [(0, 1.0 + 1.6 * SMALL), (1, 1.0 + 0.8 * SMALL), (2, 1.0)];
    assert_eq!(best_of(&all, |_| 0.5), Some(1));
    assert_eq!(best_of(&all[1..], |_| 0.5), Some(1));
    assert_eq!(best_of(&all, |at| at as f64), Some(2));
    assert_eq!(best_of(&[], |_| 0.5), None);
}

fn with(base: fn() -> Recipe, changes: &[&str]) -> Recipe {
    let mut recipe = base();
    changes.iter().for_each(|change| recipe.set_pair(change).unwrap());
    recipe.check().unwrap();
    recipe
}

fn set(name: &str) -> Dataset {
    builtin(name).unwrap().with_last_as_target().unwrap()
}

fn nominal(name: String, levels: u32, codes: Vec<u32>) -> Column {
    Column::new(name, ColumnData::Nominal { levels: (0..levels).map(|level| level.to_string()).collect(), codes })
}
