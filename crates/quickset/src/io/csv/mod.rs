//! Comma- and tab-separated values.
//!
//! The file is cut into blocks of whole records, which the threads of the pool take in turn, parse into columns of
//! their own, and join in the order of the file. Neither the file nor a second copy of the columns is ever in memory.
//!
//! A column is numeric if every known field is a number. That is assumed of all columns first; those that the first
//! block disproves are levels from the start, and should a later block disprove another, the file is read again.
//! So the outcome depends neither on the size of the blocks nor on the number of threads.

mod block;
mod blocks;
mod field;
mod merge;
#[cfg(test)]
mod tests;
mod write;

use std::collections::HashSet;
use std::io::Read;
use std::sync::Mutex;

use self::block::{BlockColumn, Kind, Layout};
use self::blocks::Blocks;
use self::field::Field;
use self::merge::{Merge, Outcome, Parsed};
use super::ReadOptions;
use super::source::Source;
use super::table::{Table, check_overrides};
use crate::error::{Error, Result};

pub(super) use self::write::write;

/// Large enough that taking a block costs nothing beside parsing it, small enough to stay in the cache.
const BLOCK: usize = 1 << 20;
/// The first block only tells the types, and is parsed twice.
const SAMPLE: usize = 1 << 16;

/// Reads a file of fields separated by `delimiter`.
pub(super) fn read(source: &Source, delimiter: u8, options: &ReadOptions) -> Result<Table> {
    read_in_blocks(source, delimiter, options, SAMPLE, BLOCK)
}

fn read_in_blocks(source: &Source, delimiter: u8, options: &ReadOptions, sample: usize, size: usize) -> Result<Table> {
    let mut first = Vec::new();
    let reader = skip_mark(source)?;
    let failed = |error: std::io::Error| source.failure(&error);
    Blocks::new(reader, delimiter, sample).next_into(&mut first).map_err(failed)?;
    let header = header(&first, delimiter).map_err(|error| error.in_file(source.name()))?;
    let names: Vec<&str> = header.names.iter().map(String::as_str).collect();
    check_overrides(&names, options).map_err(|error| error.in_file(source.name()))?;

    let mut pass = Pass { source, size, header: &header, kinds: kinds(&names, options), delimiter, options, rows: 0 };
    pass.look_at(&first[header.length..]);
    drop(first);
    let columns = loop {
        match pass.run().map_err(|error| error.in_file(source.name()))? {
            Outcome::Columns(columns) => break columns,
            Outcome::HoldText(texts) => texts.into_iter().for_each(|index| pass.kinds[index] = Kind::Levels),
        }
    };
    Ok(Table::new(columns))
}

/// Whether a field means that the value is not known. Any case of NaN, as different programs write it.
fn means_missing(text: &str) -> bool {
    matches!(text, "" | "?" | "NA") || text.eq_ignore_ascii_case("nan")
}

/// The source without a byte-order mark.
fn skip_mark(source: &Source) -> Result<Box<dyn Read + Send>> {
    let mut reader = source.reader()?;
    let mut start = Vec::new();
    reader.by_ref().take(3).read_to_end(&mut start).map_err(|error| source.failure(&error))?;
    if start.starts_with(&[0xFF, 0xFE]) || start.starts_with(&[0xFE, 0xFF]) {
        return Err(Error::format("the file is UTF-16, expected UTF-8")
            .in_file(source.name())
            .remedy("save the file as UTF-8"));
    }
    if start == [0xEF, 0xBB, 0xBF] {
        start.clear();
    }
    Ok(Box::new(std::io::Cursor::new(start).chain(reader)))
}

struct Header {
    names: Vec<String>,
    /// Its bytes, line end included.
    length: usize,
    lines: u64,
}

