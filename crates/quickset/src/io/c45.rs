//! C4.5's pair of files: `stem.names` declares the classes and attributes, `stem.data` holds the rows.

use std::io::Read;
use std::path::Path;

use super::dictionary::Dictionary;
use super::format::Packing;
use super::source::Source;
use super::table::{Table, listed};
use super::{ReadOptions, number};
use crate::data::{Column, ColumnData, MISSING};
use crate::error::{Error, Result};

/// Reads the pair of which `path` is one. The class is the last column, `class`.
pub(super) fn read(path: &str, options: &ReadOptions) -> Result<Table> {
    let other = |extension: &str| Path::new(path).with_extension(extension).display().to_string();
    let (names, data) = match Path::new(path).extension().is_some_and(|e| e.eq_ignore_ascii_case("names")) {
        true => (path.to_string(), other("data")),
        false => (other("names"), path.to_string()),
    };
    for (wanted, file) in [(&names, ".names"), (&data, ".data")] {
        if !Path::new(wanted).exists() {
            return Err(Error::new(
                crate::ErrorKind::Io,
                format!("there is no such file, expected the {file} of a pair"),
            )
            .in_file(wanted)
            .remedy("C4.5 data are two files: stem.names and stem.data"));
        }
    }
    let mut columns = parse_names(&text_of(&names)?).map_err(|error| error.in_file(&names))?;
    read_rows(&text_of(&data)?, &mut columns, options).map_err(|error| error.in_file(&data))?;
    Ok(Table::new(columns.into_iter().filter_map(Declared::into_column).collect()))
}

fn text_of(path: &str) -> Result<String> {
    let source = Source::file(path, Packing::Plain)?;
    let mut bytes = Vec::new();
    source.reader()?.read_to_end(&mut bytes).map_err(|error| source.failure(&error))?;
    String::from_utf8(bytes).map_err(|error| {
        let line = error.as_bytes()[..error.utf8_error().valid_up_to()].iter().filter(|&&b| b == b'\n').count();
        Error::format("the line is not UTF-8 text").at_line(line as u64 + 1).in_file(path).remedy("save it as UTF-8")
    })
}

/// A column and its values so far.
struct Declared {
    name: String,
    values: Values,
}

enum Values {
    Numbers(Vec<f64>),
    Codes {
        levels: Dictionary,
        codes: Vec<u32>,
        /// Levels may be added up to this number, where only the number is declared.
        most: Option<usize>,
    },
    Ignored,
}

impl Declared {
    fn into_column(self) -> Option<Column> {
        let data = match self.values {
            Values::Numbers(values) => ColumnData::Numeric(values),
            Values::Codes { levels, codes, .. } => ColumnData::Nominal { levels: levels.into_levels(), codes },
            Values::Ignored => return None,
        };
        Some(Column::new(self.name, data))
    }

    fn push(&mut self, text: &str, options: &ReadOptions) -> Result<()> {
        let missing = text == "?" || options.missing.iter().any(|missing| missing == text);
        match &mut self.values {
            Values::Ignored => {}
            Values::Numbers(values) if missing => values.push(f64::NAN),
            Values::Codes { codes, .. } if missing => codes.push(MISSING),
            Values::Numbers(values) => match number::parse(text).filter(|value| value.is_finite()) {
                Some(value) => values.push(value),
                None => {
                    return Err(Error::format(format!("found {text:?}, expected a finite number"))
                        .remedy("write ? where a value is missing"));
                }
            },
            Values::Codes { levels, codes, most } => {
                let code = match (levels.get(text), most) {
                    (Some(code), _) => code,
                    (None, Some(most)) if levels.levels().len() < *most => levels.code(text),
                    (None, Some(most)) => {
                        return Err(Error::format(format!("found {text:?}, a value more than the {most} declared"))
                            .remedy("raise the number behind \"discrete\" in the .names file"));
                    }
                    (None, None) => {
                        let known = listed(levels.levels());
                        return Err(Error::format(format!("found {text:?}, expected one of: {known}"))
                            .remedy("correct the value, or declare it in the .names file"));
                    }
                };
                codes.push(code);
            }
        }
        Ok(())
    }
}

/// What ends a name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Colon,
    Comma,
    /// A full stop or the end of the line.
    Entry,
}

