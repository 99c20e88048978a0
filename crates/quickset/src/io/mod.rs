//! Readers and writers: one file or folder per format.
//!
//! [`read`] turns a file into a [`Dataset`]: the format's reader makes columns, [`ReadOptions`] then decide about types
//! and the class, and remarks for the user are left in [`Dataset::notes`].

mod arff;
mod atomic;
mod csv;
mod dictionary;
mod format;
mod number;
mod source;
mod table;

pub use atomic::write_atomically;
pub use format::Format;
use source::Source;
use table::Table;

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
            other => return Err(crate::Error::format(format!("{other:?} is not read yet")).in_file(path)),
        }
    };
    table.and_then(|table| table.into_dataset(options)).map_err(|error| error.in_file(path))
}
