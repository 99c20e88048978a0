//! The model file: JSON that says its version, carries a checksum, and is believed only after every number in it has
//! been looked at.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{Model, Node, Unknown};
use crate::error::{Error, Result};
use crate::io::write_atomically;
use crate::split::Split;

const FORMAT: &str = "quickset-model";
const VERSION: u64 = 1;

#[derive(Serialize)]
struct Written<'a> {
    format: &'a str,
    version: u64,
    checksum: String,
    model: &'a Model,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Read {
    #[serde(rename = "format")]
    _format: String,
    #[serde(rename = "version")]
    _version: u64,
    checksum: String,
    model: Model,
}

impl Model {
    /// Writes the model; a file of that name is replaced whole or not at all.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<()> {
        let path = path.as_ref();
        let text = self.to_json()?;
        write_atomically(path, |out| {
            out.write_all(text.as_bytes()).and_then(|()| out.write_all(b"\n")).map_err(|error| Error::io(path, &error))
        })
    }

    /// Reads a model and checks everything in it.
    pub fn load(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let bytes = std::fs::read(path).map_err(|error| {
            let remedy = if path.is_dir() { "name a model file, not a folder" } else { "check the path" };
            Error::io(path, &error).remedy(remedy)
        })?;
        let text = String::from_utf8(bytes)
            .map_err(|_| Error::model("this is not a model file: it is not UTF-8 text").in_file(path))?;
        Self::from_json(&text).map_err(|error| error.in_file(path))
    }

    /// The model as the text of its file.
    pub fn to_json(&self) -> Result<String> {
        let written = Written { format: FORMAT, version: VERSION, checksum: checksum(self)?, model: self };
        serde_json::to_string(&written).map_err(|error| Error::model(format!("the model cannot be written: {error}")))
    }

    /// The model behind the text of its file.
    pub fn from_json(text: &str) -> Result<Self> {
        const AGAIN: &str = "train it again, or take the file from a backup";
        let document: serde_json::Value = serde_json::from_str(text).map_err(|error| {
            let what = if error.is_eof() { "the file is cut off" } else { "this is not a model file" };
            Error::model(format!("{what} ({error})")).remedy(AGAIN)
        })?;
        if document.get("format").and_then(serde_json::Value::as_str) != Some(FORMAT) {
            return Err(Error::model(format!("this is not a model file: it does not say \"format\": {FORMAT:?}"))
                .remedy("name a file that `quickset train --output` wrote"));
        }
        match document.get("version").and_then(serde_json::Value::as_u64) {
            Some(VERSION) => {}
            Some(version) => {
                return Err(Error::model(format!(
                    "the model is of version {version}, this program reads version {VERSION}"
                ))
                .remedy("use the program that wrote it, or train it again"));
            }
            None => return Err(Error::model("the model does not say its version").remedy(AGAIN)),
        }
        let read: Read = serde_json::from_value(document)
            .map_err(|error| Error::model(format!("damaged: {error}")).remedy(AGAIN))?;
        validate(&read.model).map_err(|what| Error::model(format!("damaged: {what}")).remedy(AGAIN))?;
        if checksum(&read.model)? != read.checksum {
            return Err(
                Error::model("the file was changed after it was written: its checksum does not fit").remedy(AGAIN)
            );
        }
        Ok(read.model)
    }
}

fn checksum(model: &Model) -> Result<String> {
    let text =
        serde_json::to_vec(model).map_err(|error| Error::model(format!("the model cannot be written: {error}")))?;
    let mut crc = flate2::Crc::new();
    crc.update(&text);
    Ok(format!("crc32:{:08x}", crc.sum()))
}

/// Everything that prediction and export rely on.
fn validate(model: &Model) -> std::result::Result<(), String> {
    let classes = model.schema.classes.len();
    let nodes = &model.tree.nodes;
    if classes == 0 || nodes.is_empty() {
        return Err("it has no classes or no nodes".into());
    }
    let levels = model.schema.level_counts();
    let mut parents = vec![0; nodes.len()];
    for (index, node) in nodes.iter().enumerate() {
        let wrong = |what: &str| Err(format!("node {index} {what}"));
        if node.weights().len() != classes || !node.weights().iter().all(|w| w.is_finite() && *w >= 0.0) {
            return wrong("has wrong class weights");
        }
        match node {
            Node::Leaf { probabilities, weights, bayes } => {
                let sum: f64 = probabilities.iter().sum();
                let sound = probabilities.len() == classes && probabilities.iter().all(|p| (0.0..=1.0).contains(p));
                if !sound || (sum - 1.0).abs() > 1e-6 {
                    return wrong("has wrong probabilities");
                }
                if let Some(Err(what)) = bayes.as_ref().map(|bayes| bayes.check(&levels, weights)) {
                    return wrong(what);
                }
            }
            Node::Inner { split, unknown, children, .. } => {
                let Some(attribute) = model.schema.attributes.get(split.attribute()) else {
                    return wrong("tests an attribute that does not exist");
                };
                let branches = match (split, &attribute.levels) {
                    (Split::Threshold { .. } | Split::Intervals { .. }, None)
                        if split.cuts().is_sorted_by(|a, b| a < b)
                            && split.cuts().iter().all(|cut| cut.is_finite()) =>
                    {
                        split.branches(0)
                    }
                    (Split::Levels { .. }, Some(levels)) => levels.len(),
                    (Split::Subset { first, .. }, Some(levels))
                        if first.is_sorted_by(|a, b| a < b) && first.iter().all(|&c| (c as usize) < levels.len()) =>
                    {
                        2
                    }
                    _ => return wrong("has a test that does not fit its attribute"),
                };
                // A branch beyond those of known values is that of missing ones.
                let own = children.len() == branches + 1 && *unknown == Unknown::Branch(branches);
                if children.len() != branches && !own {
                    return wrong("has the wrong number of branches");
                }
                if matches!(unknown, Unknown::Branch(branch) if *branch >= children.len()) {
                    return wrong("sends missing values to a branch that does not exist");
                }
                for child in children {
                    match parents.get_mut(child.index()) {
                        Some(count) if child.index() > index => *count += 1,
                        _ => return wrong("has a child that does not come after it"),
                    }
                }
            }
        }
    }
    match parents.iter().skip(1).position(|&count| count != 1) {
        Some(orphan) => Err(format!("node {} does not have one parent", orphan + 1)),
        None => Ok(()),
    }
}
