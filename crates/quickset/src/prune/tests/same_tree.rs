//! Cheap surgery gives the tree of plain re-routing.

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use super::plain;
use crate::Recipe;
use crate::data::generate::{Knobs, generate};
use crate::data::impute::mode_mean;
use crate::data::{Column, ColumnData, Dataset, MISSING};
use crate::grow::{Draft, Task, grow};
use crate::prune::collapse::collapse;
use crate::prune::estimate::Estimate;
use crate::prune::parts::take_apart;
use crate::prune::pessimistic;
use crate::recipe::{Leaf, Missing, Prune};

/// Kinds of tests and of missing values; `prune.raising` is on in all of them. What makes trees larger makes surgery
/// more frequent.
const KINDS: [&[&str]; 8] = [
    &[],
    &["cut.mdl=false", "min-rows=1"],
    &["missing=own", "cut.mdl=false", "min-rows=1"],
    &["missing=learned", "cut.mdl=false", "min-rows=1"],
    &["numeric=intervals", "min-rows=1"],
    &["numeric=buckets", "missing=own", "min-rows=1"],
    &["nominal=subset", "cut.mdl=false", "min-rows=1"],
    &["stop.to-purity=true", "min-rows=0", "cut.mdl=false", "collapse=false"],
];

fn recipes() -> Vec<Recipe> {
    let of = |base: fn() -> Recipe| {
        KINDS.iter().map(move |changes| {
            let mut recipe = base();
            changes.iter().for_each(|change| recipe.set_pair(change).unwrap());
            recipe
        })
    };
    let mut nt = Recipe::nt();
    nt.set_pair("prune=pessimistic").unwrap();
    of(Recipe::j48).chain(of(Recipe::c45)).chain([nt]).collect()
}

/// Two numbers, two nominal columns of four levels, three classes; weights of quarters, or none.
fn data() -> impl Strategy<Value = Dataset> {
    (prop_oneof![Just(0u32), Just(8), Just(30)], any::<bool>()).prop_flat_map(|(missing, weighted)| {
        let cell =
            move |most: u32| (0..100u32, 0..most).prop_map(move |(draw, value)| (draw >= missing).then_some(value));
        let row = (cell(6), cell(40), cell(4), cell(4), 0u32..3, 0u32..4, 1u32..12);
        prop::collection::vec(row, 8..150).prop_map(move |rows| {
            let numbers = |name, of: fn(&Row) -> Option<u32>| {
                Column::numeric(name, rows.iter().map(|row| of(row).map_or(f64::NAN, f64::from)).collect())
            };
            let names = |count: usize| ["a", "b", "c", "d"][..count].iter().map(ToString::to_string).collect();
            let levels = |name, of: fn(&Row) -> Option<u32>| {
                let codes = rows.iter().map(|row| of(row).unwrap_or(MISSING)).collect();
                Column::new(name, ColumnData::Nominal { levels: names(4), codes })
            };
            // The class follows the first number, or a level, more often than not.
            let class = |row: &Row| match row.5 {
                0 => row.4,
                1 => row.2.unwrap_or(0).min(2),
                _ => row.0.unwrap_or(0) % 3,
            };
            let class = ColumnData::Nominal { levels: names(3), codes: rows.iter().map(class).collect() };
            let columns = vec![
                numbers("few", |row| row.0),
                numbers("many", |row| row.1),
                levels("one", |row| row.2),
                levels("other", |row| row.3),
                Column::new("class", class),
            ];
            let data = Dataset::new(columns).unwrap().with_last_as_target().unwrap();
            let weights = rows.iter().map(|row| f64::from(row.6) / 4.0).collect();
            if weighted { data.with_weights(weights).unwrap() } else { data }
        })
    })
}

type Row = (Option<u32>, Option<u32>, Option<u32>, Option<u32>, u32, u32, u32);

/// Checks one tree; answers how many branches were raised.
fn check(data: &Dataset, recipe: &Recipe) -> usize {
    let Prune::Pessimistic { confidence, raising: true, errors } = recipe.prune else { panic!("{}", recipe.name) };
    let estimate = Estimate::new(confidence, errors);
    // As the learner does: a row must have the value by which a test is told where it goes.
    let filled = mode_mean(data).unwrap();
    let data = if recipe.missing == Missing::Impute { &filled } else { data };
    let task = Task::new(data, data.class().unwrap(), (0..data.rows() as u32).collect(), recipe);
    let mut cheap = grow(&task);
    if recipe.collapse {
        collapse(&mut cheap);
    }
    let mut slow = cheap.clone();
    pessimistic::prune(&task, &mut cheap, estimate, true);
    let raised = plain::prune(&task, &mut slow, estimate);
    let tree = |draft: Draft| draft.into_tree(Leaf::Distribution);
    assert_eq!(tree(cheap), tree(slow), "{} {:?}", recipe.name, recipe.candidates);
    raised
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn as_by_plain_re_routing(data in data()) {
        for recipe in recipes() {
            check(&data, &recipe);
        }
    }
}

/// The same on fixed data, where it is seen that branches are raised often.
#[test]
fn and_there_is_much_to_raise() {
    let mut runner = TestRunner::deterministic();
    let mut raised = [0; 2];
    for _ in 0..60 {
        let data = data().new_tree(&mut runner).unwrap().current();
        let missing = data.attributes().iter().any(|column| column.missing_count() > 0);
        raised[usize::from(missing)] += recipes().iter().map(|recipe| check(&data, recipe)).sum::<usize>();
    }
    assert!(raised.iter().all(|&raised| raised > 100), "{raised:?}");
}

/// With more than one thread the parts of a large tree are pruned first, each by itself.
#[test]
fn in_parts_as_in_one_piece() {
    let words = Knobs { rows: Some(3_000), classes: Some(8), words: Some(400), ..Knobs::default() };
    let numbers = Knobs { rows: Some(6_000), noise: Some(0.3), numeric: Some(3), nominal: Some(3), ..Knobs::default() };
    for (name, knobs) in [("bag-of-words", words), ("random-tree", numbers)] {
        let data = generate(name, &knobs).unwrap().with_last_as_target().unwrap();
        for base in ["nt[min-rows=2]", "c45[cut.mdl=false,min-rows=1]", "j48"] {
            let recipe = Recipe::parse(base).unwrap();
            let Prune::Pessimistic { confidence, raising: true, errors } = recipe.prune else { panic!("{base}") };
            let task = Task::new(&data, data.class().unwrap(), (0..data.rows() as u32).collect(), &recipe);
            let grown = grow(&task);
            let pruned = |threads: usize| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                let mut draft = grown.clone();
                let parts = pool.install(|| take_apart(&mut draft.clone()).len());
                pool.install(|| pessimistic::prune(&task, &mut draft, Estimate::new(confidence, errors), true));
                (parts, draft.into_tree(Leaf::Distribution))
            };
            let ((none, whole), (some, by_parts)) = (pruned(1), pruned(3));
            assert!(none == 0 && some > 4, "{name}, {base}: {some} parts of {} nodes", grown.nodes.len());
            assert!(whole.leaves() < grown.clone().into_tree(Leaf::Distribution).leaves(), "{name}, {base}");
            assert_eq!(whole, by_parts, "{name}, {base}");
        }
    }
}
