//! From columns to a data set: the user's overrides, the class, and remarks on columns that are of little use.

use std::collections::HashMap;

use super::dictionary::Dictionary;
use super::{ReadOptions, Target, number};
use crate::data::{Column, ColumnData, Dataset, MISSING, Sparse};
use crate::error::{Error, Result};

/// What a reader made of a file.
#[derive(Debug)]
pub(super) struct Table {
    pub columns: Vec<Column>,
    pub weights: Option<Vec<f64>>,
    /// Names of columns left out because nothing can be learnt from their type.
    pub unusable: Vec<String>,
}

/// A nominal column of which more than this share of the rows have a level of their own looks like an identifier ...
const IDENTIFIER_SHARE: f64 = 0.9;
/// ... unless there are fewer rows than this, when it is only a small file.
const IDENTIFIER_ROWS: usize = 20;

impl Table {
    /// Columns and nothing else.
    pub fn new(columns: Vec<Column>) -> Self {
        Table { columns, weights: None, unusable: Vec::new() }
    }

    /// Follows the options that concern single columns. CSV does so while reading, where it still has the text.
    pub fn overridden(mut self, options: &ReadOptions) -> Result<Self> {
        // Ignoring what is left out anyway is no mistake.
        let all = self.columns.iter().map(Column::name).chain(self.unusable.iter().map(String::as_str));
        check_overrides(&all.collect::<Vec<_>>(), options)?;
        let wanted = |name: &str| !options.ignore.iter().any(|ignored| ignored == name);
        self.columns.retain(|column| wanted(column.name()));
        self.unusable.retain(|name| wanted(name));
        if let Some(name) =
            self.unusable.iter().find(|name| options.nominal.contains(name) || options.numeric.contains(name))
        {
            return Err(Error::data("a column of this type cannot be made nominal or numeric")
                .in_column(name)
                .remedy("leave it out of --nominal and --numeric"));
        }
        let convert = |column: Column| {
            if options.nominal.iter().any(|name| name == column.name()) {
                Ok(as_nominal(column))
            } else if options.numeric.iter().any(|name| name == column.name()) {
                as_numeric(column)
            } else {
                Ok(column)
            }
        };
        self.columns = self.columns.into_iter().map(convert).collect::<Result<_>>()?;
        Ok(self)
    }

    /// Sets the class aside and adds the remarks.
    pub fn into_dataset(self, options: &ReadOptions) -> Result<Dataset> {
        if self.columns.is_empty() {
            return Err(Error::data("no columns are left").remedy("ignore fewer of them"));
        }
        if self.columns[0].is_empty() {
            return Err(Error::data("there are no rows").remedy("check that the file is complete"));
        }
        let mut data = Dataset::new(self.columns)?;
        data = match &options.target {
            Target::Last => data.with_last_as_target()?,
            Target::Named(name) => data.with_target(name)?,
            Target::IfPresent(name) if data.attributes().iter().any(|column| column.name() == name) => {
                data.with_target(name)?
            }
            Target::IfPresent(_) | Target::None => data,
        };
        if let Some(weights) = self.weights {
            data = data.with_weights(weights)?;
        }
        if !self.unusable.is_empty() {
            let list = listed(&self.unusable);
            data = data.with_note(format!("strings, dates and nested values are ignored, here: {list}"));
        }
        if !data.kinds().sparse.is_empty() {
            // Text is asked for both ways, and who reads it may train more than once.
            data.by_row();
        }
        Ok(remarks(&data).into_iter().fold(data, Dataset::with_note))
    }
}

/// Refuses names of columns that do not exist, and columns that are to be two things at once.
pub(super) fn check_overrides(columns: &[&str], options: &ReadOptions) -> Result<()> {
    let lists = [("nominal", &options.nominal), ("numeric", &options.numeric), ("ignore", &options.ignore)];
    let mut said = HashMap::new();
    for (option, names) in lists {
        for name in names {
            if !columns.contains(&name.as_str()) {
                return Err(Error::data(format!("--{option} names {name:?}, which is not a column"))
                    .remedy(format!("the columns are: {}", listed(columns))));
            }
            if let Some(before) = said.insert(name, option).filter(|&before| before != option) {
                return Err(
                    Error::data(format!("{name:?} is named by --{before} and by --{option}")).remedy("name it once")
                );
            }
        }
    }
    Ok(())
}

/// Names in a sentence, the first dozen of many.
pub(super) fn listed<T: AsRef<str>>(names: &[T]) -> String {
    const SHOWN: usize = 12;
    let list = names.iter().take(SHOWN).map(AsRef::as_ref).collect::<Vec<_>>().join(", ");
    if names.len() > SHOWN { format!("{list}, … ({} in all)", names.len()) } else { list }
}

