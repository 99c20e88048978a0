//! What stands in for Parquet and Arrow where the `parquet` feature is off.

use std::io::Write;

use super::ReadOptions;
use super::table::Table;
use crate::data::Dataset;
use crate::error::{Error, Result};

fn unsupported<T>() -> Result<T> {
    Err(Error::format("this build has no support for Parquet and Arrow")
        .remedy("convert to .csv or .arff, or build Quickset with the feature `parquet`"))
}

pub(super) fn read(_: &str, _: &ReadOptions) -> Result<Table> {
    unsupported()
}

pub(super) fn read_arrow(_: &str, _: &ReadOptions) -> Result<Table> {
    unsupported()
}

pub(super) fn write(_: &Dataset, _: &mut (dyn Write + Send)) -> Result<()> {
    unsupported()
}

pub(super) fn write_arrow(_: &Dataset, _: &mut (dyn Write + Send)) -> Result<()> {
    unsupported()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_says_what_to_do() {
        for path in ["x.parquet", "x.arrow"] {
            let error = super::super::read(path, &ReadOptions::default()).unwrap_err();
            assert!(error.to_string().contains("convert to .csv or .arff, or build Quickset with"), "{error}");
        }
    }
}
