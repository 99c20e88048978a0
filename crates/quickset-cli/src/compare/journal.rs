//! The cells that are finished, on the disk as soon as they are, so that a run that was killed goes on where it was.
//!
//! The file of cells is the output itself where that is a list of cells (CSV, JSON) and lies beside it otherwise. Next
//! to it, until the run is finished, lies what the cells were made with, so that no others get among them.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use anyhow::Result;
use quickset::eval::Cell;
use quickset::io::write_atomically;
use quickset::{Error, ErrorKind, Recipe};
use serde::{Deserialize, Serialize};

use crate::recipe::Entry;

/// How cells are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A line each; with one more column for a learning curve.
    Csv {
        /// Whether it is one.
        curve: bool,
    },
    /// A document that is complete after every cell, with a line for each.
    Json,
}

/// What cells are made with. Cells made otherwise do not belong in the same file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// Where random draws start.
    pub seed: u64,
    /// Number of folds; `None` where files give them.
    pub folds: Option<u16>,
    /// The learners by what the user calls them.
    pub learners: BTreeMap<String, Recipe>,
    /// A hash of each data set that was begun, and of the file that divides it.
    pub data: BTreeMap<String, String>,
}

impl Settings {
    /// Those of a run before its first data set.
    pub fn new(seed: u64, folds: Option<u16>, learners: &[Entry]) -> Self {
        let learners = learners.iter().map(|entry| (entry.label.clone(), entry.learner.recipe().clone())).collect();
        Settings { seed, folds, learners, data: BTreeMap::new() }
    }
}

/// Where finished cells go.
pub struct Journal(Option<Files>);

struct Files {
    cells: PathBuf,
    settings: PathBuf,
    shape: Shape,
    /// Whether the cells are an aid that is not kept.
    passing: bool,
    writing: Mutex<Writing>,
}

struct Writing {
    /// Opened for the first data set that can be read: until then, what an older run wrote stays.
    file: Option<File>,
    /// Whether the next cell is the first.
    first: bool,
    settings: Settings,
}

/// What a document of cells begins and ends with.
const HEAD: &str = "{\"cells\":[";
const TAIL: &str = "\n]}\n";

/// The ending of the file that tells what cells are made with.
const SETTINGS: &str = "run.json";

impl Journal {
    /// No journal: the cells are only printed.
    pub fn none() -> Self {
        Journal(None)
    }

    /// Opens the journal of `output`. Answers the cells that are there, if the run is to be resumed.
    pub fn open(output: &Path, kept: Option<Shape>, settings: Settings, resume: bool) -> Result<(Self, Vec<Cell>)> {
        let cells = if kept.is_some() { output.to_path_buf() } else { beside(output, "cells.json") };
        let shape = kept.unwrap_or(Shape::Json);
        let place = beside(output, SETTINGS);
        if !resume && place.exists() {
            let what = "an unfinished run is written here";
            let remedy = format!("continue it with --resume, or delete {} to begin anew", place.display());
            return Err(Error::new(ErrorKind::Io, what).in_file(output).remedy(remedy).into());
        }
        let (done, earlier) = if resume { earlier(&cells, &place, shape)? } else { (Vec::new(), None) };
        let settings = match earlier {
            Some(earlier) => agreed(earlier, settings).map_err(|what| refusal(output, &what))?,
            None => settings,
        };
        let file = if resume { Some(begin(&cells, shape, &done)?) } else { None };
        let writing = Mutex::new(Writing { file, first: done.is_empty(), settings });
        let files = Files { cells, settings: place, shape, passing: kept.is_none(), writing };
        files.write_settings()?;
        Ok((Journal(Some(files)), done))
    }

    /// Whether `output` holds a run that was finished: nothing then tells what its cells were made with.
    pub fn is_finished(output: &Path) -> bool {
        output.exists() && !beside(output, SETTINGS).exists()
    }

