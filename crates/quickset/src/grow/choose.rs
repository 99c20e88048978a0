//! Which candidate wins: an order, since the first may turn out not to split.

use super::candidates::Candidate;
use super::task::Task;
use crate::measure::SMALL;
use crate::recipe::{Choose, Recipe};

/// A nominal attribute with more levels than this share of the training rows nearly identifies the row.
pub(super) const IDENTIFIER_SHARE: f64 = 0.3;

/// Gains this much below the average are still taken as average, as C4.5 does.
pub(super) const AVERAGE_SLACK: f64 = 1e-3;

/// The candidates from best to worst, as indices. Equal scores go to the lower attribute.
pub(crate) fn ranking(task: &Task<'_>, candidates: &[Candidate]) -> impl Iterator<Item = usize> {
    let mut eligible = eligible(task, candidates);
    let scores: Vec<f64> = candidates.iter().map(|candidate| candidate.score).collect();
    std::iter::from_fn(move || {
        let mut best: Option<usize> = None;
        for (place, &at) in eligible.iter().enumerate() {
            if best.is_none_or(|best| scores[at] > scores[eligible[best]] + SMALL) {
                best = Some(place);
            }
        }
        best.map(|place| eligible.remove(place))
    })
}

/// Whether the winner's score is worth a split at all.
pub(crate) fn good_enough(recipe: &Recipe, candidate: &Candidate) -> bool {
    recipe.stop.to_purity || candidate.score > SMALL
}

fn eligible(task: &Task<'_>, candidates: &[Candidate]) -> Vec<usize> {
    let choose = task.recipe.choose;
    if choose == Choose::Best {
        return (0..candidates.len()).collect();
    }
    let limit = IDENTIFIER_SHARE * task.rows.len() as f64 - SMALL;
    let attributes = task.data.attributes();
    let identifies =
        |attribute: usize| attributes[attribute].levels().is_some_and(|levels| levels.len() as f64 >= limit);
    let only_identifiers = (0..attributes.len()).all(identifies);
    let counts = |candidate: &Candidate| only_identifiers || !identifies(candidate.attribute);
    if choose == Choose::BestNoIdentifier {
        return (0..candidates.len()).filter(|&at| counts(&candidates[at])).collect();
    }
    let gains: Vec<f64> = candidates.iter().filter(|candidate| counts(candidate)).map(|c| c.gain).collect();
    if gains.is_empty() {
        return Vec::new();
    }
    let average = gains.iter().sum::<f64>() / gains.len() as f64;
    (0..candidates.len())
        .filter(|&at| {
            let candidate = &candidates[at];
            candidate.gain >= average - AVERAGE_SLACK && (choose == Choose::AboveAverageJ48 || counts(candidate))
        })
        .collect()
}
