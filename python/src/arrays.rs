//! NumPy arrays as columns: one copy, column by column, whatever the order in memory.

use numpy::ndarray::{ArrayView1, ArrayView2, s};
use numpy::{Element, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use quickset::data::ColumnData;
use rayon::ThreadPool;
use rayon::prelude::*;

/// Columns that are copied together: as many numbers as a line of the cache holds where rows lie one after the other.
const BESIDE: usize = 16;

/// Rows that are copied at a time: few enough that the lines stay in the first cache until all their columns were read.
const BLOCK: usize = 256;

/// A number of an array and how columns hold it.
trait Cell: Element + Copy + Sync {
    type Held: Copy + Send;
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
pub fn matrix(array: &Bound<'_, PyAny>, pool: &ThreadPool) -> Option<Vec<ColumnData>> {
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

/// Copies the columns of an array. Rows that lie one after the other are read a block at a time.
fn copied<T: Cell>(array: ArrayView2<'_, T>, py: Python<'_>, pool: &ThreadPool) -> Vec<ColumnData> {
    let (rows, width) = array.dim();
    let mut columns: Vec<Vec<T::Held>> = (0..width).map(|_| Vec::with_capacity(rows)).collect();
    let copy = |(number, columns): (usize, &mut [Vec<T::Held>])| {
        let first = number * BESIDE;
        for start in (0..rows).step_by(BLOCK) {
            let end = rows.min(start + BLOCK);
            for (column, at) in columns.iter_mut().zip(first..) {
                match (array.as_slice(), array.column(at).to_slice()) {
                    (Some(cells), _) => {
                        let block = cells[start * width..end * width].chunks_exact(width);
                        column.extend(block.map(|row| row[at].held()));
                    }
                    (None, Some(cells)) => column.extend(cells[start..end].iter().map(|cell| cell.held())),
                    (None, None) => column.extend(array.slice(s![start..end, at]).iter().map(|cell| cell.held())),
                }
            }
        }
    };
    // Other Python threads go on: waiting for threads with the lock in hand would stop them all. Who writes to an array that
    // is being learnt from gets what NumPy's own functions would make of it.
    py.detach(|| pool.install(|| columns.par_chunks_mut(BESIDE).enumerate().for_each(copy)));
    columns.into_iter().map(T::column).collect()
}
