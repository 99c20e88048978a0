//! The tree as nested JSON with names instead of indices. For reading elsewhere; the model file is another form.

use serde_json::Value;

use super::words;
use crate::model::{Model, NaiveBayes, Node, NodeId, Unknown};
use crate::split::Split;

/// What remains to be written.
enum Todo {
    /// A node, at a depth of indentation, with the test and branch that lead to it.
    Node(NodeId, usize, Option<(NodeId, usize)>),
    /// The text between nodes.
    Text(String),
}

/// The tree as a document: `learner`, `class`, `classes`, `training`, figures, and `tree`.
///
/// Every node has `weights` by class and a `prediction`. A leaf has `probabilities`; where values count too it has no
/// prediction, but `naive-bayes`: a list of attributes, each with what is `given` by class. A test has `attribute`, `test`
/// (`threshold` with its `cut`, `intervals` with their `cuts`, `levels` or `subset`), `missing` (`fractions`, or the number
/// of a branch from 0) and `branches`: nodes that also say their `branch` in words and, where the attribute is nominal, its
/// `levels`.
pub fn json(model: &Model) -> String {
    let (tree, schema, training) = (model.tree(), model.schema(), model.training());
    let mut text = format!(
        "{{\n  \"format\": \"quickset-tree\",\n  \"version\": 1,\n  \"learner\": {},\n  \"class\": {},\n  \"classes\": {},\n  \
         \"training\": {{\"rows\": {}, \"errors\": {}}},\n  \"leaves\": {},\n  \"size\": {},\n  \"depth\": {},\n  \"tree\": ",
        quoted(&model.recipe().name),
        quoted(&schema.class),
        list(&schema.classes),
        training.rows,
        training.errors,
        tree.leaves(),
        tree.size(),
        tree.depth(),
    );
    // Written from a list instead of by recursion: a tree may be deeper than the stack.
    let mut todo = vec![Todo::Node(NodeId::ROOT, 1, None)];
    while let Some(next) = todo.pop() {
        let (id, indent, from) = match next {
            Todo::Text(piece) => {
                text.push_str(&piece);
                continue;
            }
            Todo::Node(id, indent, from) => (id, indent, from),
        };
        let (outer, margin) = ("  ".repeat(indent), "  ".repeat(indent + 1));
        let node = tree.node(id);
        let fields = fields(model, node, from);
        text.push_str(&format!("{{\n{margin}{}", fields.join(&format!(",\n{margin}"))));
        todo.push(Todo::Text(format!("\n{outer}}}")));
        if !node.is_leaf() {
            text.push_str(&format!(",\n{margin}\"branches\": ["));
            todo.push(Todo::Text(format!("\n{margin}]")));
            for (branch, &child) in node.children().iter().enumerate().rev() {
                todo.push(Todo::Node(child, indent + 2, Some((id, branch))));
                let comma = if branch == 0 { "" } else { "," };
                todo.push(Todo::Text(format!("{comma}\n{margin}  ")));
            }
        }
    }
    text.push_str("\n}\n");
    text
}

/// The fields of a node but its branches, each as `"name": value`.
fn fields(model: &Model, node: &Node, from: Option<(NodeId, usize)>) -> Vec<String> {
    let mut fields = Vec::new();
    let mut field = |name: &str, value: String| fields.push(format!("\"{name}\": {value}"));
    if let Some((parent, branch)) = from
        && let Node::Inner { split, .. } = model.tree().node(parent)
    {
        field("branch", quoted(&words::branch(model, split, branch)));
        if let Some(levels) = words::branch_levels(model, split, branch) {
            field("levels", list(&levels));
        }
    }
    field("weights", by_class(model, node.weights()));
    if node.bayes().is_none() {
        field("prediction", quoted(&model.schema().classes[words::class(node)]));
    }
    match node {
        Node::Leaf { probabilities, bayes, .. } => {
            field("probabilities", by_class(model, probabilities));
            if let Some(bayes) = bayes {
                field("naive-bayes", named(model, bayes));
            }
        }
        Node::Inner { split, unknown, .. } => {
            field("attribute", quoted(words::attribute(model, split)));
            match split {
                Split::Threshold { cut, .. } => {
                    field("test", quoted("threshold"));
                    field("cut", number(*cut));
                }
                Split::Intervals { cuts, .. } => {
                    field("test", quoted("intervals"));
                    let cuts: Vec<String> = cuts.iter().map(|&cut| number(cut)).collect();
                    field("cuts", format!("[{}]", cuts.join(", ")));
                }
                Split::Levels { .. } => field("test", quoted("levels")),
                Split::Subset { .. } => field("test", quoted("subset")),
            }
            match unknown {
                Unknown::Fractions => field("missing", quoted("fractions")),
                Unknown::Branch(branch) => field("missing", branch.to_string()),
            }
        }
    }
    fields
}

