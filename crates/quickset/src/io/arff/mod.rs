//! Weka's attribute-relation files, dense and sparse, read line by line.

mod header;
mod rows;
#[cfg(test)]
mod tests;
mod token;
mod write;

use std::collections::HashSet;
use std::io::{BufRead, BufReader};

use self::header::{Kind, Line};
use self::rows::Rows;
use super::ReadOptions;
use super::source::Source;
use super::table::Table;
use crate::error::{Error, Result};

pub(super) use self::write::write;

/// Reads an ARFF file.
pub(super) fn read(source: &Source, options: &ReadOptions) -> Result<Table> {
    let reader = BufReader::with_capacity(1 << 18, source.reader()?);
    let mut lines = Lines { source, reader, buffer: Vec::new(), number: 0 };
    parse(&mut lines, options).map_err(|error| error.at_line(lines.number).in_file(source.name()))
}

struct Lines<'a, R> {
    source: &'a Source,
    reader: R,
    buffer: Vec<u8>,
    /// The number of the line last read.
    number: u64,
}

impl<R: BufRead> Lines<'_, R> {
    fn next(&mut self) -> Result<Option<&str>> {
        self.buffer.clear();
        let length = self.reader.read_until(b'\n', &mut self.buffer).map_err(|error| self.source.failure(&error))?;
        if length == 0 {
            return Ok(None);
        }
        self.number += 1;
        let start = if self.number == 1 && self.buffer.starts_with(&[0xEF, 0xBB, 0xBF]) { 3 } else { 0 };
        let line = std::str::from_utf8(&self.buffer[start..])
            .map_err(|_| Error::format("the line is not UTF-8 text").remedy("save the file as UTF-8"))?;
        Ok(Some(line))
    }
}

fn parse<R: BufRead>(lines: &mut Lines<R>, options: &ReadOptions) -> Result<Table> {
    let mut attributes = Vec::new();
    let mut names = HashSet::new();
    loop {
        let Some(line) = lines.next()? else {
            return Err(Error::format("the file ends before @data").remedy("check that the file is complete"));
        };
        match header::parse(line)? {
            Line::Other => {}
            Line::Data => break,
            Line::Attribute(attribute) => {
                if !names.insert(attribute.name.clone()) {
                    return Err(Error::format("the attribute is declared twice")
                        .in_column(attribute.name)
                        .remedy("give each attribute its own name"));
                }
                attributes.push(attribute);
            }
        }
    }
    if !attributes.iter().any(|attribute| !matches!(attribute.kind, Kind::Ignored)) {
        return Err(Error::format("no numeric or nominal attribute is declared before @data")
            .remedy("declare the columns with @attribute NAME TYPE"));
    }
    let mut rows = Rows::new(attributes, &options.missing);
    while let Some(line) = lines.next()? {
        rows.add(line)?;
    }
    let (columns, weights, unusable) = rows.finish();
    if columns[0].is_empty() {
        return Err(Error::data("found no rows below @data").remedy("check that the file is complete"));
    }
    Ok(Table { columns, weights, unusable })
}
