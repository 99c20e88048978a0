//! Looking ahead: what a test is worth by what can be made of its branches, and the learners that live by it.

use serde::{Deserialize, Serialize};

use super::{Choose, Recipe, Score, Tables};
use crate::error::{Error, Result};

/// A test is worth more than its own table tells: what lies below it counts, or how it fares on rows of other weights.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Lookahead {
    /// The fewest leaves of some trees that are grown at random below every branch (LSID3; Esmeir and Markovitch 2004).
    Samples {
        /// How many trees a branch gets. With none the tree is greedy.
        r: usize,
        /// How these trees choose.
        sampler: Sampler,
        /// Where it is said, cuts are drawn in proportion to their gain, with five samples as many as this share of the
        /// rows, each with one tree on either side (LSID3-MC); else every cut is tried.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        p: Option<f64>,
    },
    /// The entropy that the best tests leave after so many levels (ID3-k).
    Levels {
        /// How many, the test itself among them.
        k: usize,
    },
    /// Where no test gains much, how often it does on rows that are weighed at random (Page and Ray 2003).
    Skew(Skew),
}

/// How sampled trees choose their tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sampler {
    /// In proportion to their gain (SID3).
    Drawn,
    /// With equal chances (RTG).
    Uniform,
    /// In an order of attributes that is drawn for every tree: all its nodes ask the same attributes, as parities demand.
    /// An attribute costs a quarter of a leaf, unless the tree asks it by which the node's parent was chosen.
    Ordered,
    /// Drawn; of many, every second one is ordered. Attributes have the same price.
    Turns,
}

/// Trees that are drawn in any case: where there are few, those by gain tell more of what is no parity.
const FIRST_DRAWN: usize = 8;

impl Sampler {
    /// How a tree chooses, by its number among those of a branch.
    pub(crate) fn choose(self, tree: usize) -> Choose {
        match self {
            Sampler::Turns if tree >= FIRST_DRAWN && tree % 2 == 1 => Choose::Ordered,
            Sampler::Drawn | Sampler::Turns => Choose::Drawn,
            Sampler::Uniform => Choose::Uniform,
            Sampler::Ordered => Choose::Ordered,
        }
    }

    /// Whether the attributes that a tree asks have a price. What the papers have counts leaves alone.
    pub(crate) fn has_prices(self) -> bool {
        matches!(self, Sampler::Ordered | Sampler::Turns)
    }
}

/// How rows are weighed where no test gains much.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Skew {
    /// How often rows are weighed anew.
    pub times: usize,
    /// A gain of more bits than this is much.
    pub threshold: f64,
    /// By how much a row counts for every favoured value it has; by the rest of one for the others.
    pub s: f64,
    /// Whether the values of only one attribute are favoured at a time, of each in turn.
    pub sequential: bool,
}

/// What the constants of skewing are where nobody says otherwise.
const SKEW: Skew = Skew { times: 30, threshold: 0.05, s: 0.75, sequential: false };

impl Choose {
    /// Whether it is by draws.
    pub(crate) fn is_random(self) -> bool {
        matches!(self, Choose::Drawn | Choose::Uniform | Choose::Ordered)
    }
}

impl Recipe {
    /// ID3-k: the attribute that leaves the least entropy after k levels, two unless `k` says more.
    pub fn id3_k() -> Self {
        Recipe { name: "id3-k".into(), lookahead: Some(Lookahead::Levels { k: 2 }), ..Self::id3() }
    }

    /// SID3: ID3 whose attributes are drawn in proportion to their gain.
    pub fn sid3() -> Self {
        Recipe { name: "sid3".into(), choose: Choose::Drawn, ..Self::id3() }
    }

    /// LSID3: the attribute whose branches have the smallest trees, by samples of SID3.
    pub fn lsid3() -> Self {
        let samples = Lookahead::Samples { r: 5, sampler: Sampler::Drawn, p: None };
        Recipe { name: "lsid3".into(), lookahead: Some(samples), ..Self::id3() }
    }

