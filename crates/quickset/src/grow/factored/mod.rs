//! Tables that are not counted at the node: P(value | class) once from all training rows, times the node's class shares.
//!
//! One pass counts every attribute. A node is then scored from its class weights alone: with q the mixture of the
//! classes' distributions, the gain of an attribute is H(q) less the mean of the classes' own entropies (a Jensen–Shannon
//! divergence), and those entropies are known in advance. Su and Zhang 2006 call it independent information gain.
//!
//! What is chosen is then counted at the node: a cut is placed on its rows, and an attribute that does not divide them
//! is out for the whole subtree.

mod binning;
mod counting;
mod pick;
mod score;
mod shortlist;
mod spread;
mod words;

use counting::Counting;
use shortlist::Shortlist;
use words::{Held, Words};

pub(super) use pick::{Memory, pick};
pub(crate) use score::Scores;
pub(crate) use spread::{Range, Spread};

use std::sync::Arc;

use rayon::prelude::*;

use super::rows::NodeRows;
use super::task::Task;
use crate::data::{Class, Column, Dataset};
use crate::recipe::{self, Choose, Factored, Missing, RangeBy, Recipe, Score};
use crate::split::Split;
use crate::split::criterion::EntropyTable;

/// The tables of all attributes.
#[derive(Debug)]
pub(crate) struct Tables {
    /// By attribute; `None` where nothing can be told apart, and for identifiers.
    pub spreads: Vec<Option<Spread>>,
    /// Nominal attributes with nearly as many levels as there are rows: each would look as if it told all.
    pub identifiers: Vec<usize>,
    /// What scores, with the data at hand taken into account.
    pub by: By,
    /// Where the range of a numeric attribute at a node comes from.
    pub range: RangeBy,
    /// Where the best gain is all that is asked for: the list of all attributes, which nodes make shorter ones from.
    all: Option<Arc<Shortlist>>,
    /// The attributes that occur in a row, where most do not.
    words: Option<Words>,
    /// A node of no more rows counts its own tables.
    recount: usize,
    short_cuts: bool,
}

/// Fewer rows than these, with thirty bins or so, tell little more than the tables they come from.
pub(crate) const FEWEST_COUNTED: usize = 1024;

/// What an attribute is worth, by its estimated table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct By {
    pub score: Score,
    pub choose: Choose,
    /// Whether a numeric attribute is worth its best two-way cut, or the split into all its bins.
    pub cuts: bool,
}

impl By {
    fn new(score: Score, choose: Choose, all_sparse: bool) -> Self {
        match score {
            Score::Independent if all_sparse => By { score: Score::Iig, choose: Choose::Best, cuts: false },
            Score::Independent => By { score: Score::Igr, choose, cuts: true },
            Score::Iig => By { score, choose, cuts: false },
            _ => By { score, choose, cuts: true },
        }
    }
}

impl Tables {
    /// Counts the training rows; `member` tells them from the others of the data, and is empty where there are none.
    pub fn new(
        data: &Dataset,
        class: &Class,
        rows: &[u32],
        member: &[bool],
        recipe: &Recipe,
        factored: Factored,
        entropies: &EntropyTable,
    ) -> Self {
        let attributes = data.attributes();
        let all_sparse = !attributes.is_empty() && attributes.iter().all(Column::is_sparse);
        let by = By::new(recipe.score, recipe.choose, all_sparse);
        let counting = Counting::new(data.weights(), class, rows, member, factored, by.cuts, entropies);
        let tables = Self::counted(&counting, attributes, by, recipe, &Path::default());
        let words = if tables.all.is_some() { Words::new(data) } else { None };
        Tables { words, ..tables }
    }

    /// Counts all attributes but those that are out on the path.
    fn counted(counting: &Counting<'_>, attributes: &[Column], by: By, recipe: &Recipe, path: &Path) -> Self {
        let (rows, factored) = (counting.rows(), counting.factored());
        let most = super::choose::IDENTIFIER_SHARE * rows as f64;
        let identifies =
            |column: &Column| column.levels().is_some_and(|levels| !column.is_sparse() && levels.len() as f64 >= most);
        let identifiers = (0..attributes.len()).filter(|&attribute| identifies(&attributes[attribute])).collect();
        let spread = |(attribute, column)| match path.is_gone(attribute) || identifies(column) {
            true => None,
            false => counting.spread(column),
        };
        let spreads: Vec<Option<Spread>> = attributes.par_iter().enumerate().map(spread).collect();
        // Bounds are of distributions: a class without a known value of some attribute has none there.
        let root = counting.present();
        let known = recipe.missing == Missing::Impute || spreads.iter().flatten().all(|spread| spread.knows(&root));
        let bounded = known && by.choose == Choose::Best && matches!(by.score, Score::Iig | Score::Gain);
        let all = bounded.then(|| Arc::new(Shortlist::all(&spreads, counting.class_count())));
        // The entries of a sparse column are gone through to the last, however few rows are asked for.
        let again = if attributes.iter().any(Column::is_sparse) { None } else { factored.recount };
        Tables {
            spreads,
            identifiers,
            by,
            range: factored.range,
            recount: again.map_or(0, |share| rows / share.max(1)),
            all,
            words: None,
            short_cuts: true,
        }
    }

