//! The tree as if-then rules: one per leaf, in the order of the tree. Exactly one of them holds for a row without
//! missing values.

use std::collections::HashSet;
use std::fmt;

use serde::Serialize;

use super::walk::preorder;
use super::words;
use crate::error::{Error, Result};
use crate::model::{Model, Node, NodeId};
use crate::split::Split;

/// If all conditions hold, the class follows.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Rule {
    /// One per attribute on the path, in the order in which the path first asks for them; none for a lone leaf.
    pub conditions: Vec<Condition>,
    /// The class.
    pub class: String,
    /// Weight of the training rows for which the conditions hold.
    pub support: f64,
    /// The share of them that are of the class. Without any, the probability that the leaf predicts.
    pub confidence: f64,
}

/// What an attribute must be.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Condition {
    /// A number between two bounds.
    Range {
        /// The attribute.
        attribute: String,
        /// The number lies above this.
        above: Option<f64>,
        /// The number does not lie above this.
        at_most: Option<f64>,
    },
    /// One of some levels.
    Levels {
        /// The attribute.
        attribute: String,
        /// The levels.
        levels: Vec<String>,
    },
    /// None of some levels.
    Except {
        /// The attribute.
        attribute: String,
        /// The levels that it must not be.
        levels: Vec<String>,
    },
    /// No value.
    Missing {
        /// The attribute.
        attribute: String,
    },
}

/// The rules of a tree. Refuses naive Bayes leaves: what they predict is not one class.
pub fn rules(model: &Model) -> Result<Vec<Rule>> {
    let tree = model.tree();
    let mut parents: Vec<Option<(NodeId, usize)>> = vec![None; tree.size()];
    let mut rules = Vec::new();
    for visit in preorder(tree, usize::MAX) {
        parents[visit.id.index()] = visit.from;
        let node = tree.node(visit.id);
        if let Node::Leaf { weights, probabilities, bayes } = node {
            if bayes.is_some() {
                return Err(Error::model("a naive Bayes leaf cannot be written as a rule")
                    .remedy("use the formats text, dot or json, or another learner"));
            }
            let (class, support) = (words::class(node), node.weight());
            rules.push(Rule {
                conditions: conditions(model, &parents, visit.id),
                class: model.schema().classes[class].clone(),
                support,
                confidence: if support > 0.0 { weights[class] / support } else { probabilities[class] },
            });
        }
    }
    Ok(rules)
}

/// The rules as numbered lines: `1. if a <= 2 and b = x then yes  (support 12, confidence 0.917)`.
pub fn rules_text(model: &Model) -> Result<String> {
    Ok(rules(model)?.iter().enumerate().map(|(index, rule)| format!("{}. {rule}\n", index + 1)).collect())
}

/// The conditions on the way to a leaf; what concerns one attribute becomes one condition.
fn conditions(model: &Model, parents: &[Option<(NodeId, usize)>], leaf: NodeId) -> Vec<Condition> {
    let mut path = Vec::new();
    let mut at = leaf;
    while let Some((parent, branch)) = parents[at.index()] {
        path.push((parent, branch));
        at = parent;
    }
    let mut merged: Vec<(usize, Condition)> = Vec::new();
    for (id, branch) in path.into_iter().rev() {
        let Node::Inner { split, .. } = model.tree().node(id) else { continue };
        let condition = Condition::of(model, split, branch);
        match merged.iter_mut().find(|(attribute, _)| *attribute == split.attribute()) {
            Some((_, earlier)) => earlier.narrow(condition),
            None => merged.push((split.attribute(), condition)),
        }
    }
    merged.into_iter().map(|(_, condition)| condition).collect()
}

impl Condition {
    fn of(model: &Model, split: &Split, branch: usize) -> Self {
        let attribute = words::attribute(model, split).to_string();
        if words::is_own(model, split, branch) {
            return Condition::Missing { attribute };
        }
        if let Some(level) = words::left_out(model, split, branch) {
            return Condition::Except { attribute, levels: vec![level.to_string()] };
        }
        match words::branch_levels(model, split, branch) {
            Some(levels) => Condition::Levels { attribute, levels: levels.into_iter().map(String::from).collect() },
            None => {
                let (above, at_most) = words::bounds(split, branch);
                Condition::Range { attribute, above, at_most }
            }
        }
    }

