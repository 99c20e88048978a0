//! Cuts at observed values: where no sorted order is kept, they are found for all nodes at once when the tree is grown.
//!
//! A node's rows fall on the same sides of the midpoint and of the largest value that is not above it, so growing needs
//! only the first; but rows that come later, in surgery or to be predicted, may lie between the two. So may the constant
//! of missing values, unless it was put in their place before: then it is a training value itself.

use rayon::prelude::*;

use super::draft::{Draft, DraftNode};
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
    let late = |(at, node): (usize, &DraftNode)| match node.test.as_ref()?.split {
        Split::Threshold { attribute, cut } => is_late(task, attribute).then_some(Late { attribute, cut, at }),
        _ => None,
    };
    let mut cuts: Vec<Late> = draft.nodes.iter().enumerate().filter_map(late).collect();
    cuts.sort_unstable_by(|a, b| a.attribute.cmp(&b.attribute).then(a.cut.total_cmp(&b.cut)));
    cuts.par_chunk_by_mut(|a, b| a.attribute == b.attribute).for_each(|cuts| observe(task, cuts));
    for Late { attribute, cut, at } in cuts {
        let Some(test) = &mut draft.nodes[at].test else { continue };
        test.split = Split::Threshold { attribute, cut };
        if task.recipe.missing == Missing::Impute {
            let branch = test.split.branch(task.constant(attribute));
            test.unknown = branch.map_or(test.unknown, Unknown::Branch);
        }
    }
}

/// A cut that is to be moved, with its node.
struct Late {
    attribute: usize,
    cut: f64,
    at: usize,
}

/// Moves the cuts of one attribute, ascending.
fn observe(task: &Task<'_>, cuts: &mut [Late]) {
    let limits: Vec<f64> = cuts.iter().map(|late| late.cut).collect();
    let rows = task.rows.iter().map(|&row| row as usize);
    let largest = match task.data.attributes()[cuts[0].attribute].data() {
        ColumnData::Numeric(values) if rows.len() == values.len() => largest_below(&limits, values.iter().copied()),
        ColumnData::Numeric(values) => largest_below(&limits, rows.map(|row| values[row])),
        ColumnData::Numeric32(values) if rows.len() == values.len() => {
            largest_below(&limits, values.iter().map(|&value| f64::from(value)))
        }
        ColumnData::Numeric32(values) => largest_below(&limits, rows.map(|row| f64::from(values[row]))),
        _ => limits,
    };
    cuts.iter_mut().zip(largest).for_each(|(late, largest)| late.cut = largest);
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
