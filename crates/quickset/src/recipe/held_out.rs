//! Growing by the errors that naive Bayes makes on held-out rows: what it demands of the other parts, and NBTree.

use super::{Choose, Density, Leaf, Prune, Recipe, Score, Shares, Stop};
use crate::error::{Error, Result};

impl Recipe {
    /// NBTree (Kohavi 1996) as Weka does it: C4.5's split of each attribute, scored by naive Bayes in the branches.
    pub fn nbtree() -> Self {
        let c45 = Self::c45();
        Recipe {
            name: "nbtree".into(),
            score: Score::HeldOut,
            choose: Choose::Best,
            stop: Stop { rows: Some(30.0), reduction: Some(0.05), ..c45.stop },
            leaf: Leaf::Nb { density: Density::Discretised, counts: Shares::AddOne },
            collapse: false,
            prune: Prune::None,
            ..c45
        }
    }

    /// Whether growing asks how naive Bayes does on held-out rows.
    pub(crate) fn holds_out(&self) -> bool {
        self.score == Score::HeldOut || self.stop.reduction.is_some()
    }

    /// Refuses numbers out of range, and held-out errors of leaves that have none.
    pub(super) fn check_held_out(&self) -> Result<()> {
        if let Some(rows) = self.stop.rows.filter(|rows| !(0.0..=1e15).contains(rows)) {
            return Err(Error::recipe(format!("stop.rows is {rows}, expected a number from 0")));
        }
        if let Some(share) = self.stop.reduction.filter(|share| !(0.0..1.0).contains(share)) {
            return Err(Error::recipe(format!("stop.reduction is {share}, expected from 0 and below 1")));
        }
        if !self.holds_out() {
            return Ok(());
        }
        match self.leaf {
            Leaf::Nb { density: Density::Multinomial, .. } => {
                Err(Error::recipe("held-out errors are of levels and numbers, and leaf.density=multinomial has counts")
                    .remedy("use leaf.density=normal, kernel, adaptive or discretised"))
            }
            Leaf::Nb { .. } => Ok(()),
            _ => Err(Error::recipe("score=held-out and stop.reduction ask how naive Bayes leaves do on held-out rows")
                .remedy("use leaf=nb, or another score and stop.reduction=none")),
        }
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
    fn held_out_errors_are_of_naive_bayes_leaves() {
        for (name, changes) in [
            ("c45", &["stop.reduction=0.05"][..]),
            ("c45", &["score=held-out"]),
            ("nbtree", &["leaf=laplace"]),
            ("nbtree", &["leaf.density=multinomial"]),
            ("nbtree", &["tables=factored"]),
        ] {
            assert!(with(name, changes).is_err(), "{name} {changes:?}");
        }
        let recipe = with("c45", &["leaf=nb", "stop.reduction=0.1", "stop.rows=50"]).unwrap();
        assert_eq!((recipe.stop.reduction, recipe.stop.rows), (Some(0.1), Some(50.0)));
        with("nt", &["leaf=nb", "stop.reduction=0.05"]).unwrap();
        with("nbtree", &["leaf.density=kernel", "stop.reduction=none", "stop.rows=none"]).unwrap();
    }

    #[test]
    fn numbers_out_of_range_are_refused() {
        for change in ["stop.rows=-1", "stop.rows=nan", "stop.reduction=1", "stop.reduction=-0.1", "stop.reduction=nan"]
        {
            assert!(with("nbtree", &[change]).unwrap_err().to_string().contains("expected"), "{change}");
        }
        assert!(with("nbtree", &["stop.rows=few"]).unwrap_err().to_string().contains("or none"));
    }

    /// The checksum of a model file is of what is written again, so old files must be written as they were.
    #[test]
    fn a_recipe_that_holds_nothing_out_is_written_as_before() {
        let text = serde_json::to_string(&Recipe::c45().stop).unwrap();
        assert_eq!(text, r#"{"min_rows":2.0,"max_depth":null,"to_purity":false}"#);
    }
}
