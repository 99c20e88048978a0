//! Fits the columns of some data to what a model was trained on: by name, and level by level.

use std::cell::LazyCell;
use std::collections::HashMap;
use std::ops::Range;

use super::{Attribute, Model, NaiveBayes, Node};
use crate::data::{Column, ColumnData, Dataset, Value};
use crate::error::{Error, Result};

/// The columns a model reads, in the order of its attributes. Attributes that it does not use are not looked for.
pub(super) struct Binding<'d> {
    columns: Vec<Option<Bound<'d>>>,
}

/// A column and, for levels, what each of its codes means to the model.
struct Bound<'d> {
    column: &'d Column,
    translate: Translate,
}

enum Translate {
    /// Numbers stay as they are.
    Number,
    /// The data's code to the model's; `None` is a level that training never saw.
    Code(Vec<Option<u32>>),
    /// The data has numbers where the model has levels that read as numbers.
    NumberToLevel(Vec<(f64, u32)>),
    /// The data has truth values where the model has 0 and 1.
    LevelToNumber(Vec<f64>),
}

impl<'d> Binding<'d> {
    /// Looks up every attribute that the model's tree tests or its leaves ask for.
    pub fn new(model: &Model, data: &'d Dataset) -> Result<Self> {
        let schema = model.schema();
        let mut used = vec![false; schema.attributes.len()];
        for node in model.tree().nodes() {
            if let Node::Inner { split, .. } = node {
                used[split.attribute()] = true;
            }
            node.bayes().into_iter().flat_map(NaiveBayes::used).for_each(|attribute| used[attribute] = true);
        }
        let names =
            LazyCell::new(|| data.attributes().iter().zip(0..).map(|(column, at)| (column.name(), at)).collect());
        let column = |index: usize| {
            let name = &*schema.attributes[index].name;
            // Most data have the columns of the training data in their order.
            let in_place = data.attributes().get(index).filter(|column| column.name() == name);
            in_place.or_else(|| {
                let names: &HashMap<&str, usize> = &names;
                names.get(name).map(|&at| &data.attributes()[at])
            })
        };
        let bound = |index| Bound::new(&schema.attributes[index], column(index));
        let columns = used
            .iter()
            .enumerate()
            .map(|(index, &used)| if used { bound(index).map(Some) } else { Ok(None) })
            .collect::<Result<_>>()?;
        Ok(Binding { columns })
    }

    /// The value of an attribute, as the model understands it. What training never saw is missing.
    pub fn value(&self, attribute: usize, row: usize) -> Value {
        let Some(bound) = &self.columns[attribute] else { return Value::Missing };
        bound.translated(bound.column.value(row))
    }

    /// What the column of an attribute leaves out, if it is sparse.
    pub fn zero(&self, attribute: usize) -> Option<Value> {
        let bound = self.columns[attribute].as_ref()?;
        match bound.column.data() {
            ColumnData::SparseNumeric(_) => Some(bound.translated(Value::Number(0.0))),
            ColumnData::SparseNominal { .. } => Some(bound.translated(Value::Level(0))),
            _ => None,
        }
    }

    /// The entries of an attribute's column, if it is sparse: rows, ascending, with their values.
    pub fn entries(&self, attribute: usize, mut give: impl FnMut(usize, Value)) {
        let Some(bound) = &self.columns[attribute] else { return };
        match bound.column.data() {
            ColumnData::SparseNumeric(sparse) => {
                let entries = sparse.rows.iter().zip(&sparse.values);
                entries.for_each(|(&row, &value)| give(row as usize, bound.translated(Value::number(value))));
            }
            ColumnData::SparseNominal { codes, .. } => {
                let entries = codes.rows.iter().zip(&codes.values);
                entries.for_each(|(&row, &code)| give(row as usize, bound.translated(Value::level(code))));
            }
            _ => {}
        }
    }

    /// The numbers of some rows where they are stored in double precision.
    pub fn doubles(&self, attribute: usize, rows: &Range<usize>) -> Option<&'d [f64]> {
        match self.columns[attribute].as_ref()?.column.data() {
            ColumnData::Numeric(values) => Some(&values[rows.clone()]),
            _ => None,
        }
    }

    /// The numbers of some rows where they are stored in single precision.
    pub fn singles(&self, attribute: usize, rows: &Range<usize>) -> Option<&'d [f32]> {
        match self.columns[attribute].as_ref()?.column.data() {
            ColumnData::Numeric32(values) => Some(&values[rows.clone()]),
            _ => None,
        }
    }

    /// Copies the numbers of `rows` into `block`; missing is NaN. Only for numeric attributes.
    pub fn numbers(&self, attribute: usize, rows: Range<usize>, block: &mut [f64]) {
        let Some(bound) = &self.columns[attribute] else { return block.fill(f64::NAN) };
        match bound.column.data() {
            ColumnData::Numeric(values) => block.copy_from_slice(&values[rows]),
            ColumnData::Numeric32(values) => {
                block.iter_mut().zip(&values[rows]).for_each(|(to, &from)| *to = f64::from(from));
            }
            ColumnData::SparseNumeric(sparse) => {
                block.fill(0.0);
                let first = sparse.rows.partition_point(|&row| (row as usize) < rows.start);
                let listed = sparse.rows[first..].iter().zip(&sparse.values[first..]);
                for (&row, &value) in listed.take_while(|(row, _)| (**row as usize) < rows.end) {
                    block[row as usize - rows.start] = value;
                }
            }
            _ => {
                for (to, row) in block.iter_mut().zip(rows) {
                    *to = match self.value(attribute, row) {
                        Value::Number(number) => number,
                        _ => f64::NAN,
                    };
                }
            }
        }
    }
}