    /// Whether there is one.
    pub fn is_kept(&self) -> bool {
        self.0.is_some()
    }

    /// Where the cells are.
    pub fn path(&self) -> Option<&Path> {
        self.0.as_ref().map(|files| files.cells.as_path())
    }

    /// Notes that a data set is begun; refuses one that has changed since its first cells were made.
    pub fn begin(&self, dataset: &str, fingerprint: &str) -> Result<()> {
        let Some(files) = &self.0 else { return Ok(()) };
        {
            let mut writing = files.lock();
            if writing.file.is_none() {
                writing.file = Some(begin(&files.cells, files.shape, &[])?);
            }
            if let Some(earlier) = writing.settings.data.insert(dataset.to_string(), fingerprint.to_string())
                && earlier != fingerprint
            {
                return Err(refusal(&files.cells, &format!("the data or the folds of {dataset:?} were others")).into());
            }
        }
        files.write_settings()
    }

    /// Adds a finished cell.
    pub fn add(&self, cell: &Cell) -> Result<()> {
        let Some(files) = &self.0 else { return Ok(()) };
        let mut writing = files.lock();
        let first = std::mem::replace(&mut writing.first, false);
        let Some(file) = &mut writing.file else { return Ok(()) };
        let written = match files.shape {
            Shape::Csv { .. } => file.write_all(format!("{}\n", cell.csv()).as_bytes()),
            Shape::Json => {
                let text = format!("{}\n{}{TAIL}", if first { "" } else { "," }, serde_json::to_string(cell)?);
                // The end of the document is written over, at once with what follows: it is complete again.
                file.seek(SeekFrom::End(-(TAIL.len() as i64))).and_then(|_| file.write_all(text.as_bytes()))
            }
        };
        Ok(written.map_err(|error| Error::io(&files.cells, &error))?)
    }

    /// Clears away what only an unfinished run needs.
    pub fn finish(self) -> Result<()> {
        let Some(files) = self.0 else { return Ok(()) };
        let remove = |path: &Path| fs::remove_file(path).map_err(|error| Error::io(path, &error));
        if files.passing && files.lock().file.is_some() {
            remove(&files.cells)?;
        }
        Ok(remove(&files.settings)?)
    }
}

impl Files {
    fn lock(&self) -> std::sync::MutexGuard<'_, Writing> {
        self.writing.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn write_settings(&self) -> Result<()> {
        let text = serde_json::to_string(&self.lock().settings)?;
        let path = &self.settings;
        Ok(write_atomically(path, |out| writeln!(out, "{text}").map_err(|error| Error::io(path, &error)))?)
    }
}

fn beside(output: &Path, ending: &str) -> PathBuf {
    let mut name = output.as_os_str().to_owned();
    name.push(".");
    name.push(ending);
    name.into()
}

fn refusal(path: &Path, what: &str) -> Error {
    Error::data(format!("the run that is to be resumed is another one: {what}"))
        .in_file(path)
        .remedy("call it as it was called, or write to another file")
}

/// The earlier settings with what is new in the present ones, or how they contradict each other.
fn agreed(earlier: Settings, mut asked: Settings) -> std::result::Result<Settings, String> {
    if earlier.seed != asked.seed {
        return Err(format!("its seed was {}, not {}", earlier.seed, asked.seed));
    }
    if earlier.folds != asked.folds {
        let count = |folds: Option<u16>| folds.map_or("those of a file".to_string(), |count| count.to_string());
        return Err(format!("its folds were {}, not {}", count(earlier.folds), count(asked.folds)));
    }
    for (label, recipe) in earlier.learners {
        if asked.learners.get(&label).is_some_and(|now| *now != recipe) {
            return Err(format!("{label:?} stood for another recipe"));
        }
        asked.learners.entry(label).or_insert(recipe);
    }
    asked.data = earlier.data;
    Ok(asked)
}

