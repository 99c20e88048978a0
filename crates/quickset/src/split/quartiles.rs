//! Cuts of a numeric attribute at its quartiles (Martin and Hirschberg 1995), and what other ways to cut once share.

use super::bins::midpoint;
use super::mdl::Labelled;
use crate::measure::SMALL;

/// The cuts nearest to the quarters of ascending values: three or, where some coincide, fewer.
pub(crate) fn quartile_cuts(sorted: &[Labelled]) -> Vec<f64> {
    let mut cuts: Vec<f64> = [0.25, 0.5, 0.75].into_iter().filter_map(|share| nearest_cut(sorted, share)).collect();
    cuts.dedup();
    cuts
}

/// The midpoint between two different neighbours that leaves nearest to this share of the weight below it, the lower of
/// equally near ones. `None` where all values are equal.
pub(crate) fn nearest_cut(sorted: &[Labelled], share: f64) -> Option<f64> {
    let target = share * sorted.iter().map(|row| row.weight).sum::<f64>();
    let mut below = 0.0;
    let mut nearest: Option<(f64, f64)> = None;
    for pair in sorted.windows(2) {
        below += pair[0].weight;
        let distance = (below - target).abs();
        if pair[0].value < pair[1].value && nearest.is_none_or(|(least, _)| distance < least - SMALL) {
            nearest = Some((distance, midpoint(pair[0].value, pair[1].value)));
        }
    }
    nearest.map(|(_, cut)| cut)
}

/// Those of some ascending cuts that have a value between them and the cut kept before, and one beyond them: an interval
/// without any value is one with the interval above it or, at the upper end, below it.
pub(crate) fn occupied(cuts: impl Iterator<Item = f64>, sorted: &[Labelled]) -> Vec<f64> {
    let mut before = 0;
    cuts.filter(|&cut| {
        let end = sorted.partition_point(|row| row.value <= cut);
        let keeps = end > before && end < sorted.len();
        before = if keeps { end } else { before };
        keeps
    })
    .collect()
}

/// Cuts between intervals of equal width, as many as hold a value of `count`.
pub(crate) fn width_cuts(sorted: &[Labelled], count: usize) -> Vec<f64> {
    let (Some(low), Some(high)) = (sorted.first(), sorted.last()) else { return Vec::new() };
    let (low, range) = (low.value, high.value - low.value);
    if !range.is_finite() {
        return Vec::new();
    }
    occupied((1..count).map(|at| low + at as f64 * range / count as f64), sorted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn numbers(values: &[i32]) -> Vec<Labelled> {
        let mut rows: Vec<Labelled> =
            values.iter().map(|&value| Labelled { value: f64::from(value), class: 0, weight: 1.0 }).collect();
        rows.sort_by(|a, b| a.value.total_cmp(&b.value));
        rows
    }

    #[test]
    fn quarters_of_different_values_lie_halfway() {
        assert_eq!(quartile_cuts(&numbers(&[1, 2, 3, 4, 5, 6, 7, 8])), [2.5, 4.5, 6.5]);
        // A quarter of fourteen is 3.5: three are as near as four.
        let temperatures = [64, 65, 68, 69, 70, 71, 72, 72, 75, 75, 80, 81, 83, 85];
        assert_eq!(quartile_cuts(&numbers(&temperatures)), [68.5, 71.5, 77.5]);
    }

    #[test]
    fn equal_values_are_never_divided_and_equal_cuts_are_one() {
        // The borders leave 1, 7 and 8 of ten values below: 2.5 is nearest to 1, 5 and 7.5 to 7.
        assert_eq!(quartile_cuts(&numbers(&[1, 2, 2, 2, 2, 2, 2, 3, 4, 4])), [1.5, 2.5]);
        assert_eq!(quartile_cuts(&numbers(&[1, 1, 1, 1, 1, 9])), [5.0]);
        assert!(quartile_cuts(&numbers(&[3, 3, 3])).is_empty());
        assert!(quartile_cuts(&[]).is_empty());
    }

    #[test]
    fn a_weight_is_as_good_as_rows() {
        let heavy = [(1.0, 1.0), (2.0, 6.0), (3.0, 1.0), (4.0, 2.0)];
        let heavy = heavy.map(|(value, weight)| Labelled { value, class: 0, weight });
        assert_eq!(quartile_cuts(&heavy), [1.5, 2.5]);
    }

    #[test]
    fn empty_intervals_of_equal_width_are_none() {
        assert_eq!(width_cuts(&numbers(&[0, 1, 5, 10]), 2), [5.0]);
        assert_eq!(width_cuts(&numbers(&[0, 1, 5, 10]), 5), [2.0, 6.0]);
        assert_eq!(width_cuts(&numbers(&[0, 10, 10]), 4), [2.5]);
        assert!(width_cuts(&numbers(&[7, 7]), 4).is_empty());
        assert!(width_cuts(&[], 4).is_empty());
        let wide = [-f64::MAX, f64::MAX].map(|value| Labelled { value, class: 0, weight: 1.0 });
        assert!(width_cuts(&wide, 4).is_empty());
    }

    /// Every place between two different values, by its distance in rows and then its place.
    fn slow(sorted: &[Labelled]) -> Vec<f64> {
        let places = (1..sorted.len()).filter(|&at| sorted[at - 1].value < sorted[at].value);
        let mut cuts = Vec::new();
        for quarter in 1..4 {
            let nearest = places.clone().min_by_key(|&at| ((4 * at).abs_diff(quarter * sorted.len()), at));
            cuts.extend(nearest.map(|at| (sorted[at - 1].value + sorted[at].value) / 2.0));
        }
        cuts.dedup();
        cuts
    }

    proptest! {
        #[test]
        fn quartiles_are_those_of_the_slow_way(values in prop::collection::vec(-9..9, 0..60)) {
            let rows = numbers(&values);
            prop_assert_eq!(quartile_cuts(&rows), slow(&rows));
        }

        #[test]
        fn every_interval_holds_a_value(values in prop::collection::vec(-90..90, 0..60), count in 2..12usize) {
            let rows = numbers(&values);
            for cuts in [quartile_cuts(&rows), width_cuts(&rows, count)] {
                prop_assert!(cuts.is_sorted_by(|a, b| a < b));
                let of = |value: f64| cuts.iter().filter(|&&cut| value > cut).count();
                let mut held: Vec<usize> = rows.iter().map(|row| of(row.value)).collect();
                held.dedup();
                prop_assert_eq!(held.len(), if rows.is_empty() { 0 } else { cuts.len() + 1 });
            }
        }
    }
}
