//! The reader against a slow twin, and every bad input by its sentence.

use std::io::Write;

use proptest::prelude::*;

use super::super::format::Packing;
use super::*;
use crate::data::{Column, ColumnData, Value};

fn with_file<T>(bytes: &[u8], read: impl FnOnce(&Source) -> T) -> T {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(bytes).unwrap();
    read(&Source::file(file.path().to_str().unwrap(), Packing::Plain).unwrap())
}

fn columns_of(text: &str, options: &ReadOptions) -> Vec<Column> {
    with_file(text.as_bytes(), |source| read(source, b',', options)).unwrap().columns
}

/// The message without the file's name.
fn message(bytes: &[u8], options: &ReadOptions) -> String {
    let error = with_file(bytes, |source| read(source, b',', options)).unwrap_err().to_string();
    let name = error.find(['\u{2c}', ':']).unwrap();
    error[name + 2..].to_string()
}

fn owned(names: &[&str]) -> Vec<String> {
    names.iter().map(ToString::to_string).collect()
}

#[test]
fn types_are_inferred_and_levels_keep_their_order() {
    let text = "\u{FEFF}x,\"my, name\",mixed,\r\n1,b,1,x\r\n?,a,NA,\r\n-2.5e1,,two,x\r\nNaN, b ,1.0,y\r\n\r\n\n";
    let columns = columns_of(text, &ReadOptions::default());
    let names: Vec<&str> = columns.iter().map(Column::name).collect();
    assert_eq!(names, ["x", "my, name", "mixed", "column_4"]);
    let ColumnData::Numeric(x) = columns[0].data() else { panic!("{:?}", columns[0]) };
    assert!(x[0] == 1.0 && x[1].is_nan() && x[2] == -25.0 && x[3].is_nan());
    assert_eq!(columns[1].levels().unwrap(), ["b", "a"]);
    assert_eq!(columns[2].levels().unwrap(), ["1", "two", "1.0"]);
    assert_eq!(columns[3].missing_count(), 1);
}

#[test]
fn overrides_are_followed() {
    let options = ReadOptions {
        missing: owned(&["-", "none"]),
        nominal: owned(&["a"]),
        numeric: owned(&["b"]),
        ignore: owned(&["c"]),
        ..Default::default()
    };
    let columns = columns_of("a,b,c,d\n1.50,-,x,none\n1.5,2,y,3\n", &options);
    assert_eq!(columns.len(), 3);
    assert_eq!(columns[0].levels().unwrap(), ["1.50", "1.5"]);
    assert_eq!(columns[1].value(0), Value::Missing);
    assert_eq!(columns[2].value(1), Value::Number(3.0));
    let error = message(b"a,b\n1,2\n", &ReadOptions { ignore: owned(&["z"]), ..Default::default() });
    assert_eq!(error, "--ignore names \"z\", which is not a column; the columns are: a, b");
    let error = message(b"a,b\n1,2\nx,y\n", &ReadOptions { numeric: owned(&["b"]), ..Default::default() });
    assert!(error.starts_with("line 3, column \"b\": found \"y\", expected a number"), "{error}");
}

#[test]
fn tabs_part_fields_too() {
    let table = with_file(b"a\tb\n1\t\"x\ty\"\n2\t\n", |source| read(source, b'\t', &ReadOptions::default())).unwrap();
    assert_eq!(table.columns[1].levels().unwrap(), ["x\ty"]);
    assert_eq!(table.columns[1].missing_count(), 1);
}

#[test]
fn infinity_is_refused_in_numbers_and_text_elsewhere() {
    for value in ["inf", "-Infinity", "1e999"] {
        let error = message(format!("a,b\n1,1\n2,{value}\n").as_bytes(), &ReadOptions::default());
        assert!(
            error.starts_with(&format!("line 3, column \"b\": found {value:?}, expected a finite number; declare")),
            "{error}"
        );
    }
    let columns = columns_of("a\ninf\nx\n1e999\n", &ReadOptions::default());
    assert_eq!(columns[0].levels().unwrap(), ["inf", "x", "1e999"]);
}

#[test]
fn bad_files_are_named_by_line() {
    let cases: [(&[u8], &str); 14] = [
        (b"", "the file is empty"),
        (b"\na,b\n", "line 1: the first line is empty"),
        (b"a,b\n", "found no rows below the header"),
        (b"a,b", "found no rows below the header"),
        (b"a,b\n1,2\n3\n4,5\n", "line 3: found 1 field, expected 2 as in the header; complete the line"),
        (b"a,b\n1,2\n\n3,4,5,6\n", "line 4: found 4 fields, expected 2"),
        (b"a,b\n\"x\ny\",2\n3\n", "line 4: found 1 field, expected 2"),
        (b"a,b,a\n1,2,3\n", "line 1, column \"a\": the column name occurs twice"),
        (b"a,b\n1,2\n3,\xE4\n", "line 3: found the byte 0xE4, which is not UTF-8 text; save the file as UTF-8"),
        (b"a,\xE4\n1,2\n", "line 1: found the byte 0xE4"),
        (b"\xFF\xFEa\0", "the file is UTF-16, expected UTF-8"),
        (b"a,b\n1,\"x\n3,4\n", "line 2: a quoted field begins here and is never closed"),
        (b"a,b\n1,\"x\"y\n3,4\n", "line 2: found text between a closing quote and the next delimiter"),
        (b"\"a,b\n1,2\n", "line 1: a quoted field begins here and is never closed"),
    ];
    for (bytes, expected) in cases {
        let error = message(bytes, &ReadOptions::default());
        assert!(error.starts_with(expected), "{error}\nexpected {expected}");
    }
}

