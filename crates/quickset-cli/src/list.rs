//! `quickset data list`: the built-in sets.

use anyhow::Result;
use clap::Args;
use comfy_table::{CellAlignment, Table, presets};
use quickset::data::generate::{Knob, list};

use crate::output::{Console, print};

/// List the built-in data sets
#[derive(Args)]
#[command(after_help = "Use a set as builtin:NAME wherever DATA is asked for, or write it with `data generate NAME`.")]
pub struct Arguments {}

/// Prints the list.
pub fn run(_arguments: &Arguments, _console: &Console) -> Result<()> {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING);
    table.set_header(["name", "rows", "what it is", "`data generate` takes"]);
    if let Some(column) = table.column_mut(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    for set in list() {
        let knobs: Vec<&str> = set.knobs.iter().map(|knob: &Knob| knob.name()).collect();
        table.add_row([set.name, &set.rows.to_string(), set.summary, &knobs.join(" ")]);
    }
    print(|out| writeln!(out, "{}", table.trim_fmt()))
}
