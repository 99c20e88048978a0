//! Tables of known numbers, and what they are worth beside slow twins.

use super::super::counting::Counting;
use super::super::score::present;
use super::*;
use crate::data::{Column, Dataset};
use crate::measure::x_log_x;
use crate::recipe::{BinsBy, Counts, Factored, RangeBy, Recipe};
use crate::split::criterion::EntropyTable;
use proptest::prelude::*;

const PLAIN: Factored = Factored {
    bins: BinsBy::Width,
    count: None,
    range: RangeBy::Path,
    counts: Counts::Presence,
    recount: None,
    promise: None,
    kept: None,
};

/// The concept (A1 and A2) or A3 or A4 over all 16 rows, class 0 false and 1 true: ALGORITHMS.md section 3.5.
pub(crate) fn concept() -> Dataset {
    let bit = |row: usize, place: usize| row >> (3 - place) & 1 == 1;
    let texts = |value: &dyn Fn(usize) -> bool| -> Vec<Option<&str>> {
        (0..16).map(|row| Some(if value(row) { "1" } else { "0" })).collect()
    };
    let mut columns: Vec<Column> =
        (0..4).map(|place| Column::from_texts(format!("A{}", place + 1), texts(&|row| bit(row, place)))).collect();
    let positive = |row: usize| bit(row, 0) && bit(row, 1) || bit(row, 2) || bit(row, 3);
    columns.push(Column::from_texts("class", texts(&positive)));
    Dataset::new(columns).unwrap().with_last_as_target().unwrap()
}

fn spreads() -> Vec<Spread> {
    let data = concept();
    let rows: Vec<u32> = (0..16).collect();
    let entropies = EntropyTable::new(rows.len());
    let counting = Counting::new(None, data.class().unwrap(), &rows, &[], PLAIN, true, &entropies);
    data.attributes().iter().map(|column| counting.spread(column).unwrap()).collect()
}

fn gains(weights: [f64; 2]) -> Vec<f64> {
    let present = present(&weights);
    spreads().iter().map(|spread| spread.levels(&present)[0].gain).collect()
}

#[test]
fn the_concepts_bounds_are_those_of_the_document() {
    let root = present(&[3.0, 13.0]);
    let node = present(&[3.0, 5.0]);
    let expected = [(0, [0.081704, 0.004273], 0.033309405), (3, [1.0, 0.038763], 0.399227122)];
    for (attribute, divergence, bound) in expected {
        let spread = &spreads()[attribute];
        let found = [0, 1].map(|class| spread.divergence(class, &spread.mixture(&root)));
        found.iter().zip(divergence).for_each(|(found, expected)| assert!((found - expected).abs() < 1e-6));
        let above: f64 = node.iter().map(|&(class, [share])| share * found[class]).sum();
        close(&[above], &[bound]);
        assert!(spread.levels(&node)[0].gain <= bound);
        // At the root itself the bound is the gain. Of its rows the node has half, and rows times gain never rises.
        let at_root = spread.levels(&root)[0].gain;
        assert!(16.0 * at_root >= 8.0 * bound - 1e-9);
    }
}

proptest! {
    #[test]
    fn rows_times_gain_never_rises_on_the_way_down(
        weights in prop::collection::vec(0u8..20, 12),
        node in prop::collection::vec((0u8..40, 0.0..=1.0f64), 3),
    ) {
        let weights: Vec<f64> = weights.into_iter().map(f64::from).collect();
        let spread = Spread::new(Kind::Levels, 4, 3, &weights, false, x_log_x).unwrap();
        let rows_times_gain = |weights: Vec<f64>| {
            let known = present(&weights);
            let rows: f64 = weights.iter().sum();
            if rows > 0.0 && spread.knows(&known) { Some(rows * spread.levels(&known)[0].gain) } else { None }
        };
        let above = rows_times_gain(node.iter().map(|&(rows, _)| f64::from(rows)).collect());
        let below = rows_times_gain(node.iter().map(|&(rows, part)| f64::from(rows) * part).collect());
        if let (Some(above), Some(below)) = (above, below) {
            prop_assert!(below <= above + 1e-9, "{below} below {above}");
        }
    }
}

fn close(found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() < 1e-9, "{found} is not {expected}");
    }
}

#[test]
fn the_papers_boolean_concept() {
    close(&gains([3.0, 13.0]), &[0.018790976, 0.018790976, 0.218995259, 0.218995259]);
    let at_a3 = gains([3.0, 5.0]);
    close(&[at_a3[0], at_a3[1], at_a3[3]], &[0.029036857, 0.029036857, 0.360463727]);
    let at_a4 = gains([3.0, 1.0]);
    close(&at_a4[..2], &[0.023582866, 0.023582866]);
    close(&gains([1.0, 1.0])[1..2], &[0.031099193]);
}

