//! The vectors of ALGORITHMS.md §4.

use super::super::{Reached, deeper, every};
use super::{nominal, set, with};
use crate::Recipe;
use crate::data::Dataset;
use crate::grow::rows::NodeRows;
use crate::grow::{Position, Task, grow};
use crate::measure::{Gain, Measure, Table};

/// The full space of some bits.
fn space(bits: u32, class: impl Fn(&[u32]) -> u32) -> Dataset {
    let rows: Vec<Vec<u32>> = (0..1u32 << bits).map(|row| (0..bits).map(|at| row >> at & 1).collect()).collect();
    let mut columns: Vec<_> =
        (0..bits as usize).map(|at| nominal(format!("x{at}"), 2, rows.iter().map(|row| row[at]).collect())).collect();
    columns.push(nominal("class".into(), 2, rows.iter().map(|row| class(row)).collect()));
    Dataset::new(columns).unwrap().with_last_as_target().unwrap()
}

#[test]
fn gain_1_sees_nothing_of_a_parity_and_gain_2_all_of_it() {
    let data = space(3, |row| row[0] ^ row[1]);
    let recipe = Recipe::id3_k();
    let task = Task::new(&data, data.class().unwrap(), (0..8).collect(), &recipe);
    let node = NodeRows::of(task.rows.clone(), None, vec![4.0, 4.0]);
    let tests = task.pool.with(|scratch| every::tests(&task, &node, None, scratch));
    assert_eq!(tests.iter().map(|test| test.candidate.gain).collect::<Vec<_>>(), [0.0; 3]);
    let left = |k: usize| -> Vec<f64> {
        let position = Position::root(&recipe);
        tests.iter().map(|test| deeper::left_by(&task, &node, test, k, position, &Reached::new()).unwrap()).collect()
    };
    assert_eq!(left(1), [8.0; 3]);
    assert_eq!(left(2), [0.0, 0.0, 8.0], "gains of 1, 1 and 0 bits for 8 rows");
    // What is reached dismisses what leaves more.
    let reached = Reached::new();
    reached.tell(0.0);
    assert_eq!(deeper::left_by(&task, &node, &tests[2], 2, Position::root(&recipe), &reached), None);
}

#[test]
fn gain_k_is_what_all_choices_below_leave() {
    // By hand: the best second tests after each first one, of three attributes of the nominal weather.
    let data = set("weather-nominal");
    let recipe = Recipe::id3_k();
    let task = Task::new(&data, data.class().unwrap(), (0..14).collect(), &recipe);
    let code = |attribute: usize, row: u32| match data.attributes()[attribute].value(row as usize) {
        crate::data::Value::Level(code) => code as usize,
        _ => unreachable!("all are known"),
    };
    let left_after = |rows: &[u32], attributes: &[usize]| -> f64 {
        let mut cells = vec![0.0; 4 * 4 * 2];
        for &row in rows {
            let branch = attributes.iter().fold(0, |branch, &attribute| 4 * branch + code(attribute, row));
            cells[2 * branch + usize::from(task.classes[row as usize])] += 1.0;
        }
        let whole: Vec<f64> = (0..2).map(|class| cells.iter().skip(class).step_by(2).sum()).collect();
        let alone = Table::new(2, vec![whole[0], 0.0, 0.0, whole[1]], 0.0);
        rows.len() as f64 * (Gain.of(&alone) - Gain.of(&Table::new(2, cells, 0.0)))
    };
    let node = NodeRows::of(task.rows.clone(), None, vec![9.0, 5.0]);
    let tests = task.pool.with(|scratch| every::tests(&task, &node, None, scratch));
    for test in &tests {
        let first = test.candidate.attribute;
        let mut expected = 0.0;
        for level in 0..3 {
            let rows: Vec<u32> = (0..14).filter(|&row| code(first, row) == level).collect();
            expected += (0..4).map(|second| left_after(&rows, &[second])).fold(f64::INFINITY, f64::min);
        }
        let found = deeper::left_by(&task, &node, test, 2, Position::root(&recipe), &Reached::new()).unwrap();
        assert!((found - expected).abs() < 1e-9, "{first}: {found} {expected}");
    }
}

/// Three hundred trees on 200 rows of another draw had 69 to 129 leaves, 109 in the middle.
#[test]
fn sid3_on_parity_has_the_sizes_that_were_told() {
    let data = set("xor-5");
    let mut sizes: Vec<usize> = (0..300)
        .map(|seed| {
            let recipe = Recipe { seed, ..Recipe::sid3() };
            let task = Task::new(&data, data.class().unwrap(), (0..200).collect(), &recipe);
            grow(&task).nodes.iter().filter(|node| node.test.is_none()).count()
        })
        .collect();
    sizes.sort_unstable();
    let told = [(sizes[0], 69), (sizes[150], 109), (sizes[299], 129)];
    assert!(told.iter().all(|&(found, told): &(usize, usize)| found.abs_diff(told) <= 12), "{told:?}");
}

#[test]
fn drawn_cuts_are_as_many_as_the_share_of_rows_and_favour_gain() {
    let data = set("numeric-xor-3d");
    let recipe = with(Recipe::lsid3_mc, &["p=0.5"]);
    let task = Task::new(&data, data.class().unwrap(), (0..200).collect(), &recipe);
    let classes = task.classes.iter().fold(vec![0.0; 2], |mut sum, &class| {
        sum[usize::from(class)] += 1.0;
        sum
    });
    let mut arrays = crate::grow::rows::sorted_arrays(&task, &task.rows);
    let mut node = NodeRows::start(&task, task.rows.clone(), None, &mut arrays);
    node.class_weights = classes;
    let tests = |position| task.pool.with(|scratch| every::tests(&task, &node, position, scratch));
    let drawn = tests(Some(Position::root(&recipe)));
    assert_eq!(drawn.len(), 6 * 100);
    assert!(drawn.iter().all(|test| test.samples == 1));
    let every = tests(None);
    assert_eq!(every.len(), 6 * 199, "all numbers differ");
    let mean = |tests: &[every::Tried]| tests.iter().map(|test| test.candidate.gain).sum::<f64>() / tests.len() as f64;
    // Drawn in proportion to its gain, a cut gains more on average than one drawn evenly.
    assert!(mean(&drawn) > 1.3 * mean(&every), "{} {}", mean(&drawn), mean(&every));
    // The best of all cuts is the one that a greedy look finds.
    let greedy = task.pool.with(|scratch| crate::grow::candidates(&task, &mut node, scratch));
    for best in greedy {
        let of_attribute = every.iter().filter(|test| test.candidate.attribute == best.attribute);
        let most = of_attribute.map(|test| test.candidate.gain).fold(0.0, f64::max);
        assert!((most - best.gain).abs() < 1e-9, "{most} {}", best.gain);
    }
}
