//! How much there is to do of each kind of work; a machine's constants say how long one of each takes.
//!
//! In the words of Martin and Hirschberg (`super::paper`): cells counted (E1), classes evaluated in a table (E2), nodes
//! (K0) and rows handed down (K1). Here columns are sorted once, each attribute is counted where it may be tested, and
//! numbers, levels and sparse entries cost different things, so these have terms of their own.

use super::family::Family;
use super::shape::Shape;
use super::tree::Size;
use crate::grow::FEWEST_COUNTED;
use crate::recipe::{Factored, Lookahead, Recipe, Tables};

/// How many kinds of work a family has at most.
pub(super) const KINDS: usize = 10;

/// So much of each kind.
pub(super) type Work = [f64; KINDS];

/// The kind of work that is done once for all trees of the same data: sorting.
pub(super) const ONCE: usize = 2;

/// A table of few numbers has about so many, as levels are counted.
const FEW_VALUES: f64 = 8.0;

/// The work of learning from data of this shape, where the tree becomes so large.
pub(super) fn work(recipe: &Recipe, shape: &Shape, size: Size) -> Work {
    let family = Family::of(recipe);
    let rows = shape.rows as f64;
    let classes = shape.classes.max(2) as f64;
    let [numeric, few, nominal, entries] =
        [shape.numeric, shape.few_valued, shape.nominal, shape.entries].map(|count| count as f64);
    let (all, dense) = (shape.attributes() as f64, shape.dense() as f64);
    let sorting = numeric * rows * rows.max(2.0).log2();
    let levels = nominal * shape.levels + few * FEW_VALUES;
    let Size { nodes, depth } = size;
    match family {
        Family::Majority => [1.0, all, 0.0, rows, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        Family::Bayes => {
            let numbers = rows * (numeric + few);
            let leaves = (levels + 2.0 * numeric) * classes;
            [1.0, all, 0.0, sorting, numbers, rows * nominal, leaves, entries, shape.sparse as f64 * classes, 0.0]
        }
        Family::Factored => {
            let (counted, passes) = counted(recipe, shape);
            let bins = match recipe.tables {
                Tables::Factored(Factored { count: Some(count), .. }) => count as f64,
                _ => counted.sqrt(),
            };
            let cells = ((numeric + few) * bins + nominal * shape.levels) * classes;
            [
                1.0,
                all,
                0.0,
                passes * rows * (numeric + few),
                passes * rows * nominal,
                rows * depth * rows.max(2.0).log2(),
                nodes * cells,
                nodes * dense,
                entries,
                shape.missing * rows * dense,
            ]
        }
        Family::Ahead => {
            // Every first test with every second one; most cuts are dismissed, but not all.
            let pairs = all * (classes + 1.0);
            let cuts = numeric * rows * rows.max(2.0).log2();
            [
                1.0,
                all,
                sorting,
                pairs * levels * rows / shape.levels.max(2.0),
                pairs * cuts,
                pairs * numeric * rows * rows,
                all * entries * classes,
                0.0,
                0.0,
                0.0,
            ]
        }
        Family::Pruned | Family::Unpruned | Family::Intervals | Family::CrossValidated => {
            let ahead = ahead(recipe, shape, depth);
            let cutting = if family == Family::CrossValidated { nodes.powf(1.5) * (depth + 1.0) } else { 0.0 };
            [
                1.0,
                all,
                sorting,
                ahead * numeric * rows * depth,
                ahead * (few + nominal) * rows * depth,
                ahead * nodes * (levels + numeric) * classes,
                ahead * rows * depth,
                ahead * entries * depth,
                ahead * shape.missing * rows * dense * depth,
                cutting,
            ]
        }
    }
}

/// How many rows the tables are counted from that most nodes look at, and how often a row is counted. Nodes count again
/// until they have too few rows for it, and most nodes are below all these.
fn counted(recipe: &Recipe, shape: &Shape) -> (f64, f64) {
    let rows = shape.rows as f64;
    let Tables::Factored(Factored { recount: Some(share), .. }) = recipe.tables else { return (rows, 1.0) };
    let last = (share * FEWEST_COUNTED) as f64;
    if shape.sparse > 0 || rows <= last { (rows, 1.0) } else { (last, 1.0 + (rows / last).log(share as f64)) }
}

/// How many times the work of a greedy tree looking ahead takes, roughly: a pilot corrects it.
fn ahead(recipe: &Recipe, shape: &Shape, depth: f64) -> f64 {
    /// Trees sampled from words of bits take so much less time than from rows.
    const WORDS: f64 = 20.0;
    let Some(lookahead) = recipe.lookahead else { return 1.0 };
    let sorted = (shape.numeric + shape.sparse) as f64;
    let few = (shape.nominal + shape.few_valued) as f64;
    let cuts = sorted * shape.rows as f64;
    match lookahead {
        Lookahead::Samples { r, p, .. } => {
            let words = if sorted == 0.0 && shape.missing == 0.0 { WORDS } else { 1.0 };
            // Every test of a node has trees below it that are about half as deep as the whole. Cuts are few further down.
            let samples = r as f64 * few * depth / 2.0 + p.unwrap_or(r as f64) * cuts;
            1.0 + samples / words
        }
        Lookahead::Levels { k } => (1.0 + few + cuts).powi(k.min(60) as i32 - 1),
        Lookahead::Skew(skew) => 1.0 + skew.times as f64,
    }
}
