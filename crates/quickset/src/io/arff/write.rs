//! ARFF, written: sparse where all attributes are.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::Write;

use super::super::write::{failed, fields};
use crate::data::{Dataset, Value};
use crate::error::Result;

/// Writes the declarations and the rows, with their weights if they have any.
pub(in super::super) fn write(data: &Dataset, out: &mut dyn Write) -> Result<()> {
    let mut fields = fields(data);
    let quoted_levels: Vec<Vec<String>> = fields
        .iter()
        .map(|field| field.levels().unwrap_or_default().iter().map(|level| quoted(level).into_owned()).collect())
        .collect();
    let mut line = String::from("@relation quickset\n\n");
    for (field, levels) in fields.iter().zip(&quoted_levels) {
        let kind = if field.levels().is_some() { format!("{{{}}}", levels.join(",")) } else { "numeric".into() };
        _ = writeln!(line, "@attribute {} {kind}", quoted(field.name()));
    }
    line.push_str("\n@data\n");
    let sparse = data.kinds().all_sparse();
    for row in 0..data.rows() {
        if sparse {
            line.push('{');
            for index in entries(data, row) {
                _ = write!(line, "{index} ");
                push(&mut line, fields[index].value(row), &quoted_levels[index]);
            }
            close(&mut line, '{', "}");
        } else {
            for (field, levels) in fields.iter_mut().zip(&quoted_levels) {
                push(&mut line, field.value(row), levels);
            }
            close(&mut line, '\n', "");
        }
        if let Some(weights) = data.weights() {
            _ = write!(line, ",{{{}}}", weights[row]);
        }
        line.push('\n');
        out.write_all(line.as_bytes()).map_err(failed)?;
        line.clear();
    }
    Ok(())
}

fn push(line: &mut String, value: Value, levels: &[String]) {
    match value {
        Value::Missing => line.push('?'),
        Value::Number(number) => _ = write!(line, "{number}"),
        Value::Level(code) => line.push_str(&levels[code as usize]),
    }
    line.push(',');
}

/// Replaces the comma behind the last value, if there is a value, by `end`.
fn close(line: &mut String, start: char, end: &str) {
    if !line.ends_with(start) {
        line.pop();
    }
    line.push_str(end);
}

/// The fields of a row of sparse data that are not zero, ascending.
fn entries(data: &Dataset, row: usize) -> impl Iterator<Item = usize> {
    let place = data.class_position();
    let attributes = data.by_row().columns(row as u32);
    let (before, behind) = attributes.split_at(attributes.partition_point(|&attribute| (attribute as usize) < place));
    // A class pushes the attributes behind it one further, and is left out where it is the first one.
    let class = data.class().filter(|class| class.codes[row] != 0).map(|_| place);
    let one = usize::from(data.class().is_some());
    let before = before.iter().map(|&attribute| attribute as usize);
    before.chain(class).chain(behind.iter().map(move |&attribute| attribute as usize + one))
}

/// The text as one word: in quotes unless it is plain.
fn quoted(text: &str) -> Cow<'_, str> {
    let plain = |byte: u8| byte > b' ' && !matches!(byte, b',' | b'{' | b'}' | b'%' | b'\'' | b'"' | b'\\' | 0x7F);
    if !text.is_empty() && text != "?" && !text.starts_with('@') && text.bytes().all(plain) {
        return Cow::Borrowed(text);
    }
    let mut quoted = String::from("'");
    for letter in text.chars() {
        match letter {
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            '\'' | '\\' | '"' | '%' => {
                quoted.push('\\');
                quoted.push(letter);
            }
            other => quoted.push(other),
        }
    }
    quoted.push('\'');
    Cow::Owned(quoted)
}

#[cfg(test)]
mod tests {
    use super::super::super::{ReadOptions, read};
    use super::*;
    use crate::data::{Column, ColumnData, Sparse};
    use crate::io::Target;

    #[test]
    fn sparse_data_stay_sparse() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.arff");
        let path = path.to_str().unwrap();
        let text = "@relation r\n@attribute a numeric\n@attribute b {x,'?',z}\n@attribute c {p,q}\n@data\n\
            {0 2.5,2 q},{2}\n{}\n{0 ?,1 '?'}\n{1 ?,2 ?}\n";
        std::fs::write(path, text).unwrap();
        let data = read(path, &ReadOptions::default()).unwrap();
        write(&data, &mut std::fs::File::create(path).unwrap()).unwrap();
        let written = std::fs::read_to_string(path).unwrap();
        let rows = written.split("@data\n").nth(1).unwrap();
        assert_eq!(rows, "{0 2.5,2 q},{2}\n{},{1}\n{0 ?,1 '?'},{1}\n{1 ?,2 ?},{1}\n");
        let back = read(path, &ReadOptions::default()).unwrap();
        assert!(back.attributes().iter().all(Column::is_sparse));
        assert_eq!(back.weights(), data.weights());
        // The same with the class among the attributes, and without one.
        for target in [Target::Named("b".into()), Target::None] {
            let data = read(path, &ReadOptions { target, ..ReadOptions::default() }).unwrap();
            let mut again = Vec::new();
            write(&data, &mut again).unwrap();
            assert_eq!(String::from_utf8(again).unwrap(), written);
        }
    }

    #[test]
    fn words_are_quoted_where_they_must_be() {
        let cases = [("a", "a"), ("a b", "'a b'"), ("it's", "'it\\'s'"), ("", "''"), ("?", "'?'"), ("5%", "'5\\%'")];
        for (text, expected) in cases {
            assert_eq!(quoted(text), expected);
        }
        let sparse = Sparse { len: 1, rows: vec![], values: vec![] };
        let data = Dataset::new(vec![Column::new("a", ColumnData::SparseNumeric(sparse))]).unwrap();
        let mut out = Vec::new();
        write(&data, &mut out).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "@relation quickset\n\n@attribute a numeric\n\n@data\n{}\n");
    }
}
