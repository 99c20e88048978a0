//! Trees of one training set, as they are found: by a search that goes on, or by one training after the other.
//!
//! What is spent on testing trees is not the search's time: it is taken off the moments at which trees were there, and
//! the search ends that much later.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use anyhow::Result;
use quickset::search::{Answer, Bought, News, Run};
use quickset::{Dataset, Learner, Model, Progress, Signal};

use super::curve::Found;
use crate::recipe::Entry;

/// The rows of one seed, and how long a learner may take.
pub struct Watch<'a> {
    /// What is learnt from.
    pub train: &'a Dataset,
    /// What trees are tested on.
    pub test: &'a Dataset,
    /// The time of a search, or of all trainings together.
    pub limit: Duration,
}

impl Watch<'_> {
    /// Every better tree of a search.
    pub fn search(&self, learner: &Learner) -> Result<Vec<Found>> {
        let listener = Listener { test: self.test, heard: Mutex::default(), testing: Mutex::default() };
        // With a deadline it is a search; that it is over is told by hand before.
        let signal = Signal::at(Instant::now() + 2 * self.limit);
        let run = Run { progress: &listener, ..Run::until(&signal) };
        within(self.limit, &listener.testing, &signal, || learner.train_with(self.train, &run))?;
        let heard = listener.heard.into_inner().unwrap_or_else(PoisonError::into_inner);
        let in_time =
            |found: &Result<Found>| found.as_ref().map_or(true, |found| found.seconds <= self.limit.as_secs_f64());
        heard.into_iter().filter(in_time).collect()
    }

    /// The trees of these learners, each of which takes at least twice as long as the one before.
    pub fn contracts(&self, learners: impl Iterator<Item = Result<Entry>>) -> Result<Vec<Found>> {
        let mut found = Vec::new();
        let mut left = self.limit;
        for learner in learners {
            let Entry { label, learner } = learner?;
            let signal = Signal::default();
            let train = || learner.train_with(self.train, &Run::until(&signal));
            let trained = within(left, &Mutex::default(), &signal, train)?;
            let seconds = trained.seconds.total;
            if signal.is_raised() || seconds > left.as_secs_f64() {
                break;
            }
            let (accuracy, leaves) = (accuracy(&trained.model, self.test)?, trained.model.tree().leaves() as f64);
            found.push(Found { by: label, seconds, accuracy, leaves });
            left = left.saturating_sub(Duration::from_secs_f64(seconds));
            if left.as_secs_f64() < 2.0 * seconds {
                break;
            }
        }
        Ok(found)
    }
}

/// Tests every better tree.
struct Listener<'a> {
    test: &'a Dataset,
    heard: Mutex<Vec<Result<Found>>>,
    /// The time that testing took.
    testing: Mutex<Duration>,
}

impl Progress for Listener<'_> {
    fn report(&self, _: &News<'_>) -> Answer {
        Answer::Continue
    }

    fn improved(&self, bought: &Bought, model: &dyn Fn() -> Option<Model>) {
        let began = Instant::now();
        let mut testing = lock(&self.testing);
        let seconds = bought.seconds - testing.as_secs_f64();
        if let Some(model) = model() {
            let found = |accuracy| Found { by: bought.by.clone(), seconds, accuracy, leaves: bought.leaves as f64 };
            lock(&self.heard).push(accuracy(&model, self.test).map(found));
        }
        *testing += began.elapsed();
    }
}

/// Percent of the rows that are predicted rightly.
fn accuracy(model: &Model, data: &Dataset) -> Result<f64> {
    let truth = data.class().map_or(&[][..], |class| &class.codes);
    let right = model.predict(data)?.iter().zip(truth).filter(|(found, truth)| found == truth).count();
    Ok(100.0 * right as f64 / truth.len().max(1) as f64)
}

/// Does the work, and raises its signal once it has taken its time, that of testing not counted.
fn within<T>(limit: Duration, testing: &Mutex<Duration>, signal: &Signal, work: impl FnOnce() -> T) -> T {
    let began = Instant::now();
    std::thread::scope(|scope| {
        let (done, is_done) = channel::<()>();
        scope.spawn(move || {
            loop {
                let left = (limit + *lock(testing)).saturating_sub(began.elapsed());
                if left.is_zero() {
                    return signal.raise();
                }
                if is_done.recv_timeout(left) != Err(RecvTimeoutError::Timeout) {
                    return;
                }
            }
        });
        let result = work();
        drop(done);
        result
    })
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use quickset::io::{ReadOptions, read};

    use super::*;
    use crate::recipe::entries;

    fn watch(data: &Dataset, millis: u64) -> Watch<'_> {
        Watch { train: data, test: data, limit: Duration::from_millis(millis) }
    }

    #[test]
    fn trees_of_a_search_get_smaller_and_come_in_time() {
        let data = read("builtin:xor-5", &ReadOptions::default()).unwrap();
        for learner in entries("iidt,lsid3", 1).unwrap() {
            let found = watch(&data, 1_000).search(&learner.learner).unwrap();
            assert!(!found.is_empty() && found[0].seconds >= 0.0 && found[found.len() - 1].seconds <= 1.0);
            for pair in found.windows(2) {
                let smaller = pair[0].by == "greedy" || pair[0].leaves >= pair[1].leaves;
                assert!(pair[0].seconds <= pair[1].seconds && smaller, "{pair:?}");
            }
            // Tested on what they were learnt from, consistent trees are never wrong.
            assert!(found.iter().all(|found| found.accuracy == 100.0), "{found:?}");
        }
    }

    #[test]
    fn contracts_end_when_their_time_is_over() {
        let data = read("builtin:mux-11", &ReadOptions::default()).unwrap();
        let learners = || (0..).map(|power| anyhow::Ok(entries(&format!("lsid3[r={}]", 1u64 << power), 1)?.remove(0)));
        let began = Instant::now();
        let found = watch(&data, 300).contracts(learners()).unwrap();
        assert!(found.iter().map(|found| found.seconds).sum::<f64>() <= 0.3, "{found:?}");
        assert!(began.elapsed() < Duration::from_secs(20));
        assert!(watch(&data, 0).contracts(learners()).unwrap().is_empty());
    }

    #[test]
    fn the_time_of_testing_is_not_that_of_the_work() {
        let testing = Mutex::new(Duration::from_millis(60));
        let signal = Signal::default();
        let began = Instant::now();
        within(Duration::from_millis(20), &testing, &signal, || {
            while !signal.is_raised() {
                std::thread::sleep(Duration::from_millis(1));
            }
        });
        assert!(began.elapsed() >= Duration::from_millis(80));
        let signal = Signal::default();
        within(Duration::from_secs(600), &Mutex::default(), &signal, || ());
        assert!(!signal.is_raised());
    }
}
