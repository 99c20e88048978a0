//! Numbers brought to the unit in which bandwidths are told.

use serde::{Deserialize, Serialize};

use crate::data::{Column, ColumnData};

/// The range of a number in the training rows: 0 stands for its least value, 1 for its greatest.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Scale {
    low: f64,
    high: f64,
}

impl Scale {
    /// That of numbers which are on one already.
    pub const UNIT: Scale = Scale { low: 0.0, high: 1.0 };

    /// Of the finite values that some rows, which ascend, have in a column; `None` where there are none, as in a nominal column.
    pub fn of(column: &Column, rows: &[u32]) -> Option<Self> {
        match column.data() {
            ColumnData::Nominal { .. } | ColumnData::SparseNominal { .. } => None,
            ColumnData::Numeric(values) => Self::around(rows.iter().map(|&row| values[row as usize])),
            ColumnData::Numeric32(values) => Self::around(rows.iter().map(|&row| f64::from(values[row as usize]))),
            ColumnData::SparseNumeric(sparse) => {
                let trains = |row: u32| rows.binary_search(&row).is_ok();
                let listed = sparse.rows.iter().zip(&sparse.values).filter(|(row, _)| trains(**row));
                let zero = (listed.clone().count() < rows.len()).then_some(0.0);
                Self::around(listed.map(|(_, &value)| value).chain(zero))
            }
        }
    }

    fn around(values: impl Iterator<Item = f64>) -> Option<Self> {
        values.filter(|value| value.is_finite()).fold(None, |range, value| match range {
            None => Some(Scale { low: value, high: value }),
            Some(Scale { low, high }) => Some(Scale { low: low.min(value), high: high.max(value) }),
        })
    }

    /// A number on this scale. Far beyond its ends all are as one.
    pub fn of_number(&self, number: f64) -> f64 {
        /// No kernel reaches so far.
        const FAR: f64 = 1e6;
        // Half of the numbers, since the difference of two may be too large for one.
        let (above, range) = (number / 2.0 - self.low / 2.0, self.high / 2.0 - self.low / 2.0);
        let scaled = if range > 0.0 { above / range } else { above };
        scaled.clamp(-FAR, FAR)
    }

    /// A part of the range, in the numbers' own unit.
    pub fn part(&self, share: f64) -> f64 {
        share * self.high - share * self.low
    }

    /// Whether it is a range of numbers.
    pub fn is_sound(&self) -> bool {
        self.low.is_finite() && self.high.is_finite() && self.low <= self.high
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Sparse;

    #[test]
    fn the_least_is_zero_and_the_greatest_one() {
        let column = Column::numeric("x", vec![3.0, f64::NAN, 5.0, -1.0, 900.0]);
        let scale = Scale::of(&column, &[0, 1, 2, 3]).unwrap();
        assert_eq!([-1.0, 2.0, 5.0].map(|x| scale.of_number(x)), [0.0, 0.5, 1.0]);
        assert_eq!(Scale::of(&Column::numeric("x", vec![f64::NAN]), &[0]), None);
        assert_eq!(Scale::of(&Column::from_texts("x", [Some("a")]), &[0]), None);
    }

    #[test]
    fn huge_and_equal_numbers_stay_finite() {
        let huge = Scale { low: -f64::MAX, high: f64::MAX };
        assert_eq!([-f64::MAX, 0.0, f64::MAX].map(|x| huge.of_number(x)), [0.0, 0.5, 1.0]);
        let one = Scale { low: 7.0, high: 7.0 };
        assert_eq!(one.of_number(7.0), 0.0);
        assert!([f64::INFINITY, -f64::MAX, 8.0].iter().all(|&x| one.of_number(x).is_finite()));
        let tiny = Scale { low: 0.0, high: 5e-324 };
        assert!([0.0, 5e-324, 1.0].iter().all(|&x| tiny.of_number(x).is_finite()));
    }

    #[test]
    fn zeros_of_a_sparse_column_count() {
        let sparse = Sparse { len: 3, rows: vec![0, 2], values: vec![4.0, 2.0] };
        let column = Column::new("x", ColumnData::SparseNumeric(sparse));
        assert_eq!(Scale::of(&column, &[0, 1, 2]), Some(Scale { low: 0.0, high: 4.0 }));
        assert_eq!(Scale::of(&column, &[0, 2]), Some(Scale { low: 2.0, high: 4.0 }));
    }
}
