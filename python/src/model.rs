//! Models as Python sees them.

use std::path::PathBuf;

use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::PyType;
use quickset::model::{NodeId, Numbers};
use quickset::{Error, export};

use crate::error::{Result, wrong};
use crate::table::Table;
use crate::threads::Pool;

/// A tree with what it expects of data and how it was made.
#[pyclass(frozen, module = "quickset._quickset")]
pub struct Model {
    pub model: quickset::Model,
}

#[pymethods]
impl Model {
    /// The model behind the text of a model file.
    #[staticmethod]
    fn from_json(text: &str) -> Result<Self> {
        Ok(Model { model: quickset::Model::from_json(text)? })
    }

    /// The text of its model file.
    fn to_json(&self) -> Result<String> {
        Ok(self.model.to_json()?)
    }

    /// Writes its model file.
    fn save(&self, path: PathBuf) -> Result<()> {
        Ok(self.model.save(path)?)
    }

    /// Pickles hold the text of the model file, which is checked when it is read.
    fn __reduce__<'py>(&self, py: Python<'py>) -> Result<(Bound<'py, PyAny>, (String,))> {
        let from_json = PyType::new::<Model>(py).getattr("from_json")?;
        Ok((from_json, (self.to_json()?,)))
    }

    /// The class code of every row.
    fn predict<'py>(
        &self,
        py: Python<'py>,
        table: &Table,
        threads: Option<usize>,
    ) -> Result<Bound<'py, PyArray1<u16>>> {
        Ok(self.work(py, threads, || self.model.predict(&table.data))?.into_pyarray(py))
    }

    /// The same straight from a two-dimensional array of floating-point numbers whose rows lie one after the other, which
    /// takes no copy; `None` where the array or the tree is of another kind.
    fn predict_array<'py>(
        &self,
        py: Python<'py>,
        array: &Bound<'py, PyAny>,
        threads: Option<usize>,
    ) -> Result<Option<Bound<'py, PyArray1<u16>>>> {
        let pool = Pool::of(threads)?;
        let predict = |numbers| py.detach(|| pool.install(|| self.model.predict_matrix(numbers)));
        let codes = if let Ok(array) = array.extract::<PyReadonlyArray2<'_, f32>>() {
            array.as_array().to_slice().map(|numbers| predict(Numbers::Single(numbers)))
        } else if let Ok(array) = array.extract::<PyReadonlyArray2<'_, f64>>() {
            array.as_array().to_slice().map(|numbers| predict(Numbers::Double(numbers)))
        } else {
            None
        };
        Ok(codes.transpose()?.flatten().map(|codes| codes.into_pyarray(py)))
    }

    /// The probability of every class for every row.
    fn predict_proba<'py>(
        &self,
        py: Python<'py>,
        table: &Table,
        threads: Option<usize>,
    ) -> Result<Bound<'py, PyArray2<f64>>> {
        let probabilities = self.work(py, threads, || self.model.predict_proba(&table.data))?;
        let shape = [probabilities.rows(), self.model.schema().classes.len()];
        Ok(probabilities.into_values().into_pyarray(py).reshape(shape)?)
    }

    /// The leaf of every row; where missing values divide a row, the one that most of it reaches.
    fn apply<'py>(&self, py: Python<'py>, table: &Table, threads: Option<usize>) -> Result<Bound<'py, PyArray1<i64>>> {
        let mut leaves = vec![(0, -1.0); table.data.rows()];
        for (row, leaf, share) in self.routes(py, table, threads)? {
            let most = &mut leaves[row as usize];
            if share > most.1 {
                *most = (leaf.index() as i64, share);
            }
        }
        Ok(owned(py, &leaves.into_iter().map(|(leaf, _)| leaf).collect::<Vec<_>>()))
    }

    /// The nodes that every row passes, ascending: where each row's begin, and all of them.
    #[expect(clippy::type_complexity, reason = "two arrays, as sparse matrices by rows are made of")]
    fn decision_path<'py>(
        &self,
        py: Python<'py>,
        table: &Table,
        threads: Option<usize>,
    ) -> Result<(Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<i64>>)> {
        let tree = self.model.tree();
        let mut parents = vec![0; tree.size()];
        for (parent, node) in tree.nodes().iter().enumerate() {
            node.children().iter().for_each(|child| parents[child.index()] = parent);
        }
        let (mut starts, mut passed, mut of_row) = (vec![0], Vec::new(), Vec::new());
        let routes = self.routes(py, table, threads)?;
        for leaves in routes.chunk_by(|a, b| a.0 == b.0) {
            for (_, leaf, _) in leaves {
                let mut at = leaf.index();
                of_row.push(at as i64);
                while at != NodeId::ROOT.index() {
                    at = parents[at];
                    of_row.push(at as i64);
                }
            }
            of_row.sort_unstable();
            of_row.dedup();
            passed.append(&mut of_row);
            starts.push(passed.len() as i64);
        }
        Ok((owned(py, &starts), owned(py, &passed)))
    }

    /// The tree as text, whole or its first levels.
    fn text(&self, max_depth: Option<usize>) -> String {
        export::text_with_depth(&self.model, max_depth.unwrap_or(usize::MAX))
    }

    /// The tree for Graphviz.
    fn dot(&self) -> String {
        export::dot(&self.model)
    }

    /// The tree as a piece of HTML.
    fn html(&self) -> String {
        export::html(&self.model)
    }

    /// The tree as rules: JSON, and as a person reads them.
    fn rules(&self) -> Result<Vec<(String, String)>> {
        let both = |rule: export::Rule| Ok((written(&rule)?, rule.to_string()));
        export::rules(&self.model)?.into_iter().map(both).collect()
    }

    /// Why a row got its class: JSON, and as a person reads it.
    fn explain(&self, table: &Table, row: usize) -> Result<(String, String)> {
        let explanation = export::explain(&self.model, &table.data, row)?;
        Ok((written(&explanation)?, explanation.to_string()))
    }

    /// The share of each attribute in what the tree tells.
    fn importances<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.model.importances().into_pyarray(py)
    }

    /// The recipe that made it: a JSON document.
    #[getter]
    fn recipe(&self) -> Result<String> {
        written(self.model.recipe())
    }

    /// The names of its attributes.
    #[getter]
    fn attributes(&self) -> Vec<&str> {
        self.model.schema().attributes.iter().map(|attribute| &*attribute.name).collect()
    }

    /// Its classes.
    #[getter]
    fn classes(&self) -> Vec<&str> {
        self.model.schema().classes.iter().map(String::as_str).collect()
    }

    /// Its leaves.
    #[getter]
    fn leaves(&self) -> usize {
        self.model.tree().leaves()
    }

    /// Its tests and leaves.
    #[getter]
    fn size(&self) -> usize {
        self.model.tree().size()
    }

    /// The tests on its longest path.
    #[getter]
    fn depth(&self) -> usize {
        self.model.tree().depth()
    }
}

impl Model {
    /// Works on all threads while Python goes on.
    fn work<T: Send>(
        &self,
        py: Python<'_>,
        threads: Option<usize>,
        work: impl FnOnce() -> std::result::Result<T, Error> + Send,
    ) -> Result<T> {
        let pool = Pool::of(threads)?;
        Ok(py.detach(|| pool.install(work))?)
    }

    fn routes(&self, py: Python<'_>, table: &Table, threads: Option<usize>) -> Result<Vec<(u32, NodeId, f64)>> {
        let rows: Vec<u32> = (0..table.data.rows() as u32).collect();
        self.work(py, threads, || self.model.route_rows(&table.data, &rows))
    }
}

/// An array that owns its memory: SciPy takes no others to index with.
fn owned<'py>(py: Python<'py>, numbers: &[i64]) -> Bound<'py, PyArray1<i64>> {
    PyArray1::from_slice(py, numbers)
}

/// A structure of the library as JSON.
fn written(value: &impl serde::Serialize) -> Result<String> {
    serde_json::to_string(value).map_err(|error| wrong(error.to_string()))
}
