//! A tree that was learnt from other data, in the terms of the data at hand.
//!
//! Attributes and levels are found by name. A level that the tree has never seen gets a branch of its own, empty until
//! rows come to it; so does a class.

use crate::data::Dataset;
use crate::error::{Error, Result};
use crate::grow::{Draft, DraftNode};
use crate::model::{Attribute, Model, Unknown};
use crate::split::Split;

/// The tests of a model's tree as tests of these data. Weights are to be counted anew.
pub(crate) fn transplant(model: &Model, data: &Dataset, notes: &mut Vec<String>) -> Result<Draft> {
    let mut draft = Draft::of_tree(&model.tree);
    for at in 0..draft.nodes.len() {
        let Some(mut test) = draft.nodes[at].test.take() else { continue };
        let theirs = &model.schema.attributes[test.split.attribute()];
        let ours = position(data, theirs)?;
        let empty = || DraftNode { weights: Vec::new(), test: None, rows: Vec::new() };
        match &mut test.split {
            Split::Threshold { attribute, .. } | Split::Intervals { attribute, .. } => *attribute = ours,
            Split::Subset { attribute, first } => {
                *attribute = ours;
                let codes = codes(theirs, data.attributes()[ours].levels().unwrap_or_default());
                let known = codes.iter().enumerate().filter_map(|(code, theirs)| Some((code as u32, (*theirs)?)));
                *first = known.filter(|(_, theirs)| first.contains(&(*theirs as u32))).map(|(code, _)| code).collect();
            }
            Split::Levels { attribute } => {
                *attribute = ours;
                let codes = codes(theirs, data.attributes()[ours].levels().unwrap_or_default());
                let theirs = theirs.levels.as_ref().map_or(0, Vec::len);
                // A child beyond the levels is that of missing values.
                let missing = test.children.get(theirs).copied();
                let mut children = Vec::with_capacity(codes.len() + 1);
                for code in &codes {
                    children.push(code.map_or(draft.nodes.len(), |code| test.children[code]));
                    if code.is_none() {
                        draft.nodes.push(empty());
                    }
                }
                if let Unknown::Branch(branch) = &mut test.unknown {
                    let child = test.children[*branch];
                    // The branch of a level that the data do not have is empty: any other will do.
                    *branch = children
                        .iter()
                        .position(|&other| other == child)
                        .or(missing.map(|_| children.len()))
                        .unwrap_or(0);
                }
                children.extend(missing);
                test.children = children;
            }
        }
        draft.nodes[at].test = Some(test);
    }
    if model.schema.classes.len() != data.class().map_or(0, |class| class.levels.len()) {
        notes.push("the given tree was learnt with other classes: its leaves are counted anew".into());
    }
    Ok(draft)
}

/// The column of the model's attribute.
fn position(data: &Dataset, theirs: &Attribute) -> Result<usize> {
    let found = data.attributes().iter().position(|column| *column.name() == *theirs.name);
    let Some(found) = found else {
        return Err(Error::data(format!("the given tree tests {:?}, which the data do not have", theirs.name))
            .remedy("give it data with the columns it was learnt from"));
    };
    if data.attributes()[found].levels().is_some() != theirs.levels.is_some() {
        let (is, was) = if theirs.levels.is_some() { ("numeric", "nominal") } else { ("nominal", "numeric") };
        return Err(Error::data(format!(
            "{:?} is {is} here, and was {was} where the given tree was learnt",
            theirs.name
        ))
        .remedy("say --nominal or --numeric"));
    }
    Ok(found)
}

/// By our code, theirs of the same level.
fn codes(theirs: &Attribute, ours: &[String]) -> Vec<Option<usize>> {
    let theirs = theirs.levels.as_deref().unwrap_or_default();
    ours.iter().map(|level| theirs.iter().position(|other| other == level)).collect()
}
