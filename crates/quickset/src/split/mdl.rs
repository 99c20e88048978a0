//! Cuts of a numeric attribute that pay for themselves (Fayyad and Irani 1993).
//!
//! A part of the rows is cut where the classes are told apart best, if the gain is worth the bits that it takes to say
//! where; then both sides are looked at in the same way.

use super::bins::midpoint;
use crate::measure::{SMALL, total, x_log_x, x_log_x_of_counts};

/// A known value with the class and the weight of its row, or of several rows that have both in common.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Labelled {
    pub value: f64,
    pub class: u16,
    pub weight: f64,
}

/// The best cut of some rows, and what it must be worth.
#[derive(Debug)]
struct Cut {
    /// How many of the rows lie before it.
    at: usize,
    gain: f64,
    threshold: f64,
}

/// The cuts of values that ascend: midpoints between two of them, ascending. None where none pays.
pub(crate) fn mdl_cuts(sorted: &[Labelled], classes: usize) -> Vec<f64> {
    let starts = mdl_starts(sorted, classes, |_| true);
    starts.into_iter().map(|at| midpoint(sorted[at - 1].value, sorted[at].value)).collect()
}

/// The rows with which the parts begin, but for the first, where only some rows `may` begin one; ascending.
pub(crate) fn mdl_starts(sorted: &[Labelled], classes: usize, may: impl Fn(usize) -> bool) -> Vec<usize> {
    let (mut starts, mut bits) = (Vec::new(), Vec::new());
    let mut open = vec![(0, sorted)];
    while let Some((first, rows)) = open.pop() {
        let found = best(rows, classes, &mut bits, |at| may(first + at));
        if let Some(cut) = found.filter(|cut| cut.gain > cut.threshold) {
            let (low, high) = rows.split_at(cut.at);
            let start = first + cut.at;
            starts.push(start);
            open.extend([(first, low), (start, high)]);
        }
    }
    starts.sort_unstable();
    starts
}

/// The first cut of the highest gain, before a row that `may` begin a part; `None` where there is none, or one class.
///
/// Two passes. The first moves row after row from one side to the other and keeps a running sum, which gathers rounding
/// errors; the second computes what may be the best.
fn best(rows: &[Labelled], classes: usize, bits: &mut Vec<f64>, may: impl Fn(usize) -> bool) -> Option<Cut> {
    let mut high = vec![0.0; classes];
    rows.iter().for_each(|row| high[usize::from(row.class)] += row.weight);
    let whole = Side::of(&high);
    if whole.classes < 2.0 {
        return None;
    }
    let least = rough_bits(rows, &high, whole.weight, bits, may)?;
    let slack = ROUNDING * x_log_x(whole.weight);
    let mut low = vec![0.0; classes];
    let mut found: Option<(usize, Side, Side)> = None;
    for at in 1..rows.len() {
        let row = &rows[at - 1];
        low[usize::from(row.class)] += row.weight;
        high[usize::from(row.class)] -= row.weight;
        if bits[at] <= least + slack {
            let (low, high) = (Side::of(&low), Side::of(&high));
            let least = found.as_ref().map_or(f64::INFINITY, |(_, low, high)| low.bits + high.bits);
            // Differences below rounding are none: the first cut wins.
            if low.bits + high.bits < least - SMALL * SMALL {
                found = Some((at, low, high));
            }
        }
    }
    let (at, low, high) = found?;
    let gain = (whole.bits - low.bits - high.bits) / whole.weight;
    let threshold = ((whole.weight - 1.0).max(1.0).log2() + whole.surcharge(&low, &high)) / whole.weight;
    Some(Cut { at, gain, threshold })
}

/// More than what the running sum loses, as a share of the largest term.
const ROUNDING: f64 = 1e-9;

