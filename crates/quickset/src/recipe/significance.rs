//! Stopping where a split may be chance: the level, how it is compared, and the learner that lives by it.

use serde::{Deserialize, Serialize};

use super::{Candidates, Choose, Cut, CutBy, Recipe, Score, Stop, Tables};
use crate::error::{Error, Result};

/// A node stays a leaf if its best split may be chance: by the score that ranked the splits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Significance {
    /// The level: a split is made if its probability is at most this.
    pub p: f64,
    /// Which probability of the hypergeometric score is compared.
    pub mode: StopMode,
    /// Whether the probability is multiplied by the number of splits among which the best was chosen.
    pub bonferroni: bool,
}

/// Which probability is compared with the level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StopMode {
    /// By point at nodes of at most 1000 rows, by tail above, where a point is always improbable.
    Auto,
    /// That of exactly this table (Martin 1997).
    Point,
    /// That of all tables at most as likely (Fisher 1935).
    Tail,
    /// That of this table over that of the likeliest.
    Ratio,
}

impl StopMode {
    /// Up to this weight of a node `auto` takes the point. From about 1020 on no split of two even classes is likelier
    /// than 0.05.
    const MOST_BY_POINT: f64 = 1000.0;

    /// What is compared at a node of this weight: never `auto`.
    pub(crate) fn at(self, weight: f64) -> Self {
        match self {
            StopMode::Auto if weight <= Self::MOST_BY_POINT => StopMode::Point,
            StopMode::Auto => StopMode::Tail,
            chosen => chosen,
        }
    }
}

/// The scores that have a p-value, as a refusal lists them.
const WITH_P: &str = "chi2, g2 or hypergeometric";

impl Recipe {
    /// Martin and Hirschberg's learner: splits are ranked by their hypergeometric probability, cuts are placed by it,
    /// and a node stays a leaf where its best split is likelier than 0.05.
    pub fn hyper() -> Self {
        let id3 = Self::id3();
        Recipe {
            name: "hyper".into(),
            candidates: Candidates { cut: Cut { by: CutBy::Hypergeometric, ..id3.candidates.cut }, ..id3.candidates },
            score: Score::Hypergeometric,
            // The more branches, the less probable a table is, whatever it tells: an identifier would always win.
            choose: Choose::BestNoIdentifier,
            stop: Stop { to_purity: false, significance: Some(Self::FIVE_PERCENT), ..id3.stop },
            ..id3
        }
    }

    /// What `stop.p` starts from.
    pub(super) const FIVE_PERCENT: Significance = Significance { p: 0.05, mode: StopMode::Auto, bonferroni: false };

    /// Refuses a level for scores that have no p-value, and scores that need what factored tables do not have.
    pub(super) fn check_significance(&self) -> Result<()> {
        use Score::{Bayes, Beta, Chi2, Distance, G2, HeldOut, Hypergeometric, Orthogonality};
        let score = self.score.word();
        let of_counts =
            matches!(self.score, Distance | Orthogonality | Chi2 | G2 | Beta | Bayes { .. } | Hypergeometric | HeldOut);
        if of_counts && self.tables != Tables::Counted {
            return Err(Error::recipe(format!("score={score} is of rows that are counted, and these tables are not"))
                .remedy("use tables=counted, or score=igr, iig, gain, gain-ratio or gini"));
        }
        let Some(Significance { p, mode, .. }) = &self.stop.significance else { return Ok(()) };
        if !(*p > 0.0 && *p < 1.0) {
            return Err(Error::recipe(format!("stop.p is {p}, expected above 0 and below 1")));
        }
        match self.score {
            Hypergeometric => Ok(()),
            Chi2 | G2 if matches!(mode, StopMode::Auto | StopMode::Tail) => Ok(()),
            Chi2 | G2 => Err(Error::recipe(format!("score={score} has the p-value of a tail, no point and no ratio"))
                .remedy("use stop.mode=auto or tail, or score=hypergeometric")),
            Beta => Err(Error::recipe("stop.p is a level for p-values, and score=beta has none")
                .remedy(format!("use score={WITH_P}, or stop.p=none: beta stops where no split beats none"))),
            _ => Err(Error::recipe(format!("stop.p is a level for p-values, and score={score} has none"))
                .remedy(format!("use score={WITH_P}, or stop.p=none"))),
        }
    }
}

/// `stop.p`: a level, or none.
pub(super) fn set_level(recipe: &mut Recipe, value: &str) -> Option<()> {
    if value == "none" {
        recipe.stop.significance = None;
        return Some(());
    }
    recipe.stop.significance.get_or_insert(Recipe::FIVE_PERCENT).p = value.parse().ok()?;
    Some(())
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
    fn a_level_needs_a_p_value() {
        let scores = ["gain", "gain-ratio", "gini", "distance", "orthogonality", "beta", "errors"];
        for score in scores {
            let error = with("id3", &[&format!("score={score}"), "stop.p=0.05"]).unwrap_err().to_string();
            assert!(error.contains(&format!("score={score} has none")) && error.contains(WITH_P), "{error}");
        }
        for score in ["chi2", "g2", "hypergeometric"] {
            with("id3", &[&format!("score={score}"), "stop.p=0.05"]).unwrap();
        }
        for p in ["0", "1", "-0.1", "5", "nan", "inf"] {
            let error = with("hyper", &[&format!("stop.p={p}")]).unwrap_err().to_string();
            assert!(error.contains("above 0 and below 1"), "{error}");
        }
        assert!(with("hyper", &["stop.p=five"]).unwrap_err().to_string().contains("or none"));
    }

    #[test]
    fn modes_are_of_a_level_and_points_are_hypergeometric() {
        let error = with("c45", &["stop.mode=tail"]).unwrap_err().to_string();
        assert!(error.contains("where stop.p is set"), "{error}");
        let error = with("hyper", &["stop.mode=middle"]).unwrap_err().to_string();
        assert!(error.contains("auto|point|tail|ratio"), "{error}");
        let error = with("id3", &["score=chi2", "stop.p=0.05", "stop.mode=point"]).unwrap_err().to_string();
        assert!(error.contains("no point"), "{error}");
        let recipe = with("hyper", &["stop.mode=ratio", "stop.bonferroni=true", "stop.p=0.01"]).unwrap();
        let expected = Significance { p: 0.01, mode: StopMode::Ratio, bonferroni: true };
        assert_eq!(recipe.stop.significance, Some(expected));
        assert_eq!(with("hyper", &["stop.p=none"]).unwrap().stop.significance, None);
    }

    #[test]
    fn factored_tables_refuse_what_is_counted() {
        for score in ["distance", "orthogonality", "chi2", "g2", "beta", "hypergeometric"] {
            let error = with("nt", &[&format!("score={score}")]).unwrap_err().to_string();
            assert!(error.contains("tables=counted"), "{error}");
        }
    }

    /// The checksum of a model file is of what is written again, so old files must be written as they were.
    #[test]
    fn a_recipe_without_a_level_is_written_as_before() {
        let text = serde_json::to_string(&Recipe::c45()).unwrap();
        assert!(!text.contains("significance"), "{text}");
    }

    #[test]
    fn auto_is_the_point_up_to_a_thousand_rows() {
        assert_eq!(StopMode::Auto.at(1000.0), StopMode::Point);
        assert_eq!(StopMode::Auto.at(1001.0), StopMode::Tail);
        assert_eq!(StopMode::Ratio.at(5.0), StopMode::Ratio);
    }
}
