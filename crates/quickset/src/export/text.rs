//! The tree as lines of text, as Weka's J48 prints it, so that people can compare.
//!
//! Two things differ on purpose: the heading names the learner, and from ten million rows on weights are not
//! written with an exponent.

use super::walk::{nodes_below, preorder};
use super::words;
use crate::model::{Model, Node, NodeId};
use crate::recipe::Prune;

/// The whole tree.
pub fn text(model: &Model) -> String {
    text_with_depth(model, usize::MAX)
}

/// The first levels of the tree: no node lies below `max_depth` tests, and a line says how many were left out.
pub fn text_with_depth(model: &Model, max_depth: usize) -> String {
    let tree = model.tree();
    let pruned = if model.recipe().prune == Prune::None { "unpruned" } else { "pruned" };
    let mut text = format!("{} {pruned} tree\n------------------\n", model.recipe().name);
    let below = nodes_below(tree);
    for visit in preorder(tree, max_depth) {
        let node = tree.node(visit.id);
        if let Some((parent, branch)) = visit.from {
            text.push('\n');
            text.push_str(&"|   ".repeat(visit.depth - 1));
            if let Node::Inner { split, .. } = tree.node(parent) {
                text.push_str(&words::condition(model, split, branch));
            }
        }
        if node.is_leaf() {
            text.push_str(": ");
            text.push_str(&words::leaf(model, node));
        } else if visit.depth == max_depth {
            let left_out = below[visit.id.index()];
            text.push_str(&format!("\n{}… ({left_out} more nodes)", "|   ".repeat(visit.depth)));
        }
    }
    debug_assert_eq!(below[NodeId::ROOT.index()] + 1, tree.size(), "every node hangs from the root");
    text.push_str(&format!("\n\nNumber of Leaves  : \t{}\n\nSize of the tree : \t{}\n", tree.leaves(), tree.size()));
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::testing::{inner, leaf, model, weather};
    use crate::recipe::Recipe;
    use crate::split::Split;

    #[test]
    fn labor_is_printed_as_weka_prints_it() {
        let labor = model(
            Recipe::j48(),
            &[("wage-increase-first-year", &[]), ("statutory-holidays", &[])],
            &["bad", "good"],
            vec![
                inner(&[20.0, 37.0], Split::Threshold { attribute: 0, cut: 2.5 }, &[1, 2]),
                leaf(&[13.0, 2.2727272727]),
                inner(&[7.0, 34.7272727273], Split::Threshold { attribute: 1, cut: 10.0 }, &[3, 4]),
                leaf(&[6.0, 4.7692307692]),
                leaf(&[1.0, 29.958041958]),
            ],
        );
        assert_eq!(
            text(&labor),
            "j48 pruned tree
------------------

wage-increase-first-year <= 2.5: bad (15.27/2.27)
wage-increase-first-year > 2.5
|   statutory-holidays <= 10: bad (10.77/4.77)
|   statutory-holidays > 10: good (30.96/1.0)

Number of Leaves  : \t3

Size of the tree : \t5
"
        );
    }

    #[test]
    fn levels_and_empty_leaves_are_printed_as_weka_prints_them() {
        let autos = model(
            Recipe { prune: Prune::None, ..Recipe::id3() },
            &[("body style", &["hardtop", "wagon", "sedan"])],
            &["2", "0"],
            vec![
                inner(&[8.0, 4.0], Split::Levels { attribute: 0 }, &[1, 2, 3]),
                leaf(&[0.0, 0.0]),
                leaf(&[0.0, 4.0]),
                leaf(&[8.0, 0.0]),
            ],
        );
        let text = text(&autos);
        assert!(text.starts_with("id3 unpruned tree\n------------------\n\nbody style = hardtop: 2 (0.0)\n"), "{text}");
        assert!(text.contains("\nbody style = wagon: 0 (4.0)\nbody style = sedan: 2 (8.0)\n\nNumber"), "{text}");
    }

    #[test]
    fn subsets_list_the_levels_of_both_sides() {
        let subsets = model(
            Recipe::cart(),
            &[("colour", &["red", "green", "blue"])],
            &["yes", "no"],
            vec![
                inner(&[3.0, 2.0], Split::Subset { attribute: 0, first: vec![0, 2] }, &[1, 2]),
                leaf(&[3.0, 0.0]),
                leaf(&[0.0, 2.0]),
            ],
        );
        let text = text(&subsets);
        assert!(text.contains("\ncolour in {red, blue}: yes (3.0)\ncolour in {green}: no (2.0)\n"), "{text}");
    }

    #[test]
    fn a_single_leaf_follows_the_heading_at_once() {
        let stump = model(Recipe::c45(), &[], &["yes", "no"], vec![leaf(&[9.0, 5.0])]);
        assert_eq!(
            text(&stump),
            "c45 pruned tree\n------------------\n: yes (14.0/5.0)\n\nNumber of Leaves  : \t1\n\nSize of the tree : \t1\n"
        );
    }

    #[test]
    fn a_large_tree_can_be_shown_in_part() {
        let part = text_with_depth(&weather(), 1);
        let lines: Vec<&str> = part.lines().skip(3).take(5).collect();
        assert_eq!(
            lines,
            [
                "outlook = sunny",
                "|   … (2 more nodes)",
                "outlook = overcast: yes (4.0)",
                "outlook = rainy",
                "|   … (2 more nodes)"
            ]
        );
        assert!(text_with_depth(&weather(), 0).contains("\n\n… (7 more nodes)\n\nNumber of Leaves  : \t5\n"));
        assert_eq!(text_with_depth(&weather(), 2), text(&weather()));
    }
}
