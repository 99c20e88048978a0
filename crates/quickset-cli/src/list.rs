//! `quickset data list`: the built-in sets.

use anyhow::Result;
use clap::Args;
use quickset::data::generate::{Knob, list};

use crate::output::{Console, print};
use crate::table::table;

/// List the built-in data sets
#[derive(Args)]
#[command(after_help = "Use a set as builtin:NAME wherever DATA is asked for, or write it with `data generate NAME`.")]
pub struct Arguments {}

/// Prints the list.
pub fn run(_arguments: &Arguments, _console: &Console) -> Result<()> {
    let mut table = table(["name", "rows", "what it is", "`data generate` takes"], 1..2);
    for set in list() {
        let knobs: Vec<&str> = set.knobs.iter().map(|knob: &Knob| knob.name()).collect();
        table.add_row([set.name, &set.rows.to_string(), set.summary, &knobs.join(" ")]);
    }
    print(|out| writeln!(out, "{}", table.trim_fmt()))
}
