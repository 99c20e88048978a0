//! CART's cost-complexity pruning (Breiman et al. 1984, chapter 3).
//!
//! A tree is cut at its weakest links: the tests that save the fewest training errors per leaf. The price of a leaf
//! at which to stop is chosen by cross-validation.

use rayon::prelude::*;

use super::reroute::{Weighted, held_out_errors};
use crate::data::Folds;
use crate::deep::deep;
use crate::error::Result;
use crate::grow::{Draft, MANY_CELLS, ROOT, Task, grow};
use crate::measure::{SMALL, errors, total};
use crate::recipe::CostRule;

/// Prunes to the price that cross-validation advises.
pub(crate) fn prune(task: &Task<'_>, draft: &mut Draft, folds: usize, rule: CostRule) -> Result<()> {
    let rows = total(&draft.nodes[ROOT].weights);
    let prices = weakest_links(draft.clone());
    if prices.len() > 1 {
        let price = advise(task, &prices, folds, rule)?;
        // What trees tell that were not grown to their end is no advice.
        if !task.signal.is_raised() {
            cut_at(draft, price * rows);
        }
    }
    Ok(())
}

/// The prices per row at which the tree loses links, ascending from 0: between two of them nothing changes.
fn weakest_links(mut draft: Draft) -> Vec<f64> {
    let rows = total(&draft.nodes[ROOT].weights);
    let mut prices = vec![0.0];
    loop {
        let weakest = savings(&draft).into_iter().map(|(_, saving)| saving).fold(f64::INFINITY, f64::min);
        if weakest.is_infinite() {
            return prices;
        }
        let price = weakest.max(0.0);
        cut_at(&mut draft, price);
        if price / rows > prices[prices.len() - 1] {
            prices.push(price / rows);
        }
    }
}

/// Every test that can be reached, with the training errors it saves per leaf it adds.
fn savings(draft: &Draft) -> Vec<(usize, f64)> {
    let mut found = Vec::new();
    visit(draft, ROOT, &mut found);
    found
}

/// Answers errors and leaves of the subtree.
fn visit(draft: &Draft, at: usize, found: &mut Vec<(usize, f64)>) -> (f64, usize) {
    let node = &draft.nodes[at];
    let as_leaf = errors(&node.weights);
    let Some(test) = &node.test else { return (as_leaf, 1) };
    let (mut sum, mut leaves) = (0.0, 0);
    for &child in &test.children {
        let (errors, below) = deep(|| visit(draft, child, found));
        sum += errors;
        leaves += below;
    }
    found.push((at, (as_leaf - sum) / (leaves as f64 - 1.0).max(1.0)));
    (sum, leaves)
}

/// Cuts, weakest first, every test that saves no more than `price` errors per leaf.
fn cut_at(draft: &mut Draft, price: f64) {
    loop {
        let savings = savings(draft);
        let least = savings.iter().map(|(_, saving)| *saving).fold(f64::INFINITY, f64::min);
        // Without tests left there is no least saving, however high the price.
        if savings.is_empty() || least > price + SMALL {
            return;
        }
        for (at, _) in savings.into_iter().filter(|(_, saving)| *saving <= least + SMALL) {
            draft.cut(at);
        }
    }
}

/// The price at which cross-validated errors are least, or the largest within one standard error of that.
fn advise(task: &Task<'_>, prices: &[f64], folds: usize, rule: CostRule) -> Result<f64> {
    let classes: Vec<u16> = task.rows.iter().map(|&row| task.classes[row as usize]).collect();
    let folds = Folds::stratified(&classes, folds.min(classes.len()), task.recipe.seed, 1)?;
    let rows_at = |places: Vec<u32>| places.iter().map(|&at| task.rows[at as usize]).collect::<Vec<u32>>();
    // Between two prices any will do: CART takes their geometric mean.
    let typical: Vec<f64> = (0..prices.len())
        .map(|at| prices.get(at + 1).map_or(f64::INFINITY, |next| (prices[at] * next).sqrt()))
        .collect();
    // Trees of many cells grow one after the other, each by all threads: side by side their lists would take too much memory.
    let cells = task.rows.len() * task.data.attributes().len();
    let in_a_row = if cells > MANY_CELLS { folds.count() } else { 1 };
    let per_fold: Vec<Vec<f64>> = (0..folds.count())
        .into_par_iter()
        .with_min_len(in_a_row)
        .map(|fold| {
            let part = task.on(rows_at(folds.train_rows(fold)));
            let mut draft = grow(&part);
            let rows = total(&draft.nodes[ROOT].weights);
            let test = Weighted::of(task.data, &rows_at(folds.test_rows(fold)));
            typical
                .iter()
                .map(|price| {
                    cut_at(&mut draft, price * rows);
                    held_out_errors(task.data, task.class, &draft, test.clone())
                })
                .collect()
        })
        .collect();
    let sums: Vec<f64> = (0..prices.len()).map(|at| per_fold.iter().map(|errors| errors[at]).sum()).collect();
    let least = sums.iter().copied().fold(f64::INFINITY, f64::min);
    let rows = task.rows.len() as f64;
    let limit = match rule {
        CostRule::Min => least,
        CostRule::OneSe => least + (least / rows * (1.0 - least / rows) * rows).max(0.0).sqrt(),
    };
    let chosen = match rule {
        CostRule::Min => sums.iter().position(|&sum| sum <= limit + SMALL),
        CostRule::OneSe => sums.iter().rposition(|&sum| sum <= limit + SMALL),
    };
    Ok(prices[chosen.unwrap_or(0)])
}
