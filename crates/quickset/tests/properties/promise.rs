//! What a test of words must promise, and keep.

use proptest::prelude::*;
use quickset::data::{ColumnData, Dataset, NO_CLASS};
use quickset::model::{Node, NodeId, Tree};
use quickset::split::Split;
use quickset::{Learner, Recipe};

use crate::random::texts;

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