    /// Adds a later condition on the same attribute.
    fn narrow(&mut self, later: Condition) {
        match (self, later) {
            (Condition::Range { above, at_most, .. }, Condition::Range { above: low, at_most: high, .. }) => {
                *above = above.map_or(low, |above| Some(low.map_or(above, |low| low.max(above))));
                *at_most = at_most.map_or(high, |at_most| Some(high.map_or(at_most, |high| high.min(at_most))));
            }
            (Condition::Levels { levels, .. }, Condition::Levels { levels: later, .. }) => {
                let later: HashSet<String> = later.into_iter().collect();
                levels.retain(|level| later.contains(level));
            }
            (Condition::Levels { levels, .. }, Condition::Except { levels: later, .. }) => {
                levels.retain(|level| !later.contains(level));
            }
            (Condition::Except { levels, .. }, Condition::Except { levels: later, .. }) => levels.extend(later),
            (earlier @ Condition::Except { .. }, mut later @ Condition::Levels { .. }) => {
                later.narrow(earlier.clone());
                *earlier = later;
            }
            // An attribute is either numeric or nominal, and a value that is missing stays so.
            _ => {}
        }
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Condition::Range { attribute, above, at_most } => {
                let name = words::name(attribute);
                match (above.map(words::number), at_most.map(words::number)) {
                    (Some(above), Some(at_most)) => write!(f, "{above} < {name} <= {at_most}"),
                    (Some(above), None) => write!(f, "{name} > {above}"),
                    (None, Some(at_most)) => write!(f, "{name} <= {at_most}"),
                    (None, None) => write!(f, "{name} is any number"),
                }
            }
            Condition::Missing { attribute } => write!(f, "{} is missing", words::name(attribute)),
            Condition::Levels { attribute, levels } => match levels.as_slice() {
                [level] => write!(f, "{} = {}", words::name(attribute), words::name(level)),
                levels => write!(f, "{} in {}", words::name(attribute), words::set(levels)),
            },
            Condition::Except { attribute, levels } => match levels.as_slice() {
                [level] => write!(f, "{} != {}", words::name(attribute), words::name(level)),
                levels => write!(f, "{} not in {}", words::name(attribute), words::set(levels)),
            },
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let class = words::name(&self.class);
        if self.conditions.is_empty() {
            write!(f, "always {class}")?;
        } else {
            let conditions: Vec<String> = self.conditions.iter().map(Condition::to_string).collect();
            write!(f, "if {} then {class}", conditions.join(" and "))?;
        }
        write!(f, "  (support {}, confidence {:.3})", words::plain_weight(self.support), self.confidence)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::testing::{inner, leaf, model, weather};
    use crate::recipe::Recipe;

    #[test]
    fn every_leaf_is_a_rule_in_the_order_of_the_tree() {
        assert_eq!(
            rules_text(&weather()).unwrap(),
            "1. if outlook = sunny and humidity <= 75 then yes  (support 2, confidence 1.000)
2. if outlook = sunny and humidity > 75 then no  (support 3, confidence 1.000)
3. if outlook = overcast then yes  (support 4, confidence 1.000)
4. if outlook = rainy and windy = true then no  (support 2, confidence 1.000)
5. if outlook = rainy and windy = false then yes  (support 3, confidence 1.000)
"
        );
    }

    #[test]
    fn conditions_on_one_attribute_become_one() {
        let numbers = |cut| Split::Threshold { attribute: 0, cut };
        let levels = |first: &[u32]| Split::Subset { attribute: 1, first: first.to_vec() };
        let model = model(
            Recipe::cart(),
            &[("x", &[]), ("c", &["r", "g", "b", "w"])],
            &["yes", "no"],
            vec![
                inner(&[14.0, 2.5], numbers(2.5), &[1, 2]),
                leaf(&[0.0, 0.0]),
                inner(&[14.0, 2.5], numbers(6.0), &[3, 8]),
                inner(&[11.0, 1.0], levels(&[0, 1, 2]), &[4, 7]),
                inner(&[11.0, 1.0], numbers(4.0), &[5, 6]),
                leaf(&[11.0, 1.0]),
                leaf(&[0.0, 0.0]),
                leaf(&[0.0, 0.0]),
                inner(&[3.0, 1.5], levels(&[0, 1]), &[9, 12]),
                inner(&[3.0, 0.0], levels(&[0]), &[10, 11]),
                leaf(&[1.0, 0.0]),
                leaf(&[2.0, 0.0]),
                leaf(&[0.0, 1.5]),
            ],
        );
        assert_eq!(
            rules_text(&model).unwrap(),
            "1. if x <= 2.5 then yes  (support 0, confidence 1.000)
2. if 2.5 < x <= 4 and c in {r, g, b} then yes  (support 12, confidence 0.917)
3. if 4 < x <= 6 and c in {r, g, b} then yes  (support 0, confidence 1.000)
4. if 2.5 < x <= 6 and c = w then yes  (support 0, confidence 1.000)
5. if x > 6 and c = r then yes  (support 1, confidence 1.000)
6. if x > 6 and c = g then yes  (support 2, confidence 1.000)
7. if x > 6 and c in {b, w} then no  (support 1.5, confidence 1.000)
"
        );
    }

    #[test]
    fn levels_that_are_left_out_are_named_together() {
        let levels = |first: &[u32]| Split::Subset { attribute: 0, first: first.to_vec() };
        let model = model(
            Recipe::id3(),
            &[("c", &["r", "g", "b", "w", "k"])],
            &["yes", "no"],
            vec![
                inner(&[9.0, 6.0], levels(&[1]), &[1, 2]),
                leaf(&[4.0, 0.0]),
                inner(&[5.0, 6.0], levels(&[3]), &[3, 4]),
                leaf(&[0.0, 3.0]),
                inner(&[5.0, 3.0], levels(&[0, 1, 2]), &[5, 8]),
                inner(&[3.0, 3.0], levels(&[0]), &[6, 7]),
                leaf(&[3.0, 0.0]),
                leaf(&[0.0, 3.0]),
                leaf(&[2.0, 0.0]),
            ],
        );
        assert_eq!(
            rules_text(&model).unwrap(),
            "1. if c = g then yes  (support 4, confidence 1.000)
2. if c = w then no  (support 3, confidence 1.000)
3. if c = r then yes  (support 3, confidence 1.000)
4. if c = b then no  (support 3, confidence 1.000)
5. if c = k then yes  (support 2, confidence 1.000)
"
        );
        let two = Condition::Except { attribute: "c".into(), levels: vec!["r".into(), "g".into()] };
        assert_eq!(two.to_string(), "c not in {r, g}");
        let one = Condition::Except { attribute: "c".into(), levels: vec!["r".into()] };
        assert_eq!(one.to_string(), "c != r");
    }

    #[test]
    fn a_lone_leaf_is_a_rule_without_conditions() {
        let stump = model(Recipe::c45(), &[], &["yes", "no"], vec![leaf(&[9.0, 5.0])]);
        assert_eq!(rules_text(&stump).unwrap(), "1. always yes  (support 14, confidence 0.643)\n");
    }
}
