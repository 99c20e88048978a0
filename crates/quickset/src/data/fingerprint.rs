//! A short number for all that data hold, so that what was made from other data is noticed.

use xxhash_rust::xxh3::Xxh3;

use super::column::ColumnData;
use super::dataset::Dataset;
use super::sparse::Sparse;

/// Bytes handed over at once: one by one, numbers would cost more than the hashing.
const BLOCK: usize = 1 << 12;

impl Dataset {
    /// A hash of names, levels, values, classes and weights. It is the same on every machine and in every version that
    /// reads the data alike.
    pub fn fingerprint(&self) -> u64 {
        let mut hash = Xxh3::new();
        for column in self.attributes() {
            texts(&mut hash, [column.name()]);
            match column.data() {
                ColumnData::Numeric(values) => numbers(&mut hash, values.iter().copied()),
                ColumnData::Numeric32(values) => numbers(&mut hash, values.iter().map(|&value| f64::from(value))),
                ColumnData::Nominal { levels, codes } => {
                    texts(&mut hash, levels);
                    whole(&mut hash, codes.iter().map(|&code| u64::from(code)));
                }
                ColumnData::SparseNumeric(entries) => {
                    places(&mut hash, entries);
                    numbers(&mut hash, entries.values.iter().copied());
                }
                ColumnData::SparseNominal { levels, codes } => {
                    texts(&mut hash, levels);
                    places(&mut hash, codes);
                    whole(&mut hash, codes.values.iter().map(|&code| u64::from(code)));
                }
            }
        }
        if let Some(class) = self.class() {
            texts(&mut hash, [&class.name]);
            texts(&mut hash, &class.levels);
            whole(&mut hash, class.codes.iter().map(|&code| u64::from(code)));
        }
        numbers(&mut hash, self.weights().unwrap_or(&[]).iter().copied());
        hash.digest()
    }
}

/// Every text with its length, so that no two lists run into the same bytes.
fn texts(hash: &mut Xxh3, texts: impl IntoIterator<Item = impl AsRef<str>>) {
    let mut count = 0u64;
    for text in texts {
        let text = text.as_ref();
        hash.update(&(text.len() as u64).to_le_bytes());
        hash.update(text.as_bytes());
        count += 1;
    }
    hash.update(&count.to_le_bytes());
}

fn places<T>(hash: &mut Xxh3, entries: &Sparse<T>) {
    whole(hash, entries.rows.iter().map(|&row| u64::from(row)).chain([entries.len as u64]));
}

/// All that is not a number is the same.
fn numbers(hash: &mut Xxh3, values: impl Iterator<Item = f64>) {
    whole(hash, values.map(|value| if value.is_nan() { f64::NAN.to_bits() } else { value.to_bits() }));
}

fn whole(hash: &mut Xxh3, values: impl Iterator<Item = u64>) {
    let mut block = Vec::with_capacity(BLOCK);
    for value in values {
        block.extend_from_slice(&value.to_le_bytes());
        if block.len() == BLOCK {
            hash.update(&block);
            block.clear();
        }
    }
    hash.update(&block);
    hash.update(&[0xff]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Column;

    fn data(name: &str, numbers: Vec<f64>, levels: [&str; 2], classes: [&str; 2]) -> Dataset {
        Dataset::new(vec![
            Column::numeric(name, numbers),
            Column::from_texts("b", levels.map(Some)),
            Column::from_texts("c", classes.map(Some)),
        ])
        .unwrap()
        .with_target("c")
        .unwrap()
    }

    #[test]
    fn whatever_differs_gives_another_number() {
        let numbers = || vec![1.0, f64::NAN];
        let prints: Vec<u64> = [
            data("a", numbers(), ["x", "y"], ["p", "q"]),
            data("z", numbers(), ["x", "y"], ["p", "q"]),
            data("a", vec![f64::NAN, 1.0], ["x", "y"], ["p", "q"]),
            data("a", numbers(), ["xy", ""], ["p", "q"]),
            data("a", numbers(), ["x", "y"], ["q", "p"]),
            data("a", numbers(), ["x", "y"], ["p", "q"]).with_weights(vec![1.0, 2.0]).unwrap(),
        ]
        .iter()
        .map(Dataset::fingerprint)
        .collect();
        for (at, print) in prints.iter().enumerate() {
            assert!(!prints[..at].contains(print), "{at}");
        }
        assert_eq!(data("a", vec![1.0, -f64::NAN], ["x", "y"], ["p", "q"]).fingerprint(), prints[0]);
    }
}
