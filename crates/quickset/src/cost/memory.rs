//! How many bytes learning needs at the most, from what it keeps. No constant of a machine is in it.

use super::family::Family;
use super::shape::Shape;
use super::tree::Size;
use crate::recipe::{Factored, Missing, Recipe, Tables};

/// What a program has before any data.
const PROGRAM: f64 = 8e6;
/// A place in a list of a sparse column's entries.
const ENTRY: f64 = 8.0;
/// A place in the sorted order of a column, and in a list of its rows.
const PLACE: f64 = 4.0;

/// Bytes of the columns and of what learning from them adds.
pub(super) fn bytes(recipe: &Recipe, shape: &Shape, size: Size, threads: usize) -> u64 {
    let rows = shape.rows as f64;
    let classes = shape.classes.max(2) as f64;
    let [numeric, few, entries] = [shape.numeric, shape.few_valued, shape.entries].map(|count| count as f64);
    let columns = shape.bytes as f64;
    let tree = size.nodes * (160.0 + 16.0 * classes);
    // Row numbers of the open nodes and of those they were divided into; terms of the entropy.
    let handed_down = rows * (2.0 * PLACE + 8.0);
    let orders = numeric * rows * PLACE + few * rows + entries * PLACE;
    let lists = numeric * rows * PLACE + entries * ENTRY;
    let learning = match Family::of(recipe) {
        Family::Majority => rows * PLACE,
        // Every row has a list of the leaves it reaches, twice; and a column's entries are listed on every thread.
        Family::Bayes => rows * (PLACE + 160.0) + 24.0 * rows * threads as f64,
        Family::Factored => {
            let bins = match recipe.tables {
                Tables::Factored(Factored { count: Some(count), .. }) => count as f64,
                _ => rows.sqrt(),
            };
            let cells = (numeric + few) * bins + shape.nominal as f64 * shape.levels + 2.0 * shape.sparse as f64;
            let filled = if recipe.missing == Missing::Impute && shape.missing > 0.0 { columns } else { 0.0 };
            handed_down + cells * classes * 24.0 + filled + entries * PLACE
        }
        // A tree of the cross-validation on every thread, besides the one that is pruned.
        Family::CrossValidated => handed_down + orders + lists * (1.0 + threads as f64) + tree * threads as f64,
        Family::Pruned | Family::Unpruned | Family::Intervals | Family::Ahead => handed_down + orders + lists,
    };
    (PROGRAM + columns + learning + tree) as u64
}
