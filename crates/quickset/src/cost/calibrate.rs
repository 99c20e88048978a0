//! The machine's own constants: small generated sets are learnt from, and the kinds of work fitted to the times.
//!
//! The sets differ in rows, attributes, classes, levels, noise and missing values, so that the constants can be told
//! apart. Every error counts by its share of the time, so that the short runs, which tell the fixed costs, weigh as much
//! as the long ones.

use std::collections::BTreeMap;
use std::time::Instant;

use super::Cost;
use super::family::Family;
use super::fit::non_negative;
use super::shape::Shape;
use super::tree::Size;
use super::work::{KINDS, Work, work};
use crate::data::generate::{Knobs, generate};
use crate::data::{Column, ColumnData, Dataset, MISSING};
use crate::error::{Error, ErrorKind, Result};
use crate::learner::Learner;
use crate::recipe::{Prune, Recipe};

/// So many times every run comes round, ...
const ROUNDS: usize = 2;
/// ... each time is repeated so often at most, and the shortest counts, ...
const REPEATS: usize = 3;
/// ... until it has had so many seconds.
const ENOUGH: f64 = 0.002;

/// T2 tries all pairs of tests: it is shown no more rows than this, ...
const FEW_ROWS: usize = 120;
/// ... and no more attributes than this.
const FEW_ATTRIBUTES: usize = 30;

impl Cost {
    /// Measures this machine, for as many threads as learning uses here. Takes about a second.
    pub fn calibrate() -> Result<Self> {
        let threads = rayon::current_num_threads();
        let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build();
        let alone = alone.map_err(|error| Error::new(ErrorKind::Io, format!("no thread could be started: {error}")))?;
        let sets = sets()?;
        let constants = alone.install(|| constants(&sets))?;
        let speed_up = if threads > 1 { speed_up(&alone)?.clamp(1.0, threads as f64) } else { 1.0 };
        Ok(Cost { constants, threads, speed_up })
    }
}

fn constants(sets: &[Dataset]) -> Result<BTreeMap<Family, [f64; KINDS]>> {
    let mut runs = Vec::new();
    for (family, recipe) in Family::ALL {
        runs.extend(
            sets.iter().filter_map(|set| Run::new(family, recipe(), set).transpose()).collect::<Result<Vec<_>>>()?,
        );
    }
    // Rounds, not repeats at once: what else the machine does comes and goes.
    for _ in 0..ROUNDS {
        runs.iter_mut().try_for_each(Run::again)?;
    }
    let fitted = |family| {
        let of_family = runs.iter().filter(|run| run.family == family);
        let terms: Vec<Vec<f64>> =
            of_family.map(|run| run.work.iter().map(|work| work / run.seconds).collect()).collect();
        let mut constants = [0.0; KINDS];
        constants.iter_mut().zip(non_negative(&terms, &vec![1.0; terms.len()])).for_each(|(at, found)| *at = found);
        constants
    };
    Ok(Family::ALL.iter().map(|&(family, _)| (family, fitted(family))).collect())
}

/// A recipe on a set, the work there, and the least time it took.
struct Run {
    family: Family,
    learner: Learner,
    data: Dataset,
    work: Work,
    seconds: f64,
}

impl Run {
    /// `None` where the family is not for the set.
    fn new(family: Family, recipe: Recipe, set: &Dataset) -> Result<Option<Self>> {
        let rows = if family == Family::Ahead { set.rows().min(FEW_ROWS) } else { set.rows() };
        let data = first_rows(set, rows);
        let shape = Shape::of(&data);
        if shape.classes < 2 || (family == Family::Ahead && shape.attributes() > FEW_ATTRIBUTES) {
            return Ok(None);
        }
        let work = work(&recipe, &shape, grown(&recipe, &data)?);
        Ok(Some(Run { family, learner: Learner::new(recipe)?, data, work, seconds: f64::INFINITY }))
    }

    fn again(&mut self) -> Result<()> {
        self.seconds = self.seconds.min(shortest(&self.learner, &self.data)?);
        Ok(())
    }
}

/// The least time of learning. A copy is learnt from, since columns are sorted once only.
fn shortest(learner: &Learner, data: &Dataset) -> Result<f64> {
    let rows: Vec<u32> = (0..data.rows() as u32).collect();
    let (start, mut least) = (Instant::now(), f64::INFINITY);
    for _ in 0..REPEATS {
        least = least.min(learner.train_uncounted(&data.select(&rows), &rows)?.seconds.total);
        if start.elapsed().as_secs_f64() > ENOUGH {
            break;
        }
    }
    Ok(least.max(1e-7))
}

