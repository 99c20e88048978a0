//! Nodes that end as leaves whatever their tests: they are not grown.
//!
//! Where each side of a cut has at least s rows, so has each leaf. With e rows at a node that are not of its largest
//! class and 2e ≤ s, these are nowhere the majority: no subtree saves an error, and collapsing makes it a leaf again.

use super::thresholds::least_side;
use crate::data::Dataset;
use crate::recipe::{Numeric, Prune, Recipe};

/// The most errors of such a node: zero where a test may save the last one.
pub(super) fn errors(data: &Dataset, recipe: &Recipe) -> f64 {
    // Levels may be divided down to single rows, and fractions of a row are less than one.
    let whole = data.kinds().complete && data.weights().is_none();
    let cut_in_two = recipe.candidates.numeric == Numeric::Threshold && data.kinds().only_numbers;
    // What else would hear of such a node: a limit that it is counted towards, the tests of chance, samples of trees, and
    // trees that are not collapsed, as those of folds and of a search.
    let unheard = recipe.stop.max_leaves.is_none()
        && recipe.search.is_once()
        && recipe.stop.significance.is_none()
        && recipe.lookahead.is_none()
        && !matches!(recipe.prune, Prune::CostComplexity { .. });
    if recipe.collapse && whole && cut_in_two && unheard { least_side(recipe) / 2.0 } else { 0.0 }
}
