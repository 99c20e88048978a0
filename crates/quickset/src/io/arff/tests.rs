//! Whole files, good and bad.

use std::io::Write;

use super::super::format::Packing;
use super::*;
use crate::data::{Column, ColumnData, Value};

fn read_text(text: &str) -> Result<Table> {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(text.as_bytes()).unwrap();
    read(&Source::file(file.path().to_str().unwrap(), Packing::Plain).unwrap(), &ReadOptions::default())
}

const HEADER: &str = "% a comment\r\n@RELATION test\r\n\r\n@attribute 'a b' REAL [0,9]\r\n@Attribute s string\r\n\
    @attribute n {x, 'y z', \"it's\"}\r\n@attribute class {first,second,never}\r\n@DATA\r\n";

#[test]
fn dense_rows() {
    let rows =
        "1.5, 'any text', x, first % so\r\n% between\r\n\r\n?\t?\t'y z'\tsecond\r\n2,d,\"it's\",?,{0.5}\r\n% end\r\n";
    let table = read_text(&format!("{HEADER}{rows}")).unwrap();
    let names: Vec<&str> = table.columns.iter().map(Column::name).collect();
    assert_eq!(names, ["a b", "n", "class"]);
    assert!(table.columns.iter().all(|column| !column.is_sparse() && column.len() == 3));
    assert_eq!(table.columns[0].value(1), Value::Missing);
    assert_eq!(table.columns[0].value(2), Value::Number(2.0));
    assert_eq!(table.columns[1].value(1), Value::Level(1));
    assert_eq!(table.columns[1].value(2), Value::Level(2));
    assert_eq!(table.columns[2].levels().unwrap(), ["first", "second", "never"]);
    assert_eq!(table.columns[2].value(2), Value::Missing);
    assert_eq!(table.weights, Some(vec![1.0, 1.0, 0.5]));
    assert_eq!(table.unusable, ["s"]);
}

#[test]
fn sparse_rows_stay_sparse() {
    let rows = "{0 3, 2 'y z', 3 second}\n{}\n{0 0,3 first}\n{0 ?,1 'text, more', 3 ?}, {2}\n";
    let table = read_text(&format!("{HEADER}{rows}")).unwrap();
    let ColumnData::SparseNumeric(numbers) = table.columns[0].data() else { panic!("{:?}", table.columns[0]) };
    assert_eq!((numbers.len, numbers.rows.as_slice(), numbers.values[0]), (4, &[0, 3][..], 3.0));
    assert!(numbers.values[1].is_nan());
    let ColumnData::SparseNominal { codes, .. } = table.columns[2].data() else { panic!("{:?}", table.columns[2]) };
    assert_eq!(codes.rows, [0, 3]);
    let class: Vec<Value> = (0..4).map(|row| table.columns[2].value(row)).collect();
    assert_eq!(class, [Value::Level(1), Value::Level(0), Value::Level(0), Value::Missing]);
    assert_eq!(table.weights, Some(vec![1.0, 1.0, 1.0, 2.0]));
}

#[test]
fn one_dense_row_makes_the_file_dense() {
    let dense = read_text(&format!("{HEADER}0,t,x,second\n5,t,'y z',first\n0,t,x,first\n")).unwrap();
    let mixed = read_text(&format!("{HEADER}{{3 second}}\n5,t,'y z',first\n{{}}\n")).unwrap();
    for (dense, mixed) in dense.columns.iter().zip(&mixed.columns) {
        assert!(!mixed.is_sparse());
        assert!((0..3).all(|row| dense.value(row) == mixed.value(row)));
    }
}

#[test]
fn bad_rows_are_named_by_line_and_column() {
    let cases = [
        ("1,t,x", "line 9: found 3 values, expected 4"),
        ("1,t,x,first,5,6", "line 9: found 6 values, expected 4"),
        ("1,t,z,first", "line 9, column \"n\": found \"z\", expected one of: x, y z, it's; correct"),
        ("one,t,x,first", "line 9, column \"a b\": found \"one\", expected a number"),
        ("1e999,t,x,first", "line 9, column \"a b\": found \"1e999\", expected a finite number"),
        ("1,,x,first", "line 9, column \"s\": found a comma, expected a value; write ?"),
        ("1,t,'x,first", "line 9: the quote before \"x,first\\r\\n\" is never closed"),
        ("{4 x}", "line 9: found the index 4, but the 4 attributes are counted from 0 to 3"),
        ("{2 x, 0 1}", "line 9: found the index 0 behind 2"),
        ("{2 x, 2 x}", "line 9: found the index 2 behind 2"),
        ("{-1 x}", "line 9: found \"-1\", expected the index of an attribute"),
        ("{0 1", "line 9: found the end of the line, expected the index of an attribute"),
        ("{0}", "line 9, column \"a b\": found a closing brace, expected a value"),
        ("{0 1} 5", "line 9: found \"5\" behind the row"),
        ("1,t,x,first,{-2}", "line 9: found \"-2\" as a weight"),
        ("% nothing", "line 9: found no rows below @data"),
    ];
    for (row, expected) in cases {
        let error = read_text(&format!("{HEADER}{row}\r\n")).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}\nexpected {expected}");
    }
}

#[test]
fn bad_headers_are_named_by_line() {
    let cases = [
        ("@relation r\n@attribute a real\n", "line 2: the file ends before @data"),
        ("@relation r\n@data\n1\n", "line 2: no numeric or nominal attribute is declared"),
        ("@attribute a real\n@attribute a real\n@data\n", "line 2, column \"a\": the attribute is declared twice"),
        ("@attribute a relational\n", "line 1, column \"a\": relational attributes"),
        ("", "the file ends before @data"),
    ];
    for (text, expected) in cases {
        let error = read_text(text).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}\nexpected {expected}");
    }
}
