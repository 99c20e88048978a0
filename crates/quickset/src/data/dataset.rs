//! The one table type.

use std::collections::HashSet;
use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize};

use super::by_row::ByRow;
use super::column::{Column, ColumnData, MISSING, Value};
use super::kinds::Kinds;
use super::select::{Places, pick};
use crate::error::{Error, Result};

/// The packed form of a row without a class.
pub const NO_CLASS: u16 = u16::MAX;

/// Row numbers share their 32 bits with one flag in the sorted orders.
const MOST_ROWS: usize = (1 << 31) - 1;

/// More distinct numbers than this in a target column look like a quantity, not like classes.
const MOST_NUMERIC_CLASSES: usize = 100;

/// Attributes, an optional class, optional row weights. Built once, never changed.
#[derive(Clone, Debug)]
pub struct Dataset {
    rows: usize,
    attributes: Vec<Column>,
    class: Option<Class>,
    /// Where the class stood among the columns, so that writing restores the order.
    class_position: usize,
    weights: Option<Vec<f64>>,
    notes: Vec<String>,
    known: Known,
}

/// What is known of all attributes together, once it was asked for.
#[derive(Clone, Debug, Default)]
struct Known {
    by_row: OnceLock<Arc<ByRow>>,
    kinds: OnceLock<Arc<Kinds>>,
    headers: OnceLock<Arc<[Attribute]>>,
}

/// What a column is called, and what it may hold.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Attribute {
    /// The column's name.
    pub name: Arc<str>,
    /// The levels of a nominal attribute, `None` for a numeric one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub levels: Option<Vec<String>>,
}

/// What is to be predicted: a level per row.
#[derive(Clone, Debug)]
pub struct Class {
    /// The column's name.
    pub name: String,
    /// The declared classes; codes index them.
    pub levels: Vec<String>,
    /// One code per row; [`NO_CLASS`] where the class is missing.
    pub codes: Vec<u16>,
}

impl Dataset {
    /// A table without a class. All columns have the same length and different names.
    pub fn new(columns: Vec<Column>) -> Result<Self> {
        let rows = columns.first().map_or(0, Column::len);
        if rows > MOST_ROWS {
            return Err(Error::data(format!("{rows} rows are more than the {MOST_ROWS} supported")));
        }
        let mut names = HashSet::new();
        for column in &columns {
            if column.len() != rows {
                return Err(
                    Error::data(format!("found {} rows, expected {rows}", column.len())).in_column(column.name())
                );
            }
            if !names.insert(column.name()) {
                return Err(Error::data("the column name occurs twice")
                    .in_column(column.name())
                    .remedy("give each column its own name"));
            }
        }
        Ok(Dataset {
            rows,
            attributes: columns,
            class: None,
            class_position: 0,
            weights: None,
            notes: Vec::new(),
            known: Known::default(),
        })
    }

    /// Makes the column `name` the class. Numbers become levels in ascending order.
    pub fn with_target(mut self, name: &str) -> Result<Self> {
        let Some(position) = self.attributes.iter().position(|column| column.name() == name) else {
            let names: Vec<&str> = self.attributes.iter().map(Column::name).collect();
            return Err(Error::data(format!("there is no column named {name:?} to be the target"))
                .remedy(format!("name one of: {}", shortened(&names))));
        };
        let column = self.attributes.remove(position);
        self.known = Known::default();
        self.class = Some(Class::from_column(column)?);
        self.class_position = position;
        Ok(self)
    }

    /// Makes the last column the class.
    pub fn with_last_as_target(self) -> Result<Self> {
        match self.attributes.last().map(|column| column.name().to_string()) {
            Some(name) => self.with_target(&name),
            None => Err(Error::data("there are no columns, so there is no target").remedy("check the file")),
        }
    }

    /// Gives every row a weight, positive and finite.
    pub fn with_weights(mut self, weights: Vec<f64>) -> Result<Self> {
        if weights.len() != self.rows {
            return Err(Error::data(format!("found {} weights for {} rows", weights.len(), self.rows)));
        }
        if let Some(row) = weights.iter().position(|w| !w.is_finite() || *w < 0.0) {
            return Err(Error::data(format!("row {} has the weight {}", row + 1, weights[row]))
                .remedy("weights are finite and not negative"));
        }
        // Weights that are all 1 say nothing, and counting whole rows is faster.
        self.weights = if weights.iter().all(|&w| w == 1.0) { None } else { Some(weights) };
        Ok(self)
    }

