//! Which format a file has, by its name.

use crate::error::{Error, ErrorKind, Result};

/// A file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Comma-separated values with a header line.
    Csv,
    /// The same, separated by tabs.
    Tsv,
    /// Weka's attribute-relation format, dense or sparse.
    Arff,
    /// C4.5's pair of `.names` and `.data`.
    C45,
    /// Sparse `label index:value` lines.
    Libsvm,
    /// Apache Parquet.
    Parquet,
    /// Apache Arrow IPC, file or stream.
    Arrow,
}

/// How a file is compressed as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Packing {
    Plain,
    Gzip,
    Zstd,
}

const KNOWN: &str = ".csv, .tsv, .arff, .libsvm, .svm, .data with .names, .parquet, .arrow; .gz or .zst may follow";

impl Format {
    /// The format of the file `path`, by its extension; a `.gz` or `.zst` behind it is left out.
    pub fn of(path: &str) -> Result<Self> {
        Ok(of(path)?.0)
    }
}

/// The format of `path` and how it is compressed.
pub(super) fn of(path: &str) -> Result<(Format, Packing)> {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path).to_ascii_lowercase();
    let (name, packing) = match name.rsplit_once('.') {
        Some((stem, "gz")) => (stem, Packing::Gzip),
        Some((stem, "zst")) => (stem, Packing::Zstd),
        _ => (name.as_str(), Packing::Plain),
    };
    let extension = name.rsplit_once('.').map(|(_, extension)| extension);
    let format = match extension {
        Some("csv") => Format::Csv,
        Some("tsv" | "tab") => Format::Tsv,
        Some("arff") => Format::Arff,
        Some("data" | "names") => Format::C45,
        Some("libsvm" | "svm" | "svmlight") => Format::Libsvm,
        Some("parquet" | "pq") => Format::Parquet,
        Some("arrow" | "arrows" | "ipc" | "feather") => Format::Arrow,
        other => {
            if std::path::Path::new(path).is_dir() {
                return Err(Error::new(ErrorKind::Io, "this is a directory, expected a data file")
                    .in_file(path)
                    .remedy("name a file inside it"));
            }
            let found = other.map_or_else(
                || "the name has no extension that says its format".to_string(),
                |extension| format!("the extension .{extension} does not say what format this is"),
            );
            return Err(Error::new(ErrorKind::Format, found)
                .in_file(path)
                .remedy(format!("name the file by its format: {KNOWN}")));
        }
    };
    if packing != Packing::Plain && matches!(format, Format::Parquet | Format::Arrow | Format::C45) {
        return Err(Error::new(ErrorKind::Format, "this format is not read or written through .gz or .zst")
            .in_file(path)
            .remedy("unpack it first; Parquet and Arrow compress their own contents"));
    }
    Ok((format, packing))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_extension_decides() {
        assert_eq!(of("a/b.c/iris.CSV").unwrap(), (Format::Csv, Packing::Plain));
        assert_eq!(of("iris.arff.gz").unwrap(), (Format::Arff, Packing::Gzip));
        assert_eq!(of("x.svm.zst").unwrap(), (Format::Libsvm, Packing::Zstd));
        assert_eq!(Format::of("golf.names").unwrap(), Format::C45);
    }

    #[test]
    fn an_unknown_extension_lists_the_known_ones() {
        for path in ["x.xls", "x.csv.bz2", "data/x", "x.gz"] {
            let error = of(path).unwrap_err().to_string();
            assert!(error.contains("name the file by its format: .csv, .tsv, .arff"), "{error}");
        }
        assert!(of("x.parquet.gz").unwrap_err().to_string().contains("unpack it first"));
    }
}
