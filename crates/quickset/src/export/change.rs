//! What would change a prediction: the smallest change of one value that leads to another class.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;

use super::words;
use crate::data::Value;
use crate::model::{Model, Node, NodeId, most_probable};
use crate::split::Split;

/// Changes that one explanation lists.
const MOST: usize = 5;

/// Changes of one attribute that it lists.
const MOST_OF_ONE: usize = 2;

/// Another value of one attribute, and what would then be predicted. All other values stay as they are.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Change {
    /// The attribute.
    pub attribute: String,
    /// Its value now, `None` where it is missing.
    pub now: Option<String>,
    /// What the value would have to be: `<= 1.7`, `> 1.7`, `= sunny` or `in {a, b}`. For a number the nearest side of
    /// the nearest cut that matters: going further may lead to yet another class.
    pub to: String,
    /// The class predicted then.
    pub prediction: String,
    /// Its probability.
    pub probability: f64,
    /// The leaf as the text of the tree shows it, where all of the row reaches one and it has one class.
    pub leaf: Option<String>,
}

/// A row as the model sees it, with how its values are written.
pub(super) struct Row<'a> {
    pub model: &'a Model,
    pub values: &'a [Value],
    pub class: usize,
}

/// Where a changed row ends.
struct Outcome {
    class: usize,
    probability: f64,
    leaf: Option<NodeId>,
}

impl Row<'_> {
    /// The changes for the tests at `path`, nearest to the leaf first. `written` gives the text of an attribute's
    /// present value.
    pub fn changes(&self, path: &[NodeId], written: impl Fn(usize) -> Option<String>) -> Vec<Change> {
        let mut changes = Vec::new();
        let mut done = Vec::new();
        for &id in path.iter().rev() {
            let Node::Inner { split, .. } = self.model.tree().node(id) else { continue };
            let attribute = split.attribute();
            // The changes of an attribute are looked for in the whole tree, so one look is enough.
            if done.contains(&attribute) {
                continue;
            }
            done.push(attribute);
            let found = match (split, self.values[attribute]) {
                (Split::Threshold { .. } | Split::Intervals { .. }, Value::Number(now)) => {
                    self.nearest_number(attribute, now)
                }
                (Split::Threshold { .. } | Split::Intervals { .. }, _) => self.known_number(split),
                (Split::Levels { .. } | Split::Subset { .. }, _) => self.other_levels(attribute),
            };
            changes.extend(found.into_iter().take(MOST_OF_ONE).map(|(to, outcome)| Change {
                attribute: words::attribute(self.model, split).to_string(),
                now: written(attribute),
                to,
                prediction: self.model.schema().classes[outcome.class].clone(),
                probability: outcome.probability,
                leaf: outcome.leaf.map(|leaf| words::leaf(self.model, self.model.tree().node(leaf))),
            }));
        }
        changes.truncate(MOST);
        changes
    }

    /// The nearest number on the other side of any cut that changes the class.
    fn nearest_number(&self, attribute: usize, now: f64) -> Vec<(String, Outcome)> {
        let mut cuts: Vec<f64> = self
            .model
            .tree()
            .nodes()
            .iter()
            .flat_map(|node| match node {
                Node::Inner { split, .. } if split.attribute() == attribute => split.cuts(),
                _ => &[],
            })
            .copied()
            .collect();
        cuts.sort_by(|a, b| (a - now).abs().total_cmp(&(b - now).abs()).then(a.total_cmp(b)));
        cuts.dedup();
        let side = |cut| if now > cut { self.at_most(attribute, cut) } else { self.above(attribute, cut) };
        cuts.into_iter().find_map(side).into_iter().collect()
    }

    /// Every branch of a test, for a number that is missing.
    fn known_number(&self, split: &Split) -> Vec<(String, Outcome)> {
        let number = |branch| match words::bounds(split, branch) {
            (_, Some(at_most)) => at_most,
            (above, None) => above.unwrap_or(0.0).next_up(),
        };
        let outcome = |branch| {
            let outcome = self.with(split.attribute(), Value::Number(number(branch)))?;
            Some((words::branch(self.model, split, branch), outcome))
        };
        (0..split.branches(0)).filter_map(outcome).collect()
    }

    fn at_most(&self, attribute: usize, cut: f64) -> Option<(String, Outcome)> {
        let outcome = self.with(attribute, Value::Number(cut))?;
        Some((format!("<= {}", words::number(cut)), outcome))
    }

    fn above(&self, attribute: usize, cut: f64) -> Option<(String, Outcome)> {
        let outcome = self.with(attribute, Value::Number(cut.next_up()))?;
        Some((format!("> {}", words::number(cut)), outcome))
    }

    /// The other levels that change the class, those that end alike together, those of the heaviest leaf first.
    fn other_levels(&self, attribute: usize) -> Vec<(String, Outcome)> {
        let levels = self.model.schema().attributes[attribute].levels.as_deref().unwrap_or_default();
        let mut groups: Vec<(Vec<&str>, Outcome)> = Vec::new();
        let mut of_leaf = BTreeMap::new();
        for (code, level) in levels.iter().enumerate() {
            let Some(outcome) = self.with(attribute, Value::Level(code as u32)) else { continue };
            if let Some(&group) = outcome.leaf.and_then(|leaf| of_leaf.get(&leaf)) {
                let (alike, _): &mut (Vec<&str>, Outcome) = &mut groups[group];
                alike.push(level);
                continue;
            }
            if let Some(leaf) = outcome.leaf {
                of_leaf.insert(leaf, groups.len());
            }
            groups.push((vec![level], outcome));
        }
        let weight = |outcome: &Outcome| outcome.leaf.map_or(0.0, |leaf| self.model.tree().node(leaf).weight());
        groups.sort_by(|a, b| weight(&b.1).total_cmp(&weight(&a.1)));
        groups
            .into_iter()
            .map(|(levels, outcome)| match levels.as_slice() {
                [level] => (format!("= {}", words::name(level)), outcome),
                levels => (format!("in {}", words::set(levels)), outcome),
            })
            .collect()
    }

    /// Where the row ends with another value; `None` where the class stays.
    fn with(&self, attribute: usize, value: Value) -> Option<Outcome> {
        let mut values = self.values.to_vec();
        values[attribute] = value;
        let leaves = self.model.route_values(&values);
        let probabilities = self.model.mix(&leaves, &values);
        let class = usize::from(most_probable(&probabilities));
        (class != self.class).then(|| Outcome {
            class,
            probability: probabilities[class],
            leaf: match leaves.as_slice() {
                [(leaf, _)] if self.model.tree().node(*leaf).bayes().is_none() => Some(*leaf),
                _ => None,
            },
        })
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let to = self.to.strip_prefix("= ").unwrap_or(&self.to);
        let now = self.now.as_deref().map_or_else(|| "missing".into(), words::name);
        write!(f, "if {} were {to} (now {now}): ", words::name(&self.attribute))?;
        match &self.leaf {
            Some(leaf) => f.write_str(leaf),
            None => write!(f, "{} (probability {:.3})", words::name(&self.prediction), self.probability),
        }
    }
}
