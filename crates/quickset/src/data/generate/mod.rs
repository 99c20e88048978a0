//! Built-in data sets, each generated from its definition, and generators of data of any size.
//!
//! A set is the same on every machine for the same name and [`Knobs`]. Its class is its last column, but no target is
//! set: that is the caller's choice.
//!
//! ```
//! use quickset::data::generate::{Knobs, builtin, generate};
//!
//! let monks = builtin("monks-1")?.with_last_as_target()?;
//! assert_eq!(monks.rows(), 432);
//! let harder = generate("xor-5", &Knobs { rows: Some(1_000), noise: Some(0.05), ..Knobs::default() })?;
//! assert_eq!(harder.rows(), 1_000);
//! # Ok::<(), quickset::Error>(())
//! ```

mod bag_of_words;
mod boolean;
mod cart_book;
mod catalogue;
mod hidden_tree;
mod knobs;
mod numeric_xor;
mod random;
mod random_tree;
mod spaces;
mod tic_tac_toe;
mod weather;

pub use catalogue::Spec;
pub use knobs::{Knob, Knobs};

use super::{Column, ColumnData, Dataset};
use crate::error::{Error, Result};
use catalogue::{SPECS, Source};
use random::Random;

const DEFAULT_SEED: u64 = 1;
/// Levels of an attribute that is a bit.
const BITS: [&str; 2] = ["0", "1"];

/// Streams of random draws: labels are spoilt by one of their own, so that noise leaves the rows as they were.
const ROW_STREAM: u64 = 0;
const LABEL_STREAM: u64 = 1;

/// Every built-in set.
pub fn list() -> &'static [Spec] {
    SPECS
}

/// The set of this name as it is defined.
pub fn builtin(name: &str) -> Result<Dataset> {
    generate(name, &Knobs::default())
}

/// The set of this name with something varied; see [`Knobs`] for what each means.
pub fn generate(name: &str, knobs: &Knobs) -> Result<Dataset> {
    let spec = SPECS.iter().find(|spec| spec.name == name).ok_or_else(|| unknown(name))?;
    knobs.check(spec)?;
    let rows = knobs.rows.unwrap_or(spec.rows);
    let noise = knobs.noise.unwrap_or(spec.noise);
    let seed = knobs.seed.unwrap_or(DEFAULT_SEED);
    let mut random = Random::new(seed, ROW_STREAM);
    let spoil = |columns| flip_labels(columns, noise, &mut Random::new(seed, LABEL_STREAM));
    let columns = match spec.source {
        Source::Fixed(columns) => columns(),
        Source::Space(columns) if knobs.rows.is_none() => spoil(columns()),
        Source::Space(columns) => spoil(deal(columns(), rows, &mut random)),
        Source::Drawn(columns) => spoil(columns(&mut random, rows)),
        Source::DrawnWithNoise(columns) => columns(&mut random, rows, noise),
        Source::Own(columns) => columns(knobs)?,
    };
    Dataset::new(columns)
}

/// Deals rows of a space in random order; when all are dealt they are shuffled again.
fn deal(space: Vec<Column>, rows: usize, random: &mut Random) -> Vec<Column> {
    let mut deck: Vec<usize> = (0..space.first().map_or(0, Column::len)).collect();
    let mut dealt: Vec<usize> = Vec::with_capacity(rows);
    while dealt.len() < rows {
        random.shuffle(&mut deck);
        dealt.extend(deck.iter().take(rows - dealt.len()));
    }
    let pick = |column: Column| {
        let name = column.name().to_string();
        let data = match column.into_data() {
            ColumnData::Numeric(values) => ColumnData::Numeric(dealt.iter().map(|&row| values[row]).collect()),
            ColumnData::Nominal { levels, codes } => {
                ColumnData::Nominal { levels, codes: dealt.iter().map(|&row| codes[row]).collect() }
            }
            _ => unreachable!("spaces are listed as numbers and levels"),
        };
        Column::new(name, data)
    };
    space.into_iter().map(pick).collect()
}

/// Gives a share of the rows, exact but for rounding, another class than their own.
fn flip_labels(mut columns: Vec<Column>, noise: f64, random: &mut Random) -> Vec<Column> {
    let class = columns.pop().expect("a set has a class");
    let name = class.name().to_string();
    let ColumnData::Nominal { levels, mut codes } = class.into_data() else { unreachable!("a class is nominal") };
    let rows = codes.len();
    let mut to_flip = (noise * rows as f64).round() as usize;
    for (row, code) in codes.iter_mut().enumerate() {
        // Each choice of rows is equally likely when a row is taken with probability wanted / left.
        if random.below(rows - row) < to_flip {
            *code = random.below_except(levels.len(), *code as usize) as u32;
            to_flip -= 1;
        }
    }
    columns.push(Column::new(name, ColumnData::Nominal { levels, codes }));
    columns
}

fn nominal(name: &str, levels: &[impl ToString], codes: Vec<u32>) -> Column {
    Column::new(name, ColumnData::Nominal { levels: levels.iter().map(ToString::to_string).collect(), codes })
}

fn unknown(name: &str) -> Error {
    let names: Vec<&str> = SPECS.iter().map(|spec| spec.name).collect();
    let nearest = names.iter().map(|known| (edits(name, known), *known)).min();
    let suggestion = match nearest {
        // Further off than half its letters, a name was not meant.
        Some((edits, nearest)) if edits <= nearest.len() / 2 => format!("did you mean {nearest}? "),
        _ => String::new(),
    };
    Error::data(format!("there is no built-in set named {name:?}"))
        .remedy(format!("{suggestion}the sets are: {}", names.join(", ")))
}

/// How many letters must be put in, taken out or changed to make one word the other (Levenshtein).
fn edits(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (line, letter) in from.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = line + 1;
        for at in 0..to.len() {
            let changed = diagonal + usize::from(letter != to[at]);
            diagonal = row[at + 1];
            row[at + 1] = changed.min(row[at] + 1).min(diagonal + 1);
        }
    }
    row[to.len()]
}

#[cfg(test)]
mod tests;
