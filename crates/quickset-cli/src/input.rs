//! The arguments by which data are read, shared by every command that reads some.

use anyhow::Result;
use clap::Args;
use quickset::Dataset;
use quickset::io::{ReadOptions, Target, read};

use crate::output::Console;

/// What DATA may be, for help texts.
pub const DATA_HELP: &str = "\
DATA is a file (.csv, .tsv, .arff, .data with .names, .libsvm or .svm, .parquet, .arrow; most also .gz or .zst), - for \
CSV on standard input, or builtin:NAME (see `quickset data list`). Missing is an empty field, ?, NA or NaN.";

/// How the columns of a file are to be understood.
#[derive(Args)]
#[command(next_help_heading = "Data")]
pub struct DataArguments {
    /// The class column [default: the last one, or the model's]
    #[arg(long, value_name = "COL")]
    target: Option<String>,

    /// More words that mean a missing value
    #[arg(long, value_name = "WORD", value_delimiter = ',')]
    missing: Vec<String>,

    /// Columns to treat as nominal
    #[arg(long, value_name = "COL", value_delimiter = ',')]
    nominal: Vec<String>,

    /// Columns to treat as numeric
    #[arg(long, value_name = "COL", value_delimiter = ',')]
    numeric: Vec<String>,

    /// Columns to leave out
    #[arg(long, value_name = "COL", value_delimiter = ',')]
    ignore: Vec<String>,
}

impl DataArguments {
    /// Reads data whose class is the column the user names, or else the last.
    pub fn read(&self, path: &str, console: &Console) -> Result<Dataset> {
        self.read_as(path, self.target.clone().map_or(Target::Last, Target::Named), console)
    }

    /// Reads data with the class of a model, which the user may have called otherwise.
    pub fn read_labelled(&self, path: &str, class: &str, console: &Console) -> Result<Dataset> {
        self.read_as(path, Target::Named(self.target.as_deref().unwrap_or(class).to_string()), console)
    }

    /// The same where the class may be absent.
    pub fn read_unlabelled(&self, path: &str, class: &str, console: &Console) -> Result<Dataset> {
        self.read_as(path, Target::IfPresent(self.target.as_deref().unwrap_or(class).to_string()), console)
    }

    /// Reads data whose last column is the class if it can be one: a look at data needs no class.
    pub fn read_any(&self, path: &str, console: &Console) -> Result<Dataset> {
        self.read(path, console).or_else(|error| {
            if self.target.is_some() || path == "-" {
                return Err(error);
            }
            let Ok(data) = self.read_as(path, Target::None, console) else { return Err(error) };
            console.warning(&format!("no class: {error:#}"));
            Ok(data)
        })
    }

    fn read_as(&self, path: &str, target: Target, console: &Console) -> Result<Dataset> {
        let data = read(path, &self.options(target))?;
        for note in data.notes() {
            console.note(&format!("{path}: {note}"));
        }
        Ok(data)
    }

    fn options(&self, target: Target) -> ReadOptions {
        ReadOptions {
            target,
            missing: self.missing.clone(),
            nominal: self.nominal.clone(),
            numeric: self.numeric.clone(),
            ignore: self.ignore.clone(),
        }
    }
}

/// The name of a data set in results: the file without folder and endings.
pub fn name_of(path: &str) -> String {
    if path == "-" {
        return "stdin".to_string();
    }
    if let Some(name) = path.strip_prefix("builtin:") {
        return name.to_string();
    }
    let file = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let unpacked = file.strip_suffix(".gz").or_else(|| file.strip_suffix(".zst")).unwrap_or(file);
    let stem = unpacked.rsplit_once('.').map_or(unpacked, |(stem, _)| stem);
    (if stem.is_empty() { unpacked } else { stem }).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_is_called_by_its_file() {
        let names =
            ["uci/iris.arff", "iris.csv.gz", "iris.v2.csv", "builtin:monks-1", "-", ".csv", "plain"].map(name_of);
        assert_eq!(names, ["iris", "iris", "iris.v2", "monks-1", "stdin", ".csv", "plain"]);
    }
}
