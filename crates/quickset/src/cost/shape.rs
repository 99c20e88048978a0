//! What the cost of learning depends on, as far as the data tell it without learning.

use std::collections::HashSet;

use super::family::Family;
use crate::data::{Column, ColumnData, Dataset, NO_CLASS};
use crate::grow::{MOST_ATTRIBUTES, MOST_STEPS};
use crate::recipe::Recipe;

/// A column with more different numbers than this among the rows looked at is sorted, one with fewer is counted.
const FEW: usize = 64;

/// How many rows are looked at to tell these apart.
const LOOKED_AT: usize = 512;

/// The size of data, by what is handled differently.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    /// Rows that have a class.
    pub rows: usize,
    /// Numeric attributes of many different values.
    pub numeric: usize,
    /// Numeric attributes of few different values, which are counted as levels are.
    pub few_valued: usize,
    /// Nominal attributes.
    pub nominal: usize,
    /// Their mean number of levels.
    pub levels: f64,
    /// Sparse attributes.
    pub sparse: usize,
    /// The entries of all sparse attributes.
    pub entries: usize,
    /// The share of dense cells without a value.
    pub missing: f64,
    /// The classes that rows have.
    pub classes: usize,
    /// The information of the class in bits: how much there is to tell apart.
    pub information: f64,
    /// Bytes of the columns.
    pub bytes: usize,
}

impl Shape {
    /// The shape of some data. One look at the classes and at a few hundred rows of the numbers.
    pub fn of(data: &Dataset) -> Self {
        let counts = class_counts(data);
        let rows: usize = counts.iter().sum();
        let mut shape = Shape {
            rows,
            numeric: 0,
            few_valued: 0,
            nominal: 0,
            levels: 0.0,
            sparse: 0,
            entries: 0,
            missing: 0.0,
            classes: counts.iter().filter(|&&count| count > 0).count(),
            information: information(&counts),
            bytes: data.bytes(),
        };
        let (mut levels, mut missing, mut cells) = (0, 0, 0);
        for column in data.attributes() {
            match column.data() {
                ColumnData::Numeric(values) => shape.add_numeric(values.iter().copied()),
                ColumnData::Numeric32(values) => shape.add_numeric(values.iter().map(|&value| f64::from(value))),
                ColumnData::Nominal { levels: named, .. } => {
                    shape.nominal += 1;
                    levels += named.len();
                }
                ColumnData::SparseNumeric(entries) => shape.add_sparse(entries.rows.len()),
                ColumnData::SparseNominal { codes, .. } => shape.add_sparse(codes.rows.len()),
            }
            if !column.is_sparse() {
                missing += Column::missing_count(column);
                cells += column.len();
            }
        }
        shape.levels = levels as f64 / shape.nominal.max(1) as f64;
        shape.missing = missing as f64 / cells.max(1) as f64;
        shape
    }

    /// The shape of a part of the rows, or of more of the same.
    #[must_use]
    pub fn with_rows(&self, rows: usize) -> Self {
        let share = rows as f64 / self.rows.max(1) as f64;
        let scaled = |count: usize| (count as f64 * share).round() as usize;
        Shape { rows, entries: scaled(self.entries), bytes: scaled(self.bytes), ..self.clone() }
    }

    /// All attributes.
    pub fn attributes(&self) -> usize {
        self.dense() + self.sparse
    }

    /// The attributes that store a value for every row.
    pub fn dense(&self) -> usize {
        self.numeric + self.few_valued + self.nominal
    }

    /// Whether the recipe's learner refuses data of this size, as far as the shape tells: two levels at once are for
    /// little data.
    pub fn is_too_large(&self, recipe: &Recipe) -> bool {
        if Family::of(recipe) != Family::Ahead || recipe.stop.max_depth != Some(2) {
            return false;
        }
        let rows = self.rows as f64;
        let tests = self.numeric as f64 * rows
            + (self.few_valued * FEW) as f64
            + self.nominal as f64 * self.levels
            + (self.entries as f64).min(self.sparse as f64 * rows);
        let steps = tests * self.attributes() as f64 * rows * (self.classes + 1) as f64;
        self.attributes() > MOST_ATTRIBUTES || steps > MOST_STEPS
    }

