//! What a caller may vary about a built-in set.

use std::fmt;

use super::catalogue::Spec;
use crate::error::{Error, Result};

/// The most rows a set is generated with.
const MOST_ROWS: usize = 100_000_000;
/// The most attributes of one kind, and the most words.
const MOST_ATTRIBUTES: usize = 1_000_000;
const MOST_CLASSES: usize = 1_000;
/// A hidden tree has at most two to this power leaves.
const MOST_DEPTH: usize = 20;
/// A topic needs some words to differ in.
const FEWEST_WORDS: usize = 10;

/// How a built-in set is to differ from its definition; `None` leaves the set's own choice.
///
/// - `rows` of a full space deals from it in random order, no row a second time before all have been dealt; of any
///   other set it is how many are drawn.
/// - `noise` is the exact share of labels replaced by another class; for `led7` and `led24` the probability that a
///   segment is inverted, for `random-tree` the probability that a label is drawn anew.
/// - `seed` changes every draw, a hidden concept included. A full space with neither `rows` nor `noise` draws nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Knobs {
    /// Number of rows.
    pub rows: Option<usize>,
    /// Where the random draws start.
    pub seed: Option<u64>,
    /// Share of noise, from 0 to 1.
    pub noise: Option<f64>,
    /// Number of numeric attributes.
    pub numeric: Option<usize>,
    /// Number of nominal attributes.
    pub nominal: Option<usize>,
    /// Number of classes.
    pub classes: Option<usize>,
    /// Depth of the hidden tree: tests on its longest path.
    pub depth: Option<usize>,
    /// Number of words.
    pub words: Option<usize>,
}

/// The name of one field of [`Knobs`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Knob {
    /// [`Knobs::rows`].
    Rows,
    /// [`Knobs::seed`].
    Seed,
    /// [`Knobs::noise`].
    Noise,
    /// [`Knobs::numeric`].
    Numeric,
    /// [`Knobs::nominal`].
    Nominal,
    /// [`Knobs::classes`].
    Classes,
    /// [`Knobs::depth`].
    Depth,
    /// [`Knobs::words`].
    Words,
}

impl Knob {
    /// The word for it, as a command line spells it.
    pub fn name(self) -> &'static str {
        match self {
            Knob::Rows => "rows",
            Knob::Seed => "seed",
            Knob::Noise => "noise",
            Knob::Numeric => "numeric",
            Knob::Nominal => "nominal",
            Knob::Classes => "classes",
            Knob::Depth => "depth",
            Knob::Words => "words",
        }
    }
}

impl fmt::Display for Knob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Knobs {
    /// Refuses a knob that the set does not take and a value out of its range.
    pub(super) fn check(&self, spec: &Spec) -> Result<()> {
        for knob in self.turned() {
            if !spec.knobs.contains(&knob) {
                return Err(Error::data(format!(
                    "the built-in set {} does not take {knob:?}",
                    spec.name,
                    knob = knob.name()
                ))
                .remedy(accepted(spec)));
            }
        }
        within(spec, Knob::Rows, self.rows, 1, MOST_ROWS)?;
        within(spec, Knob::Numeric, self.numeric, 0, MOST_ATTRIBUTES)?;
        within(spec, Knob::Nominal, self.nominal, 0, MOST_ATTRIBUTES)?;
        within(spec, Knob::Classes, self.classes, 2, MOST_CLASSES)?;
        within(spec, Knob::Depth, self.depth, 1, MOST_DEPTH)?;
        within(spec, Knob::Words, self.words, FEWEST_WORDS, MOST_ATTRIBUTES)?;
        match self.noise {
            Some(noise) if !(0.0..=1.0).contains(&noise) => Err(out_of_range(spec, Knob::Noise, noise, 0, 1)),
            _ => Ok(()),
        }
    }

