//! LIBSVM's sparse lines: `label index:value index:value …`, indices counted from 1.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write};

use super::dictionary::Dictionary;
use super::source::Source;
use super::table::Table;
use super::write::{Field, failed, fields, refuse_weights};
use super::{ReadOptions, number};
use crate::data::{Class, Column, ColumnData, Dataset, MISSING, Sparse, Value};
use crate::error::{Error, Result};

/// An index beyond this is a mistake, and would ask for as many columns.
const MOST_COLUMNS: usize = 1 << 26;

/// Reads a file: sparse columns `f1` to `fN` and the labels as the last column, `class`. If an index 0 occurs, the
/// first column is `f0`.
pub(super) fn read(source: &Source, options: &ReadOptions) -> Result<Table> {
    let mut reader = BufReader::with_capacity(1 << 18, source.reader()?);
    let mut lines = Lines { columns: Vec::new(), labels: Dictionary::default(), codes: Vec::new() };
    let mut buffer = Vec::new();
    for number in 1.. {
        buffer.clear();
        if reader.read_until(b'\n', &mut buffer).map_err(|error| source.failure(&error))? == 0 {
            break;
        }
        let line = std::str::from_utf8(&buffer)
            .map_err(|_| Error::format("the line is not UTF-8 text").remedy("save the file as UTF-8"));
        line.and_then(|line| lines.add(line, options)).map_err(|error| error.at_line(number).in_file(source.name()))?;
    }
    if lines.codes.is_empty() {
        return Err(Error::data("found no rows").in_file(source.name()).remedy("check that the file is complete"));
    }
    Ok(lines.finish())
}

struct Lines {
    /// By index; 0 is usually empty.
    columns: Vec<Sparse<f64>>,
    labels: Dictionary,
    codes: Vec<u32>,
}

impl Lines {
    fn add(&mut self, line: &str, options: &ReadOptions) -> Result<()> {
        let line = line.split('#').next().unwrap_or_default();
        let mut words = line.split_ascii_whitespace();
        let Some(label) = words.next() else { return Ok(()) };
        if label.contains(':') {
            return Err(Error::format(format!("found {label:?} where the label should stand"))
                .remedy("begin each line with the row's label"));
        }
        let row = self.codes.len() as u32;
        let missing = label == "?" || options.missing.iter().any(|missing| missing == label);
        let code = if missing { MISSING } else { self.labels.code(label) };
        let mut next = 0;
        for word in words.filter(|word| !word.starts_with("qid:")) {
            let entry = word.split_once(':').and_then(|(index, text)| Some((index.parse::<usize>().ok()?, text)));
            let Some((index, text)) = entry else {
                return Err(Error::format(format!("found {word:?}, expected index:value")).remedy("write 3:0.5"));
            };
            if index > MOST_COLUMNS {
                return Err(Error::format(format!("found the index {index}, expected at most {MOST_COLUMNS}"))
                    .remedy("number the columns without gaps"));
            }
            if index < next {
                return Err(Error::format(format!("found the index {index} behind {}", next - 1))
                    .remedy("write the entries of a row in ascending order, each once"));
            }
            next = index + 1;
            let missing = text == "?" || options.missing.iter().any(|missing| missing == text);
            let value = if missing { Some(f64::NAN) } else { number::parse(text).filter(|value| value.is_finite()) };
            let Some(value) = value else {
                return Err(Error::format(format!("found {text:?}, expected a finite number"))
                    .in_column(format!("f{index}"))
                    .remedy("leave out zeros, and write ? where a value is missing"));
            };
            if self.columns.len() <= index {
                self.columns.resize_with(index + 1, Sparse::default);
            }
            if value != 0.0 {
                self.columns[index].rows.push(row);
                self.columns[index].values.push(value);
            } else if index == 0 {
                // Even a zero says that counting begins at 0.
                self.columns[0].len = 1;
            }
        }
        self.codes.push(code);
        Ok(())
    }

    fn finish(self) -> Table {
        let rows = self.codes.len();
        let from_zero = self.columns.first().is_some_and(|column| !column.rows.is_empty() || column.len > 0);
        let column = |(index, mut sparse): (usize, Sparse<f64>)| {
            sparse.len = rows;
            sparse.rows.shrink_to_fit();
            sparse.values.shrink_to_fit();
            Column::new(format!("f{index}"), ColumnData::SparseNumeric(sparse))
        };
        let mut columns: Vec<Column> =
            self.columns.into_iter().enumerate().skip(usize::from(!from_zero)).map(column).collect();
        let (levels, codes) = in_order(self.labels.into_levels(), self.codes);
        columns.push(Column::new("class", ColumnData::Nominal { levels, codes }));
        Table::new(columns)
    }
}

/// Labels that are all numbers, ascending; others stay as they came.
fn in_order(levels: Vec<String>, codes: Vec<u32>) -> (Vec<String>, Vec<u32>) {
    let Some(numbers) = levels.iter().map(|level| number::parse(level)).collect::<Option<Vec<f64>>>() else {
        return (levels, codes);
    };
    let mut order: Vec<usize> = (0..levels.len()).collect();
    order.sort_by(|&a, &b| numbers[a].total_cmp(&numbers[b]));
    let mut place = vec![0; levels.len()];
    order.iter().enumerate().for_each(|(new, &old)| place[old] = new as u32);
    let codes = codes.into_iter().map(|code| if code == MISSING { MISSING } else { place[code as usize] }).collect();
    (order.iter().map(|&old| levels[old].clone()).collect(), codes)
}

