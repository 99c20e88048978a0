//! One tree, however it is counted.

use proptest::prelude::*;

use super::super::sample::{Wanted, cost_of_tree};
use super::super::walk::Walk;
use super::super::{ATTRIBUTE, LEAF};
use super::{nominal, plain, with};
use crate::Recipe;
use crate::data::{Column, Dataset};
use crate::grow::rows::{NodeRows, sorted_arrays};
use crate::grow::{Draft, Position, ROOT, Start, Task, grow, grow_from};
use crate::recipe::Choose;
use crate::signal::Signal;

/// Bits, attributes of three and four levels, and three classes, or two; numbers of two and of five values where asked.
pub fn data(numbers: bool) -> impl Strategy<Value = Dataset> {
    let row = prop::collection::vec(0..60u32, 8);
    (prop::collection::vec(row, 4..300), 2..=3u32).prop_map(move |(rows, classes)| {
        let codes = |at: usize, levels: u32| rows.iter().map(|row| row[at] % levels).collect::<Vec<u32>>();
        let mut columns: Vec<Column> = [2, 2, 3, 2, 4]
            .iter()
            .enumerate()
            .map(|(at, &levels)| nominal(format!("a{at}"), levels, codes(at, levels)))
            .collect();
        let number = |at: usize, values: u32| codes(at, values).into_iter().map(f64::from).collect();
        if numbers {
            columns.push(Column::numeric("b", number(5, 2)));
            columns.push(Column::numeric("c", number(6, 5)));
        }
        // A parity, with exceptions.
        let class =
            |row: &Vec<u32>| if row[7] < 6 { row[7] % classes } else { (row[0] + row[1] + row[2] % 3) % classes };
        columns.push(nominal("class".into(), classes, rows.iter().map(class).collect()));
        Dataset::new(columns).unwrap().with_last_as_target().unwrap()
    })
}

fn leaves(draft: &Draft, at: usize) -> usize {
    draft.nodes[at].test.as_ref().map_or(1, |test| test.children.iter().map(|&child| leaves(draft, child)).sum())
}

/// Adds the attributes that a tree asks.
fn asked_by(draft: &Draft, asked: &mut [bool]) {
    for test in draft.nodes.iter().filter_map(|node| node.test.as_ref()) {
        asked[test.split.attribute()] = true;
    }
}

pub fn task<'d>(data: &'d Dataset, recipe: &'d Recipe) -> Task<'d> {
    Task::new(data, data.class().unwrap(), (0..data.rows() as u32).collect(), recipe)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn early_exits_bits_and_order_change_nothing(data in data(false), samples in 1..4usize, seed in any::<u64>()) {
        for sampler in ["sampler=drawn", "sampler=ordered"] {
            let mut recipe = with(Recipe::lsid3, &[&format!("r={samples}"), sampler]);
            recipe.seed = seed;
            let task = task(&data, &recipe);
            prop_assert!(task.words().is_some());
            let slow = plain::lsid3(&task, &task.rows, Position::root(&recipe), None);
            prop_assert_eq!(plain::root(&grow(&task)), slow, "{}", sampler);
        }
    }

    /// A sampled tree is the same from words, from rows, and grown by a recipe of its own at the same place.
    #[test]
    fn a_sampled_tree_is_that_of_its_recipe(
        data in data(true),
        seed in any::<u64>(),
        some in 2..5usize,
        free in prop::collection::vec(any::<bool>(), 7),
    ) {
        let kinds: [&[&str]; 7] = [
            &[],
            &["nominal=value"],
            &["min-rows=3"],
            &["max-depth=3"],
            &["choose=uniform", "nominal=value"],
            &["choose=ordered"],
            &["choose=ordered", "nominal=value"],
        ];
        for changes in kinds {
            let recipe = with(Recipe::sid3, changes);
            let task = task(&data, &recipe);
            let rows: Vec<u32> = task.rows.iter().copied().filter(|&row| !(row as usize).is_multiple_of(some)).collect();
            let position = Position { depth: 1, ..Position::root(&recipe).of_tree(seed) };
            let start = Start { rows: rows.clone(), weights: None, position, free: None };
            let draft = grow_from(&task, start);
            let mut asked = free.clone();
            asked_by(&draft, &mut asked);
            let new = asked.iter().zip(&free).filter(|(asked, free)| asked != free).count();
            let cost = LEAF * leaves(&draft, ROOT) + ATTRIBUTE * new;
            let mut arrays = sorted_arrays(&task, &rows);
            let node = NodeRows::start(&task, rows.clone(), None, &mut arrays);
            if !crate::grow::may_split(&task, &node.class_weights, 1) {
                continue;
            }
            // Nobody asks for a tree of no leaf.
            for most in [f64::INFINITY, cost as f64, (cost as f64 - 1.0).max(LEAF as f64)] {
                let expected = (cost as f64 <= most).then_some(cost);
                let wanted = Wanted { choose: recipe.choose, free: &free, most };
                task.pool.with(|scratch| {
                    let mut arrays = Vec::new();
                    let copy = node.copied(&mut arrays);
                    prop_assert_eq!(cost_of_tree(&task, wanted, copy, position, scratch), expected, "{:?}", changes);
                    prop_assert!(expected.is_none() || scratch.walk.asked == asked);
                    let words = task.words().expect("few values, none missing");
                    let walk = Walk::new(&task, words, wanted, &mut scratch.walk);
                    prop_assert_eq!(walk.cost(&rows, position), expected, "{:?}", changes);
                    prop_assert!(expected.is_none() || scratch.walk.asked == asked);
                    Ok(())
                })?;
            }
        }
    }

    /// Rows that count 1 each and rows of weight 1 are the same rows: only the former are words.
    #[test]
    fn words_or_weights(data in data(true)) {
        for sampler in ["sampler=drawn", "sampler=ordered"] {
            let recipe = with(Recipe::lsid3, &["r=2", sampler]);
            let task = task(&data, &recipe);
            let start = |weights| Start { rows: task.rows.clone(), weights, position: Position::root(&recipe), free: None };
            let weights = [None, Some(vec![1.0; task.rows.len()])];
            let [bits, weighted] = weights.map(|weights| grow_from(&task, start(weights)));
            let tests = |draft: &Draft| draft.nodes.iter().map(|node| node.test.clone()).collect::<Vec<_>>();
            prop_assert_eq!(tests(&bits), tests(&weighted), "{}", sampler);
        }
    }
}

