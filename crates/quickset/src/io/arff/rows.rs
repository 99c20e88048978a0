//! Rows into columns.
//!
//! Columns stay sparse as long as every row is. The first dense row makes all of them dense.

use super::super::number;
use super::super::table::listed;
use super::header::{Attribute, Kind};
use super::token::{Token, Tokens};
use crate::data::{Column, ColumnData, MISSING, Sparse};
use crate::error::{Error, Result};

/// The rows read so far.
pub(super) struct Rows<'a> {
    attributes: Vec<Attribute>,
    columns: Vec<Values>,
    /// Words for "missing" beside `?`.
    missing: &'a [String],
    dense: bool,
    rows: usize,
    /// One per row as soon as a row has one.
    weights: Vec<f64>,
}

enum Values {
    Numbers(Sparse<f64>),
    Codes(Sparse<u32>),
    Ignored,
}

/// A cell as it is stored.
enum Cell {
    Number(f64),
    Code(u32),
    Ignored,
}

impl<'a> Rows<'a> {
    pub fn new(attributes: Vec<Attribute>, missing: &'a [String]) -> Self {
        let values = |attribute: &Attribute| match attribute.kind {
            Kind::Numeric => Values::Numbers(Sparse::default()),
            Kind::Nominal(_) => Values::Codes(Sparse::default()),
            Kind::Ignored => Values::Ignored,
        };
        let columns = attributes.iter().map(values).collect();
        Rows { attributes, columns, missing, dense: false, rows: 0, weights: Vec::new() }
    }

    /// Reads a line; one that is empty or only a comment is no row.
    pub fn add(&mut self, line: &str) -> Result<()> {
        let mut tokens = Tokens::new(line);
        let start = tokens.clone();
        let weight = match tokens.next()? {
            Token::End => return Ok(()),
            Token::Open => self.sparse_row(&mut tokens)?,
            _ => {
                self.make_dense();
                tokens = start;
                self.dense_row(&mut tokens)?
            }
        };
        if let Some(weight) = weight {
            self.weights.resize(self.rows, 1.0);
            self.weights.push(weight);
        } else if !self.weights.is_empty() {
            self.weights.push(1.0);
        }
        self.rows += 1;
        Ok(())
    }

    fn cell(&self, index: usize, token: &Token) -> Result<Cell> {
        let attribute = &self.attributes[index];
        let Some(text) = token.text() else {
            return Err(Error::format(format!("found {}, expected a value", token.described()))
                .in_column(&attribute.name)
                .remedy("write ? where a value is missing"));
        };
        let missing = matches!(token, Token::Word("?")) || self.missing.iter().any(|missing| missing == text);
        match &attribute.kind {
            Kind::Ignored => Ok(Cell::Ignored),
            Kind::Numeric if missing => Ok(Cell::Number(f64::NAN)),
            Kind::Nominal(_) if missing => Ok(Cell::Code(MISSING)),
            Kind::Numeric => match number::parse(text) {
                Some(value) if value.is_finite() => Ok(Cell::Number(value)),
                Some(_) => Err(Error::data(format!("found {text:?}, expected a finite number"))
                    .in_column(&attribute.name)
                    .remedy(format!("declare the value with --missing {text}"))),
                None => Err(Error::format(format!("found {text:?}, expected a number"))
                    .in_column(&attribute.name)
                    .remedy("write ? where a value is missing, or declare the attribute as nominal")),
            },
            Kind::Nominal(levels) => levels.get(text).map(Cell::Code).ok_or_else(|| {
                Error::format(format!("found {text:?}, expected one of: {}", listed(levels.levels())))
                    .in_column(&attribute.name)
                    .remedy("correct the value, or add it to the attribute's declaration")
            }),
        }
    }

    /// Reads a row of all values; its weight, where it has one, is answered.
    fn dense_row(&mut self, tokens: &mut Tokens) -> Result<Option<f64>> {
        let expected = self.attributes.len();
        for index in 0..expected {
            let token = tokens.next()?;
            if token == Token::End {
                return Err(ragged(index, expected));
            }
            match (self.cell(index, &token)?, &mut self.columns[index]) {
                (Cell::Number(value), Values::Numbers(column)) => column.values.push(value),
                (Cell::Code(code), Values::Codes(column)) => column.values.push(code),
                _ => {}
            }
            // Values are parted by a comma or, as Weka allows, by spaces alone.
            if index + 1 < expected {
                skip_comma(tokens)?;
            }
        }
        let before = tokens.clone();
        let mut more = 0;
        loop {
            match tokens.next()? {
                Token::End if more == 0 => return Ok(None),
                Token::End => return Err(ragged(expected + more, expected)),
                Token::Open if more == 0 => {
                    *tokens = before;
                    return weight(tokens);
                }
                Token::Word(_) | Token::Quoted(_) => more += 1,
                _ => {}
            }
        }
    }

