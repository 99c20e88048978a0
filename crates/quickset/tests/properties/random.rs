//! Small random data sets.

use proptest::prelude::*;
use quickset::data::{Column, ColumnData, Dataset, MISSING};

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
