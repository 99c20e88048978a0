//! Types in, types out, and damaged files.

use std::sync::Arc;

use arrow::array::{
    BooleanArray, Date32Array, Decimal128Array, DictionaryArray, Float32Array, Float64Array, Int64Array,
    LargeStringArray, StringArray, StringViewArray, UInt8Array,
};
use arrow::datatypes::Int8Type;
use arrow::ipc::writer::{FileWriter, StreamWriter};
use parquet::arrow::ArrowWriter;

use super::super::{ReadOptions, Target, read, write};
use super::*;
use crate::data::{Dataset, Sparse, Value};

fn batch() -> RecordBatch {
    let keys = arrow::array::Int8Array::from(vec![Some(2), None, Some(0)]);
    let levels = Arc::new(StringArray::from(vec!["low", "never", "high"]));
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("double", Arc::new(Float64Array::from(vec![Some(0.5), None, Some(f64::NAN)]))),
        ("single", Arc::new(Float32Array::from(vec![Some(0.1), None, Some(2.0)]))),
        ("int", Arc::new(Int64Array::from(vec![Some(-3), None, Some(7)]))),
        ("byte", Arc::new(UInt8Array::from(vec![1, 2, 3]))),
        ("flag", Arc::new(BooleanArray::from(vec![Some(true), Some(false), None]))),
        ("text", Arc::new(StringArray::from(vec![Some("b"), Some("a"), None]))),
        ("large", Arc::new(LargeStringArray::from(vec![Some("b"), Some("a"), Some("b")]))),
        ("view", Arc::new(StringViewArray::from(vec![Some("b"), None, Some("b")]))),
        (
            "decimal",
            Arc::new(Decimal128Array::from(vec![Some(125), None, Some(-5)]).with_precision_and_scale(9, 2).unwrap()),
        ),
        ("date", Arc::new(Date32Array::from(vec![1, 2, 3]))),
        ("level", Arc::new(DictionaryArray::<Int8Type>::try_new(keys, levels).unwrap())),
    ];
    RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(name, array)| (name, array, true))).unwrap()
}

fn check(path: &str) {
    let data = read(path, &ReadOptions { target: Target::None, ..Default::default() }).unwrap();
    let column = |name: &str| data.attributes().iter().find(|column| column.name() == name).unwrap();
    assert_eq!(data.attributes().len(), 10, "{path}");
    assert_eq!(data.notes()[0], "strings, dates and nested values are ignored, here: date");
    assert_eq!(column("double").missing_count(), 2);
    assert!(matches!(column("single").data(), ColumnData::Numeric32(values) if values[0] == 0.1));
    assert_eq!(column("int").value(0), Value::Number(-3.0));
    assert_eq!(column("byte").value(2), Value::Number(3.0));
    assert_eq!(column("flag").levels().unwrap(), ["false", "true"]);
    assert_eq!(column("flag").value(0), Value::Level(1));
    assert_eq!(column("text").levels().unwrap(), ["b", "a"]);
    assert_eq!(column("large").value(2), Value::Level(0));
    assert_eq!(column("view").missing_count(), 1);
    assert_eq!(column("decimal").value(0), Value::Number(1.25));
    let level = column("level");
    let name = |row| match level.value(row) {
        Value::Level(code) => level.levels().unwrap()[code as usize].clone(),
        _ => "?".into(),
    };
    assert_eq!([name(0), name(1), name(2)], ["high", "?", "low"]);
    if !path.ends_with("parquet") {
        assert_eq!(level.levels().unwrap(), ["low", "never", "high"]);
    }
}

#[test]
fn every_type_is_understood_or_ignored_with_a_note() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let batch = batch();
    let mut writer = ArrowWriter::try_new(File::create(path("a.parquet")).unwrap(), batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    let mut writer = FileWriter::try_new(File::create(path("a.arrow")).unwrap(), &batch.schema()).unwrap();
    writer.write(&batch).unwrap();
    writer.finish().unwrap();
    let mut writer = StreamWriter::try_new(File::create(path("b.arrow")).unwrap(), &batch.schema()).unwrap();
    writer.write(&batch).unwrap();
    writer.finish().unwrap();
    for name in ["a.parquet", "a.arrow", "b.arrow"] {
        check(&path(name));
    }
}

#[test]
fn infinite_values_and_damaged_files_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["a.parquet", "a.arrow"] {
        let path = folder.path().join(name);
        let path = path.to_str().unwrap();
        let numbers = Column::numeric("x", vec![1.0, f64::INFINITY]);
        write(&Dataset::new(vec![numbers]).unwrap(), path).unwrap();
        let error = read(path, &ReadOptions::default()).unwrap_err().to_string();
        assert!(error.contains("column \"x\": row 2 is infinite, expected a finite number"), "{error}");
        let bytes = std::fs::read(path).unwrap();
        for cut in [0, 3, bytes.len() / 2, bytes.len() - 3] {
            std::fs::write(path, &bytes[..cut]).unwrap();
            let error = read(path, &ReadOptions::default()).unwrap_err().to_string();
            assert!(error.contains("the file is damaged or of another format"), "{error}");
        }
    }
    let error = guarded(|| panic!("as arrow does")).unwrap_err().to_string();
    assert!(error.contains("the file is damaged"), "{error}");
    let error = read("/nowhere/a.parquet", &ReadOptions::default()).unwrap_err().to_string();
    assert_eq!(error, "/nowhere/a.parquet: there is no such file; check the path");
}

#[test]
fn declared_levels_and_sparse_columns_survive() {
    let folder = tempfile::tempdir().unwrap();
    let nominal =
        ColumnData::Nominal { levels: vec!["z".into(), "never".into(), "a".into()], codes: vec![2, MISSING, 0] };
    let sparse = Sparse { len: 3, rows: vec![1], values: vec![4.5] };
    let data = Dataset::new(vec![
        Column::new("n", nominal),
        Column::new("s", ColumnData::SparseNumeric(sparse)),
        Column::from_texts("c", [Some("y"), Some("x"), Some("y")]),
    ]);
    let data = data.unwrap().with_last_as_target().unwrap();
    for name in ["a.parquet", "a.arrow"] {
        let path = folder.path().join(name);
        write(&data, path.to_str().unwrap()).unwrap();
        let back = read(path.to_str().unwrap(), &ReadOptions::default()).unwrap();
        assert_eq!(back.attributes()[0].levels().unwrap(), ["z", "never", "a"]);
        assert_eq!(back.attributes()[0].value(0), Value::Level(2));
        assert_eq!(back.attributes()[1].value(1), Value::Number(4.5));
        assert_eq!(back.class().unwrap().levels, ["y", "x"]);
    }
}
