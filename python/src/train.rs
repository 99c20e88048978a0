//! Training: on a thread of its own, while this one listens to Ctrl-C and tells how far it came.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use pyo3::prelude::*;
use quickset::search::{Answer, News, Run};
use quickset::{Budget, Learner, Progress, Signal};

use crate::error::{Failure, Result};
use crate::model::Model;
use crate::recipe::parsed;
use crate::table::Table;
use crate::threads::pool;

/// How often the listener looks up.
const MOMENT: Duration = Duration::from_millis(50);

/// Keeps the last news until the listener asks.
#[derive(Default)]
struct Latest(Mutex<Option<String>>);

impl Progress for Latest {
    fn report(&self, news: &News<'_>) -> Answer {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = serde_json::to_string(news).ok();
        Answer::Continue
    }
}

/// Learns, within a budget of which so many seconds are spent. `watch` is called with the seconds so far and the last news of a search, if there is any; what it raises ends
/// the training. Answers with the model, remarks for the user, how a search went, and the seconds of the training itself.
///
/// Ctrl-C ends a search early, and is an exception where there is no tree to show for it.
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
    let learner = Learner::new(parsed(recipe)?)?;
    let budget = budget.map(str::parse::<Budget>).transpose()?;
    let signal = budget.map_or_else(Signal::default, |budget| budget.signal(began));
    let pool = pool(threads)?;
    let (latest, finished, listener) = (Latest::default(), AtomicBool::new(false), thread::current());
    let mut exception = None;
    let outcome = thread::scope(|scope| {
        let worker = scope.spawn(|| {
            let mut run = Run::until(&signal);
            if watch.is_some() {
                run.progress = &latest;
            }
            let start = Instant::now();
            let outcome = pool.install(|| learner.train_with(&table.data, &run));
            let seconds = start.elapsed().as_secs_f64();
            finished.store(true, Ordering::Release);
            listener.unpark();
            outcome.map(|trained| (trained, seconds))
        });
        while !finished.load(Ordering::Acquire) && !worker.is_finished() {
            py.detach(|| thread::park_timeout(MOMENT));
            let news = || latest.0.lock().unwrap_or_else(PoisonError::into_inner).take();
            let watched = || {
                watch
                    .as_ref()
                    .map_or(Ok(()), |watch| watch.call1(py, (began.elapsed().as_secs_f64(), news())).map(drop))
            };
            if let Err(raised) = py.check_signals().and_then(|()| watched()) {
                exception.get_or_insert(raised);
                signal.raise();
            }
        }
        py.detach(|| worker.join())
    });
    let (trained, seconds) = outcome.unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
    let interrupted = exception.filter(|raised| {
        trained.search.is_none() || !raised.is_instance_of::<pyo3::exceptions::PyKeyboardInterrupt>(py)
    });
    match interrupted {
        Some(raised) => Err(Failure::from(raised)),
        None => {
            let report = trained.search.and_then(|report| serde_json::to_string(&report).ok());
            Ok((Model { model: trained.model }, trained.notes, report, seconds))
        }
    }
}
