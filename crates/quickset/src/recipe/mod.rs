//! A learner as data: one field per part, each a word with its numbers.
//!
//! The named learners are [`PRESETS`]; [`Recipe::set`] changes a part as `--set` does on the command line.

mod adaptive;
mod baselines;
mod fixed;
mod held_out;
mod lookahead;
mod presets;
mod search;
mod set;
mod significance;

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};

pub use adaptive::{Delta, Shares};
pub use fixed::{FixedCuts, Ways};
pub use lookahead::{Lookahead, Sampler, Skew};
pub use presets::{PRESETS, Preset};
pub use search::{Finish, Search};
pub(crate) use search::{SAMPLES_WITHOUT_BUDGET, STEPS_WITHOUT_BUDGET};
pub use set::keys;
pub use significance::{Significance, StopMode};

/// How a tree is learnt. Serialisable, and stored in every model it makes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// The preset it started from.
    pub name: String,
    /// Which splits of an attribute are tried.
    pub candidates: Candidates,
    /// Where the counts come from.
    pub tables: Tables,
    /// What a candidate is worth.
    pub score: Score,
    /// Which candidate wins.
    pub choose: Choose,
    /// What counts besides a candidate's own table. Not written where nothing does, as in files from before anything did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lookahead: Option<Lookahead>,
    /// Whether a node may split, and what split is good enough.
    pub stop: Stop,
    /// What a leaf predicts.
    pub leaf: Leaf,
    /// Whether subtrees that do not lower the training errors are cut before pruning.
    pub collapse: bool,
    /// What is cut back afterwards.
    pub prune: Prune,
    /// Where a row goes whose value is missing.
    pub missing: Missing,
    /// In what order trees are made, and whether they are revised. Not written where a tree is grown once.
    #[serde(default, skip_serializing_if = "Search::is_once")]
    pub search: Search,
    /// What a leaf costs, as a share of the rows: a test stays only where it saves more errors than its leaves cost. Not
    /// written where it is 0.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub leaf_penalty: f64,
    /// Where every random draw starts.
    pub seed: u64,
}

/// Which splits of an attribute are tried.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Candidates {
    /// The test on a nominal attribute.
    pub nominal: Nominal,
    /// The test on a numeric attribute. Not written where it is a threshold, as in files from before there were others.
    #[serde(default, skip_serializing_if = "Numeric::is_threshold")]
    pub numeric: Numeric,
    /// How the cut of a numeric attribute is placed.
    pub cut: Cut,
}

/// The test on a nominal attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Nominal {
    /// A branch for every level.
    Levels,
    /// Two branches, each a set of levels.
    Subset,
    /// Two branches: one level, and all others.
    Value,
}

/// The test on a numeric attribute.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Numeric {
    /// Two branches: not above a cut, above it.
    #[default]
    Threshold,
    /// A branch for every interval, as 1R makes them (Holte 1993): the heaviest class of each, but the last, has at least
    /// a bucket full of rows.
    Buckets {
        /// How many rows fill a bucket.
        bucket: usize,
    },
    /// A branch for every interval: those of the fewest training errors, at most one more than there are classes.
    Intervals,
    /// A branch for every interval between the places where another class becomes the most probable one, by the density of
    /// each, as far as a cut there pays for itself.
    Crossings,
    /// Between cuts that are made once from all training rows: a number is then as good as a level.
    Fixed {
        /// How they are made.
        cuts: FixedCuts,
        /// How many branches a test has.
        ways: Ways,
    },
}

/// How the cut of a numeric attribute is placed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cut {
    /// The measure that compares the cuts of one attribute.
    pub by: CutBy,
    /// What is scanned.
    pub over: CutOver,
    /// The most bins of an attribute, where bins are scanned.
    pub bins: usize,
    /// Where the threshold lies between the two neighbouring values.
    pub at: CutAt,
    /// What both sides must hold.
    pub limits: CutLimits,
    /// Whether the gain of a cut pays for the choice among the possible ones (Quinlan 1996).
    pub mdl: bool,
}