/// Numbers as levels in order of first appearance, each printed as it would be written.
pub fn as_nominal(column: Column) -> Column {
    let name = column.name().to_string();
    let mut levels = Dictionary::default();
    let mut code = |value: f64| if value.is_nan() { MISSING } else { levels.code_owned(value.to_string()) };
    let data = match column.into_data() {
        ColumnData::Numeric(values) => {
            let codes = values.into_iter().map(code).collect();
            ColumnData::Nominal { levels: levels.into_levels(), codes }
        }
        ColumnData::Numeric32(values) => {
            let codes = values.into_iter().map(|value| code(f64::from(value))).collect();
            ColumnData::Nominal { levels: levels.into_levels(), codes }
        }
        ColumnData::SparseNumeric(sparse) => {
            code(0.0);
            let values = sparse.values.into_iter().map(code).collect();
            let codes = Sparse { len: sparse.len, rows: sparse.rows, values };
            ColumnData::SparseNominal { levels: levels.into_levels(), codes }
        }
        nominal => nominal,
    };
    Column::new(name, data)
}

/// Levels that are numbers, as numbers. Sparse levels become dense unless the level left out is zero.
fn as_numeric(column: Column) -> Result<Column> {
    let name = column.name().to_string();
    let Some(levels) = column.levels() else { return Ok(column) };
    let numbers: Vec<Option<f64>> =
        levels.iter().map(|level| number::parse(level).filter(|value| value.is_finite())).collect();
    let row_of = |code: u32| match column.data() {
        ColumnData::Nominal { codes, .. } => codes.iter().position(|&found| found == code),
        ColumnData::SparseNominal { codes, .. } => (0..codes.len).find(|&row| codes.get(row).unwrap_or(0) == code),
        _ => None,
    };
    for (code, level) in levels.iter().enumerate().filter(|(code, _)| numbers[*code].is_none()) {
        if let Some(row) = row_of(code as u32) {
            return Err(not_a_number(&name, level, &format!("row {}: ", row + 1)));
        }
    }
    let value = |code: u32| if code == MISSING { f64::NAN } else { numbers[code as usize].unwrap_or(f64::NAN) };
    let data = match column.into_data() {
        ColumnData::Nominal { codes, .. } => ColumnData::Numeric(codes.into_iter().map(value).collect()),
        ColumnData::SparseNominal { codes, .. } if numbers.first() == Some(&Some(0.0)) => {
            let values = codes.values.into_iter().map(value).collect();
            ColumnData::SparseNumeric(Sparse { len: codes.len, rows: codes.rows, values })
        }
        ColumnData::SparseNominal { codes, .. } => {
            ColumnData::Numeric((0..codes.len).map(|row| value(codes.get(row).unwrap_or(0))).collect())
        }
        numeric => numeric,
    };
    Ok(Column::new(name, data))
}

/// A column the user calls numeric holds `found`.
pub(super) fn not_a_number(column: &str, found: &str, place: &str) -> Error {
    Error::data(format!("{place}found {found:?}, expected a number because of --numeric"))
        .in_column(column)
        .remedy(format!("leave the column out of --numeric, or add --missing {found:?}"))
}

/// What the user should know about columns that cannot help.
fn remarks(data: &Dataset) -> Vec<String> {
    let named = |which: &dyn Fn(&Column) -> bool| -> Vec<&str> {
        data.attributes().iter().filter(|column| which(column)).map(Column::name).collect()
    };
    let unknown = named(&|column| kept(column) == Kept::Nothing);
    let constant = named(&|column| kept(column) == Kept::OneValue);
    let identifiers = named(&|column| {
        let levels = column.levels().map_or(0, <[String]>::len);
        data.rows() >= IDENTIFIER_ROWS && levels as f64 > IDENTIFIER_SHARE * data.rows() as f64
    });
    let mut notes = Vec::new();
    if !unknown.is_empty() {
        notes.push(format!("no value is known, so no split will use: {}", listed(&unknown)));
    }
    if !constant.is_empty() {
        notes.push(format!("all known values are the same, so no split will use: {}", listed(&constant)));
    }
    if !identifiers.is_empty() {
        notes.push(format!(
            "nearly every row has a value of its own, as an identifier has: {}; consider --ignore {}",
            listed(&identifiers),
            identifiers.iter().take(12).copied().collect::<Vec<_>>().join(",")
        ));
    }
    notes
}

#[derive(PartialEq, Eq)]
enum Kept {
    Nothing,
    OneValue,
    More,
}

