//! Data on their way from Python.

use std::ops::Range;
use std::sync::Arc;

use numpy::{PyReadonlyArray1, PyUntypedArrayMethods};
use pyo3::prelude::*;
use quickset::data::{ColumnData, MISSING, Sparse};
use quickset::{Column, Dataset, io};
use rayon::prelude::*;

use crate::arrays::{self, Columns};
use crate::arrow_stream;
use crate::error::{Result, wrong};
use crate::threads::Pool;

/// Columns, with a class where they are to be learnt from.
#[pyclass(frozen, module = "quickset._quickset")]
pub struct Table {
    pub data: Arc<Dataset>,
}

/// What is to be predicted.
#[derive(FromPyObject)]
pub struct Target<'py> {
    name: String,
    levels: Vec<String>,
    /// A level for every row.
    codes: PyReadonlyArray1<'py, i64>,
    weights: Option<PyReadonlyArray1<'py, f64>>,
}

/// How columns are to be understood.
#[derive(FromPyObject)]
pub struct Meaning {
    /// A name for each.
    names: Vec<String>,
    /// Which of them are categories whatever they look like.
    nominal: Vec<usize>,
}

/// The cells of one column.
#[derive(FromPyObject)]
pub enum Cells<'py> {
    /// Categories: a code for every row, below 0 where it is missing.
    Levels(PyReadonlyArray1<'py, i64>, Vec<String>),
    /// Numbers.
    Numbers(Bound<'py, PyAny>),
}

/// A sparse matrix stored by columns.
#[derive(FromPyObject)]
pub struct Csc<'py> {
    rows: usize,
    indptr: PyReadonlyArray1<'py, i64>,
    indices: PyReadonlyArray1<'py, i64>,
    data: PyReadonlyArray1<'py, f64>,
}

#[pymethods]
impl Table {
    /// From a two-dimensional array of numbers.
    #[staticmethod]
    fn from_array(
        array: &Bound<'_, PyAny>,
        meaning: Meaning,
        target: Option<Target<'_>>,
        threads: Option<usize>,
    ) -> Result<Self> {
        let pool = Pool::of(threads)?;
        let columns = arrays::matrix(array, &pool);
        let columns = columns.ok_or_else(|| wrong("expected a two-dimensional array of numbers"))?;
        Self::new(array.py(), columns, meaning, target, &pool)
    }

    /// From columns one by one.
    #[staticmethod]
    fn from_columns(
        py: Python<'_>,
        columns: Vec<Cells<'_>>,
        meaning: Meaning,
        target: Option<Target<'_>>,
        threads: Option<usize>,
    ) -> Result<Self> {
        let columns = columns.into_iter().map(Cells::column).collect::<Result<Vec<_>>>()?;
        Self::new(py, columns.into(), meaning, target, &Pool::of(threads)?)
    }

    /// From the parts of a sparse matrix stored by columns, each with its rows ascending and none twice.
    #[staticmethod]
    fn from_sparse(
        py: Python<'_>,
        matrix: Csc<'_>,
        meaning: Meaning,
        target: Option<Target<'_>>,
        threads: Option<usize>,
    ) -> Result<Self> {
        Self::new(py, matrix.columns()?.into(), meaning, target, &Pool::of(threads)?)
    }

    /// From anything that has `__arrow_c_stream__`. Its own names give way to those that are given.
    #[staticmethod]
    fn from_arrow(
        table: &Bound<'_, PyAny>,
        meaning: Meaning,
        target: Option<Target<'_>>,
        threads: Option<usize>,
    ) -> Result<Self> {
        let columns = arrow_stream::columns(table)?;
        let columns: Vec<ColumnData> = columns.into_iter().map(Column::into_data).collect();
        Self::new(table.py(), columns.into(), meaning, target, &Pool::of(threads)?)
    }

    /// How many rows there are.
    #[getter]
    fn rows(&self) -> usize {
        self.data.rows()
    }
}

