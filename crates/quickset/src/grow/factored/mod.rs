//! Tables that are not counted at the node: P(value | class) once from all training rows, times the node's class shares.
//!
//! One pass counts every attribute. A node is then scored from its class weights alone: with q the mixture of the
//! classes' distributions, the gain of an attribute is H(q) less the mean of the classes' own entropies (a Jensen–Shannon
//! divergence), and those entropies are known in advance. Su and Zhang 2006 call it independent information gain.
//!
//! What is chosen is then counted at the node: a cut is placed on its rows, and an attribute that does not divide them
//! is out for the whole subtree.

mod abreast;
mod binning;
mod blocks;
mod counting;
mod gathered;
mod pick;
mod presence;
mod score;
mod spread;
mod spreads;
mod words;

use blocks::Blocks;
use counting::Counting;
use gathered::Gathered;
use spreads::Spreads;
use words::{Held, Words};

pub(super) use pick::{Memory, pick};
pub(super) use score::Scores;
pub(crate) use spread::{Range, Spread};
pub(super) use words::Masks;

use std::sync::Arc;

use super::rows::NodeRows;
use super::task::Task;
use crate::data::{Class, Column, Dataset};
use crate::measure::total;
use crate::recipe::{self, Choose, Factored, Missing, RangeBy, Recipe, Score};
use crate::split::Split;
use crate::split::criterion::EntropyTable;

/// The tables of all attributes.
#[derive(Debug)]
pub(crate) struct Tables {
    /// By attribute.
    pub spreads: Spreads,
    /// Nominal attributes with nearly as many levels as there are rows: each would look as if it told all.
    pub identifiers: Vec<usize>,
    /// What scores, with the data at hand taken into account.
    pub by: By,
    /// Where the range of a numeric attribute at a node comes from.
    pub range: RangeBy,
    /// Where the best gain is all that is asked for: the attributes in blocks that have bounds.
    all: Option<Blocks>,
    /// What is known of sparse attributes.
    words: Option<Words>,
    /// A node of no more rows counts its own tables.
    recount: usize,
    /// The rows that were counted, where nodes below may count again.
    gathered: Option<Gathered>,
    short_cuts: bool,
}

/// Fewer rows than these, with thirty bins or so, tell little more than the tables they come from.
pub(crate) const FEWEST_COUNTED: usize = 1024;

/// What an attribute is worth, by its estimated table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct By {
    pub score: Score,
    pub choose: Choose,
    /// Whether a numeric attribute is worth its best two-way cut, or the split into all its bins.
    pub cuts: bool,
    /// A test is not made unless rows times its estimated gain exceed so many bits; below any where that is not asked.
    promise: f64,
    /// The share of the estimated gain that counting must confirm.
    kept: Option<f64>,
}

impl By {
    fn new(score: Score, choose: Choose, factored: Factored, all_sparse: bool) -> Self {
        let by = By { score, choose, cuts: true, promise: f64::NEG_INFINITY, kept: None };
        match score {
            Score::Independent if all_sparse => By {
                score: Score::Iig,
                choose: Choose::Best,
                cuts: false,
                promise: factored.promise.unwrap_or(by.promise),
                kept: factored.kept,
            },
            Score::Independent => By { score: Score::Igr, ..by },
            Score::Iig => By { cuts: false, ..by },
            _ => by,
        }
    }

    /// Whether a test is worth making, by its estimated gain at a node of some weight.
    fn promises_enough(&self, gain: f64, weight: f64) -> bool {
        gain * weight > self.promise
    }

    /// Tests of lower gains are not made at a node of some weight.
    fn least_gain(&self, weight: f64) -> f64 {
        self.promise / weight
    }

