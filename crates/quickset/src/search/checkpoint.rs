//! What a search came to, on the disk: a run that is killed at any moment goes on from here.
//!
//! The file is replaced whole at every better tree and every ten seconds. It says which data and which recipe it belongs
//! to, and is believed only after everything in it was looked at. Where it cannot be written the search goes on, and an
//! older file stays.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{Bought, GivesWayTo};
use crate::data::Dataset;
use crate::error::{Error, ErrorKind, Result};
use crate::io::{remove_leftovers, write_atomically};
use crate::model::Model;
use crate::recipe::Recipe;

const FORMAT: &str = "quickset-checkpoint";
const VERSION: u64 = 2;

/// The longest time between two writes.
const INTERVAL: Duration = Duration::from_secs(10);

/// A file in which a search leaves what it came to.
pub struct Checkpoint {
    shared: Arc<Shared>,
    /// Whether an earlier run's file is gone on from.
    resumes: bool,
    owner: OnceLock<Owner>,
    /// Ends the thread that writes every ten seconds.
    stop: Option<Sender<()>>,
    writer: Option<JoinHandle<()>>,
}

/// Whose checkpoint it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Owner {
    /// A hash of the data.
    data: String,
    /// As it was given, before the search wrote into it how far it came.
    recipe: Recipe,
}

/// What the search and the thread that writes have in common.
struct Shared {
    path: PathBuf,
    /// What is written next. Held while it is written, so that nothing older is ever put in its place.
    text: Mutex<Option<String>>,
    /// Why the last write failed.
    trouble: Mutex<Option<String>>,
}

/// Where a search stands.
#[derive(Debug)]
pub(crate) struct State {
    pub seconds: f64,
    pub stages: usize,
    pub r: Option<usize>,
    pub steps: usize,
    /// The leaves of the smallest tree that was as good as the model's.
    pub fewest: usize,
    /// By node of the model's tree: the samples it was last rebuilt with.
    pub tried: Vec<u32>,
    /// The cost of what was rebuilt since the root was.
    pub spent: f64,
    pub gives_way: GivesWayTo,
    pub bought: Vec<Bought>,
    pub model: Model,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    format: String,
    version: u64,
    owner: Owner,
    seconds: f64,
    stages: usize,
    r: Option<usize>,
    steps: usize,
    fewest: usize,
    tried: Vec<u32>,
    spent: f64,
    gives_way: GivesWayTo,
    bought: Vec<Bought>,
    /// The text of the model's file, which knows how to be checked.
    model: String,
}

impl Checkpoint {
    /// A checkpoint in this file; `resumes` goes on from what is there.
    pub fn new(path: impl AsRef<Path>, resumes: bool) -> Self {
        let shared =
            Arc::new(Shared { path: path.as_ref().to_path_buf(), text: Mutex::new(None), trouble: Mutex::new(None) });
        let (stop, stopped) = channel();
        let writing = Arc::clone(&shared);
        let writer = std::thread::spawn(move || {
            while stopped.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
                writing.write();
            }
        });
        Checkpoint { shared, resumes, owner: OnceLock::new(), stop: Some(stop), writer: Some(writer) }
    }

    /// Says whose it is.
    pub(crate) fn belongs_to(&self, data: &Dataset, recipe: &Recipe) {
        self.owner.get_or_init(|| Owner { data: format!("{:016x}", data.fingerprint()), recipe: recipe.clone() });
    }

    /// What an earlier run came to, if there was one and it is to be gone on from. What is not to be gone on from is not
    /// lost by mistake.
    pub(crate) fn read(&self) -> Result<Option<State>> {
        let path = &self.shared.path;
        if path.exists() && !self.resumes {
            return Err(Error::new(ErrorKind::Io, "this file is there already, and a checkpoint would replace it")
                .in_file(path)
                .remedy("go on from it with --resume, name another file, or remove it"));
        }
        remove_leftovers(path);
        if !path.exists() {
            return Ok(None);
        }
        let bytes = std::fs::read(path).map_err(|error| Error::io(path, &error))?;
        self.understand(&bytes).map(Some).map_err(|error| error.in_file(path))
    }

    fn understand(&self, bytes: &[u8]) -> Result<State> {
        const OTHER: &str = "name the checkpoint of this run, or start anew with another file";
        let damaged = |what: String| Error::model(format!("this is not a checkpoint: {what}")).remedy(OTHER);
        let value: serde_json::Value = serde_json::from_slice(bytes).map_err(|error| damaged(error.to_string()))?;
        if value.get("format").and_then(serde_json::Value::as_str) != Some(FORMAT) {
            return Err(damaged(format!("it does not say \"format\": {FORMAT:?}")));
        }
        if value.get("version").and_then(serde_json::Value::as_u64) != Some(VERSION) {
            return Err(damaged(format!("it is not of version {VERSION}")).remedy("use the program that wrote it"));
        }
        let document: Document = serde_json::from_value(value).map_err(|error| damaged(error.to_string()))?;
        let (found, own) = (&document.owner, self.owner.get());
        if own.is_some_and(|own| own.data != found.data) {
            return Err(Error::model("this checkpoint was made for other data").remedy(OTHER));
        }
        if own.is_some_and(|own| own.recipe != found.recipe) {
            let name = &found.recipe.name;
            return Err(Error::model(format!("this checkpoint was made by another recipe (of {name})")).remedy(OTHER));
        }
        let model = Model::from_json(&document.model)?;
        if document.tried.len() != model.tree.size() {
            return Err(damaged("its numbers do not fit its tree".into()));
        }
        let Document { seconds, stages, r, steps, fewest, tried, spent, gives_way, bought, .. } = document;
        Ok(State { seconds: seconds.max(0.0), stages, r, steps, fewest, tried, spent, gives_way, bought, model })
    }

    /// Takes where the search stands: to be written at once, or within ten seconds.
    pub(crate) fn offer(&self, state: &State, at_once: bool) {
        match self.text(state) {
            Ok(text) => *lock(&self.shared.text) = Some(text),
            Err(error) => *lock(&self.shared.trouble) = Some(error.to_string()),
        }
        if at_once {
            self.shared.write();
        }
    }

    fn text(&self, state: &State) -> Result<String> {
        let Some(owner) = self.owner.get() else {
            return Err(Error::model("a checkpoint without an owner"));
        };
        let document = Document {
            format: FORMAT.into(),
            version: VERSION,
            owner: owner.clone(),
            seconds: state.seconds,
            stages: state.stages,
            r: state.r,
            steps: state.steps,
            fewest: state.fewest,
            tried: state.tried.clone(),
            spent: state.spent,
            gives_way: state.gives_way,
            bought: state.bought.clone(),
            model: state.model.to_json()?,
        };
        serde_json::to_string(&document).map_err(|error| Error::model(format!("it cannot be written: {error}")))
    }

    /// Why it could not be written, if it could not since this was last asked.
    pub(crate) fn trouble(&self) -> Option<String> {
        lock(&self.shared.trouble).take()
    }
}

impl Shared {
    fn write(&self) {
        let text = lock(&self.text);
        let Some(text) = text.as_ref() else { return };
        let written = write_atomically(&self.path, |out| {
            out.write_all(text.as_bytes()).map_err(|error| Error::io(&self.path, &error))
        });
        if let Err(error) = written {
            *lock(&self.trouble) = Some(error.to_string());
        }
    }
}

impl Drop for Checkpoint {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(writer) = self.writer.take() {
            // A thread that could not write has said so already.
            _ = writer.join();
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
