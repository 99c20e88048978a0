//! One attribute's values, stored by kind.
//!
//! A missing number is NaN and a missing level is [`MISSING`] inside the packed arrays; outside them absence is
//! an `Option` or [`Value::Missing`]. Sparse storage leaves out zeros: the number 0, or the first level.

use std::sync::{Arc, OnceLock};

use super::extent::Extent;
use super::few::FewValues;
use super::item::Item;
use super::order::Order;
use super::sparse::Sparse;

/// The packed form of a missing level. Only storage and kernels see it.
pub const MISSING: u32 = u32::MAX;

/// A named attribute with one value per row.
#[derive(Clone, Debug)]
pub struct Column {
    name: Arc<str>,
    data: ColumnData,
    order: OnceLock<Order>,
    smallest_gap: OnceLock<f64>,
    few: OnceLock<Option<FewValues>>,
    extent: OnceLock<Option<Extent>>,
    missing: usize,
}

/// The values of a column.
#[derive(Clone, Debug)]
pub enum ColumnData {
    /// Numbers, one per row; NaN is missing.
    Numeric(Vec<f64>),
    /// Single-precision numbers, kept as they came; NaN is missing.
    Numeric32(Vec<f32>),
    /// Levels by their code, one per row; [`MISSING`] is missing.
    Nominal {
        /// The declared levels, in order; codes index them.
        levels: Vec<String>,
        /// One code per row.
        codes: Vec<u32>,
    },
    /// Numbers of which most are zero.
    SparseNumeric(Sparse<f64>),
    /// Levels of which most are the first.
    SparseNominal {
        /// The declared levels; level 0 is the one left out.
        levels: Vec<String>,
        /// Rows whose code is not 0.
        codes: Sparse<u32>,
    },
}

/// One cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// Not known.
    Missing,
    /// A finite number.
    Number(f64),
    /// The code of a level.
    Level(u32),
}

impl Column {
    /// A column; the name must be unique in its dataset.
    pub fn new(name: impl Into<String>, data: ColumnData) -> Self {
        let extent = extent(&data);
        let missing = extent.map_or_else(|| missing_levels(&data), |extent| extent.missing);
        let column = Self::missing_so_many(name.into(), data, missing);
        Column { extent: OnceLock::from(extent), ..column }
    }

    /// A column of which the caller knows that no value is missing: they are not looked at again.
    pub fn complete(name: impl Into<String>, data: ColumnData) -> Self {
        let column = Self::missing_so_many(name.into(), data, 0);
        debug_assert_eq!(Self::new("", column.data.clone()).missing, 0, "a complete column misses nothing");
        column
    }

    fn missing_so_many(name: String, data: ColumnData, missing: usize) -> Self {
        let (order, few, smallest_gap) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        Column { name: name.into(), data, missing, order, few, smallest_gap, extent: OnceLock::new() }
    }

    /// A numeric column; NaN is missing.
    pub fn numeric(name: impl Into<String>, values: Vec<f64>) -> Self {
        Self::new(name, ColumnData::Numeric(values))
    }

