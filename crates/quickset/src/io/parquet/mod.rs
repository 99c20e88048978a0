//! Apache Parquet and Arrow IPC: columns in, columns out.

#[cfg(test)]
mod tests;
mod write;

use std::fs::File;
use std::io::{Read, Seek};

use arrow::array::{Array, ArrayRef, AsArray, RecordBatch};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Field, Float32Type, Float64Type, Schema};
use arrow::error::ArrowError;
use arrow::ipc::reader::{FileReader, StreamReader};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

pub(super) use self::write::{write, write_arrow};
use super::ReadOptions;
use super::dictionary::Dictionary;
use super::format::Packing;
use super::source::Source;
use super::table::Table;
use crate::data::{Column, ColumnData, MISSING};
use crate::error::{Error, Result};

/// Where a nominal column keeps its declared levels: Parquet itself stores only those that occur, as they occur.
const LEVELS: &str = "quickset.levels";

/// Cells in memory at once beside the columns.
const BATCH_CELLS: usize = 1 << 20;

/// Reads a Parquet file.
pub(super) fn read(path: &str, options: &ReadOptions) -> Result<Table> {
    guarded(|| read_parquet(path, options))
}

/// Reads an Arrow IPC file or stream.
pub(super) fn read_arrow(path: &str, options: &ReadOptions) -> Result<Table> {
    guarded(|| read_ipc(path, options))
}

/// Columns from batches in memory. Columns that nothing can be learnt from, such as dates, are refused.
pub(super) fn columns(
    schema: &Schema,
    batches: impl Iterator<Item = std::result::Result<RecordBatch, ArrowError>>,
) -> Result<Vec<Column>> {
    let table = gather(schema, 0, batches, &ReadOptions::default())?;
    match table.unusable.first() {
        None => Ok(table.columns),
        Some(name) => {
            let kind =
                schema.field_with_name(name).map_or_else(|_| String::new(), |field| field.data_type().to_string());
            Err(Error::data(format!("the type {kind} is neither numbers nor categories"))
                .in_column(name)
                .remedy("turn the column into numbers or text, or leave it out"))
        }
    }
}

/// The Arrow crates panic at some damaged files (about one in thirty with three random bytes changed): that is the
/// file's fault, not ours. What was half read is dropped, so nothing broken can be seen afterwards.
fn guarded(read: impl FnOnce() -> Result<Table>) -> Result<Table> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(read))
        .unwrap_or_else(|_| Err(damaged(&ArrowError::ParseError("its parts contradict each other".into()))))
}

fn read_parquet(path: &str, options: &ReadOptions) -> Result<Table> {
    let builder = ParquetRecordBatchReaderBuilder::try_new(open(path)?).map_err(|error| damaged(&error))?;
    let schema = builder.schema().clone();
    let rows = builder.metadata().file_metadata().num_rows();
    let reader = builder.with_batch_size(batch_rows(schema.fields().len())).build().map_err(|error| damaged(&error))?;
    gather(&schema, usize::try_from(rows).unwrap_or(0), reader, options)
}

fn read_ipc(path: &str, options: &ReadOptions) -> Result<Table> {
    let mut file = open(path)?;
    let mut magic = Vec::new();
    let looked = Read::by_ref(&mut file).take(6).read_to_end(&mut magic).and_then(|_| file.rewind());
    looked.map_err(|error| Error::io(path, &error))?;
    if magic == b"ARROW1" {
        let reader = FileReader::try_new_buffered(file, None).map_err(|error| damaged(&error))?;
        gather(&reader.schema(), 0, reader, options)
    } else {
        let reader = StreamReader::try_new_buffered(file, None).map_err(|error| damaged(&error))?;
        gather(&reader.schema(), 0, reader, options)
    }
}

fn open(path: &str) -> Result<File> {
    Source::file(path, Packing::Plain)?;
    File::open(path).map_err(|error| Error::io(path, &error))
}

fn damaged(error: &dyn std::error::Error) -> Error {
    Error::format(format!("the file is damaged or of another format ({error})")).remedy("write or fetch it again")
}

fn batch_rows(columns: usize) -> usize {
    (BATCH_CELLS / columns.max(1)).clamp(64, 1 << 16)
}

/// A column and its values so far.
enum Values {
    Numbers(Vec<f64>),
    Numbers32(Vec<f32>),
    Codes { levels: Dictionary, codes: Vec<u32> },
    Ignored,
}

fn is_text(kind: &DataType) -> bool {
    matches!(kind, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View)
}

