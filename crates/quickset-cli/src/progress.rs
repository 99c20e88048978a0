//! Bars on the terminal: how much is done, what is being done, how long it will take.

use std::fmt;
use std::fs;
use std::io::{self, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use quickset::Signal;
use quickset::search::{Answer, News};

use crate::output::Console;

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
        let bar = new_bar(weights.iter().sum(), "{bar:30} {percent:>3} %, {eta} left: {msg}", quiet);
        bar.enable_steady_tick(Duration::from_millis(200));
        Progress { bar, weights }
    }

    /// Says what is being done.
    pub fn say(&self, what: String) {
        self.bar.set_message(what);
    }

    /// All parts before `index` are finished, and that one to this share, from 0 to 1.
    pub fn reach(&self, index: usize, share: f64) {
        let before: u64 = self.weights[..index].iter().sum();
        self.bar.set_position(before + (self.weights[index] as f64 * share) as u64);
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

/// A bar for one piece of work that tells nothing of itself: it runs by the clock towards what the work is expected to
/// take, and goes with the value.
pub struct Expected {
    stop: Option<Sender<()>>,
    drawing: Option<JoinHandle<()>>,
}

impl Expected {
    /// Begins now. What is expected to end at once gets no bar.
    pub fn begin(seconds: f64, quiet: bool) -> Self {
        const WORTH_A_BAR: f64 = 1.0;
        if quiet || seconds < WORTH_A_BAR {
            return Expected { stop: None, drawing: None };
        }
        let (stop, stopped) = channel();
        let drawing = std::thread::spawn(move || draw(seconds, &stopped));
        Expected { stop: Some(stop), drawing: Some(drawing) }
    }
}

impl Drop for Expected {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(drawing) = self.drawing.take() {
            // A bar that could not be drawn is no reason to fail.
            _ = drawing.join();
        }
    }
}

fn draw(seconds: f64, stopped: &Receiver<()>) {
    const STEPS: u64 = 1_000;
    let bar = new_bar(STEPS, "{bar:30} {msg}", false);
    let start = Instant::now();
    while stopped.recv_timeout(Duration::from_millis(200)) == Err(RecvTimeoutError::Timeout) {
        let spent = start.elapsed().as_secs_f64();
        bar.set_position((STEPS as f64 * spent / seconds) as u64);
        bar.set_message(match seconds - spent {
            left if left > 0.5 => format!("about {left:.0} s left"),
            _ => format!("{spent:.0} s, longer than expected"),
        });
    }
    bar.finish_and_clear();
}

/// How a search tells what it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Telling {
    /// A line on a terminal, and nothing elsewhere
    Auto,
    /// Nothing
    Off,
    /// A JSON object a line
    Json,
}

/// The best tree so far, what is being tried, and the time that is left: on one line that changes, or as JSON.
pub struct Live<'a> {
    telling: Telling,
    line: ProgressBar,
    console: &'a Console,
}

impl<'a> Live<'a> {
    /// Begins with the first news.
    pub fn new(telling: Telling, signal: &Signal, console: &'a Console) -> Self {
        let quiet = telling != Telling::Auto || console.is_quiet();
        let line = new_bar(0, "{spinner} {left}{wide_msg}", quiet);
        let signal = signal.clone();
        let left = move |state: &ProgressState, out: &mut dyn fmt::Write| {
            // A line that cannot be drawn is no reason to fail.
            _ = match signal.left() {
                Some(left) => write!(out, "{:.0} s left: ", left.as_secs_f64()),
                None => write!(out, "{:.0} s: ", state.elapsed().as_secs_f64()),
            };
        };
        line.set_style(line.style().with_key("left", left));
        Live { telling, line, console }
    }
}

impl quickset::Progress for Live<'_> {
    fn report(&self, news: &News<'_>) -> Answer {
        if let Some(warning) = news.warning {
            self.line.suspend(|| self.console.warning(warning));
        }
        match self.telling {
            Telling::Off => {}
            Telling::Auto => {
                let best = news.best.map_or_else(String::new, |best| {
                    let error = 100.0 * best.estimated_error;
                    format!("best {} leaves, estimated error {error:.2} %; ", best.leaves)
                });
                self.line.enable_steady_tick(Duration::from_millis(200));
                self.line.set_message(format!("{best}trying {}", news.trying));
            }
            Telling::Json => {
                let line = serde_json::to_string(news).unwrap_or_default();
                // Where nobody listens any more the search goes on.
                _ = writeln!(io::stderr().lock(), "{line}");
            }
        }
        Answer::Continue
    }
}

impl Drop for Live<'_> {
    fn drop(&mut self) {
        self.line.finish_and_clear();
    }
}

fn new_bar(length: u64, template: &str, quiet: bool) -> ProgressBar {
    let target = if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
    let bar = ProgressBar::with_draw_target(Some(length), target);
    bar.set_style(ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}
