//! When a run is to end: at its deadline, or as soon as somebody says so.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

/// Asked by everything that takes long, and obeyed within milliseconds. Whoever obeys leaves something valid behind.
///
/// A copy is raised by hand together with the signal it was made from.
#[derive(Clone, Debug, Default)]
pub struct Signal {
    raised: Arc<AtomicBool>,
    deadline: Option<Instant>,
}

/// A signal that nobody raises.
pub(crate) static NEVER: LazyLock<Signal> = LazyLock::new(Signal::default);

impl Signal {
    /// A signal that is raised at a moment, if not before.
    pub fn at(deadline: Instant) -> Self {
        Signal { deadline: Some(deadline), ..Signal::default() }
    }

    /// The same, raised by hand only.
    #[must_use]
    pub fn without_deadline(&self) -> Self {
        Signal { raised: Arc::clone(&self.raised), deadline: None }
    }

    /// Ends the run.
    pub fn raise(&self) {
        self.raised.store(true, Ordering::Relaxed);
    }

    /// Whether the run is to end. A look at the clock takes some tens of nanoseconds: ask once in a microsecond or less
    /// often.
    pub fn is_raised(&self) -> bool {
        self.raised.load(Ordering::Relaxed) || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// The time that is left; none where there is no deadline.
    pub fn left(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signal_is_raised_by_hand_or_by_the_clock() {
        let signal = Signal::default();
        assert!(!signal.is_raised() && signal.left().is_none());
        let copy = signal.without_deadline();
        assert!(!copy.is_raised());
        signal.raise();
        assert!(signal.is_raised() && copy.is_raised());
        let past = Signal::at(Instant::now());
        assert!(past.is_raised() && !past.without_deadline().is_raised());
        assert_eq!(past.left(), Some(Duration::ZERO));
        assert!(!Signal::at(Instant::now() + Duration::from_secs(60)).is_raised());
        assert!(!NEVER.is_raised());
    }
}
