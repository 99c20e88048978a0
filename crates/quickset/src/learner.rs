//! From a checked recipe and data to a model.

use std::sync::Arc;
use std::time::Instant;

use crate::data::{Class, Column, Dataset, NO_CLASS, impute};
use crate::density::Chosen;
use crate::error::{Error, Result};
use crate::grow::{Draft, Earlier, Task, affordable, grow};
use crate::leaf::bayes::{self, Places, Reached};
use crate::measure::{SMALL, errors};
use crate::model::{Model, Node, NodeId, Schema, Training};
use crate::prune;
use crate::recipe::{Density, Leaf, Missing, Recipe, Tables};
use crate::search::{self, Found, Report, Run};
use crate::signal::{NEVER, Signal};

/// A recipe that was checked: the only way to a thing that fits.
#[derive(Clone, Debug)]
pub struct Learner {
    recipe: Recipe,
    short_cuts: bool,
    /// Whether one class is enough.
    one_class: bool,
    /// Of a search that looks at the same rows again and again.
    earlier: Option<Arc<Earlier>>,
}

/// A model, and what making it took.
#[derive(Debug)]
pub struct Trained {
    /// The model.
    pub model: Model,
    /// Where the time went.
    pub seconds: Phases,
    /// Remarks for the user.
    pub notes: Vec<String>,
    /// How the search went, where there was one.
    pub search: Option<Report>,
}

/// Seconds spent by phase.
#[derive(Clone, Copy, Debug, Default)]
pub struct Phases {
    /// Sorting and binning columns.
    pub tables: f64,
    /// Growing.
    pub grow: f64,
    /// Pruning.
    pub prune: f64,
    /// All of it.
    pub total: f64,
}

impl Learner {
    /// Checks the recipe.
    pub fn new(recipe: Recipe) -> Result<Self> {
        recipe.check()?;
        Ok(Learner { recipe, short_cuts: true, one_class: false, earlier: None })
    }

    /// The same for data of one class too, which make a lone leaf. Otherwise they are refused, being a mistake more often
    /// than a wish.
    #[must_use]
    pub fn with_one_class(self) -> Self {
        Learner { one_class: true, ..self }
    }

    /// The same without the short cuts that do not change the tree: for tests and benchmarks of them.
    #[doc(hidden)]
    #[must_use]
    pub fn without_short_cuts(self) -> Self {
        Learner { short_cuts: false, ..self }
    }

    /// The same for a search through trees of the same data, which remembers what it sampled.
    pub(crate) fn remembering(&self) -> Self {
        Learner { earlier: self.short_cuts.then(Arc::default), ..self.clone() }
    }

    /// The recipe.
    pub fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    /// Learns from all rows that have a class.
    pub fn fit(&self, data: &Dataset) -> Result<Model> {
        Ok(self.train_all(data)?.model)
    }

    /// Learns from all rows that have a class and a weight, and tells what it took.
    pub fn train_all(&self, data: &Dataset) -> Result<Trained> {
        self.train_with(data, &Run::until(&NEVER))
    }

    /// The same within a budget, with somebody to tell, from an existing tree, or with checkpoints.
    pub fn train_with(&self, data: &Dataset, run: &Run<'_>) -> Result<Trained> {
        if run.start_from.is_some() && self.recipe.search.is_once() {
            let name = &self.recipe.name;
            return Err(Error::recipe(format!("{name} grows its tree once and does not begin with another"))
                .remedy("use a learner that improves trees: auto or iidt"));
        }
        count_errors(self.learn(data, 0..data.rows() as u32, run)?, data)
    }

    /// Learns from the given rows, as far as they have a class and a weight.
    pub fn train(&self, data: &Dataset, rows: &[u32]) -> Result<Trained> {
        count_errors(self.learn(data, rows.iter().copied(), &Run::until(&NEVER))?, data)
    }

    /// The same without a look at how the training rows are predicted, which for naive Bayes takes longer than learning.
    pub(crate) fn train_uncounted(&self, data: &Dataset, rows: &[u32]) -> Result<Trained> {
        Ok(self.learn(data, rows.iter().copied(), &Run::until(&NEVER))?.0)
    }