impl Values {
    fn new(field: &Field, rows: usize) -> Self {
        // A damaged file may promise more rows than there can be: what is not granted grows as it comes.
        fn room<T>(rows: usize) -> Vec<T> {
            let mut values = Vec::new();
            _ = values.try_reserve_exact(rows);
            values
        }
        let kind = match field.data_type() {
            DataType::Dictionary(_, values) if !is_text(values) => values,
            kind => kind,
        };
        match kind {
            DataType::Float32 => Values::Numbers32(room(rows)),
            DataType::Null | DataType::Float16 | DataType::Float64 => Values::Numbers(room(rows)),
            kind if kind.is_integer() || kind.is_decimal() => Values::Numbers(room(rows)),
            kind if is_text(kind) || matches!(kind, DataType::Boolean | DataType::Dictionary(..)) => {
                let declared = field.metadata().get(LEVELS).and_then(|json| serde_json::from_str(json).ok());
                let mut levels = Dictionary::default();
                let boolean = vec!["false".to_string(), "true".to_string()];
                let known: Vec<String> =
                    if *kind == DataType::Boolean { boolean } else { declared.unwrap_or_default() };
                known.into_iter().for_each(|level| _ = levels.code_owned(level));
                Values::Codes { levels, codes: room(rows) }
            }
            _ => Values::Ignored,
        }
    }

    fn extend(&mut self, array: &ArrayRef, missing: &[String]) -> std::result::Result<(), ArrowError> {
        match self {
            Values::Ignored => {}
            Values::Numbers(values) => {
                let array = cast(array, &DataType::Float64)?;
                values.extend(array.as_primitive::<Float64Type>().iter().map(|value| value.unwrap_or(f64::NAN)));
            }
            Values::Numbers32(values) => {
                let array = cast(array, &DataType::Float32)?;
                values.extend(array.as_primitive::<Float32Type>().iter().map(|value| value.unwrap_or(f32::NAN)));
            }
            Values::Codes { levels, codes } => {
                let mut code = |text: Option<&str>| match text {
                    Some(text) if !missing.iter().any(|missing| missing == text) => levels.code(text),
                    _ => MISSING,
                };
                match array.data_type() {
                    DataType::Utf8 => codes.extend(array.as_string::<i32>().iter().map(code)),
                    DataType::LargeUtf8 => codes.extend(array.as_string::<i64>().iter().map(code)),
                    DataType::Utf8View => codes.extend(array.as_string_view().iter().map(code)),
                    DataType::Boolean => {
                        codes.extend(array.as_boolean().iter().map(|value| value.map_or(MISSING, u32::from)));
                    }
                    _ => {
                        let array = array.as_any_dictionary();
                        let values = cast(array.values(), &DataType::LargeUtf8)?;
                        let map: Vec<u32> = values.as_string::<i64>().iter().map(&mut code).collect();
                        let keys = array.keys();
                        if map.is_empty() {
                            codes.extend(std::iter::repeat_n(MISSING, keys.len()));
                        } else {
                            let keys_of_rows = array.normalized_keys().into_iter().enumerate();
                            codes.extend(keys_of_rows.map(
                                |(row, key)| {
                                    if keys.is_null(row) { MISSING } else { map[key] }
                                },
                            ));
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// The first row from `start` on whose value is infinite.
    fn infinite_from(&self, start: usize) -> Option<usize> {
        match self {
            Values::Numbers(values) => values[start..].iter().position(|value| value.is_infinite()),
            Values::Numbers32(values) => values[start..].iter().position(|value| value.is_infinite()),
            _ => None,
        }
        .map(|at| start + at)
    }
}

fn gather(
    schema: &Schema,
    rows: usize,
    batches: impl Iterator<Item = std::result::Result<RecordBatch, ArrowError>>,
    options: &ReadOptions,
) -> Result<Table> {
    let mut columns: Vec<Values> = schema.fields().iter().map(|field| Values::new(field, rows)).collect();
    let mut read = 0;
    for batch in batches {
        let batch = batch.map_err(|error| damaged(&error))?;
        for ((values, array), field) in columns.iter_mut().zip(batch.columns()).zip(schema.fields()) {
            values.extend(array, &options.missing).map_err(|error| damaged(&error).in_column(field.name()))?;
            if let Some(row) = values.infinite_from(read) {
                return Err(Error::data(format!("row {} is infinite, expected a finite number", row + 1))
                    .in_column(field.name())
                    .remedy("replace it by a null or a finite number"));
            }
        }
        read += batch.num_rows();
    }
    let mut table = Table::new(Vec::new());
    for (values, field) in columns.into_iter().zip(schema.fields()) {
        let data = match values {
            Values::Numbers(values) => ColumnData::Numeric(values),
            Values::Numbers32(values) => ColumnData::Numeric32(values),
            Values::Codes { levels, codes } => ColumnData::Nominal { levels: levels.into_levels(), codes },
            Values::Ignored => {
                table.unusable.push(field.name().clone());
                continue;
            }
        };
        table.columns.push(Column::new(field.name(), data));
    }
    Ok(table)
}