/// The best cut of a range, from its cells alone.
fn slow_cut(spread: &Spread, present: &[Share<1>], range: Range) -> Worth {
    let classes = spread.conditioned(present, range);
    let cells = classes.first().map_or(0, |(_, shares)| shares.len());
    let total: f64 = classes.iter().map(|(share, _)| share).sum();
    let entropy = |share: f64| -x_log_x(share) - x_log_x(1.0 - share);
    let mut best = Worth::default();
    for cut in 1..cells {
        let below: Vec<f64> = classes.iter().map(|(_, shares)| shares[..cut].iter().sum()).collect();
        let mean = |of: &dyn Fn(f64) -> f64| {
            classes.iter().zip(&below).map(|((share, _), &below)| share / total * of(below)).sum::<f64>()
        };
        let information = entropy(mean(&|below| below));
        let gain = information - mean(&entropy);
        if gain > best.gain {
            best = Worth { gain, information };
        }
    }
    best
}

proptest! {
    #[test]
    fn the_best_cut_is_that_of_the_slow_way(
        weights in prop::collection::vec(0u8..9, 3 * 40),
        node in prop::collection::vec(0u8..30, 3),
        ends in (0u32..40, 0u32..40),
    ) {
        let weights: Vec<f64> = weights.into_iter().map(|weight| f64::from(weight) + 1.0).collect();
        let cells = Kind::Bins(Binning::at((1..40).map(f64::from).collect()), Bin::all(40));
        let spread = Spread::new(cells, 40, 3, &weights, true, x_log_x).unwrap();
        let node: Vec<f64> = node.into_iter().map(f64::from).collect();
        let present = present(&node);
        let range = Range { first: ends.0.min(ends.1), last: ends.0.max(ends.1) };
        let pairs = [
            (spread.cuts(&present), slow_cut(&spread, &present, spread.whole())),
            (spread.cuts_within(&present, range), slow_cut(&spread, &present, range)),
        ];
        for (fast, slow) in pairs {
            // Cuts of nearly the same gain may be told apart differently by the last digits.
            prop_assert!((fast.gain - slow.gain).abs() < 1e-9, "{fast:?} {slow:?}");
        }
    }
}

/// The split into all cells, one number after the other.
fn slow_levels(spread: &Spread, present: &[Share<1>]) -> Worth {
    let mixed = spread.mixture(present);
    let information = -mixed.iter().map(|&share| x_log_x(share)).sum::<f64>();
    let own =
        present.iter().map(|&(class, [share])| -share * spread.shares(class).iter().map(|&s| x_log_x(s)).sum::<f64>());
    Worth { gain: (information - own.sum::<f64>()).max(0.0), information }
}

proptest! {
    #[test]
    fn nodes_side_by_side_are_worth_what_each_is_by_itself(
        cells in 2usize..30,
        weights in prop::collection::vec(0u8..9, 3 * 30),
        nodes in prop::array::uniform8(prop::collection::vec(0u8..30, 3)),
    ) {
        let weights: Vec<f64> = weights[..3 * cells].iter().map(|&weight| f64::from(weight) + 1.0).collect();
        let spread = Spread::new(Kind::Levels, cells, 3, &weights, false, x_log_x).unwrap();
        let nodes = nodes.map(|node| node.into_iter().map(f64::from).collect::<Vec<f64>>());
        let sums = nodes.each_ref().map(|node| node.iter().sum::<f64>().max(1.0));
        let shares: Vec<Share<8>> =
            (0..3).map(|class| (class, std::array::from_fn(|at| nodes[at][class] / sums[at]))).collect();
        for (node, together) in nodes.iter().zip(spread.levels(&shares)) {
            let present = present(node);
            prop_assert_eq!(spread.levels(&present), [together]);
            let slow = slow_levels(&spread, &present);
            prop_assert!((together.gain - slow.gain).abs() < 1e-9, "{:?} {:?}", together, slow);
            prop_assert!((together.information - slow.information).abs() < 1e-9, "{:?} {:?}", together, slow);
        }
    }
}