/// The finished cells of an earlier run, and what they were made with.
fn earlier(cells: &Path, settings: &Path, shape: Shape) -> Result<(Vec<Cell>, Option<Settings>)> {
    let text = |path: &Path| match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Error::io(path, &error)),
    };
    let done = match text(cells)? {
        Some(text) => parse(&text, shape).map_err(|error| error.in_file(cells))?,
        None => Vec::new(),
    };
    let damaged =
        |error| Error::format(format!("this is not what a run leaves ({error})")).in_file(settings).remedy("delete it");
    let settings = text(settings)?.map(|text| serde_json::from_str(&text).map_err(damaged)).transpose()?;
    Ok((done, settings))
}

/// Reads cells; what a kill left unfinished at the end is not one.
fn parse(text: &str, shape: Shape) -> quickset::Result<Vec<Cell>> {
    let remedy = "name the file that an unfinished comparison of the same format wrote";
    match shape {
        Shape::Csv { curve } => {
            let whole = &text[..text.rfind('\n').map_or(0, |end| end + 1)];
            if whole.is_empty() {
                return Ok(Vec::new());
            }
            if whole.lines().next() != Some(&header(curve)) {
                return Err(Error::format(format!("the first line is not \"{}\"", header(curve)))
                    .at_line(1)
                    .remedy(remedy));
            }
            let mut reader = csv::Reader::from_reader(whole.as_bytes());
            let cell = |(index, cell): (usize, csv::Result<Cell>)| {
                cell.map_err(|error| {
                    Error::format(format!("this is no cell ({error})")).at_line(index as u64 + 2).remedy(remedy)
                })
            };
            reader.deserialize().enumerate().map(cell).collect()
        }
        Shape::Json => {
            let last = text.lines().count();
            let lines = text.lines().enumerate().filter(|(_, line)| line.starts_with("{\"dataset\":"));
            let mut cells = Vec::new();
            for (index, line) in lines {
                match serde_json::from_str(line.trim_end_matches(',')) {
                    Ok(cell) => cells.push(cell),
                    Err(_) if index + 1 == last => {}
                    Err(error) => {
                        let error = Error::format(format!("this is no cell ({error})")).at_line(index as u64 + 1);
                        return Err(error.remedy(remedy));
                    }
                }
            }
            if cells.is_empty() && !text.trim().is_empty() && !text.starts_with('{') {
                return Err(Error::format("this is no list of cells").at_line(1).remedy(remedy));
            }
            Ok(cells)
        }
    }
}

/// The first line of a CSV file of cells.
fn header(curve: bool) -> String {
    format!("{}{}", Cell::HEADER, if curve { ",share" } else { "" })
}

/// Writes the file with the cells that are done, and opens it for more.
fn begin(path: &Path, shape: Shape, done: &[Cell]) -> Result<File> {
    let failed = |error: io::Error| Error::io(path, &error);
    write_atomically(path, |out| write_cells(out, shape, done).map_err(failed))?;
    let options = match shape {
        Shape::Csv { .. } => File::options().append(true).open(path),
        Shape::Json => File::options().write(true).open(path),
    };
    Ok(options.map_err(failed)?)
}

/// Cells as a file holds them.
pub fn write_cells(out: &mut dyn Write, shape: Shape, cells: &[Cell]) -> io::Result<()> {
    match shape {
        Shape::Csv { curve } => {
            writeln!(out, "{}", header(curve))?;
            cells.iter().try_for_each(|cell| writeln!(out, "{}", cell.csv()))
        }
        Shape::Json => {
            write!(out, "{HEAD}")?;
            write_list(out, cells)?;
            write!(out, "{TAIL}")
        }
    }
}

/// The cells of a document: a line each, a comma between them.
pub fn write_list(out: &mut dyn Write, cells: &[Cell]) -> io::Result<()> {
    for (index, cell) in cells.iter().enumerate() {
        write!(out, "{}\n{}", if index == 0 { "" } else { "," }, serde_json::to_string(cell)?)?;
    }
    Ok(())
}