/// The bits that the classes of both sides take, for every number of rows before the cut; infinite between equal values,
/// and where there may be no cut. Answers the least of them, if there is a place to cut.
fn rough_bits(
    rows: &[Labelled],
    classes: &[f64],
    weight: f64,
    bits: &mut Vec<f64>,
    may: impl Fn(usize) -> bool,
) -> Option<f64> {
    let terms = x_log_x_of_counts();
    let term = |x: f64| match terms.get(x as usize) {
        Some(&term) if x == f64::from(x as u32) => term,
        _ => x_log_x(x),
    };
    // By class: the weight and its term on either side.
    let mut sides: Vec<[f64; 4]> = classes.iter().map(|&weight| [0.0, 0.0, weight, term(weight)]).collect();
    let mut cells: f64 = sides.iter().map(|side| side[3]).sum();
    let (mut below, mut least) = (0.0, f64::INFINITY);
    bits.clear();
    bits.resize(rows.len(), f64::INFINITY);
    for at in 1..rows.len() {
        let row = &rows[at - 1];
        let [low, low_term, high, high_term] = &mut sides[usize::from(row.class)];
        cells -= *low_term + *high_term;
        *low += row.weight;
        *high -= row.weight;
        (*low_term, *high_term) = (term(*low), term(*high));
        cells += *low_term + *high_term;
        below += row.weight;
        if row.value < rows[at].value && may(at) {
            bits[at] = term(below) + term(weight - below) - cells;
            least = least.min(bits[at]);
        }
    }
    least.is_finite().then_some(least)
}

/// Rows on one side of a cut.
struct Side {
    weight: f64,
    /// The classes that occur.
    classes: f64,
    /// The bits that their classes take, all rows together.
    bits: f64,
}

impl Side {
    fn of(weights: &[f64]) -> Self {
        let weight = total(weights);
        let classes = weights.iter().filter(|&&weight| weight > SMALL).count() as f64;
        let bits = x_log_x(weight) - weights.iter().map(|&weight| x_log_x(weight)).sum::<f64>();
        Side { weight, classes, bits }
    }

    /// Classes times the entropy.
    fn charge(&self) -> f64 {
        if self.weight > SMALL { self.classes * self.bits / self.weight } else { 0.0 }
    }