    /// LSID3 that tries only some cuts of a number, drawn in proportion to their gain.
    pub fn lsid3_mc() -> Self {
        let samples = Lookahead::Samples { r: 5, sampler: Sampler::Drawn, p: Some(0.1) };
        Recipe { name: "lsid3-mc".into(), lookahead: Some(samples), ..Self::id3() }
    }

    /// ID3 that weighs its rows anew where no attribute gains anything, as with parity.
    pub fn skew() -> Self {
        Recipe { name: "skew".into(), lookahead: Some(Lookahead::Skew(SKEW)), ..Self::id3() }
    }

    /// How many trees are sampled below a branch.
    pub(crate) fn samples(&self) -> usize {
        match self.lookahead {
            Some(Lookahead::Samples { r, .. }) => r,
            _ => 0,
        }
    }

    /// Refuses numbers out of range, and parts that do not go with looking ahead.
    pub(super) fn check_lookahead(&self) -> Result<()> {
        let refuse = |key: &str, found: &dyn std::fmt::Display, expected: &str| {
            Err(Error::recipe(format!("{key} is {found}, expected {expected}")))
        };
        let drawn = self.choose.is_random();
        if self.tables != Tables::Counted && (drawn || self.lookahead.is_some()) {
            return Err(Error::recipe(
                "looking ahead and drawing are for tests that are counted from the rows of a node",
            )
            .remedy("use tables=counted, or another learner"));
        }
        if drawn && self.score == Score::ErrorsAhead {
            return Err(Error::recipe("score=errors-ahead chooses the best test").remedy("use choose=best"));
        }
        let Some(lookahead) = self.lookahead else { return Ok(()) };
        if drawn || self.score == Score::ErrorsAhead || self.stop.significance.is_some() {
            return Err(Error::recipe("looking ahead chooses the best test by what lies below it")
                .remedy("use choose=best, a score other than errors-ahead and stop.p=none, or another learner"));
        }
        match lookahead {
            Lookahead::Samples { p: Some(p), .. } if !(p > 0.0 && p <= 1e6) => refuse("p", &p, "a number above 0"),
            Lookahead::Levels { k: 0 } => refuse("k", &0, "1 or more"),
            Lookahead::Skew(Skew { times: 0, .. }) => refuse("skew.times", &0, "1 or more"),
            Lookahead::Skew(Skew { s, .. }) if !(s > 0.5 && s < 1.0) => refuse("skew.s", &s, "above 0.5 and below 1"),
            Lookahead::Skew(Skew { threshold, .. }) if !(0.0..=64.0).contains(&threshold) => {
                refuse("skew.threshold", &threshold, "bits from 0")
            }
            _ => Ok(()),
        }
    }
}

/// `r`, of a recipe that samples.
pub(super) fn samples(recipe: &mut Recipe) -> Option<&mut usize> {
    match &mut recipe.lookahead {
        Some(Lookahead::Samples { r, .. }) => Some(r),
        _ => None,
    }
}

/// `sampler`, of the same.
pub(super) fn sampler(recipe: &mut Recipe) -> Option<&mut Sampler> {
    match &mut recipe.lookahead {
        Some(Lookahead::Samples { sampler, .. }) => Some(sampler),
        _ => None,
    }
}

/// `p`, of the same: a share of the rows, or none for every cut.
pub(super) fn set_share(recipe: &mut Recipe, value: &str) -> Option<()> {
    match &mut recipe.lookahead {
        Some(Lookahead::Samples { p, .. }) => {
            *p = if value == "none" { None } else { Some(value.parse().ok()?) };
            Some(())
        }
        _ => None,
    }
}

/// `k`, of a recipe that looks some levels ahead.
pub(super) fn levels(recipe: &mut Recipe) -> Option<&mut usize> {
    match &mut recipe.lookahead {
        Some(Lookahead::Levels { k }) => Some(k),
        _ => None,
    }
}

