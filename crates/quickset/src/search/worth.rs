//! What makes one tree better than another. Fixed before the first tree is made.

use crate::data::{Class, Dataset};
use crate::grow::{Draft, ROOT};
use crate::measure::{SMALL, errors, total};
use crate::prune::{Estimate, Weighted, held_out_errors};

/// Trees whose leaves differ by no more than this share of the rows, and of the leaves, are about as small: the smaller one
/// is no truer on other rows than one that more samples went into.
const ABOUT_OF_ROWS: f64 = 0.01;
const ABOUT_OF_LEAVES: f64 = 0.125;

/// How trees are compared.
pub(crate) struct Judge<'d> {
    data: &'d Dataset,
    class: &'d Class,
    by: By,
    /// What a leaf costs, as a share of the rows.
    penalty: f64,
}

/// Whose errors count.
pub(crate) enum By {
    /// The rows a tree was grown from. Where all trees are grown until their leaves are pure, leaves decide.
    Training,
    /// The same, estimated pessimistically as pruning does.
    Pessimistic(Box<Estimate>),
    /// Rows that no tree was grown from.
    HeldOut(Vec<u32>),
}

/// What a tree is worth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Worth {
    /// The share of rows that it is expected to get wrong.
    pub error: f64,
    pub leaves: usize,
    /// How many attributes its tests ask for.
    attributes: usize,
    cost: f64,
}

impl Worth {
    /// Fewer errors, or as many in fewer leaves, or in as many leaves of fewer attributes: what takes in irrelevant ones
    /// to become as small fits the rows at hand rather than others.
    pub fn is_better_than(&self, other: &Worth) -> bool {
        let size = |worth: &Worth| (worth.leaves, worth.attributes);
        self.cost < other.cost - SMALL || (self.is_as_good_as(other) && size(self) < size(other))
    }

    /// No more errors, in however many leaves.
    pub fn is_as_good_as(&self, other: &Worth) -> bool {
        self.cost <= other.cost + SMALL
    }

    /// Whether it asks for no more attributes than another, and is about as small as the smallest of its kind. Counted from
    /// that one, trees do not grow however often one takes the place of another.
    pub fn is_about_as_small(&self, other: &Worth, fewest: usize, rows: usize) -> bool {
        let about = (ABOUT_OF_ROWS * rows as f64).min(ABOUT_OF_LEAVES * fewest as f64);
        self.leaves as f64 <= fewest as f64 + about && self.attributes <= other.attributes
    }
}

impl<'d> Judge<'d> {
    pub fn new(data: &'d Dataset, class: &'d Class, by: By, penalty: f64) -> Self {
        Judge { data, class, by, penalty }
    }

    /// Whether the rows that trees are grown from decide.
    pub fn is_of_training(&self) -> bool {
        matches!(self.by, By::Training)
    }

    /// In one or two words.
    pub fn name(&self) -> &'static str {
        match self.by {
            By::Training => "training",
            By::Pessimistic(_) => "pessimistic",
            By::HeldOut(_) => "held-out",
        }
    }

    /// What a finished tree is worth.
    pub fn worth(&self, draft: &Draft) -> Worth {
        let (mut leaves, mut wrong) = (0, 0.0);
        let mut asked = vec![false; self.data.attributes().len()];
        for at in draft.reachable() {
            if let Some(test) = &draft.nodes[at].test {
                asked[test.split.attribute()] = true;
                continue;
            }
            leaves += 1;
            wrong += match &self.by {
                By::Training => errors(&draft.nodes[at].weights),
                By::Pessimistic(estimate) => estimate.of(&draft.nodes[at].weights),
                By::HeldOut(_) => 0.0,
            };
        }
        let error = match &self.by {
            By::Training | By::Pessimistic(_) => wrong / total(&draft.nodes[ROOT].weights).max(SMALL),
            By::HeldOut(rows) => {
                let rows = Weighted::of(self.data, rows);
                let all: f64 = rows.pairs().map(|(_, weight)| weight).sum();
                held_out_errors(self.data, self.class, draft, rows) / all.max(SMALL)
            }
        };
        let attributes = asked.iter().filter(|&&asked| asked).count();
        Worth { error, leaves, attributes, cost: error + self.penalty * leaves as f64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_count_first_then_leaves_then_attributes() {
        let worth = |error, leaves| Worth { error, leaves, attributes: 2, cost: error };
        assert!(worth(0.1, 9).is_better_than(&worth(0.2, 3)));
        assert!(worth(0.1, 3).is_better_than(&worth(0.1, 4)));
        assert!(!worth(0.1, 4).is_better_than(&worth(0.1, 4)));
        assert!(!worth(0.1 + 1e-12, 5).is_better_than(&worth(0.1, 4)));
        let simple = Worth { attributes: 1, ..worth(0.1, 4) };
        assert!(simple.is_better_than(&worth(0.1, 4)) && !simple.is_better_than(&worth(0.1, 3)));
        assert!(worth(0.1, 5).is_as_good_as(&worth(0.1, 4)) && !worth(0.2, 3).is_as_good_as(&worth(0.1, 4)));
        let wide = Worth { attributes: 3, ..worth(0.1, 4) };
        for (leaves, of) in [(42, true), (43, false)] {
            assert_eq!(worth(0.1, leaves).is_about_as_small(&worth(0.1, 41), 40, 299), of, "{leaves}");
        }
        assert!(worth(0.1, 45).is_about_as_small(&worth(0.1, 40), 40, 99_999), "an eighth of the leaves");
        assert!(!worth(0.1, 46).is_about_as_small(&worth(0.1, 40), 40, 99_999));
        assert!(!wide.is_about_as_small(&worth(0.1, 4), 4, 299));
        let dear = Worth { cost: 0.1 + 9.0 * 0.02, ..worth(0.1, 9) };
        assert!(Worth { cost: 0.2 + 3.0 * 0.02, ..worth(0.2, 3) }.is_better_than(&dear));
    }
}
