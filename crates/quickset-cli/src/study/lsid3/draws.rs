//! Multiplexed parity drawn many times over: how hard a draw is depends on the sizes of its two parities, and on the
//! hard ones samples decide.

use anyhow::Result;
use quickset::Dataset;
use quickset::data::Folds;
use quickset::data::generate::{Knobs, generate};
use quickset::eval::{Series, cross_validate};

use super::LSID3;
use super::bars::Bar;
use crate::output::Console;
use crate::progress::Progress;
use crate::recipe::{Entry, entries};
use crate::study::report::Report;

/// The set that is drawn.
pub const DRAWN: &str = "mux-xor";

/// How often, and the samples of look-ahead.
pub const DRAWS: u64 = 30;
pub const SAMPLES: [usize; 3] = [5, 100, 1000];

/// How trees are sampled: as the paper has it, and with every second of many asking the same attributes in all its nodes.
const SAMPLERS: [&str; 2] = ["drawn", "turns"];

const FOLDS: usize = 10;
/// The least accuracy that the most samples must come to.
const LEAST: f64 = 90.0;

/// What so many samples came to, over all draws.
struct OfSamples {
    sampler: &'static str,
    samples: usize,
    accuracy: f64,
    leaves: f64,
}

/// What samples buy.
pub struct Draws {
    draws: u64,
    rows: Vec<OfSamples>,
}

impl Draws {
    /// Cross-validates look-ahead on every draw, with few samples and with many.
    pub fn cross_validated(draws: u64, samples: &[usize], console: &Console) -> Result<Self> {
        let knobs = |seed| Knobs { seed: Some(seed), ..Knobs::default() };
        let draw = |seed| anyhow::Ok(generate(DRAWN, &knobs(seed))?.with_last_as_target()?);
        let sets: Vec<Dataset> = (1..=draws).map(draw).collect::<Result<_>>()?;
        let of_sampler = |sampler| samples.iter().map(move |&samples| (sampler, samples));
        let asked: Vec<(&'static str, usize)> = SAMPLERS.into_iter().flat_map(of_sampler).collect();
        let progress = Progress::of_parts(asked.iter().map(|&(_, samples)| samples as u64), console.is_quiet());
        let row = |(at, &(sampler, samples)): (usize, &(&'static str, usize))| {
            let Entry { label, learner } = entries(&format!("{LSID3}[r={samples},sampler={sampler}]"), 1)?.remove(0);
            progress.say(format!("{DRAWN} drawn {draws} times, {label}"));
            let mut figures = Vec::new();
            for data in &sets {
                let codes = data.class().map_or(&[][..], |class| &class.codes);
                let folds = Folds::as_weka(codes, FOLDS, 1)?;
                let series = Series { dataset: DRAWN, learner: &label, run: 1 };
                for cell in cross_validate(&learner, data, &folds, series)? {
                    figures.extend(cell.accuracy.zip(cell.leaves.map(|leaves| leaves as f64)));
                }
            }
            progress.reach(at, 1.0);
            anyhow::ensure!(figures.len() == sets.len() * FOLDS, "some folds of {DRAWN} failed; there is no report");
            let mean = |of: fn(&(f64, f64)) -> f64| figures.iter().map(of).sum::<f64>() / figures.len() as f64;
            Ok(OfSamples { sampler, samples, accuracy: mean(|figures| figures.0), leaves: mean(|figures| figures.1) })
        };
        let rows = asked.iter().enumerate().map(row).collect::<Result<_>>()?;
        progress.finish();
        Ok(Draws { draws, rows })
    }

    /// What the most samples of each kind must come to.
    pub fn bars(&self) -> Vec<Bar> {
        let most = |sampler: &str| self.rows.iter().rfind(|row| row.sampler == sampler);
        let bar = |OfSamples { sampler, samples, accuracy, .. }: &OfSamples| Bar {
            what: format!(
                "LSID3 with {samples} samples (`sampler={sampler}`) over {} draws of {DRAWN}: at least {LEAST} %",
                self.draws
            ),
            figure: format!("{accuracy:.2} %"),
            met: *accuracy >= LEAST,
        };
        SAMPLERS.into_iter().filter_map(most).map(bar).collect()
    }

    /// Tells what each number of samples came to.
    pub fn tell(&self, report: &mut Report) {
        report.section("Multiplexed parity, drawn again and again");
        report.say(&format!(
            "The built-in {DRAWN} is one draw; another seed draws two other parities, of two to five bits each. Means over \
             ten folds of {draws} draws (seeds 1 to {draws}). `turns`: of the samples after the first eight every second \
             one asks the same attributes, in an order that is drawn for it, in all its nodes; an attribute costs a \
             quarter of a leaf, unless the tree asks it by which the node's parent was chosen.",
            draws = self.draws
        ));
        let row = |row: &OfSamples| {
            let [accuracy, leaves] = [row.accuracy, row.leaves].map(|figure| format!("{figure:.2}"));
            vec![row.sampler.to_string(), row.samples.to_string(), accuracy, leaves]
        };
        report.table(&["sampler", "samples", "accuracy, percent", "leaves"], self.rows.iter().map(row).collect(), &[]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_samples_find_smaller_trees() {
        let draws = Draws::cross_validated(3, &[1, 20], &Console::new(true)).unwrap();
        let [few, many, _, turns] = &draws.rows[..] else { panic!("a row for each sampler and number of samples") };
        assert!(many.leaves < few.leaves && many.accuracy > few.accuracy);
        assert!(turns.leaves < few.leaves);
        let bars = draws.bars();
        assert_eq!(bars.len(), 2);
        assert!(bars[0].what.contains("20 samples (`sampler=drawn`) over 3 draws"), "{}", bars[0].what);
        assert_eq!([bars[0].met, bars[1].met], [many, turns].map(|row| row.accuracy >= LEAST));
    }
}
