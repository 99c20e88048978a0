//! The learners that others are measured by, and what the parts that came with them demand of the rest.

use super::{Candidates, CutOver, Leaf, Missing, Nominal, Numeric, Recipe, Score, Stop, Tables};
use crate::error::{Error, Result};

impl Numeric {
    pub(super) fn is_threshold(&self) -> bool {
        *self == Numeric::Threshold
    }
}

impl Recipe {
    /// The class shares of all rows: the tree that is not grown.
    pub fn majority() -> Self {
        Recipe { name: "majority".into(), leaf: Leaf::Distribution, ..Self::nb() }
    }

    /// 1R (Holte 1993): one test, of the attribute with the fewest training errors.
    pub fn one_r() -> Self {
        let id3 = Self::id3();
        Recipe {
            name: "one-r".into(),
            candidates: Candidates { numeric: Numeric::Buckets { bucket: 6 }, ..id3.candidates },
            score: Score::Errors,
            stop: Stop { max_depth: Some(1), ..id3.stop },
            leaf: Leaf::Distribution,
            missing: Missing::Own,
            ..id3
        }
    }

    /// T2 (Auer, Holte and Maass 1995): the fewest training errors that two levels of tests can have.
    pub fn t2() -> Self {
        let one_r = Self::one_r();
        Recipe {
            name: "t2".into(),
            candidates: Candidates { numeric: Numeric::Intervals, ..one_r.candidates },
            score: Score::ErrorsAhead,
            stop: Stop { max_depth: Some(2), to_purity: false, ..one_r.stop },
            ..one_r
        }
    }

    /// Refuses parts that do not go with intervals, counted errors, or a branch of missing values.
    pub(super) fn check_intervals(&self) -> Result<()> {
        let intervals = !self.candidates.numeric.is_threshold();
        let errors = matches!(self.score, Score::Errors | Score::ErrorsAhead);
        if self.tables != Tables::Counted && (intervals || errors || self.missing == Missing::Own) {
            return Err(Error::recipe("intervals, errors and missing=own are counted from the rows of a node")
                .remedy("use tables=counted, or numeric=threshold, another score and another missing"));
        }
        if intervals && self.candidates.cut.over == CutOver::Bins {
            return Err(Error::recipe("intervals are made of rows, not of bins").remedy("use cut=rows"));
        }
        if self.candidates.numeric.cuts_nodes_into_intervals() && self.missing == Missing::Learned {
            return Err(Error::recipe("missing=learned sends a row to one of two sides, but intervals may be many")
                .remedy("use missing=own or missing=fractions, or numeric=threshold|quartiles|natural|mdl|sqrt"));
        }
        let plain = self.candidates.nominal == Nominal::Levels
            && self.candidates.numeric == Numeric::Intervals
            && self.missing == Missing::Own
            && self.stop.min_rows == 0.0;
        if self.score == Score::ErrorsAhead && !(plain && matches!(self.stop.max_depth, Some(0..=2))) {
            return Err(Error::recipe("score=errors-ahead knows the best of at most two levels, whatever their size")
                .remedy("use max-depth=2, min-rows=0, nominal=levels, numeric=intervals and missing=own, as t2 does"));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The checksum of a model file is of what is written again, so old files must be written as they were.
    #[test]
    fn a_recipe_from_before_intervals_is_read_and_written_as_it_was() {
        let text = serde_json::to_string(&Recipe::c45()).unwrap();
        assert!(!text.contains("numeric"), "{text}");
        assert_eq!(serde_json::from_str::<Recipe>(&text).unwrap().candidates.numeric, Numeric::Threshold);
    }

    #[test]
    fn parts_that_do_not_fit_together_are_refused() {
        for (name, change) in [
            ("nt", "numeric=buckets"),
            ("nt", "missing=own"),
            ("nt", "score=errors"),
            ("one-r", "cut=bins"),
            ("one-r", "missing=learned"),
            ("t2", "max-depth=3"),
            ("t2", "max-depth=none"),
            ("t2", "min-rows=2"),
            ("t2", "nominal=subset"),
            ("t2", "numeric=threshold"),
            ("t2", "missing=fractions"),
            ("c45", "score=errors-ahead"),
        ] {
            let mut recipe = Recipe::named(name).unwrap();
            recipe.set_pair(change).unwrap();
            assert!(recipe.check().is_err(), "{name} {change}");
        }
        for (name, change) in [("t2", "max-depth=1"), ("c45", "missing=own"), ("c45", "numeric=intervals")] {
            let mut recipe = Recipe::named(name).unwrap();
            recipe.set_pair(change).unwrap();
            recipe.check().unwrap();
        }
    }
}
