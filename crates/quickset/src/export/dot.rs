//! The tree as a graph for Graphviz.

use super::walk::preorder;
use super::words;
use crate::model::{Model, Node};

/// The tree in the DOT language: tests are ellipses, leaves are boxes, branches carry what a value must be.
pub fn dot(model: &Model) -> String {
    let tree = model.tree();
    let mut text = String::from("digraph tree {\n");
    for visit in preorder(tree, usize::MAX) {
        let id = visit.id.index();
        match tree.node(visit.id) {
            Node::Inner { split, .. } => {
                let label = quoted(words::attribute(model, split));
                text.push_str(&format!("  n{id} [label={label}];\n"));
            }
            node => {
                let label = quoted(&words::leaf(model, node));
                text.push_str(&format!("  n{id} [label={label}, shape=box, style=filled];\n"));
            }
        }
        if let Some((parent, branch)) = visit.from
            && let Node::Inner { split, .. } = tree.node(parent)
        {
            let label = quoted(&words::branch(model, split, branch));
            text.push_str(&format!("  n{} -> n{id} [label={label}];\n", parent.index()));
        }
    }
    text.push_str("}\n");
    text
}

/// A DOT string: a backslash would begin one of its escapes.
fn quoted(label: &str) -> String {
    format!("\"{}\"", words::name(label).replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::testing::{inner, leaf, model};
    use crate::recipe::Recipe;
    use crate::split::Split;

    #[test]
    fn labels_are_escaped() {
        let odd = model(
            Recipe::c45(),
            &[("a \"b\"", &["x\\y", "z"])],
            &["yes", "no"],
            vec![inner(&[3.0, 2.0], Split::Levels { attribute: 0 }, &[1, 2]), leaf(&[3.0, 0.0]), leaf(&[0.0, 2.0])],
        );
        assert_eq!(
            dot(&odd),
            r#"digraph tree {
  n0 [label="a \"b\""];
  n1 [label="yes (3.0)", shape=box, style=filled];
  n0 -> n1 [label="= x\\y"];
  n2 [label="no (2.0)", shape=box, style=filled];
  n0 -> n2 [label="= z"];
}
"#
        );
    }
}
