//! How numbers, tests and leaves are written: the same words in every form of export.

use crate::measure::SMALL;
use crate::model::{Model, Node, most_probable};
use crate::split::Split;

/// Levels of a set that are written out; an identifier may have millions.
const LEVELS_SHOWN: usize = 12;

/// Attributes of a naive Bayes leaf that are named.
const STRONGEST_SHOWN: usize = 3;

/// A cut as J48 prints it: at most six decimals, none that are zero. A number that this would make 0 is written in
/// full, since a test against 0 would be another test.
pub(super) fn number(x: f64) -> String {
    let rounded = format!("{x:.6}");
    let short = rounded.trim_end_matches('0').trim_end_matches('.');
    match short {
        "0" | "-0" if x == 0.0 => "0".into(),
        "0" | "-0" => format!("{x:e}"),
        _ => short.into(),
    }
}

/// A weight of rows as J48 prints it: halves rounded up to two decimals, at least one decimal.
pub(super) fn weight(x: f64) -> String {
    format!("{:?}", (x * 100.0).round() / 100.0)
}

/// A weight of rows as people write it: at most two decimals.
pub(super) fn plain_weight(x: f64) -> String {
    ((x * 100.0).round() / 100.0).to_string()
}

/// A name on one line.
pub(super) fn name(text: &str) -> String {
    text.replace('\n', "\\n").replace('\r', "\\r")
}

/// The name of the attribute that a split tests.
pub(super) fn attribute<'m>(model: &'m Model, split: &Split) -> &'m str {
    &model.schema().attributes[split.attribute()].name
}

/// Whether a branch is that of missing values alone.
pub(super) fn is_own(model: &Model, split: &Split, branch: usize) -> bool {
    let levels = model.schema().attributes[split.attribute()].levels.as_ref();
    branch >= split.branches(levels.map_or(0, Vec::len))
}

/// The levels of a branch of a nominal test; `None` for numbers, and for the branch of missing values.
pub(super) fn branch_levels<'m>(model: &'m Model, split: &Split, branch: usize) -> Option<Vec<&'m str>> {
    let levels = model.schema().attributes[split.attribute()].levels.as_deref().unwrap_or_default();
    match split {
        _ if is_own(model, split, branch) => None,
        Split::Threshold { .. } | Split::Intervals { .. } => None,
        Split::Levels { .. } => Some(vec![&levels[branch]]),
        Split::Subset { first, .. } => {
            let side = |code: &usize| first.binary_search(&(*code as u32)).is_err() == (branch == 1);
            Some((0..levels.len()).filter(side).map(|code| levels[code].as_str()).collect())
        }
    }
}

/// The only level that a branch of a nominal test leaves out, where it holds several.
pub(super) fn left_out<'m>(model: &'m Model, split: &Split, branch: usize) -> Option<&'m str> {
    let levels = model.schema().attributes[split.attribute()].levels.as_deref()?;
    match split {
        Split::Subset { first, .. } if branch == 1 && levels.len() > 2 && first.len() == 1 => {
            Some(&levels[first[0] as usize])
        }
        _ => None,
    }
}

/// The bounds of a branch of a numeric test: the numbers lie above the first and not above the second.
pub(super) fn bounds(split: &Split, branch: usize) -> (Option<f64>, Option<f64>) {
    let cuts = split.cuts();
    (branch.checked_sub(1).and_then(|before| cuts.get(before).copied()), cuts.get(branch).copied())
}

/// What a value must be for a branch: `<= 2.5`, `> 2.5`, `in (1, 2.5]`, `= sunny`, `!= sunny`, `in {a, b}` or `is missing`;
/// `is any number` where only missing values are apart.
pub(super) fn branch(model: &Model, split: &Split, branch: usize) -> String {
    match (split, branch_levels(model, split, branch)) {
        (Split::Levels { .. }, Some(levels)) => format!("= {}", name(levels[0])),
        (Split::Subset { first, .. }, Some(levels)) if first.len() == 1 && levels.len() == 1 => {
            format!("= {}", name(levels[0]))
        }
        (_, Some(levels)) => match left_out(model, split, branch) {
            Some(level) => format!("!= {}", name(level)),
            None => format!("in {}", set(&levels)),
        },
        _ if is_own(model, split, branch) => "is missing".into(),
        (_, None) => match bounds(split, branch) {
            (None, None) => "is any number".into(),
            (None, Some(at_most)) => format!("<= {}", number(at_most)),
            (Some(above), None) => format!("> {}", number(above)),
            (Some(above), Some(at_most)) => format!("in ({}, {}]", number(above), number(at_most)),
        },
    }
}

