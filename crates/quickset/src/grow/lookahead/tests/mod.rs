//! Looking ahead against slow twins, and against what the papers say.

mod earlier;
mod plain;
mod same_tree;
mod speed;
mod vectors;

use crate::Recipe;
use crate::data::generate::builtin;
use crate::data::{Column, ColumnData, Dataset};

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
