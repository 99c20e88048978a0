//! A copy of some rows of a column.

use super::column::{Column, ColumnData};
use super::sparse::Sparse;

/// Where each old row went: the new rows of old row r are `rows[starts[r]..starts[r + 1]]`, ascending.
pub(super) struct Places {
    starts: Vec<u32>,
    rows: Vec<u32>,
}

impl Places {
    /// The places of a selection from `old` rows.
    pub fn of(selection: &[u32], old: usize) -> Self {
        let mut starts = vec![0u32; old + 1];
        for &row in selection {
            starts[row as usize + 1] += 1;
        }
        for row in 0..old {
            starts[row + 1] += starts[row];
        }
        let mut next = starts.clone();
        let mut rows = vec![0; selection.len()];
        for (new, &row) in selection.iter().enumerate() {
            rows[next[row as usize] as usize] = new as u32;
            next[row as usize] += 1;
        }
        Places { starts, rows }
    }

    fn of_row(&self, row: u32) -> &[u32] {
        &self.rows[self.starts[row as usize] as usize..self.starts[row as usize + 1] as usize]
    }
}

/// The values of the given rows.
pub(super) fn pick<T: Copy>(values: &[T], rows: &[u32]) -> Vec<T> {
    rows.iter().map(|&row| values[row as usize]).collect()
}

impl Column {
    /// The column with the given rows only; `places` is of the same selection.
    pub(super) fn select(&self, rows: &[u32], places: &Places) -> Column {
        let data = match self.data() {
            ColumnData::Numeric(values) => ColumnData::Numeric(pick(values, rows)),
            ColumnData::Numeric32(values) => ColumnData::Numeric32(pick(values, rows)),
            ColumnData::Nominal { levels, codes } => {
                ColumnData::Nominal { levels: levels.clone(), codes: pick(codes, rows) }
            }
            ColumnData::SparseNumeric(sparse) => ColumnData::SparseNumeric(sparse.select(places)),
            ColumnData::SparseNominal { levels, codes } => {
                ColumnData::SparseNominal { levels: levels.clone(), codes: codes.select(places) }
            }
        };
        Column::new(self.name(), data)
    }
}

impl<T: Copy> Sparse<T> {
    /// Work in proportion to the entries, not to the rows.
    fn select(&self, places: &Places) -> Sparse<T> {
        let mut entries: Vec<(u32, T)> = Vec::new();
        for (&row, &value) in self.rows.iter().zip(&self.values) {
            entries.extend(places.of_row(row).iter().map(|&new| (new, value)));
        }
        entries.sort_unstable_by_key(|&(row, _)| row);
        let (rows, values) = entries.into_iter().unzip();
        Sparse { len: places.rows.len(), rows, values }
    }
}

#[cfg(test)]
mod tests {
    use crate::data::{Column, ColumnData, Dataset, Sparse};

    #[test]
    fn a_selection_has_the_values_of_its_rows_in_every_kind_of_column() {
        let sparse = Sparse { len: 5, rows: vec![1, 3, 4], values: vec![7.0, f64::NAN, 9.0] };
        let words = Sparse { len: 5, rows: vec![0, 4], values: vec![1, 2] };
        let levels = || ["a", "b", "c"].map(String::from).to_vec();
        let data = Dataset::new(vec![
            Column::numeric("n", vec![1.0, 2.0, f64::NAN, 4.0, 5.0]),
            Column::new("f", ColumnData::Numeric32(vec![1.0, 2.0, 3.0, 4.0, 5.0])),
            Column::from_texts("t", [Some("x"), None, Some("y"), Some("x"), Some("z")]),
            Column::new("s", ColumnData::SparseNumeric(sparse)),
            Column::new("w", ColumnData::SparseNominal { levels: levels(), codes: words }),
            Column::from_texts("class", [Some("p"), Some("q"), None, Some("p"), Some("q")]),
        ])
        .unwrap()
        .with_target("class")
        .unwrap()
        .with_weights(vec![1.0, 2.0, 3.0, 4.0, 5.0])
        .unwrap();
        for rows in [&[0, 2, 3][..], &[4, 1, 1, 3], &[]] {
            let part = data.select(rows);
            assert_eq!(part.rows(), rows.len());
            for (new, old) in part.attributes().iter().zip(data.attributes()) {
                assert_eq!((new.name(), new.levels(), new.len()), (old.name(), old.levels(), rows.len()));
                assert_eq!(new.is_sparse(), old.is_sparse());
                for (at, &row) in rows.iter().enumerate() {
                    assert_eq!(new.value(at), old.value(row as usize), "{} row {row}", old.name());
                }
            }
            for (at, &row) in rows.iter().enumerate() {
                assert_eq!(part.class().unwrap().codes[at], data.class().unwrap().codes[row as usize]);
                assert_eq!(part.weights().unwrap()[at], data.weights().unwrap()[row as usize]);
            }
        }
    }
}
