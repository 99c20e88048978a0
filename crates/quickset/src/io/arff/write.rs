//! ARFF, written: sparse where all attributes are.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::Write;

use super::super::write::{Field, failed, fields};
use crate::data::{Column, ColumnData, Dataset, Value};
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
    let sparse = !data.attributes().is_empty() && data.attributes().iter().all(Column::is_sparse);
    let entries = if sparse { Entries::of(&fields, data.rows()) } else { Entries::default() };
    for row in 0..data.rows() {
        if sparse {
            line.push('{');
            for &index in entries.of_row(row) {
                let index = index as usize;
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

/// Which columns have an entry in each row.
#[derive(Default)]
struct Entries {
    /// The entries of row `r` are `columns[starts[r]..starts[r + 1]]`.
    starts: Vec<usize>,
    columns: Vec<u32>,
}

impl Entries {
    fn of(fields: &[Field], rows: usize) -> Self {
        let mut starts = vec![0; rows + 1];
        for field in fields {
            each_entry(field, |row| starts[row + 1] += 1);
        }
        for row in 0..rows {
            starts[row + 1] += starts[row];
        }
        let mut columns = vec![0; starts[rows]];
        let mut next = starts.clone();
        // Columns come in ascending order, so the entries of each row do too.
        for (index, field) in fields.iter().enumerate() {
            each_entry(field, |row| {
                columns[next[row]] = index as u32;
                next[row] += 1;
            });
        }
        Entries { starts, columns }
    }

    fn of_row(&self, row: usize) -> &[u32] {
        &self.columns[self.starts[row]..self.starts[row + 1]]
    }
}

/// Calls `visit` with every row that is not zero.
fn each_entry(field: &Field, mut visit: impl FnMut(usize)) {
    match field {
        Field::Class(class) => {
            class.codes.iter().enumerate().filter(|&(_, &code)| code != 0).for_each(|(row, _)| visit(row));
        }
        Field::Attribute { column, .. } => match column.data() {
            ColumnData::SparseNumeric(sparse) => sparse.rows.iter().for_each(|&row| visit(row as usize)),
            ColumnData::SparseNominal { codes, .. } => codes.rows.iter().for_each(|&row| visit(row as usize)),
            ColumnData::Nominal { codes, .. } => {
                codes.iter().enumerate().filter(|&(_, &code)| code != 0).for_each(|(row, _)| visit(row));
            }
            _ => (0..column.len()).for_each(visit),
        },
    }
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
    use crate::data::Sparse;

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
