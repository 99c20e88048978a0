//! Prediction straight from a matrix whose rows lie one after the other, as other libraries keep them: columns would have
//! to be copied first, which takes longer than most trees do.

use rayon::prelude::*;

use super::flat::{FlatTree, LANES, Number};
use super::predict::{BLOCK, add, most_probable};
use super::{Model, NodeId};
use crate::data::Value;
use crate::error::{Error, Result};

/// Numbers in single or double precision; NaN is missing.
#[derive(Clone, Copy, Debug)]
pub enum Numbers<'a> {
    /// In single precision.
    Single(&'a [f32]),
    /// In double precision.
    Double(&'a [f64]),
}

impl Model {
    /// The class code of every row of a matrix with a column for every attribute. `None` where more than thresholds decide,
    /// such as levels or naive Bayes leaves: these are asked by [`Model::predict`].
    pub fn predict_matrix(&self, numbers: Numbers<'_>) -> Result<Option<Vec<u16>>> {
        match numbers {
            Numbers::Single(numbers) => self.predict_numbers(numbers),
            Numbers::Double(numbers) => self.predict_numbers(numbers),
        }
    }

    fn predict_numbers<T: Number>(&self, numbers: &[T]) -> Result<Option<Vec<u16>>> {
        let width = self.schema.attributes.len();
        if width == 0 || !numbers.len().is_multiple_of(width) {
            return Err(Error::data(format!("{} numbers are not rows of {width} attributes", numbers.len())));
        }
        let Some(flat) = FlatTree::of(self) else { return Ok(None) };
        let nodes = flat.for_rows::<T>();
        let mut codes = vec![0; numbers.len() / width];
        let blocks = codes.par_chunks_mut(BLOCK).zip(numbers.par_chunks(BLOCK * width)).enumerate();
        blocks.try_for_each(|(block, (codes, rows))| {
            for (number, (codes, rows)) in codes.chunks_mut(LANES).zip(rows.chunks(LANES * width)).enumerate() {
                // Looking at all numbers also brings them into the cache.
                if rows.iter().fold(true, |finite, number| finite & number.is_finite()) {
                    flat.predict_rows(&nodes, rows, width, codes);
                } else {
                    let first = block * BLOCK + number * LANES;
                    self.predict_one_by_one(rows, width, first, codes)?;
                }
            }
            Ok(())
        })?;
        Ok(Some(codes))
    }

    /// Rows of which some have missing values. `first` is the number of the first.
    fn predict_one_by_one<T: Number>(&self, rows: &[T], width: usize, first: usize, codes: &mut [u16]) -> Result<()> {
        let mut sum = vec![0.0; self.schema.classes.len()];
        for (at, (row, code)) in rows.chunks_exact(width).zip(codes).enumerate() {
            if let Some(column) = row.iter().position(|number| !number.is_finite() && !number.is_missing()) {
                return Err(Error::data(format!("row {} is infinite, expected a finite number", first + at + 1))
                    .in_column(&*self.schema.attributes[column].name)
                    .remedy("replace it by NaN or a finite number"));
            }
            sum.fill(0.0);
            let value = |attribute: usize| Value::number(row[attribute].double());
            self.descend(&value, NodeId::ROOT, 1.0, &mut |leaf, share| add(self.probabilities(leaf), share, &mut sum));
            *code = most_probable(&sum);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::data::{Column, Dataset};
    use crate::{Learner, Recipe};

    fn columns(rows: &[[f64; 3]]) -> Vec<Column> {
        let column = |at: usize| Column::numeric(format!("x{at}"), rows.iter().map(|row| row[at]).collect());
        (0..3).map(column).collect()
    }

    proptest! {
        #[test]
        fn rows_are_predicted_as_columns_are(
            rows in prop::collection::vec(prop::array::uniform3(prop_oneof![6 => (0..8).prop_map(f64::from), 1 => Just(f64::NAN)]), 2..400),
        ) {
            let class = |row: &[f64; 3]| if row[0] > row[1] { "a" } else if row[2] > 3.0 { "b" } else { "c" };
            let mut labelled = columns(&rows);
            labelled.push(Column::from_texts("class", rows.iter().map(|row| Some(class(row)))));
            let data = Dataset::new(labelled).unwrap().with_last_as_target().unwrap();
            for recipe in [Recipe::c45(), Recipe::id3(), Recipe::nt()] {
                let Ok(model) = Learner::new(recipe).unwrap().fit(&data) else { continue };
                let doubles = rows.concat();
                let singles: Vec<f32> = doubles.iter().map(|&number| number as f32).collect();
                if let Some(predicted) = model.predict_matrix(Numbers::Double(&doubles)).unwrap() {
                    prop_assert_eq!(&predicted, &model.predict(&data).unwrap());
                    prop_assert_eq!(Some(predicted), model.predict_matrix(Numbers::Single(&singles)).unwrap());
                } else {
                    prop_assert_eq!(model.tree().leaves(), 1);
                }
            }
        }
    }

    #[test]
    fn infinite_numbers_and_other_widths_are_refused() {
        let rows: Vec<[f64; 3]> = (0..40).map(|row| [f64::from(row), 0.0, 1.0]).collect();
        let mut labelled = columns(&rows);
        labelled.push(Column::from_texts("class", (0..40).map(|row| Some(if row < 20 { "a" } else { "b" }))));
        let data = Dataset::new(labelled).unwrap().with_last_as_target().unwrap();
        let model = Learner::new(Recipe::c45()).unwrap().fit(&data).unwrap();
        let mut numbers = rows.concat();
        assert!(model.predict_matrix(Numbers::Double(&numbers[1..])).is_err());
        numbers[3 * 7 + 1] = f64::NEG_INFINITY;
        let error = model.predict_matrix(Numbers::Double(&numbers)).unwrap_err().to_string();
        assert!(error.contains("\"x1\"") && error.contains("row 8 is infinite"), "{error}");
    }
}
