//! Cuts at observed values: where no sorted order is kept, they are found for all nodes at once when the tree is grown.
//!
//! A node's rows fall on the same sides of the midpoint and of the largest value that is not above it, so growing needs
//! only the first; but rows that come later, in surgery or to be predicted, may lie between the two. So may the constant
//! of missing values, unless it was put in their place before: then it is a training value itself.

use rayon::prelude::*;

use super::draft::{Draft, Test};
use super::task::{Store, Task};
use crate::data::ColumnData;
use crate::model::Unknown;
use crate::recipe::{CutAt, Missing};
use crate::split::Split;

/// Whether the cuts of an attribute are moved only when the tree is grown.
pub(super) fn is_late(task: &Task<'_>, attribute: usize) -> bool {
    let dense = |data: &ColumnData| matches!(data, ColumnData::Numeric(_) | ColumnData::Numeric32(_));
    task.recipe.candidates.cut.at == CutAt::Observed
        && match &task.stores[attribute] {
            Store::Sorted { order, .. } => order.is_none(),
            Store::Unsorted { column } => dense(column.data()),
            _ => false,
        }
}

/// Moves every such cut to the largest training value that is not above it.
pub(super) fn settle(task: &Task<'_>, draft: &mut Draft) {
    let mut cuts: Vec<Vec<(f64, usize)>> = vec![Vec::new(); task.stores.len()];
    for (at, node) in draft.nodes.iter().enumerate() {
        if let Some(Test { split: Split::Threshold { attribute, cut }, .. }) = &node.test {
            cuts[*attribute].push((*cut, at));
        }
    }
    let asked =
        cuts.into_par_iter().enumerate().filter(|(attribute, cuts)| !cuts.is_empty() && is_late(task, *attribute));
    let settled: Vec<(usize, Vec<(f64, usize)>)> =
        asked.map(|(attribute, cuts)| (attribute, observed(task, attribute, cuts))).collect();
    for (attribute, cuts) in settled {
        for (cut, at) in cuts {
            let Some(test) = &mut draft.nodes[at].test else { continue };
            test.split = Split::Threshold { attribute, cut };
            if task.recipe.missing == Missing::Impute {
                let branch = test.split.branch(task.constant(attribute));
                test.unknown = branch.map_or(test.unknown, Unknown::Branch);
            }
        }
    }
}

/// The cuts of one attribute, moved.
fn observed(task: &Task<'_>, attribute: usize, mut cuts: Vec<(f64, usize)>) -> Vec<(f64, usize)> {
    cuts.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    let limits: Vec<f64> = cuts.iter().map(|&(cut, _)| cut).collect();
    let rows = task.rows.iter().map(|&row| row as usize);
    let largest = match task.data.attributes()[attribute].data() {
        ColumnData::Numeric(values) if rows.len() == values.len() => largest_below(&limits, values.iter().copied()),
        ColumnData::Numeric(values) => largest_below(&limits, rows.map(|row| values[row])),
        ColumnData::Numeric32(values) if rows.len() == values.len() => {
            largest_below(&limits, values.iter().map(|&value| f64::from(value)))
        }
        ColumnData::Numeric32(values) => largest_below(&limits, rows.map(|row| f64::from(values[row]))),
        _ => limits,
    };
    cuts.iter_mut().zip(largest).for_each(|(cut, largest)| cut.0 = largest);
    cuts
}

/// For each of some ascending limits the largest number that is not above it; the limit itself where there is none.
/// Missing numbers are left out.
fn largest_below(limits: &[f64], numbers: impl Iterator<Item = f64>) -> Vec<f64> {
    let (Some(&low), Some(&high)) = (limits.first(), limits.last()) else { return Vec::new() };
    // A place guessed from a number never falls as the number rises, so no limit of an earlier place is above it. So many
    // places that most hold no limit: then it is seldom one too many that is guessed.
    let places = 16 * limits.len();
    let per_unit = places as f64 / (high - low);
    let guess = |number: f64| (((number - low) * per_unit) as u32 as usize).min(places - 1);
    let mut firsts = vec![limits.len() as u32; places];
    limits.iter().enumerate().rev().for_each(|(at, &limit)| firsts[guess(limit)] = at as u32);
    for place in (1..places).rev() {
        firsts[place - 1] = firsts[place - 1].min(firsts[place]);
    }
    // One more, for the numbers that are above all limits.
    let padded: Vec<f64> = limits.iter().copied().chain([f64::INFINITY]).collect();
    let mut largest = vec![f64::NEG_INFINITY; padded.len()];
    for number in numbers {
        let mut at = firsts[guess(number)] as usize;
        while padded[at] < number {
            at += 1;
        }
        if number > largest[at] {
            largest[at] = number;
        }
    }
    largest.pop();
    let mut most = f64::NEG_INFINITY;
    for (largest, limit) in largest.iter_mut().zip(limits) {
        most = most.max(*largest);
        *largest = if most.is_finite() { most } else { *limit };
    }
    largest
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_largest_below_is_that_of_looking_at_all(
            mut limits in prop::collection::vec(prop_oneof![-9.0..9.0f64, (-9i32..9).prop_map(f64::from)], 0..20),
            numbers in prop::collection::vec(
                prop_oneof![Just(f64::NAN), -12.0..12.0f64, (-12i32..12).prop_map(f64::from), Just(1e300)], 0..60),
        ) {
            limits.sort_by(f64::total_cmp);
            let slow = |&limit: &f64| {
                let below = numbers.iter().copied().filter(|&number| number <= limit);
                below.reduce(f64::max).unwrap_or(limit)
            };
            let expected: Vec<f64> = limits.iter().map(slow).collect();
            prop_assert_eq!(largest_below(&limits, numbers.iter().copied()), expected);
        }
    }
}
