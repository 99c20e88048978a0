//! What a test of words must promise, and keep.

use proptest::prelude::*;
use quickset::data::{Column, ColumnData, Dataset, NO_CLASS, Sparse};
use quickset::model::{Node, NodeId, Tree};
use quickset::split::Split;
use quickset::{Learner, Recipe};

use crate::random::{dataset, names, texts};

fn entropy(weights: &[f64]) -> f64 {
    let sum: f64 = weights.iter().sum();
    -weights.iter().filter(|weight| **weight > 0.0).map(|weight| weight / sum * (weight / sum).log2()).sum::<f64>()
}

/// The independent information gain of whether rows have a word, as its definition has it (Su and Zhang 2006, Eq. 5).
fn estimated_gain(data: &Dataset, word: usize, weights: &[f64]) -> f64 {
    let codes = &data.class().unwrap().codes;
    let ColumnData::SparseNumeric(entries) = data.attributes()[word].data() else { panic!("words are sparse") };
    let (mut all, mut held) = (vec![0.0; weights.len()], vec![0.0; weights.len()]);
    codes.iter().filter(|code| **code != NO_CLASS).for_each(|&code| all[usize::from(code)] += 1.0);
    let of_entries = entries.rows.iter().map(|&row| codes[row as usize]);
    of_entries.filter(|code| *code != NO_CLASS).for_each(|code| held[usize::from(code)] += 1.0);
    let sum: f64 = weights.iter().sum();
    let joint = |share: fn(f64, f64) -> f64| -> Vec<f64> {
        let of_class = |class: usize| weights[class] / sum * share(held[class], all[class]);
        (0..weights.len()).map(|class| if all[class] > 0.0 { of_class(class) } else { 0.0 }).collect()
    };
    let sides = [joint(|held, all| held / all), joint(|held, all| 1.0 - held / all)];
    entropy(weights) - sides.iter().map(|side| side.iter().sum::<f64>() * entropy(side)).sum::<f64>()
}

fn counted_gain(tree: &Tree, weights: &[f64], children: &[NodeId]) -> f64 {
    let sum: f64 = weights.iter().sum();
    let side = |child: &NodeId| tree.nodes()[child.index()].weights();
    entropy(weights)
        - children.iter().map(|child| side(child).iter().sum::<f64>() / sum * entropy(side(child))).sum::<f64>()
}

/// Calls `look` with every inner node whose word is not asked for above it: its weights, word and children.
fn words_asked_first(tree: &Tree, mut look: impl FnMut(&[f64], usize, &[NodeId])) {
    let mut open = vec![(NodeId::ROOT, Vec::new())];
    while let Some((at, above)) = open.pop() {
        let Node::Inner { weights, split: Split::Threshold { attribute, .. }, children, .. } =
            &tree.nodes()[at.index()]
        else {
            continue;
        };
        if !above.contains(attribute) {
            look(weights, *attribute, children);
        }
        let above = [above, vec![*attribute]].concat();
        open.extend(children.iter().map(|&child| (child, above.clone())));
    }
}

fn grown(data: &Dataset, promise: f64, kept: f64) -> Tree {
    let changes = format!("nt[tables.promise={promise},tables.kept={kept},prune=none,collapse=false]");
    Learner::new(Recipe::parse(&changes).unwrap()).unwrap().fit(data).unwrap().tree().clone()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn tests_promise_and_keep_what_is_asked(
        data in texts(),
        promise in prop_oneof![Just(0.0), Just(1.0), 0.0..8.0f64],
        kept in prop_oneof![Just(0.0), Just(0.5), 0.0..1.0f64],
    ) {
        let tree = grown(&data, promise, kept);
        words_asked_first(&tree, |weights, word, children| {
            let (rows, estimated) = (weights.iter().sum::<f64>(), estimated_gain(&data, word, weights));
            assert!(rows * estimated > promise - 1e-6, "{rows} rows, {estimated} bits each");
            let counted = counted_gain(&tree, weights, children);
            assert!(counted >= kept * estimated - 1e-9, "{counted} of {estimated} bits");
        });
        // Who asks for more than there can be has a leaf.
        prop_assert_eq!(grown(&data, 1e9, kept).leaves(), 1);
    }
}

/// The second column says nothing of the class by itself, and all of it once the first is known: its tables promise nothing.
#[test]
fn a_test_that_promises_nothing_is_made_unless_more_is_asked() {
    let cases = [([0u32, 0], 0u32, 4), ([0, 1], 1, 4), ([1, 1], 0, 2), ([1, 0], 1, 8)];
    let rows: Vec<_> =
        cases.iter().flat_map(|&(cells, class, count)| std::iter::repeat_n((cells, class), count)).collect();
    let levels = |at: usize| rows.iter().map(|(cells, _)| cells[at]).collect::<Vec<_>>();
    let nominal = |name, codes| Column::new(name, ColumnData::Nominal { levels: names(), codes });
    let sparse = |at: usize| {
        let held: Vec<u32> = (0..rows.len() as u32).filter(|&row| rows[row as usize].0[at] == 1).collect();
        let values = vec![1.0; held.len()];
        Column::new(format!("word{at}"), ColumnData::SparseNumeric(Sparse { len: rows.len(), rows: held, values }))
    };
    let class = || nominal("class", rows.iter().map(|(_, class)| *class).collect());
    let dense = dataset(vec![nominal("first", levels(0)), nominal("second", levels(1))], class());
    let words = dataset((0..2).map(sparse).collect(), class());
    let errors = |data: &Dataset, changes: &str| {
        let recipe = Recipe::parse(&format!("nt[prune=none,cut.mdl=false{changes}]")).unwrap();
        Learner::new(recipe).unwrap().fit(data).unwrap().training().errors
    };
    for changes in ["", ",score=iig", ",score=iig,range=observed"] {
        assert_eq!(errors(&dense, changes), 0, "{changes}");
    }
    for changes in [",score=iig", ",score=iig,range=observed", ",tables.promise=none,tables.kept=none"] {
        assert_eq!(errors(&words, changes), 0, "{changes}");
    }
    assert!(errors(&words, "") > 0);
}

#[test]
fn the_papers_score_asks_for_nothing() {
    let written = |changes: &str| serde_json::to_string(&Recipe::parse(changes).unwrap()).unwrap();
    assert!(written("nt").contains(r#""promise":1.0,"kept":0.5"#), "{}", written("nt"));
    for changes in ["nt[score=iig]", "nt[tables.promise=none,tables.kept=none]"] {
        assert!(!written(changes).contains("promise") && !written(changes).contains("kept"), "{changes}");
    }
}

#[test]
fn what_cannot_be_asked_is_refused() {
    let refused = |changes: &str| {
        let recipe = Recipe::parse(changes);
        recipe.and_then(Learner::new).map(|_| ()).unwrap_err().to_string()
    };
    assert!(refused("nt[tables.promise=-1]").contains("bits from 0, or none"));
    assert!(refused("nt[tables.kept=1.5]").contains("a share from 0 to 1, or none"));
    assert!(refused("nt[tables.kept=half]").contains("a share from 0 to 1, or none"));
    assert!(refused("c45[tables.kept=0.5]").contains("where tables=factored"));
}