/// A naive Bayes model with names for its attributes.
fn named(model: &Model, bayes: &NaiveBayes) -> String {
    let mut evidence = serde_json::to_value(bayes).unwrap_or_default();
    for item in evidence.as_array_mut().into_iter().flatten() {
        let attribute = item["attribute"].as_u64().unwrap_or(0) as usize;
        item["attribute"] = (*model.schema().attributes[attribute].name).into();
    }
    evidence.to_string()
}

fn by_class(model: &Model, values: &[f64]) -> String {
    let named = model.schema().classes.iter().zip(values);
    let pairs: Vec<String> = named.map(|(class, &value)| format!("{}: {}", quoted(class), number(value))).collect();
    format!("{{{}}}", pairs.join(", "))
}

fn list<T: AsRef<str>>(texts: &[T]) -> String {
    let texts: Vec<String> = texts.iter().map(|text| quoted(text.as_ref())).collect();
    format!("[{}]", texts.join(", "))
}

fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

/// The exact number; whole ones without a point.
fn number(x: f64) -> String {
    if x.fract() == 0.0 && x.abs() < 1e15 { (x as i64).to_string() } else { Value::from(x).to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::testing::{inner, leaf, model, weather};
    use crate::recipe::Recipe;

    #[test]
    fn the_document_nests_as_the_tree_does() {
        let small = model(
            Recipe::c45(),
            &[("x", &[])],
            &["yes", "\"no\""],
            vec![
                inner(&[3.0, 2.5], Split::Threshold { attribute: 0, cut: 0.1 }, &[1, 2]),
                leaf(&[3.0, 1.0]),
                leaf(&[0.0, 1.5]),
            ],
        );
        assert_eq!(
            json(&small),
            r#"{
  "format": "quickset-tree",
  "version": 1,
  "learner": "c45",
  "class": "class",
  "classes": ["yes", "\"no\""],
  "training": {"rows": 5, "errors": 0},
  "leaves": 2,
  "size": 3,
  "depth": 1,
  "tree": {
    "weights": {"yes": 3, "\"no\"": 2.5},
    "prediction": "yes",
    "attribute": "x",
    "test": "threshold",
    "cut": 0.1,
    "missing": "fractions",
    "branches": [
      {
        "branch": "<= 0.1",
        "weights": {"yes": 3, "\"no\"": 1},
        "prediction": "yes",
        "probabilities": {"yes": 0.75, "\"no\"": 0.25}
      },
      {
        "branch": "> 0.1",
        "weights": {"yes": 0, "\"no\"": 1.5},
        "prediction": "\"no\"",
        "probabilities": {"yes": 0, "\"no\"": 1}
      }
    ]
  }
}
"#
        );
    }

    #[test]
    fn any_reader_of_json_takes_it() {
        let document: Value = serde_json::from_str(&json(&weather())).unwrap();
        let tree = &document["tree"];
        assert_eq!(tree["branches"].as_array().unwrap().len(), 3);
        assert_eq!(tree["branches"][0]["levels"][0], "sunny");
        assert_eq!(tree["branches"][2]["branches"][1]["prediction"], "yes");
    }

    #[test]
    fn a_tree_deeper_than_the_stack_is_written() {
        let mut nodes = Vec::new();
        for depth in 0..2000 {
            let split = Split::Threshold { attribute: 0, cut: f64::from(depth) };
            nodes.push(inner(&[1.0, 1.0], split, &[2 * depth as u32 + 1, 2 * depth as u32 + 2]));
            nodes.push(leaf(&[1.0, 0.0]));
        }
        nodes.push(leaf(&[0.0, 1.0]));
        let deep = model(Recipe::c45(), &[("x", &[])], &["yes", "no"], nodes);
        assert_eq!(json(&deep).matches("\"branches\"").count(), 2000);
    }
}
