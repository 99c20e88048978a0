//! One attribute's values, stored by kind.
//!
//! A missing number is NaN and a missing level is [`MISSING`] inside the packed arrays; outside them absence is
//! an `Option` or [`Value::Missing`]. Sparse storage leaves out zeros: the number 0, or the first level.

use std::cmp::Ordering;
use std::sync::{Arc, OnceLock};

use super::few::FewValues;
use super::item::Item;
use super::order::Order;

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

/// The entries of a sparse column: row numbers ascending, each with its value.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sparse<T> {
    /// How many rows the column has, zeros included.
    pub len: usize,
    /// Rows with an entry, ascending.
    pub rows: Vec<u32>,
    /// The entries' values, beside `rows`.
    pub values: Vec<T>,
}

impl<T: Copy> Sparse<T> {
    /// The entry of `row`, if it has one.
    pub fn get(&self, row: usize) -> Option<T> {
        let at = self.rows.binary_search(&(row as u32)).ok()?;
        Some(self.values[at])
    }

    /// Calls `give` with every one of `rows`: its place, itself and its entry. Ascending rows cost a step each.
    pub(crate) fn visit(&self, rows: &[u32], mut give: impl FnMut(usize, u32, Option<T>)) {
        let mut at = 0;
        for (place, &row) in rows.iter().enumerate() {
            let starts_again = at > 0 && self.rows[at - 1] >= row;
            at = first_from(&self.rows, if starts_again { 0 } else { at }, row);
            let held = self.rows.get(at).is_some_and(|&listed| listed == row);
            give(place, row, held.then(|| self.values[at]));
        }
    }

    /// Calls `give` with those of some ascending rows that have an entry: the row's place, itself and its entry. Costs
    /// about a step for each of whichever are fewer.
    pub(crate) fn meet(&self, rows: &[u32], mut give: impl FnMut(usize, u32, T)) {
        let (mut at, mut place) = (0, 0);
        while at < self.rows.len() && place < rows.len() {
            let (listed, row) = (self.rows[at], rows[place]);
            match listed.cmp(&row) {
                Ordering::Less => at = first_from(&self.rows, at + 1, row),
                Ordering::Greater => place = first_from(rows, place + 1, listed),
                Ordering::Equal => {
                    give(place, row, self.values[at]);
                    at += 1;
                    place += 1;
                }
            }
        }
    }

    /// Puts the entries of some ascending rows into `held`. `marks` is working memory, false between uses.
    pub(crate) fn among(&self, rows: &[u32], marks: &mut Vec<bool>, held: &mut Vec<(u32, T)>) {
        held.clear();
        if self.rows.len() > MANY * rows.len() {
            return self.meet(rows, |_, row, value| held.push((row, value)));
        }
        marks.resize(self.len, false);
        rows.iter().for_each(|&row| marks[row as usize] = true);
        let all = self.rows.iter().copied().zip(self.values.iter().copied());
        held.extend(all.filter(|(row, _)| marks[*row as usize]));
        rows.iter().for_each(|&row| marks[row as usize] = false);
    }

    /// Every row with its value, `zero` where it has no entry.
    pub(crate) fn dense(&self, zero: T) -> impl Iterator<Item = (usize, T)> {
        let mut next = 0;
        (0..self.len).map(move |row| {
            let held = self.rows.get(next).is_some_and(|&listed| listed as usize == row);
            next += usize::from(held);
            (row, if held { self.values[next - 1] } else { zero })
        })
    }
}

/// Goes through many columns, some at a time: their entries are asked for all at once, where one after the other each
/// would be waited for.
pub(crate) fn fetched(columns: &[Column], values: bool) -> impl Iterator<Item = &Column> {
    const TOGETHER: usize = 16;
    const LINE: usize = 64;
    columns.chunks(TOGETHER).flat_map(move |columns| {
        let mut sum = 0;
        for column in columns {
            if let ColumnData::SparseNumeric(sparse) = column.data() {
                sum ^= sparse.rows.iter().step_by(LINE / size_of::<u32>()).fold(0, |sum, &row| sum ^ row);
                if values {
                    let lines = sparse.values.iter().step_by(LINE / size_of::<f64>());
                    sum ^= lines.fold(0, |sum, value| sum ^ value.to_bits() as u32);
                }
            }
        }
        std::hint::black_box(sum);
        columns
    })
}

/// With this many times as many entries of a sparse column, rows are looked for among them one by one.
const MANY: usize = 8;

/// The first place from `start` on that holds no less than `least`: in growing steps, then back by halves.
fn first_from(ascending: &[u32], start: usize, least: u32) -> usize {
    let (mut low, mut step) = (start, 1);
    while low + step <= ascending.len() && ascending[low + step - 1] < least {
        low += step;
        step *= 2;
    }
    let high = (low + step).min(ascending.len());
    low + ascending[low..high].partition_point(|&number| number < least)
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
        let missing = missing_count(&data);
        Self::missing_so_many(name.into(), data, missing)
    }

    /// A column of which the caller knows that no value is missing: they are not looked at again.
    pub fn complete(name: impl Into<String>, data: ColumnData) -> Self {
        debug_assert_eq!(missing_count(&data), 0, "a complete column misses nothing");
        Self::missing_so_many(name.into(), data, 0)
    }

    fn missing_so_many(name: String, data: ColumnData, missing: usize) -> Self {
        let (order, few) = (OnceLock::new(), OnceLock::new());
        Column { name: name.into(), data, missing, order, few, smallest_gap: OnceLock::new() }
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

fn missing_count(data: &ColumnData) -> usize {
    match data {
        ColumnData::Numeric(values) => values.iter().filter(|value| value.is_nan()).count(),
        ColumnData::Numeric32(values) => values.iter().filter(|value| value.is_nan()).count(),
        ColumnData::Nominal { codes, .. } => codes.iter().filter(|&&code| code == MISSING).count(),
        ColumnData::SparseNumeric(sparse) => sparse.values.iter().filter(|value| value.is_nan()).count(),
        ColumnData::SparseNominal { codes, .. } => codes.values.iter().filter(|&&code| code == MISSING).count(),
    }
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
