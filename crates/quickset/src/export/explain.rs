//! Why a row got its class: the tests on its way, and what would change it.

use std::fmt;

use serde::Serialize;

use super::change::{Change, Row};
use super::words;
use crate::data::{Column, ColumnData, Dataset, Value};
use crate::error::{Error, Result};
use crate::model::{Model, Node, NodeId, Unknown, most_probable};

/// Classes that a line of text names; the structure has all.
const CLASSES_SHOWN: usize = 5;

/// Attributes that an explanation of a naive Bayes leaf names.
const EVIDENCE_SHOWN: usize = 8;

/// A prediction with its reasons.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Explanation {
    /// The row, counted from 1.
    pub row: usize,
    /// The class predicted.
    pub prediction: String,
    /// Its probability.
    pub probability: f64,
    /// The class in the data, where they have one.
    pub actual: Option<String>,
    /// The tests from the root to the leaf. Where a value is missing the path goes on where most of the row goes.
    pub path: Vec<Step>,
    /// The leaf at the end of the path, as the text of the tree shows it.
    pub leaf: String,
    /// Weight of the training rows in that leaf; classes without any are left out.
    pub distribution: Vec<ClassWeight>,
    /// At a naive Bayes leaf: the attributes that speak loudest for or against the class, loudest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<Evidence>,
    /// How many leaves the row reaches: several where missing values divide it.
    pub leaves: usize,
    /// Changes of one value that would give another class, those nearest to the leaf first.
    pub changes: Vec<Change>,
}

/// A test on the path.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Step {
    /// The node, an index into the tree.
    pub node: usize,
    /// The attribute tested.
    pub attribute: String,
    /// The row's value, `None` where it is missing.
    pub value: Option<String>,
    /// Whether the test has an answer: not for a missing value nor for a level that training never saw.
    pub known: bool,
    /// The condition of the branch taken.
    pub condition: String,
    /// Weight of the training rows at this test; classes without any are left out.
    pub distribution: Vec<ClassWeight>,
    /// Where the row goes without an answer: the branches and the share that each takes. Empty where it is known, or
    /// where missing values have a branch of their own.
    pub shares: Vec<Share>,
}

/// A branch that takes a part of a row.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Share {
    /// The branch's condition.
    pub condition: String,
    /// The part, from 0 to 1.
    pub share: f64,
}

/// What one value says at a naive Bayes leaf.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Evidence {
    /// The attribute.
    pub attribute: String,
    /// The row's value.
    pub value: String,
    /// How many times more probable the value is in the class predicted than in `against`, as a logarithm.
    pub log_ratio: f64,
    /// The class that comes next.
    pub against: String,
}

/// Weight of training rows of one class.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ClassWeight {
    /// The class.
    pub class: String,
    /// The weight.
    pub weight: f64,
}

/// Explains the prediction for `row`, counted from 0.
pub fn explain(model: &Model, data: &Dataset, row: usize) -> Result<Explanation> {
    if row >= data.rows() {
        return Err(Error::data(format!("there is no row {}, the data have {} rows", row + 1, data.rows()))
            .remedy("rows are counted from 1"));
    }
    let values = model.values(data, row)?;
    let leaves = model.route_values(&values);
    let probabilities = model.mix(&leaves, &values);
    let class = usize::from(most_probable(&probabilities));
    let written = |attribute: usize| {
        let name = &*model.schema().attributes[attribute].name;
        data.attributes().iter().find(|column| column.name() == name).and_then(|column| value_text(column, row))
    };

    let mut path = Vec::new();
    let mut tests = Vec::new();
    let mut at = NodeId::ROOT;
    while let Node::Inner { split, unknown, children, weights } = model.tree().node(at) {
        let branch = split.branch(values[split.attribute()]);
        let (taken, shares) = match (branch, unknown) {
            (Some(branch), _) => (branch, Vec::new()),
            (None, Unknown::Branch(branch)) if words::is_own(model, split, *branch) => (*branch, Vec::new()),
            (None, Unknown::Branch(branch)) => (*branch, vec![(*branch, 1.0)]),
            (None, Unknown::Fractions) => {
                let shares = model.tree().shares(children);
                let most = (0..shares.len()).rev().max_by(|&a, &b| shares[a].total_cmp(&shares[b])).unwrap_or(0);
                (most, shares.into_iter().enumerate().filter(|(_, share)| *share > 0.0).collect())
            }
        };
        path.push(Step {
            node: at.index(),
            attribute: words::attribute(model, split).to_string(),
            value: written(split.attribute()),
            known: branch.is_some(),
            condition: words::condition(model, split, taken),
            distribution: distribution(model, weights),
            shares: shares
                .into_iter()
                .map(|(branch, share)| Share { condition: words::condition(model, split, branch), share })
                .collect(),
        });
        tests.push(at);
        at = children[taken];
    }

    let leaf = model.tree().node(at);
    let actual = data.class().and_then(|class| class.levels.get(usize::from(class.codes[row])).cloned());
    Ok(Explanation {
        row: row + 1,
        prediction: model.schema().classes[class].clone(),
        probability: probabilities[class],
        actual,
        path,
        leaf: words::leaf(model, leaf),
        distribution: distribution(model, leaf.weights()),
        evidence: evidence(model, at, &values, &probabilities, written),
        leaves: leaves.len(),
        changes: Row { model, values: &values, class }.changes(&tests, written),
    })
}

