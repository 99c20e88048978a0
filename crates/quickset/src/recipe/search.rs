//! In what order trees are made, and whether they are revised: the part of a recipe that time works on.
//!
//! A search goes through fixed steps, and the clock only decides how far it comes. What it came to is written into the
//! recipe of its model, so that the same steps can be gone again without a clock.

use serde::{Deserialize, Serialize};

use super::{Lookahead, Prune, Recipe, Sampler, lookahead};
use crate::error::{Error, Result};

/// Without a budget a search rebuilds so many subtrees.
pub(crate) const STEPS_WITHOUT_BUDGET: usize = 100;

/// Without a budget a search ends where it would take more samples than this: they double each time.
pub(crate) const SAMPLES_WITHOUT_BUDGET: usize = 8;

/// In what order trees are made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Search {
    /// One tree, grown once.
    #[default]
    Once,
    /// The subtree that promises most for its cost is rebuilt with more samples, again and again (IIDT; Esmeir and
    /// Markovitch 2007).
    Improve {
        /// Subtrees that cost less than this share of the root's are left alone.
        g: f64,
        /// How many subtrees are rebuilt; as many as the budget allows where it is not said.
        steps: Option<usize>,
    },
    /// The naive tree, C4.5, look-ahead with more and more samples, then improvement of the best.
    Auto {
        /// As for improvement.
        g: f64,
        /// The most samples of look-ahead; as many as the budget allows where it is not said.
        r: Option<usize>,
        /// How many subtrees are rebuilt; as many as the budget allows where it is not said.
        steps: Option<usize>,
        /// How the winner gets to know the rows that were held out; as the budget allows where it is not said.
        finish: Option<Finish>,
    },
}

/// How a tree that was chosen by held-out rows gets to know them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Finish {
    /// Its recipe is run on all rows.
    Rerun,
    /// Its tests stay, its leaves are counted from all rows.
    Refit,
}

impl Search {
    /// The share where none is given: one of the two that the experiments of IIDT used.
    const G: f64 = 0.1;

    /// Whether one tree is grown once.
    pub fn is_once(&self) -> bool {
        *self == Search::Once
    }

    pub(crate) fn granularity(&mut self) -> Option<&mut f64> {
        match self {
            Search::Improve { g, .. } | Search::Auto { g, .. } => Some(g),
            Search::Once => None,
        }
    }

    pub(crate) fn steps(&mut self) -> Option<&mut Option<usize>> {
        match self {
            Search::Improve { steps, .. } | Search::Auto { steps, .. } => Some(steps),
            Search::Once => None,
        }
    }

    pub(crate) fn finish(&mut self) -> Option<&mut Option<Finish>> {
        match self {
            Search::Auto { finish, .. } => Some(finish),
            Search::Once | Search::Improve { .. } => None,
        }
    }

    pub(crate) fn samples(&mut self) -> Option<&mut Option<usize>> {
        match self {
            Search::Auto { r, .. } => Some(r),
            Search::Once | Search::Improve { .. } => None,
        }
    }
}

impl Recipe {
    /// IIDT: the greedy tree, improved subtree by subtree (Esmeir and Markovitch 2007). Samples take turns, and a later whole
    /// tree takes over where it is about as small: `sampler=drawn` samples as published.
    pub fn iidt() -> Self {
        Recipe { name: "iidt".into(), search: Search::Improve { g: Search::G, steps: None }, ..Self::by_turns() }
    }

    /// Whatever the time allows: the naive tree, C4.5, look-ahead, improvement.
    pub fn auto() -> Self {
        let c45 = Self::c45();
        Recipe {
            name: "auto".into(),
            search: Search::Auto { g: Search::G, r: None, steps: None, finish: None },
            leaf: c45.leaf,
            collapse: c45.collapse,
            prune: c45.prune,
            ..Self::by_turns()
        }
    }

    /// Look-ahead whose samples become many as time goes on: then some of them may be for parities.
    fn by_turns() -> Self {
        let mut recipe = Self::lsid3_mc();
        if let Some(sampler) = lookahead::sampler(&mut recipe) {
            *sampler = Sampler::Turns;
        }
        recipe
    }

    /// The number of samples of a recipe that looks ahead by samples.
    pub(crate) fn samples_mut(&mut self) -> Option<&mut usize> {
        lookahead::samples(self)
    }

    pub(crate) fn check_search(&self) -> Result<()> {
        let g = match self.search {
            Search::Once => return Ok(()),
            Search::Improve { g, .. } | Search::Auto { g, .. } => g,
        };
        if !(0.0..=1.0).contains(&g) {
            return Err(Error::recipe(format!("g is {g}, expected a share from 0 to 1")));
        }
        if !matches!(self.lookahead, Some(Lookahead::Samples { .. })) {
            return Err(Error::recipe("trees are improved by looking ahead with samples").remedy("use iidt or auto"));
        }
        if !matches!(self.prune, Prune::None | Prune::Pessimistic { .. }) {
            return Err(Error::recipe("a tree that is improved is pruned by what its own rows tell")
                .remedy("use prune=pessimistic or prune=none"));
        }
        Ok(())
    }
}

/// `r`: the most samples of `auto`, or the samples of a recipe that looks ahead.
pub(super) fn set_samples(recipe: &mut Recipe, value: &str) -> Option<()> {
    match recipe.search.samples() {
        Some(most) => *most = if value == "none" { None } else { Some(value.parse().ok()?) },
        None => *recipe.samples_mut()? = value.parse().ok()?,
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_is_changed_by_its_keys_and_others_have_none() {
        let mut auto = Recipe::auto();
        for pair in ["r=8", "steps=40", "g=1", "finish=refit"] {
            auto.set_pair(pair).unwrap();
        }
        let done = Search::Auto { g: 1.0, r: Some(8), steps: Some(40), finish: Some(Finish::Refit) };
        assert_eq!(auto.search, done);
        auto.check().unwrap();
        for mut recipe in [Recipe::iidt(), Recipe::auto()] {
            assert_eq!(lookahead::sampler(&mut recipe), Some(&mut Sampler::Turns));
        }
        for wrong in ["g=2", "prune=cost-complexity"] {
            let mut recipe = Recipe::iidt();
            recipe.set_pair(wrong).unwrap();
            assert!(recipe.check().is_err(), "{wrong}");
        }
        let error = Recipe::c45().set_pair("steps=3").unwrap_err().to_string();
        assert!(error.contains("iidt and auto"), "{error}");
        assert!(Recipe::iidt().set_pair("finish=rerun").is_err());
    }
}
