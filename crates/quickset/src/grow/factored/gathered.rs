//! The columns of a node's rows, side by side: nodes below that count their own tables read from here, not from columns of
//! which they have one row in hundreds.

use rayon::prelude::*;

use super::counting::{Counting, Values};
use crate::data::Column;

/// The values of some rows.
#[derive(Debug)]
pub(super) struct Gathered {
    /// Ascending.
    rows: Vec<u32>,
    /// By attribute; `None` where it is out.
    columns: Vec<Option<Values<'static>>>,
}

impl Gathered {
    /// Of the rows that are counted, from those of a node above, where there are any.
    pub fn new(
        counting: &Counting<'_>,
        attributes: &[Column],
        above: Option<&Gathered>,
        is_out: impl Fn(usize) -> bool + Sync,
    ) -> Self {
        let rows = counting.rows();
        let places = above.map(|above| above.places(rows));
        let column = |(attribute, column): (usize, &Column)| match (above, &places) {
            _ if is_out(attribute) => None,
            (Some(above), Some(places)) => above.columns[attribute].as_ref().map(|values| values.at(places)),
            _ => Some(counting.gather(column).into_owned()),
        };
        Gathered { rows: rows.to_vec(), columns: attributes.par_iter().enumerate().map(column).collect() }
    }

    /// The values of an attribute that is not out.
    pub fn values(&self, attribute: usize) -> Option<&Values<'static>> {
        self.columns[attribute].as_ref()
    }

    /// Where some of the rows are, which ascend.
    fn places(&self, rows: &[u32]) -> Vec<u32> {
        let mut place = 0;
        let find = |&row: &u32| {
            while self.rows[place] < row {
                place += 1;
            }
            place as u32
        };
        rows.iter().map(find).collect()
    }
}