/// How many different values a column holds, as far as that matters; stops at the second.
fn kept(column: &Column) -> Kept {
    fn of<T: Copy + PartialEq>(mut known: impl Iterator<Item = T>) -> Kept {
        match known.next() {
            None => Kept::Nothing,
            Some(first) if known.all(|value| value == first) => Kept::OneValue,
            Some(_) => Kept::More,
        }
    }
    match column.data() {
        ColumnData::Numeric(values) => of(values.iter().filter(|value| !value.is_nan())),
        ColumnData::Numeric32(values) => of(values.iter().filter(|value| !value.is_nan())),
        ColumnData::Nominal { codes, .. } => of(codes.iter().filter(|&&code| code != MISSING)),
        ColumnData::SparseNumeric(sparse) => {
            let zero = (sparse.rows.len() < sparse.len).then_some(&0.0);
            of(zero.into_iter().chain(sparse.values.iter().filter(|value| !value.is_nan())))
        }
        ColumnData::SparseNominal { codes, .. } => {
            let zero = (codes.rows.len() < codes.len).then_some(&0);
            of(zero.into_iter().chain(codes.values.iter().filter(|&&code| code != MISSING)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns() -> Vec<Column> {
        vec![
            Column::numeric("x", vec![2.0, f64::NAN, 1.5]),
            Column::from_texts("n", [Some("1"), Some("02"), None]),
            Column::from_texts("y", [Some("a"), Some("b"), Some("a")]),
        ]
    }

    fn owned(names: &[&str]) -> Vec<String> {
        names.iter().map(ToString::to_string).collect()
    }

    fn options(nominal: &[&str], numeric: &[&str], ignore: &[&str]) -> ReadOptions {
        ReadOptions { nominal: owned(nominal), numeric: owned(numeric), ignore: owned(ignore), ..Default::default() }
    }

    #[test]
    fn overrides_change_types_and_the_last_column() {
        let options = options(&["x"], &["n"], &["y"]);
        let data = Table::new(columns()).overridden(&options).unwrap().into_dataset(&options).unwrap();
        assert_eq!(data.attributes()[0].levels().unwrap(), ["2", "1.5"]);
        assert_eq!(data.class().unwrap().name, "n");
        assert_eq!(data.class().unwrap().levels, ["1", "2"]);
    }

    #[test]
    fn unknown_or_doubled_names_are_refused() {
        let error = Table::new(columns()).overridden(&options(&["z"], &[], &[])).unwrap_err();
        assert_eq!(error.to_string(), "--nominal names \"z\", which is not a column; the columns are: x, n, y");
        assert!(Table::new(columns()).overridden(&options(&["x"], &[], &["x"])).is_err());
    }

    #[test]
    fn columns_of_unusable_types_are_remarked_on_unless_ignored() {
        let table = || Table { unusable: owned(&["s"]), ..Table::new(columns()) };
        let read = |options: &ReadOptions| table().overridden(options)?.into_dataset(options);
        let data = read(&ReadOptions::default()).unwrap();
        assert_eq!(data.notes(), ["strings, dates and nested values are ignored, here: s"]);
        assert!(read(&options(&[], &[], &["s"])).unwrap().notes().is_empty());
        let error = read(&options(&["s"], &[], &[])).unwrap_err().to_string();
        assert!(error.contains("column \"s\": a column of this type cannot be made nominal"), "{error}");
    }

    #[test]
    fn text_is_not_made_a_number() {
        let error = Table::new(columns()).overridden(&options(&[], &["y"], &[])).unwrap_err();
        assert!(error.to_string().starts_with("column \"y\": row 1: found \"a\", expected a number"), "{error}");
    }

    #[test]
    fn sparse_columns_stay_sparse_where_they_can() {
        let sparse = Sparse { len: 4, rows: vec![1, 3], values: vec![2.5, f64::NAN] };
        let column = as_nominal(Column::new("x", ColumnData::SparseNumeric(sparse)));
        assert_eq!(column.levels().unwrap(), ["0", "2.5"]);
        let back = as_numeric(column).unwrap();
        assert!(matches!(back.data(), ColumnData::SparseNumeric(sparse) if sparse.values[0] == 2.5), "{back:?}");
    }

    #[test]
    fn the_target_may_be_absent() {
        let target = |target| ReadOptions { target, ..Default::default() };
        let read = |options: &ReadOptions| Table::new(columns()).into_dataset(options);
        assert!(read(&target(Target::None)).unwrap().class().is_none());
        assert!(read(&target(Target::IfPresent("z".into()))).unwrap().class().is_none());
        assert_eq!(read(&target(Target::IfPresent("n".into()))).unwrap().class().unwrap().name, "n");
        assert!(read(&target(Target::Named("z".into()))).unwrap_err().to_string().contains("name one of: x, n, y"));
        assert!(Table::new(vec![]).into_dataset(&ReadOptions::default()).is_err());
        assert!(Table::new(vec![Column::numeric("x", vec![])]).into_dataset(&ReadOptions::default()).is_err());
    }

    #[test]
    fn useless_columns_are_remarked_on() {
        let ids: Vec<String> = (0..30).map(|i| format!("id{i}")).collect();
        let columns = vec![
            Column::numeric("none", vec![f64::NAN; 30]),
            Column::numeric("same", vec![4.0; 30]),
            Column::new("zeros", ColumnData::SparseNumeric(Sparse { len: 30, ..Default::default() })),
            Column::from_texts("id", ids.iter().map(|id| Some(id.as_str()))),
            Column::numeric("class", (0..30).map(|i| f64::from(i % 2)).collect()),
        ];
        let data = Table::new(columns).into_dataset(&ReadOptions::default()).unwrap();
        assert_eq!(
            data.notes(),
            [
                "no value is known, so no split will use: none",
                "all known values are the same, so no split will use: same, zeros",
                "nearly every row has a value of its own, as an identifier has: id; consider --ignore id",
            ]
        );
    }
}
