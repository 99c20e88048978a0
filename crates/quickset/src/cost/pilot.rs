//! A look at a few of the rows before an estimate: how hard the data are is not in their shape.
//!
//! The recipe learns from samples of twice the rows each time, as long as that is short beside the run itself. The time
//! of each is set against the estimate for as many rows; by that the estimate for all rows is corrected, and a trend of
//! the corrections is followed half the way.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::shape::Shape;
use super::{Cost, Estimate};
use crate::data::{Dataset, NO_CLASS};
use crate::error::Result;
use crate::learner::Learner;
use crate::recipe::Recipe;

/// A pilot may take this share of the run ...
const SHARE: f64 = 0.1;
/// ... and these seconds in any case ...
const ALWAYS: f64 = 0.02;
/// ... but never more than these.
const NEVER_MORE: f64 = 0.25;
/// A sample of fewer rows says nothing.
const FEWEST: usize = 24;
/// A sample is learnt from so often at most, and the shortest time counts.
const REPEATS: usize = 3;
/// Corrections that rise by more than this factor (its logarithm) from a sample to the next are doubted.
const JUMP: f64 = std::f64::consts::LN_2;
/// How far off an estimate from the shape alone may be.
const FAR_OFF: f64 = 20.0;
/// The steepest trend that is believed, as a power of the rows.
const STEEPEST: f64 = 0.4;

/// What a pilot found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pilot {
    /// The corrected estimate.
    pub estimate: Estimate,
    /// By what the estimate from the shape was multiplied; it holds for [`Cost::cross_validation`] as well.
    pub factor: f64,
    /// The rows of the largest sample; 0 where there were too few for one.
    pub rows: usize,
    /// What all samples took.
    pub seconds: f64,
}

impl Cost {
    /// The estimate after learning from up to half of the rows, for about a tenth of the time of the run or 20
    /// milliseconds, whichever is longer. `shape` is that of the data.
    ///
    /// Data that cannot be learnt from get the learner's own refusal.
    pub fn pilot(&self, learner: &Learner, data: &Dataset, shape: &Shape) -> Result<Pilot> {
        if shape.classes < 2 {
            // It refuses at once.
            learner.fit(data)?;
        }
        let recipe = learner.recipe();
        let rough = self.estimate(recipe, shape);
        let samples = Samples::of(data);
        let mut found: Vec<(f64, f64)> = Vec::new();
        let (mut spent, mut largest) = (0.0, 0);
        let mut parts = self.first_sample(recipe, shape, rough.seconds);
        while parts >= 1 {
            let rows = samples.draw(1 << parts);
            let part = data.select(&rows);
            let of_part = Shape::of(&part);
            if rows.len() < FEWEST.min(shape.rows / 2) || of_part.classes < 2 {
                parts -= 1;
                continue;
            }
            let all: Vec<u32> = (0..rows.len() as u32).collect();
            let of_shape = self.estimate(recipe, &of_part).seconds.max(1e-9);
            let (mut seconds, mut budget) = (f64::INFINITY, 0.0);
            for _ in 0..REPEATS {
                let again = learner.train_uncounted(&data.select(&rows), &all)?.seconds.total;
                spent += again;
                seconds = seconds.min(again);
                let expected = rough.seconds * (seconds / of_shape).clamp(0.1, 10.0);
                budget = (SHARE * expected).clamp(ALWAYS, NEVER_MORE);
                // What takes long is not done twice, unless it looks as if something else had come between.
                let before = found.last().map_or(JUMP, |&(_, before)| before);
                let jump = (seconds / of_shape).ln() > before + JUMP;
                if (seconds > budget / 12.0 && !jump) || spent + seconds > budget {
                    break;
                }
            }
            found.push(((rows.len() as f64).ln(), (seconds / of_shape).max(1e-9).ln()));
            largest = rows.len();
            // Twice the rows take more than twice the time.
            if spent + 3.0 * seconds > budget {
                break;
            }
            // Far below the limit the next samples would not tell much.
            parts -= if parts > 2 && seconds < budget / 50.0 { 2 } else { 1 };
        }
        let factor = trend(&found, (shape.rows.max(1) as f64).ln()).exp();
        Ok(Pilot { estimate: rough.times(factor), factor, rows: largest, seconds: spent })
    }

