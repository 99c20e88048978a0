//! Which candidate wins: an order, since the first may turn out not to split.

use super::candidates::Candidate;
use super::position::Position;
use super::task::Task;
use crate::measure::{SMALL, total, x_log_x};
use crate::recipe::{Choose, Recipe};

/// A nominal attribute with more levels than this share of the training rows nearly identifies the row.
pub(super) const IDENTIFIER_SHARE: f64 = 0.3;

/// Gains this much below the average are still taken as average, as C4.5 does.
pub(super) const AVERAGE_SLACK: f64 = 1e-3;

/// The chance of an attribute that gains nothing, beside those of gains in bits: without one SID3 would never split
/// parity. How large it is the authors do not say.
const LEAST_CHANCE: f64 = 1e-3;

/// The candidates in the order in which they are to win, as indices. Equal scores go to the lower attribute; draws
/// depend on the node's position only.
pub(crate) fn ranking(
    task: &Task<'_>,
    choose: Choose,
    class_weights: &[f64],
    candidates: &[Candidate],
    position: Position,
) -> impl Iterator<Item = usize> {
    let mut eligible = eligible(task, choose, candidates);
    let mut chances = chances(task.recipe, choose, class_weights, candidates);
    let scores: Vec<f64> = match choose {
        // Of those with any chance.
        Choose::Ordered => {
            let chances = std::mem::take(&mut chances);
            eligible.retain(|&at| chances[at] > 0.0);
            candidates.iter().map(|candidate| position.order(candidate.attribute)).collect()
        }
        _ => candidates.iter().map(|candidate| candidate.score).collect(),
    };
    let mut draws = 0;
    std::iter::from_fn(move || {
        if !chances.is_empty() {
            let place = drawn(&chances, position.draw(draws))?;
            draws += 1;
            chances.remove(place);
            return Some(eligible.remove(place));
        }
        let mut best: Option<usize> = None;
        for (place, &at) in eligible.iter().enumerate() {
            let slack = if choose == Choose::Ordered { 0.0 } else { SMALL };
            if best.is_none_or(|best| scores[at] > scores[eligible[best]] + slack) {
                best = Some(place);
            }
        }
        best.map(|place| eligible.remove(place))
    })
}

/// The chances of candidates that are drawn; an empty list where the best wins.
fn chances(recipe: &Recipe, choose: Choose, class_weights: &[f64], candidates: &[Candidate]) -> Vec<f64> {
    if !choose.is_random() {
        return Vec::new();
    }
    let weight = total(class_weights);
    let bits = x_log_x(weight) - class_weights.iter().copied().map(x_log_x).sum::<f64>();
    let enough = |candidate: &&Candidate| good_enough(recipe, candidate);
    let leaves_nothing = |candidate: &Candidate| bits - candidate.gain * weight <= SMALL;
    let certain = choose != Choose::Uniform && candidates.iter().filter(enough).any(leaves_nothing);
    let chance_of = |candidate: &Candidate| match choose {
        _ if !enough(&candidate) || certain && !leaves_nothing(candidate) => 0.0,
        Choose::Drawn if !certain => chance(candidate.gain),
        _ => 1.0,
    };
    candidates.iter().map(chance_of).collect()
}

/// The chance of a gain in SID3's draw.
pub(crate) fn chance(gain: f64) -> f64 {
    gain.max(0.0) + LEAST_CHANCE
}

/// One of some places by their chances, where `draw` is from 0 up to 1; none where none has a chance.
pub(crate) fn drawn(chances: &[f64], draw: f64) -> Option<usize> {
    let target = draw * chances.iter().sum::<f64>();
    let mut passed = 0.0;
    let reaches = |chance: &f64| {
        passed += chance;
        target < passed
    };
    // Rounding may leave the target just beyond the last.
    chances.iter().position(reaches).or_else(|| chances.iter().rposition(|&chance| chance > 0.0))
}

/// Whether the winner's score is worth a split at all.
pub(crate) fn good_enough(recipe: &Recipe, candidate: &Candidate) -> bool {
    recipe.stop.to_purity || candidate.score > SMALL
}

fn eligible(task: &Task<'_>, choose: Choose, candidates: &[Candidate]) -> Vec<usize> {
    if choose == Choose::Best || choose.is_random() {
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
