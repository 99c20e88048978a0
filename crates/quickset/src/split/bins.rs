//! Numeric columns cut into at most 255 bins, for scans that do not need every row's rank.

use std::borrow::Cow;

use crate::data::{Column, FewValues, NO_CODE, Value};

/// More rows than this are sampled, at even steps, to place the edges.
const MOST_SAMPLED: usize = 100_000;

/// A column as bin numbers.
#[derive(Debug)]
pub(crate) struct Bins<'d> {
    /// One bin per row of the dataset.
    pub codes: Cow<'d, [u8]>,
    /// What the bins stand for.
    pub marks: Marks<'d>,
}

/// What bins stand for.
#[derive(Debug)]
pub(crate) enum Marks<'d> {
    /// Bin `i` holds the values in (edges[i-1], edges[i]]: midpoints between neighbouring values.
    Edges(Vec<f64>),
    /// Bin `i` holds the value `i`.
    Values(&'d [f64]),
}

impl<'d> Bins<'d> {
    /// Bins of about equal numbers of rows, made from the training rows; one value per bin where few are different.
    pub fn by_frequency(column: &Column, rows: &[u32], most: usize) -> Self {
        let step = rows.len().div_ceil(MOST_SAMPLED).max(1);
        let mut sample: Vec<f64> = rows
            .iter()
            .step_by(step)
            .filter_map(|&row| match column.value(row as usize) {
                Value::Number(number) => Some(number),
                _ => None,
            })
            .collect();
        sample.sort_unstable_by(f64::total_cmp);
        let edges = edges(&sample, most);
        let codes = (0..column.len()).map(|row| code(&edges, column.value(row))).collect();
        Bins { codes, marks: Marks::Edges(edges) }
    }

    /// A bin for every value of a column that has few.
    pub fn by_value(few: &'d FewValues) -> Self {
        Bins { codes: Cow::Borrowed(&few.codes), marks: Marks::Values(&few.values) }
    }

    /// Number of bins.
    pub fn len(&self) -> usize {
        match &self.marks {
            Marks::Edges(edges) => edges.len() + 1,
            Marks::Values(values) => values.len(),
        }
    }
}

/// Cuts `sorted` values into at most `most` bins without separating equal ones.
fn edges(sorted: &[f64], most: usize) -> Vec<f64> {
    let mut distinct = sorted.to_vec();
    distinct.dedup();
    if distinct.len() <= most {
        return distinct.windows(2).map(|pair| midpoint(pair[0], pair[1])).collect();
    }
    let mut edges = Vec::new();
    let mut start = 0;
    while start < sorted.len() && edges.len() + 1 < most {
        // What is left is shared evenly by the bins that are left.
        let share = (sorted.len() - start).div_ceil(most - edges.len());
        let last = sorted[start + share - 1];
        let end = start + sorted[start..].partition_point(|&value| value <= last);
        if end == sorted.len() {
            break;
        }
        edges.push(midpoint(last, sorted[end]));
        start = end;
    }
    edges
}

/// The number halfway between two, or the lower where rounding would reach the upper.
pub(crate) fn midpoint(low: f64, high: f64) -> f64 {
    // Halves are added so that two huge numbers do not overflow; small numbers keep the exact sum.
    let sum = low + high;
    let middle = if sum.is_finite() { sum / 2.0 } else { low / 2.0 + high / 2.0 };
    if middle >= high { low } else { middle }
}

fn code(edges: &[f64], value: Value) -> u8 {
    match value {
        Value::Number(number) => lower_bound(edges, number) as u8,
        _ => NO_CODE,
    }
}

/// The number of edges below `number`, by halving without a branch that depends on the data.
#[inline]
fn lower_bound(edges: &[f64], number: f64) -> usize {
    let mut base = 0;
    let mut size = edges.len();
    while size > 0 {
        let half = size.div_ceil(2);
        base += if edges[base + half - 1] < number { half } else { 0 };
        size -= half;
    }
    base
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_value_is_in_the_bin_between_its_edges(
            values in prop::collection::vec((-20i32..20).prop_map(|v| f64::from(v) / 4.0), 1..200),
            most in 2usize..20,
        ) {
            let rows: Vec<u32> = (0..values.len() as u32).collect();
            let bins = Bins::by_frequency(&Column::numeric("x", values.clone()), &rows, most);
            prop_assert!(bins.len() <= most);
            let Marks::Edges(edges) = &bins.marks else { panic!("edges") };
            for (&value, &code) in values.iter().zip(bins.codes.iter()) {
                prop_assert_eq!(usize::from(code), edges.iter().filter(|&&edge| edge < value).count());
            }
            let mut distinct = values.clone();
            distinct.sort_by(f64::total_cmp);
            distinct.dedup();
            if distinct.len() <= most {
                prop_assert_eq!(bins.len(), distinct.len(), "few values have a bin each");
            }
        }
    }

    #[test]
    fn the_midpoint_never_reaches_the_upper_value() {
        assert_eq!(midpoint(1.0, 2.0), 1.5);
        assert_eq!(midpoint(f64::MAX / 1.5, f64::MAX), f64::MAX / 3.0 + f64::MAX / 2.0);
        let next = f64::from_bits(1.0f64.to_bits() + 1);
        assert_eq!(midpoint(1.0, next), 1.0);
    }

    #[test]
    fn a_missing_value_has_no_bin() {
        let bins = Bins::by_frequency(&Column::numeric("x", vec![1.0, f64::NAN, 2.0]), &[0, 1, 2], 255);
        assert_eq!(*bins.codes, [0, NO_CODE, 1]);
    }
}
