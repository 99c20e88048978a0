//! Blocks joined into columns, in the order of the file whatever the order in which they were parsed.

use std::collections::BTreeMap;

use super::super::dictionary::Dictionary;
use super::block::{Block, BlockColumn, Fault, Kind, Layout};
use crate::data::{Column, ColumnData, MISSING};
use crate::error::{Error, Result};

/// A parsed block, and how many lines it has.
pub(super) struct Parsed {
    pub block: Block,
    pub lines: u64,
    /// The first fault in it with its line inside the block, counted from 0.
    pub fault: Option<(u64, Error)>,
    /// The line inside the block of the first infinite value of each column.
    pub infinite: Vec<(usize, u64, String)>,
}

impl Parsed {
    /// Parses `bytes` into a used block.
    pub fn new(mut block: Block, bytes: &[u8], layout: &Layout) -> Self {
        let lines = |end: usize| memchr::memchr_iter(b'\n', &bytes[..end]).count() as u64;
        let fault = block.parse(bytes, layout).err().map(|Fault { at, error }| (lines(at), error));
        let mut found = Vec::new();
        for (index, column) in block.columns.iter_mut().enumerate() {
            if let BlockColumn::Numbers { infinite: Some((at, text)), .. } = column {
                found.push((index, lines(*at), std::mem::take(text)));
            }
        }
        Parsed { block, lines: lines(bytes.len()), fault, infinite: found }
    }
}

/// What a pass over the file came to.
pub(super) enum Outcome {
    /// The columns that are not ignored.
    Columns(Vec<Column>),
    /// The file must be read again with these columns as levels.
    HoldText(Vec<usize>),
}

/// The columns so far.
pub(super) struct Merge {
    columns: Vec<Merged>,
    /// Blocks that came before their turn.
    waiting: BTreeMap<usize, Parsed>,
    next: usize,
    /// Lines before the next block.
    lines: u64,
    rows: usize,
    failure: Option<Error>,
    /// Columns that turned out to hold text.
    texts: Vec<usize>,
    /// Blocks to be used again.
    spare: Vec<Block>,
}

enum Merged {
    Numbers { values: Vec<f64>, infinite: Option<(u64, String)> },
    Levels { codes: Vec<u32>, dictionary: Dictionary },
    Ignored,
}

impl Merge {
    /// Empty columns with room for `rows` where the system grants it; `lines` come before the first block.
    pub fn new(kinds: &[Kind], rows: usize, lines: u64) -> Self {
        // Room that is not used is never touched, and so takes no memory; `columns` gives it back.
        fn room<T>(rows: usize) -> Vec<T> {
            let mut values = Vec::new();
            _ = values.try_reserve_exact(rows);
            values
        }
        let column = |kind: &Kind| match kind {
            Kind::Numbers | Kind::PerhapsNumbers => Merged::Numbers { values: room(rows), infinite: None },
            Kind::Levels => Merged::Levels { codes: room(rows), dictionary: Dictionary::default() },
            Kind::Ignored => Merged::Ignored,
        };
        Merge {
            columns: kinds.iter().map(column).collect(),
            waiting: BTreeMap::new(),
            next: 0,
            lines,
            rows: 0,
            failure: None,
            texts: Vec::new(),
            spare: Vec::new(),
        }
    }

    /// A block to parse into.
    pub fn spare(&mut self) -> Block {
        self.spare.pop().unwrap_or_default()
    }

    /// Whether there is no use in reading on.
    pub fn failed(&self) -> bool {
        self.failure.is_some()
    }

    /// Takes block `number`, and joins it and all that waited for it.
    pub fn add(&mut self, number: usize, parsed: Parsed) {
        self.waiting.insert(number, parsed);
        while let Some(parsed) = self.waiting.remove(&self.next) {
            self.next += 1;
            self.join(parsed);
        }
    }

    fn join(&mut self, mut parsed: Parsed) {
        if self.failure.is_some() {
            return;
        }
        if let Some((line, error)) = parsed.fault {
            self.failure = Some(error.at_line(self.lines + line + 1));
            return;
        }
        for (index, line, text) in parsed.infinite {
            if let Merged::Numbers { infinite, .. } = &mut self.columns[index] {
                infinite.get_or_insert((self.lines + line + 1, text));
            }
        }
        for (index, (column, block)) in self.columns.iter_mut().zip(&mut parsed.block.columns).enumerate() {
            match (&mut *column, block) {
                (Merged::Numbers { .. }, BlockColumn::Numbers { text: true, .. }) => {
                    self.texts.push(index);
                    // The values are lost anyway: the file is read again with this column as levels.
                    *column = Merged::Ignored;
                }
                (Merged::Numbers { values, .. }, BlockColumn::Numbers { values: more, .. }) => values.extend(&*more),
                (Merged::Levels { codes, dictionary }, BlockColumn::Levels { codes: more, dictionary: levels }) => {
                    let code: Vec<u32> = levels.drain().map(|level| dictionary.code_owned(level)).collect();
                    codes.extend(more.iter().map(|&c| if c == MISSING { MISSING } else { code[c as usize] }));
                }
                _ => {}
            }
        }
        self.lines += parsed.lines;
        self.rows += parsed.block.rows;
        self.spare.push(parsed.block);
    }

    /// What it all came to; the first fault in the file wins.
    pub fn finish(self, names: &[String]) -> Result<Outcome> {
        if let Some(error) = self.failure {
            return Err(error);
        }
        if !self.texts.is_empty() {
            return Ok(Outcome::HoldText(self.texts));
        }
        if self.rows == 0 {
            return Err(Error::data("found no rows below the header").remedy("check that the file is complete"));
        }
        let mut first: Option<(u64, usize, String)> = None;
        let mut columns = Vec::new();
        for (index, (column, name)) in self.columns.into_iter().zip(names).enumerate() {
            let data = match column {
                Merged::Ignored => continue,
                Merged::Numbers { mut values, infinite } => {
                    if let Some((line, text)) = infinite
                        && first.as_ref().is_none_or(|(before, ..)| line < *before)
                    {
                        first = Some((line, index, text));
                    }
                    values.shrink_to_fit();
                    ColumnData::Numeric(values)
                }
                Merged::Levels { mut codes, dictionary } => {
                    codes.shrink_to_fit();
                    ColumnData::Nominal { levels: dictionary.into_levels(), codes }
                }
            };
            columns.push(Column::new(name, data));
        }
        if let Some((line, index, text)) = first {
            let name = &names[index];
            return Err(Error::data(format!("found {text:?}, expected a finite number"))
                .at_line(line)
                .in_column(name)
                .remedy(format!("declare the value with --missing {text}, or the column with --nominal {name}")));
        }
        Ok(Outcome::Columns(columns))
    }
}
