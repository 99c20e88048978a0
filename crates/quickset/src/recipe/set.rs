//! `--set part.key=value`: every key, the words it takes, and what it changes.

use std::str::FromStr;

use serde::de::DeserializeOwned;

use super::search::set_samples;
use super::significance::set_level;
use super::{
    Choose, CostRule, Delta, Density, Errors, Factored, FixedCuts, Leaf, Numeric, Prune, Recipe, Score, Shares, Tables,
    lookahead,
};
use crate::error::{Error, Result};

/// One key of `--set`.
struct Key {
    name: &'static str,
    /// The values it takes, for people.
    values: &'static str,
    /// Changes the recipe, or answers `None` where the value does not fit.
    apply: fn(&mut Recipe, &str) -> Option<()>,
}

const KEYS: &[Key] = &[
    Key {
        name: "score",
        values: "gain|gain-ratio|gini|distance|orthogonality|chi2|g2|beta|hypergeometric|errors|errors-ahead|bayes|held-out, and for factored tables independent|igr|iig",
        apply: set_score,
    },
    Key { name: "delta", values: "paper|loo", apply: |r, v| put(delta(r)?, word(v)) },
    Key {
        name: "choose",
        values: "best|best-no-identifier|above-average|above-average-j48|drawn|uniform|ordered",
        apply: |r, v| put(&mut r.choose, word(v)),
    },
    Key { name: "r", values: "0 or more", apply: set_samples },
    Key { name: "sampler", values: "drawn|uniform|ordered|turns", apply: |r, v| put(lookahead::sampler(r)?, word(v)) },
    Key { name: "p", values: "a number above 0, or none", apply: lookahead::set_share },
    Key { name: "k", values: "1 or more", apply: |r, v| put(lookahead::levels(r)?, v.parse().ok()) },
    Key { name: "skew.times", values: "1 or more", apply: |r, v| put(&mut lookahead::skew(r)?.times, v.parse().ok()) },
    Key {
        name: "skew.threshold",
        values: "bits from 0",
        apply: |r, v| put(&mut lookahead::skew(r)?.threshold, v.parse().ok()),
    },
    Key {
        name: "skew.s",
        values: "above 0.5 and below 1",
        apply: |r, v| put(&mut lookahead::skew(r)?.s, v.parse().ok()),
    },
    Key {
        name: "skew.sequential",
        values: "true|false",
        apply: |r, v| put(&mut lookahead::skew(r)?.sequential, v.parse().ok()),
    },
    Key { name: "tables", values: "counted|factored", apply: |r, v| put(&mut r.tables, tables(v)) },
    Key { name: "bins", values: "width|frequency|mdl", apply: |r, v| put(&mut factored(r)?.bins, word(v)) },
    Key {
        name: "bins.count",
        values: "2 or more, or sqrt",
        apply: |r, v| put(&mut factored(r)?.count, if v == "sqrt" { Some(None) } else { v.parse().ok().map(Some) }),
    },
    Key { name: "range", values: "path|observed", apply: |r, v| put(&mut factored(r)?.range, word(v)) },
    Key { name: "counts", values: "presence|counts", apply: |r, v| put(&mut factored(r)?.counts, word(v)) },
    Key {
        name: "tables.recount",
        values: "2 or more, or never",
        apply: |r, v| put(&mut factored(r)?.recount, if v == "never" { Some(None) } else { v.parse().ok().map(Some) }),
    },
    Key {
        name: "tables.promise",
        values: "bits from 0, or none",
        apply: |r, v| put(&mut factored(r)?.promise, optional(v)),
    },
    Key {
        name: "tables.kept",
        values: "a share from 0 to 1, or none",
        apply: |r, v| put(&mut factored(r)?.kept, optional(v)),
    },
    Key { name: "nominal", values: "levels|subset|value", apply: |r, v| put(&mut r.candidates.nominal, word(v)) },
    Key {
        name: "numeric",
        values: "threshold|buckets|intervals|crossings|quartiles|natural|mdl|sqrt",
        apply: set_numeric,
    },
    Key { name: "numeric.bucket", values: "1 or more", apply: |r, v| put(bucket(r)?, v.parse().ok()) },
    Key { name: "numeric.ways", values: "many|two", apply: |r, v| put(r.candidates.numeric.ways()?, word(v)) },
    Key { name: "cut", values: "rows|bins", apply: |r, v| put(&mut r.candidates.cut.over, word(v)) },
    Key { name: "cut.by", values: "gain|gini|hypergeometric", apply: |r, v| put(&mut r.candidates.cut.by, word(v)) },
    Key { name: "cut.bins", values: "2 to 255", apply: |r, v| put(&mut r.candidates.cut.bins, v.parse().ok()) },
    Key { name: "cut.at", values: "observed|midpoint", apply: |r, v| put(&mut r.candidates.cut.at, word(v)) },
    Key { name: "cut.limits", values: "c45|min-rows", apply: |r, v| put(&mut r.candidates.cut.limits, word(v)) },
    Key { name: "cut.mdl", values: "true|false", apply: |r, v| put(&mut r.candidates.cut.mdl, v.parse().ok()) },
    Key { name: "min-rows", values: "a number from 0", apply: |r, v| put(&mut r.stop.min_rows, v.parse().ok()) },
    Key { name: "max-depth", values: "a whole number, or none", apply: |r, v| put(&mut r.stop.max_depth, optional(v)) },
    Key { name: "max-leaves", values: "1 or more, or none", apply: |r, v| put(&mut r.stop.max_leaves, optional(v)) },
    Key {
        name: "leaf-penalty",
        values: "a share of the rows from 0 to 1, such as 0.001",
        apply: |r, v| put(&mut r.leaf_penalty, v.parse().ok()),
    },
    Key { name: "g", values: "a share from 0 to 1", apply: |r, v| put(r.search.granularity()?, v.parse().ok()) },
    Key { name: "steps", values: "a whole number, or none", apply: |r, v| put(r.search.steps()?, optional(v)) },
    Key {
        name: "finish",
        values: "rerun|refit, or none",
        apply: |r, v| put(r.search.finish()?, if v == "none" { Some(None) } else { word(v).map(Some) }),
    },
    Key { name: "stop.to-purity", values: "true|false", apply: |r, v| put(&mut r.stop.to_purity, v.parse().ok()) },
    Key { name: "stop.p", values: "a number above 0 and below 1, or none", apply: set_level },
    Key {
        name: "stop.mode",
        values: "auto|point|tail|ratio",
        apply: |r, v| put(&mut r.stop.significance.as_mut()?.mode, word(v)),
    },
    Key {
        name: "stop.bonferroni",
        values: "true|false",
        apply: |r, v| put(&mut r.stop.significance.as_mut()?.bonferroni, v.parse().ok()),
    },
    Key { name: "stop.rows", values: "a number from 0, or none", apply: |r, v| put(&mut r.stop.rows, optional(v)) },
    Key {
        name: "stop.reduction",
        values: "a number from 0 and below 1, or none",
        apply: |r, v| put(&mut r.stop.reduction, optional(v)),
    },
    Key {
        name: "leaf",
        values: "majority|distribution|laplace|m-estimate|nb",
        apply: |r, v| put(&mut r.leaf, leaf(v)),
    },
    Key { name: "leaf.m", values: "a number from 0", apply: |r, v| put(rows_added(r)?, v.parse().ok()) },
    Key {
        name: "leaf.density",
        values: "normal|kernel|adaptive|discretised|multinomial",
        apply: |r, v| put(density(r)?, word(v)),
    },
    Key { name: "leaf.counts", values: "add-one|ml", apply: |r, v| put(shares(r)?, word(v)) },
    Key { name: "collapse", values: "true|false", apply: |r, v| put(&mut r.collapse, v.parse().ok()) },
    Key {
        name: "prune",
        values: "none|pessimistic|reduced-error|cost-complexity",
        apply: |r, v| put(&mut r.prune, pruner(v)),
    },
    Key { name: "prune.confidence", values: "above 0 and at most 0.5", apply: set_confidence },
    Key { name: "prune.raising", values: "true|false", apply: set_raising },
    Key { name: "prune.errors", values: "j48|c45", apply: set_errors },
    Key { name: "prune.folds", values: "2 or more", apply: set_folds },
    Key { name: "prune.rule", values: "one-se|min", apply: set_rule },
    Key { name: "missing", values: "fractions|learned|impute|own", apply: |r, v| put(&mut r.missing, word(v)) },
];