    /// Whether the gain that was counted bears out the estimated one.
    fn confirms(&self, counted: f64, estimated: f64) -> bool {
        self.kept.is_none_or(|kept| counted >= kept * estimated)
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
        let by = By::new(recipe.score, recipe.choose, factored, data.kinds().all_sparse());
        let counting = Counting::new(data.weights(), class, rows, member, factored, by.cuts, entropies);
        let tables = Self::counted(&counting, data, by, recipe, |_, column| counting.spread(column));
        let words = if tables.all.is_some() { Words::new(data) } else { None };
        Tables { words, ..tables }
    }

    /// Counts all attributes but identifiers, each by `spread`.
    fn counted(
        counting: &Counting<'_>,
        data: &Dataset,
        by: By,
        recipe: &Recipe,
        spread: impl Fn(usize, &Column) -> Option<Spread> + Sync,
    ) -> Self {
        let (rows, factored) = (counting.rows().len(), counting.factored());
        let most = super::choose::IDENTIFIER_SHARE * rows as f64;
        let identifies =
            |column: &Column| column.levels().is_some_and(|levels| !column.is_sparse() && levels.len() as f64 >= most);
        let dense = data.kinds().dense.iter().copied();
        let identifiers = dense.filter(|&attribute| identifies(&data.attributes()[attribute])).collect();
        let spread = |attribute, column: &Column| if identifies(column) { None } else { spread(attribute, column) };
        let spreads = Spreads::count(counting, data, spread);
        // Bounds are of distributions: a class without a known value of some attribute has none there.
        let root = counting.present();
        let known = recipe.missing == Missing::Impute || spreads.made().all(|(_, spread)| spread.knows(&root));
        let bounded = known && by.choose == Choose::Best && matches!(by.score, Score::Iig | Score::Gain);
        let all = bounded.then(|| Blocks::new(&spreads, counting.class_count(), &root));
        // The entries of a sparse column are gone through to the last, however few rows are asked for.
        let again = if data.kinds().sparse.is_empty() { factored.recount } else { None };
        Tables {
            spreads,
            identifiers,
            by,
            range: factored.range,
            recount: again.map_or(0, |share| rows / share.max(1)),
            gathered: None,
            all,
            words: None,
            short_cuts: true,
        }
    }

    /// Every gain is computed, of every attribute.
    pub fn forget_short_cuts(&mut self) {
        (self.all, self.words, self.short_cuts) = (None, None, false);
    }

    /// Where most attributes do not occur in a row, nodes of so few rows are told which ones theirs have before they are
    /// grown.
    pub fn small(&self) -> Option<usize> {
        self.words.as_ref().map(|_| Held::MOST)
    }

    /// Tells one of them.
    pub fn tell(&self, task: &Task<'_>, node: &NodeRows<'_>, path: &mut Path, masks: &mut Masks) {
        let (Some(words), Some(all)) = (&self.words, &self.all) else { return };
        let first = all.reaching(self.by.least_gain(total(&node.class_weights)));
        path.held = Held::of(task, words, all, first, &node.rows, masks).map(Arc::new);
    }

    /// How many nodes are valued together; none where each looks at those attributes alone that may be the best.
    pub fn nodes_together(&self) -> Option<usize> {
        match (&self.all, self.range) {
            (Some(_), RangeBy::Path) => None,
            _ if !self.short_cuts => Some(1),
            _ => Some(abreast::nodes_together(self.spreads.len())),
        }
    }

    /// What all attributes are worth at some nodes; all threads take part if they are `shared`.
    pub fn value(&self, task: &Task<'_>, nodes: &[(&NodeRows<'_>, &Path)], shared: bool) -> Vec<Scores> {
        abreast::value(task, self, nodes, shared)
    }

    /// Whether a node of so many rows may count its own tables: it keeps its columns for those below.
    pub fn may_recount(&self, rows: usize) -> bool {
        rows <= self.recount
    }

    /// Whether it does.
    pub fn recounts(&self, rows: usize) -> bool {
        self.may_recount(rows) && rows >= FEWEST_COUNTED
    }

    /// The tables of a node's own rows, where these are so few of those counted here that they may be quite different,
    /// and so many that they tell.
    pub fn recounted(&self, task: &Task<'_>, node: &NodeRows<'_>, path: &Path) -> Option<Tables> {
        let recipe::Tables::Factored(factored) = task.recipe.tables else { return None };
        if !self.recounts(node.rows.len()) {
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
        let attributes = task.data.attributes();
        let gathered =
            Gathered::new(&counting, attributes, self.gathered.as_ref(), |attribute| path.is_gone(attribute));
        let spread = |attribute, _: &Column| counting.spread_of(gathered.values(attribute)?);
        let mut tables = Self::counted(&counting, task.data, self.by, task.recipe, spread);
        if tables.recount >= FEWEST_COUNTED {
            tables.gathered = Some(gathered);
        }
        if !self.short_cuts {
            tables.forget_short_cuts();
        }
        Some(tables)
    }
}

