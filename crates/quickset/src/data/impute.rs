//! Missing values replaced over a whole table, as some published studies did before dividing it.
//!
//! A model evaluated on such data has seen something of its test rows: for reproducing those studies only.

use super::column::{Column, ColumnData, MISSING, Value};
use super::dataset::{Class, Dataset, NO_CLASS};
use super::sparse::Sparse;
use crate::error::Result;

/// Replaces missing numbers by the mean of their column and missing levels by the heaviest level, the first of equal
/// ones. The class stays as it is. A column without any known value stays missing.
pub fn mode_mean(data: &Dataset) -> Result<Dataset> {
    let weight = |row: usize| data.weights().map_or(1.0, |weights| weights[row]);
    let mut columns: Vec<Column> = data.attributes().iter().map(|column| imputed(column, &weight)).collect();
    if let Some(class) = data.class() {
        columns.insert(data.class_position(), as_column(class));
    }
    let mut filled = Dataset::new(columns)?;
    if let Some(class) = data.class() {
        filled = filled.with_target(&class.name)?;
    }
    if let Some(weights) = data.weights() {
        filled = filled.with_weights(weights.to_vec())?;
    }
    Ok(data.notes().iter().cloned().fold(filled, Dataset::with_note))
}

/// The missing values of all attributes replaced by what the rows of some weight have.
pub(crate) fn fitted(data: &Dataset, weight: &impl Fn(usize) -> f64) -> Dataset {
    data.with_attributes(data.attributes().iter().map(|column| imputed(column, weight)).collect())
}

/// The mean of a column or its heaviest level, the first of equal ones; missing where nothing is known. `total` is the
/// weight of all rows.
pub(crate) fn constant(column: &Column, total: f64, weight: &impl Fn(usize) -> f64) -> Value {
    match column.data() {
        ColumnData::Numeric(values) => Value::number(mean(values, |value| value, weight)),
        ColumnData::Numeric32(values) => {
            // As the column would store it: a row that gets it must go where the constant goes.
            let mean = mean(values, f64::from, weight);
            Value::number(f64::from(mean as f32))
        }
        ColumnData::Nominal { levels, codes } => {
            Value::level(mode(levels.len(), codes.iter().copied().enumerate(), weight))
        }
        ColumnData::SparseNumeric(sparse) => {
            // The zeros add nothing to the sum.
            let (mut sum, mut weights) = (0.0, total);
            for (&row, &value) in sparse.rows.iter().zip(&sparse.values) {
                let weight = weight(row as usize);
                sum += if value.is_nan() { 0.0 } else { weight * value };
                weights -= if value.is_nan() { weight } else { 0.0 };
            }
            Value::number(sum / weights)
        }
        ColumnData::SparseNominal { levels, codes } => Value::level(mode(levels.len(), codes.dense(0), weight)),
    }
}

fn imputed(column: &Column, weight: &impl Fn(usize) -> f64) -> Column {
    if column.missing_count() == 0 {
        return column.clone();
    }
    let total = (0..column.len()).map(weight).sum();
    let constant = constant(column, total, weight);
    let (mean, mode) = match constant {
        Value::Number(mean) => (mean, MISSING),
        Value::Level(mode) => (f64::NAN, mode),
        Value::Missing => return column.clone(),
    };
    let number = |value: f64| if value.is_nan() { mean } else { value };
    let level = |code: u32| if code == MISSING { mode } else { code };
    let data = match column.data() {
        ColumnData::Numeric(values) => ColumnData::Numeric(values.iter().map(|&value| number(value)).collect()),
        ColumnData::Numeric32(values) => {
            ColumnData::Numeric32(values.iter().map(|&value| number(f64::from(value)) as f32).collect())
        }
        ColumnData::Nominal { levels, codes } => {
            ColumnData::Nominal { levels: levels.clone(), codes: codes.iter().map(|&code| level(code)).collect() }
        }
        ColumnData::SparseNumeric(sparse) => ColumnData::SparseNumeric(replaced(sparse, number, &0.0)),
        ColumnData::SparseNominal { levels, codes } => {
            ColumnData::SparseNominal { levels: levels.clone(), codes: replaced(codes, level, &0) }
        }
    };
    Column::new(column.name(), data)
}

/// NaN where nothing is known. Several sums, so that none waits for the last.
fn mean<T: Copy>(values: &[T], number: impl Fn(T) -> f64, weight: &impl Fn(usize) -> f64) -> f64 {
    const LANES: usize = 8;
    let (mut sums, mut totals) = ([0.0; LANES], [0.0; LANES]);
    let mut add = |lane: usize, row: usize, value: f64| {
        let weight = if value.is_nan() { 0.0 } else { weight(row) };
        sums[lane] += if value.is_nan() { 0.0 } else { weight * value };
        totals[lane] += weight;
    };
    let (chunks, rest) = values.as_chunks::<LANES>();
    for (chunk, values) in chunks.iter().enumerate() {
        (0..LANES).for_each(|lane| add(lane, chunk * LANES + lane, number(values[lane])));
    }
    rest.iter().enumerate().for_each(|(lane, &value)| add(lane, chunks.len() * LANES + lane, number(value)));
    sums.iter().sum::<f64>() / totals.iter().sum::<f64>()
}

