//! Self-adaptive NBTree, and the words that came with it.

use serde::{Deserialize, Serialize};

use super::{Candidates, Choose, Density, Leaf, Missing, Numeric, Recipe, Score, Stop};

/// Whether a number's own row helps to tell which class is the most probable one there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Delta {
    /// It does, as in the paper: the narrower the kernels, the better numbers look.
    Paper,
    /// It is left out.
    Loo,
}

/// How naive Bayes tells shares from counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shares {
    /// After one row more of every case.
    #[default]
    AddOne,
    /// As they are: a case that a class never had all but excludes the class.
    Ml,
}

impl Shares {
    /// How many rows more of every case there are.
    pub(crate) fn more(self) -> f64 {
        match self {
            Shares::AddOne => 1.0,
            Shares::Ml => 0.0,
        }
    }

    pub(super) fn is_add_one(&self) -> bool {
        *self == Shares::AddOne
    }
}

impl Score {
    /// The word that `score` takes.
    pub(super) fn word(self) -> String {
        match self {
            Score::Bayes { .. } => "bayes".into(),
            plain => serde_json::to_string(&plain).unwrap_or_default().replace('"', ""),
        }
    }
}

impl Recipe {
    /// Self-adaptive NBTree: the attribute by which the most probable class is right most often, numbers between the
    /// places where that class changes, and naive Bayes with kernel densities in the leaves. Split as long as that saves
    /// 5 % of the held-out errors of more than 30 rows.
    pub fn snbtree() -> Self {
        let nbtree = Self::nbtree();
        Recipe {
            name: "snbtree".into(),
            candidates: Candidates { numeric: Numeric::Crossings, ..nbtree.candidates },
            score: Score::Bayes { delta: Delta::Paper },
            // What identifies the row is always right about the rows it was told by, and would end every tree.
            choose: Choose::BestNoIdentifier,
            stop: Stop { min_rows: 0.0, rows: Some(31.0), ..nbtree.stop },
            leaf: Leaf::Nb { density: Density::Adaptive, counts: Shares::AddOne },
            missing: Missing::Impute,
            ..nbtree
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delta_and_counts_are_set_by_words() {
        let mut recipe = Recipe::snbtree();
        recipe.set_pair("delta=loo").unwrap();
        recipe.set_pair("leaf.counts=ml").unwrap();
        assert_eq!(recipe.score, Score::Bayes { delta: Delta::Loo });
        assert_eq!(recipe.leaf, Leaf::Nb { density: Density::Adaptive, counts: Shares::Ml });
        recipe.check().unwrap();
        let text = serde_json::to_string(&recipe).unwrap();
        assert_eq!(serde_json::from_str::<Recipe>(&text).unwrap(), recipe);
        let error = recipe.set_pair("delta=most").unwrap_err().to_string();
        assert!(error.contains("paper|loo where score=bayes"), "{error}");
        let mut recipe = Recipe::c45();
        let error = recipe.set_pair("leaf.counts=ml").unwrap_err().to_string();
        assert!(error.contains("add-one|ml where leaf=nb"), "{error}");
        assert!(recipe.set_pair("delta=loo").is_err());
        recipe.set_pair("score=bayes").unwrap();
        recipe.set_pair("delta=loo").unwrap();
        recipe.set_pair("stop.p=0.05").unwrap();
        let error = recipe.check().unwrap_err().to_string();
        assert!(error.contains("score=bayes has none"), "{error}");
    }

    #[test]
    fn parts_that_do_not_fit_together_are_refused() {
        for (name, change) in
            [("nt", "score=bayes"), ("nt", "numeric=crossings"), ("cart", "numeric=crossings"), ("snbtree", "cut=bins")]
        {
            let mut recipe = Recipe::named(name).unwrap();
            recipe.set_pair(change).unwrap();
            assert!(recipe.check().is_err(), "{name} {change}");
        }
        for (name, change) in [("c45", "numeric=crossings"), ("id3", "score=bayes"), ("snbtree", "missing=own")] {
            let mut recipe = Recipe::named(name).unwrap();
            recipe.set_pair(change).unwrap();
            recipe.check().unwrap();
        }
    }

    /// The checksum of a model file is of what is written again, so old files must be written as they were.
    #[test]
    fn leaves_from_before_there_was_a_choice_are_read_and_written_as_they_were() {
        let text = serde_json::to_string(&Recipe::nb().leaf).unwrap();
        assert_eq!(text, r#"{"nb":{"density":"normal"}}"#);
        assert_eq!(serde_json::from_str::<Leaf>(&text).unwrap(), Recipe::nb().leaf);
    }
}
