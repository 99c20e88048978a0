//! Columns of which only the entries that are not zero are stored.

use std::cmp::Ordering;

/// The entries of a sparse column: row numbers ascending, each with its value.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sparse<T> {
    /// How many rows the column has, zeros included.
    pub len: usize,
    /// Rows with an entry, ascending.
    pub rows: Vec<u32>,
    /// The entries' values, beside `rows`.
    pub values: Vec<T>,
}

impl<T: Copy> Sparse<T> {
    /// The entry of `row`, if it has one.
    pub fn get(&self, row: usize) -> Option<T> {
        Some(self.values[self.find(row as u32)?])
    }

    /// Calls `give` with every one of `rows`: its place, itself and its entry. Ascending rows cost a step each.
    pub(crate) fn visit(&self, rows: &[u32], mut give: impl FnMut(usize, u32, Option<T>)) {
        let mut at = 0;
        for (place, &row) in rows.iter().enumerate() {
            let starts_again = at > 0 && self.rows[at - 1] >= row;
            at = first_from(&self.rows, if starts_again { 0 } else { at }, row);
            let held = self.rows.get(at).is_some_and(|&listed| listed == row);
            give(place, row, held.then(|| self.values[at]));
        }
    }

    /// Puts the entries of some ascending rows into `held`. `marks` is working memory, false between uses.
    pub(crate) fn among(&self, rows: &[u32], marks: &mut Vec<bool>, held: &mut Vec<(u32, T)>) {
        held.clear();
        if self.rows.len() > MANY * rows.len() {
            let found = rows.iter().filter_map(|&row| self.find(row).map(|at| (row, self.values[at])));
            return held.extend(found);
        }
        let Some(&any) = self.values.first() else { return };
        marks.resize(self.len, false);
        rows.iter().for_each(|&row| marks[row as usize] = true);
        // Every place is written and only some are kept: which ones is hard to foresee.
        held.resize(rows.len() + 1, (0, any));
        let mut count = 0;
        for (&row, &value) in self.rows.iter().zip(&self.values) {
            held[count] = (row, value);
            count += usize::from(marks[row as usize]);
        }
        held.truncate(count);
        rows.iter().for_each(|&row| marks[row as usize] = false);
    }

    /// The place of a row among the entries. It is looked for from where it is if rows with entries are evenly spread.
    fn find(&self, row: u32) -> Option<usize> {
        let guess = (u64::from(row) * self.rows.len() as u64).checked_div(self.len as u64)? as usize;
        let guess = guess.min(self.rows.len().checked_sub(1)?);
        let at = match self.rows[guess].cmp(&row) {
            Ordering::Equal => guess,
            Ordering::Less => first_from(&self.rows, guess + 1, row),
            Ordering::Greater => {
                let (mut low, mut step) = (guess, 1);
                while low > 0 && self.rows[low - 1] >= row {
                    low = low.saturating_sub(step);
                    step *= 2;
                }
                first_from(&self.rows, low, row)
            }
        };
        (self.rows.get(at) == Some(&row)).then_some(at)
    }

    /// Every row with its value, `zero` where it has no entry.
    pub(crate) fn dense(&self, zero: T) -> impl Iterator<Item = (usize, T)> {
        let mut next = 0;
        (0..self.len).map(move |row| {
            let held = self.rows.get(next).is_some_and(|&listed| listed as usize == row);
            next += usize::from(held);
            (row, if held { self.values[next - 1] } else { zero })
        })
    }
}

/// With this many times as many entries of a sparse column, rows are looked for among them one by one.
const MANY: usize = 8;

/// The first place from `start` on that holds no less than `least`: in growing steps, then back by halves.
fn first_from(ascending: &[u32], start: usize, least: u32) -> usize {
    let (mut low, mut step) = (start, 1);
    while low + step <= ascending.len() && ascending[low + step - 1] < least {
        low += step;
        step *= 2;
    }
    let high = (low + step).min(ascending.len());
    low + ascending[low..high].partition_point(|&number| number < least)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn entries_are_found_wherever_they_crowd(
            gaps in prop::collection::vec(prop_oneof![4 => 1u32..4, 1 => 1u32..200], 0..60),
            after in 1usize..200,
            asked in prop::collection::vec(any::<prop::sample::Index>(), 0..12),
        ) {
            let rows: Vec<u32> = gaps.iter().scan(0, |at, gap| { *at += gap; Some(*at) }).collect();
            let len = rows.last().map_or(0, |&last| last as usize) + after;
            let sparse = Sparse { len, values: rows.iter().map(|&row| f64::from(row) + 0.5).collect(), rows };
            let slow = |row: u32| sparse.rows.binary_search(&row).ok().map(|at| sparse.values[at]);
            for row in 0..len {
                prop_assert_eq!(sparse.get(row), slow(row as u32));
            }
            // Few of them are looked up, many are marked.
            let mut some: Vec<u32> = asked.iter().map(|at| at.index(len) as u32).collect();
            some.sort_unstable();
            some.dedup();
            for rows in [some, (0..len as u32).collect()] {
                let mut held = vec![(9, 9.0)];
                sparse.among(&rows, &mut Vec::new(), &mut held);
                let expected: Vec<(u32, f64)> = rows.iter().filter_map(|&row| Some((row, slow(row)?))).collect();
                prop_assert_eq!(held, expected);
            }
        }
    }
}