/// Goes through a file name by name. A name ends at a comma, a colon, a line's end, or a full stop before a space;
/// a backslash takes the meaning from what follows it, and `|` begins a comment.
struct Names<'a> {
    letters: std::iter::Peekable<std::str::Chars<'a>>,
    /// Whether a colon ends a name; in rows it is nothing special.
    colons: bool,
    /// The line of the name last read.
    line: u64,
    /// Line ends passed since.
    passed: u64,
}

impl<'a> Names<'a> {
    fn new(text: &'a str, colons: bool) -> Self {
        Names { letters: text.chars().peekable(), colons, line: 1, passed: 0 }
    }

    /// The next name and what ended it; `None` at the end of the file.
    fn next(&mut self) -> Option<(String, End)> {
        self.line += std::mem::take(&mut self.passed);
        let mut name = String::new();
        let end = loop {
            match self.letters.next() {
                None if name.trim().is_empty() => return None,
                None => break End::Entry,
                Some('|') => while self.letters.next_if(|&letter| letter != '\n').is_some() {},
                Some('\n') if name.trim().is_empty() => self.line += 1,
                Some('\n') => {
                    self.passed = 1;
                    break End::Entry;
                }
                Some('.') if self.letters.peek().is_none_or(|next| next.is_whitespace() || *next == '|') => {
                    break End::Entry;
                }
                Some(',') => break End::Comma,
                Some(':') if self.colons => break End::Colon,
                Some('\\') => name.extend(self.letters.next()),
                Some(letter) if letter.is_whitespace() => {
                    // Spaces inside a name count as one.
                    if !name.is_empty() && !name.ends_with(' ') {
                        name.push(' ');
                    }
                }
                Some(letter) => name.push(letter),
            }
        };
        name.truncate(name.trim_end().len());
        Some((name, end))
    }
}

/// A list of names up to its end; `None` where a colon or the end of the file comes first.
fn list(names: &mut Names) -> Option<Dictionary> {
    let mut list = Dictionary::default();
    loop {
        let (name, end) = names.next()?;
        match end {
            End::Colon => return None,
            _ => list.code(&name),
        };
        if end == End::Entry {
            return Some(list);
        }
    }
}

/// The declared columns, the class last.
fn parse_names(text: &str) -> Result<Vec<Declared>> {
    let mut names = Names::new(text, true);
    let Some(classes) = list(&mut names) else {
        return Err(Error::format("the list of classes is missing")
            .at_line(names.line)
            .remedy("begin the file with the classes: yes, no."));
    };
    let mut columns: Vec<Declared> = Vec::new();
    while let Some((name, end)) = names.next() {
        if name.is_empty() && end == End::Entry {
            continue;
        }
        let line = names.line;
        let located = |error: Error| error.at_line(line).in_column(&name);
        if end != End::Colon {
            return Err(located(Error::format("found a name without a colon").remedy("write NAME: continuous.")));
        }
        if name == "class" || columns.iter().any(|column| column.name == name) {
            return Err(located(Error::format("the name is already taken").remedy("give each attribute its own name")));
        }
        let Some(levels) = list(&mut names) else {
            return Err(located(Error::format("the declaration does not end").remedy("end it with a full stop")));
        };
        let values = values_of(levels).map_err(located)?;
        columns.push(Declared { name, values });
    }
    if columns.is_empty() {
        return Err(Error::format("no attribute is declared").remedy("write NAME: continuous. for each"));
    }
    let values = Values::Codes { levels: classes, codes: Vec::new(), most: None };
    columns.push(Declared { name: "class".into(), values });
    Ok(columns)
}

fn values_of(levels: Dictionary) -> Result<Values> {
    if let [only] = levels.levels() {
        if only == "continuous" {
            return Ok(Values::Numbers(Vec::new()));
        }
        if only == "ignore" || only == "label" {
            return Ok(Values::Ignored);
        }
        if let Some(count) = only.strip_prefix("discrete") {
            let Ok(count) = count.trim().parse() else {
                return Err(Error::format(format!("found {only:?}")).remedy("write how many values: discrete 12."));
            };
            return Ok(Values::Codes { levels: Dictionary::default(), codes: Vec::new(), most: Some(count) });
        }
    }
    Ok(Values::Codes { levels, codes: Vec::new(), most: None })
}