/// Every key of `--set` with the values it takes, in order.
pub fn keys() -> impl Iterator<Item = (&'static str, &'static str)> {
    KEYS.iter().map(|key| (key.name, key.values))
}

impl Recipe {
    /// Changes one part, as `--set key=value` does.
    pub fn set(&mut self, key: &str, value: &str) -> Result<()> {
        let Some(found) = KEYS.iter().find(|known| known.name == key) else {
            let names: Vec<&str> = KEYS.iter().map(|known| known.name).collect();
            return Err(Error::recipe(format!("there is no part named {key:?}"))
                .remedy(format!("name one of: {}", names.join(", "))));
        };
        let misfit = || {
            let mut error =
                Error::recipe(format!("{key}={value} is not valid")).remedy(format!("{key} takes {}", found.values));
            if ["bins", "bins.count", "range", "counts"].contains(&key) || key.starts_with("tables.") {
                error = Error::recipe(format!("{key}={value} is not valid for these tables"))
                    .remedy(format!("{key} takes {} where tables=factored", found.values));
            }
            if key == "numeric.bucket" {
                error = Error::recipe(format!("{key}={value} is not valid for these numbers"))
                    .remedy(format!("{key} takes {} where numeric=buckets", found.values));
            }
            if key == "numeric.ways" {
                error = Error::recipe(format!("{key}={value} is not valid for these numbers"))
                    .remedy(format!("{key} takes {} where numeric=quartiles|natural|mdl|sqrt", found.values));
            }
            if ["stop.mode", "stop.bonferroni"].contains(&key) {
                error = Error::recipe(format!("{key}={value} is not valid here"))
                    .remedy(format!("{key} takes {} where stop.p is set", found.values));
            }
            if ["g", "steps", "finish"].contains(&key) {
                error = Error::recipe(format!("{key}={value} is not valid here"))
                    .remedy(format!("{key} takes {} where trees are improved: learners iidt and auto", found.values));
            }
            if let Some(learners) = lookahead::who_has(key) {
                error = Error::recipe(format!("{key}={value} is not valid for this learner"))
                    .remedy(format!("{key} takes {} in recipes that look ahead as {learners} do", found.values));
            }
            if key == "delta" {
                error = Error::recipe(format!("{key}={value} is not valid for this score"))
                    .remedy(format!("{key} takes {} where score=bayes", found.values));
            }
            if ["leaf.density", "leaf.counts"].contains(&key) {
                error = Error::recipe(format!("{key}={value} is not valid for these leaves"))
                    .remedy(format!("{key} takes {} where leaf=nb", found.values));
            }
            if key == "leaf.m" {
                error = Error::recipe(format!("{key}={value} is not valid for these leaves"))
                    .remedy(format!("{key} takes {} where leaf=m-estimate", found.values));
            }
            if key.starts_with("prune.") {
                error = Error::recipe(format!("{key}={value} is not valid for prune={}", pruner_name(&self.prune)))
                    .remedy(format!("{key} takes {} where the pruner has it", found.values));
            }
            error
        };
        let mut changed = self.clone();
        (found.apply)(&mut changed, value).ok_or_else(misfit)?;
        *self = changed;
        Ok(())
    }