    /// The knobs that are set.
    fn turned(&self) -> impl Iterator<Item = Knob> {
        // Taken apart by name, so that a new field cannot be forgotten here.
        let Knobs { rows, seed, noise, numeric, nominal, classes, depth, words } = self;
        [
            (Knob::Rows, rows.is_some()),
            (Knob::Seed, seed.is_some()),
            (Knob::Noise, noise.is_some()),
            (Knob::Numeric, numeric.is_some()),
            (Knob::Nominal, nominal.is_some()),
            (Knob::Classes, classes.is_some()),
            (Knob::Depth, depth.is_some()),
            (Knob::Words, words.is_some()),
        ]
        .into_iter()
        .filter_map(|(knob, set)| set.then_some(knob))
    }
}

fn within(spec: &Spec, knob: Knob, value: Option<usize>, least: usize, most: usize) -> Result<()> {
    match value {
        Some(value) if !(least..=most).contains(&value) => Err(out_of_range(spec, knob, value, least, most)),
        _ => Ok(()),
    }
}

fn out_of_range(spec: &Spec, knob: Knob, value: impl fmt::Display, least: usize, most: usize) -> Error {
    Error::data(format!("found {knob} {value} for the built-in set {}, expected {least} to {most}", spec.name))
        .remedy(accepted(spec))
}

fn accepted(spec: &Spec) -> String {
    if spec.knobs.is_empty() {
        return "it is always the same and takes nothing".to_string();
    }
    let names: Vec<&str> = spec.knobs.iter().map(|knob| knob.name()).collect();
    format!("it takes {}", names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::super::generate;
    use super::*;
    use crate::error::ErrorKind;

    fn refusal(name: &str, knobs: &Knobs) -> String {
        let error = generate(name, knobs).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Data);
        error.to_string()
    }

    #[test]
    fn a_knob_that_a_set_does_not_take_is_refused_with_those_it_takes() {
        let depth = Knobs { depth: Some(3), ..Knobs::default() };
        assert_eq!(
            refusal("monks-1", &depth),
            "the built-in set monks-1 does not take \"depth\"; it takes rows, seed, noise"
        );
        let seed = Knobs { seed: Some(3), ..Knobs::default() };
        assert_eq!(
            refusal("weather", &seed),
            "the built-in set weather does not take \"seed\"; it is always the same and takes nothing"
        );
        let words = Knobs { words: Some(100), ..Knobs::default() };
        assert!(refusal("random-tree", &words).contains("does not take \"words\""));
        let noise = Knobs { noise: Some(0.1), ..Knobs::default() };
        assert!(refusal("bag-of-words", &noise).contains("it takes rows, seed, classes, words"));
    }

    #[test]
    fn a_value_out_of_range_is_refused_with_the_range() {
        let cases = [
            (Knobs { rows: Some(0), ..Knobs::default() }, "found rows 0"),
            (Knobs { rows: Some(MOST_ROWS + 1), ..Knobs::default() }, "expected 1 to 100000000"),
            (Knobs { noise: Some(1.5), ..Knobs::default() }, "found noise 1.5"),
            (Knobs { noise: Some(-0.1), ..Knobs::default() }, "expected 0 to 1"),
            (Knobs { noise: Some(f64::NAN), ..Knobs::default() }, "found noise NaN"),
            (Knobs { classes: Some(1), ..Knobs::default() }, "found classes 1"),
            (Knobs { classes: Some(1_001), ..Knobs::default() }, "expected 2 to 1000"),
            (Knobs { depth: Some(0), ..Knobs::default() }, "found depth 0"),
            (Knobs { depth: Some(21), ..Knobs::default() }, "expected 1 to 20"),
            (Knobs { numeric: Some(1_000_001), ..Knobs::default() }, "found numeric 1000001"),
            (Knobs { nominal: Some(usize::MAX), ..Knobs::default() }, "found nominal"),
        ];
        for (knobs, expected) in cases {
            let message = refusal("random-tree", &knobs);
            assert!(message.contains(expected), "{message}");
            assert!(message.contains("it takes rows, seed, noise, numeric, nominal, classes, depth"), "{message}");
        }
        let words = Knobs { words: Some(9), ..Knobs::default() };
        assert!(refusal("bag-of-words", &words).contains("expected 10 to 1000000"));
    }
}
