//! Cuts that are made once, before growing.

use serde::{Deserialize, Serialize};

use super::Numeric;

/// How the cuts of a numeric attribute are made from all training rows, once and for all nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FixedCuts {
    /// At the quartiles.
    Quartiles,
    /// Where values are rarest: at the minima of their smoothed density, or at the median if there is none.
    Natural,
    /// Where a cut pays for itself (Fayyad and Irani 1993).
    Mdl,
    /// Between intervals of equal width, as many as the root of the number of rows; those without a row are left out.
    Sqrt,
}

/// How many branches a test on a number with fixed cuts has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ways {
    /// One for every interval.
    #[default]
    Many,
    /// Two: not above one of the cuts, above it.
    Two,
}

impl Numeric {
    /// Whether the cuts are made anew from the rows of every node.
    pub(super) fn cuts_nodes_into_intervals(&self) -> bool {
        matches!(self, Numeric::Buckets { .. } | Numeric::Intervals | Numeric::Crossings)
    }

    /// How many branches, where the cuts are fixed.
    pub(super) fn ways(&mut self) -> Option<&mut Ways> {
        match self {
            Numeric::Fixed { ways, .. } => Some(ways),
            Numeric::Threshold | Numeric::Buckets { .. } | Numeric::Intervals | Numeric::Crossings => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recipe::Recipe;

    #[test]
    fn cuts_and_ways_are_set_by_words() {
        let mut recipe = Recipe::id3();
        let error = recipe.set_pair("numeric.ways=two").unwrap_err().to_string();
        assert!(error.contains("many|two where numeric=quartiles|natural|mdl|sqrt"), "{error}");
        recipe.set_pair("numeric=quartiles").unwrap();
        assert_eq!(recipe.candidates.numeric, Numeric::Fixed { cuts: FixedCuts::Quartiles, ways: Ways::Many });
        recipe.set_pair("numeric.ways=two").unwrap();
        recipe.set_pair("numeric=natural").unwrap();
        assert_eq!(recipe.candidates.numeric, Numeric::Fixed { cuts: FixedCuts::Natural, ways: Ways::Two });
        recipe.check().unwrap();
        let text = serde_json::to_string(&recipe).unwrap();
        assert_eq!(serde_json::from_str::<Recipe>(&text).unwrap(), recipe);
        let error = recipe.set_pair("numeric=thirds").unwrap_err().to_string();
        assert!(error.contains("threshold|buckets|intervals|crossings|quartiles|natural|mdl|sqrt"), "{error}");
        let error = recipe.set_pair("nominal=one").unwrap_err().to_string();
        assert!(error.contains("levels|subset|value"), "{error}");
        assert!(recipe.set_pair("numeric=fixed").is_err());
    }

    #[test]
    fn parts_that_do_not_go_with_fixed_cuts_are_refused() {
        let changed = |name: &str, changes: &[&str]| {
            let mut recipe = Recipe::named(name).unwrap();
            changes.iter().for_each(|change| recipe.set_pair(change).unwrap());
            recipe.check()
        };
        for (name, changes) in [
            ("nt", &["numeric=quartiles"][..]),
            ("nt", &["nominal=value"]),
            ("t2", &["numeric=mdl"]),
            ("t2", &["nominal=value"]),
            ("c45", &["numeric=sqrt", "cut=bins"]),
            ("c45", &["numeric=sqrt", "missing=learned"]),
            ("cart", &["numeric=intervals"]),
        ] {
            assert!(changed(name, changes).is_err(), "{name} {changes:?}");
        }
        for (name, changes) in [
            ("cart", &["numeric=mdl"][..]),
            ("cart", &["numeric=natural", "numeric.ways=two", "nominal=value"]),
            ("c45", &["numeric=sqrt", "missing=own"]),
            ("c45", &["nominal=value", "missing=learned", "numeric=quartiles"]),
            ("one-r", &["numeric=quartiles", "nominal=value"]),
        ] {
            changed(name, changes).unwrap();
        }
    }
}
