//! 1R and T2 against what anybody would count by hand.

use proptest::prelude::*;
use quickset::data::Column;
use quickset::model::{Model, Node};
use quickset::{Learner, Recipe};

use crate::random::{Cells, LEVELS, cells, dataset};

const CLASSES: usize = 3;

/// The value of every row as text would have it; `None` is missing.
fn columns(cells: &Cells) -> Vec<Vec<Option<i32>>> {
    let levels = cells.levels.iter().map(|column| column.iter().map(|cell| cell.map(|code| code as i32)).collect());
    cells.numbers.iter().cloned().chain(levels).collect()
}

fn errors(cells: &Cells, rows: &[usize]) -> usize {
    let count = |class: usize| rows.iter().filter(|&&row| cells.classes[row] as usize == class).count();
    rows.len() - (0..CLASSES).map(count).max().unwrap_or(0)
}

/// The rows of every value, ascending; those without one at the end.
fn groups(column: &[Option<i32>], rows: &[usize]) -> (Vec<Vec<usize>>, Vec<usize>) {
    let with = |value: Option<i32>| rows.iter().copied().filter(|&row| column[row] == value).collect::<Vec<_>>();
    let mut values: Vec<i32> = rows.iter().filter_map(|&row| column[row]).collect();
    values.sort_unstable();
    values.dedup();
    (values.into_iter().map(|value| with(Some(value))).collect(), with(None))
}

/// The fewest errors of values cut into at most `most` runs: the last run begins at any place.
fn cut_in(cells: &Cells, groups: &[Vec<usize>], most: usize) -> usize {
    let mut fewest = vec![vec![usize::MAX; groups.len() + 1]; most + 1];
    fewest[0][0] = 0;
    for runs in 1..=most {
        for end in 0..=groups.len() {
            fewest[runs][end] = fewest[runs - 1][end];
            for start in 0..end {
                if fewest[runs - 1][start] < usize::MAX {
                    let run = errors(cells, &groups[start..end].concat());
                    fewest[runs][end] = fewest[runs][end].min(fewest[runs - 1][start] + run);
                }
            }
        }
    }
    fewest[most][groups.len()]
}

/// The fewest errors of at most one test on some rows.
fn one_level(cells: &Cells, rows: &[usize]) -> usize {
    let of = |(at, column): (usize, &Vec<Option<i32>>)| {
        let (groups, missing) = groups(column, rows);
        let known = match at {
            0 | 1 => cut_in(cells, &groups, CLASSES + 1),
            _ => groups.iter().map(|group| errors(cells, group)).sum(),
        };
        known + errors(cells, &missing)
    };
    columns(cells).iter().enumerate().map(of).min().unwrap_or(0).min(errors(cells, rows))
}

/// The fewest errors of two levels: the first test has one cut, or a branch for every level.
fn two_levels(cells: &Cells) -> usize {
    let rows: Vec<usize> = (0..cells.rows()).collect();
    let mut fewest = errors(cells, &rows);
    for (at, column) in columns(cells).iter().enumerate() {
        let (groups, missing) = groups(column, &rows);
        let apart = one_level(cells, &missing);
        if at >= 2 && groups.len() + usize::from(!missing.is_empty()) > 1 {
            fewest = fewest.min(apart + groups.iter().map(|group| one_level(cells, group)).sum::<usize>());
        }
        for cut in 1..if at < 2 { groups.len() } else { 0 } {
            let sides = one_level(cells, &groups[..cut].concat()) + one_level(cells, &groups[cut..].concat());
            fewest = fewest.min(apart + sides);
        }
    }
    fewest
}

fn fit(recipe: Recipe, cells: &Cells) -> Model {
    Learner::new(recipe).unwrap().fit(&cells.dataset()).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn t2_has_the_fewest_errors_of_two_levels(cells in cells(true)) {
        prop_assume!(cells.can_be_learnt());
        let model = fit(Recipe::t2(), &cells);
        prop_assert_eq!(model.training().errors, two_levels(&cells));
        prop_assert!(model.tree().depth() <= 2);
        let one = Recipe { stop: quickset::recipe::Stop { max_depth: Some(1), ..Recipe::t2().stop }, ..Recipe::t2() };
        let rows: Vec<usize> = (0..cells.rows()).collect();
        prop_assert_eq!(fit(one, &cells).training().errors, one_level(&cells, &rows));
    }

    /// Trees of thresholds have a fast way, which must know the third branch.
    #[test]
    fn rows_go_the_same_way_fast_or_slow_where_missing_values_have_a_branch(cells in cells(true), unseen in cells(true)) {
        prop_assume!(cells.can_be_learnt());
        let numbers = |cells: &Cells| {
            let columns = (0..2).map(|at| Column::numeric(format!("number{at}"), cells.numbers(at)));
            dataset(columns.collect(), cells.class())
        };
        let mut recipe = Recipe::id3();
        recipe.set_pair("missing=own").unwrap();
        let model = Learner::new(recipe).unwrap().fit(&numbers(&cells)).unwrap();
        // Many rows with every value, so that whole blocks step, and some without.
        let rows: Vec<u32> = (0..400).map(|row| row % unseen.rows() as u32).collect();
        let data = numbers(&unseen).select(&rows);
        let (labels, probabilities) = (model.predict(&data).unwrap(), model.predict_proba(&data).unwrap());
        let known = numbers(&Cells {
            numbers: unseen.numbers.iter().map(|c| c.iter().map(|cell| cell.or(Some(1))).collect()).collect(),
            ..unseen.clone()
        });
        let fast = (model.predict(&known).unwrap(), model.predict_proba(&known).unwrap());
        for (labels, probabilities) in [(labels, probabilities), fast] {
            for (row, &label) in labels.iter().enumerate() {
                let best = probabilities.row(row).iter().copied().fold(0.0, f64::max);
                prop_assert!(probabilities.row(row)[usize::from(label)] >= best - 1e-6);
            }
        }
    }

    /// Among levels alone 1R is counted with ease; numbers are in the tests of its buckets.
    #[test]
    fn one_r_takes_the_first_attribute_of_the_fewest_errors(cells in cells(true)) {
        prop_assume!(cells.can_be_learnt());
        let mut cells = cells;
        cells.numbers = vec![vec![Some(1); cells.rows()]; 2];
        let rows: Vec<usize> = (0..cells.rows()).collect();
        let by_attribute: Vec<usize> = columns(&cells)
            .iter()
            .map(|column| {
                let (groups, missing) = groups(column, &rows);
                groups.iter().chain([&missing]).map(|group| errors(&cells, group)).sum()
            })
            .collect();
        let model = fit(Recipe::one_r(), &cells);
        prop_assert_eq!(model.training().errors, by_attribute[2].min(by_attribute[3]));
        let Node::Inner { split, children, .. } = &model.tree().nodes()[0] else { panic!("a test") };
        prop_assert_eq!(split.attribute(), if by_attribute[2] <= by_attribute[3] { 2 } else { 3 });
        let missing = columns(&cells)[split.attribute()].contains(&None);
        prop_assert_eq!(children.len(), LEVELS as usize + usize::from(missing));
    }
}
