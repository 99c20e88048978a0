//! Training: on a thread of its own, while this one listens to Ctrl-C and tells how far it came.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use quickset::recipe::Search;
use quickset::search::{Answer, News, Run};
use quickset::{Budget, Learner, Progress, Signal};

use crate::error::{Failure, Result};
use crate::model::Model;
use crate::recipe::parsed;
use crate::table::Table;
use crate::threads::Pool;

/// How often the listener looks up.
const MOMENT: Duration = Duration::from_millis(50);

/// How long an exception waits for a training to end.
const PATIENCE: Duration = Duration::from_millis(200);

/// Keeps the last news until the listener asks.
#[derive(Default)]
struct Latest(Mutex<Option<String>>);

impl Progress for Latest {
    fn report(&self, news: &News<'_>) -> Answer {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = serde_json::to_string(news).ok();
        Answer::Continue
    }
}

/// The seconds of a budget such as `500ms`.
#[pyfunction]
pub fn seconds(budget: &str) -> Result<f64> {
    Ok(budget.parse::<Budget>()?.time().as_secs_f64())
}

/// Learns, within a budget of which so many seconds are spent. `watch` is called with the seconds so far and the last news
/// of a search, if there is any; what it raises ends the training. Answers with the model, remarks for the user, how a
/// search went, and the seconds of the training itself.
///
/// Ctrl-C ends a search or a training with a budget early, and is an exception for others. An exception does not wait for
/// what takes long to notice it: that ends by itself, unseen.
#[pyfunction]
pub fn train(
    py: Python<'_>,
    table: &Table,
    recipe: &str,
    budget: Option<&str>,
    spent: f64,
    threads: Option<usize>,
    watch: Option<Py<PyAny>>,
) -> Result<(Model, Vec<String>, Option<String>, f64)> {
    let now = Instant::now();
    let began = now.checked_sub(Duration::try_from_secs_f64(spent).unwrap_or_default()).unwrap_or(now);
    let learner = Learner::new(parsed(recipe)?)?.with_one_class();
    let budget = budget.map(str::parse::<Budget>).transpose()?;
    let signal = budget.map_or_else(Signal::default, |budget| budget.signal(began));
    let may_end_early = budget.is_some() || !matches!(learner.recipe().search, Search::Once);
    let (latest, finished) = (Arc::new(Latest::default()), Arc::new(AtomicBool::new(false)));
    let worker = {
        let (data, pool, signal) = (Arc::clone(&table.data), Pool::of(threads)?, signal.clone());
        let (latest, finished, listener) = (Arc::clone(&latest), Arc::clone(&finished), thread::current());
        let watched = watch.is_some();
        thread::spawn(move || {
            let mut run = Run::until(&signal);
            if watched {
                run.progress = &*latest;
            }
            let start = Instant::now();
            let outcome = pool.install(|| learner.train_with(&data, &run));
            let seconds = start.elapsed().as_secs_f64();
            finished.store(true, Ordering::Release);
            listener.unpark();
            outcome.map(|trained| (trained, seconds))
        })
    };
    let mut exception: Option<(PyErr, Instant)> = None;
    while !finished.load(Ordering::Acquire) && !worker.is_finished() {
        py.detach(|| thread::park_timeout(MOMENT));
        let tell = |watch: &Py<PyAny>| {
            let news = latest.0.lock().unwrap_or_else(PoisonError::into_inner).take();
            watch.call1(py, (began.elapsed().as_secs_f64(), news)).map(drop)
        };
        if let Err(raised) = py.check_signals().and_then(|()| watch.as_ref().map_or(Ok(()), tell)) {
            exception.get_or_insert((raised, Instant::now()));
            signal.raise();
        }
        if let Some((raised, _)) = exception.take_if(|(_, since)| !may_end_early && since.elapsed() > PATIENCE) {
            return Err(Failure::from(raised));
        }
    }
    let outcome = py.detach(|| worker.join());
    let (trained, seconds) = outcome.unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
    let ended_early = |raised: &PyErr| may_end_early && raised.is_instance_of::<PyKeyboardInterrupt>(py);
    if let Some((raised, _)) = exception.filter(|(raised, _)| !ended_early(raised)) {
        return Err(Failure::from(raised));
    }
    let report = trained.search.and_then(|report| serde_json::to_string(&report).ok());
    Ok((Model { model: trained.model }, trained.notes, report, seconds))
}
