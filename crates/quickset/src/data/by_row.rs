//! The entries of sparse columns, row by row.

use super::column::{Column, ColumnData};

/// Which sparse columns each row has an entry in.
#[derive(Debug)]
pub(crate) struct ByRow {
    /// Row after row, ascending in each.
    columns: Vec<u32>,
    /// By row: where its columns end. They start where those of the row before do.
    ends: Vec<usize>,
}

impl ByRow {
    /// Of columns that all have so many rows.
    pub fn of(columns: &[Column], rows: usize) -> Self {
        let mut ends = vec![0; rows];
        let entries = || columns.iter().enumerate().map(|(at, column)| (at as u32, entries(column)));
        entries().flat_map(|(_, rows)| rows).for_each(|&row| ends[row as usize] += 1);
        let mut sum = 0;
        ends.iter_mut().for_each(|end| sum += std::mem::replace(end, sum));
        // Where each row's columns start moves on to where they end.
        let mut by_row = vec![0; sum];
        for (column, rows) in entries() {
            for &row in rows {
                let end = &mut ends[row as usize];
                by_row[*end] = column;
                *end += 1;
            }
        }
        ByRow { columns: by_row, ends }
    }

    /// Asks for the columns of some rows all at once, where one after the other each would be waited for.
    pub fn fetch(&self, rows: &[u32]) {
        const LINE: usize = 64 / size_of::<u32>();
        let lines = rows.iter().flat_map(|&row| self.columns(row).iter().step_by(LINE));
        std::hint::black_box(lines.fold(0, |sum, &column| sum ^ column));
    }

    /// Those of a row, ascending.
    pub fn columns(&self, row: u32) -> &[u32] {
        let start = if row == 0 { 0 } else { self.ends[row as usize - 1] };
        &self.columns[start..self.ends[row as usize]]
    }
}

/// The rows with an entry; none for a column that is not sparse.
fn entries(column: &Column) -> &[u32] {
    match column.data() {
        ColumnData::SparseNumeric(sparse) => &sparse.rows,
        ColumnData::SparseNominal { codes, .. } => &codes.rows,
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Sparse;

    #[test]
    fn a_row_has_the_columns_with_an_entry_for_it() {
        let sparse = |rows: &[u32]| Sparse { len: 5, rows: rows.to_vec(), values: vec![2; rows.len()] };
        let numbers = |rows: &[u32]| {
            let Sparse { len, rows, values } = sparse(rows);
            let values = values.into_iter().map(f64::from).collect();
            Column::new("x", ColumnData::SparseNumeric(Sparse { len, rows, values }))
        };
        let levels = ["a", "b", "c"].map(String::from).to_vec();
        let columns = [
            numbers(&[0, 3]),
            Column::numeric("dense", vec![1.0; 5]),
            Column::new("levels", ColumnData::SparseNominal { levels, codes: sparse(&[3]) }),
            numbers(&[]),
            numbers(&[1, 3, 4]),
        ];
        let by_row = ByRow::of(&columns, 5);
        let found: Vec<&[u32]> = (0..5).map(|row| by_row.columns(row)).collect();
        assert_eq!(found, [&[0][..], &[4], &[], &[0, 2, 4], &[4]]);
    }
}