    /// Changes one part by `key=value`.
    pub fn set_pair(&mut self, pair: &str) -> Result<()> {
        let (key, value) = pair.split_once('=').ok_or_else(|| {
            Error::recipe(format!("found {pair:?}, expected key=value")).remedy("write for example min-rows=5")
        })?;
        self.set(key.trim(), value.trim())
    }
}

fn put<T>(field: &mut T, value: Option<T>) -> Option<()> {
    *field = value?;
    Some(())
}

/// A word of one of the recipe's enums, as its document spells it.
fn word<T: DeserializeOwned>(value: &str) -> Option<T> {
    serde_json::from_value(serde_json::Value::String(value.into())).ok()
}

fn optional<T: FromStr>(value: &str) -> Option<Option<T>> {
    if value == "none" { Some(None) } else { value.parse().ok().map(Some) }
}

fn tables(value: &str) -> Option<Tables> {
    match value {
        "counted" => Some(Tables::Counted),
        "factored" => Some(Recipe::nt().tables),
        _ => None,
    }
}

/// The factored tables of a recipe that has them.
fn factored(recipe: &mut Recipe) -> Option<&mut Factored> {
    match &mut recipe.tables {
        Tables::Factored(factored) => Some(factored),
        Tables::Counted => None,
    }
}

