//! What is cut back after growing: one file per pruner.

mod collapse;
mod cost_complexity;
mod divided;
mod estimate;
mod parts;
mod penalty;
mod pessimistic;
mod reduced_error;
mod reroute;
mod steps;
mod surgery;
#[cfg(test)]
mod tests;

pub(crate) use estimate::Estimate;
pub(crate) use reroute::{Weighted, held_out_errors};

use crate::error::Result;
use crate::grow::{Draft, ROOT, Task};
use crate::measure::total;
use crate::recipe::{Prune, Recipe};

/// Which rows a pruner keeps from growing: the rest is what the tree is grown from.
pub(crate) fn reserve(recipe: &Recipe, classes: &[u16], rows: Vec<u32>) -> Result<(Vec<u32>, Vec<u32>)> {
    match recipe.prune {
        Prune::ReducedError { folds } => reduced_error::reserve(classes, &rows, folds, recipe.seed),
        _ => Ok((rows, Vec::new())),
    }
}

/// Collapses and prunes a grown tree. `reserved` are the rows that growing did not see.
pub(crate) fn prune(task: &Task<'_>, draft: &mut Draft, reserved: &[u32]) -> Result<()> {
    if task.recipe.collapse {
        collapse::collapse(draft);
    }
    match &task.recipe.prune {
        Prune::None => {}
        Prune::Pessimistic { confidence, raising, errors } => {
            pessimistic::prune(task, draft, Estimate::new(*confidence, *errors), *raising);
        }
        Prune::ReducedError { .. } => reduced_error::prune(task, draft, reserved),
        Prune::CostComplexity { folds, rule } => cost_complexity::prune(task, draft, *folds, *rule)?,
    }
    if task.recipe.leaf_penalty > 0.0 {
        let rows = total(&draft.nodes[ROOT].weights);
        penalty::penalise(draft, task.recipe.leaf_penalty * rows);
    }
    Ok(())
}
