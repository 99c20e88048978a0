//! `quickset data generate`: a built-in set as a file, varied as asked.

use anyhow::Result;
use clap::Args;
use quickset::data::generate::{Knobs, generate};
use quickset::io::write;

use crate::failure::Usage;
use crate::output::{Console, check_place};

/// Write a built-in data set, or one of any size, to a file
#[derive(Args)]
#[command(after_help = "`quickset data list` names the sets and what each of them takes.")]
pub struct Arguments {
    /// The set
    #[arg(value_name = "NAME")]
    name: String,

    /// The file; its ending decides the format
    #[arg(long, value_name = "OUT")]
    output: String,

    /// How many rows
    #[arg(long, value_name = "N")]
    rows: Option<usize>,

    /// Where random draws start
    #[arg(long, value_name = "S")]
    seed: Option<u64>,

    /// Share of noise, from 0 to 1
    #[arg(long, value_name = "SHARE")]
    noise: Option<f64>,

    /// How many numeric attributes
    #[arg(long, value_name = "N")]
    numeric: Option<usize>,

    /// How many nominal attributes
    #[arg(long, value_name = "N")]
    nominal: Option<usize>,

    /// How many classes
    #[arg(long, value_name = "N")]
    classes: Option<usize>,

    /// Depth of the hidden tree
    #[arg(long, value_name = "N")]
    depth: Option<usize>,

    /// How many words
    #[arg(long, value_name = "N")]
    words: Option<usize>,
}

/// Generates and writes.
pub fn run(arguments: &Arguments, console: &Console) -> Result<()> {
    check_place(Some(&arguments.output))?;
    let knobs = Knobs {
        rows: arguments.rows,
        seed: arguments.seed,
        noise: arguments.noise,
        numeric: arguments.numeric,
        nominal: arguments.nominal,
        classes: arguments.classes,
        depth: arguments.depth,
        words: arguments.words,
    };
    // Nothing but the arguments decides whether a set can be made.
    let data = generate(&arguments.name, &knobs).map_err(|error| Usage(error.to_string()))?.with_last_as_target()?;
    write(&data, &arguments.output)?;
    console.note(&format!(
        "{} rows × {} attributes and the class written to {}",
        data.rows(),
        data.attributes().len(),
        arguments.output
    ));
    Ok(())
}
