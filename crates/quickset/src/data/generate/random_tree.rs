//! Rows of any number, labelled by a hidden random tree.
//!
//! Numeric attributes are uniform on [0, 1), nominal ones on five levels. The tree depends on the seed and its own
//! knobs only, so the first thousand of a million rows are what a thousand rows would have been: to learn on one part
//! and test on another, generate both at once.

use super::hidden_tree::{HiddenTree, LEVELS, Shape};
use super::knobs::Knobs;
use super::random::Random;
use super::{DEFAULT_SEED, nominal};
use crate::data::Column;
use crate::error::{Error, Result};

/// Rows unless asked otherwise.
pub(super) const ROWS: usize = 10_000;
const NUMERIC: usize = 10;
const NOMINAL: usize = 10;
const CLASSES: usize = 2;
const DEPTH: usize = 5;
const NOISE: f64 = 0.0;

/// A million rows of ten thousand attributes: eighty gigabytes.
const MOST_CELLS: u64 = 10_000_000_000;

/// Streams of random draws: the tree, the noise, and one for each column.
const TREE_STREAM: u64 = 0;
const NOISE_STREAM: u64 = 1;
const FIRST_COLUMN_STREAM: u64 = 2;

/// The columns, class last.
pub(super) fn random_tree(knobs: &Knobs) -> Result<Vec<Column>> {
    let rows = knobs.rows.unwrap_or(ROWS);
    let seed = knobs.seed.unwrap_or(DEFAULT_SEED);
    let noise = knobs.noise.unwrap_or(NOISE);
    let shape = Shape {
        numeric: knobs.numeric.unwrap_or(NUMERIC),
        nominal: knobs.nominal.unwrap_or(NOMINAL),
        classes: knobs.classes.unwrap_or(CLASSES),
        depth: knobs.depth.unwrap_or(DEPTH),
    };
    check(&shape, rows)?;
    let tree = HiddenTree::grow(&shape, Random::new(seed, TREE_STREAM));

    let mut stream = (FIRST_COLUMN_STREAM..).map(|stream| Random::new(seed, stream));
    let mut next_stream = || stream.next().expect("streams do not run out");
    let numbers: Vec<Vec<f64>> = (0..shape.numeric)
        .map(|_| {
            let mut random = next_stream();
            (0..rows).map(|_| random.uniform()).collect()
        })
        .collect();
    let codes: Vec<Vec<u32>> = (0..shape.nominal)
        .map(|_| {
            let mut random = next_stream();
            (0..rows).map(|_| random.below(LEVELS.len()) as u32).collect()
        })
        .collect();
    let mut random = Random::new(seed, NOISE_STREAM);
    let labels = (0..rows).map(|row| {
        let anew = random.happens(noise).then(|| random.below(shape.classes));
        anew.unwrap_or_else(|| tree.classify(&numbers, &codes, row)) as u32
    });
    let labels: Vec<u32> = labels.collect();

    let numeric = numbers.into_iter().enumerate().map(|(at, values)| Column::numeric(format!("x{}", at + 1), values));
    let levels = codes.into_iter().enumerate().map(|(at, codes)| nominal(&format!("n{}", at + 1), &LEVELS, codes));
    let classes: Vec<String> = (1..=shape.classes).map(|class| format!("c{class}")).collect();
    Ok(numeric.chain(levels).chain([nominal("class", &classes, labels)]).collect())
}

