//! Every preset on data whose tree is known.
//!
//! - C4.5 and J48: the weather trees of Quinlan's and Witten's books (ALGORITHMS.md §1.6);
//! - ID3: the same tree on nominal weather, and full spaces learnt without an error;
//! - 1R: the weather of Witten and Frank's book; T2: what one level cannot tell and two can;
//! - Cuts made once, and one level against the rest, under ID3, C4.5 and CART;
//! - hyper: the weather, which it splits by a hair, and what it makes of much data without any association;
//! - `lookahead`: LSID3 and its relatives, with the smallest trees that there are;
//! - CART: the first splits of two full spaces, and pruning that keeps what pays.

#![allow(missing_docs)]

mod lookahead;

use quickset::io::{ReadOptions, read};
use quickset::{Column, Dataset, Learner, Model, Recipe, export};

fn fit(mut recipe: Recipe, changes: &[&str], set: &str) -> Model {
    changes.iter().for_each(|change| recipe.set_pair(change).unwrap());
    let data = read(&format!("builtin:{set}"), &ReadOptions::default()).unwrap();
    Learner::new(recipe).unwrap().fit(&data).unwrap()
}

/// The lines of the tree without heading and totals.
fn tree(model: &Model) -> String {
    let text = export::text(model);
    let lines = text.lines().skip(2).take_while(|line| !line.starts_with("Number of Leaves"));
    lines.filter(|line| !line.is_empty()).map(|line| format!("{line}\n")).collect()
}

#[test]
fn c45_and_j48_cut_humidity_at_an_observed_value() {
    let expected = "\
outlook = sunny
|   humidity <= 75: yes (2.0)
|   humidity > 75: no (3.0)
outlook = overcast: yes (4.0)
outlook = rainy
|   windy = TRUE: no (2.0)
|   windy = FALSE: yes (3.0)
";
    for recipe in [Recipe::c45(), Recipe::j48()] {
        let model = fit(recipe, &[], "weather");
        assert_eq!(tree(&model), expected);
        assert_eq!((model.tree().leaves(), model.tree().size()), (5, 8));
    }
    let midpoint = fit(Recipe::c45(), &["cut.at=midpoint"], "weather");
    assert!(tree(&midpoint).contains("humidity <= 77.5"), "{}", tree(&midpoint));
}

#[test]
fn id3_on_nominal_weather_is_the_tree_of_the_books() {
    let expected = "\
outlook = sunny
|   humidity = high: no (3.0)
|   humidity = normal: yes (2.0)
outlook = overcast: yes (4.0)
outlook = rainy
|   windy = TRUE: no (2.0)
|   windy = FALSE: yes (3.0)
";
    assert_eq!(tree(&fit(Recipe::id3(), &[], "weather-nominal")), expected);
}

#[test]
fn id3_grows_full_spaces_to_consistency() {
    // No tree is smaller than the minimum (ALGORITHMS.md §4.3); greedy growth finds it for the third only.
    for (set, minimum) in [("monks-1", 27), ("monks-2", 290), ("monks-3", 12)] {
        let model = fit(Recipe::id3(), &[], set);
        assert_eq!(model.training().errors, 0, "{set}");
        assert!(model.tree().leaves() >= minimum, "{set}: {} leaves", model.tree().leaves());
    }
    assert_eq!(fit(Recipe::id3(), &[], "monks-3").tree().leaves(), 12);
    // Parity gives no attribute any gain at first: ID3 splits all the same.
    assert_eq!(fit(Recipe::id3(), &[], "xor-5").training().errors, 0);
}

#[test]
fn cart_splits_in_two_and_names_sets_of_levels() {
    let expected = "\
middle-middle-square in {x, b}
|   top-left-square in {x, b}: positive (386.0/64.0)
|   top-left-square in {o}: positive (232.0/76.0)
middle-middle-square in {o}
|   top-left-square = x: positive (168.0/81.0)
|   top-left-square != x: negative (172.0/61.0)
";
    assert_eq!(tree(&fit(Recipe::cart(), &["prune=none", "max-depth=2"], "tic-tac-toe")), expected);
    let cut = tree(&fit(Recipe::cart(), &["prune=none", "max-depth=1"], "balance-scale"));
    assert!(cut.starts_with("left-weight <= 2.5"), "{cut}");
}

#[test]
fn cost_complexity_prunes_noise_and_its_minimum_rule_prunes_less() {
    let leaves = |changes: &[&str]| fit(Recipe::cart(), changes, "led7").tree().leaves();
    let (grown, one_se, minimum) = (leaves(&["prune=none"]), leaves(&[]), leaves(&["prune.rule=min"]));
    assert!(one_se <= minimum && minimum <= grown && one_se < grown, "{one_se} {minimum} {grown}");
    assert!(one_se >= 10, "ten digits need ten leaves, found {one_se}");
}

