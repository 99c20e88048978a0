//! Which constants a recipe is timed by: recipes that do the same work share them.

use serde::{Deserialize, Serialize};

use crate::recipe::{Leaf, Numeric, Prune, Recipe, Score, Tables};

/// Recipes that do the same kinds of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Family {
    /// Factored tables: `nt`.
    Factored,
    /// Counted tables, and pruning in one pass: `c45`, `j48`.
    Pruned,
    /// Counted tables, and no pruning: `id3`.
    Unpruned,
    /// Counted tables, and trees of cross-validation for pruning: `cart`.
    CrossValidated,
    /// No tree, and leaves of naive Bayes: `nb`.
    Bayes,
    /// No tree: `majority`.
    Majority,
    /// Numbers in intervals, one level or more: `one-r`.
    Intervals,
    /// All pairs of tests: `t2`.
    Ahead,
}

impl Family {
    /// Every family, with the recipe that it is calibrated by.
    pub const ALL: [(Family, fn() -> Recipe); 8] = [
        (Family::Factored, Recipe::nt),
        (Family::Pruned, Recipe::c45),
        (Family::Unpruned, Recipe::id3),
        (Family::CrossValidated, Recipe::cart),
        (Family::Bayes, Recipe::nb),
        (Family::Majority, Recipe::majority),
        (Family::Intervals, Recipe::one_r),
        (Family::Ahead, Recipe::t2),
    ];

    /// The family of a recipe. The first of its parts that decides what takes the time decides.
    pub fn of(recipe: &Recipe) -> Self {
        let grows = recipe.stop.max_depth != Some(0);
        match recipe {
            _ if !grows && matches!(recipe.leaf, Leaf::Nb { .. }) => Family::Bayes,
            _ if !grows => Family::Majority,
            Recipe { tables: Tables::Factored(_), .. } => Family::Factored,
            Recipe { score: Score::ErrorsAhead, .. } => Family::Ahead,
            Recipe { prune: Prune::CostComplexity { .. }, .. } => Family::CrossValidated,
            _ if recipe.candidates.numeric != Numeric::Threshold => Family::Intervals,
            Recipe { prune: Prune::None, .. } => Family::Unpruned,
            Recipe { prune: Prune::Pessimistic { .. } | Prune::ReducedError { .. }, .. } => Family::Pruned,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_family_has_the_recipe_it_is_calibrated_by() {
        for (family, recipe) in Family::ALL {
            assert_eq!(Family::of(&recipe()), family);
        }
        assert_eq!(Family::of(&Recipe::j48()), Family::Pruned);
    }
}
