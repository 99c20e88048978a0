//! The one error type: a kind, a place, what went wrong, and what to do about it.

use std::fmt;
use std::path::Path;

/// What sort of thing failed. Callers branch on this; people read the message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A file could not be read or written.
    Io,
    /// A file is not what its format demands.
    Format,
    /// The data cannot be learnt from, or do not fit the model.
    Data,
    /// A recipe names something unknown or combines parts that do not fit.
    Recipe,
    /// A model file is damaged or from another version.
    Model,
}

/// A failure as a sentence: `file, line 3, column "age": found …, expected …; do …`.
pub struct Error(Box<Inner>);

struct Inner {
    kind: ErrorKind,
    file: Option<String>,
    line: Option<u64>,
    column: Option<String>,
    message: String,
    remedy: Option<String>,
}

/// The library's result.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// An error of `kind`; `message` says what was found and what was expected.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Error(Box::new(Inner { kind, file: None, line: None, column: None, message: message.into(), remedy: None }))
    }

    /// A file that does not follow its format.
    pub fn format(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Format, message)
    }

    /// Data that cannot be used.
    pub fn data(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Data, message)
    }

    /// A recipe that cannot be followed.
    pub fn recipe(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Recipe, message)
    }

    /// A model file that cannot be trusted.
    pub fn model(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Model, message)
    }

    /// An operating-system failure on `path`.
    pub fn io(path: impl AsRef<Path>, error: &std::io::Error) -> Self {
        Self::new(ErrorKind::Io, error.to_string()).in_file(path)
    }

    /// Adds the file, unless one is already named: the innermost place is the most exact.
    #[must_use]
    pub fn in_file(mut self, path: impl AsRef<Path>) -> Self {
        self.0.file.get_or_insert_with(|| path.as_ref().display().to_string());
        self
    }

    /// Adds the line, counted from 1.
    #[must_use]
    pub fn at_line(mut self, line: u64) -> Self {
        self.0.line.get_or_insert(line);
        self
    }

    /// Adds the column's name, or its number where it has none.
    #[must_use]
    pub fn in_column(mut self, column: impl Into<String>) -> Self {
        self.0.column.get_or_insert_with(|| column.into());
        self
    }

    /// Adds what the user can do.
    #[must_use]
    pub fn remedy(mut self, remedy: impl Into<String>) -> Self {
        self.0.remedy.get_or_insert_with(|| remedy.into());
        self
    }

    /// What sort of thing failed.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inner = &*self.0;
        let mut place = Vec::new();
        if let Some(file) = &inner.file {
            place.push(file.clone());
        }
        if let Some(line) = inner.line {
            place.push(format!("line {line}"));
        }
        if let Some(column) = &inner.column {
            place.push(format!("column {column:?}"));
        }
        if !place.is_empty() {
            write!(f, "{}: ", place.join(", "))?;
        }
        f.write_str(&inner.message)?;
        if let Some(remedy) = &inner.remedy {
            write!(f, "; {remedy}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {self}", self.0.kind)
    }
}

impl std::error::Error for Error {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_reads_as_place_finding_and_remedy() {
        let error =
            Error::format("found 3 fields, expected 4").at_line(7).remedy("add the missing field").in_file("a.csv");
        assert_eq!(error.to_string(), "a.csv, line 7: found 3 fields, expected 4; add the missing field");
        assert_eq!(error.kind(), ErrorKind::Format);
    }

    #[test]
    fn the_innermost_place_wins() {
        let error = Error::format("x").at_line(1).at_line(2).in_column("a").in_column("b");
        assert_eq!(error.to_string(), "line 1, column \"a\": x");
    }
}
