//! The named learners: short recipes that only assemble. The baselines, `hyper`, `nbtree`, `snbtree` and those that look
//! ahead or search stand beside their own parts.

use super::{
    BinsBy, Candidates, Choose, CostRule, Counts, Cut, CutAt, CutBy, CutLimits, CutOver, Density, Errors, Factored,
    Leaf, Missing, Nominal, Numeric, Prune, RangeBy, Recipe, Score, Search, Shares, Stop, Tables,
};
use crate::error::{Error, Result};

/// A named learner: its name, what it is in one line, and its recipe.
pub struct Preset {
    /// The name `--learner` takes.
    pub name: &'static str,
    /// One line for people.
    pub summary: &'static str,
    /// Assembles the recipe.
    pub recipe: fn() -> Recipe,
}

/// Every learner, in the order in which help shows them.
pub const PRESETS: [Preset; 19] = [
    Preset {
        name: "nt",
        summary: "naive tree: one pass over the data, then C4.5's pruning; the cost of naive Bayes",
        recipe: Recipe::nt,
    },
    Preset {
        name: "c45",
        summary: "C4.5 release 8: gain ratio, fractional missing values, pessimistic pruning",
        recipe: Recipe::c45,
    },
    Preset { name: "j48", summary: "C4.5 exactly as Weka's J48 does it", recipe: Recipe::j48 },
    Preset {
        name: "id3",
        summary: "ID3: information gain, grown until every leaf is pure, never pruned",
        recipe: Recipe::id3,
    },
    Preset {
        name: "id3-k",
        summary: "ID3-k: the attribute that leaves the least entropy after k levels, two by default",
        recipe: Recipe::id3_k,
    },
    Preset {
        name: "sid3",
        summary: "SID3: ID3 whose attributes are drawn in proportion to their gain",
        recipe: Recipe::sid3,
    },
    Preset {
        name: "lsid3",
        summary: "LSID3: the test below which r sampled trees are smallest; sees parity, takes its time",
        recipe: Recipe::lsid3,
    },
    Preset {
        name: "lsid3-mc",
        summary: "LSID3 for numbers: cuts are drawn in proportion to their gain instead of all tried",
        recipe: Recipe::lsid3_mc,
    },
    Preset {
        name: "iidt",
        summary: "IIDT: the greedy tree, one subtree after the other rebuilt with look-ahead; better the longer it runs",
        recipe: Recipe::iidt,
    },
    Preset {
        name: "auto",
        summary: "nt, c45, look-ahead, then improvement of the best, as far as the budget goes",
        recipe: Recipe::auto,
    },
    Preset {
        name: "skew",
        summary: "skewing: where no attribute gains, rows are weighed at random; a cheap look at parity",
        recipe: Recipe::skew,
    },
    Preset {
        name: "cart",
        summary: "CART: Gini index, two-way splits, cost-complexity pruning by cross-validation",
        recipe: Recipe::cart,
    },
    Preset {
        name: "hyper",
        summary: "hypergeometric: splits ranked by the exact probability of their table, none likelier than 0.05",
        recipe: Recipe::hyper,
    },
    Preset {
        name: "nbtree",
        summary: "NBTree: naive Bayes in the leaves, split where that saves 5 % of its held-out errors",
        recipe: Recipe::nbtree,
    },
    Preset {
        name: "snbtree",
        summary: "Self-adaptive NBTree: branches where the most probable class changes, leaves of fitted kernel densities",
        recipe: Recipe::snbtree,
    },
    Preset { name: "nb", summary: "naive Bayes: a tree of one leaf, as Weka's NaiveBayes does it", recipe: Recipe::nb },
    Preset {
        name: "majority",
        summary: "the shares of the classes, whatever the row: a tree of one leaf",
        recipe: Recipe::majority,
    },
    Preset {
        name: "one-r",
        summary: "1R: the one attribute of the fewest training errors, numbers in buckets",
        recipe: Recipe::one_r,
    },
    Preset {
        name: "t2",
        summary: "T2: the two levels of tests of the fewest training errors; for few rows and attributes",
        recipe: Recipe::t2,
    },
];

impl Recipe {
    /// The preset of that name.
    pub fn named(name: &str) -> Result<Self> {
        let preset = PRESETS.iter().find(|preset| preset.name == name);
        preset.map(|preset| (preset.recipe)()).ok_or_else(|| {
            let names: Vec<&str> = PRESETS.iter().map(|preset| preset.name).collect();
            Error::recipe(format!("there is no learner named {name:?}"))
                .remedy(format!("name one of: {}", names.join(", ")))
        })
    }

    /// The preset of this name with some parts changed, as lists of learners write it: `c45`, or
    /// `c45[min-rows=5,collapse=false]`.
    pub fn parse(text: &str) -> Result<Self> {
        let misspelt = || {
            let error = Error::recipe(format!("{text:?} is not a learner with its changes"));
            error.remedy("write for example c45[min-rows=5]")
        };
        let (name, changes) = match text.split_once('[') {
            None => (text, None),
            Some((name, rest)) => {
                let changes = rest.strip_suffix(']').filter(|changes| !changes.is_empty()).ok_or_else(misspelt)?;
                (name, Some(changes))
            }
        };
        let mut recipe = Self::named(name.trim())?;
        for change in changes.into_iter().flat_map(|changes| changes.split(',')).filter(|change| !change.is_empty()) {
            recipe.set_pair(change)?;
        }
        Ok(recipe)
    }

