//! How long a run may take.

use std::fmt;
use std::str::FromStr;
use std::time::{Duration, Instant};

use crate::error::Error;
use crate::signal::Signal;

/// A time to return by, from the moment the work began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget(Duration);

impl Budget {
    /// So much time.
    pub fn new(time: Duration) -> Self {
        Budget(time)
    }

    /// The time it allows.
    pub fn time(self) -> Duration {
        self.0
    }

    /// The signal that ends a run which began then.
    pub fn signal(self, began: Instant) -> Signal {
        // A budget beyond what the clock can count is none.
        began.checked_add(self.0).map_or_else(Signal::default, Signal::at)
    }
}

impl FromStr for Budget {
    type Err = Error;

    /// Reads a number with its unit: `500ms`, `30s`, `1.5m` or `2h`.
    fn from_str(text: &str) -> Result<Self, Error> {
        const UNITS: [(&str, f64); 4] = [("ms", 1e-3), ("s", 1.0), ("m", 60.0), ("h", 3600.0)];
        let refuse = |what: &str| {
            let error = Error::recipe(format!("the budget is {text:?}, {what}"));
            Err(error.remedy("write for example 500ms, 30s or 10m"))
        };
        let text = text.trim();
        let unit = UNITS.iter().find(|(unit, _)| text.strip_suffix(unit).is_some_and(|n| n.parse::<f64>().is_ok()));
        let Some((unit, seconds)) = unit else {
            return refuse("expected a number and a unit (ms, s, m or h)");
        };
        let number: f64 = text.trim_end_matches(unit).parse().unwrap_or(f64::NAN);
        match Duration::try_from_secs_f64(number * seconds) {
            Ok(time) if time > Duration::ZERO => Ok(Budget(time)),
            _ => refuse("expected a time above 0"),
        }
    }
}

impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.as_secs_f64() {
            seconds if seconds < 1.0 => write!(f, "{} ms", seconds * 1e3),
            seconds if seconds < 120.0 => write!(f, "{seconds} s"),
            seconds => write!(f, "{} min", seconds / 60.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_have_a_unit_and_are_above_zero() {
        let millis = |text: &str| text.parse::<Budget>().unwrap().time().as_millis();
        assert_eq!(["500ms", "30s", "10m", "1.5s", "2h"].map(millis), [500, 30_000, 600_000, 1_500, 7_200_000]);
        for wrong in ["", "10", "s", "0s", "-5s", "NaNs", "infs", "1e300h", "10 parsecs", "5x"] {
            let error = wrong.parse::<Budget>().unwrap_err().to_string();
            assert!(error.contains("500ms, 30s or 10m"), "{wrong}: {error}");
        }
    }

    #[test]
    fn a_budget_ends_when_its_time_is_over() {
        let began = Instant::now();
        assert!(!Budget::new(Duration::from_secs(60)).signal(began).is_raised());
        assert!(Budget::new(Duration::from_nanos(1)).signal(began).is_raised());
        assert!(!Budget::new(Duration::MAX).signal(began).is_raised());
    }
}
