//! What learning will cost, said before it is done.
//!
//! - [`Shape`] is what the cost depends on, read off the data in next to no time;
//! - [`Cost`] holds a machine's own constants, measured by [`Cost::calibrate`] in about a second, and tells seconds and
//!   bytes of a recipe from a shape alone;
//! - [`Cost::pilot`] learns from a few of the rows first and corrects the estimate by what that took;
//! - [`paper`] has the formulas of Martin and Hirschberg, and [`refit`] and [`refit_pruning`] their constants for our runs.
//!
//! ```
//! use quickset::cost::{Cost, Shape};
//! use quickset::io::{ReadOptions, read};
//! use quickset::{Learner, Recipe};
//!
//! let data = read("builtin:monks-1", &ReadOptions::default())?;
//! let cost = Cost::calibrate()?;
//! let shape = Shape::of(&data);
//! let rough = cost.estimate(&Recipe::c45(), &shape);
//! let better = cost.pilot(&Learner::new(Recipe::c45())?, &data, &shape)?.estimate;
//! assert!(rough.seconds > 0.0 && better.seconds > 0.0 && better.bytes > 0);
//! # Ok::<(), quickset::Error>(())
//! ```

mod calibrate;
mod family;
mod fit;
mod memory;
pub mod paper;
mod pilot;
mod shape;
mod tree;
mod work;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::grow::LOCAL_CELLS;
use crate::recipe::Recipe;

pub use family::Family;
pub use fit::{Fit, Nodes, Observation, PruningObservation, refit, refit_pruning};
pub use pilot::Pilot;
pub use shape::Shape;
pub use tree::Size;

use work::{KINDS, ONCE, Work, work};

/// What a run is expected to take.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// Seconds of learning, as [`crate::learner::Phases::total`] counts them.
    pub seconds: f64,
    /// Bytes of the columns and of what learning adds to them, at the most.
    pub bytes: u64,
}

impl Estimate {
    /// The same for so many times the seconds.
    #[must_use]
    pub fn times(self, factor: f64) -> Self {
        Estimate { seconds: self.seconds * factor, ..self }
    }
}

/// A machine's constants: how long one of each kind of work takes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cost {
    /// Seconds of each kind of work on one thread, by family.
    constants: BTreeMap<Family, [f64; KINDS]>,
    /// How many threads were at hand.
    threads: usize,
    /// How many times faster they are together than one, where there is enough to do for all.
    speed_up: f64,
}

impl Cost {
    /// What a recipe will take on data of this shape.
    pub fn estimate(&self, recipe: &Recipe, shape: &Shape) -> Estimate {
        self.estimate_of(recipe, shape, Size::expected(recipe, shape))
    }

    /// The same where the size of the tree is known or better guessed.
    pub fn estimate_of(&self, recipe: &Recipe, shape: &Shape, size: Size) -> Estimate {
        let seconds = self.seconds(recipe, &work(recipe, shape, size)) / self.speed_up(recipe, shape);
        Estimate { seconds, bytes: memory::bytes(recipe, shape, size, self.threads) }
    }

    /// What all trainings of a cross-validation will take, one after the other. Columns are sorted once for all of them.
    pub fn cross_validation(&self, recipe: &Recipe, shape: &Shape, folds: usize) -> Estimate {
        let part = shape.with_rows(shape.rows - shape.rows / folds.max(2));
        let size = Size::expected(recipe, &part);
        let (mut one, mut once) = (work(recipe, &part, size), [0.0; KINDS]);
        std::mem::swap(&mut one[ONCE], &mut once[ONCE]);
        let seconds = folds as f64 * self.seconds(recipe, &one) + self.seconds(recipe, &once);
        Estimate {
            seconds: seconds / self.speed_up(recipe, &part),
            bytes: memory::bytes(recipe, &part, size, self.threads) + (shape.bytes - part.bytes) as u64,
        }
    }

    /// The threads that the constants are for.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Whether every family has constants that can be: what was read from a file need not.
    pub fn is_sound(&self) -> bool {
        let sound = |constants: &[f64; KINDS]| constants.iter().all(|value| value.is_finite() && *value >= 0.0);
        Family::ALL.iter().all(|(family, _)| self.constants.get(family).is_some_and(sound))
            && self.speed_up.is_finite()
            && self.speed_up >= 1.0
            && self.threads > 0
    }

    fn seconds(&self, recipe: &Recipe, work: &Work) -> f64 {
        let constants = self.constants.get(&Family::of(recipe)).copied().unwrap_or_default();
        work.iter().zip(constants).map(|(work, constant)| work * constant).sum()
    }

    /// Data of few cells are learnt from on one thread, but for the trees of a cross-validation.
    fn speed_up(&self, recipe: &Recipe, shape: &Shape) -> f64 {
        let cells = (shape.rows * shape.dense() + shape.entries).max(1) as f64;
        let shared = match Family::of(recipe) {
            Family::CrossValidated => 1.0,
            Family::Majority => 0.0,
            _ => (1.0 - LOCAL_CELLS as f64 / cells).max(0.0),
        };
        1.0 + (self.speed_up - 1.0) * shared
    }
}

#[cfg(test)]
mod tests;
