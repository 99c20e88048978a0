//! With and without a memory of earlier samples.

use std::sync::Arc;

use proptest::prelude::*;

use super::super::LEAF;
use super::super::earlier::{Earlier, Look, MOST_BYTES, Place, Shown};
use super::super::every::{self, Tried};
use super::same_tree::{data, task};
use super::{set, with};
use crate::Recipe;
use crate::grow::rows::{NodeRows, sorted_arrays};
use crate::grow::{Draft, Position, ROOT, Start, Task, grow_from};

/// The tree of so many samples.
fn grown(task: &Task<'_>, samples: usize) -> Draft {
    let position = Position { samples, ..Position::root(task.recipe) };
    grow_from(task, Start { rows: task.rows.clone(), weights: None, position, free: None })
}

/// The root, its tests and its place.
fn root<T>(task: &Task<'_>, samples: usize, work: impl FnOnce(Vec<Tried>, Place) -> T) -> T {
    let position = Position { samples, ..Position::root(task.recipe) };
    let mut arrays = sorted_arrays(task, &task.rows);
    let node = NodeRows::start(task, task.rows.clone(), None, &mut arrays);
    let tests = task.pool.with(|scratch| every::tests(task, &node, Some(position), scratch));
    work(tests, Place::of(task, &node, &None, position).unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// More samples, as many, fewer, and more again: each time the tree is that of a task that remembers nothing.
    #[test]
    fn what_is_remembered_changes_no_tree(data in data(true), seed in any::<u64>()) {
        let recipes = [
            Recipe::lsid3(),
            with(Recipe::lsid3, &["nominal=value", "sampler=uniform"]),
            with(Recipe::lsid3, &["max-depth=3", "min-rows=2"]),
            with(Recipe::lsid3, &["sampler=ordered"]),
            with(Recipe::lsid3, &["sampler=turns"]),
            with(Recipe::lsid3_mc, &["p=0.3"]),
        ];
        for mut recipe in recipes {
            recipe.seed = seed;
            let fresh = task(&data, &recipe);
            let mut remembers = task(&data, &recipe);
            remembers.earlier = Some(Arc::default());
            for samples in [1, 2, 4, 4, 3, 16] {
                prop_assert_eq!(grown(&remembers, samples).nodes, grown(&fresh, samples).nodes, "{:?} {}", recipe, samples);
            }
        }
    }
}

#[test]
fn draws_of_cuts_begin_with_the_same_ones() {
    let (data, recipe) = (set("numeric-xor-3d"), Recipe::lsid3_mc());
    let task = task(&data, &recipe);
    let split = |test: &Tried| (test.candidate.attribute, test.place, format!("{:?}", test.candidate.test));
    let tests = |samples| root(&task, samples, |tests, _| tests.iter().map(split).collect::<Vec<_>>());
    let (few, many) = (tests(4), tests(8));
    assert!(many.len() == 2 * few.len() && few.iter().all(|test| many.contains(test)));
}

#[test]
fn what_was_shown_is_believed_and_fewer_samples_are_not_told_from_more() {
    let (data, recipe) = (set("xor-5"), Recipe::lsid3());
    let mut task = task(&data, &recipe);
    let honest = grown(&task, 4);
    let attribute = |draft: &Draft| draft.nodes[ROOT].test.as_ref().unwrap().split.attribute();
    // Any other is said to end in two leaves.
    let other = (attribute(&honest) + 1) % 10;
    let lie = |samples: usize| {
        let shown = |test: &Tried| match test.candidate.attribute == other {
            true => vec![Shown { least: LEAF as u32, by: 0, others: u32::MAX }; 2],
            false => vec![Shown::NOTHING; 2],
        };
        let earlier = Earlier::default();
        root(&task, samples, |tests, place| {
            let all = tests.iter().map(|test| (test, shown(test)));
            earlier.put(place, Look::new(samples, all));
        });
        earlier
    };
    let [less, as_many, more] = [2, 4, 5].map(lie);
    for (earlier, believed) in [(less, true), (as_many, true), (more, false)] {
        task.earlier = Some(Arc::new(earlier));
        assert_eq!(attribute(&grown(&task, 4)) == other, believed);
    }
}

#[test]
fn what_was_given_up_is_settled_while_no_more_is_allowed() {
    let counted = Shown { least: 7, by: 0, others: 7 };
    assert!(counted.is_exact() && counted.is_settled(f64::INFINITY));
    let given_up = Shown { least: 9, by: 0, others: 5 };
    assert!(!given_up.is_exact() && given_up.is_settled(4.5) && !given_up.is_settled(5.0));
    let leaf = LEAF as f64;
    assert!(!Shown::NOTHING.is_settled(leaf) && Shown::NOTHING.is_settled(leaf - 0.5));
}

#[test]
fn memory_is_limited_and_what_is_asked_for_stays() {
    let (data, recipe) = (set("weather"), Recipe::lsid3());
    let task = task(&data, &recipe);
    let place = |seed: u64| {
        let node = NodeRows::of((0..1 << 18).collect(), None, Vec::new());
        Place::of(&task, &node, &None, Position { samples: 1, ..Position::root(&recipe).of_tree(seed) }).unwrap()
    };
    let earlier = Earlier::default();
    let look = || Look::new(1, std::iter::empty());
    earlier.put(place(0), look());
    let enough = (MOST_BYTES >> 20) as u64;
    for seed in 1..3 * enough {
        earlier.put(place(seed), look());
        let first = earlier.take(&place(0), 1).expect("it is asked for all the time");
        earlier.put(place(0), first);
    }
    assert!((1..3 * enough).filter(|&seed| earlier.take(&place(seed), 1).is_some()).count() as u64 <= enough);
    assert!(earlier.take(&place(0), 1).is_some());
    let weighted = NodeRows::of(vec![0, 1], Some(vec![0.5, 1.0]), Vec::new());
    assert!(Place::of(&task, &weighted, &None, Position::root(&recipe)).is_none());
}
