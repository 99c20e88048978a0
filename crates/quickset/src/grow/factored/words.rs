//! Which sparse attributes the rows have: the tables by row.

use crate::data::{Column, ColumnData, Dataset};

/// The sparse attributes of every row.
#[derive(Debug)]
pub(crate) struct Words {
    /// Row `i` has `attributes[starts[i]..starts[i + 1]]`.
    starts: Vec<u32>,
    attributes: Vec<u32>,
    /// The attributes that every row has: those that are not sparse.
    pub dense: Vec<u32>,
    /// Whether all attributes are numbers.
    pub only_numbers: bool,
    /// How many attributes there are.
    count: usize,
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
            count: data.attributes().len(),
            dense: dense.into_iter().map(|attribute| attribute as u32).collect(),
        })
    }

    /// Whether some rows have fewer entries than there are attributes.
    pub fn are_fewer(&self, rows: &[u32]) -> bool {
        rows.iter().map(|&row| self.of(row).len()).sum::<usize>() < self.count
    }

    /// The sparse attributes of a row, ascending.
    pub fn of(&self, row: u32) -> &[u32] {
        &self.attributes[self.starts[row as usize] as usize..self.starts[row as usize + 1] as usize]
    }
}

/// The attributes that occur in a few rows, and in which of them.
#[derive(Debug)]
pub(crate) struct Held {
    /// Ascending.
    rows: Vec<u32>,
    attributes: Vec<u32>,
    /// Beside `attributes`: a bit for every row that has it.
    masks: Vec<u64>,
}

impl Held {
    /// The most rows there is a bit for.
    pub const MOST: usize = u64::BITS as usize;

    /// Of at most [`Held::MOST`] rows, without the attributes that no descendant of these rows can be divided by.
    /// `masks` is working memory, zero between uses.
    pub fn new(words: &Words, rows: &[u32], masks: &mut Vec<u64>, divides: impl Fn(u32, u32) -> bool) -> Self {
        masks.resize(words.count, 0);
        let mut attributes = Vec::new();
        for (bit, &row) in rows.iter().enumerate() {
            for &word in words.of(row) {
                let mask = &mut masks[word as usize];
                if *mask == 0 {
                    attributes.push(word);
                }
                *mask |= 1 << bit;
            }
        }
        let mut held = Held { rows: rows.to_vec(), attributes: Vec::new(), masks: Vec::new() };
        for word in attributes {
            let mask = std::mem::take(&mut masks[word as usize]);
            if divides(word, mask.count_ones()) {
                held.attributes.push(word);
                held.masks.push(mask);
            }
        }
        held
    }

    /// Adds the attributes that can divide some of the rows.
    pub fn among(&self, rows: &[u32], found: &mut Vec<u32>, divides: impl Fn(u32, u32) -> bool) {
        let mut inside = 0u64;
        let mut at = 0;
        for &row in rows {
            while self.rows[at] != row {
                at += 1;
            }
            inside |= 1 << at;
        }
        for (&attribute, mask) in self.attributes.iter().zip(&self.masks) {
            if divides(attribute, (mask & inside).count_ones()) {
                found.push(attribute);
            }
        }
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
