//! `quickset explain`: why a row got its class.

use anyhow::Result;
use clap::{Args, ValueEnum};
use quickset::{Model, export};

use crate::input::{DATA_HELP, DataArguments};
use crate::output::{Console, print};

/// Say why a row gets its class, and what would change it
#[derive(Args)]
#[command(after_help = DATA_HELP)]
pub struct Arguments {
    /// A model that `train --output` wrote
    #[arg(value_name = "MODEL")]
    model: String,

    /// The data; columns are found by name
    #[arg(value_name = "DATA")]
    data: String,

    /// The row, counted from 1
    #[arg(long, value_name = "I", value_parser = clap::value_parser!(u64).range(1..))]
    row: u64,

    /// How the answer is printed
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,

    #[command(flatten)]
    columns: DataArguments,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// The path in words
    Text,
    /// The same as a JSON object
    Json,
}

/// Explains one row.
pub fn run(arguments: &Arguments, console: &Console) -> Result<()> {
    let model = Model::load(&arguments.model)?;
    let data = arguments.columns.read_unlabelled(&arguments.data, &model.schema().class, console)?;
    let row = arguments.row as usize - 1;
    let explanation = export::explain(&model, &data, row).map_err(|error| error.in_file(&arguments.data))?;
    print(|out| match arguments.format {
        Format::Text => writeln!(out, "{}", explanation.to_string().trim_end()),
        Format::Json => {
            serde_json::to_writer(&mut *out, &explanation)?;
            writeln!(out)
        }
    })
}
