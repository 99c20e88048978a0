//! Quickset learns one decision tree a person can read.

pub mod data;
pub mod error;
pub mod io;

pub use data::{Column, Dataset};
pub use error::{Error, ErrorKind, Result};
