//! Small random data sets.

use proptest::prelude::*;
use quickset::data::{Column, ColumnData, Dataset, MISSING, Sparse};

/// Columns of cells before they are a dataset, so that tests can store them in different ways.
#[derive(Clone, Debug)]
pub struct Cells {
    pub numbers: Vec<Vec<Option<i32>>>,
    pub levels: Vec<Vec<Option<u32>>>,
    pub classes: Vec<u32>,
}

pub const LEVELS: u32 = 3;

/// Data with or without missing values: two numeric attributes, two nominal, three classes.
pub fn cells(missing: bool) -> impl Strategy<Value = Cells> {
    let cell = move |most: i32| {
        let known = (0..most).prop_map(Some);
        if missing { prop_oneof![9 => known, 1 => Just(None)].boxed() } else { known.boxed() }
    };
    // The class follows the first number now and then, so that there is something to learn.
    let row = (cell(6), cell(40), cell(LEVELS as i32), cell(LEVELS as i32), 0u32..3, 0u32..3);
    prop::collection::vec(row, 8..120).prop_map(|rows| Cells {
        numbers: vec![rows.iter().map(|r| r.0).collect(), rows.iter().map(|r| r.1).collect()],
        levels: [2, 3]
            .map(|which| rows.iter().map(|r| if which == 2 { r.2 } else { r.3 }.map(|code| code as u32)).collect())
            .to_vec(),
        classes: rows.iter().map(|r| if r.5 > 0 { r.0.unwrap_or(0).min(2) as u32 } else { r.4 }).collect(),
    })
}

impl Cells {
    pub fn rows(&self) -> usize {
        self.classes.len()
    }

    pub fn numbers(&self, at: usize) -> Vec<f64> {
        self.numbers[at].iter().map(|cell| cell.map_or(f64::NAN, f64::from)).collect()
    }

    pub fn codes(&self, at: usize) -> Vec<u32> {
        self.levels[at].iter().map(|cell| cell.unwrap_or(MISSING)).collect()
    }

    /// The class column; all three classes are declared.
    pub fn class(&self) -> Column {
        Column::new("class", ColumnData::Nominal { levels: names(), codes: self.classes.clone() })
    }

    /// Whether there are two classes to tell apart.
    pub fn can_be_learnt(&self) -> bool {
        self.classes.iter().any(|&class| class != self.classes[0])
    }

    pub fn dataset(&self) -> Dataset {
        let numbers = (0..2).map(|at| Column::numeric(format!("number{at}"), self.numbers(at)));
        let levels = (0..2).map(|at| {
            Column::new(format!("level{at}"), ColumnData::Nominal { levels: names(), codes: self.codes(at) })
        });
        dataset(numbers.chain(levels).collect(), self.class())
    }
}

pub fn names() -> Vec<String> {
    ["a", "b", "c"].map(String::from).to_vec()
}

pub fn dataset(mut columns: Vec<Column>, class: Column) -> Dataset {
    columns.push(class);
    Dataset::new(columns).unwrap().with_last_as_target().unwrap()
}

/// Texts of many words, few of them frequent. The first two tell the class, where it is not left to chance or missing.
pub fn texts() -> impl Strategy<Value = Dataset> {
    let count = prop_oneof![4 => Just(1.0), 1 => 0.5..4.0f64];
    let word = (0usize..18, 0usize..18).prop_map(|(a, b)| a * b);
    let by_chance = prop_oneof![8 => Just(None), 8 => (0u32..3).prop_map(Some), 1 => Just(Some(MISSING))];
    let text = (prop::collection::btree_map(word, count, 0..16), by_chance);
    prop::collection::vec(text, 8..160).prop_filter_map("one class", |texts| {
        let word = |word: usize| {
            let held = texts.iter().enumerate().filter_map(|(row, (words, ..))| Some((row as u32, *words.get(&word)?)));
            let (rows, values) = held.unzip();
            Column::new(format!("word{word}"), ColumnData::SparseNumeric(Sparse { len: texts.len(), rows, values }))
        };
        let class = |(words, by_chance): &(std::collections::BTreeMap<usize, f64>, Option<u32>)| {
            by_chance.unwrap_or(u32::from(words.contains_key(&0)) + u32::from(words.contains_key(&1)))
        };
        let codes: Vec<u32> = texts.iter().map(class).collect();
        let known: Vec<u32> = codes.iter().copied().filter(|&code| code != MISSING).collect();
        let learnt = known.iter().any(|&code| code != known[0]);
        let class = Column::new("class", ColumnData::Nominal { levels: names(), codes });
        learnt.then(|| dataset((0..18 * 18).map(word).collect(), class))
    })
}
