//! The arguments that choose a recipe, and the words for one in lists of learners.

use anyhow::Result;
use clap::Args;
use quickset::{Learner, Recipe, recipe};

use crate::failure::Usage;

/// Which learner, and what is changed about it.
#[derive(Args)]
pub struct RecipeArguments {
    /// The learner; `quickset learners` lists them [default: nt; with --budget or --start-from auto]
    #[arg(long, value_name = "NAME")]
    learner: Option<String>,

    /// Changes a part of the learner; may be repeated, and --help lists the keys
    #[arg(long = "set", value_name = "KEY=VALUE")]
    changes: Vec<String>,

    /// Where random draws start
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
}

impl RecipeArguments {
    /// The learner that was asked for, or this one.
    pub fn learner_or(&self, default: &str) -> Result<Learner> {
        let mut recipe = Recipe::named(self.learner.as_deref().unwrap_or(default))?;
        for change in &self.changes {
            recipe.set_pair(change)?;
        }
        Ok(Learner::new(Recipe { seed: self.seed, ..recipe })?)
    }
}

/// The long help on `--set`.
pub fn keys_help() -> String {
    let width = recipe::keys().map(|(key, _)| key.len()).max().unwrap_or(0);
    let lines: Vec<String> = recipe::keys().map(|(key, values)| format!("  {key:width$}  {values}")).collect();
    format!("Keys of --set and the values they take:\n{}", lines.join("\n"))
}

/// A learner as a list of learners writes it: `c45`, or with changes `c45[min-rows=5,collapse=false]`.
pub struct Entry {
    /// As the user wrote it.
    pub label: String,
    /// What it stands for.
    pub learner: Learner,
}

/// Reads a list of learners. Commas inside brackets belong to the learner before them.
pub fn entries(list: &str, seed: u64) -> Result<Vec<Entry>> {
    split_outside_brackets(list)?.into_iter().map(|label| entry(label.trim(), seed)).collect()
}

fn entry(label: &str, seed: u64) -> Result<Entry> {
    let recipe = Recipe { seed, ..Recipe::parse(label)? };
    Ok(Entry { label: label.to_string(), learner: Learner::new(recipe)? })
}

fn split_outside_brackets(list: &str) -> Result<Vec<&str>> {
    let mut parts = Vec::new();
    let (mut start, mut inside) = (0, false);
    for (at, character) in list.char_indices() {
        match (character, inside) {
            ('[', false) => inside = true,
            (']', true) => inside = false,
            ('[', true) | (']', false) => return Err(misspelt(list, "brackets do not nest")),
            (',', false) => {
                parts.push(&list[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    if inside {
        return Err(misspelt(list, "a bracket is not closed"));
    }
    parts.push(&list[start..]);
    Ok(parts)
}

fn misspelt(found: &str, remedy: &str) -> anyhow::Error {
    Usage(format!("{found:?} is not a list of learners; {remedy}")).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(list: &str) -> Vec<String> {
        entries(list, 1).unwrap().into_iter().map(|entry| entry.label).collect()
    }

    #[test]
    fn commas_in_brackets_belong_to_the_learner() {
        assert_eq!(labels("j48"), ["j48"]);
        assert_eq!(
            labels("c45[min-rows=5,collapse=false], j48,cart[max-depth=3]"),
            ["c45[min-rows=5,collapse=false]", "j48", "cart[max-depth=3]"]
        );
    }

    #[test]
    fn a_misspelt_list_is_refused() {
        for list in ["", "c45,", "oak", "c45[", "c45]", "c45[]", "c45[min-rows=5", "c45[[x]]", "c45[oak=1]", "c45[x]y"]
        {
            assert!(entries(list, 1).is_err(), "{list}");
        }
    }

    #[test]
    fn help_lists_every_key() {
        let help = keys_help();
        assert!(recipe::keys().all(|(key, values)| help.contains(key) && help.contains(values)));
    }
}
