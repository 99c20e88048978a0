//! Readers and writers: one file or folder per format.
//!
//! [`read`] turns a file into a [`Dataset`]: its format's reader makes columns, [`ReadOptions`] then decide about types
//! and the class, and remarks for the user are left in [`Dataset::notes`].

mod arff;
mod atomic;
mod c45;
mod csv;
mod dictionary;
mod format;
mod libsvm;
mod number;
#[cfg(feature = "parquet")]
mod parquet;
#[cfg(not(feature = "parquet"))]
#[path = "no_parquet.rs"]
mod parquet;
mod source;
mod table;
mod write;

pub(crate) use atomic::remove_leftovers;
pub use atomic::write_atomically;
pub use format::Format;
pub use table::as_nominal;
pub use write::write;

use source::Source;
use table::Table;

#[cfg(feature = "parquet")]
use crate::data::Column;
use crate::data::{Dataset, generate};
use crate::error::Result;

/// How a file is to be understood.
#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    /// Which column is the class.
    pub target: Target,
    /// Words that mean "missing" beside the format's own.
    pub missing: Vec<String>,
    /// Columns to treat as nominal, whatever they look like.
    pub nominal: Vec<String>,
    /// Columns to treat as numeric.
    pub numeric: Vec<String>,
    /// Columns to leave out.
    pub ignore: Vec<String>,
}

/// Which column is the class.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Target {
    /// The last one that is not ignored.
    #[default]
    Last,
    /// The one of this name.
    Named(String),
    /// None: all columns are attributes.
    None,
    /// The one of this name if there is one, else none: data to predict may be labelled or not.
    IfPresent(String),
}

/// Reads a data set: a file whose format its extension tells, `-` for CSV on standard input, or `builtin:NAME`.
pub fn read(path: &str, options: &ReadOptions) -> Result<Dataset> {
    let table = if path == "-" {
        csv::read(&Source::standard_input()?, b',', options)
    } else if let Some(name) = path.strip_prefix("builtin:") {
        Table::new(generate::builtin(name)?.attributes().to_vec()).overridden(options)
    } else {
        let (format, packing) = format::of(path)?;
        match format {
            Format::Csv => csv::read(&Source::file(path, packing)?, b',', options),
            Format::Tsv => csv::read(&Source::file(path, packing)?, b'\t', options),
            Format::Arff => arff::read(&Source::file(path, packing)?, options)?.overridden(options),
            Format::C45 => c45::read(path, options)?.overridden(options),
            Format::Libsvm => libsvm::read(&Source::file(path, packing)?, options)?.overridden(options),
            Format::Parquet => parquet::read(path, options).and_then(|table| table.overridden(options)),
            Format::Arrow => parquet::read_arrow(path, options).and_then(|table| table.overridden(options)),
        }
    };
    table.and_then(|table| table.into_dataset(options)).map_err(|error| error.in_file(path))
}

/// The columns of Arrow's batches, as other programs and libraries hand them over.
#[cfg(feature = "parquet")]
pub fn from_arrow(
    schema: &arrow::datatypes::Schema,
    batches: impl Iterator<Item = std::result::Result<arrow::array::RecordBatch, arrow::error::ArrowError>>,
) -> Result<Vec<Column>> {
    parquet::columns(schema, batches)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn places_are_named_in_errors() {
        let error = |path: &str| read(path, &ReadOptions::default()).unwrap_err().to_string();
        assert_eq!(error("/nowhere/x.csv"), "/nowhere/x.csv: there is no such file; check the path");
        assert!(error("x.xls").contains("name the file by its format"));
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.csv");
        std::fs::write(&path, "a,b\n1,2\n").unwrap();
        let options = ReadOptions { target: Target::Named("c".into()), ..Default::default() };
        let error = read(path.to_str().unwrap(), &options).unwrap_err().to_string();
        assert!(
            error.ends_with("x.csv: there is no column named \"c\" to be the target; name one of: a, b"),
            "{error}"
        );
    }

    proptest! {
        #[test]
        fn no_text_makes_a_reader_panic(text in "[@%{}'\"\\\\,:.|?#0-9a-e \\t\\r\\né]{0,60}", format in 0..5usize) {
            let folder = tempfile::tempdir().unwrap();
            let file = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
            let (name, start) = [
                ("x.csv", ""),
                ("x.tsv", "a\tb\n"),
                ("x.arff", "@attribute a real\n@attribute b {a,b}\n@data\n"),
                ("x.svm", "1 1:2\n"),
                ("x.names", "a, b.\nx: "),
            ][format];
            std::fs::write(file(name), format!("{start}{text}")).unwrap();
            std::fs::write(file("x.data"), "1,a\n").unwrap();
            if let Err(error) = read(&file(name), &ReadOptions::default()) {
                prop_assert!(error.to_string().contains("/x."), "{}", error);
            }
        }
    }
}
