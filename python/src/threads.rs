//! The threads that work: those of pools that belong to this process, and each to one task at a time.

use std::ops::Deref;
use std::sync::{Mutex, PoisonError};

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::error::{Result, wrong};

/// A pool that nobody else uses: a budget is not to wait for another's work. It is kept for the next when it is dropped.
pub struct Pool {
    process: u32,
    asked: Option<usize>,
    /// There until it is dropped.
    threads: Option<ThreadPool>,
}

/// Pools that nobody uses.
static IDLE: Mutex<Vec<Pool>> = Mutex::new(Vec::new());

/// So many are kept.
const MOST_IDLE: usize = 4;

impl Pool {
    /// A pool of so many threads, or of one for every core. A process that was forked has none of its parent's threads,
    /// and would wait for them for ever: it gets a pool of its own.
    pub fn of(threads: Option<usize>) -> Result<Pool> {
        let process = std::process::id();
        let mut idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = idle.iter().position(|pool| pool.process == process && pool.asked == threads) {
            return Ok(idle.swap_remove(at));
        }
        drop(idle);
        let builder = ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0));
        let pool = builder.build().map_err(|error| wrong(format!("threads cannot be started: {error}")))?;
        Ok(Pool { process, asked: threads, threads: Some(pool) })
    }
}

impl Deref for Pool {
    type Target = ThreadPool;

    fn deref(&self) -> &ThreadPool {
        self.threads.as_ref().expect("a pool has its threads until it is dropped")
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        let Some(threads) = self.threads.take() else { return };
        if self.process != std::process::id() {
            // Ending threads that are not there is not tried.
            return std::mem::forget(threads);
        }
        let mut idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < MOST_IDLE {
            idle.push(Pool { process: self.process, asked: self.asked, threads: Some(threads) });
        }
    }
}
