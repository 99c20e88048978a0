//! Learners cross-validated on a study's data sets, on the folds that Weka makes.

use std::path::Path;

use anyhow::Result;
use quickset::Error;
use quickset::data::{Folds, impute};
use quickset::eval::Cell;
use quickset::io::{ReadOptions, read};

use super::report;
use crate::compare::journal::{Journal, Settings, Shape, write_cells};
use crate::compare::sets::{Set, fingerprint};
use crate::compare::work::{Ready, Work};
use crate::estimate::known_constants;
use crate::output::Console;
use crate::progress::Progress;
use crate::recipe::{Entry, entries};

const FOLDS: usize = 10;
const SHAPE: Shape = Shape::Csv { curve: false };

/// What is tried.
pub struct Trial<'a> {
    /// The data sets.
    pub sets: &'a [Set],
    /// The learners, as `--learners` takes them.
    pub learners: &'a [&'a str],
    /// Runs of tenfold cross-validation.
    pub runs: usize,
    /// Sets of more rows than this have one run.
    pub once_above: Option<usize>,
    /// Whether missing values are replaced over the whole file first, as some papers did.
    pub impute: bool,
}

impl Trial<'_> {
    /// Every fold, by data set, learner, run. With an output folder it is kept there at once, and what is there of a study
    /// that was stopped is not done again. A failure is an error: a report must not have holes.
    pub fn run(&self, output: Option<&Path>, console: &Console) -> Result<Vec<Cell>> {
        let learners = entries(&self.learners.join(","), 1)?;
        let raw = output.map(|folder| folder.join("raw.csv"));
        let (journal, done) = open_journal(raw.as_deref(), &learners, console)?;
        let progress = Progress::new(self.sets.iter().map(|set| set.path.as_str()), console.is_quiet());
        let cost = known_constants();
        let work = Work {
            learners: &learners,
            shares: &[],
            journal: &journal,
            progress: &progress,
            cost: cost.as_ref(),
            console,
        };
        let (cells, failures) = work.all(self.sets, done, |set| self.prepare(set))?;
        progress.finish();
        if let Some(folder) = output {
            let mut raw = Vec::new();
            write_cells(&mut raw, SHAPE, &cells)?;
            report::write(folder, "raw.csv", &String::from_utf8_lossy(&raw))?;
        }
        journal.finish()?;
        let failed = cells.iter().filter(|cell| !cell.is_ok()).count();
        anyhow::ensure!(failures + failed == 0, "{failures} data sets and {failed} folds failed; there is no report");
        Ok(cells)
    }

    fn prepare(&self, set: &Set) -> Result<Ready> {
        let mut data = read(&set.path, &ReadOptions::default())?;
        if self.impute {
            data = impute::mode_mean(&data)?;
        }
        let codes = data.class().map_or(&[][..], |class| &class.codes);
        let runs = if self.once_above.is_some_and(|rows| data.rows() > rows) { 1 } else { self.runs };
        let runs: quickset::Result<Vec<Folds>> = (1..=runs).map(|run| Folds::as_weka(codes, FOLDS, run)).collect();
        let runs = runs.map_err(|error| error.in_file(&set.path))?;
        let fingerprint = fingerprint(&data, None);
        Ok(Ready { data, runs, fingerprint })
    }
}

/// Those of the sets that the folder holds, and the names of the others, which are said.
pub fn present(sets: &[&'static str], folder: &Path, console: &Console) -> Result<(Vec<Set>, Vec<&'static str>)> {
    let path = |name: &str| folder.join(format!("{name}.arff"));
    let (there, absent): (Vec<&str>, Vec<&str>) = sets.iter().partition(|name| path(name).is_file());
    if there.is_empty() {
        let error = Error::data(format!("none of the {} data sets is here", sets.len())).in_file(folder);
        return Err(error.remedy(format!("name the folder that holds {}.arff and the others", sets[0])).into());
    }
    if !absent.is_empty() {
        console.warning(&format!("skipped, since {} does not hold them: {}", folder.display(), absent.join(", ")));
    }
    let set = |name: &str| Set { name: name.into(), path: path(name).display().to_string() };
    Ok((there.into_iter().map(set).collect(), absent))
}

fn open_journal(raw: Option<&Path>, learners: &[Entry], console: &Console) -> Result<(Journal, Vec<Cell>)> {
    let Some(raw) = raw else { return Ok((Journal::none(), Vec::new())) };
    let settings = Settings::new(1, Some(FOLDS as u16), learners);
    let unfinished = raw.exists() && !Journal::is_finished(raw);
    if unfinished {
        console.note(&format!("{}: the study that was stopped goes on", raw.display()));
    }
    Journal::open(raw, Some(SHAPE), settings, unfinished)
}