    /// What was learnt, its errors not yet counted, and the rows that count.
    fn learn(
        &self,
        data: &Dataset,
        rows: impl ExactSizeIterator<Item = u32>,
        run: &Run<'_>,
    ) -> Result<(Trained, Vec<u32>)> {
        let start = Instant::now();
        let (Some(class), Some(schema)) = (data.class(), Schema::of(data)) else {
            return Err(Error::data("the data have no class").remedy("name the target column"));
        };
        let mut notes = Vec::new();
        let rows = usable(data, class, rows, self.one_class, &mut notes)?;
        let (grown, recipe, report) = if search::searches(&self.recipe, run) {
            let Found { draft, rows, recipe, report } = search::search(self, data, class, rows, run, &mut notes)?;
            let seconds = Phases { grow: start.elapsed().as_secs_f64(), ..Phases::default() };
            (Grown { draft, rows, chosen: Chosen::for_weights(data.weights()), seconds }, recipe, Some(report))
        } else {
            // A naive tree takes no longer than to say that there is no time for one.
            let patient = matches!(self.recipe.tables, Tables::Factored(_)).then(|| run.signal.without_deadline());
            let grown = self.grow(data, class, rows, patient.as_ref().unwrap_or(run.signal), &mut notes)?;
            if run.signal.is_raised() {
                notes.push(cut_short(patient.is_some_and(|patient| !patient.is_raised())));
            }
            (grown, self.recipe.clone(), None)
        };
        let Grown { draft, rows, chosen, mut seconds } = grown;
        let training = Training { rows: rows.len(), errors: 0 };
        let tree = draft.into_tree(self.recipe.leaf);
        let mut model = Model { schema, recipe, training, tree };
        if let Leaf::Nb { density, .. } = self.recipe.leaf {
            let before = start.elapsed().as_secs_f64();
            fit_leaves(&mut model, data, class, &rows, density, &chosen)?;
            notes.extend(narrowest(&model));
            seconds.grow += start.elapsed().as_secs_f64() - before;
        }
        seconds.total = start.elapsed().as_secs_f64();
        Ok((Trained { model, seconds, notes, search: report }, rows))
    }

    /// The same in all but the recipe, which was made from a checked one.
    pub(crate) fn by(&self, recipe: &Recipe) -> Learner {
        Learner { recipe: recipe.clone(), ..self.clone() }
    }

    /// The tree before its leaves are fitted.
    pub(crate) fn grow(
        &self,
        data: &Dataset,
        class: &Class,
        rows: Vec<u32>,
        signal: &Signal,
        notes: &mut Vec<String>,
    ) -> Result<Grown> {
        if self.recipe.stop.max_depth == Some(0) {
            // Nothing is sorted for a tree that is not to split.
            let weights = class_weights(data, class, &rows);
            let draft = Draft::leaf(weights);
            return Ok(Grown { draft, rows, chosen: Chosen::for_weights(data.weights()), seconds: Phases::default() });
        }
        let start = Instant::now();
        let (grown_from, reserved) = prune::reserve(&self.recipe, &class.codes, rows)?;
        self.with_task(data, class, grown_from, signal, |task| {
            let identifiers = task.factored.iter().flat_map(|tables| &tables.identifiers);
            notes.extend(identifiers.map(|&attribute| left_out(&data.attributes()[attribute])));
            let tables = start.elapsed().as_secs_f64();
            let mut draft = grow(&task);
            notes.extend(task.tally.notes(&self.recipe));
            let grown = start.elapsed().as_secs_f64();
            prune::prune(&task, &mut draft, &reserved)?;
            let total = start.elapsed().as_secs_f64();
            let (mut rows, chosen) = (task.rows, task.chosen);
            rows.extend(reserved);
            let seconds = Phases { tables, grow: grown - tables, prune: total - grown, total };
            Ok(Grown { draft, rows, chosen, seconds })
        })
    }

