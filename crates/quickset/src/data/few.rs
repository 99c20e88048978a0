//! Numeric columns of few different values: a code per row instead of a sorted order.

use super::column::{Column, ColumnData};

/// The code of a missing value.
pub(crate) const NO_CODE: u8 = u8::MAX;

/// A column of at most this many different values is counted by value: cheaper than sorted lists, and as exact.
const MOST: usize = 64;

/// The values of a column that has few, and which of them each row has.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FewValues {
    /// One per row; [`NO_CODE`] where the value is missing.
    pub codes: Vec<u8>,
    /// What the codes stand for, ascending.
    pub values: Vec<f64>,
}

impl FewValues {
    /// The values of a dense numeric column, or `None` where it has many.
    pub(super) fn of(column: &Column) -> Option<Self> {
        match column.data() {
            ColumnData::Numeric(values) => Self::find(values.iter().copied()),
            ColumnData::Numeric32(values) => Self::find(values.iter().map(|&value| f64::from(value))),
            _ => None,
        }
    }

    fn find(values: impl ExactSizeIterator<Item = f64> + Clone) -> Option<Self> {
        let mut seen = Seen::default();
        let mut codes = Vec::with_capacity(values.len());
        for value in values {
            // Adding zero makes -0 and 0 one value.
            codes.push(if value.is_nan() { NO_CODE } else { seen.number(value + 0.0)? });
        }
        // Codes were given in order of appearance; they are to ascend with the value.
        let mut order: Vec<usize> = (0..seen.values.len()).collect();
        order.sort_by(|&a, &b| seen.values[a].total_cmp(&seen.values[b]));
        let mut renumbered = [NO_CODE; 256];
        for (place, &code) in order.iter().enumerate() {
            renumbered[code] = place as u8;
        }
        codes.iter_mut().for_each(|code| *code = renumbered[usize::from(*code)]);
        Some(FewValues { codes, values: order.into_iter().map(|code| seen.values[code]).collect() })
    }
}

/// Values in order of appearance, found again by hashing into a table that is at most a quarter full.
struct Seen {
    slots: [u8; Self::SLOTS],
    values: Vec<f64>,
}

impl Default for Seen {
    fn default() -> Self {
        Seen { slots: [NO_CODE; Self::SLOTS], values: Vec::new() }
    }
}

impl Seen {
    const SLOTS: usize = 256;

    /// The number of a value, a new one if it is new; `None` once there are too many.
    #[inline]
    fn number(&mut self, value: f64) -> Option<u8> {
        // Multiplying spreads the high bits, in which small integers differ, over the top byte.
        let mut slot = (value.to_bits().wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 56) as usize;
        loop {
            match self.slots[slot] {
                NO_CODE if self.values.len() == MOST => return None,
                NO_CODE => {
                    self.slots[slot] = self.values.len() as u8;
                    self.values.push(value);
                }
                code if self.values[usize::from(code)] == value => return Some(code),
                _ => slot = (slot + 1) % Self::SLOTS,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn codes_are_the_ranks_of_the_sorted_order(
            cells in prop::collection::vec(prop_oneof![Just(f64::NAN), (-80i32..80).prop_map(|v| f64::from(v) / 2.0)], 0..300),
        ) {
            let column = Column::numeric("x", cells.clone());
            let mut distinct: Vec<f64> = cells.iter().copied().filter(|v| !v.is_nan()).map(|v| v + 0.0).collect();
            distinct.sort_by(f64::total_cmp);
            distinct.dedup();
            match column.few_values() {
                None => prop_assert!(distinct.len() > MOST),
                Some(few) => {
                    prop_assert_eq!(&few.values, &distinct);
                    for entry in column.order().entries() {
                        prop_assert_eq!(u32::from(few.codes[entry.row() as usize]), entry.rank());
                    }
                    prop_assert_eq!(few.codes.iter().filter(|&&code| code == NO_CODE).count(), column.missing_count());
                }
            }
        }
    }
}