/// The paper's score chooses by the plain best of tables that are counted once and believed, the ratio among those of
/// average gain.
fn set_score(recipe: &mut Recipe, value: &str) -> Option<()> {
    let bayes = || (value == "bayes").then_some(Score::Bayes { delta: Delta::Paper });
    put(&mut recipe.score, word(value).or_else(bayes))?;
    match recipe.score {
        Score::Iig => {
            recipe.choose = Choose::Best;
            let factored = factored(recipe).into_iter();
            factored.for_each(|factored| (factored.recount, factored.promise, factored.kept) = (None, None, None));
        }
        Score::Independent | Score::Igr => recipe.choose = Choose::AboveAverage,
        _ => {}
    }
    Some(())
}

/// Other fixed cuts leave the number of branches as it is.
fn set_numeric(recipe: &mut Recipe, value: &str) -> Option<()> {
    let numeric = &mut recipe.candidates.numeric;
    let ways = numeric.ways().map_or_else(Default::default, |ways| *ways);
    let fixed = word::<FixedCuts>(value).map(|cuts| Numeric::Fixed { cuts, ways });
    let buckets = || (value == "buckets").then(|| Recipe::one_r().candidates.numeric);
    put(numeric, fixed.or_else(buckets).or_else(|| word(value)))
}

/// The size of a bucket of a recipe that has buckets.
fn bucket(recipe: &mut Recipe) -> Option<&mut usize> {
    match &mut recipe.candidates.numeric {
        Numeric::Buckets { bucket } => Some(bucket),
        Numeric::Threshold | Numeric::Intervals | Numeric::Crossings | Numeric::Fixed { .. } => None,
    }
}

fn leaf(value: &str) -> Option<Leaf> {
    match value {
        "nb" => Some(Recipe::nb().leaf),
        "m-estimate" => Some(Leaf::MEstimate { m: 2.0 }),
        _ => word(value),
    }
}

/// How many rows the leaves of a recipe add, if they do.
fn rows_added(recipe: &mut Recipe) -> Option<&mut f64> {
    match &mut recipe.leaf {
        Leaf::MEstimate { m } => Some(m),
        _ => None,
    }
}

/// The density of a recipe whose leaves have one.
fn density(recipe: &mut Recipe) -> Option<&mut Density> {
    match &mut recipe.leaf {
        Leaf::Nb { density, .. } => Some(density),
        _ => None,
    }
}

/// How the leaves of a recipe tell shares from counts, where they do.
fn shares(recipe: &mut Recipe) -> Option<&mut Shares> {
    match &mut recipe.leaf {
        Leaf::Nb { counts, .. } => Some(counts),
        _ => None,
    }
}

/// Whose word counts in the Bayes measure of a recipe that scores by it.
fn delta(recipe: &mut Recipe) -> Option<&mut Delta> {
    match &mut recipe.score {
        Score::Bayes { delta } => Some(delta),
        _ => None,
    }
}

