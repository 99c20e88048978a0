//! The library's errors as the exceptions that Python programmers expect.

use pyo3::PyErr;
use pyo3::exceptions::{PyOSError, PyValueError};
use quickset::ErrorKind;

/// What a call from Python comes to.
pub type Result<T> = std::result::Result<T, Failure>;

/// An error on its way to Python.
pub struct Failure(PyErr);

impl From<quickset::Error> for Failure {
    fn from(error: quickset::Error) -> Self {
        let message = error.to_string();
        Failure(match error.kind() {
            ErrorKind::Io => PyOSError::new_err(message),
            _ => PyValueError::new_err(message),
        })
    }
}

impl From<PyErr> for Failure {
    fn from(error: PyErr) -> Self {
        Failure(error)
    }
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> Self {
        failure.0
    }
}

/// Something that a caller got wrong.
pub fn wrong(message: impl Into<String>) -> Failure {
    Failure(PyValueError::new_err(message.into()))
}