#[test]
fn a_text_late_in_the_file_starts_the_reading_over() {
    let mut text = String::from("a,b,c\n");
    for row in 0..200_000 {
        text.push_str(&format!("{row},{}.0,{}\n", row % 7, if row == 150_000 { "late" } else { "" }));
    }
    text.push_str("end,1,2\n");
    let columns = columns_of(&text, &ReadOptions::default());
    assert_eq!(columns[0].levels().unwrap().len(), 200_001);
    assert!(columns[1].levels().is_none());
    assert_eq!(columns[2].levels().unwrap(), ["late", "2"]);
}

/// The slow twin: one record after the other, every field kept as text until the end.
fn slow(text: &str) -> Vec<Column> {
    let mut records: Vec<Vec<String>> = Vec::new();
    let mut at = 0;
    let mut record = Vec::new();
    while at < text.len() {
        if record.is_empty() && text[at..].starts_with('\n') {
            at += 1;
            continue;
        }
        let field = Field::read(text, at, b',').unwrap();
        record.push(field.text.to_string());
        at = field.next;
        if field.ends_record {
            records.push(std::mem::take(&mut record));
        }
    }
    let names = records.remove(0);
    names
        .into_iter()
        .enumerate()
        .map(|(index, name)| {
            let known = |record: &Vec<String>| {
                let field = record[index].clone();
                (!["", "?", "NA", "NaN"].contains(&field.as_str())).then_some(field)
            };
            let fields: Vec<Option<String>> = records.iter().map(known).collect();
            let numbers: Option<Vec<f64>> =
                fields.iter().map(|f| f.as_ref().map_or(Some(f64::NAN), |f| f.parse().ok())).collect();
            match numbers {
                Some(numbers) => Column::numeric(name, numbers),
                None => Column::from_texts(name, fields.iter().map(Option::as_deref)),
            }
        })
        .collect()
}

fn field() -> impl Strategy<Value = String> {
    prop_oneof![
        8 => (-1000i32..1000).prop_map(|n| (f64::from(n) / 8.0).to_string()),
        2 => any::<f64>().prop_filter("finite", |x| x.is_finite()).prop_map(|x| x.to_string()),
        1 => prop::sample::select(vec!["", "?", "NA", "NaN"]).prop_map(str::to_string),
        1 => prop::sample::select(vec!["a", "ä€", "\"x\ny\"", "\"1,5\"", "\"q\"\"\"", " 7 ", "5\" pipe"])
            .prop_map(str::to_string),
    ]
}

proptest! {
    #[test]
    fn the_columns_are_those_of_the_slow_twin(
        rows in prop::collection::vec(prop::collection::vec(field(), 3), 1..60),
        sample in 1..200usize,
        size in 1..300usize,
        threads in 1..4usize,
    ) {
        let mut text = String::from("a,b,c\n");
        for row in &rows {
            text.push_str(&row.join(","));
            text.push('\n');
        }
        let expected = slow(&text);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let found = with_file(text.as_bytes(), |source| {
            pool.install(|| read_in_blocks(source, b',', &ReadOptions::default(), sample, size))
        });
        let found = found.unwrap().columns;
        prop_assert_eq!(found.len(), expected.len());
        for (found, expected) in found.iter().zip(&expected) {
            prop_assert_eq!(found.levels(), expected.levels());
            prop_assert_eq!(found.len(), expected.len());
            for row in 0..found.len() {
                prop_assert_eq!(found.value(row), expected.value(row));
            }
        }
    }

    #[test]
    fn the_first_fault_of_the_file_is_the_one_reported(bad in prop::collection::btree_set(0..80usize, 1..4), size in 1..300usize) {
        let mut text = String::from("a,b\n");
        for row in 0..80 {
            text.push_str(if bad.contains(&row) { "1,2,3\n" } else { "1,2\n" });
        }
        let error = with_file(text.as_bytes(), |source| {
            read_in_blocks(source, b',', &ReadOptions::default(), 1, size)
        });
        let line = format!("line {}:", bad.first().unwrap() + 2);
        prop_assert!(error.unwrap_err().to_string().contains(&line));
    }
}