#[test]
fn reduced_error_pruning_is_smaller_than_no_pruning() {
    let leaves = |changes: &[&str]| fit(Recipe::c45(), changes, "waveform").tree().leaves();
    assert!(leaves(&["prune=reduced-error"]) < leaves(&["prune=none"]) / 2);
}

#[test]
fn the_majority_is_a_leaf_of_all_rows() {
    let model = fit(Recipe::majority(), &[], "weather");
    assert_eq!(tree(&model), ": yes (14.0/5.0)\n");
    assert_eq!(model.training().errors, 5);
}

#[test]
fn one_r_takes_outlook_before_humidity() {
    let expected = "\
outlook = sunny: no (5.0/2.0)
outlook = overcast: yes (4.0)
outlook = rainy: yes (5.0/2.0)
";
    for set in ["weather", "weather-nominal"] {
        let model = fit(Recipe::one_r(), &[], set);
        assert_eq!(tree(&model), expected);
        assert_eq!(model.training().errors, 4);
    }
}

#[test]
fn smaller_buckets_make_more_intervals() {
    let expected = "\
humidity <= 82.5: yes (7.0/1.0)
humidity in (82.5, 95.5]: no (6.0/2.0)
humidity > 95.5: yes (1.0)
";
    let model = fit(Recipe::one_r(), &["numeric.bucket=3"], "weather");
    assert_eq!(tree(&model), expected);
    assert_eq!(model.training().errors, 3);
    // What Weka's OneR is shown to answer with -B 1.
    insta::assert_snapshot!(tree(&fit(Recipe::one_r(), &["numeric.bucket=1"], "weather")), @r"
    temperature <= 64.5: yes (1.0)
    temperature in (64.5, 66.5]: no (1.0)
    temperature in (66.5, 70.5]: yes (3.0)
    temperature in (70.5, 71.5]: no (1.0)
    temperature in (71.5, 77.5]: yes (4.0/1.0)
    temperature in (77.5, 80.5]: no (1.0)
    temperature in (80.5, 84]: yes (2.0)
    temperature > 84: no (1.0)
    ");
}

#[test]
fn t2_sees_what_one_level_cannot() {
    // One test is worth little here, and no test is worth anything in the third.
    let errors = |recipe, set| fit(recipe, &[], set).training().errors;
    for (set, one, two) in [("monks-1", 108, 72), ("balance-scale", 228, 177), ("monks-2", 142, 142)] {
        assert_eq!((errors(Recipe::one_r(), set), errors(Recipe::t2(), set)), (one, two), "{set}");
    }
    insta::assert_snapshot!(tree(&fit(Recipe::t2(), &[], "weather")), @r"
    outlook = sunny
    |   humidity <= 77.5: yes (2.0)
    |   humidity > 77.5: no (3.0)
    outlook = overcast: yes (4.0)
    outlook = rainy
    |   windy = TRUE: no (2.0)
    |   windy = FALSE: yes (3.0)
    ");
    insta::assert_snapshot!(tree(&fit(Recipe::t2(), &[], "numeric-xor-3d")), @r"
    x6 <= -0.288141
    |   x3 <= -0.594411: negative (8.0/1.0)
    |   x3 in (-0.594411, 0.631935]: positive (44.0/13.0)
    |   x3 > 0.631935: negative (9.0)
    x6 > -0.288141
    |   x6 <= -0.276251: positive (2.0)
    |   x6 in (-0.276251, 0.792728]: negative (113.0/39.0)
    |   x6 > 0.792728: positive (24.0/7.0)
    ");
}

/// T1: one level, with intervals.
#[test]
fn t2_of_one_level_is_one_test() {
    insta::assert_snapshot!(tree(&fit(Recipe::t2(), &["max-depth=1"], "weather")), @r"
    humidity <= 82.5: yes (7.0/1.0)
    humidity in (82.5, 95.5]: no (6.0/2.0)
    humidity > 95.5: yes (1.0)
    ");
}

#[test]
fn quartiles_are_branches_under_any_learner() {
    // The 14 humidities are cut after the fourth, the seventh and the eleventh: not between equal ones.
    // No sunny day is between the first two cuts.
    insta::assert_snapshot!(tree(&fit(Recipe::id3(), &["numeric=quartiles"], "weather")), @r"
    outlook = sunny
    |   humidity <= 72.5: yes (2.0)
    |   humidity in (72.5, 90.5]: no (2.0)
    |   humidity > 90.5: no (1.0)
    outlook = overcast: yes (4.0)
    outlook = rainy
    |   windy = TRUE: no (2.0)
    |   windy = FALSE: yes (3.0)
    ");
    insta::assert_snapshot!(tree(&fit(Recipe::id3(), &["numeric=quartiles", "numeric.ways=two"], "weather")), @r"
    outlook = sunny
    |   humidity <= 72.5: yes (2.0)
    |   humidity > 72.5: no (3.0)
    outlook = overcast: yes (4.0)
    outlook = rainy
    |   windy = TRUE: no (2.0)
    |   windy = FALSE: yes (3.0)
    ");
    insta::assert_snapshot!(
        tree(&fit(Recipe::cart(), &["numeric=quartiles", "prune=none", "max-depth=2"], "balance-scale")), @r"
    left-weight <= 1.5
    |   right-weight <= 1.5: L (25.0/15.0)
    |   right-weight in (1.5, 2.5]: R (25.0/6.0)
    |   right-weight in (2.5, 4.5]: R (50.0/5.0)
    |   right-weight > 4.5: R (25.0/1.0)
    left-weight in (1.5, 2.5]
    |   right-weight <= 1.5: L (25.0/6.0)
    |   right-weight in (1.5, 2.5]: L (25.0/15.0)
    |   right-weight in (2.5, 4.5]: R (50.0/14.0)
    |   right-weight > 4.5: R (25.0/4.0)
    left-weight in (2.5, 4.5]
    |   left-distance <= 1.5: R (50.0/13.0)
    |   left-distance in (1.5, 2.5]: R (50.0/26.0)
    |   left-distance in (2.5, 4.5]: L (100.0/31.0)
    |   left-distance > 4.5: L (50.0/9.0)
    left-weight > 4.5
    |   left-distance <= 1.5: R (25.0/10.0)
    |   left-distance in (1.5, 2.5]: L (25.0/10.0)
    |   left-distance in (2.5, 4.5]: L (50.0/9.0)
    |   left-distance > 4.5: L (25.0/1.0)
    ");
}

#[test]
fn numbers_without_a_cut_that_pays_are_not_tested() {
    insta::assert_snapshot!(tree(&fit(Recipe::c45(), &["numeric=mdl"], "weather")), @r"
    outlook = sunny: no (5.0/2.0)
    outlook = overcast: yes (4.0)
    outlook = rainy
    |   windy = TRUE: no (2.0)
    |   windy = FALSE: yes (3.0)
    ");
    insta::assert_snapshot!(tree(&fit(Recipe::c45(), &["numeric=mdl", "max-depth=1", "prune=none"], "waveform")), @r"
    x7 <= 0.245: 2 (560.0/116.0)
    x7 in (0.245, 1.465]: 2 (1012.0/329.0)
    x7 in (1.465, 2.485]: 2 (899.0/490.0)
    x7 in (2.485, 3.655]: 1 (871.0/476.0)
    x7 in (3.655, 4.525]: 1 (625.0/264.0)
    x7 > 4.525: 1 (1033.0/435.0)
    ");
}

#[test]
fn natural_cuts_and_equal_widths_are_branches_too() {
    insta::assert_snapshot!(tree(&fit(Recipe::id3(), &["numeric=natural"], "weather")), @r"
    outlook = sunny
    |   humidity <= 76.76908: yes (2.0)
    |   humidity > 76.76908: no (3.0)
    outlook = overcast: yes (4.0)
    outlook = rainy
    |   windy = TRUE: no (2.0)
    |   windy = FALSE: yes (3.0)
    ");
    // Twenty-five widths over five values.
    insta::assert_snapshot!(tree(&fit(Recipe::id3(), &["numeric=sqrt", "max-depth=1"], "balance-scale")), @r"
    left-weight <= 1.16: R (125.0/27.0)
    left-weight in (1.16, 2.12]: R (125.0/54.0)
    left-weight in (2.12, 3.08]: L (125.0/62.0)
    left-weight in (3.08, 4.04]: L (125.0/48.0)
    left-weight > 4.04: L (125.0/37.0)
    ");
}

#[test]
fn one_level_against_the_rest_is_named_by_itself() {
    insta::assert_snapshot!(tree(&fit(Recipe::id3(), &["nominal=value"], "weather-nominal")), @r"
    outlook = overcast: yes (4.0)
    outlook != overcast
    |   humidity = high
    |   |   outlook = sunny: no (3.0)
    |   |   outlook != sunny
    |   |   |   windy = TRUE: no (1.0)
    |   |   |   windy = FALSE: yes (1.0)
    |   humidity = normal
    |   |   windy = TRUE
    |   |   |   outlook = sunny: yes (1.0)
    |   |   |   outlook != sunny: no (1.0)
    |   |   windy = FALSE: yes (3.0)
    ");
    insta::assert_snapshot!(
        tree(&fit(Recipe::cart(), &["nominal=value", "prune=none", "max-depth=2"], "tic-tac-toe")), @r"
    middle-middle-square = o
    |   top-left-square = x: positive (168.0/81.0)
    |   top-left-square != x: negative (172.0/61.0)
    middle-middle-square != o
    |   top-left-square = o: positive (232.0/76.0)
    |   top-left-square != o: positive (386.0/64.0)
    ");
}

/// ALGORITHMS.md §5.2: outlook has P0 = 0.049950; below it nothing is as improbable.
#[test]
fn hyper_splits_the_weather_by_a_hair() {
    let expected = "\
outlook = sunny: no (5.0/2.0)
outlook = overcast: yes (4.0)
outlook = rainy: yes (5.0/2.0)
";
    for set in ["weather", "weather-nominal"] {
        assert_eq!(tree(&fit(Recipe::hyper(), &[], set)), expected);
        // Four attributes to choose from: too many for so narrow a margin.
        let leaves = |change| fit(Recipe::hyper(), &[change], set).tree().leaves();
        assert_eq!([leaves("stop.bonferroni=true"), leaves("stop.p=0.0499")], [1, 1]);
        assert_eq!(leaves("stop.mode=tail"), 1, "its tail is 0.17");
    }
}

#[test]
fn hyper_on_a_full_space_is_the_tree_of_its_rule() {
    insta::assert_snapshot!(tree(&fit(Recipe::hyper(), &[], "monks-3")), @r"
    a5 = 1
    |   a2 = 1: 1 (36.0)
    |   a2 = 2: 1 (36.0)
    |   a2 = 3: 0 (36.0)
    a5 = 2
    |   a2 = 1: 1 (36.0)
    |   a2 = 2: 1 (36.0)
    |   a2 = 3: 0 (36.0)
    a5 = 3
    |   a2 = 1: 1 (36.0)
    |   a2 = 2: 1 (36.0)
    |   a2 = 3
    |   |   a4 = 1: 1 (12.0)
    |   |   a4 = 2: 0 (12.0)
    |   |   a4 = 3: 0 (12.0)
    a5 = 4: 0 (108.0)
    ");
}

/// Rows of two classes and one attribute of two levels or numbers, by how many there are of each pair.
fn pairs(counts: [usize; 4], numeric: bool) -> Dataset {
    let rows = counts.iter().enumerate().flat_map(|(at, &count)| std::iter::repeat_n(at, count));
    let (values, classes): (Vec<usize>, Vec<usize>) = rows.map(|at| (at / 2, at % 2)).unzip();
    let nominal =
        |name: &str, codes: &[usize]| Column::from_texts(name, codes.iter().map(|&code| Some(["a", "b"][code])));
    let x = if numeric {
        Column::numeric("x", values.iter().map(|&value| value as f64).collect())
    } else {
        nominal("x", &values)
    };
    Dataset::new(vec![x, nominal("class", &classes)]).unwrap().with_last_as_target().unwrap()
}

/// ALGORITHMS.md §5.2: from 1020 rows on the chance of one table is always below 0.05, so by point nothing ever stops.
#[test]
fn the_point_never_stops_on_many_rows_and_the_tail_does() {
    for numeric in [false, true] {
        let leaves = |counts, changes: &[&str]| {
            let mut recipe = Recipe::hyper();
            changes.iter().for_each(|change| recipe.set_pair(change).unwrap());
            Learner::new(recipe).unwrap().fit(&pairs(counts, numeric)).unwrap().tree().leaves()
        };
        for counts in [[255; 4], [260, 250, 250, 260], [2500; 4]] {
            assert_eq!(leaves(counts, &["stop.mode=point"]), 2, "{counts:?}");
            for mode in ["stop.mode=tail", "stop.mode=ratio", "stop.mode=auto"] {
                assert_eq!(leaves(counts, &[mode]), 1, "{counts:?} {mode}");
            }
        }
        // Up to a thousand rows `auto` is the paper's rule.
        assert_eq!([leaves([250; 4], &[]), leaves([260, 240, 240, 260], &[])], [1, 2]);
        // Association is found by all.
        for mode in ["stop.mode=point", "stop.mode=tail", "stop.mode=ratio", "stop.mode=auto"] {
            assert_eq!(leaves([400, 200, 200, 400], &[mode]), 2, "{mode}");
        }
        // Three rows against three: P0 is 1/20, which is not above 0.05; both tails are 1/10.
        assert_eq!([leaves([3, 0, 0, 3], &[]), leaves([3, 0, 0, 3], &["stop.mode=tail"])], [2, 1]);
        // Beta stops by itself, χ² by its level.
        let by = |score: &str, counts| leaves(counts, &["stop.p=none", score]);
        assert_eq!([by("score=beta", [255; 4]), by("score=beta", [400, 200, 200, 400])], [1, 2]);
        for score in ["score=chi2", "score=g2"] {
            let by = |counts| leaves(counts, &[score]);
            assert_eq!([by([260, 250, 250, 260]), by([400, 200, 200, 400])], [1, 2], "{score}");
        }
    }
}