impl Table {
    fn new(
        py: Python<'_>,
        columns: Columns,
        meaning: Meaning,
        target: Option<Target<'_>>,
        pool: &Pool,
    ) -> Result<Self> {
        let Meaning { names, nominal } = meaning;
        let Columns { data: columns, finite } = columns;
        let column = if finite { Column::complete } else { Column::new };
        if names.len() != columns.len() {
            return Err(wrong(format!("found {} columns and {} names", columns.len(), names.len())));
        }
        let (infinite, mut columns) = py.detach(|| {
            pool.install(|| {
                let infinite = if finite { None } else { columns.par_iter().find_map_first(infinite) };
                let named = names.into_par_iter().zip(columns).map(|(name, data)| column(name, data));
                (infinite, named.collect::<Vec<Column>>())
            })
        });
        if let Some(kind) = infinite {
            return Err(wrong(format!("Input X contains infinity or a value too large for dtype('{kind}').")));
        }
        for at in nominal {
            let column = std::mem::replace(&mut columns[at], Column::numeric("", Vec::new()));
            columns[at] = io::as_nominal(column);
        }
        let data = match target {
            None => Dataset::new(columns)?,
            Some(Target { name, levels, codes, weights }) => {
                let codes = codes.as_array().iter().map(|&code| code as u32).collect();
                columns.push(Column::new(name, ColumnData::Nominal { levels, codes }));
                let data = Dataset::new(columns)?.with_last_as_target()?;
                match weights {
                    Some(weights) => data.with_weights(weights.as_array().to_vec())?,
                    None => data,
                }
            }
        };
        Ok(Table { data: Arc::new(data) })
    }
}

impl Cells<'_> {
    fn column(self) -> Result<ColumnData> {
        match self {
            Cells::Numbers(array) => {
                arrays::vector(&array).ok_or_else(|| wrong("expected a one-dimensional array of numbers"))
            }
            Cells::Levels(codes, levels) => {
                let code = |&code: &i64| if code < 0 { MISSING } else { code as u32 };
                let codes: Vec<u32> = codes.as_array().iter().map(code).collect();
                match codes.iter().find(|&&code| code != MISSING && code as usize >= levels.len()) {
                    Some(code) => Err(wrong(format!("there is no category {code} of {}", levels.len()))),
                    None => Ok(ColumnData::Nominal { levels, codes }),
                }
            }
        }
    }
}

impl Csc<'_> {
    fn columns(&self) -> Result<Vec<ColumnData>> {
        let (starts, all) = (self.indptr.as_array(), self.indices.len().min(self.data.len()));
        let bounds = starts.iter().zip(starts.iter().skip(1));
        let column = |(&first, &end): (&i64, &i64)| match (usize::try_from(first), usize::try_from(end)) {
            (Ok(first), Ok(end)) if first <= end && end <= all => self.column(first..end),
            _ => Err(wrong("the columns of the sparse matrix do not lie one after the other")),
        };
        bounds.map(column).collect()
    }

    fn column(&self, places: Range<usize>) -> Result<ColumnData> {
        let (rows, indices, data) = (self.rows, self.indices.as_array(), self.data.as_array());
        let mut sparse = Sparse { len: rows, rows: Vec::with_capacity(places.len()), values: Vec::new() };
        for at in places {
            let (row, value) = (indices[at], data[at]);
            if row < 0 || row as usize >= rows || sparse.rows.last().is_some_and(|&last| i64::from(last) >= row) {
                return Err(wrong("the rows of a sparse column must ascend and be below the number of rows"));
            }
            // A zero that is written down is still one.
            if value != 0.0 {
                sparse.rows.push(row as u32);
                sparse.values.push(value);
            }
        }
        Ok(ColumnData::SparseNumeric(sparse))
    }
}

/// The type of a column that holds an infinite number.
fn infinite(column: &ColumnData) -> Option<&'static str> {
    match column {
        ColumnData::Numeric(values) => values.iter().any(|value| value.is_infinite()).then_some("float64"),
        ColumnData::Numeric32(values) => values.iter().any(|value| value.is_infinite()).then_some("float32"),
        ColumnData::SparseNumeric(sparse) => sparse.values.iter().any(|value| value.is_infinite()).then_some("float64"),
        ColumnData::Nominal { .. } | ColumnData::SparseNominal { .. } => None,
    }
}