/// The measure that compares the cuts of one attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CutBy {
    /// Information gain.
    Gain,
    /// The Gini index.
    Gini,
    /// The hypergeometric probability.
    Hypergeometric,
}

/// What is scanned for a cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CutOver {
    /// Every place between two different values.
    Rows,
    /// The borders of bins made once from the training rows.
    Bins,
}

/// Where the threshold lies between two neighbouring values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CutAt {
    /// At the largest value of the training set that is not above the midpoint.
    Observed,
    /// Halfway.
    Midpoint,
}

/// What both sides of a cut must hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CutLimits {
    /// C4.5: a tenth of the mean class weight, at least `min-rows` and at most 25; values closer than 1e-5 stay
    /// together.
    C45,
    /// `min-rows`.
    MinRows,
}

/// Where the counts come from.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tables {
    /// Counted from the node's rows.
    Counted,
    /// Estimated: P(value | class), counted once, times the node's class shares.
    Factored(Factored),
}

/// How P(value | class) is counted.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Factored {
    /// How the bins of a numeric attribute are made.
    pub bins: BinsBy,
    /// How many there are; as many as the root of the number of rows where it is not said.
    pub count: Option<usize>,
    /// What is known of a numeric attribute that was cut above.
    pub range: RangeBy,
    /// What of a sparse column counts.
    pub counts: Counts,
    /// Where the rows of a node are one in so many of those that its tables were counted from, or fewer, it counts its
    /// own. Not written where that is never, as in files from before there was a choice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recount: Option<usize>,
    /// By the score `independent` where all columns are sparse: a node is divided only by a test whose estimated gain,
    /// times the node's rows, is more than so many bits. Not written where it is not asked, nor is the next.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub promise: Option<f64>,
    /// There too: a test is taken only if its counted gain is at least this share of the estimated one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kept: Option<f64>,
}

/// How the bins of a numeric attribute are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BinsBy {
    /// Of equal width.
    Width,
    /// Of about equal numbers of rows.
    Frequency,
    /// Between the cuts that pay for themselves (Fayyad and Irani 1993), however many these are.
    Mdl,
}

/// Where the range of a numeric attribute at a node comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RangeBy {
    /// From the cuts on the path.
    Path,
    /// From the node's rows, which are all looked at for it.
    Observed,
}

/// What of a sparse column counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Counts {
    /// Whether it is zero.
    Presence,
    /// Its numbers, in bins.
    Counts,
}

/// What a candidate is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Score {
    /// Information gain.
    Gain,
    /// Information gain over the information of the split.
    GainRatio,
    /// Decrease of the Gini index.
    Gini,
    /// Information gain over the joint information of class and branch (López de Mántaras 1991).
    Distance,
    /// One less the cosine between the branches' class weights (Fayyad and Irani 1992).
    Orthogonality,
    /// The p-value of Pearson's test of independence.
    Chi2,
    /// The p-value of Wilks's.
    G2,
    /// How much likelier the split makes the classes (Buntine 1992).
    Beta,
    /// The probability of just this table, given its totals (Martin 1997).
    Hypergeometric,
    /// Training errors saved.
    Errors,
    /// The share of the rows whose class is the most probable one, given the branch alone or, between crossings, the number
    /// itself: the Bayes measure of Self-adaptive NBTree.
    Bayes {
        /// Whether a number is told by its own row too.
        delta: Delta,
    },
    /// The share of the held-out errors of naive Bayes that the split saves (Kohavi 1996).
    HeldOut,
    /// Training errors saved together with the best test in every branch, where the depth allows one.
    ErrorsAhead,
    /// Of factored tables: the gain ratio of the best cut or split; where all columns are sparse, what `iig` is.
    Independent,
    /// Of factored tables: the gain ratio of the best cut or split.
    Igr,
    /// Of factored tables: the gain of the split into all levels or bins (Su and Zhang 2006).
    Iig,
}

