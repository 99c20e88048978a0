//! Intervals of a numeric attribute between the places where another class becomes the most probable one (Self-adaptive
//! NBTree), and how well the most probable class is right.
//!
//! A class is as probable at a place as its weight times its density there says. Where neighbouring values have different
//! classes on top, the two are equal somewhere between; such places are cuts as far as they pay for themselves.

use super::{Chosen, Estimate, Ready, Scale};
use crate::recipe::Delta;
use crate::split::bins::midpoint;
use crate::split::mdl::{Labelled, mdl_starts};

/// How near a cut is to its crossing, as a share of the attribute's range.
const NEAR: f64 = 1e-9;

/// What the densities of an attribute say of its values.
#[derive(Debug)]
pub(crate) struct Crossings {
    /// The share of the rows whose class is the most probable one at their value: the Bayes measure δ.
    pub right: f64,
    /// The rows with which the intervals begin, but for the first.
    pub starts: Vec<usize>,
    /// The cut before each.
    pub cuts: Vec<f64>,
}

/// Of values that ascend.
pub(crate) fn crossings(sorted: &[Labelled], classes: usize, scale: Scale, delta: Delta, chosen: &Chosen) -> Crossings {
    between(sorted, &Estimate::by_class(sorted, scale, classes, chosen), scale, delta)
}

fn between(sorted: &[Labelled], estimates: &[Estimate], scale: Scale, delta: Delta) -> Crossings {
    let ready: Vec<Ready<'_>> = estimates.iter().map(Estimate::ready).collect();
    let mut right = 0.0;
    // By row: the class that is on top at its value.
    let mut tops = Vec::with_capacity(sorted.len());
    let (mut weights, mut scores) = (vec![0.0; ready.len()], vec![0.0; ready.len()]);
    for rows in sorted.chunk_by(|a, b| a.value == b.value) {
        let x = scale.of_number(rows[0].value);
        scores.iter_mut().zip(&ready).for_each(|(score, class)| *score = class.score(x));
        let top = first_highest(&scores);
        tops.extend(std::iter::repeat_n(top, rows.len()));
        rows.iter().for_each(|row| weights[usize::from(row.class)] += row.weight);
        right += match delta {
            Delta::Paper => weights[top],
            Delta::Loo => {
                let seen = (0..weights.len()).filter(|&class| weights[class] > 0.0);
                let told_by_others = |class: usize| {
                    let with = std::mem::replace(&mut scores[class], ready[class].score_of_others(x, weights[class]));
                    let right = first_highest(&scores) == class;
                    scores[class] = with;
                    if right { weights[class] } else { 0.0 }
                };
                seen.map(told_by_others).sum()
            }
        };
        rows.iter().for_each(|row| weights[usize::from(row.class)] = 0.0);
    }
    let starts = mdl_starts(sorted, ready.len(), |at| tops[at - 1] != tops[at]);
    let cut = |&start: &usize| {
        let rivals = [tops[start - 1], tops[start]].map(|class| &ready[class]);
        meeting(rivals, [sorted[start - 1].value, sorted[start].value], scale)
    };
    let cuts = starts.iter().map(cut).collect();
    let whole: f64 = sorted.iter().map(|row| row.weight).sum();
    Crossings { right: if whole > 0.0 { right / whole } else { 0.0 }, starts, cuts }
}

/// The first of the highest scores.
fn first_highest(scores: &[f64]) -> usize {
    let higher = |best: usize, class: usize| if scores[class] > scores[best] { class } else { best };
    (0..scores.len()).reduce(higher).unwrap_or(0)
}