/// [`MISSING`] where nothing is known. Several sums, as in [`mean`].
fn mode(levels: usize, codes: impl Iterator<Item = (usize, u32)>, weight: &impl Fn(usize) -> f64) -> u32 {
    const LANES: usize = 4;
    let mut weights = vec![[0.0; LANES]; levels];
    for (row, code) in codes.filter(|&(_, code)| code != MISSING) {
        weights[code as usize][row % LANES] += weight(row);
    }
    let mut heaviest = MISSING;
    let mut most = 0.0;
    for (code, weights) in weights.iter().enumerate() {
        let weight = weights.iter().sum();
        if weight > most {
            (heaviest, most) = (code as u32, weight);
        }
    }
    heaviest
}

/// Entries that become zero are left out, as sparse storage demands.
fn replaced<T: Copy + PartialEq>(sparse: &Sparse<T>, replace: impl Fn(T) -> T, zero: &T) -> Sparse<T> {
    let entries = sparse.rows.iter().zip(&sparse.values).map(|(&row, &value)| (row, replace(value)));
    let (rows, values) = entries.filter(|(_, value)| value != zero).unzip();
    Sparse { len: sparse.len, rows, values }
}

fn as_column(class: &Class) -> Column {
    let code = |&code: &u16| if code == NO_CLASS { MISSING } else { u32::from(code) };
    let codes = class.codes.iter().map(code).collect();
    Column::new(&class.name, ColumnData::Nominal { levels: class.levels.clone(), codes })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(column: &Column) -> Vec<Value> {
        (0..column.len()).map(|row| column.value(row)).collect()
    }

    #[test]
    fn a_filled_number_is_the_constant_in_single_precision_too() {
        let column = Column::new("x", ColumnData::Numeric32(vec![0.1, 0.2, 0.4, f32::NAN]));
        let filled = imputed(&column, &|_| 1.0);
        assert_eq!(filled.value(3), constant(&column, 4.0, &|_| 1.0));
    }

    #[test]
    fn numbers_get_the_mean_and_levels_the_mode_but_the_class_nothing() {
        let data = Dataset::new(vec![
            Column::numeric("x", vec![1.0, f64::NAN, 3.0, 5.0]),
            Column::from_texts("y", [Some("a"), None, Some("b"), Some("b")]),
            Column::from_texts("n", [Some("u"), Some("v"), Some("v"), None]),
            Column::numeric("empty", vec![f64::NAN; 4]),
        ])
        .unwrap()
        .with_target("y")
        .unwrap();
        let filled = mode_mean(&data).unwrap();
        assert_eq!(filled.class().unwrap().codes, [0, NO_CLASS, 1, 1]);
        assert_eq!(filled.class_position(), 1);
        assert_eq!(cells(&filled.attributes()[0])[1], Value::Number(3.0));
        assert_eq!(cells(&filled.attributes()[1])[3], Value::Level(1));
        assert_eq!(filled.attributes()[2].missing_count(), 4);
    }

    #[test]
    fn weights_count_and_the_first_of_equal_levels_wins() {
        let data = Dataset::new(vec![
            Column::numeric("x", vec![1.0, 5.0, f64::NAN]),
            Column::from_texts("n", [Some("a"), Some("b"), None]),
        ])
        .unwrap();
        let equal = mode_mean(&data).unwrap();
        assert_eq!(equal.attributes()[1].value(2), Value::Level(0));
        let weighted = mode_mean(&data.with_weights(vec![1.0, 3.0, 1.0]).unwrap()).unwrap();
        assert_eq!(weighted.attributes()[0].value(2), Value::Number(4.0));
        assert_eq!(weighted.attributes()[1].value(2), Value::Level(1));
        assert_eq!(weighted.weights().unwrap(), [1.0, 3.0, 1.0]);
    }

    #[test]
    fn sparse_columns_stay_sparse_and_their_zeros_count() {
        let numbers = Sparse { len: 4, rows: vec![1, 3], values: vec![6.0, f64::NAN] };
        let codes = Sparse { len: 4, rows: vec![0, 2], values: vec![1, MISSING] };
        let levels = vec!["no".to_string(), "yes".to_string()];
        let data = Dataset::new(vec![
            Column::new("x", ColumnData::SparseNumeric(numbers)),
            Column::new("n", ColumnData::SparseNominal { levels, codes }),
        ])
        .unwrap();
        let filled = mode_mean(&data).unwrap();
        assert_eq!(filled.attributes()[0].value(3), Value::Number(2.0));
        let ColumnData::SparseNominal { codes, .. } = filled.attributes()[1].data() else { panic!("it was sparse") };
        assert_eq!(codes, &Sparse { len: 4, rows: vec![0], values: vec![1] });
    }
}