/// How rows are skewed, of a recipe that does it.
pub(super) fn skew(recipe: &mut Recipe) -> Option<&mut Skew> {
    match &mut recipe.lookahead {
        Some(Lookahead::Skew(skew)) => Some(skew),
        _ => None,
    }
}

/// The learners that have a key of looking ahead.
pub(super) fn who_has(key: &str) -> Option<&'static str> {
    match key {
        "r" | "sampler" | "p" => Some("lsid3 and lsid3-mc"),
        "k" => Some("id3-k"),
        _ if key.starts_with("skew.") => Some("skew"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(name: &str, changes: &[&str]) -> Result<Recipe> {
        let mut recipe = Recipe::named(name)?;
        changes.iter().try_for_each(|change| recipe.set_pair(change))?;
        recipe.check()?;
        Ok(recipe)
    }

    #[test]
    fn keys_belong_to_the_learners_that_have_them() {
        let samples = Lookahead::Samples { r: 9, sampler: Sampler::Uniform, p: Some(0.5) };
        let recipe = with("lsid3", &["r=9", "sampler=uniform", "p=0.5"]).unwrap();
        assert_eq!((recipe.lookahead, recipe.samples()), (Some(samples), 9));
        assert_eq!(with("lsid3-mc", &["p=none"]).unwrap().lookahead, Recipe::lsid3().lookahead);
        assert_eq!(with("id3-k", &["k=3"]).unwrap().lookahead, Some(Lookahead::Levels { k: 3 }));
        let changes = ["skew.times=5", "skew.threshold=0.1", "skew.s=0.9", "skew.sequential=true"];
        let expected = Skew { times: 5, threshold: 0.1, s: 0.9, sequential: true };
        assert_eq!(with("skew", &changes).unwrap().lookahead, Some(Lookahead::Skew(expected)));
        for (name, change, owner) in
            [("id3", "r=5", "lsid3"), ("lsid3", "k=2", "id3-k"), ("lsid3", "skew.s=0.9", "skew"), ("skew", "p=1", "mc")]
        {
            let error = with(name, &[change]).unwrap_err().to_string();
            assert!(error.contains(owner), "{error}");
        }
        assert!(with("lsid3", &["r=many"]).unwrap_err().to_string().contains("0 or more"));
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        for (name, change) in [
            ("lsid3", "tables=factored"),
            ("lsid3", "choose=drawn"),
            ("lsid3", "score=errors-ahead"),
            ("lsid3", "sampler=best"),
            ("lsid3-mc", "p=0"),
            ("lsid3-mc", "p=nan"),
            ("id3-k", "k=0"),
            ("skew", "skew.times=0"),
            ("skew", "skew.s=0.5"),
            ("skew", "skew.threshold=-1"),
            ("nt", "choose=drawn"),
            ("t2", "choose=uniform"),
        ] {
            assert!(with(name, &[change]).is_err(), "{name} {change}");
        }
        assert!(with("lsid3", &["score=chi2", "stop.p=0.05"]).is_err());
        for (name, changes) in [
            ("lsid3", &["nominal=value", "prune=pessimistic"][..]),
            ("lsid3", &["r=0"]),
            ("sid3", &["choose=uniform"]),
            ("id3-k", &["nominal=subset", "missing=learned"]),
        ] {
            with(name, changes).unwrap();
        }
    }

    /// The checksum of a model file is of what is written again, so old files must be written as they were.
    #[test]
    fn a_recipe_that_does_not_look_ahead_is_written_as_before() {
        let text = serde_json::to_string(&Recipe::id3()).unwrap();
        assert!(!text.contains("lookahead"), "{text}");
        let text = serde_json::to_string(&Recipe::lsid3()).unwrap();
        assert!(text.contains(r#""lookahead":{"samples":{"r":5,"sampler":"drawn"}}"#), "{text}");
    }
}