fn read_rows(text: &str, columns: &mut [Declared], options: &ReadOptions) -> Result<()> {
    let mut names = Names::new(text, false);
    let mut rows = 0;
    let mut fields: Vec<String> = Vec::new();
    while let Some((field, end)) = names.next() {
        fields.push(field);
        match end {
            End::Comma | End::Colon => {}
            End::Entry => {
                if fields.len() == 1 && fields[0].is_empty() {
                    fields.clear();
                    continue;
                }
                if fields.len() != columns.len() {
                    return Err(Error::format(format!("found {} values, expected {}", fields.len(), columns.len()))
                        .at_line(names.line)
                        .remedy("give each attribute a value and end the row with the class"));
                }
                for (column, field) in columns.iter_mut().zip(&fields) {
                    column.push(field, options).map_err(|error| error.at_line(names.line).in_column(&column.name))?;
                }
                rows += 1;
                fields.clear();
            }
        }
    }
    if rows == 0 {
        return Err(Error::data("found no rows").remedy("check that the file is complete"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Value;

    fn read_pair(names: &str, data: &str, by: &str) -> Result<Table> {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("golf.names"), names).unwrap();
        std::fs::write(folder.path().join("golf.data"), data).unwrap();
        read(folder.path().join(by).to_str().unwrap(), &ReadOptions::default())
    }

    const NAMES: &str = "| golf\nPlay, Don't Play.   | the classes\n\noutlook:  sunny, over cast,\n rain.\n\
        temp\\, F: continuous.\nday: ignore.\nwind: discrete 2.\n";

    #[test]
    fn a_pair_is_read_by_either_name() {
        let data = "sunny, 85.5, mon, true, Don't Play\nover  cast, ?, tue, false, Play.\n\n| note\nrain,7,8:30,?,?\n";
        for by in ["golf.data", "golf.names"] {
            let table = read_pair(NAMES, data, by).unwrap();
            let names: Vec<&str> = table.columns.iter().map(Column::name).collect();
            assert_eq!(names, ["outlook", "temp, F", "wind", "class"]);
            assert_eq!(table.columns[0].levels().unwrap(), ["sunny", "over cast", "rain"]);
            assert_eq!(table.columns[0].value(1), Value::Level(1));
            assert_eq!(table.columns[1].value(0), Value::Number(85.5));
            assert_eq!(table.columns[1].value(1), Value::Missing);
            assert_eq!(table.columns[2].levels().unwrap(), ["true", "false"]);
            assert_eq!(table.columns[3].levels().unwrap(), ["Play", "Don't Play"]);
            assert_eq!(table.columns[3].value(2), Value::Missing);
        }
    }

    #[test]
    fn bad_pairs_are_named() {
        let cases = [
            (NAMES, "sunny,1,x,true\n", "golf.data, line 1: found 4 values, expected 5"),
            (
                NAMES,
                "\nfoggy,1,x,true,Play\n",
                "golf.data, line 2, column \"outlook\": found \"foggy\", expected one of",
            ),
            (NAMES, "rain,hot,x,true,Play\n", "line 1, column \"temp, F\": found \"hot\", expected a finite number"),
            (
                NAMES,
                "rain,1,x,a,Play\nrain,1,x,b,Play\nrain,1,x,c,Play\n",
                "line 3, column \"wind\": found \"c\", a value",
            ),
            (NAMES, "rain,1,x,a,Maybe\n", "column \"class\": found \"Maybe\""),
            (NAMES, "", "found no rows"),
            ("", "1\n", "golf.names, line 1: the list of classes is missing"),
            ("a, b.\n", "1\n", "no attribute is declared"),
            (
                "a, b.\nx continuous.\n",
                "1\n",
                "golf.names, line 2, column \"x continuous\": found a name without a colon",
            ),
            ("x: continuous.\n", "1\n", "line 1: the list of classes is missing"),
            ("a, b.\nx: continuous.\nx: continuous.\n", "1\n", "line 3, column \"x\": the name is already taken"),
            ("a, b.\nx: discrete.\n", "1\n", "write how many values"),
        ];
        for (names, data, expected) in cases {
            let error = read_pair(names, data, "golf.data").unwrap_err().to_string();
            assert!(error.contains(expected), "{error}\nexpected {expected}");
        }
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.data"), "1\n").unwrap();
        let error = read(folder.path().join("a.data").to_str().unwrap(), &ReadOptions::default()).unwrap_err();
        assert!(error.to_string().contains("a.names: there is no such file, expected the .names of a pair"), "{error}");
    }
}