    /// Reads a row of `index value` pairs behind its opening brace.
    fn sparse_row(&mut self, tokens: &mut Tokens) -> Result<Option<f64>> {
        let row = self.rows as u32;
        if self.dense {
            for column in &mut self.columns {
                match column {
                    Values::Numbers(column) => column.values.push(0.0),
                    Values::Codes(column) => column.values.push(0),
                    Values::Ignored => {}
                }
            }
        }
        // The smallest index that may come next.
        let mut next = 0;
        loop {
            let token = tokens.next()?;
            match &token {
                Token::Close => break,
                Token::Comma if next > 0 => continue,
                _ => {}
            }
            let index = self.sparse_index(&token, next)?;
            next = index + 1;
            let value = tokens.next()?;
            let cell = self.cell(index, &value)?;
            match (cell, &mut self.columns[index]) {
                (Cell::Number(value), Values::Numbers(column)) => place(column, row, value, 0.0, self.dense),
                (Cell::Code(code), Values::Codes(column)) => place(column, row, code, 0, self.dense),
                _ => {}
            }
        }
        weight(tokens)
    }

    fn sparse_index(&self, token: &Token, next: usize) -> Result<usize> {
        let count = self.attributes.len();
        let Some(index) = token.text().and_then(|text| text.parse::<usize>().ok()) else {
            return Err(Error::format(format!("found {}, expected the index of an attribute", token.described()))
                .remedy("write a sparse row as {index value, index value, …} on one line"));
        };
        if index >= count {
            return Err(Error::format(format!(
                "found the index {index}, but the {count} attributes are counted from 0 to {}",
                count - 1
            ))
            .remedy("correct the index"));
        }
        if index < next {
            return Err(Error::format(format!("found the index {index} behind {}", next - 1))
                .remedy("write the entries of a row in ascending order, each once"));
        }
        Ok(index)
    }

    /// Writes out the zeros of the sparse rows read so far.
    fn make_dense(&mut self) {
        if self.dense {
            return;
        }
        self.dense = true;
        for column in &mut self.columns {
            match column {
                Values::Numbers(column) => fill(column, self.rows),
                Values::Codes(column) => fill(column, self.rows),
                Values::Ignored => {}
            }
        }
    }

    /// The columns without the ignored ones, the weights if there are any, and the names of the ignored ones.
    pub fn finish(self) -> (Vec<Column>, Option<Vec<f64>>, Vec<String>) {
        let (mut columns, mut ignored) = (Vec::new(), Vec::new());
        for (attribute, values) in self.attributes.into_iter().zip(self.columns) {
            let levels = match attribute.kind {
                Kind::Nominal(levels) => levels.into_levels(),
                _ => Vec::new(),
            };
            let data = match values {
                Values::Ignored => {
                    ignored.push(attribute.name);
                    continue;
                }
                Values::Numbers(column) if self.dense => ColumnData::Numeric(fitted(column, self.rows).values),
                Values::Numbers(column) => ColumnData::SparseNumeric(fitted(column, self.rows)),
                Values::Codes(column) if self.dense => {
                    ColumnData::Nominal { levels, codes: fitted(column, self.rows).values }
                }
                Values::Codes(column) => ColumnData::SparseNominal { levels, codes: fitted(column, self.rows) },
            };
            columns.push(Column::new(attribute.name, data));
        }
        (columns, (!self.weights.is_empty()).then_some(self.weights), ignored)
    }
}

fn place<T: PartialEq>(column: &mut Sparse<T>, row: u32, value: T, zero: T, dense: bool) {
    if dense {
        column.values[row as usize] = value;
    } else if value != zero {
        column.rows.push(row);
        column.values.push(value);
    }
}

fn fill<T: Copy + Default>(column: &mut Sparse<T>, rows: usize) {
    let mut values = vec![T::default(); rows];
    for (&row, &value) in column.rows.iter().zip(&column.values) {
        values[row as usize] = value;
    }
    *column = Sparse { len: rows, rows: Vec::new(), values };
}

fn fitted<T>(mut column: Sparse<T>, rows: usize) -> Sparse<T> {
    column.len = rows;
    column.rows.shrink_to_fit();
    column.values.shrink_to_fit();
    column
}

fn skip_comma(tokens: &mut Tokens) -> Result<()> {
    if tokens.rest().trim_ascii_start().starts_with(',') {
        tokens.next()?;
    }
    Ok(())
}

/// What may follow a row: nothing, or its weight in braces.
fn weight(tokens: &mut Tokens) -> Result<Option<f64>> {
    let wrong = |token: &Token| {
        Err(Error::format(format!("found {} behind the row", token.described()))
            .remedy("only a weight may stand there: , {0.5}"))
    };
    match tokens.next()? {
        Token::End => return Ok(None),
        Token::Comma => match tokens.next()? {
            Token::Open => {}
            other => return wrong(&other),
        },
        Token::Open => {}
        other => return wrong(&other),
    }
    let token = tokens.next()?;
    let weight = token.text().and_then(number::parse).filter(|weight| weight.is_finite() && *weight >= 0.0);
    let Some(weight) = weight else {
        return Err(Error::format(format!("found {} as a weight, expected a number of at least 0", token.described()))
            .remedy("write a weight as , {0.5}"));
    };
    match (tokens.next()?, tokens.next()?) {
        (Token::Close, Token::End) => Ok(Some(weight)),
        (Token::Close, other) | (other, _) => wrong(&other),
    }
}

fn ragged(found: usize, expected: usize) -> Error {
    Error::format(format!("found {found} values, expected {expected}, one for each attribute"))
        .remedy("complete the row, or quote a value that holds a space or a comma")
}