/// Which candidate wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Choose {
    /// The highest score.
    Best,
    /// The same without attributes that nearly identify the row.
    BestNoIdentifier,
    /// The highest score among those of at least average gain; attributes that nearly identify the row are out.
    AboveAverage,
    /// The same as Weka's J48 does it: such attributes do not count in the average but may win.
    AboveAverageJ48,
    /// One drawn in proportion to its gain, each having some chance; one that leaves no entropy where there is any.
    Drawn,
    /// Any, with equal chances.
    Uniform,
    /// The first of those that leave no entropy, or of all, in an order of attributes that is drawn once for the whole tree.
    Ordered,
}

/// Whether a node may split.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stop {
    /// Two branches must hold this weight each.
    pub min_rows: f64,
    /// The longest path.
    pub max_depth: Option<usize>,
    /// The most leaves: nodes with the most to tell apart are divided first. Not written where it is not asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_leaves: Option<usize>,
    /// Whether a split without gain is still made while rows of different classes can be told apart.
    pub to_purity: bool,
    /// Whether the best split may be chance. Not written where it is not asked, as in files from before it could be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub significance: Option<Significance>,
    /// A node of less weight stays a leaf. Not written where it is not asked, nor is the next.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rows: Option<f64>,
    /// The share of the held-out errors of naive Bayes that the best split must save.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reduction: Option<f64>,
}

/// What a leaf predicts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Leaf {
    /// Certainty of the heaviest class.
    Majority,
    /// The shares of the classes.
    Distribution,
    /// The shares after one more row of every class.
    Laplace,
    /// The shares after so many more rows, of the classes as all training rows have them (Cestnik 1990).
    MEstimate {
        /// How many.
        m: f64,
    },
    /// Naive Bayes: the shares of `laplace` times P(value | class) of every attribute.
    Nb {
        /// How P(value | class) of a number is estimated.
        density: Density,
        /// How P(class) and P(level | class) are told from counts. Not written where a row is added, as in files from
        /// before there was a choice.
        #[serde(default, skip_serializing_if = "Shares::is_add_one")]
        counts: Shares,
    },
}

/// How naive Bayes estimates P(value | class) of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Density {
    /// By a normal distribution.
    Normal,
    /// By a normal distribution around every value.
    Kernel,
    /// By a normal distribution around every value, as wide as the other values of its class find each likeliest.
    Adaptive,
    /// By intervals that tell the classes apart (Fayyad and Irani 1993).
    Discretised,
    /// The numbers are counts, such as those of words in a text.
    Multinomial,
}

/// What is cut back after growing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Prune {
    /// Nothing.
    None,
    /// What a pessimistic estimate of the error does not justify (C4.5).
    Pessimistic {
        /// The confidence with which the error is estimated: smaller prunes more.
        confidence: f64,
        /// Whether the largest branch may take its parent's place.
        raising: bool,
        /// Whose formula estimates the errors.
        errors: Errors,
    },
    /// What does not lower the errors on rows held out from growing.
    ReducedError {
        /// One part in so many is held out.
        folds: usize,
    },
    /// The weakest links, as many as cross-validation advises (CART).
    CostComplexity {
        /// Number of folds.
        folds: usize,
        /// How the estimate chooses.
        rule: CostRule,
    },
}

/// Whose formula estimates the errors of a leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Errors {
    /// Weka's J48.
    J48,
    /// C4.5 release 8.
    C45,
}

/// Which tree of the cost-complexity sequence is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CostRule {
    /// The smallest within one standard error of the best.
    OneSe,
    /// The best.
    Min,
}

/// Where a row goes whose value is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Missing {
    /// Into every branch, in fractions (C4.5).
    Fractions,
    /// To the side that makes the split better; to the heavier one where training had no such row.
    Learned,
    /// Where the mean or the most frequent level of the training rows goes.
    Impute,
    /// Into a branch of its own; in fractions where training had no such row.
    Own,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over references")]
fn is_zero(number: &f64) -> bool {
    *number == 0.0
}

