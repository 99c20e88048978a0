//! What a model expects of the data: names, kinds and levels.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::data::{Attribute, Dataset};

/// The attributes and the class a model was trained on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Schema {
    /// The attributes in the order of the training data; splits refer to them by index.
    pub attributes: Arc<[Attribute]>,
    /// The class column's name.
    pub class: String,
    /// The classes in declared order.
    pub classes: Vec<String>,
}

impl Schema {
    /// The schema of labelled data; `None` where no target was named.
    pub fn of(data: &Dataset) -> Option<Self> {
        let class = data.class()?;
        Some(Schema { attributes: data.headers(), class: class.name.clone(), classes: class.levels.clone() })
    }

    /// The number of levels of every attribute, `None` for numbers.
    pub(crate) fn level_counts(&self) -> Vec<Option<usize>> {
        self.attributes.iter().map(|attribute| attribute.levels.as_ref().map(Vec::len)).collect()
    }
}