/// Which of the cheapest trees comes first does not depend on which was found first.
#[test]
fn prices_are_the_same_on_any_number_of_threads() {
    for (name, changes) in [("mux-20", &["r=12"][..]), ("mux-xor", &["r=40"]), ("xor-10", &["r=4", "max-depth=3"])] {
        let data = super::set(name);
        for sampler in ["sampler=ordered", "sampler=turns"] {
            let recipe = with(Recipe::lsid3, &[changes, &[sampler]].concat());
            let on = |threads: usize| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                pool.install(|| grow(&task(&data, &recipe)).nodes)
            };
            let one = on(1);
            for threads in [2, 3, 8] {
                assert_eq!(on(threads), one, "{name} {sampler}, {threads} threads");
            }
        }
    }
}

#[test]
fn more_than_a_word_of_bits_are_counted_in_groups() {
    let mut draws = 7u64;
    let mut draw = || {
        draws = crate::grow::position::mixed(draws, 1);
        draws
    };
    let rows: Vec<[u64; 3]> = (0..200).map(|_| [draw(), draw(), draw()]).collect();
    let bit = |row: &[u64; 3], at: usize| (row[at / 64] >> (at % 64) & 1) as u32;
    let mut columns: Vec<Column> =
        (0..130).map(|at| nominal(format!("x{at}"), 2, rows.iter().map(|row| bit(row, at)).collect())).collect();
    columns.push(nominal("class".into(), 2, rows.iter().map(|row| bit(row, 0) ^ bit(row, 129)).collect()));
    let data = Dataset::new(columns).unwrap().with_last_as_target().unwrap();
    let recipe = with(Recipe::lsid3, &["r=1"]);
    let task = task(&data, &recipe);
    let draft = grow(&task);
    assert_eq!(plain::root(&draft), plain::lsid3(&task, &task.rows, Position::root(&recipe), None));
}

#[test]
fn data_that_do_not_fit_are_not_words() {
    let weather = super::set("weather");
    let recipe = Recipe::lsid3();
    assert!(task(&weather, &recipe).words().is_some(), "numbers of few values");
    for (name, changes) in [("weather", &["nominal=subset"][..]), ("weather", &["cut=bins"]), ("numeric-xor-3d", &[])] {
        let (data, recipe) = (super::set(name), with(Recipe::lsid3, changes));
        assert!(task(&data, &recipe).words().is_none(), "{name} {changes:?}");
    }
}

#[test]
fn a_position_overrides_how_many_samples_are_taken() {
    let data = super::set("xor-5");
    let [lsid3, id3] = [Recipe::lsid3(), Recipe::id3()];
    let greedy = grow(&task(&data, &id3));
    let task = task(&data, &lsid3);
    let from = |samples| {
        let position = Position { samples, ..Position::root(&lsid3) };
        grow_from(&task, Start { rows: task.rows.clone(), weights: None, position, free: None })
    };
    assert_eq!(from(0).nodes, greedy.nodes);
    assert_eq!(from(5).nodes, grow(&task).nodes);
    assert!(leaves(&from(5), ROOT) < leaves(&greedy, ROOT));
}

#[test]
fn a_raised_signal_ends_it_at_once() {
    let data = super::set("xor-10");
    for recipe in [Recipe::lsid3(), with(Recipe::id3_k, &["k=3"]), Recipe::skew()] {
        let signal = Signal::default();
        signal.raise();
        let mut task = task(&data, &recipe);
        task.signal = &signal;
        assert_eq!(grow(&task).nodes.len(), 1, "{}", recipe.name);
    }
    // Samples by the thousand from rows that are no words: the clock is asked within each.
    let (data, recipe) = (super::set("numeric-xor-4d"), with(Recipe::lsid3, &["r=1000"]));
    let mut task = task(&data, &recipe);
    let signal = Signal::at(std::time::Instant::now() + std::time::Duration::from_millis(100));
    task.signal = &signal;
    let start = std::time::Instant::now();
    grow(&task);
    assert!(start.elapsed().as_secs_f64() < 2.0, "{:?}", start.elapsed());
}

#[test]
fn the_draws_of_sid3_follow_its_rule() {
    assert_eq!(Recipe::sid3().choose, Choose::Drawn);
    // On the nominal weather outlook gains 0.247 of 0.473 bits, each gain having 0.001 more.
    let data = super::set("weather-nominal");
    let mut counts = [0; 4];
    for seed in 0..4000 {
        let mut recipe = with(Recipe::sid3, &["max-depth=1"]);
        recipe.seed = seed;
        let draft = grow(&task(&data, &recipe));
        counts[draft.nodes[ROOT].test.as_ref().unwrap().split.attribute()] += 1;
    }
    let gains = [0.246749820, 0.029222566, 0.151835501, 0.048127030].map(|gain| gain + 1e-3);
    for (count, gain) in counts.iter().zip(gains) {
        let expected = 4000.0 * gain / gains.iter().sum::<f64>();
        assert!((f64::from(*count) - expected).abs() < 4.0 * expected.sqrt(), "{counts:?}");
    }
}