    /// Prepares the data for growing from `rows`, and does something with them.
    pub(crate) fn with_task<T>(
        &self,
        data: &Dataset,
        class: &Class,
        rows: Vec<u32>,
        signal: &Signal,
        work: impl FnOnce(Task<'_>) -> Result<T>,
    ) -> Result<T> {
        let filled = if self.recipe.missing == Missing::Impute { filled(data, &rows) } else { None };
        let mut task = Task::new(filled.as_ref().unwrap_or(data), class, rows, &self.recipe);
        (task.given, task.signal, task.earlier) = (data, signal, self.earlier.clone());
        if !self.short_cuts {
            task.forget_short_cuts();
        }
        affordable(&task)?;
        work(task)
    }
}

/// What is said of a tree that was not grown to its end, or of a naive tree that took longer than it had.
fn cut_short(finished: bool) -> String {
    match finished {
        true => "the budget is too small for one naive tree: it was grown all the same".into(),
        false => "the run ended before the tree was finished: what was still open became leaves".into(),
    }
}

/// Adds how many of the rows are predicted wrongly.
fn count_errors((mut trained, rows): (Trained, Vec<u32>), data: &Dataset) -> Result<Trained> {
    let predicted = trained.model.predict(data)?;
    let truth = data.class().map_or(&[][..], |class| &class.codes);
    let wrong = |&&row: &&u32| predicted[row as usize] != truth[row as usize];
    trained.model.training.errors = rows.iter().filter(wrong).count();
    Ok(trained)
}

/// What is said of an attribute that the naive tree does not look at.
fn left_out(column: &Column) -> String {
    let levels = column.levels().map_or(0, <[String]>::len);
    format!(
        "{:?} is left out: its {levels} values are too many for the rows, as those of an identifier are",
        column.name()
    )
}

/// What is said of adaptive densities that equal or crowded values made as narrow as they can be.
fn narrowest(model: &Model) -> Option<String> {
    const NAMED: usize = 3;
    let mut narrow = vec![0; model.schema.attributes.len()];
    let leaves = model.tree.nodes().iter().filter_map(Node::bayes);
    leaves.flat_map(|bayes| bayes.narrowest()).for_each(|(attribute, densities)| narrow[attribute] += densities);
    let held: Vec<usize> = (0..narrow.len()).filter(|&attribute| narrow[attribute] > 0).collect();
    let names: Vec<String> =
        held.iter().take(NAMED).map(|&attribute| format!("{:?}", model.schema.attributes[attribute].name)).collect();
    let others = held.len().saturating_sub(NAMED);
    let others = if others > 0 { format!(" and {others} other columns") } else { String::new() };
    let count: usize = narrow.iter().sum();
    (count > 0).then(|| {
        format!(
            "{}{others}: {count} densities of leaves have the narrowest bandwidth there is, 0.20 by the root of the rows: \
             many of their values are equal, or close together",
            names.join(", ")
        )
    })
}

/// A tree whose leaves do not predict yet, and the rows that count in it.
pub(crate) struct Grown {
    pub draft: Draft,
    rows: Vec<u32>,
    chosen: Chosen,
    seconds: Phases,
}

/// Gives every leaf with rows of two classes a naive Bayes model of the rows that reach it.
fn fit_leaves(
    model: &mut Model,
    data: &Dataset,
    class: &Class,
    rows: &[u32],
    density: Density,
    chosen: &Chosen,
) -> Result<()> {
    let mixed = |node: &Node| node.is_leaf() && errors(node.weights()) > SMALL;
    let leaves: Vec<usize> = (0..model.tree.size()).filter(|&at| mixed(&model.tree.nodes[at])).collect();
    let reached = |(row, id, share): (u32, NodeId, f64)| {
        let leaf = leaves.binary_search(&id.index()).ok()? as u32;
        let weight = data.weights().map_or(1.0, |weights| weights[row as usize]);
        Some((row, Reached { leaf, weight: share * weight }))
    };
    let reached: Vec<(u32, Reached)> = model.route_rows(data, rows)?.into_iter().filter_map(reached).collect();
    let places = Places::new(leaves.len(), data.rows(), &reached);
    for (at, fitted) in leaves.into_iter().zip(bayes::fit(data, class, rows, &places, density, chosen)?) {
        if let Node::Leaf { bayes, .. } = &mut model.tree.nodes[at] {
            *bayes = Some(Box::new(fitted));
        }
    }
    Ok(())
}

/// Weight of some rows by class.
fn class_weights(data: &Dataset, class: &Class, rows: &[u32]) -> Vec<f64> {
    let mut weights = vec![0.0; class.levels.len()];
    for &row in rows {
        let weight = data.weights().map_or(1.0, |weights| weights[row as usize]);
        weights[usize::from(class.codes[row as usize])] += weight;
    }
    weights
}

/// The rows a tree can learn from; refuses data without two classes.
fn usable(
    data: &Dataset,
    class: &Class,
    rows: impl ExactSizeIterator<Item = u32>,
    one_class: bool,
    notes: &mut Vec<String>,
) -> Result<Vec<u32>> {
    let given = rows.len();
    if given == 0 {
        return Err(Error::data("there are no rows to learn from").remedy("check the file"));
    }
    let labelled = |row: &u32| class.codes[*row as usize] != NO_CLASS;
    let weighted = |row: &u32| data.weights().is_none_or(|weights| weights[*row as usize] > 0.0);
    let mut kept = Vec::with_capacity(given);
    kept.extend(rows.filter(|row| labelled(row) && weighted(row)));
    if kept.len() < given {
        notes.push(format!("{} rows without a class or a weight were left out", given - kept.len()));
    }
    let mut seen = kept.iter().map(|&row| class.codes[row as usize]);
    let Some(first) = seen.next() else {
        return Err(Error::data("no row has a class").in_column(&class.name).remedy("check the target column"));
    };
    if !one_class && seen.all(|code| code == first) {
        let level = &class.levels[usize::from(first)];
        return Err(Error::data(format!("there is only one class, {level:?}, so there is nothing to learn"))
            .in_column(&class.name)
            .remedy("name another target column, or add rows of another class"));
    }
    Ok(kept)
}

/// The data with missing values replaced by what the given rows have; `None` where none is missing.
fn filled(data: &Dataset, rows: &[u32]) -> Option<Dataset> {
    if data.kinds().complete {
        return None;
    }
    let mut weights = vec![0.0; data.rows()];
    let weight = |row: u32| data.weights().map_or(1.0, |weights| weights[row as usize]);
    rows.iter().for_each(|&row| weights[row as usize] = weight(row));
    Some(impute::fitted(data, &|row| weights[row]))
}