/// The attribute with what it must be.
pub(super) fn condition(model: &Model, split: &Split, taken: usize) -> String {
    format!("{} {}", name(attribute(model, split)), branch(model, split, taken))
}

/// Levels in braces; of very many only the first.
pub(super) fn set<T: AsRef<str>>(levels: &[T]) -> String {
    let shown: Vec<String> = levels.iter().take(LEVELS_SHOWN).map(|level| name(level.as_ref())).collect();
    let more = if levels.len() > LEVELS_SHOWN { format!(", … ({} levels)", levels.len()) } else { String::new() };
    format!("{{{}{more}}}", shown.join(", "))
}

/// The class a node predicts, or would predict if it were a leaf.
pub(super) fn class(node: &Node) -> usize {
    match node {
        Node::Leaf { probabilities, .. } => usize::from(most_probable(probabilities)),
        Node::Inner { weights, .. } => usize::from(most_probable(weights)),
    }
}

/// A leaf as J48 prints it: the class, the weight of its training rows and of those of other classes. Naive Bayes has a
/// class for every row: it is told by its size, and by the attributes that tell its classes apart best.
pub(super) fn leaf(model: &Model, node: &Node) -> String {
    if let Some(bayes) = node.bayes() {
        let attributes = if bayes.attributes() == 1 { "attribute" } else { "attributes" };
        let rows = plain_weight(node.weight());
        let strongest = bayes.strongest(node.weights(), &model.schema().level_counts());
        let named = strongest.into_iter().take(STRONGEST_SHOWN).map(|at| name(&model.schema().attributes[at].name));
        let named = named.collect::<Vec<_>>().join(", ");
        let strongest = if named.is_empty() { named } else { format!(", strongest {named}") };
        return format!("naive Bayes over {} {attributes}{strongest} ({rows} rows)", bayes.attributes());
    }
    let class = class(node);
    let errors = node.weight() - node.weights()[class];
    let errors = if errors > SMALL { format!("/{}", weight(errors)) } else { String::new() };
    format!("{} ({}{errors})", name(&model.schema().classes[class]), weight(node.weight()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_are_written_as_in_the_reference_trees() {
        let written = [0.6, 1.7, 10.0, 1.51707, 13860.0, 0.165, 101.2, -1.5, 1.0 / 3.0, 0.0, -0.0, 1e9].map(number);
        let expected =
            ["0.6", "1.7", "10", "1.51707", "13860", "0.165", "101.2", "-1.5", "0.333333", "0", "0", "1000000000"];
        assert_eq!(written, expected);
        assert_eq!(number(1.7000000000000002), "1.7");
        assert_eq!(number(-3e-9), "-3e-9");
    }

    #[test]
    fn weights_are_written_as_in_the_reference_trees() {
        let written = [50.0, 15.274, 30.96, 110.6, 0.0, 3366.3126, 1.005, 0.125].map(weight);
        assert_eq!(written, ["50.0", "15.27", "30.96", "110.6", "0.0", "3366.31", "1.0", "0.13"]);
        assert_eq!([12.0, 15.274, 0.0].map(plain_weight), ["12", "15.27", "0"]);
    }

    #[test]
    fn a_set_of_very_many_levels_is_cut_short() {
        let levels: Vec<String> = (0..40).map(|level| level.to_string()).collect();
        assert_eq!(set(&levels), "{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, … (40 levels)}");
        assert_eq!(set(&["a\nb"]), "{a\\nb}");
    }
}
