//! Ctrl-C and SIGTERM: an early deadline, not a failure.

use std::process;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result};
use quickset::Signal;

/// What a shell reports of a command that Ctrl-C ended.
const INTERRUPTED: i32 = 130;

/// The first one ends the run with the best tree so far; the second one ends the command.
pub fn end_by_hand(signal: &Signal) -> Result<()> {
    let signal = signal.clone();
    let again = AtomicBool::new(false);
    ctrlc::set_handler(move || {
        if again.swap(true, Ordering::Relaxed) {
            process::exit(INTERRUPTED);
        }
        signal.raise();
    })
    .context("cannot listen to Ctrl-C")
}