    /// The first sample is one row of every 2 to this power: so few that it stays short even if the estimate is far off.
    fn first_sample(&self, recipe: &Recipe, shape: &Shape, rough: f64) -> u32 {
        let most = (shape.rows / FEWEST).max(1).ilog2();
        let short = (SHARE * rough).clamp(ALWAYS, NEVER_MORE) / FAR_OFF;
        let fits = |parts: &u32| self.estimate(recipe, &shape.with_rows(shape.rows >> parts)).seconds <= short;
        (1..most).find(fits).unwrap_or(most)
    }
}

/// Where the corrections lead: the last one, and half of the slope of the last ones. Both sides are logarithms.
fn trend(found: &[(f64, f64)], at: f64) -> f64 {
    let Some(&(last, value)) = found.last() else { return 0.0 };
    let value = found.iter().rev().nth(1).map_or(value, |&(_, before)| value.min(before + JUMP));
    let recent = &found[found.len().saturating_sub(3)..];
    let count = recent.len() as f64;
    let mean = recent.iter().map(|(x, _)| x).sum::<f64>() / count;
    let level = recent.iter().map(|(_, y)| y).sum::<f64>() / count;
    let spread: f64 = recent.iter().map(|(x, _)| (x - mean).powi(2)).sum();
    let slope =
        if spread > 0.0 { recent.iter().map(|(x, y)| (x - mean) * (y - level)).sum::<f64>() / spread } else { 0.0 };
    value + slope.clamp(-STEEPEST, STEEPEST) / 2.0 * (at - last)
}

/// Samples in which the classes have the shares that they have in all.
struct Samples {
    /// The rows that have a class, by class.
    rows: Vec<u32>,
}

impl Samples {
    fn of(data: &Dataset) -> Self {
        let codes = data.class().map_or(&[][..], |class| &class.codes);
        let mut rows: Vec<u32> = (0..codes.len() as u32).filter(|&row| codes[row as usize] != NO_CLASS).collect();
        rows.sort_by_key(|&row| codes[row as usize]);
        Samples { rows }
    }

    /// One row of every so many, ascending.
    fn draw(&self, of: usize) -> Vec<u32> {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(of as u64);
        let one = |among: &[u32]| among[(random.next_u64() % among.len() as u64) as usize];
        let mut sample: Vec<u32> = self.rows.chunks(of).map(one).collect();
        sample.sort_unstable();
        sample
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::generate::{Knobs, generate};

    #[test]
    fn a_trend_is_followed_half_the_way() {
        assert_eq!(trend(&[], 3.0), 0.0);
        assert_eq!(trend(&[(1.0, 0.5)], 3.0), 0.5);
        let rising = [(1.0, 0.0), (2.0, 0.2), (3.0, 0.4)];
        assert!((trend(&rising, 4.0) - 0.5).abs() < 1e-12);
        let steep = [(1.0, 0.0), (2.0, 5.0)];
        assert!((trend(&steep, 3.0) - (JUMP + 0.2)).abs() < 1e-12, "a jump is not believed");
    }

    #[test]
    fn a_sample_has_the_classes_in_their_shares() {
        let data = generate("balance-scale", &Knobs::default()).unwrap().with_last_as_target().unwrap();
        let samples = Samples::of(&data);
        let class = data.class().unwrap();
        let sample = samples.draw(4);
        assert_eq!(sample.len(), 157);
        assert!(sample.is_sorted());
        for code in 0..3 {
            let all = class.codes.iter().filter(|&&c| c == code).count();
            let drawn = sample.iter().filter(|&&row| class.codes[row as usize] == code).count();
            assert!(drawn.abs_diff(all / 4) <= 2, "{drawn} of {all}");
        }
    }
}