/// What values say at a leaf for the most probable class against the next.
fn evidence(
    model: &Model,
    leaf: NodeId,
    values: &[Value],
    probabilities: &[f64],
    written: impl Fn(usize) -> Option<String>,
) -> Vec<Evidence> {
    let Some(ready) = model.ready(leaf, &model.schema().level_counts(), |_| None) else { return Vec::new() };
    let class = usize::from(most_probable(probabilities));
    let others = (0..probabilities.len()).filter(|&other| other != class).rev();
    let Some(next) = others.max_by(|&a, &b| probabilities[a].total_cmp(&probabilities[b])) else { return Vec::new() };
    let ratio = |(attribute, logs): (usize, Vec<f64>)| (attribute, logs[class] - logs[next]);
    let mut ratios: Vec<(usize, f64)> = ready.evidence(|at| values[at]).into_iter().map(ratio).collect();
    ratios.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
    let told = |(attribute, log_ratio): (usize, f64)| Evidence {
        attribute: model.schema().attributes[attribute].name.to_string(),
        value: written(attribute).unwrap_or_default(),
        log_ratio,
        against: model.schema().classes[next].clone(),
    };
    ratios.into_iter().take(EVIDENCE_SHOWN).map(told).collect()
}

/// The value as the data have it, with all its digits.
fn value_text(column: &Column, row: usize) -> Option<String> {
    match (column.value(row), column.data()) {
        (Value::Missing, _) => None,
        (Value::Number(_), ColumnData::Numeric32(values)) => Some(values[row].to_string()),
        (Value::Number(number), _) => Some(number.to_string()),
        (Value::Level(code), _) => column.levels().and_then(|levels| levels.get(code as usize).cloned()),
    }
}