    /// What it takes to say which classes occur on each side: Δ of the paper.
    fn surcharge(&self, low: &Side, high: &Side) -> f64 {
        // log₂(3^k − 2) without the power, which may be too large for a number.
        let choices = self.classes * 3f64.log2() + (-2.0 * 3f64.powf(-self.classes)).ln_1p() / 2f64.ln();
        choices - (self.charge() - low.charge() - high.charge())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 1, 2, 3, … with these classes.
    fn counted(classes: &str) -> Vec<Labelled> {
        let row =
            |(at, class): (usize, u8)| Labelled { value: at as f64 + 1.0, class: u16::from(class - b'a'), weight: 1.0 };
        classes.bytes().enumerate().map(row).collect()
    }

    fn check(rows: &[Labelled], gain: f64, surcharge: f64, threshold: f64) -> usize {
        let cut = best(rows, 3, &mut Vec::new(), |_| true).unwrap();
        let weight: f64 = rows.iter().map(|row| row.weight).sum();
        let found = cut.threshold * weight - (weight - 1.0).log2();
        for (found, expected) in [(cut.gain, gain), (found, surcharge), (cut.threshold, threshold)] {
            assert!((found - expected).abs() < 1e-8, "found {found}, expected {expected}");
        }
        cut.at
    }

    /// ALGORITHMS.md §2.3.
    #[test]
    fn cuts_are_those_of_the_vectors() {
        let clean = counted("aaaaabbbbb");
        check(&clean, 1.0, 0.807354922, 0.397727992);
        assert_eq!(mdl_cuts(&clean, 2), [5.5]);
        let island = counted("aaaabbbbaaaa");
        check(&island, 0.251629167, 2.970763254, 0.535849573);
        assert!(mdl_cuts(&island, 2).is_empty());
        let mixed = counted("aabbaabb");
        check(&mixed, 0.311278124, 2.643946590, 0.681412689);
        assert!(mdl_cuts(&mixed, 2).is_empty());
        let three = counted("aaaaaaaaaabbbbbbbbbbcccccccccc");
        assert_eq!(check(&three, 0.918295834, 1.888968688, 0.224898323), 10);
        let rest = best(&three[10..], 3, &mut Vec::new(), |_| true).unwrap();
        assert!((rest.gain - 1.0).abs() < 1e-9 && (rest.threshold - 0.252764122).abs() < 1e-8);
        assert_eq!(mdl_cuts(&three, 3), [10.5, 20.5]);
    }

    #[test]
    fn parts_begin_only_where_they_may() {
        let three = counted("aaaaaaaaaabbbbbbbbbbcccccccccc");
        assert_eq!(mdl_starts(&three, 3, |_| true), [10, 20]);
        assert_eq!(mdl_starts(&three, 3, |at| at != 10), [9, 20]);
        assert_eq!(mdl_starts(&three, 3, |at| at == 20), [20]);
        assert!(mdl_starts(&three, 3, |_| false).is_empty());
    }

    #[test]
    fn the_temperatures_of_the_weather_are_not_cut() {
        let days = [64, 65, 68, 69, 70, 71, 72, 72, 75, 75, 80, 81, 83, 85];
        let play = b"abaaabbaaabaab";
        let rows: Vec<Labelled> = days
            .iter()
            .zip(play)
            .map(|(&day, class)| Labelled { value: f64::from(day), class: u16::from(class - b'a'), weight: 1.0 })
            .collect();
        let at = check(&rows, 0.113400864, 2.707766285, 0.457729000);
        assert_eq!(midpoint(rows[at - 1].value, rows[at].value), 84.0);
        assert!(mdl_cuts(&rows, 2).is_empty());
    }

    #[test]
    fn a_weight_is_as_good_as_rows_and_nothing_has_no_cuts() {
        let heavy = [(1.0, 0, 5.0), (2.0, 1, 5.0)].map(|(value, class, weight)| Labelled { value, class, weight });
        assert_eq!(mdl_cuts(&heavy, 2), [1.5]);
        assert!(mdl_cuts(&[], 2).is_empty());
        assert!(mdl_cuts(&heavy[..1], 2).is_empty());
        let classes: Vec<Labelled> =
            (0..2000).map(|class| Labelled { value: f64::from(class / 2), class, weight: 1.0 }).collect();
        assert!(mdl_cuts(&classes, 2000).iter().all(|cut| cut.is_finite()));
    }

    /// The best cut by trying all, each computed by itself.
    fn slow(rows: &[Labelled]) -> Option<usize> {
        let side = |rows: &[Labelled]| {
            let mut weights = [0.0; 3];
            rows.iter().for_each(|row| weights[usize::from(row.class)] += row.weight);
            Side::of(&weights).bits
        };
        let mut best: Option<(usize, f64)> = None;
        for at in (1..rows.len()).filter(|&at| rows[at - 1].value < rows[at].value) {
            let bits = side(&rows[..at]) + side(&rows[at..]);
            if best.is_none_or(|(_, least)| bits < least - 1e-9) {
                best = Some((at, bits));
            }
        }
        best.map(|(at, _)| at)
    }

    proptest::proptest! {
        #[test]
        fn the_best_cut_is_that_of_trying_all(
            rows in proptest::collection::vec((0..12u32, 0..3u16, 1..4u32), 2..40),
            halves in proptest::bool::ANY,
        ) {
            let weight = |weight: u32| if halves { f64::from(weight) / 2.0 } else { 1.0 };
            let mut rows: Vec<Labelled> = rows
                .into_iter()
                .map(|(value, class, of)| Labelled { value: f64::from(value), class, weight: weight(of) })
                .collect();
            rows.sort_by(|a, b| a.value.total_cmp(&b.value));
            let mixed = rows.iter().any(|row| row.class != rows[0].class);
            let found = best(&rows, 3, &mut Vec::new(), |_| true).map(|cut| cut.at);
            proptest::prop_assert_eq!(found, slow(&rows).filter(|_| mixed));
        }
    }
}
