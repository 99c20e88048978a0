//! A data set row by row, its columns in their old order: what the writers of text formats share.

use std::io::Write;

use super::atomic::write_atomically;
use super::format::{self, Format, Packing};
use super::{arff, csv, libsvm, parquet};
use crate::data::{Class, Column, ColumnData, Dataset, MISSING, NO_CLASS, Value};
use crate::error::{Error, ErrorKind, Result};

/// Writes a data set into a file whose format its extension tells: `.csv`, `.tsv`, `.arff`, `.libsvm`, `.parquet` or
/// `.arrow`, the text formats also with `.gz` or `.zst`. The class is put back where it stood. Nothing is half-written.
pub fn write(data: &Dataset, path: &str) -> Result<()> {
    let (format, packing) = format::of(path)?;
    let result = match format {
        Format::C45 => Err(Error::format("C4.5 pairs can be read but not written").remedy("write .csv or .arff")),
        Format::Parquet => write_atomically(path, |out| parquet::write(data, out)),
        Format::Arrow => write_atomically(path, |out| parquet::write_arrow(data, out)),
        Format::Csv => packed(path, packing, |out| csv::write(data, b',', out)),
        Format::Tsv => packed(path, packing, |out| csv::write(data, b'\t', out)),
        Format::Arff => packed(path, packing, |out| arff::write(data, out)),
        Format::Libsvm => packed(path, packing, |out| libsvm::write(data, out)),
    };
    result.map_err(|error| error.in_file(path))
}

/// Writes through the compression that the file's name asks for.
fn packed(path: &str, packing: Packing, fill: impl FnOnce(&mut dyn Write) -> Result<()>) -> Result<()> {
    write_atomically(path, |out| match packing {
        Packing::Plain => fill(out),
        Packing::Gzip => {
            let mut packer = flate2::write::GzEncoder::new(out, flate2::Compression::default());
            fill(&mut packer)?;
            packer.finish().map(|_| ()).map_err(failed)
        }
        Packing::Zstd => {
            let mut packer = zstd::Encoder::new(out, 0).map_err(failed)?;
            fill(&mut packer)?;
            packer.finish().map(|_| ()).map_err(failed)
        }
    })
}

/// A write that failed; the caller names the file.
pub(super) fn failed(error: std::io::Error) -> Error {
    Error::new(ErrorKind::Io, error.to_string())
}

/// An attribute or the class, to be read from the first row to the last.
pub(super) enum Field<'a> {
    Attribute {
        column: &'a Column,
        /// Entries of a sparse column that are behind.
        seen: usize,
    },
    Class(&'a Class),
}

/// All columns in their old order.
pub(super) fn fields(data: &Dataset) -> Vec<Field<'_>> {
    let attribute = |column| Field::Attribute { column, seen: 0 };
    let mut fields: Vec<Field> = data.attributes().iter().map(attribute).collect();
    if let Some(class) = data.class() {
        fields.insert(data.class_position().min(fields.len()), Field::Class(class));
    }
    fields
}

impl<'a> Field<'a> {
    pub fn name(&self) -> &'a str {
        match self {
            Field::Attribute { column, .. } => column.name(),
            Field::Class(class) => &class.name,
        }
    }

    pub fn levels(&self) -> Option<&'a [String]> {
        match self {
            Field::Attribute { column, .. } => column.levels(),
            Field::Class(class) => Some(&class.levels),
        }
    }

    /// The cell of `row`; rows are asked for in ascending order, so that sparse columns need no search.
    pub fn value(&mut self, row: usize) -> Value {
        let level = |code: u32| if code == MISSING { Value::Missing } else { Value::Level(code) };
        match self {
            Field::Class(class) => match class.codes[row] {
                NO_CLASS => Value::Missing,
                code => Value::Level(u32::from(code)),
            },
            Field::Attribute { column, seen } => match column.data() {
                ColumnData::SparseNumeric(sparse) => match next(&sparse.rows, seen, row) {
                    None => Value::Number(0.0),
                    Some(at) if sparse.values[at].is_nan() => Value::Missing,
                    Some(at) => Value::Number(sparse.values[at]),
                },
                ColumnData::SparseNominal { codes, .. } => {
                    level(next(&codes.rows, seen, row).map_or(0, |at| codes.values[at]))
                }
                _ => column.value(row),
            },
        }
    }
}

/// The entry of `row`, if it has one.
fn next(rows: &[u32], seen: &mut usize, row: usize) -> Option<usize> {
    while rows.get(*seen).is_some_and(|&entry| (entry as usize) < row) {
        *seen += 1;
    }
    (rows.get(*seen) == Some(&(row as u32))).then_some(*seen)
}

/// Refuses weights where the format has no place for them.
pub(super) fn refuse_weights(data: &Dataset) -> Result<()> {
    match data.weights() {
        None => Ok(()),
        Some(_) => Err(Error::data("the rows have weights, which this format cannot hold").remedy("write .arff")),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{ReadOptions, Target, read};
    use super::*;
    use crate::data::Sparse;

    fn sample() -> Dataset {
        let columns = vec![
            Column::numeric("x", vec![0.1, f64::NAN, -1e-300, 123_456_789.0]),
            Column::from_texts("say, \"it\"", [Some("a b"), Some("it's, \"so\""), None, Some(" 5% {x}")]),
            Column::from_texts("class", [Some("yes"), Some("no"), Some("yes"), None]),
            Column::new("small", ColumnData::Numeric32(vec![0.5, 0.1, f32::NAN, 3.0])),
            Column::new(
                "sparse",
                ColumnData::SparseNumeric(Sparse { len: 4, rows: vec![1, 3], values: vec![2.0, f64::NAN] }),
            ),
        ];
        Dataset::new(columns).unwrap().with_target("class").unwrap()
    }

    /// Every cell as text, column by column.
    pub(super) fn cells(data: &Dataset) -> Vec<Vec<String>> {
        let text = |field: &mut Field, row| match field.value(row) {
            Value::Missing => "?".to_string(),
            Value::Number(number) => number.to_string(),
            Value::Level(code) => field.levels().unwrap()[code as usize].clone(),
        };
        fields(data)
            .iter_mut()
            .map(|field| {
                let name = std::iter::once(field.name().to_string());
                name.chain((0..data.rows()).map(|row| text(field, row)).collect::<Vec<_>>()).collect()
            })
            .collect()
    }

    #[test]
    fn what_is_written_reads_back() {
        let folder = tempfile::tempdir().unwrap();
        let data = sample();
        let mut names = vec!["a.csv", "a.tsv", "a.arff", "a.csv.gz", "a.arff.zst"];
        if cfg!(feature = "parquet") {
            names.extend(["a.parquet", "a.arrow"]);
        }
        for name in names {
            let path = folder.path().join(name);
            let path = path.to_str().unwrap();
            write(&data, path).unwrap();
            let options = ReadOptions { target: Target::Named("class".into()), ..Default::default() };
            let back = read(path, &options).unwrap();
            assert_eq!(cells(&back), cells(&data), "{name}");
            assert_eq!(back.class_position(), 2);
        }
    }

    #[test]
    fn what_cannot_be_written_leaves_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
        let weighted = sample().with_weights(vec![1.0, 2.0, 1.0, 1.0]).unwrap();
        let error = write(&weighted, &path("a.csv")).unwrap_err().to_string();
        assert!(error.contains("weights, which this format cannot hold; write .arff"), "{error}");
        let error = write(&sample(), &path("a.data")).unwrap_err().to_string();
        assert!(error.contains("write .csv or .arff"), "{error}");
        assert!(write(&sample(), &path("a.xls")).is_err());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
