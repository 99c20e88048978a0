//! A test on one attribute, and the kernels that find good ones.

pub(crate) mod bins;
pub(crate) mod buckets;
pub(crate) mod criterion;
pub(crate) mod intervals;
pub(crate) mod mdl;
pub(crate) mod natural;
pub(crate) mod quartiles;
mod route;
pub(crate) mod scan;
pub(crate) mod subset;
pub(crate) mod whole;

pub(crate) use route::{divide_in_two, divide_sparse, route};
use serde::{Deserialize, Serialize};

use crate::data::Value;

/// A test on one attribute; each outcome is a branch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Split {
    /// Two branches: not above the cut, above it.
    Threshold {
        /// Index of the attribute.
        attribute: usize,
        /// The largest number of the first branch.
        cut: f64,
    },
    /// A branch for every level.
    Levels {
        /// Index of the attribute.
        attribute: usize,
    },
    /// A branch for every interval between neighbouring cuts, and one beyond either end.
    Intervals {
        /// Index of the attribute.
        attribute: usize,
        /// The largest number of every branch but the last, ascending; none where only missing values are apart.
        cuts: Vec<f64>,
    },
    /// Two branches: the listed levels, and all others.
    Subset {
        /// Index of the attribute.
        attribute: usize,
        /// Codes of the levels of the first branch, ascending.
        first: Vec<u32>,
    },
}

impl Split {
    /// The attribute tested.
    pub fn attribute(&self) -> usize {
        match self {
            Split::Threshold { attribute, .. }
            | Split::Intervals { attribute, .. }
            | Split::Levels { attribute }
            | Split::Subset { attribute, .. } => *attribute,
        }
    }

    /// How many branches known values have, where the attribute has so many levels. One more child of a node, if there
    /// is one, is the branch of missing values.
    pub fn branches(&self, levels: usize) -> usize {
        match self {
            Split::Threshold { .. } | Split::Subset { .. } => 2,
            Split::Intervals { cuts, .. } => cuts.len() + 1,
            Split::Levels { .. } => levels,
        }
    }

    /// The cuts of a numeric attribute, ascending; none for a nominal one.
    pub fn cuts(&self) -> &[f64] {
        match self {
            Split::Threshold { cut, .. } => std::slice::from_ref(cut),
            Split::Intervals { cuts, .. } => cuts,
            Split::Levels { .. } | Split::Subset { .. } => &[],
        }
    }

    /// The branch of a value, `None` where it is missing.
    pub fn branch(&self, value: Value) -> Option<usize> {
        match (self, value) {
            (Split::Threshold { cut, .. }, Value::Number(number)) => Some(usize::from(number > *cut)),
            (Split::Intervals { cuts, .. }, Value::Number(number)) => Some(cuts.partition_point(|&cut| number > cut)),
            (Split::Levels { .. }, Value::Level(code)) => Some(code as usize),
            (Split::Subset { first, .. }, Value::Level(code)) => Some(usize::from(first.binary_search(&code).is_err())),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_split_has_a_branch_for_its_values_and_none_for_missing() {
        let threshold = Split::Threshold { attribute: 0, cut: 2.0 };
        assert_eq!(threshold.branch(Value::Number(2.0)), Some(0));
        assert_eq!(threshold.branch(Value::Number(2.1)), Some(1));
        let intervals = Split::Intervals { attribute: 0, cuts: vec![2.0, 4.0] };
        let branch = |number| intervals.branch(Value::Number(number));
        assert_eq!([-1.0, 2.0, 2.1, 4.0, 4.1].map(branch), [0, 0, 1, 1, 2].map(Some));
        assert_eq!((intervals.branch(Value::Missing), intervals.branches(0)), (None, 3));
        assert_eq!(Split::Levels { attribute: 0 }.branch(Value::Level(3)), Some(3));
        let subset = Split::Subset { attribute: 0, first: vec![1, 4] };
        assert_eq!(subset.branch(Value::Level(4)), Some(0));
        assert_eq!(subset.branch(Value::Level(2)), Some(1));
        assert_eq!(subset.branch(Value::Missing), None);
    }
}