fn distribution(model: &Model, weights: &[f64]) -> Vec<ClassWeight> {
    let named = model.schema().classes.iter().zip(weights);
    named
        .filter(|(_, weight)| **weight > 0.0)
        .map(|(class, &weight)| ClassWeight { class: class.clone(), weight })
        .collect()
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Row {}: {}, probability {:.3}", self.row, words::name(&self.prediction), self.probability)?;
        match &self.actual {
            Some(actual) if *actual == self.prediction => writeln!(f, " (as in the data)")?,
            Some(actual) => writeln!(f, " (in the data: {})", words::name(actual))?,
            None => writeln!(f)?,
        }
        writeln!(f, "\nThe way through the tree, with the training rows there:")?;
        for (index, step) in self.path.iter().enumerate() {
            writeln!(f, "  {}", ClassWeight::list(&step.distribution))?;
            writeln!(f, "{}. {step}", index + 1)?;
        }
        writeln!(f, "  {}", ClassWeight::list(&self.distribution))?;
        writeln!(f, "=> {}", self.leaf)?;
        if self.leaves > 1 {
            writeln!(f, "Missing values divide the row among {} leaves; this is the main way.", self.leaves)?;
        }
        if let Some(first) = self.evidence.first() {
            let (class, against) = (words::name(&self.prediction), words::name(&first.against));
            writeln!(f, "\nWhat the values say there, for {class} against {against}, the strongest first:")?;
            self.evidence.iter().try_for_each(|evidence| writeln!(f, "  {evidence}"))?;
        }
        if self.changes.is_empty() {
            // Other values than those tested may change what a naive Bayes leaf says.
            if !self.evidence.is_empty() {
                return Ok(());
            }
            return writeln!(f, "\nNo change of a single value on this way gives another class.");
        }
        writeln!(f, "\nWhat would change it, one value at a time and as little as possible:")?;
        self.changes.iter().try_for_each(|change| writeln!(f, "  {change}"))
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.value.as_deref().map(words::name);
        match (&value, self.known) {
            (Some(value), true) => return write!(f, "{} (it is {value})", self.condition),
            (None, _) if self.shares.is_empty() => return f.write_str(&self.condition),
            (Some(value), false) => {
                write!(f, "{} is {value}, which training never saw: ", words::name(&self.attribute))?;
                if self.shares.is_empty() {
                    return f.write_str("it counts as missing");
                }
            }
            (None, _) => write!(f, "{} is missing: ", words::name(&self.attribute))?,
        }
        let shares: Vec<String> =
            self.shares.iter().map(|share| format!("{:.3} goes to {}", share.share, share.condition)).collect();
        f.write_str(&shares.join(", "))
    }
}

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let times = self.log_ratio.abs().exp();
        let times = if times < 1e6 { format!("{times:.2}") } else { format!("{times:.0e}") };
        let side = if self.log_ratio < 0.0 { "against" } else { "for" };
        write!(f, "{} = {}: {times} times {side} it", words::name(&self.attribute), words::name(&self.value))
    }
}