    fn add_numeric(&mut self, values: impl ExactSizeIterator<Item = f64>) {
        let step = (values.len() / LOOKED_AT).max(1);
        let seen: HashSet<u64> = values.step_by(step).map(f64::to_bits).collect();
        if seen.len() > FEW { self.numeric += 1 } else { self.few_valued += 1 }
    }

    fn add_sparse(&mut self, entries: usize) {
        self.sparse += 1;
        self.entries += entries;
    }
}

/// Rows by class.
fn class_counts(data: &Dataset) -> Vec<usize> {
    let Some(class) = data.class() else { return Vec::new() };
    let mut counts = vec![0; class.levels.len()];
    for &code in class.codes.iter().filter(|&&code| code != NO_CLASS) {
        counts[usize::from(code)] += 1;
    }
    counts
}

fn information(counts: &[usize]) -> f64 {
    let total = counts.iter().sum::<usize>() as f64;
    let shares = counts.iter().filter(|&&count| count > 0).map(|&count| count as f64 / total);
    -shares.map(|share| share * share.log2()).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Sparse;
    use crate::data::generate::{Knobs, generate};

    #[test]
    fn columns_are_told_apart_by_how_they_are_handled() {
        let rows = 200;
        let holes = |row: usize| if row.is_multiple_of(4) { f64::NAN } else { row as f64 };
        let words = Sparse { len: rows, rows: vec![3, 8, 9], values: vec![1.0, 2.0, 1.0] };
        let label = |row: usize| Some(["a", "b"][row % 2]).filter(|_| row >= 20);
        let data = Dataset::new(vec![
            Column::numeric("many", (0..rows).map(holes).collect()),
            Column::numeric("few", (0..rows).map(|row| (row % 7) as f64).collect()),
            Column::from_texts("levels", (0..rows).map(|row| Some(["x", "y", "z"][row % 3]))),
            Column::new("word", ColumnData::SparseNumeric(words)),
            Column::from_texts("class", (0..rows).map(label)),
        ])
        .unwrap()
        .with_last_as_target()
        .unwrap();
        let shape = Shape::of(&data);
        assert_eq!((shape.rows, shape.numeric, shape.few_valued, shape.nominal), (180, 1, 1, 1));
        assert_eq!((shape.levels, shape.sparse, shape.entries, shape.classes), (3.0, 1, 3, 2));
        assert!((shape.missing - 50.0 / 600.0).abs() < 1e-12);
        assert!((shape.information - 1.0).abs() < 1e-12);
        assert_eq!((shape.attributes(), shape.dense()), (4, 3));
    }

    #[test]
    fn two_levels_at_once_are_for_little_data() {
        let shape = Shape::of(&generate("waveform", &Knobs::default()).unwrap().with_last_as_target().unwrap());
        assert!(!shape.is_too_large(&Recipe::t2()));
        assert!(shape.with_rows(10_000_000).is_too_large(&Recipe::t2()));
        assert!(Shape { numeric: 101, ..shape.clone() }.is_too_large(&Recipe::t2()));
        assert!(!shape.with_rows(10_000_000).is_too_large(&Recipe::c45()));
    }

    #[test]
    fn half_the_rows_have_half_the_entries() {
        let words = Knobs { rows: Some(100), ..Knobs::default() };
        let shape = Shape::of(&generate("bag-of-words", &words).unwrap().with_last_as_target().unwrap());
        let half = shape.with_rows(50);
        assert_eq!((half.rows, half.sparse), (50, shape.sparse));
        assert!(half.entries.abs_diff(shape.entries / 2) <= 1);
    }
}
