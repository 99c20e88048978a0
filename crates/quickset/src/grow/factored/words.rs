//! Which sparse attributes the rows have: the tables by row.

use crate::data::{Column, ColumnData, Dataset};

/// The sparse attributes of every row.
pub(crate) struct Words {
    /// Row `i` has `attributes[starts[i]..starts[i + 1]]`.
    starts: Vec<u32>,
    attributes: Vec<u32>,
    /// The attributes that every row has: those that are not sparse.
    pub dense: Vec<u32>,
    /// Whether all attributes are numbers.
    pub only_numbers: bool,
}

impl Words {
    /// `None` where no attribute is sparse.
    pub fn new(data: &Dataset) -> Option<Self> {
        let (sparse, dense): (Vec<usize>, Vec<usize>) =
            (0..data.attributes().len()).partition(|&attribute| data.attributes()[attribute].is_sparse());
        if sparse.is_empty() {
            return None;
        }
        let lists =
            || sparse.iter().map(|&attribute| (attribute, entries(&data.attributes()[attribute]).unwrap_or(&[])));
        let mut starts = vec![0u32; data.rows() + 2];
        lists().flat_map(|(_, rows)| rows).for_each(|&row| starts[row as usize + 2] += 1);
        for row in 2..starts.len() {
            starts[row] += starts[row - 1];
        }
        // Each row's place moves on as its attributes come, until it is the start of the next row.
        let mut attributes = vec![0; starts[starts.len() - 1] as usize];
        for (attribute, rows) in lists() {
            for &row in rows {
                let place = &mut starts[row as usize + 1];
                attributes[*place as usize] = attribute as u32;
                *place += 1;
            }
        }
        starts.pop();
        let only_numbers = data.attributes().iter().all(|column| column.levels().is_none());
        Some(Words {
            starts,
            attributes,
            only_numbers,
            dense: dense.into_iter().map(|attribute| attribute as u32).collect(),
        })
    }

    /// How many entries some rows have, counted no further than `most`.
    pub fn count(&self, rows: &[u32], most: usize) -> usize {
        let mut sum = 0;
        for &row in rows {
            sum += self.of(row).len() + 1;
            if sum > most {
                break;
            }
        }
        sum
    }

    /// The sparse attributes of a row, ascending.
    pub fn of(&self, row: u32) -> &[u32] {
        &self.attributes[self.starts[row as usize] as usize..self.starts[row as usize + 1] as usize]
    }
}

/// The rows with an entry.
fn entries(column: &Column) -> Option<&[u32]> {
    match column.data() {
        ColumnData::SparseNumeric(sparse) => Some(&sparse.rows),
        ColumnData::SparseNominal { codes, .. } => Some(&codes.rows),
        _ => None,
    }
}