impl ClassWeight {
    /// The heaviest classes first; of many only these.
    fn list(weights: &[ClassWeight]) -> String {
        if weights.is_empty() {
            return "no training rows".into();
        }
        let mut heaviest: Vec<&ClassWeight> = weights.iter().collect();
        heaviest.sort_by(|a, b| b.weight.total_cmp(&a.weight));
        let shown = heaviest.iter().take(CLASSES_SHOWN);
        let mut texts: Vec<String> =
            shown.map(|of| format!("{} {}", words::name(&of.class), words::plain_weight(of.weight))).collect();
        if heaviest.len() > CLASSES_SHOWN {
            texts.push(format!("… ({} classes)", heaviest.len()));
        }
        texts.join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::testing::{inner, leaf, model, weather};
    use crate::recipe::Recipe;
    use crate::split::Split;

    fn iris() -> Model {
        let cut = |attribute, cut| Split::Threshold { attribute, cut };
        model(
            Recipe::j48(),
            &[("petallength", &[]), ("petalwidth", &[])],
            &["Iris-setosa", "Iris-versicolor", "Iris-virginica"],
            vec![
                inner(&[50.0, 50.0, 50.0], cut(1, 0.6), &[1, 2]),
                leaf(&[50.0, 0.0, 0.0]),
                inner(&[0.0, 50.0, 50.0], cut(1, 1.7), &[3, 8]),
                inner(&[0.0, 49.0, 5.0], cut(0, 4.9), &[4, 5]),
                leaf(&[0.0, 47.0, 1.0]),
                inner(&[0.0, 2.0, 4.0], cut(1, 1.5), &[6, 7]),
                leaf(&[0.0, 0.0, 3.0]),
                leaf(&[0.0, 2.0, 1.0]),
                leaf(&[0.0, 1.0, 45.0]),
            ],
        )
    }

    fn flower(length: f64, width: f64) -> Dataset {
        Dataset::new(vec![Column::numeric("petalwidth", vec![width]), Column::numeric("petallength", vec![length])])
            .unwrap()
    }

    fn day(outlook: Option<&str>, humidity: f64, windy: Option<&str>) -> Dataset {
        Dataset::new(vec![
            Column::from_texts("outlook", [outlook]),
            Column::numeric("humidity", vec![humidity]),
            Column::from_texts("windy", [windy]),
        ])
        .unwrap()
    }

    #[test]
    fn the_path_and_the_nearest_change_are_told() {
        let told = explain(&iris(), &flower(4.8, 1.8), 0).unwrap();
        assert_eq!(
            told.to_string(),
            "Row 1: Iris-virginica, probability 0.978

The way through the tree, with the training rows there:
  Iris-setosa 50, Iris-versicolor 50, Iris-virginica 50
1. petalwidth > 0.6 (it is 1.8)
  Iris-versicolor 50, Iris-virginica 50
2. petalwidth > 1.7 (it is 1.8)
  Iris-virginica 45, Iris-versicolor 1
=> Iris-virginica (46.0/1.0)

What would change it, one value at a time and as little as possible:
  if petalwidth were <= 1.7 (now 1.8): Iris-versicolor (48.0/1.0)
"
        );
        assert_eq!((told.path[1].node, told.leaves, told.row), (2, 1, 1));
    }

    #[test]
    fn a_change_is_routed_through_the_whole_tree() {
        // Above the cut of the last test, 1.5, it would be versicolor; but 0.6, at the root, is nearer.
        let told = explain(&iris(), &flower(5.5, 1.0), 0).unwrap();
        let lines: Vec<String> = told.changes.iter().map(Change::to_string).collect();
        assert_eq!(
            lines,
            [
                "if petalwidth were <= 0.6 (now 1): Iris-setosa (50.0)",
                "if petallength were <= 4.9 (now 5.5): Iris-versicolor (48.0/1.0)"
            ]
        );
    }

    #[test]
    fn other_levels_that_end_alike_are_one_change() {
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
        let green = Dataset::new(vec![Column::from_texts("colour", [Some("green")])]).unwrap();
        let told = explain(&subsets, &green, 0).unwrap();
        assert_eq!(told.changes[0].to_string(), "if colour were in {red, blue} (now green): yes (3.0)");
        assert_eq!(told.changes.len(), 1);
    }

    #[test]
    fn levels_of_heavier_leaves_come_first() {
        let told = explain(&weather(), &day(Some("sunny"), 90.0, Some("false")), 0).unwrap();
        let lines: Vec<String> = told.changes.iter().map(Change::to_string).collect();
        assert_eq!(
            lines,
            [
                "if humidity were <= 75 (now 90): yes (2.0)",
                "if outlook were overcast (now sunny): yes (4.0)",
                "if outlook were rainy (now sunny): yes (3.0)"
            ]
        );
    }

    #[test]
    fn missing_and_unseen_values_list_their_shares() {
        let told = explain(&weather(), &day(Some("foggy"), f64::NAN, Some("false")), 0).unwrap();
        assert!(!told.path[0].known && told.leaves == 4, "{told:?}");
        let text = told.to_string();
        assert!(
            text.contains(
                "1. outlook is foggy, which training never saw: 0.357 goes to outlook = sunny, 0.286 goes to \
                 outlook = overcast, 0.357 goes to outlook = rainy\n"
            ),
            "{text}"
        );
        assert!(text.contains("2. humidity is missing: 0.400 goes to humidity <= 75, 0.600 goes to humidity > 75\n"));
        assert!(text.contains("among 4 leaves"));
        assert!(text.contains("  if outlook were sunny (now foggy): no (probability 0.600)\n"), "{text}");
    }

    #[test]
    fn a_lone_leaf_cannot_be_changed_and_a_row_must_exist() {
        let stump = model(Recipe::c45(), &[("x", &[])], &["yes", "no"], vec![leaf(&[9.0, 5.0])]);
        let data = Dataset::new(vec![Column::numeric("x", vec![1.0])]).unwrap();
        let text = explain(&stump, &data, 0).unwrap().to_string();
        assert!(text.contains("=> yes (14.0/5.0)\n\nNo change of a single value"), "{text}");
        let error = explain(&stump, &data, 1).unwrap_err().to_string();
        assert_eq!(error, "there is no row 2, the data have 1 rows; rows are counted from 1");
    }
}
