//! `quickset data convert`: the same data in another format.

use anyhow::Result;
use clap::{Args, ValueEnum};
use quickset::data::impute;
use quickset::io::write;

use crate::input::{DATA_HELP, DataArguments};
use crate::output::{Console, check_place};

/// Write data in another format
#[derive(Args)]
#[command(after_help = DATA_HELP)]
pub struct Arguments {
    /// The data to read
    #[arg(value_name = "IN")]
    data: String,

    /// The file to write; its ending decides the format
    #[arg(long, value_name = "OUT")]
    output: String,

    /// Replace missing values of the attributes, over the whole file
    #[arg(long, value_enum, value_name = "HOW")]
    impute: Option<Impute>,

    #[command(flatten)]
    columns: DataArguments,
}

#[derive(Clone, Copy, ValueEnum)]
enum Impute {
    /// By the commonest level or the mean of the column
    ModeMean,
}

/// Reads and writes.
pub fn run(arguments: &Arguments, console: &Console) -> Result<()> {
    check_place(Some(&arguments.output))?;
    let data = match arguments.impute {
        // Which columns are filled in depends on which one is the class.
        Some(Impute::ModeMean) => impute::mode_mean(&arguments.columns.read(&arguments.data, console)?)?,
        None => arguments.columns.read_any(&arguments.data, console)?,
    };
    write(&data, &arguments.output)?;
    console.note(&format!("{} rows written to {}", data.rows(), arguments.output));
    Ok(())
}