/// Where two classes are equally probable, the first above below this and the second above it, between two values. The
/// answer is not below the first value, and below the second.
fn meeting([below, above]: [&Ready<'_>; 2], [mut low, mut high]: [f64; 2], scale: Scale) -> f64 {
    while high - low > scale.part(NEAR) {
        let middle = midpoint(low, high);
        if !(low < middle && middle < high) {
            break;
        }
        let x = scale.of_number(middle);
        if below.score(x) >= above.score(x) { low = middle } else { high = middle }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::super::phi;
    use super::*;
    use proptest::prelude::*;

    fn labelled(rows: &[(f64, u16)]) -> Vec<Labelled> {
        let mut rows: Vec<Labelled> =
            rows.iter().map(|&(value, class)| Labelled { value, class, weight: 1.0 }).collect();
        rows.sort_by(|a, b| a.value.total_cmp(&b.value));
        rows
    }

    /// ALGORITHMS.md §6.2: c = 0.5 for both classes.
    #[test]
    fn measure_and_boundary_are_those_of_the_vectors() {
        let x = [0.0, 0.1, 0.15, 0.4, 0.5, 0.55, 0.6, 0.9, 1.0].map(|value| (value, 0));
        let y = [1.1, 1.2, 1.4, 1.5, 1.9, 2.0].map(|value| (value, 1));
        let rows = labelled(&[&x[..], &y[..]].concat());
        let bandwidths = [0.5 / 9f64.sqrt(), 0.5 / 6f64.sqrt()];
        assert!((bandwidths[0] - 0.166666667).abs() < 1e-9 && (bandwidths[1] - 0.204124145).abs() < 1e-9);
        let estimates = Estimate::by_class_under(&bandwidths, &rows, Scale::UNIT);
        let found = between(&rows, &estimates, Scale::UNIT, Delta::Paper);
        assert_eq!((found.right, found.starts), (1.0, vec![9]));
        assert!((found.cuts[0] - 1.049101343).abs() < 5e-9, "{:?}", found.cuts);
    }

    #[test]
    fn a_row_that_only_tells_itself_is_wrong_without_itself() {
        let mut rows: Vec<(f64, u16)> = (0..20).map(|at| (f64::from(at) / 20.0, 0)).collect();
        rows.push((0.525, 1));
        let rows = labelled(&rows);
        let one = |delta| crossings(&rows, 2, Scale::UNIT, delta, &Chosen::default()).right;
        assert!(one(Delta::Paper) >= one(Delta::Loo));
        assert_eq!(one(Delta::Loo), 20.0 / 21.0);
    }

    #[test]
    fn crossings_that_do_not_pay_are_no_cuts_and_nothing_has_none() {
        let mixed = labelled(&[(0.1, 0), (0.2, 1), (0.3, 0), (0.4, 1), (0.5, 0), (0.6, 1)]);
        assert!(crossings(&mixed, 2, Scale::UNIT, Delta::Paper, &Chosen::default()).cuts.is_empty());
        let nothing = crossings(&[], 2, Scale::UNIT, Delta::Paper, &Chosen::default());
        assert_eq!((nothing.right, nothing.starts.len()), (0.0, 0));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// The densities as sums over all rows.
        #[test]
        fn the_measure_is_that_of_direct_sums(rows in prop::collection::vec((0..40u8, 0..3u16), 2..60)) {
            let rows: Vec<(f64, u16)> = rows.iter().map(|&(value, class)| (f64::from(value) / 40.0, class)).collect();
            let rows = labelled(&rows);
            let estimates = Estimate::by_class(&rows, Scale::UNIT, 3, &Chosen::default());
            for delta in [Delta::Paper, Delta::Loo] {
                let right = rows.iter().enumerate().filter(|&(at, row)| {
                    let score = |class: u16| -> f64 {
                        let h = estimates[usize::from(class)].bandwidth();
                        let others = rows.iter().enumerate().filter(|(other, row)| {
                            row.class == class && (delta == Delta::Paper || *other != at)
                        });
                        others.map(|(_, other)| phi((other.value - row.value) / h) / h).sum()
                    };
                    let scores = [0, 1, 2].map(score);
                    first_highest(&scores) == usize::from(row.class)
                });
                let expected = right.count() as f64 / rows.len() as f64;
                let found = between(&rows, &estimates, Scale::UNIT, delta).right;
                // Classes may tie but for rounding.
                prop_assert!((found - expected).abs() < 1.5 / rows.len() as f64, "{:?} {} {}", delta, found, expected);
            }
        }

        #[test]
        fn cuts_lie_between_the_rows_they_divide(rows in prop::collection::vec((-9.0..9.0f64, 0..3u16), 2..90)) {
            let rows: Vec<(f64, u16)> = rows.iter().map(|&(value, class)| (value + 9.0 * f64::from(class), class)).collect();
            let rows = labelled(&rows);
            let found = crossings(&rows, 3, Scale::UNIT, Delta::Paper, &Chosen::default());
            prop_assert!(found.cuts.is_sorted_by(|a, b| a < b));
            for (&start, &cut) in found.starts.iter().zip(&found.cuts) {
                prop_assert!(rows[start - 1].value <= cut && cut < rows[start].value);
            }
        }
    }
}
