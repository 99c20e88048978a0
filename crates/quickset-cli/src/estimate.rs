//! `quickset train --estimate`: what training would take, for the learner asked for and for its peers.
//!
//! The machine's constants are measured once and kept in the user's cache folder, by version, build, processor and
//! number of threads. Where that folder cannot be used they are measured every time.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Result;
use clap::ValueEnum;
use quickset::cost::{Cost, Estimate, Shape};
use quickset::io::write_atomically;
use quickset::recipe::PRESETS;
use quickset::{Dataset, Learner};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use crate::failure::Usage;
use crate::machine::processor;
use crate::output::{Console, print};
use crate::table::table;
use crate::train::{Format, short};

/// Most runs take between the estimate over this and the estimate times this.
const FACTOR: f64 = 2.0;

/// Where the machine's constants come from.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Constants {
    /// From the cache folder, or measured if they are not there
    Kept,
    /// Measured anew
    Refit,
}

/// Estimates, and prints the table or the object.
pub fn run(
    learner: &Learner,
    data: &Dataset,
    path: &str,
    constants: Constants,
    format: Format,
    console: &Console,
) -> Result<()> {
    if !learner.recipe().search.is_once() {
        let name = &learner.recipe().name;
        return Err(Usage(format!("{name} takes as long as it is given; say how long with --budget")).into());
    }
    let (cost, measured) = constants.get(console)?;
    let shape = Shape::of(data);
    let asked = Line::of(&cost, learner, data, &shape).map_err(|error| error.in_file(path))?;
    let mut estimates = vec![asked];
    for preset in PRESETS.iter().filter(|preset| preset.name != learner.recipe().name) {
        let peer = Learner::new((preset.recipe)())?;
        if !peer.recipe().search.is_once() {
            continue;
        }
        // What refuses the data, as `t2` does where they are many, is no peer here.
        if let Ok(line) = Line::of(&cost, &peer, data, &shape) {
            estimates.push(line);
        }
    }
    let report = Report {
        learner: &learner.recipe().name,
        rows: shape.rows,
        attributes: shape.attributes(),
        classes: shape.classes,
        missing: shape.missing,
        threads: cost.threads(),
        constants: if measured { "measured" } else { "kept" },
        estimates,
    };
    print(|out| match format {
        Format::Text => writeln!(out, "{}", report.text()),
        Format::Json => {
            serde_json::to_writer(&mut *out, &report)?;
            writeln!(out)
        }
    })
}

/// What is printed. The fields are the JSON document, stable for scripts.
#[derive(Serialize)]
struct Report<'a> {
    learner: &'a str,
    rows: usize,
    attributes: usize,
    classes: usize,
    missing: f64,
    threads: usize,
    constants: &'static str,
    estimates: Vec<Line>,
}

/// The estimate of one learner.
#[derive(Serialize)]
struct Line {
    learner: String,
    seconds: f64,
    seconds_from: f64,
    seconds_to: f64,
    memory_bytes: u64,
    pilot_rows: usize,
    pilot_seconds: f64,
}

impl Line {
    fn of(cost: &Cost, learner: &Learner, data: &Dataset, shape: &Shape) -> quickset::Result<Self> {
        if shape.is_too_large(learner.recipe()) {
            // It says why, and at once.
            learner.fit(data)?;
        }
        let pilot = cost.pilot(learner, data, shape)?;
        let Estimate { seconds, bytes } = pilot.estimate;
        Ok(Line {
            learner: learner.recipe().name.clone(),
            seconds,
            seconds_from: seconds / FACTOR,
            seconds_to: seconds * FACTOR,
            memory_bytes: bytes,
            pilot_rows: pilot.rows,
            pilot_seconds: pilot.seconds,
        })
    }
}

impl Report<'_> {
    fn text(&self) -> String {
        let mut table = table(["learner", "seconds", "from", "to", "memory"], 1..5);
        for line in &self.estimates {
            table.add_row([
                line.learner.clone(),
                short(line.seconds),
                short(line.seconds_from),
                short(line.seconds_to),
                format!("{:.0} MB", line.memory_bytes as f64 / 1e6),
            ]);
        }
        let lines: Vec<String> = table.lines().map(|line| line.trim_end().to_string()).collect();
        let threads = if self.threads == 1 { "thread" } else { "threads" };
        format!(
            "{} rows × {} attributes, {} classes; {} {threads}\n\n{}\n\n\
             Training alone, without reading; nothing was kept. Most runs end within a factor of 2: from, to.",
            self.rows,
            self.attributes,
            self.classes,
            self.threads,
            lines.join("\n")
        )
    }
}

/// The constants that were measured on this machine before, if they were: for progress, which must not cost anything.
pub fn known_constants() -> Option<Cost> {
    let key = Key::of_this_machine();
    kept(&cache_folder()?.join(key.file_name()), &key)
}

impl Constants {
    /// The constants, and whether they were measured just now.
    fn get(self, console: &Console) -> Result<(Cost, bool)> {
        let key = Key::of_this_machine();
        let file = cache_folder().map(|folder| folder.join(key.file_name()));
        if self == Constants::Kept
            && let Some(cost) = file.as_deref().and_then(|file| kept(file, &key))
        {
            return Ok((cost, false));
        }
        let start = Instant::now();
        let cost = Cost::calibrate()?;
        let took = short(start.elapsed().as_secs_f64());
        let kept = Kept { key, cost };
        match file.as_deref().map(|file| (file, keep(file, &kept))) {
            Some((file, Ok(()))) => {
                console.note(&format!("measured this machine in {took} s; its constants are in {}", file.display()));
            }
            Some((_, Err(error))) => {
                console.note(&format!("measured this machine in {took} s; its constants cannot be kept: {error:#}"));
            }
            None => console.note(&format!("measured this machine in {took} s; there is no folder to keep that in")),
        }
        Ok((kept.cost, true))
    }
}

/// What constants are good for.
#[derive(PartialEq, Serialize, Deserialize)]
struct Key {
    version: String,
    build: String,
    processor: String,
    threads: usize,
}

/// The file in the cache folder.
#[derive(Serialize, Deserialize)]
struct Kept {
    key: Key,
    cost: Cost,
}

impl Key {
    fn of_this_machine() -> Self {
        Key {
            version: env!("CARGO_PKG_VERSION").into(),
            build: if cfg!(debug_assertions) { "debug" } else { "release" }.into(),
            processor: processor(),
            threads: rayon::current_num_threads(),
        }
    }

    fn file_name(&self) -> String {
        let Key { version, build, processor, threads } = self;
        format!("cost-{version}-{build}-{threads}-{:016x}.json", xxh3_64(processor.as_bytes()))
    }
}

/// `quickset` in the folder for caches that the user or the system names.
fn cache_folder() -> Option<PathBuf> {
    let named = |variable: &str| env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute());
    let folder = named("XDG_CACHE_HOME").or_else(|| named("LOCALAPPDATA"));
    Some(folder.or_else(|| Some(named("HOME")?.join(".cache")))?.join("quickset"))
}

/// The constants in the file, if they are whole and of this machine.
fn kept(file: &Path, key: &Key) -> Option<Cost> {
    let kept: Kept = serde_json::from_str(&fs::read_to_string(file).ok()?).ok()?;
    (kept.key == *key && kept.cost.is_sound()).then_some(kept.cost)
}

fn keep(file: &Path, kept: &Kept) -> Result<()> {
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    let text = serde_json::to_string(kept)?;
    write_atomically(file, |out| out.write_all(text.as_bytes()).map_err(|error| quickset::Error::io(file, &error)))?;
    Ok(())
}
