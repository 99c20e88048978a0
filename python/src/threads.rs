//! The threads that work: those of a pool that belongs to this process.

use std::sync::{Arc, Mutex, PoisonError};

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::error::{Result, wrong};

/// A pool, the process that made it, and how many threads were asked for.
struct Kept {
    process: u32,
    asked: Option<usize>,
    pool: Arc<ThreadPool>,
}

static KEPT: Mutex<Option<Kept>> = Mutex::new(None);

/// A pool of so many threads, or of one for every core. A process that was forked has none of its parent's threads, and
/// would wait for them for ever: it gets a pool of its own.
pub fn pool(threads: Option<usize>) -> Result<Arc<ThreadPool>> {
    let process = std::process::id();
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(kept) = kept.as_ref().filter(|kept| kept.process == process && kept.asked == threads) {
        return Ok(Arc::clone(&kept.pool));
    }
    let builder = ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0));
    let pool = builder.build().map_err(|error| wrong(format!("threads cannot be started: {error}")))?;
    let pool = Arc::new(pool);
    let before = kept.replace(Kept { process, asked: threads, pool: Arc::clone(&pool) });
    // Ending threads that are not there is not tried.
    before.filter(|before| before.process != process).into_iter().for_each(std::mem::forget);
    Ok(pool)
}