/// The names in the first record of `bytes`.
fn header(bytes: &[u8], delimiter: u8) -> Result<Header> {
    let located =
        |fault: block::Fault| fault.error.at_line(1 + memchr::memchr_iter(b'\n', &bytes[..fault.at]).count() as u64);
    let valid = bytes.utf8_chunks().next().map_or("", |chunk| chunk.valid());
    let mut names = Vec::new();
    let mut seen = HashSet::new();
    let mut at = 0;
    loop {
        let field = Field::read(valid, at, delimiter).map_err(|bad| located(block::bad_field(at, &bad)))?;
        if field.next == valid.len() && valid.len() < bytes.len() && !valid.ends_with('\n') {
            return Err(located(block::not_utf8(bytes, valid.len())));
        }
        let name = match field.text.trim() {
            "" => format!("column_{}", names.len() + 1),
            name => name.to_string(),
        };
        if !seen.insert(name.clone()) {
            return Err(Error::format("the column name occurs twice in the header")
                .at_line(1)
                .in_column(name)
                .remedy("give each column its own name"));
        }
        names.push(name);
        at = field.next;
        if field.ends_record {
            break;
        }
    }
    if bytes.is_empty() {
        return Err(Error::format("the file is empty").remedy("a header line and at least one row are expected"));
    }
    if bytes[..at].trim_ascii().is_empty() {
        return Err(Error::format("the first line is empty, expected the names of the columns")
            .at_line(1)
            .remedy("begin the file with a header line"));
    }
    Ok(Header { names, length: at, lines: memchr::memchr_iter(b'\n', &bytes[..at]).count() as u64 })
}

fn kinds(names: &[&str], options: &ReadOptions) -> Vec<Kind> {
    let listed = |list: &[String], name: &str| list.iter().any(|listed| listed == name);
    names
        .iter()
        .map(|name| match () {
            () if listed(&options.ignore, name) => Kind::Ignored,
            () if listed(&options.nominal, name) => Kind::Levels,
            () if listed(&options.numeric, name) => Kind::Numbers,
            () => Kind::PerhapsNumbers,
        })
        .collect()
}

/// One reading of the file with each column taken for something.
struct Pass<'a> {
    source: &'a Source,
    size: usize,
    header: &'a Header,
    kinds: Vec<Kind>,
    delimiter: u8,
    options: &'a ReadOptions,
    /// About how many rows there are, 0 if nothing is known.
    rows: usize,
}

impl Pass<'_> {
    fn layout(&self) -> Layout<'_> {
        Layout {
            delimiter: self.delimiter,
            names: &self.header.names,
            kinds: &self.kinds,
            missing: &self.options.missing,
        }
    }

    /// Learns from the first rows which columns hold text and how long a row is. Faults are left to the pass.
    fn look_at(&mut self, sample: &[u8]) {
        let parsed = Parsed::new(Default::default(), sample, &self.layout());
        for (kind, column) in self.kinds.iter_mut().zip(&parsed.block.columns) {
            if matches!(column, BlockColumn::Numbers { text: true, .. }) && *kind == Kind::PerhapsNumbers {
                *kind = Kind::Levels;
            }
        }
        if let Some(bytes) = self.source.size().filter(|_| !sample.is_empty()) {
            let rows = bytes as f64 * parsed.block.rows as f64 / sample.len() as f64;
            self.rows = (rows * 1.05) as usize + 1;
        }
    }

    /// Reads the whole file.
    fn run(&self) -> Result<Outcome> {
        let mut reader = skip_mark(self.source)?;
        let skipped = std::io::copy(&mut reader.by_ref().take(self.header.length as u64), &mut std::io::sink());
        skipped.map_err(|error| self.source.failure(&error))?;
        let blocks = Mutex::new(Blocks::new(reader, self.delimiter, self.size));
        let merge = Mutex::new(Merge::new(&self.kinds, self.rows, self.header.lines));
        let broken = Mutex::new(None);
        let whole = "no thread panics with this lock";
        let work = || {
            let layout = self.layout();
            let mut bytes = Vec::new();
            loop {
                let block = {
                    let mut merge = merge.lock().expect(whole);
                    if merge.failed() {
                        return;
                    }
                    merge.spare()
                };
                let number = match blocks.lock().expect(whole).next_into(&mut bytes) {
                    Ok(Some(number)) => number,
                    Ok(None) => return,
                    Err(error) => {
                        broken.lock().expect(whole).get_or_insert(error);
                        return;
                    }
                };
                let parsed = Parsed::new(block, &bytes, &layout);
                merge.lock().expect(whole).add(number, parsed);
            }
        };
        rayon::scope(|scope| (0..rayon::current_num_threads()).for_each(|_| scope.spawn(|_| work())));
        // What was read before the source broke may be at fault too, but then the file is damaged first of all.
        if let Some(error) = broken.into_inner().expect(whole) {
            return Err(self.source.failure(&error));
        }
        merge.into_inner().expect(whole).finish(&self.header.names)
    }
}
