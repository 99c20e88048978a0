//! `quickset show`: the tree of a model, to read or to draw.

use anyhow::Result;
use clap::{Args, ValueEnum};
use quickset::{Model, export};

use crate::output::{Console, check_place, deliver};

/// Print the tree of a model
#[derive(Args)]
pub struct Arguments {
    /// A model that `train --output` wrote
    #[arg(value_name = "MODEL")]
    model: String,

    /// What to print
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,

    /// Write to this file instead of standard output
    #[arg(long, value_name = "FILE")]
    output: Option<String>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// Indented lines, as J48 prints them
    Text,
    /// A graph for Graphviz
    Dot,
    /// Nested nodes, for programs
    Json,
    /// One if-then rule per leaf, with support and confidence
    Rules,
}

/// Prints the tree.
pub fn run(arguments: &Arguments, console: &Console) -> Result<()> {
    check_place(arguments.output.as_deref())?;
    let model = Model::load(&arguments.model)?;
    let text = match arguments.format {
        Format::Text => export::text(&model),
        Format::Dot => export::dot(&model),
        Format::Json => export::json(&model),
        Format::Rules => export::rules_text(&model).map_err(|error| error.in_file(&arguments.model))?,
    };
    deliver(arguments.output.as_deref(), console, |out| writeln!(out, "{}", text.trim_end()))
}
