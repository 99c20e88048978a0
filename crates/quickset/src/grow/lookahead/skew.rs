//! Skewing (Page and Ray 2003): on rows whose values are not evenly mixed even the attributes of a parity gain something.

use rayon::prelude::*;

use super::super::candidates::{Candidate, candidates};
use super::super::rows::{NodeRows, class_weights};
use super::{LOCAL_STEPS, Position, Scratch, Task, choose};
use crate::data::Value;
use crate::measure::SMALL;
use crate::recipe::Skew;

/// The best test by its gain or, where that is not much, the one that gains much on most of the weighings.
pub(super) fn best(
    task: &Task<'_>,
    node: &mut NodeRows<'_>,
    position: Position,
    how: &Skew,
    scratch: &mut Scratch,
) -> Option<Candidate> {
    let mut found = candidates(task, node, scratch);
    let first = choose::ranking(task, task.recipe.choose, &node.class_weights, &found, position).next()?;
    if found.iter().any(|candidate| candidate.gain >= how.threshold) {
        return choose::good_enough(task.recipe, &found[first]).then(|| found.swap_remove(first));
    }
    let node = &*node;
    let attributes: Vec<usize> = found.iter().map(|candidate| candidate.attribute).collect();
    let times = if how.sequential { attributes.len() } else { how.times };
    let weighed = |time: usize| {
        let only = how.sequential.then(|| attributes[time]);
        let favoured = attributes.iter().copied().filter(|&attribute| only.is_none_or(|only| only == attribute));
        task.pool.with(|scratch| skewed(task, node, favoured, position.weighing(time), how, scratch))
    };
    let shared = if node.rows.len() * attributes.len() > LOCAL_STEPS { 1 } else { times.max(1) };
    let weighings: Vec<Vec<Candidate>> = (0..times).into_par_iter().with_min_len(shared).map(weighed).collect();
    if task.signal.is_raised() {
        return None;
    }
    // The points of every candidate, and its test where it gained most.
    let mut points: Vec<(usize, Option<Candidate>)> = found.iter().map(|_| (0, None)).collect();
    for candidate in weighings.into_iter().flatten().filter(|candidate| candidate.gain > how.threshold) {
        if let Ok(at) = attributes.binary_search(&candidate.attribute) {
            let (count, best) = &mut points[at];
            *count += 1;
            if best.as_ref().is_none_or(|best| candidate.gain > best.gain + SMALL) {
                *best = Some(candidate);
            }
        }
    }
    let mut winner = 0;
    for at in 1..points.len() {
        let more = points[at].0.cmp(&points[winner].0);
        if more.is_gt() || more.is_eq() && found[at].gain > found[winner].gain + SMALL {
            winner = at;
        }
    }
    let winner = points.swap_remove(winner).1.unwrap_or_else(|| found.swap_remove(first));
    choose::good_enough(task.recipe, &winner).then_some(winner)
}

/// The candidates of a node whose rows are weighed by the values they have.
fn skewed(
    task: &Task<'_>,
    node: &NodeRows<'_>,
    favoured: impl Iterator<Item = usize>,
    position: Position,
    how: &Skew,
    scratch: &mut Scratch,
) -> Vec<Candidate> {
    if task.signal.is_raised() {
        return Vec::new();
    }
    // Sums of logarithms: a product of many small factors would be zero.
    let mut logs = vec![0.0; node.rows.len()];
    for attribute in favoured {
        let has = favourite(task, node, attribute, position);
        for (log, &row) in logs.iter_mut().zip(&node.rows) {
            *log += match has(task.data.attributes()[attribute].value(row as usize)) {
                Some(true) => how.s,
                Some(false) => 1.0 - how.s,
                None => 0.5,
            }
            .ln();
        }
    }
    let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let given = |at: usize| node.weights.as_ref().map_or(1.0, |weights| weights[at]);
    let mut weights: Vec<f64> = logs.iter().enumerate().map(|(at, log)| given(at) * (log - most).exp()).collect();
    let scale = (0..weights.len()).map(given).sum::<f64>() / weights.iter().sum::<f64>();
    weights.iter_mut().for_each(|weight| *weight *= scale);
    let mut arrays = Vec::new();
    let mut copy = node.copied(&mut arrays);
    copy.class_weights = class_weights(task, &copy.rows, Some(&weights));
    copy.weights = Some(weights);
    copy.histograms = None;
    candidates(task, &mut copy, scratch)
}

/// Whether a value is favoured: one of the levels that occur, or the numbers on one side of one that occurs.
fn favourite(
    task: &Task<'_>,
    node: &NodeRows<'_>,
    attribute: usize,
    position: Position,
) -> impl Fn(Value) -> Option<bool> {
    let column = &task.data.attributes()[attribute];
    let key = |&row: &u32| match column.value(row as usize) {
        Value::Missing => None,
        Value::Level(code) => Some(f64::from(code)),
        Value::Number(number) => Some(number),
    };
    let mut values: Vec<f64> = node.rows.iter().filter_map(key).collect();
    values.sort_unstable_by(f64::total_cmp);
    values.dedup();
    let nominal = column.levels().is_some();
    // The last number has nothing above it.
    let count = values.len() - usize::from(!nominal && values.len() > 1);
    let draw = position.draw(attribute) * count as f64;
    let chosen = values.get(draw as usize).copied().unwrap_or(0.0);
    // What is left of the draw decides the side.
    let below = draw.fract() < 0.5;
    move |value| match value {
        Value::Missing => None,
        Value::Level(code) => Some(f64::from(code) == chosen),
        Value::Number(number) => Some((number <= chosen) == below),
    }
}