fn check(shape: &Shape, rows: usize) -> Result<()> {
    let attributes = shape.numeric + shape.nominal;
    if attributes == 0 {
        return Err(Error::data("found numeric 0 and nominal 0 for random-tree, expected at least one attribute")
            .remedy("ask for one or more of either"));
    }
    if (rows as u64).saturating_mul(attributes as u64) > MOST_CELLS {
        return Err(Error::data(format!("{rows} rows of {attributes} attributes are more than {MOST_CELLS} cells"))
            .remedy("ask for fewer rows or attributes"));
    }
    if shape.classes > 1 << shape.depth {
        return Err(Error::data(format!(
            "a hidden tree of depth {} has no leaves for {} classes",
            shape.depth, shape.classes
        ))
        .remedy(format!("ask for at most {} classes or a greater depth", 1 << shape.depth)));
    }
    // Halving five levels lasts for two tests at least, whichever branch is taken.
    if shape.numeric == 0 && shape.depth > 2 * shape.nominal {
        return Err(Error::data(format!(
            "a depth of {} is too much for {} nominal attributes",
            shape.depth, shape.nominal
        ))
        .remedy(format!("ask for {} of them, or for a numeric one", shape.depth.div_ceil(2))));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::tests::{class_codes, class_counts, codes, numbers};
    use super::*;
    use crate::data::generate::generate;

    fn shaped(numeric: usize, nominal: usize, classes: usize, depth: usize) -> Knobs {
        Knobs {
            numeric: Some(numeric),
            nominal: Some(nominal),
            classes: Some(classes),
            depth: Some(depth),
            ..Knobs::default()
        }
    }

    #[test]
    fn the_columns_are_as_asked() {
        let data = generate("random-tree", &Knobs { rows: Some(5_000), ..shaped(3, 2, 5, 6) }).unwrap();
        assert_eq!(data.rows(), 5_000);
        let names: Vec<&str> = data.attributes().iter().map(Column::name).collect();
        assert_eq!(names, ["x1", "x2", "x3", "n1", "n2", "class"]);
        assert!(numbers(&data, 0).iter().all(|value| (0.0..1.0).contains(value)));
        let counts = class_counts(&data);
        assert!(counts.len() == 5 && counts.iter().all(|&count| count > 0), "{counts:?}");
    }

    #[test]
    fn labels_follow_the_tests() {
        let one_cut = generate("random-tree", &shaped(1, 0, 2, 1)).unwrap();
        let mut rows: Vec<(f64, u32)> =
            numbers(&one_cut, 0).iter().copied().zip(class_codes(&one_cut).iter().copied()).collect();
        rows.sort_by(|a, b| a.0.total_cmp(&b.0));
        assert_eq!(rows.windows(2).filter(|pair| pair[0].1 != pair[1].1).count(), 1);
        // With a single nominal attribute each level has one label.
        let one_column = generate("random-tree", &shaped(0, 1, 3, 2)).unwrap();
        let mut pairs: Vec<(u32, u32)> =
            codes(&one_column, 0).iter().copied().zip(class_codes(&one_column).iter().copied()).collect();
        pairs.sort_unstable();
        pairs.dedup();
        assert_eq!(pairs.len(), 5);
    }

    #[test]
    fn noise_redraws_its_share_of_labels_and_nothing_else() {
        let rows = 50_000;
        let of = |noise| {
            let knobs = Knobs { rows: Some(rows), noise: Some(noise), ..shaped(2, 2, 4, 4) };
            generate("random-tree", &knobs).unwrap()
        };
        let (clean, noisy) = (of(0.0), of(0.2));
        assert_eq!(numbers(&clean, 1), numbers(&noisy, 1));
        let changed = class_codes(&clean).iter().zip(class_codes(&noisy)).filter(|(a, b)| a != b).count();
        // A label drawn anew from four classes is the old one in a quarter of cases.
        assert!((0.14..0.16).contains(&(changed as f64 / rows as f64)), "{changed}");
    }

    #[test]
    fn more_rows_leave_the_first_ones_as_they_were() {
        let of = |rows| {
            let knobs = Knobs { rows: Some(rows), noise: Some(0.1), ..shaped(3, 3, 3, 5) };
            generate("random-tree", &knobs).unwrap()
        };
        let (few, many) = (of(100), of(1_000));
        for (few, many) in few.attributes().iter().zip(many.attributes()) {
            assert!((0..100).all(|row| few.value(row) == many.value(row)), "{}", few.name());
        }
    }

    #[test]
    fn shapes_that_cannot_be_are_refused() {
        let refusal = |knobs: &Knobs| generate("random-tree", knobs).unwrap_err().to_string();
        assert!(refusal(&shaped(0, 0, 2, 3)).contains("expected at least one attribute"));
        assert!(refusal(&shaped(1, 0, 9, 3)).contains("at most 8 classes"));
        assert!(refusal(&shaped(0, 2, 2, 5)).contains("ask for 3 of them, or for a numeric one"));
        let huge = Knobs { rows: Some(100_000_000), ..shaped(100, 100, 2, 3) };
        assert!(refusal(&huge).contains("ask for fewer rows or attributes"));
    }
}
