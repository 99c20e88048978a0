//! The tree as a piece of HTML for notebooks: branches fold, and every line says how many rows of which class came there.

use super::plot::escape;
use super::walk::{nodes_below, preorder};
use super::words;
use crate::model::{Model, Node, Tree};

const CSS: &str = include_str!("tree.css");

/// Nodes that a reader may unfold; of a larger tree the first levels are there.
const NODES_SHOWN: usize = 1_000;

/// Levels that are unfolded at first.
const UNFOLDED: usize = 3;

/// Classes of a node that are written out.
const CLASSES_SHOWN: usize = 5;

/// The tree as one `<div>` that needs nothing else.
pub fn html(model: &Model) -> String {
    let tree = model.tree();
    let deepest = levels_within(tree, NODES_SHOWN);
    let below = nodes_below(tree);
    let mut html = format!("<div class=\"quickset-tree\"><style>{CSS}</style>\n");
    // The depths of the tests that are not closed yet.
    let mut open: Vec<usize> = Vec::new();
    for visit in preorder(tree, deepest) {
        while open.last().is_some_and(|&depth| depth >= visit.depth) {
            html.push_str("</details>\n");
            open.pop();
        }
        let node = tree.node(visit.id);
        let condition = visit.from.map(|(parent, branch)| match tree.node(parent) {
            Node::Inner { split, .. } => escape(&words::condition(model, split, branch)),
            Node::Leaf { .. } => String::new(),
        });
        let condition = condition.unwrap_or_else(|| format!("{} of {}", escape(&model.recipe().name), described(tree)));
        let line = format!("{condition} {}", summary(model, node));
        if node.is_leaf() {
            html.push_str(&format!("<div class=\"leaf\">{line}</div>\n"));
        } else if visit.depth == deepest {
            let left_out = below[visit.id.index()];
            html.push_str(&format!("<div class=\"leaf\">{line} … ({left_out} more nodes)</div>\n"));
        } else {
            let unfolded = if visit.depth < UNFOLDED { " open=\"\"" } else { "" };
            html.push_str(&format!("<details{unfolded}><summary>{line}</summary>\n"));
            open.push(visit.depth);
        }
    }
    html.push_str(&"</details>\n".repeat(open.len()));
    html.push_str("</div>\n");
    html
}

fn described(tree: &Tree) -> String {
    let leaves = tree.leaves();
    format!("{leaves} {}, depth {}:", if leaves == 1 { "leaf" } else { "leaves" }, tree.depth())
}

/// The class with its share as a bar, and how many rows of which class came there.
fn summary(model: &Model, node: &Node) -> String {
    let (classes, class, weight) = (&model.schema().classes, words::class(node), node.weight());
    let share = if weight > 0.0 { node.weights()[class] / weight } else { 0.0 };
    let mut heaviest: Vec<usize> = (0..classes.len()).filter(|&class| node.weights()[class] > 0.0).collect();
    heaviest.sort_by(|&a, &b| node.weights()[b].total_cmp(&node.weights()[a]));
    let shown = heaviest.iter().take(CLASSES_SHOWN);
    let mut counts: Vec<String> = shown
        .map(|&class| format!("{} {}", words::name(&classes[class]), words::plain_weight(node.weights()[class])))
        .collect();
    if heaviest.len() > CLASSES_SHOWN {
        counts.push(format!("{} more", heaviest.len() - CLASSES_SHOWN));
    }
    let counts = if counts.is_empty() { "no rows".into() } else { counts.join(", ") };
    let model_of_leaf = if node.bayes().is_some() { " (naive Bayes)" } else { "" };
    format!(
        "→ <b>{}</b>{model_of_leaf}<span class=\"bar\" title=\"{:.1} %\"><i style=\"width:{:.1}%\"></i></span>\
         <span class=\"rows\">{}</span>",
        escape(&words::name(&classes[class])),
        100.0 * share,
        100.0 * share,
        escape(&counts)
    )
}

/// The deepest level such that no more than so many nodes lie above or on it; the first below the root at least.
fn levels_within(tree: &Tree, most: usize) -> usize {
    let mut depths = tree.depths();
    depths.sort_unstable();
    depths.get(most).map_or(usize::MAX, |&beyond| beyond.saturating_sub(1).max(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::testing::{inner, leaf, model, weather};
    use crate::recipe::Recipe;
    use crate::split::Split;

    #[test]
    fn branches_fold_and_lines_count_rows_of_classes() {
        let html = html(&weather());
        assert_eq!((html.matches("<details").count(), html.matches("</details>").count()), (3, 3));
        assert_eq!(html.matches("class=\"leaf\"").count(), 5);
        assert!(html.contains("outlook = overcast → <b>yes</b>"), "{html}");
        assert!(html.contains("title=\"100.0 %\"") && html.contains(">yes 4</span>"), "{html}");
        let document = roxmltree::Document::parse(&html).unwrap();
        let tests = document.descendants().filter(|node| node.has_tag_name("summary"));
        assert_eq!(tests.count(), 3);
    }

    #[test]
    fn names_cannot_become_markup() {
        let nodes =
            vec![inner(&[1.0, 1.0], Split::Levels { attribute: 0 }, &[1, 2]), leaf(&[1.0, 0.0]), leaf(&[0.0, 1.0])];
        let hostile = model(Recipe::c45(), &[("<script>", &["\"a\"", "<b>"])], &["<i>", "&amp;"], nodes);
        let html = html(&hostile);
        assert!(
            !html.contains("<script>") && html.contains("&lt;script&gt; = &quot;a&quot; → <b>&lt;i&gt;</b>"),
            "{html}"
        );
        assert!(roxmltree::Document::parse(&html).is_ok());
    }

    #[test]
    fn of_a_large_tree_the_first_levels_are_shown() {
        let (tests, leaves) = (2_000, 2_001);
        let mut nodes = Vec::new();
        for test in 0..tests {
            let weights = [(tests - test) as f64 + 1.0, 1.0];
            nodes.push(inner(
                &weights,
                Split::Threshold { attribute: 0, cut: test as f64 },
                &[2 * test + 1, 2 * test + 2],
            ));
            nodes.push(leaf(&[1.0, 0.0]));
        }
        nodes.push(leaf(&[1.0, 1.0]));
        let large = model(Recipe::c45(), &[("x", &[])], &["a", "b"], nodes);
        assert_eq!(large.tree().leaves(), leaves);
        let html = html(&large);
        assert!(html.matches("class=\"rows\"").count() <= NODES_SHOWN && html.contains(" more nodes)"));
        assert_eq!(html.matches("<details").count(), html.matches("</details>").count());
    }
}