    /// The same rows with other attributes in the place of its own, one for one.
    pub(crate) fn with_attributes(&self, attributes: Vec<Column>) -> Dataset {
        debug_assert_eq!(attributes.len(), self.attributes.len());
        Dataset {
            rows: self.rows,
            attributes,
            class: self.class.clone(),
            class_position: self.class_position,
            weights: self.weights.clone(),
            notes: self.notes.clone(),
            known: Known::default(),
        }
    }

    /// Adds a remark for the user about how the data were read.
    #[must_use]
    pub fn with_note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// The given rows in the given order, with all columns and levels. Sparse columns stay sparse.
    ///
    /// # Panics
    /// Where a row does not exist.
    #[must_use]
    pub fn select(&self, rows: &[u32]) -> Dataset {
        let places = Places::of(rows, self.rows);
        let class = self.class.as_ref().map(|class| Class {
            name: class.name.clone(),
            levels: class.levels.clone(),
            codes: pick(&class.codes, rows),
        });
        Dataset {
            rows: rows.len(),
            attributes: self.attributes.iter().map(|column| column.select(rows, &places)).collect(),
            class,
            class_position: self.class_position,
            weights: self.weights.as_ref().map(|weights| pick(weights, rows)),
            notes: self.notes.clone(),
            known: Known::default(),
        }
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The attributes: every column but the class.
    pub fn attributes(&self) -> &[Column] {
        &self.attributes
    }

    /// The class, where a target was named.
    pub fn class(&self) -> Option<&Class> {
        self.class.as_ref()
    }

    /// Where the class column stood among all columns.
    pub fn class_position(&self) -> usize {
        self.class_position
    }

    /// Row weights, where they are not all 1.
    pub fn weights(&self) -> Option<&[f64]> {
        self.weights.as_deref()
    }

    /// Remarks for the user about how the data were read.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Which sparse attributes each row has an entry in.
    pub(crate) fn by_row(&self) -> &ByRow {
        self.known.by_row.get_or_init(|| Arc::new(ByRow::of(&self.attributes, self.rows)))
    }

    /// What kinds of attributes there are.
    pub(crate) fn kinds(&self) -> &Kinds {
        self.known.kinds.get_or_init(|| Arc::new(Kinds::of(&self.attributes)))
    }

    /// What the attributes are called, and their levels.
    pub(crate) fn headers(&self) -> Arc<[Attribute]> {
        let header = |column: &Column| {
            let levels = column.levels().map(<[String]>::to_vec);
            Attribute { name: column.shared_name(), levels }
        };
        self.known.headers.get_or_init(|| self.attributes.iter().map(header).collect()).clone()
    }

    /// Bytes of the stored columns.
    pub fn bytes(&self) -> usize {
        let class = self.class.as_ref().map_or(0, |class| class.codes.len() * 2);
        self.attributes.iter().map(Column::bytes).sum::<usize>() + class
    }
}

impl Class {
    fn from_column(column: Column) -> Result<Self> {
        let name = column.name().to_string();
        let rows = column.len();
        let (levels, codes): (Vec<String>, Vec<u32>) = match column.data() {
            ColumnData::Nominal { levels, codes } => (levels.clone(), codes.clone()),
            ColumnData::SparseNominal { levels, codes } => {
                (levels.clone(), (0..rows).map(|row| codes.get(row).unwrap_or(0)).collect())
            }
            _ => numbers_as_levels(&column)?,
        };
        if levels.len() >= usize::from(NO_CLASS) {
            return Err(Error::data(format!("the target has {} different values", levels.len()))
                .in_column(name)
                .remedy("a class has few values; name another column with --target"));
        }
        let codes = codes.iter().map(|&code| if code == MISSING { NO_CLASS } else { code as u16 }).collect();
        Ok(Class { name, levels, codes })
    }
}

fn numbers_as_levels(column: &Column) -> Result<(Vec<String>, Vec<u32>)> {
    let numbers: Vec<Option<f64>> = (0..column.len())
        .map(|row| match column.value(row) {
            Value::Number(number) => Some(number),
            _ => None,
        })
        .collect();
    let mut distinct: Vec<f64> = numbers.iter().flatten().copied().collect();
    distinct.sort_by(f64::total_cmp);
    distinct.dedup();
    if distinct.len() > MOST_NUMERIC_CLASSES {
        return Err(Error::data(format!("the target holds {} different numbers", distinct.len()))
            .in_column(column.name())
            .remedy("Quickset learns classes: name a class column with --target, or force this one with --nominal"));
    }
    let codes = numbers
        .iter()
        .map(|number| number.map_or(MISSING, |number| distinct.partition_point(|&d| d < number) as u32))
        .collect();
    Ok((distinct.iter().map(f64::to_string).collect(), codes))
}

fn shortened(names: &[&str]) -> String {
    const SHOWN: usize = 12;
    let list = names.iter().take(SHOWN).copied().collect::<Vec<_>>().join(", ");
    if names.len() > SHOWN { format!("{list}, … ({} columns)", names.len()) } else { list }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Sparse;

    fn two_columns() -> Dataset {
        Dataset::new(vec![
            Column::numeric("x", vec![1.0, f64::NAN, 3.0]),
            Column::from_texts("y", [Some("a"), None, Some("b")]),
        ])
        .unwrap()
    }

    #[test]
    fn the_target_leaves_the_attributes() {
        let data = two_columns().with_last_as_target().unwrap();
        assert_eq!(data.attributes().len(), 1);
        let class = data.class().unwrap();
        assert_eq!(class.levels, ["a", "b"]);
        assert_eq!(class.codes, [0, NO_CLASS, 1]);
        assert_eq!(data.class_position(), 1);
    }

    #[test]
    fn what_is_known_of_all_attributes_is_told_anew_without_the_target() {
        let word = |name: &str, rows: Vec<u32>| {
            let values = vec![1.0; rows.len()];
            Column::new(name, ColumnData::SparseNumeric(Sparse { len: 3, rows, values }))
        };
        let class = Column::from_texts("class", [Some("a"), None, Some("b")]);
        let columns = vec![class, word("v", vec![0, 2]), word("w", vec![2])];
        let all = Dataset::new(columns).unwrap();
        let known = |data: &Dataset| {
            let kinds = data.kinds();
            let names: Vec<String> = data.headers().iter().map(|header| header.name.to_string()).collect();
            let entries: Vec<Vec<u32>> = (0..3).map(|row| data.by_row().columns(row).to_vec()).collect();
            (entries, names.join(" "), kinds.sparse.clone(), kinds.dense.clone(), kinds.complete, kinds.only_numbers)
        };
        let before = (vec![vec![1], vec![], vec![1, 2]], "class v w".into(), vec![1, 2], vec![0], false, false);
        assert_eq!(known(&all), before);
        assert!(!all.kinds().all_sparse());
        let data = all.with_target("class").unwrap();
        let after = (vec![vec![0], vec![], vec![0, 1]], "v w".into(), vec![0, 1], vec![], true, true);
        assert_eq!(known(&data), after);
        assert!(data.kinds().all_sparse());
        assert_eq!(known(&data.select(&[2, 0, 1])).0, [vec![0, 1], vec![0], vec![]]);
    }

    #[test]
    fn numbers_become_classes_in_ascending_order() {
        let data = two_columns().with_target("x").unwrap();
        assert_eq!(data.class().unwrap().levels, ["1", "3"]);
        assert_eq!(data.class().unwrap().codes, [0, NO_CLASS, 1]);
    }

    #[test]
    fn an_unknown_target_lists_the_columns() {
        let error = two_columns().with_target("z").unwrap_err();
        assert!(error.to_string().contains("name one of: x, y"), "{error}");
    }

    #[test]
    fn duplicate_names_and_ragged_columns_are_refused() {
        let twice = vec![Column::numeric("x", vec![1.0]), Column::numeric("x", vec![2.0])];
        assert!(Dataset::new(twice).unwrap_err().to_string().contains("occurs twice"));
        let ragged = vec![Column::numeric("x", vec![1.0]), Column::numeric("y", vec![])];
        assert!(Dataset::new(ragged).is_err());
    }

    #[test]
    fn weights_of_one_are_no_weights() {
        assert!(two_columns().with_weights(vec![1.0; 3]).unwrap().weights().is_none());
        assert!(two_columns().with_weights(vec![1.0, 2.0, -1.0]).is_err());
    }
}
