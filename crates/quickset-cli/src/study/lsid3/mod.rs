//! Look-ahead by sampled trees, and what time buys (Esmeir 2008): sizes and accuracies of LSID3 beside ID3 and C4.5, and
//! trees against time where a search may be interrupted.

mod anytime;
mod bars;
mod comparison;
mod curve;
mod curves;
mod draws;
mod journal;
mod watch;

use std::path::Path;

use anyhow::Result;
use clap::Args;
use quickset::Dataset;
use quickset::eval::Comparison;
use quickset::io::{ReadOptions, read};

use super::report::Report;
use super::trial::Trial;
use crate::compare::sets::Set;
use crate::failure::Usage;
use crate::output::Console;
use anytime::Anytime;
use bars::{Bar, Whole};
use comparison::{Beside, COLUMNS};
use curves::Curves;
use draws::{DRAWN, DRAWS, Draws, SAMPLES};
use journal::Journal;

/// LSID3(5). It draws the cuts of numbers that it tries; where there are no numbers it is `lsid3`.
const LSID3: &str = "lsid3-mc";

const RUNS: usize = 10;
const SECONDS: f64 = 30.0;
const SEEDS: u64 = 10;
/// The budget of `auto`, in times the seconds of a search: a minute.
const BUDGET: f64 = 2.0;
/// Sets of more rows than this are cross-validated once.
const FEW_ROWS: usize = 5_000;

const SETS: [&str; 11] = [
    "monks-1",
    "monks-2",
    "monks-3",
    "xor-5",
    "xor-10",
    "mux-20",
    "mux-xor",
    "numeric-xor-3d",
    "numeric-xor-4d",
    "tic-tac-toe",
    COMPARED_ONLY,
];
/// Published figures are there, curves are not.
const COMPARED_ONLY: &str = "balance-scale";

/// How large the study is.
#[derive(Args)]
#[command(next_help_heading = "Of study lsid3")]
pub struct Options {
    /// Seconds of every search against time [default: 30]; `auto` gets twice as many for xor-10
    #[arg(long, value_name = "S")]
    seconds: Option<f64>,

    /// Seeds of every search, each with test rows of its own [default: 10]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1000))]
    seeds: Option<u64>,

    /// Only these of its sets
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    sets: Vec<String>,
}

impl Options {
    /// Whether any is given.
    pub fn are_given(&self) -> bool {
        self.seconds.is_some() || self.seeds.is_some() || !self.sets.is_empty()
    }

    /// The seconds of a search.
    fn seconds(&self) -> Result<f64> {
        let seconds = self.seconds.unwrap_or(SECONDS);
        if (1e-3..=1e6).contains(&seconds) {
            return Ok(seconds);
        }
        Err(Usage(format!("--seconds is {seconds}, expected a number from 0.001 to 1000000")).into())
    }

    fn seeds(&self) -> u64 {
        self.seeds.unwrap_or(SEEDS)
    }

    /// The sets asked for, in the order of the study.
    fn sets(&self) -> Result<Vec<&'static str>> {
        if let Some(unknown) = self.sets.iter().find(|name| !SETS.contains(&name.as_str())) {
            return Err(Usage(format!("--sets names {unknown:?}; name some of: {}", SETS.join(", "))).into());
        }
        let asked = |name: &&str| self.sets.is_empty() || self.sets.iter().any(|asked| asked == name);
        Ok(SETS.into_iter().filter(asked).collect())
    }
}

/// Makes the study: first what takes longest and can be gone on with after a stop.
pub fn run(options: &Options, output: Option<&Path>, runs: Option<usize>, console: &Console) -> Result<Report> {
    let (seconds, seeds, runs) = (options.seconds()?, options.seeds(), runs.unwrap_or(RUNS));
    let path = |name: &str| format!("builtin:{name}");
    let names = options.sets()?;
    let followed_sets = names.iter().filter(|name| **name != COMPARED_ONLY);
    let load = |name: &&'static str| anyhow::Ok((*name, read(&path(name), &ReadOptions::default())?));
    let data: Vec<(&'static str, Dataset)> = followed_sets.map(load).collect::<Result<_>>()?;

    let journal = Journal::open(output)?;
    if journal.resumes() {
        console.note("the study that was stopped goes on");
    }
    let followed = Anytime { sets: &data, seconds, seeds }.run(&journal, console)?;
    let whole = Whole::of(&data, BUDGET * seconds)?;
    let draws = names.contains(&DRAWN).then(|| Draws::cross_validated(DRAWS, &SAMPLES, console)).transpose()?;
    let sets: Vec<Set> = names.iter().map(|name| Set { name: name.to_string(), path: path(name) }).collect();
    let learners = COLUMNS.map(|(_, learner)| learner);
    let trial = Trial { sets: &sets, learners: &learners, runs, once_above: Some(FEW_ROWS), impute: false };
    let cells = trial.run(output, console)?;
    journal.finish(output, &followed)?;

    let beside = Beside::new(Comparison::of(&cells));
    let curves = Curves::new(&followed, seconds);
    let mut report = Report::new(
        "Look-ahead and what time buys",
        "Built-in sets, so that anybody can make the study. `lsid3(5)` is LSID3 with five samples, `id3-2` ID3 that looks \
         two levels ahead (`id3-k[k=2]`), `lsid3-p` LSID3(5) pruned as C4.5 does \
         (`lsid3[prune=pessimistic,collapse=true]`), `by turns(100)` LSID3 with a hundred samples, of which every second one has \
         one order of attributes (`lsid3[r=100,sampler=turns]`). On sets with numbers LSID3 is `lsid3-mc`, which draws the cuts that \
         it tries; elsewhere that is the same as `lsid3`.",
    );
    if seconds != SECONDS || seeds < SEEDS || runs < RUNS || names.len() < SETS.len() {
        report.say(&format!(
            "This run is not of the size that the bars ask for: {} of {} sets, {runs} of {RUNS} runs of the \
             cross-validation, {seeds} of {SEEDS} seeds, {seconds} of {SECONDS} seconds.",
            names.len(),
            SETS.len()
        ));
    }
    let mut bars = whole.bars();
    bars.extend(beside.bars());
    bars.extend(draws.iter().flat_map(Draws::bars));
    bars.extend(curves.bars());
    Bar::tell(bars, &mut report);
    beside.tell(&mut report);
    if let Some(draws) = draws {
        draws.tell(&mut report);
    }
    curves.tell(&mut report);
    Ok(report)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recipe::entries;

    /// One learner serves all sets.
    #[test]
    fn without_numbers_lsid3_mc_is_lsid3() {
        for name in ["monks-1", "mux-xor"] {
            let data = read(&format!("builtin:{name}"), &ReadOptions::default()).unwrap();
            let learners = entries(&format!("lsid3,{LSID3}"), 1).unwrap();
            let trees: Vec<_> = learners.iter().map(|entry| entry.learner.fit(&data).unwrap()).collect();
            assert_eq!(trees[0].tree(), trees[1].tree(), "{name}");
        }
    }
}