impl Recipe {
    /// Refuses numbers out of range and parts that do not fit together.
    pub fn check(&self) -> Result<()> {
        let refuse = |key: &str, found: &dyn std::fmt::Display, expected: &str| {
            Err(Error::recipe(format!("{key} is {found}, expected {expected}")))
        };
        let bins = self.candidates.cut.bins;
        if !(2..=255).contains(&bins) {
            return refuse("cut.bins", &bins, "2 to 255");
        }
        if !(0.0..=1e15).contains(&self.stop.min_rows) {
            return refuse("min-rows", &self.stop.min_rows, "a number from 0");
        }
        if self.candidates.numeric == (Numeric::Buckets { bucket: 0 }) {
            return refuse("numeric.bucket", &0, "1 or more");
        }
        if let Leaf::MEstimate { m } = self.leaf
            && !(0.0..=1e15).contains(&m)
        {
            return refuse("leaf.m", &m, "a number from 0");
        }
        if self.stop.max_leaves == Some(0) {
            return refuse("max-leaves", &0, "1 or more, or none");
        }
        if !(0.0..=1.0).contains(&self.leaf_penalty) {
            return refuse("leaf-penalty", &self.leaf_penalty, "a share of the rows, from 0 to 1");
        }
        self.check_search()?;
        self.check_intervals()?;
        self.check_significance()?;
        self.check_lookahead()?;
        self.check_held_out()?;
        if let Tables::Factored(factored) = self.tables {
            if factored.count.is_some_and(|count| !(2..=1 << 20).contains(&count)) {
                return refuse("bins.count", &factored.count.unwrap_or(0), "2 to 1048576");
            }
            if factored.recount.is_some_and(|share| share < 2) {
                return refuse("tables.recount", &factored.recount.unwrap_or(0), "2 or more, or never");
            }
            if let Some(promise) = factored.promise.filter(|promise| !(0.0..=1e15).contains(promise)) {
                return refuse("tables.promise", &promise, "bits from 0, or none");
            }
            if let Some(kept) = factored.kept.filter(|kept| !(0.0..=1.0).contains(kept)) {
                return refuse("tables.kept", &kept, "a share from 0 to 1, or none");
            }
            if self.candidates.nominal != Nominal::Levels || self.candidates.cut.over == CutOver::Bins {
                return Err(Error::recipe("factored tables have a branch for every level and cut between rows")
                    .remedy("use nominal=levels and cut=rows, or tables=counted"));
            }
        } else if matches!(self.score, Score::Independent | Score::Igr | Score::Iig) {
            return Err(Error::recipe("the scores igr and iig are of factored tables").remedy("use tables=factored"));
        }
        match self.prune {
            Prune::Pessimistic { confidence, .. } if !(confidence > 0.0 && confidence <= 0.5) => {
                refuse("prune.confidence", &confidence, "above 0 and at most 0.5")
            }
            Prune::ReducedError { folds } | Prune::CostComplexity { folds, .. } if folds < 2 => {
                refuse("prune.folds", &folds, "2 or more")
            }
            _ if self.missing == Missing::Learned && self.candidates.nominal == Nominal::Levels => Err(Error::recipe(
                "missing=learned sends a row to one of two sides, but nominal=levels has many branches",
            )
            .remedy("use missing=fractions, or nominal=subset or nominal=value")),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_out_of_range_are_refused() {
        let mut recipe = Recipe::c45();
        recipe.prune = Prune::Pessimistic { confidence: 0.9, raising: true, errors: Errors::C45 };
        assert!(recipe.check().unwrap_err().to_string().contains("at most 0.5"));
        let mut recipe = Recipe::c45();
        recipe.missing = Missing::Learned;
        assert!(recipe.check().is_err());
        let mut recipe = Recipe::one_r();
        recipe.candidates.numeric = Numeric::Buckets { bucket: 0 };
        assert!(recipe.check().unwrap_err().to_string().contains("1 or more"));
    }
}