/// Writes the entries that are not zero. The names of the columns are lost: the format has none.
pub(super) fn write(data: &Dataset, out: &mut dyn Write) -> Result<()> {
    refuse_weights(data)?;
    let Some(class) = data.class() else {
        return Err(Error::data("LIBSVM lines begin with a class, and there is none").remedy("name it with --target"));
    };
    check_labels(class)?;
    let mut fields: Vec<Field> = fields(data).into_iter().filter(|f| matches!(f, Field::Attribute { .. })).collect();
    if let Some(field) = fields.iter().find(|field| field.levels().is_some()) {
        return Err(Error::data("a nominal attribute cannot be written as LIBSVM")
            .in_column(field.name())
            .remedy("ignore it, or write another format"));
    }
    let mut line = String::new();
    for row in 0..data.rows() {
        line.push_str(class.levels.get(usize::from(class.codes[row])).map_or("?", String::as_str));
        for (index, field) in fields.iter_mut().enumerate() {
            match field.value(row) {
                Value::Number(0.0) | Value::Level(_) => {}
                Value::Number(number) => _ = write!(line, " {}:{number}", index + 1),
                Value::Missing => {
                    return Err(Error::data(format!("row {} has no value, which LIBSVM cannot say", row + 1))
                        .in_column(field.name())
                        .remedy("impute missing values first, or write another format"));
                }
            }
        }
        line.push('\n');
        out.write_all(line.as_bytes()).map_err(failed)?;
        line.clear();
    }
    Ok(())
}

fn check_labels(class: &Class) -> Result<()> {
    let bad =
        |level: &&String| level.is_empty() || level.contains(|c: char| c.is_ascii_whitespace() || "#:".contains(c));
    match class.levels.iter().find(bad) {
        None => Ok(()),
        Some(level) => Err(Error::data(format!("the class {level:?} cannot be a LIBSVM label"))
            .in_column(&class.name)
            .remedy("use names without spaces, # and :, or write another format")),
    }
}

#[cfg(test)]
mod tests {
    use super::super::format::Packing;
    use super::*;

    fn read_text(text: &str) -> Result<Table> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), text).unwrap();
        read(&Source::file(file.path().to_str().unwrap(), Packing::Plain).unwrap(), &ReadOptions::default())
    }

    #[test]
    fn lines_become_sparse_columns_and_sorted_labels() {
        let table = read_text("# head\n+1 qid:3 1:0.5 4:-2 # note\r\n-1 2:0 4:?\n\n10\n").unwrap();
        let names: Vec<&str> = table.columns.iter().map(Column::name).collect();
        assert_eq!(names, ["f1", "f2", "f3", "f4", "class"]);
        let ColumnData::SparseNumeric(last) = table.columns[3].data() else { panic!("sparse") };
        assert_eq!((last.len, last.rows.as_slice(), last.values[0]), (3, &[0, 1][..], -2.0));
        assert_eq!(table.columns[4].levels().unwrap(), ["-1", "+1", "10"]);
        assert_eq!(table.columns[4].value(0), Value::Level(1));
        let table = read_text("b 0:0 1:1\na 1:2\n").unwrap();
        assert_eq!(table.columns[0].name(), "f0");
        assert_eq!(table.columns[2].levels().unwrap(), ["b", "a"]);
    }

    #[test]
    fn bad_lines_are_named() {
        let cases = [
            ("1 1:2\n1 3:1 2:1\n", "line 2: found the index 2 behind 3"),
            ("1 1:2 1:3\n", "line 1: found the index 1 behind 1"),
            ("1:2 3:4\n", "line 1: found \"1:2\" where the label should stand"),
            ("1 x:2\n", "line 1: found \"x:2\", expected index:value"),
            ("1 2\n", "line 1: found \"2\", expected index:value"),
            ("1 2:x\n", "line 1, column \"f2\": found \"x\", expected a finite number"),
            ("1 2:inf\n", "expected a finite number"),
            ("1 99999999999:1\n", "expected at most"),
            ("# only\n", "found no rows"),
        ];
        for (text, expected) in cases {
            let error = read_text(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}\nexpected {expected}");
        }
    }

    #[test]
    fn what_is_written_reads_back() {
        let data = |table: Table| table.into_dataset(&ReadOptions::default()).unwrap();
        let text = "-1 1:0.5 4:-2\n1 2:1e-9\n1\n";
        let mut out = Vec::new();
        write(&data(read_text(text).unwrap()), &mut out).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "-1 1:0.5 4:-2\n1 2:0.000000001\n1\n");
        let error = write(&data(read_text("1 1:?\n").unwrap()), &mut Vec::new()).unwrap_err();
        assert!(error.to_string().contains("column \"f1\": row 1 has no value"), "{error}");
        let nominal = vec![Column::from_texts("n", [Some("a")]), Column::from_texts("c", [Some("b c")])];
        let error = write(&data(Table::new(nominal)), &mut Vec::new()).unwrap_err();
        assert!(error.to_string().contains("cannot be a LIBSVM label"), "{error}");
    }
}