    /// A nominal column from the text of each row, levels in order of first appearance.
    pub fn from_texts<'a>(name: impl Into<String>, texts: impl IntoIterator<Item = Option<&'a str>>) -> Self {
        let mut levels: Vec<String> = Vec::new();
        let mut known = std::collections::HashMap::new();
        let codes = texts
            .into_iter()
            .map(|text| match text {
                None => MISSING,
                Some(text) => *known.entry(text).or_insert_with(|| {
                    levels.push(text.to_string());
                    levels.len() as u32 - 1
                }),
            })
            .collect();
        Self::new(name, ColumnData::Nominal { levels, codes })
    }

    /// The column's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The same, for who keeps it: tables may have as many columns as words.
    pub(crate) fn shared_name(&self) -> Arc<str> {
        self.name.clone()
    }

    /// The same values under another name.
    #[must_use]
    pub fn renamed(mut self, name: impl Into<String>) -> Self {
        self.name = name.into().into();
        self
    }

    /// The stored values.
    pub fn data(&self) -> &ColumnData {
        &self.data
    }

    /// Takes the stored values out.
    pub fn into_data(self) -> ColumnData {
        self.data
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        match &self.data {
            ColumnData::Numeric(values) => values.len(),
            ColumnData::Numeric32(values) => values.len(),
            ColumnData::Nominal { codes, .. } => codes.len(),
            ColumnData::SparseNumeric(sparse) => sparse.len,
            ColumnData::SparseNominal { codes, .. } => codes.len,
        }
    }

    /// Whether the column has no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The declared levels of a nominal column, `None` for a numeric one.
    pub fn levels(&self) -> Option<&[String]> {
        match &self.data {
            ColumnData::Nominal { levels, .. } | ColumnData::SparseNominal { levels, .. } => Some(levels),
            _ => None,
        }
    }

    /// Whether only entries that are not zero are stored.
    pub fn is_sparse(&self) -> bool {
        matches!(self.data, ColumnData::SparseNumeric(_) | ColumnData::SparseNominal { .. })
    }

    /// The cell of `row`.
    pub fn value(&self, row: usize) -> Value {
        match &self.data {
            ColumnData::Numeric(values) => Value::number(values[row]),
            ColumnData::Numeric32(values) => Value::number(f64::from(values[row])),
            ColumnData::Nominal { codes, .. } => Value::level(codes[row]),
            ColumnData::SparseNumeric(sparse) => Value::number(sparse.get(row).unwrap_or(0.0)),
            ColumnData::SparseNominal { codes, .. } => Value::level(codes.get(row).unwrap_or(0)),
        }
    }

    /// How many rows have no value.
    pub fn missing_count(&self) -> usize {
        self.missing
    }

    /// Between which values the numbers lie; of sparse ones, those that are listed.
    pub(crate) fn extent(&self) -> Option<Extent> {
        *self.extent.get_or_init(|| extent(&self.data))
    }

    /// Bytes the stored values take: what "the bytes of the columns" means in memory bars.
    pub fn bytes(&self) -> usize {
        match &self.data {
            ColumnData::Numeric(values) => values.len() * 8,
            ColumnData::Numeric32(values) => values.len() * 4,
            ColumnData::Nominal { codes, .. } => codes.len() * 4,
            ColumnData::SparseNumeric(sparse) => sparse.rows.len() * 12,
            ColumnData::SparseNominal { codes, .. } => codes.rows.len() * 8,
        }
    }

    /// The values of a dense numeric column that has few; looked for at the first call and kept.
    pub(crate) fn few_values(&self) -> Option<&FewValues> {
        self.few.get_or_init(|| FewValues::of(self)).as_ref()
    }

    /// The entries of a numeric column in ascending order, sorted at the first call and kept.
    pub(crate) fn order(&self) -> &Order {
        self.order.get_or_init(|| Order::of(self))
    }

    /// The order, if it was asked for before.
    pub(crate) fn kept_order(&self) -> Option<&Order> {
        self.order.get()
    }

    /// The rows of a dense numeric column in ascending order, for one who asks once: they are not kept.
    pub(crate) fn sorted(&self) -> Vec<Item> {
        let order = Order::of(self);
        self.smallest_gap.get_or_init(|| order.smallest_gap());
        order.into_items()
    }

    /// The smallest distance between two different values of a numeric column.
    pub(crate) fn smallest_gap(&self) -> f64 {
        *self.smallest_gap.get_or_init(|| self.order().smallest_gap())
    }
}

/// The extent of numbers; levels have none.
fn extent(data: &ColumnData) -> Option<Extent> {
    match data {
        ColumnData::Numeric(values) => Some(Extent::of(values, |value| value)),
        ColumnData::Numeric32(values) => Some(Extent::of(values, f64::from)),
        ColumnData::SparseNumeric(sparse) => Some(Extent::of(&sparse.values, |value| value)),
        ColumnData::Nominal { .. } | ColumnData::SparseNominal { .. } => None,
    }
}

/// How many levels are missing; numbers have none.
fn missing_levels(data: &ColumnData) -> usize {
    let codes = match data {
        ColumnData::Nominal { codes, .. } => codes,
        ColumnData::SparseNominal { codes, .. } => &codes.values,
        _ => return 0,
    };
    codes.iter().filter(|&&code| code == MISSING).count()
}

impl Value {
    /// A packed number.
    pub(crate) fn number(value: f64) -> Value {
        if value.is_nan() { Value::Missing } else { Value::Number(value) }
    }

    /// A packed level.
    pub(crate) fn level(code: u32) -> Value {
        if code == MISSING { Value::Missing } else { Value::Level(code) }
    }
}