impl<'d> Bound<'d> {
    fn new(attribute: &Attribute, column: Option<&'d Column>) -> Result<Self> {
        let Some(column) = column else {
            return Err(Error::data("the data lack this column, which the model tests")
                .in_column(&*attribute.name)
                .remedy("add it; columns are matched by name, in any order"));
        };
        let translate = match (&attribute.levels, column.levels()) {
            (None, None) => Translate::Number,
            (Some(known), Some(found)) => {
                let codes: HashMap<&String, u32> = known.iter().zip(0..).collect();
                // `True` is `true`, whoever wrote it.
                let alike = |level: &str| {
                    let truth = truth(level)?;
                    known.iter().position(|known| self::truth(known) == Some(truth)).map(|code| code as u32)
                };
                let code = |level: &String| codes.get(level).copied().or_else(|| alike(level));
                Translate::Code(found.iter().map(code).collect())
            }
            (Some(known), None) => {
                let number = |level: &String| level.parse().ok().or_else(|| truth(level));
                let levels: Vec<(f64, u32)> =
                    known.iter().zip(0..).filter_map(|(level, code)| Some((number(level)?, code))).collect();
                if levels.is_empty() && column.missing_count() < column.len() {
                    let expected = known.first().map_or("", String::as_str);
                    return Err(Error::data(format!("found numbers, expected levels such as {expected:?}"))
                        .in_column(&*attribute.name)
                        .remedy("give the column as it was in training"));
                }
                Translate::NumberToLevel(levels)
            }
            (None, Some(found)) if found.iter().all(|level| truth(level).is_some()) && !found.is_empty() => {
                Translate::LevelToNumber(found.iter().filter_map(|level| truth(level)).collect())
            }
            // A column without any known value has no levels and no numbers: all missing.
            (None, Some([])) => Translate::Code(Vec::new()),
            (None, Some(found)) => {
                return Err(Error::data(format!(
                    "found levels such as {:?}, expected numbers as in training",
                    found[0]
                ))
                .in_column(&*attribute.name)
                .remedy("correct the values, or mark the word as missing with --missing"));
            }
        };
        Ok(Bound { column, translate })
    }

    /// A value of the column as the model understands it.
    fn translated(&self, value: Value) -> Value {
        match (&self.translate, value) {
            (Translate::Number, value) => value,
            (Translate::Code(codes), Value::Level(code)) => codes[code as usize].map_or(Value::Missing, Value::Level),
            (Translate::NumberToLevel(levels), Value::Number(number)) => {
                let found = levels.iter().find(|(level, _)| *level == number);
                found.map_or(Value::Missing, |&(_, code)| Value::Level(code))
            }
            (Translate::LevelToNumber(numbers), Value::Level(code)) => Value::Number(numbers[code as usize]),
            _ => Value::Missing,
        }
    }
}

/// A truth value as the number that stands for it elsewhere.
fn truth(level: &str) -> Option<f64> {
    let is = |word: &str| level.eq_ignore_ascii_case(word);
    if is("false") {
        Some(0.0)
    } else if is("true") {
        Some(1.0)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use crate::data::{Column, Dataset};
    use crate::model::testing::{inner, leaf, model};
    use crate::recipe::Recipe;
    use crate::split::Split;

    fn predicted(levels: &[&str], split: Split, column: Column) -> crate::error::Result<Vec<u16>> {
        let nodes = vec![inner(&[1.0, 1.0], split, &[1, 2]), leaf(&[1.0, 0.0]), leaf(&[0.0, 1.0])];
        let model = model(Recipe::c45(), &[("x", levels)], &["no", "yes"], nodes);
        model.predict(&Dataset::new(vec![column]).unwrap())
    }

    #[test]
    fn truth_values_are_known_however_they_are_written() {
        let (by_level, by_number) = (Split::Levels { attribute: 0 }, Split::Threshold { attribute: 0, cut: 0.5 });
        let words = || Column::from_texts("x", [Some("True"), Some("False")]);
        let numbers = || Column::numeric("x", vec![1.0, 0.0]);
        assert_eq!(predicted(&["false", "true"], by_level.clone(), words()).unwrap(), [1, 0]);
        assert_eq!(predicted(&["false", "true"], by_level, numbers()).unwrap(), [1, 0]);
        assert_eq!(predicted(&[], by_number, words()).unwrap(), [1, 0]);
    }

    #[test]
    fn numbers_are_no_words_and_words_no_numbers() {
        let (by_level, by_number) = (Split::Levels { attribute: 0 }, Split::Threshold { attribute: 0, cut: 0.5 });
        let error = predicted(&["red", "blue"], by_level.clone(), Column::numeric("x", vec![1.0])).unwrap_err();
        assert!(error.to_string().contains("found numbers, expected levels such as \"red\""), "{error}");
        assert!(predicted(&["red", "blue"], by_level, Column::numeric("x", vec![f64::NAN])).is_ok());
        assert!(predicted(&[], by_number, Column::from_texts("x", [Some("red")])).is_err());
    }
}
