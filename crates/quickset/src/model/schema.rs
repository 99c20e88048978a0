//! What a model expects of the data: names, kinds and levels.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::data::Dataset;

/// The attributes and the class a model was trained on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Schema {
    /// The attributes in the order of the training data; splits refer to them by index.
    pub attributes: Vec<Attribute>,
    /// The class column's name.
    pub class: String,
    /// The classes in declared order.
    pub classes: Vec<String>,
}

/// One attribute.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Attribute {
    /// The column's name.
    pub name: Arc<str>,
    /// The levels of a nominal attribute, `None` for a numeric one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub levels: Option<Vec<String>>,
}

impl Schema {
    /// The schema of labelled data; `None` where no target was named.
    pub fn of(data: &Dataset) -> Option<Self> {
        let class = data.class()?;
        let attributes = data
            .attributes()
            .iter()
            .map(|column| Attribute { name: column.shared_name(), levels: column.levels().map(<[String]>::to_vec) })
            .collect();
        Some(Schema { attributes, class: class.name.clone(), classes: class.levels.clone() })
    }

    /// The number of levels of every attribute, `None` for numbers.
    pub(crate) fn level_counts(&self) -> Vec<Option<usize>> {
        self.attributes.iter().map(|attribute| attribute.levels.as_ref().map(Vec::len)).collect()
    }
}
