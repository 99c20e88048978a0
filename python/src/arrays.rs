//! NumPy arrays as columns: one copy, some rows at a time, whatever the order in memory.

use numpy::ndarray::{ArrayView1, ArrayView2, s};
use numpy::{Element, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use quickset::data::ColumnData;
use rayon::ThreadPool;
use rayon::prelude::*;

/// Rows that one thread copies at a time.
const PART: usize = 1 << 14;

/// Rows that are copied at a time where they lie one after the other: few enough that they stay in the first cache until
/// all their columns were read.
const BLOCK: usize = 128;

/// The columns of an array.
pub struct Columns {
    pub data: Vec<ColumnData>,
    /// Whether all of them were seen to be numbers, neither missing nor infinite.
    pub finite: bool,
}

impl From<Vec<ColumnData>> for Columns {
    fn from(data: Vec<ColumnData>) -> Self {
        Columns { data, finite: false }
    }
}

/// A number of an array and how columns hold it.
trait Cell: Element + Copy + Sync {
    type Held: Copy + Default + Into<f64> + Send;
    fn held(self) -> Self::Held;
    fn column(values: Vec<Self::Held>) -> ColumnData;
}

/// Declares how numbers of some types are held.
macro_rules! held {
    ($held:ty, $variant:ident, $convert:expr; $($cell:ty),+) => {$(
        impl Cell for $cell {
            type Held = $held;
            fn held(self) -> $held {
                let convert: fn($cell) -> $held = $convert;
                convert(self)
            }
            fn column(values: Vec<$held>) -> ColumnData {
                ColumnData::$variant(values)
            }
        }
    )+};
}

// Single precision holds 16 bits exactly, in half the memory.
held!(f32, Numeric32, |cell| cell; f32);
held!(f32, Numeric32, |cell| cell.into(); i8, i16, u8, u16);
held!(f32, Numeric32, |cell| u8::from(cell).into(); bool);
held!(f64, Numeric, |cell| cell; f64);
held!(f64, Numeric, |cell| cell.into(); i32, u32);
// Doubles cannot hold all of these either: NumPy rounds in the same way.
held!(f64, Numeric, |cell| cell as f64; i64, u64);

/// Tries the types of numbers one after the other.
macro_rules! first_that_fits {
    ($array:expr, $view:ident, $use:expr; $($cell:ty),+) => {$(
        if let Ok(array) = $array.extract::<$view<'_, $cell>>() {
            return Some($use(array.as_array()));
        }
    )+};
}

/// The columns of a two-dimensional array; `None` where it does not hold numbers.
pub fn matrix(array: &Bound<'_, PyAny>, pool: &ThreadPool) -> Option<Columns> {
    first_that_fits!(array, PyReadonlyArray2, |view| copied(view, array.py(), pool); f64, f32, i64, i32, u8, bool, i16, i8, u16, u32, u64);
    None
}

/// A one-dimensional array as a column.
pub fn vector(array: &Bound<'_, PyAny>) -> Option<ColumnData> {
    first_that_fits!(array, PyReadonlyArray1, lone; f64, f32, i64, i32, u8, bool, i16, i8, u16, u32, u64);
    None
}

fn lone<T: Cell>(values: ArrayView1<'_, T>) -> ColumnData {
    T::column(values.iter().map(|cell| cell.held()).collect())
}

/// Copies the columns of an array, some rows at a time.
fn copied<T: Cell>(array: ArrayView2<'_, T>, py: Python<'_>, pool: &ThreadPool) -> Columns {
    let (rows, width) = array.dim();
    let mut columns: Vec<Vec<T::Held>> = (0..width).map(|_| vec![T::Held::default(); rows]).collect();
    let mut parts: Vec<Vec<&mut [T::Held]>> = (0..rows.div_ceil(PART)).map(|_| Vec::with_capacity(width)).collect();
    for column in &mut columns {
        column.chunks_mut(PART).zip(&mut parts).for_each(|(cells, part)| part.push(cells));
    }
    let copy = |(number, mut part): (usize, Vec<&mut [T::Held]>)| copy_rows(&array, number * PART, &mut part);
    // Other Python threads go on: waiting for threads with the lock in hand would stop them all. Who writes to an array that
    // is being learnt from gets what NumPy's own functions would make of it.
    let finite =
        py.detach(|| pool.install(|| parts.into_par_iter().enumerate().map(copy).reduce(|| true, |a, b| a & b)));
    Columns { data: columns.into_iter().map(T::column).collect(), finite }
}

/// Copies the rows from `first` on into as much of every column, and answers whether all of them are finite.
fn copy_rows<T: Cell>(array: &ArrayView2<'_, T>, first: usize, columns: &mut [&mut [T::Held]]) -> bool {
    let (width, rows) = (columns.len(), columns.first().map_or(0, |column| column.len()));
    let mut finite = true;
    for start in (0..rows).step_by(BLOCK) {
        let end = rows.min(start + BLOCK);
        for (at, column) in columns.iter_mut().enumerate() {
            let copy = &mut column[start..end];
            let (start, end) = (first + start, first + end);
            match array.as_slice() {
                Some(cells) => {
                    let block = cells[start * width..end * width].chunks_exact(width);
                    block.zip(&mut *copy).for_each(|(row, held)| *held = row[at].held());
                }
                None => {
                    let cells = array.slice(s![start..end, at]);
                    cells.iter().zip(&mut *copy).for_each(|(cell, held)| *held = cell.held());
                }
            }
            // Without a way out, so that several are looked at at once.
            finite &= copy.iter().fold(true, |finite, &held| finite & Into::<f64>::into(held).is_finite());
        }
    }
    finite
}