/// What is known of a node from the tests above it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Path {
    /// Attributes that are out: used, or not dividing the rows.
    gone: Few,
    /// Numeric attributes that were cut, with the bins that are left.
    ranges: Vec<(usize, Range)>,
    /// Those of which a single bin is left: nothing more can be said of them.
    single: Few,
    /// The attributes of the rows of a small node above.
    held: Option<Arc<Held>>,
    /// The tables of a node above, where it counted its own.
    tables: Option<Arc<Tables>>,
}

impl Path {
    pub fn is_gone(&self, attribute: usize) -> bool {
        self.gone.has(attribute)
    }

    pub fn remove(&mut self, attribute: usize) {
        self.gone.add(attribute);
    }

    pub fn is_single(&self, attribute: usize) -> bool {
        self.single.has(attribute)
    }

    pub fn ranges(&self) -> &[(usize, Range)] {
        &self.ranges
    }

    pub fn range_of(&self, attribute: usize) -> Option<Range> {
        self.ranges.iter().find(|(cut, _)| *cut == attribute).map(|(_, range)| *range)
    }

    /// The attributes of which not all bins are left.
    fn narrowed_attributes(&self) -> impl Iterator<Item = usize> {
        self.single.iter().chain(self.ranges.iter().map(|(attribute, _)| *attribute))
    }

    /// From here on tables are those of the node's own rows, of which all bins are open.
    pub fn restart(&mut self, tables: Arc<Tables>) {
        let gone = std::mem::take(&mut self.gone);
        *self = Path { gone, tables: Some(tables), ..Path::default() };
    }

    /// Goes on to a branch of a split.
    pub fn go_down(&mut self, task: &Task<'_>, split: &Split, branch: usize) {
        let &Split::Threshold { attribute, cut } = split else { return self.remove(split.attribute()) };
        let tables = self.tables.as_deref().or(task.factored.as_ref());
        let Some(spread) = tables.and_then(|tables| tables.spreads.get(attribute)) else { return };
        if self.is_single(attribute) {
            return;
        }
        let at = self.ranges.iter().position(|(known, _)| *known == attribute);
        let whole = at.map_or(spread.whole(), |at| self.ranges[at].1);
        let range = spread.narrowed(whole, cut, branch);
        match at {
            _ if spread.is_single(range) => {
                self.single.add(attribute);
                self.ranges.retain(|(known, _)| *known != attribute);
            }
            _ if range == whole => {}
            Some(at) => self.ranges[at].1 = range,
            None => self.ranges.push((attribute, range)),
        }
    }
}

/// A few of many attributes, ascending: a path knows of few, and there are many paths.
#[derive(Clone, Debug, Default)]
struct Few(Vec<u32>);

impl Few {
    fn has(&self, attribute: usize) -> bool {
        self.0.binary_search(&(attribute as u32)).is_ok()
    }

    fn iter(&self) -> impl Iterator<Item = usize> {
        self.0.iter().map(|&attribute| attribute as usize)
    }

    fn add(&mut self, attribute: usize) {
        if let Err(place) = self.0.binary_search(&(attribute as u32)) {
            self.0.insert(place, attribute as u32);
        }
    }
}