    /// The naive tree (Su and Zhang 2006), scored by its best cuts and by gain ratio.
    pub fn nt() -> Self {
        let c45 = Self::c45();
        Recipe {
            name: "nt".into(),
            tables: Tables::Factored(Factored {
                bins: BinsBy::Width,
                count: None,
                range: RangeBy::Path,
                counts: Counts::Presence,
                recount: Some(16),
                promise: Some(1.0),
                kept: Some(0.5),
            }),
            score: Score::Independent,
            stop: Stop { min_rows: 1.0, ..c45.stop },
            missing: Missing::Impute,
            ..c45
        }
    }

    /// C4.5 release 8 (Quinlan 1993, 1996).
    pub fn c45() -> Self {
        Recipe {
            name: "c45".into(),
            candidates: Candidates {
                nominal: Nominal::Levels,
                numeric: Numeric::Threshold,
                cut: Cut {
                    by: CutBy::Gain,
                    over: CutOver::Rows,
                    bins: 255,
                    at: CutAt::Observed,
                    limits: CutLimits::C45,
                    mdl: true,
                },
            },
            tables: Tables::Counted,
            score: Score::GainRatio,
            choose: Choose::AboveAverage,
            lookahead: None,
            stop: Stop {
                min_rows: 2.0,
                max_depth: None,
                max_leaves: None,
                to_purity: false,
                significance: None,
                rows: None,
                reduction: None,
            },
            leaf: Leaf::Distribution,
            collapse: true,
            prune: Prune::Pessimistic { confidence: 0.25, raising: true, errors: Errors::C45 },
            missing: Missing::Fractions,
            search: Search::Once,
            leaf_penalty: 0.0,
            seed: 1,
        }
    }

    /// C4.5 as Weka's J48 does it: the same tree, node for node.
    pub fn j48() -> Self {
        Recipe {
            name: "j48".into(),
            choose: Choose::AboveAverageJ48,
            prune: Prune::Pessimistic { confidence: 0.25, raising: true, errors: Errors::J48 },
            ..Self::c45()
        }
    }

    /// ID3 grown to consistency (Quinlan 1986).
    pub fn id3() -> Self {
        let c45 = Self::c45();
        Recipe {
            name: "id3".into(),
            candidates: Candidates {
                cut: Cut { at: CutAt::Midpoint, limits: CutLimits::MinRows, mdl: false, ..c45.candidates.cut },
                ..c45.candidates
            },
            score: Score::Gain,
            choose: Choose::Best,
            stop: Stop { min_rows: 0.0, to_purity: true, ..c45.stop },
            leaf: Leaf::Majority,
            collapse: false,
            prune: Prune::None,
            ..c45
        }
    }

    /// CART (Breiman, Friedman, Olshen and Stone 1984).
    pub fn cart() -> Self {
        let c45 = Self::c45();
        Recipe {
            name: "cart".into(),
            candidates: Candidates {
                nominal: Nominal::Subset,
                cut: Cut {
                    by: CutBy::Gini,
                    at: CutAt::Midpoint,
                    limits: CutLimits::MinRows,
                    mdl: false,
                    ..c45.candidates.cut
                },
                ..c45.candidates
            },
            score: Score::Gini,
            choose: Choose::Best,
            stop: Stop { min_rows: 5.0, ..c45.stop },
            collapse: false,
            prune: Prune::CostComplexity { folds: 10, rule: CostRule::OneSe },
            missing: Missing::Learned,
            ..c45
        }
    }

    /// Naive Bayes (John and Langley 1995): a tree that is not grown, with the leaf of all rows.
    pub fn nb() -> Self {
        let c45 = Self::c45();
        Recipe {
            name: "nb".into(),
            stop: Stop { max_depth: Some(0), ..c45.stop },
            leaf: Leaf::Nb { density: Density::Normal, counts: Shares::AddOne },
            collapse: false,
            prune: Prune::None,
            ..c45
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_is_sound_and_survives_its_document() {
        for preset in &PRESETS {
            let recipe = (preset.recipe)();
            recipe.check().unwrap();
            assert_eq!(recipe.name, preset.name);
            let text = serde_json::to_string(&recipe).unwrap();
            assert_eq!(serde_json::from_str::<Recipe>(&text).unwrap(), recipe);
        }
    }

    #[test]
    fn an_unknown_learner_lists_the_known_ones() {
        let error = Recipe::named("c5").unwrap_err().to_string();
        assert!(
            error.contains(
                "nt, c45, j48, id3, id3-k, sid3, lsid3, lsid3-mc, iidt, auto, skew, cart, hyper, nbtree, snbtree, nb, majority, one-r, t2"
            ),
            "{error}"
        );
    }
}
