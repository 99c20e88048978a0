//! What leaves cost: a test stays only where it saves more training errors than its leaves cost.

use crate::deep::deep;
use crate::grow::{Draft, ROOT};
use crate::measure::{SMALL, errors};

/// Cuts to the tree of the least errors + `price` · leaves among those that are left by cutting this one.
pub(crate) fn penalise(draft: &mut Draft, price: f64) {
    cheapest(draft, ROOT, price);
}

/// Answers errors + price · leaves of what is left below a node.
fn cheapest(draft: &mut Draft, at: usize, price: f64) -> f64 {
    let as_leaf = errors(&draft.nodes[at].weights) + price;
    let Some(test) = &draft.nodes[at].test else { return as_leaf };
    let children = test.children.clone();
    let as_tree: f64 = children.into_iter().map(|child| deep(|| cheapest(draft, child, price))).sum();
    if as_leaf <= as_tree + SMALL {
        draft.cut(at);
        return as_leaf;
    }
    as_tree
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grow::{DraftNode, Test};
    use crate::model::Unknown;
    use crate::split::Split;
    use proptest::prelude::*;

    fn node(weights: [f64; 2], children: &[usize]) -> DraftNode {
        let split = Split::Threshold { attribute: 0, cut: 0.0 };
        let test = Test { split, unknown: Unknown::Fractions, children: children.to_vec() };
        DraftNode { weights: weights.to_vec(), test: (!children.is_empty()).then_some(test), rows: Vec::new() }
    }

    /// A full tree of depth 3 with such class weights in its leaves.
    fn tree(leaves: &[(u8, u8)]) -> Draft {
        let sum = |range: std::ops::Range<usize>| {
            let part = &leaves[range];
            [part.iter().map(|w| f64::from(w.0)).sum(), part.iter().map(|w| f64::from(w.1)).sum()]
        };
        let mut nodes = vec![node(sum(0..8), &[1, 2]), node(sum(0..4), &[3, 4]), node(sum(4..8), &[5, 6])];
        nodes.extend((0..4).map(|at| node(sum(2 * at..2 * at + 2), &[7 + 2 * at, 8 + 2 * at])));
        nodes.extend((0..8).map(|at| node(sum(at..at + 1), &[])));
        Draft { nodes }
    }

    /// All that cutting can leave of a subtree: errors and leaves.
    fn all(draft: &Draft, at: usize) -> Vec<(f64, usize)> {
        let mut ways = vec![(errors(&draft.nodes[at].weights), 1)];
        if let Some(test) = &draft.nodes[at].test {
            let (left, right) = (all(draft, test.children[0]), all(draft, test.children[1]));
            ways.extend(left.iter().flat_map(|a| right.iter().map(move |b| (a.0 + b.0, a.1 + b.1))));
        }
        ways
    }

    proptest! {
        #[test]
        fn what_is_left_is_the_cheapest_of_all_ways_to_cut(
            leaves in proptest::collection::vec((0u8..9, 0u8..9), 8), price in 0.0..6.0f64,
        ) {
            let mut draft = tree(&leaves);
            let least = all(&draft, ROOT).iter().map(|(e, l)| e + price * *l as f64).fold(f64::INFINITY, f64::min);
            penalise(&mut draft, price);
            let left = &all(&draft, ROOT)[..];
            // The last way listed is the one that cuts nothing more.
            let (errors, count) = left[left.len() - 1];
            prop_assert!((errors + price * count as f64 - least).abs() < 1e-9);
        }
    }
}
