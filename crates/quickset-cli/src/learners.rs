//! `quickset learners`: what there is to choose from.

use anyhow::Result;
use clap::{Args, ValueEnum};
use quickset::Recipe;
use quickset::recipe::PRESETS;
use serde::Serialize;
use serde_json::Value;

use crate::output::{Console, print};
use crate::recipe::keys_help;
use crate::table::table;

/// List every learner with its recipe
#[derive(Args)]
#[command(after_long_help = keys_help())]
pub struct Arguments {
    /// How the list is printed
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// One line each
    Text,
    /// A JSON list with the whole recipes
    Json,
}

/// The parts of a recipe that tell learners apart.
const PARTS: [&str; 7] = ["score", "choose", "lookahead", "leaf", "prune", "search", "missing"];

#[derive(Serialize)]
struct Listed {
    name: &'static str,
    summary: &'static str,
    recipe: Recipe,
}

/// Prints the list.
pub fn run(arguments: &Arguments, _console: &Console) -> Result<()> {
    let listed: Vec<Listed> = PRESETS
        .iter()
        .map(|preset| Listed { name: preset.name, summary: preset.summary, recipe: (preset.recipe)() })
        .collect();
    match arguments.format {
        Format::Json => print(|out| {
            serde_json::to_writer(&mut *out, &listed)?;
            writeln!(out)
        }),
        Format::Text => {
            let [score, choose, lookahead, leaf, prune, search, missing] = PARTS;
            let head = ["learner", score, choose, lookahead, leaf, prune, search, missing, "what it is"];
            let mut table = table(head, 0..0);
            for learner in &listed {
                let recipe = serde_json::to_value(&learner.recipe)?;
                let mut fields = vec![learner.name.to_string()];
                fields.extend(PARTS.iter().map(|part| word(&recipe[part])));
                fields.push(learner.summary.to_string());
                table.add_row(fields);
            }
            print(|out| writeln!(out, "{}", table.trim_fmt()))
        }
    }
}

/// A part in one word: the word itself, or the tag before its numbers.
fn word(part: &Value) -> String {
    match part {
        Value::String(word) => word.clone(),
        Value::Null => "none".into(),
        Value::Object(fields) => fields.keys().next().cloned().unwrap_or_default(),
        other => other.to_string(),
    }
}
