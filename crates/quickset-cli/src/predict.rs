//! `quickset predict`: the class of every row.

use anyhow::Result;
use clap::Args;
use quickset::Model;

use crate::input::{DATA_HELP, DataArguments};
use crate::output::{Console, check_place, csv_line, deliver};

/// Predict the class of every row, as CSV
#[derive(Args)]
#[command(after_help = DATA_HELP)]
pub struct Arguments {
    /// A model that `train --output` wrote
    #[arg(value_name = "MODEL")]
    model: String,

    /// The rows; columns are found by name, and the class need not be there
    #[arg(value_name = "DATA")]
    data: String,

    /// Add the probability of every class
    #[arg(long)]
    proba: bool,

    /// Write to this file instead of standard output
    #[arg(long, value_name = "FILE")]
    output: Option<String>,

    #[command(flatten)]
    columns: DataArguments,
}

/// Predicts and writes `row,prediction`, rows counted from 1.
pub fn run(arguments: &Arguments, console: &Console) -> Result<()> {
    check_place(arguments.output.as_deref())?;
    let model = Model::load(&arguments.model)?;
    let data = arguments.columns.read_unlabelled(&arguments.data, &model.schema().class, console)?;
    let in_file = |error: quickset::Error| error.in_file(&arguments.data);
    let codes = model.predict(&data).map_err(in_file)?;
    let probabilities = if arguments.proba { Some(model.predict_proba(&data).map_err(in_file)?) } else { None };
    let classes: Vec<&str> = model.schema().classes.iter().map(String::as_str).collect();
    deliver(arguments.output.as_deref(), console, |out| {
        let columns: &[&str] = if arguments.proba { &classes } else { &[] };
        csv_line(out, ["row", "prediction"].iter().chain(columns).copied())?;
        for (row, &code) in codes.iter().enumerate() {
            let mut fields = vec![(row + 1).to_string(), classes[usize::from(code)].to_string()];
            if let Some(probabilities) = &probabilities {
                fields.extend(probabilities.row(row).iter().map(f64::to_string));
            }
            csv_line(out, fields.iter().map(String::as_str))?;
        }
        Ok(())
    })
}