#[test]
fn what_few_rows_know_counts_by_their_share() {
    let texts = |known: usize| (0..8).map(move |row| (row < known).then_some(if row % 2 == 0 { "a" } else { "b" }));
    let columns = [Column::from_texts("all", texts(8)), Column::from_texts("half", texts(4))];
    let class = Column::from_texts("class", texts(8));
    let data = Dataset::new(columns.into_iter().chain([class]).collect()).unwrap().with_last_as_target().unwrap();
    let rows: Vec<u32> = (0..8).collect();
    let entropies = EntropyTable::new(rows.len());
    let counting = Counting::new(None, data.class().unwrap(), &rows, &[], PLAIN, true, &entropies);
    let known: Vec<f64> = data.attributes().iter().map(|column| counting.spread(column).unwrap().known()).collect();
    assert_eq!(known, [1.0, 0.5]);
}

#[test]
fn what_is_left_of_a_weight_is_not_less_than_nothing() {
    let left = (0..10).fold(7.0, |left, _| left - 0.7);
    assert!(left < 0.0);
    let spread = Spread::new(Kind::Levels, 3, 2, &[1e-16, left, 4.0, 0.0, 0.0, 7.0], false, x_log_x).unwrap();
    assert_eq!(spread.shares(1), [0.0, 0.0, 1.0]);
    let root = [(0, [0.4]), (1, [0.6])];
    let apart = [0, 1].map(|class| spread.divergence(class, &spread.mixture(&root)));
    assert!(0.4 * apart[0] + 0.6 * apart[1] >= spread.levels(&root)[0].gain - 1e-12, "{apart:?}");
}

#[test]
fn three_classes_of_three_values() {
    let weights = [0.7, 0.2, 0.1, 0.2, 0.5, 0.3, 0.1, 0.3, 0.6];
    // The document has a row by class; the tables are by cell.
    let by_cell: Vec<f64> = (0..9).map(|i| weights[i % 3 * 3 + i / 3]).collect();
    let spread = Spread::new(Kind::Levels, 3, 3, &by_cell, false, x_log_x).unwrap();
    let present = [(0, [0.5]), (1, [0.3]), (2, [0.2])];
    close(&spread.mixture(&present), &[0.43, 0.31, 0.26]);
    close(&[spread.levels(&present)[0].gain], &[0.269522380]);
    let apart = [0, 1, 2].map(|class| spread.divergence(class, &[1.0 / 3.0; 3]));
    close(&apart, &[0.428182851, 0.099487203, 0.289500656]);
    close(&[present.iter().map(|&(class, [share])| share * apart[class]).sum()], &[0.301837718]);
}

#[test]
fn a_cut_leaves_its_bin_on_both_sides_unless_it_is_the_edge() {
    let values: Vec<f64> = (0..=100).map(f64::from).collect();
    let data = Dataset::new(vec![
        Column::numeric("x", values),
        Column::from_texts("class", (0..=100).map(|row| Some(if row < 50 { "a" } else { "b" }))),
    ]);
    let data = data.unwrap().with_last_as_target().unwrap();
    let rows: Vec<u32> = (0..=100).collect();
    let entropies = EntropyTable::new(rows.len());
    let counting = Counting::new(None, data.class().unwrap(), &rows, &[], PLAIN, true, &entropies);
    let spread = counting.spread(&data.attributes()[0]).unwrap();
    // Ten bins of width 10.
    let whole = spread.whole();
    assert_eq!((whole.first, whole.last), (0, 9));
    assert_eq!(spread.narrowed(whole, 12.0, 0), Range { first: 0, last: 1 });
    assert_eq!(spread.narrowed(whole, 12.0, 1), Range { first: 1, last: 9 });
    // The cut may be moved down to the value 10, which is an edge.
    for cut in [10.0, 10.5] {
        assert_eq!(spread.narrowed(whole, cut, 0), Range { first: 0, last: 0 });
        assert_eq!(spread.narrowed(whole, cut, 1), Range { first: 1, last: 9 });
    }
    assert_eq!(spread.narrowed(whole, 9.5, 1), whole);
    // Within all bins the conditioned worths are the plain ones.
    let present = present(&[30.0, 10.0]);
    close(&[spread.cuts_within(&present, whole).gain], &[spread.cuts(&present).gain]);
    close(&[spread.levels_within(&present, whole).gain], &[spread.levels(&present)[0].gain]);
}

#[test]
fn the_naive_tree_of_the_concept_has_five_leaves() {
    let mut recipe = Recipe::nt();
    for (key, value) in [("prune", "none"), ("collapse", "false"), ("score", "iig")] {
        recipe.set(key, value).unwrap();
    }
    let model = crate::Learner::new(recipe).unwrap().fit(&concept()).unwrap();
    assert_eq!((model.tree().leaves(), model.training().errors), (5, 0));
}
