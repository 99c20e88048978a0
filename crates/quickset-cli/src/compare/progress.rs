//! A bar on the terminal: how much is done, what is being done, how long it will take.

use std::fs;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// The progress of a comparison, where a large file counts for more than a small one.
pub struct Progress {
    bar: ProgressBar,
    /// What each part counts for: the bytes of a file.
    weights: Vec<u64>,
}

impl Progress {
    /// A bar for these files; it is drawn on a terminal only.
    pub fn new<'a>(paths: impl Iterator<Item = &'a str>, quiet: bool) -> Self {
        Self::of_parts(paths.map(|path| fs::metadata(path).map_or(1, |about| about.len().max(1))), quiet)
    }

    /// A bar for parts of such weights.
    pub fn of_parts(weights: impl Iterator<Item = u64>, quiet: bool) -> Self {
        let weights: Vec<u64> = weights.collect();
        let target = if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let bar = ProgressBar::with_draw_target(Some(weights.iter().sum()), target);
        let style = ProgressStyle::with_template("{bar:30} {percent:>3} %, {eta} left: {msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.enable_steady_tick(Duration::from_millis(200));
        Progress { bar, weights }
    }

    /// Says what is being done.
    pub fn say(&self, what: String) {
        self.bar.set_message(what);
    }

    /// All parts before `index` are finished, and `done` of the `all` cells of that one.
    pub fn reach(&self, index: usize, done: usize, all: usize) {
        let before: u64 = self.weights[..index].iter().sum();
        let part = self.weights[index] as f64 * done as f64 / all.max(1) as f64;
        self.bar.set_position(before + part as u64);
    }

    /// What was reached until now was done in an earlier run: its time tells nothing.
    pub fn begin_here(&self) {
        self.bar.reset_eta();
    }

    /// Writes something to standard error without disturbing the bar.
    pub fn aside<R>(&self, write: impl FnOnce() -> R) -> R {
        self.bar.suspend(write)
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