/// The tree before pruning.
pub(super) fn grown(recipe: &Recipe, data: &Dataset) -> Result<Size> {
    let bare = Recipe { prune: Prune::None, collapse: false, ..recipe.clone() };
    let rows: Vec<u32> = (0..data.rows() as u32).collect();
    let model = Learner::new(bare)?.train_uncounted(data, &rows)?.model;
    Ok(Size { nodes: model.tree().size() as f64, depth: model.tree().mean_depth() })
}

/// How many times faster all threads are than one, on data large enough for them.
fn speed_up(alone: &rayon::ThreadPool) -> Result<f64> {
    let learner = Learner::new(Recipe::c45())?;
    let data = random_tree(6_000, 20, 0, 2, 0.05)?;
    Ok(alone.install(|| shortest(&learner, &data))? / shortest(&learner, &data)?)
}

fn sets() -> Result<Vec<Dataset>> {
    let drawn = |name: &str, rows: usize| {
        generate(name, &Knobs { rows: Some(rows), ..Knobs::default() })?.with_last_as_target()
    };
    let words = |rows, words, classes| {
        let knobs = Knobs { rows: Some(rows), words: Some(words), classes: Some(classes), ..Knobs::default() };
        generate("bag-of-words", &knobs)?.with_last_as_target()
    };
    let waves = drawn("waveform", 700)?;
    Ok(vec![
        random_tree(100, 10, 0, 2, 0.1)?,
        random_tree(1_500, 8, 0, 2, 0.0)?,
        random_tree(1_000, 10, 0, 8, 0.3)?,
        random_tree(120, 0, 12, 3, 0.1)?,
        random_tree(2_000, 0, 10, 2, 0.0)?,
        random_tree(800, 0, 30, 10, 0.2)?,
        random_tree(600, 10, 10, 4, 0.1)?,
        with_holes(&random_tree(400, 6, 14, 2, 0.1)?),
        with_holes(&random_tree(250, 12, 4, 5, 0.0)?),
        rounded(&waves),
        rounded(&random_tree(1_200, 12, 0, 6, 0.1)?),
        waves,
        drawn("led24", 600)?,
        words(150, 300, 3)?,
        words(500, 800, 6)?,
    ])
}

fn random_tree(rows: usize, numeric: usize, nominal: usize, classes: usize, noise: f64) -> Result<Dataset> {
    let knobs = Knobs {
        rows: Some(rows),
        numeric: Some(numeric),
        nominal: Some(nominal),
        classes: Some(classes),
        noise: Some(noise),
        ..Knobs::default()
    };
    generate("random-tree", &knobs)?.with_last_as_target()
}

fn first_rows(data: &Dataset, rows: usize) -> Dataset {
    data.select(&(0..rows as u32).collect::<Vec<u32>>())
}

/// The data with numbers of few values.
fn rounded(data: &Dataset) -> Dataset {
    changed(data, |column, _| match column.data() {
        ColumnData::Numeric(values) => {
            let (low, high) = values.iter().fold((f64::MAX, f64::MIN), |(low, high), &x| (low.min(x), high.max(x)));
            let step = ((high - low) / 20.0).max(f64::MIN_POSITIVE);
            ColumnData::Numeric(values.iter().map(|value| (value / step).round() * step).collect())
        }
        other => other.clone(),
    })
}

/// The data without a tenth of the values.
fn with_holes(data: &Dataset) -> Dataset {
    let missing = |row: usize, at: usize| (row * 7 + at * 13).is_multiple_of(10);
    changed(data, |column, at| match column.data() {
        ColumnData::Numeric(values) => {
            let hole = |(row, &value)| if missing(row, at) { f64::NAN } else { value };
            ColumnData::Numeric(values.iter().enumerate().map(hole).collect())
        }
        ColumnData::Nominal { levels, codes } => {
            let hole = |(row, &code)| if missing(row, at) { MISSING } else { code };
            ColumnData::Nominal { levels: levels.clone(), codes: codes.iter().enumerate().map(hole).collect() }
        }
        other => other.clone(),
    })
}

fn changed(data: &Dataset, change: impl Fn(&Column, usize) -> ColumnData) -> Dataset {
    let column = |(at, column): (usize, &Column)| Column::new(column.name(), change(column, at));
    data.with_attributes(data.attributes().iter().enumerate().map(column).collect())
}
