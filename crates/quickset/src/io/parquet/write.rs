//! Columns into Parquet and Arrow IPC.

use std::io::Write;
use std::sync::Arc;

use arrow::array::{ArrayRef, DictionaryArray, Float32Array, Float64Array, RecordBatch, StringArray, UInt32Array};
use arrow::datatypes::{DataType, Field, Schema, UInt32Type};
use arrow::error::ArrowError;
use arrow::ipc::writer::FileWriter;
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;

use super::super::write::{Field as Cells, fields, refuse_weights};
use super::{LEVELS, batch_rows};
use crate::data::{ColumnData, Dataset, Value};
use crate::error::{Error, ErrorKind, Result};

/// Writes a Parquet file.
pub(in super::super) fn write(data: &Dataset, out: &mut (dyn Write + Send)) -> Result<()> {
    let (schema, batches) = batches(data)?;
    let compression = Compression::ZSTD(ZstdLevel::default());
    let properties = WriterProperties::builder().set_compression(compression).build();
    let written = || -> parquet::errors::Result<()> {
        let mut writer = ArrowWriter::try_new(out, schema, Some(properties))?;
        for batch in batches {
            writer.write(&batch?)?;
        }
        writer.close().map(|_| ())
    };
    written().map_err(|error| unwritten(&error))
}

/// Writes an Arrow IPC file.
pub(in super::super) fn write_arrow(data: &Dataset, out: &mut (dyn Write + Send)) -> Result<()> {
    let (schema, batches) = batches(data)?;
    let written = || -> std::result::Result<(), ArrowError> {
        let mut writer = FileWriter::try_new(out, &schema)?;
        for batch in batches {
            writer.write(&batch?)?;
        }
        writer.finish()
    };
    written().map_err(|error| unwritten(&error))
}

fn unwritten(error: &dyn std::error::Error) -> Error {
    Error::new(ErrorKind::Io, format!("the file could not be written ({error})"))
}

type Batches<'a> = Box<dyn Iterator<Item = std::result::Result<RecordBatch, ArrowError>> + 'a>;

/// The data set as Arrow, a few rows at a time.
fn batches(data: &Dataset) -> Result<(Arc<Schema>, Batches<'_>)> {
    refuse_weights(data)?;
    let mut cells = fields(data);
    let levels: Vec<ArrayRef> = cells
        .iter()
        .map(|field| Arc::new(StringArray::from_iter_values(field.levels().unwrap_or_default())) as ArrayRef)
        .collect();
    let fields: Vec<Field> = cells.iter().map(declared).collect::<Result<_>>()?;
    let schema = Arc::new(Schema::new(fields));
    let size = batch_rows(cells.len());
    let kept = schema.clone();
    let batches = (0..data.rows()).step_by(size).map(move |start| {
        let rows = start..(start + size).min(data.rows());
        let arrays = cells.iter_mut().zip(&levels).map(|(field, levels)| array(field, levels, rows.clone()));
        RecordBatch::try_new(kept.clone(), arrays.collect::<std::result::Result<_, _>>()?)
    });
    Ok((schema, Box::new(batches)))
}

fn declared(field: &Cells) -> Result<Field> {
    let Some(levels) = field.levels() else {
        let single =
            matches!(field, Cells::Attribute { column, .. } if matches!(column.data(), ColumnData::Numeric32(_)));
        let kind = if single { DataType::Float32 } else { DataType::Float64 };
        return Ok(Field::new(field.name(), kind, true));
    };
    let json = serde_json::to_string(levels).map_err(|error| unwritten(&error))?;
    let kind = DataType::Dictionary(Box::new(DataType::UInt32), Box::new(DataType::Utf8));
    Ok(Field::new(field.name(), kind, true).with_metadata([(LEVELS, json)]))
}

fn array(
    field: &mut Cells,
    levels: &ArrayRef,
    rows: std::ops::Range<usize>,
) -> std::result::Result<ArrayRef, ArrowError> {
    if field.levels().is_some() {
        let code = |row| match field.value(row) {
            Value::Level(code) => Some(code),
            _ => None,
        };
        let keys: UInt32Array = rows.map(code).collect();
        return Ok(Arc::new(DictionaryArray::<UInt32Type>::try_new(keys, levels.clone())?));
    }
    if let Cells::Attribute { column, .. } = field
        && let ColumnData::Numeric32(values) = column.data()
    {
        let known = values[rows].iter().map(|&value| (!value.is_nan()).then_some(value));
        return Ok(Arc::new(known.collect::<Float32Array>()));
    }
    let number = |row| match field.value(row) {
        Value::Number(number) => Some(number),
        _ => None,
    };
    Ok(Arc::new(rows.map(number).collect::<Float64Array>()))
}
