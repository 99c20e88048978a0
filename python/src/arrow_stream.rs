//! Tables of other libraries, taken over through Arrow's stream interface.

use arrow::array::RecordBatchReader;
use arrow::ffi_stream::{FFI_ArrowArrayStream, RecordBatchStreamReader};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use quickset::{Column, io};

use crate::error::{Result, wrong};

/// The columns of anything that has `__arrow_c_stream__`.
pub fn columns(table: &Bound<'_, PyAny>) -> Result<Vec<Column>> {
    let capsule = table.call_method0("__arrow_c_stream__")?;
    let capsule = capsule.cast::<PyCapsule>().map_err(|_| {
        PyTypeError::new_err("__arrow_c_stream__ did not answer with a capsule, as Arrow's interface demands")
    })?;
    let reader = reader(capsule)?;
    let schema = reader.schema();
    Ok(io::from_arrow(&schema, reader)?)
}

/// Takes the stream out of its capsule.
#[expect(unsafe_code, reason = "the interface is one of C structures")]
fn reader(capsule: &Bound<'_, PyCapsule>) -> Result<RecordBatchStreamReader> {
    let stream = capsule.pointer_checked(Some(c"arrow_array_stream"))?.cast::<FFI_ArrowArrayStream>().as_ptr();
    // SAFETY: a capsule of this name points to an initialised stream, as the Arrow PyCapsule interface promises; it is
    // moved out and an empty one left behind, which the capsule may drop.
    unsafe { RecordBatchStreamReader::from_raw(stream) }
        .map_err(|error| wrong(format!("the Arrow stream is unusable: {error}")))
}
