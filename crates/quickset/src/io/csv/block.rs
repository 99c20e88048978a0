//! One block of whole records, parsed into columns.

use super::super::dictionary::Dictionary;
use super::super::number;
use super::super::table::not_a_number;
use super::field::{BadField, Field};
use crate::data::MISSING;
use crate::error::Error;

/// What a column is taken for during a pass over the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Numbers, until a text is met.
    PerhapsNumbers,
    /// Numbers, because the user says so: a text is an error.
    Numbers,
    /// Levels.
    Levels,
    /// Not wanted.
    Ignored,
}

/// What all blocks of a pass share.
pub(super) struct Layout<'a> {
    pub delimiter: u8,
    pub names: &'a [String],
    pub kinds: &'a [Kind],
    /// Words for "missing" beside the usual ones.
    pub missing: &'a [String],
}

/// The columns of a block. Reused from block to block, so that parsing allocates nothing.
#[derive(Default)]
pub(super) struct Block {
    pub rows: usize,
    pub columns: Vec<BlockColumn>,
}

/// One column of a block.
pub(super) enum BlockColumn {
    /// Numbers; NaN where missing.
    Numbers {
        values: Vec<f64>,
        /// The first infinite value: its place in the block and its text.
        infinite: Option<(usize, String)>,
        /// A text was met, so that the column is nominal after all; the values are worthless.
        text: bool,
    },
    /// Codes of the block's own dictionary.
    Levels { codes: Vec<u32>, dictionary: Dictionary },
    /// Nothing kept.
    Ignored,
}

/// An error and where in the block it is; the line is known only when all blocks before have been counted.
#[derive(Debug)]
pub(super) struct Fault {
    pub at: usize,
    pub error: Error,
}

impl Layout<'_> {
    fn is_missing(&self, text: &str) -> bool {
        super::means_missing(text) || self.missing.iter().any(|missing| missing == text)
    }

    fn ragged(&self, at: usize, found: usize) -> Fault {
        let fields = if found == 1 { "field" } else { "fields" };
        let error = Error::format(format!("found {found} {fields}, expected {} as in the header", self.names.len()))
            .remedy("complete the line, or quote a field that holds the delimiter");
        Fault { at, error }
    }
}

impl Block {
    /// Parses `bytes`, which are whole records.
    pub fn parse(&mut self, bytes: &[u8], layout: &Layout) -> Result<(), Fault> {
        self.reset(layout.kinds);
        let text = std::str::from_utf8(bytes).map_err(|error| not_utf8(bytes, error.valid_up_to()))?;
        let mut at = 0;
        while at < bytes.len() {
            match &bytes[at..] {
                [b'\n', ..] => at += 1,
                [b'\r', b'\n', ..] => at += 2,
                [b'\r'] => break,
                _ => at = self.parse_record(text, at, layout)?,
            }
        }
        Ok(())
    }

    fn reset(&mut self, kinds: &[Kind]) {
        self.rows = 0;
        self.columns.resize_with(kinds.len(), || BlockColumn::Ignored);
        for (column, kind) in self.columns.iter_mut().zip(kinds) {
            match (&mut *column, kind) {
                (BlockColumn::Numbers { values, infinite, text }, Kind::Numbers | Kind::PerhapsNumbers) => {
                    values.clear();
                    (*infinite, *text) = (None, false);
                }
                (BlockColumn::Levels { codes, dictionary }, Kind::Levels) => {
                    codes.clear();
                    dictionary.drain();
                }
                (_, Kind::Numbers | Kind::PerhapsNumbers) => {
                    *column = BlockColumn::Numbers { values: Vec::new(), infinite: None, text: false };
                }
                (_, Kind::Levels) => {
                    *column = BlockColumn::Levels { codes: Vec::new(), dictionary: Dictionary::default() };
                }
                (_, Kind::Ignored) => *column = BlockColumn::Ignored,
            }
        }
    }

    /// Parses the record at `start` and answers where the next one begins.
    fn parse_record(&mut self, text: &str, start: usize, layout: &Layout) -> Result<usize, Fault> {
        let bytes = text.as_bytes();
        let count = self.columns.len();
        let mut at = start;
        for (index, column) in self.columns.iter_mut().enumerate() {
            let last = index + 1 == count;
            // A plain number is read up to its delimiter, so that nothing is looked at twice.
            if let BlockColumn::Numbers { values, .. } = column
                && let Some((value, length)) = number::scan(&bytes[at..])
                && value.is_finite()
                && bytes.get(at + length) == Some(if last { &b'\n' } else { &layout.delimiter })
            {
                values.push(value);
                at += length + 1;
                continue;
            }
            let field = Field::read(text, at, layout.delimiter).map_err(|bad| bad_field(at, &bad))?;
            column.push(&field.text, at, index, layout)?;
            at = field.next;
            if field.ends_record != last {
                return Err(layout.ragged(start, if last { count_fields(text, start, layout)? } else { index + 1 }));
            }
        }
        self.rows += 1;
        Ok(at)
    }
}

impl BlockColumn {
    fn push(&mut self, field: &str, at: usize, index: usize, layout: &Layout) -> Result<(), Fault> {
        match self {
            BlockColumn::Ignored => {}
            BlockColumn::Levels { codes, dictionary } => {
                codes.push(if layout.is_missing(field) { MISSING } else { dictionary.code(field) });
            }
            BlockColumn::Numbers { values, infinite, text } => {
                let value = if layout.is_missing(field) { None } else { Some(number::parse(field.trim())) };
                match value {
                    Some(Some(value)) if value.is_finite() => {
                        values.push(value);
                        return Ok(());
                    }
                    Some(Some(_)) => _ = infinite.get_or_insert_with(|| (at, field.to_string())),
                    Some(None) if layout.kinds[index] == Kind::Numbers => {
                        return Err(Fault { at, error: not_a_number(&layout.names[index], field, "") });
                    }
                    Some(None) => *text = true,
                    None => {}
                }
                values.push(f64::NAN);
            }
        }
        Ok(())
    }
}

fn count_fields(text: &str, start: usize, layout: &Layout) -> Result<usize, Fault> {
    let mut at = start;
    let mut count = 1;
    loop {
        let field = Field::read(text, at, layout.delimiter).map_err(|bad| bad_field(at, &bad))?;
        if field.ends_record {
            return Ok(count);
        }
        count += 1;
        at = field.next;
    }
}

pub(super) fn bad_field(at: usize, bad: &BadField) -> Fault {
    let error = match bad {
        BadField::TextAfterQuote => Error::format("found text between a closing quote and the next delimiter")
            .remedy("write a quote inside a quoted field twice"),
        BadField::Unclosed => Error::format("a quoted field begins here and is never closed")
            .remedy("close it, or write a quote inside a quoted field twice"),
    };
    Fault { at, error }
}

pub(super) fn not_utf8(bytes: &[u8], at: usize) -> Fault {
    let error = Error::format(format!("found the byte 0x{:02X}, which is not UTF-8 text", bytes[at]))
        .remedy("save the file as UTF-8");
    Fault { at, error }
}