    /// Every gain is computed, of every attribute.
    pub fn forget_short_cuts(&mut self) {
        (self.all, self.words, self.short_cuts) = (None, None, false);
    }

    /// The tables of a node's own rows, where these are so few of those counted here that they may be quite different,
    /// and so many that they tell.
    pub fn recounted(&self, task: &Task<'_>, node: &NodeRows<'_>, path: &Path) -> Option<Tables> {
        let recipe::Tables::Factored(factored) = task.recipe.tables else { return None };
        if node.rows.len() > self.recount || node.rows.len() < FEWEST_COUNTED {
            return None;
        }
        let mut by_row = Vec::new();
        if let Some(weights) = &node.weights {
            by_row.resize(task.data.rows(), 0.0);
            node.rows.iter().zip(weights).for_each(|(&row, &weight)| by_row[row as usize] = weight);
        }
        let weights = node.weights.as_ref().map(|_| &by_row[..]);
        let cuts = self.by.cuts;
        let counting = Counting::new(weights, task.class, &node.rows, &[], factored, cuts, &task.entropies);
        let mut tables = Self::counted(&counting, task.data.attributes(), self.by, task.recipe, path);
        if !self.short_cuts {
            tables.forget_short_cuts();
        }
        Some(tables)
    }
}

/// What is known of a node from the tests above it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Path {
    /// Attributes that are out: used, or not dividing the rows. A bit each.
    gone: Vec<u64>,
    /// Numeric attributes that were cut, with the bins that are left.
    ranges: Vec<(usize, Range)>,
    /// Those of which a single bin is left: nothing more can be said of them. A bit each.
    single: Vec<u64>,
    /// The attributes that may be the best, as a node above found; all where there is none.
    list: Option<Arc<Shortlist>>,
    /// The attributes of the rows of a small node above.
    held: Option<Arc<Held>>,
    /// The tables of a node above, where it counted its own.
    tables: Option<Arc<Tables>>,
}

impl Path {
    pub fn is_gone(&self, attribute: usize) -> bool {
        has_bit(&self.gone, attribute)
    }

    pub fn remove(&mut self, attribute: usize) {
        set_bit(&mut self.gone, attribute);
    }

    pub fn is_single(&self, attribute: usize) -> bool {
        has_bit(&self.single, attribute)
    }

    pub fn ranges(&self) -> &[(usize, Range)] {
        &self.ranges
    }

    /// From here on tables are those of the node's own rows, of which all bins are open.
    pub fn restart(&mut self, tables: Arc<Tables>) {
        let gone = std::mem::take(&mut self.gone);
        *self = Path { gone, tables: Some(tables), ..Path::default() };
    }

    /// The path to a branch of a split.
    pub fn below(&self, task: &Task<'_>, split: &Split, branch: usize) -> Path {
        let mut path = self.clone();
        match split {
            Split::Threshold { attribute, cut } => {
                let tables = self.tables.as_deref().or(task.factored.as_ref());
                let spread = tables.and_then(|tables| tables.spreads[*attribute].as_ref());
                let Some(spread) = spread else { return path };
                if path.is_single(*attribute) {
                    return path;
                }
                let at = path.ranges.iter().position(|(known, _)| known == attribute);
                let whole = at.map_or(spread.whole(), |at| path.ranges[at].1);
                let range = spread.narrowed(whole, *cut, branch);
                match at {
                    _ if spread.is_single(range) => {
                        set_bit(&mut path.single, *attribute);
                        path.ranges.retain(|(known, _)| known != attribute);
                    }
                    _ if range == whole => {}
                    Some(at) => path.ranges[at].1 = range,
                    None => path.ranges.push((*attribute, range)),
                }
            }
            split => path.remove(split.attribute()),
        }
        path
    }
}

fn has_bit(bits: &[u64], place: usize) -> bool {
    bits.get(place / 64).is_some_and(|word| word >> (place % 64) & 1 == 1)
}

fn set_bit(bits: &mut Vec<u64>, place: usize) {
    bits.resize(bits.len().max(place / 64 + 1), 0);
    bits[place / 64] |= 1 << (place % 64);
}
