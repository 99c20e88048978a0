//! Tables that a node counts again.

use quickset::data::{Column, ColumnData, Dataset};
use quickset::model::{Node, Tree};
use quickset::split::Split;
use quickset::{Learner, Recipe};

use crate::random::dataset;

const ROWS: usize = 2400;

/// Two halves that one attribute tells apart. In each another number tells two classes, for nine rows of ten.
fn halves() -> Dataset {
    let mut state = 7u64;
    let mut draw = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 40) as f64 / (1u64 << 24) as f64
    };
    let sides: Vec<u32> = (0..ROWS).map(|row| (row % 2) as u32).collect();
    let numbers: Vec<Vec<f64>> = (0..4).map(|_| (0..ROWS).map(|_| draw()).collect()).collect();
    let class = |row: usize| {
        let side = sides[row];
        let above = numbers[side as usize][row] > 0.3;
        2 * side + u32::from(above != (draw() < 0.1))
    };
    let classes: Vec<u32> = (0..ROWS).map(class).collect();
    let texts = |words: &[&str]| words.iter().map(|word| word.to_string()).collect();
    let nominal = |name, words: &[&str], codes| Column::new(name, ColumnData::Nominal { levels: texts(words), codes });
    let mut columns = vec![nominal("side", &["left", "right"], sides.clone())];
    columns.extend(numbers.into_iter().enumerate().map(|(at, numbers)| Column::numeric(format!("x{at}"), numbers)));
    dataset(columns, nominal("class", &["a", "b", "c", "d"], classes))
}

fn recipe(changes: &[&str]) -> Recipe {
    let mut recipe = Recipe::nt();
    changes.iter().for_each(|change| recipe.set_pair(change).unwrap());
    recipe
}

/// A node as it is below the place `from`: its weights, its test, and how far on its branches are.
fn shape(node: &Node, from: usize) -> (Vec<f64>, Option<Split>, Vec<usize>) {
    let split = if let Node::Inner { split, .. } = node { Some(split.clone()) } else { None };
    (node.weights().to_vec(), split, node.children().iter().map(|child| child.index() - from).collect())
}

fn shapes(tree: &Tree, from: usize, count: usize) -> Vec<(Vec<f64>, Option<Split>, Vec<usize>)> {
    tree.nodes()[from..from + count].iter().map(|node| shape(node, from)).collect()
}

#[test]
fn make_a_node_the_root_of_a_tree_of_its_rows() {
    let data = halves();
    // Cuts that nothing holds back make the tree large.
    let grown = |recount: &str| {
        let changes = [recount, "cut.mdl=false", "cut.at=midpoint", "collapse=false", "prune=none"];
        Learner::new(recipe(&changes)).unwrap()
    };
    let learner = grown("tables.recount=2");
    let whole = learner.fit(&data).unwrap();
    let branches = whole.tree().nodes()[0].children();
    assert_eq!(branches.len(), 2);
    for (side, branch) in branches.iter().enumerate() {
        let rows: Vec<u32> = (0..ROWS as u32).filter(|row| *row as usize % 2 == side).collect();
        let alone = learner.train(&data, &rows).unwrap().model;
        let size = alone.tree().size();
        assert!(size > 10);
        assert_eq!(shapes(whole.tree(), branch.index(), size), shapes(alone.tree(), 0, size));
    }
    assert_ne!(grown("tables.recount=never").fit(&data).unwrap().tree(), whole.tree());
}

#[test]
fn depend_on_neither_threads_nor_short_cuts() {
    let data = halves();
    let all: [&[&str]; 3] = [&[], &["score=iig"], &["score=gain", "choose=best"]];
    for changes in all.map(|changes| [changes, &["tables.recount=2"]].concat()) {
        let learner = Learner::new(recipe(&changes)).unwrap();
        let on = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| learner.fit(&data).unwrap().tree().clone())
        };
        let one = on(1);
        assert_eq!(one, on(3), "{changes:?}");
        assert_eq!(&one, learner.clone().without_short_cuts().fit(&data).unwrap().tree(), "{changes:?}");
    }
}

#[test]
fn have_the_papers_score_count_once() {
    let paper = serde_json::to_string(&recipe(&["score=iig"])).unwrap();
    assert!(!paper.contains("recount"), "{paper}");
    assert!(serde_json::to_string(&Recipe::nt()).unwrap().contains(r#""recount":16"#));
    let mut once = Recipe::nt();
    once.set_pair("tables.recount=1").unwrap();
    assert!(Learner::new(once).unwrap_err().to_string().contains("2 or more, or never"));
    assert!(Recipe::c45().set_pair("tables.recount=4").is_err());
}