fn pruner(value: &str) -> Option<Prune> {
    match value {
        "none" => Some(Prune::None),
        "pessimistic" => Some(Prune::Pessimistic { confidence: 0.25, raising: true, errors: Errors::C45 }),
        "reduced-error" => Some(Prune::ReducedError { folds: 3 }),
        "cost-complexity" => Some(Prune::CostComplexity { folds: 10, rule: CostRule::OneSe }),
        _ => None,
    }
}

fn pruner_name(prune: &Prune) -> &'static str {
    match prune {
        Prune::None => "none",
        Prune::Pessimistic { .. } => "pessimistic",
        Prune::ReducedError { .. } => "reduced-error",
        Prune::CostComplexity { .. } => "cost-complexity",
    }
}

fn set_confidence(recipe: &mut Recipe, value: &str) -> Option<()> {
    match &mut recipe.prune {
        Prune::Pessimistic { confidence, .. } => put(confidence, value.parse().ok()),
        _ => None,
    }
}

fn set_raising(recipe: &mut Recipe, value: &str) -> Option<()> {
    match &mut recipe.prune {
        Prune::Pessimistic { raising, .. } => put(raising, value.parse().ok()),
        _ => None,
    }
}

fn set_errors(recipe: &mut Recipe, value: &str) -> Option<()> {
    match &mut recipe.prune {
        Prune::Pessimistic { errors, .. } => put(errors, word(value)),
        _ => None,
    }
}

fn set_folds(recipe: &mut Recipe, value: &str) -> Option<()> {
    match &mut recipe.prune {
        Prune::ReducedError { folds } | Prune::CostComplexity { folds, .. } => put(folds, value.parse().ok()),
        _ => None,
    }
}

fn set_rule(recipe: &mut Recipe, value: &str) -> Option<()> {
    match &mut recipe.prune {
        Prune::CostComplexity { rule, .. } => put(rule, word(value)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::Score;
    use super::*;

    #[test]
    fn a_key_changes_its_part_only() {
        let mut recipe = Recipe::j48();
        recipe.set_pair("prune.confidence=0.1").unwrap();
        recipe.set_pair("leaf=laplace").unwrap();
        recipe.set_pair("max-depth=4").unwrap();
        let expected = Prune::Pessimistic { confidence: 0.1, raising: true, errors: Errors::J48 };
        assert_eq!(recipe.prune, expected);
        assert_eq!(recipe.leaf, Leaf::Laplace);
        assert_eq!(recipe.stop.max_depth, Some(4));
        assert_eq!(recipe.score, Score::GainRatio);
        recipe.set_pair("leaf=nb").unwrap();
        recipe.set_pair("leaf.density=kernel").unwrap();
        assert_eq!(recipe.leaf, Leaf::Nb { density: Density::Kernel, counts: Shares::AddOne });
        assert!(recipe.set_pair("leaf.m=3").unwrap_err().to_string().contains("where leaf=m-estimate"));
        recipe.set_pair("leaf=m-estimate").unwrap();
        assert_eq!(recipe.leaf, Leaf::MEstimate { m: 2.0 });
        recipe.set_pair("leaf.m=-1").unwrap();
        assert!(recipe.check().unwrap_err().to_string().contains("leaf.m is -1"));
    }

    #[test]
    fn unknown_keys_and_values_are_refused_with_the_valid_ones() {
        let mut recipe = Recipe::c45();
        let error = recipe.set_pair("depth=4").unwrap_err().to_string();
        assert!(error.contains("max-depth"), "{error}");
        let error = recipe.set_pair("leaf=oak").unwrap_err().to_string();
        assert!(error.contains("majority|distribution|laplace"), "{error}");
        let error = recipe.set_pair("leaf.density=kernel").unwrap_err().to_string();
        assert!(error.contains("where leaf=nb"), "{error}");
        assert!(recipe.set_pair("leaf").unwrap_err().to_string().contains("key=value"));
        let error = recipe.set_pair("prune.rule=min").unwrap_err().to_string();
        assert!(error.contains("prune=pessimistic"), "{error}");
        assert_eq!(recipe, Recipe::c45());
    }
}
