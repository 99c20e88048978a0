//! Trees against time on every set and seed, side by side, each learner on one thread.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::Result;
use quickset::Dataset;
use quickset::data::Folds;
use serde::{Deserialize, Serialize};

use super::LSID3;
use super::curve::Found;
use super::journal::Journal;
use super::watch::Watch;
use crate::output::Console;
use crate::progress::Progress;
use crate::recipe::entries;

/// Look-ahead takes no more samples than two to this; time is over long before.
const MOST_DOUBLINGS: u32 = 30;

/// One row of so many is tested on.
pub const TESTED: usize = 3;

/// How trees come about as time goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Way {
    /// The greedy tree, improved subtree by subtree.
    Iidt,
    /// The trainings of [`Way::Lsid3`] one after the other: the last one that is finished counts (ALGORITHMS.md §4.2).
    Sequencing,
    /// Look-ahead with 1, 2, 4, … samples, each a training of its own.
    Lsid3,
    /// One, two and three levels looked ahead, each a training of its own.
    Id3K,
}

impl Way {
    /// Those that take time; sequencing is made of one of them.
    const TIMED: [Way; 3] = [Way::Iidt, Way::Lsid3, Way::Id3K];

    /// In the order of reports.
    pub const ALL: [Way; 4] = [Way::Iidt, Way::Sequencing, Way::Lsid3, Way::Id3K];

    /// What reports call it.
    pub fn name(self) -> &'static str {
        match self {
            Way::Iidt => "iidt",
            Way::Sequencing => "sequencing",
            Way::Lsid3 => "lsid3",
            Way::Id3K => "id3-k",
        }
    }

    /// Whether every tree is a training of its own, with a time of its own.
    pub fn is_contract(self) -> bool {
        matches!(self, Way::Lsid3 | Way::Id3K)
    }

    fn follow(self, watch: &Watch<'_>, seed: u64) -> Result<Vec<Found>> {
        let entry = |label: &str| anyhow::Ok(entries(label, seed)?.remove(0));
        match self {
            Way::Iidt => watch.search(&entry("iidt")?.learner),
            // Sequencing makes the same trainings; when each is there is told afterwards.
            Way::Sequencing | Way::Lsid3 => {
                watch.contracts((0..MOST_DOUBLINGS).map(|power| entry(&format!("{LSID3}[r={}]", 1 << power))))
            }
            Way::Id3K => watch.contracts((1..=3).map(|k| entry(&format!("id3-k[k={k}]")))),
        }
    }
}

/// The trees of one way on one set and seed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Followed {
    /// The data set.
    pub set: String,
    /// How they came about.
    pub way: Way,
    /// Where draws started, and which rows were tested on.
    pub seed: u64,
    /// The seconds it had.
    pub limit: f64,
    /// The trees, in the order of time.
    pub found: Vec<Found>,
}

impl Followed {
    /// Sequencing, where these are the trainings that it consists of: each is there when those before it have ended too.
    fn sequenced(&self) -> Option<Followed> {
        let mut seconds = 0.0;
        let ended = |training: &Found| {
            seconds += training.seconds;
            Found { seconds, ..training.clone() }
        };
        let found = self.found.iter().map(ended).collect();
        (self.way == Way::Lsid3).then(|| Followed { way: Way::Sequencing, found, ..self.clone() })
    }
}

/// What is followed.
pub struct Anytime<'a> {
    /// The data sets by name.
    pub sets: &'a [(&'static str, Dataset)],
    /// The seconds of each.
    pub seconds: f64,
    /// Seeds 1 to this.
    pub seeds: u64,
}

impl Anytime<'_> {
    /// Follows all of it, as many at a time as there are threads: by set, then seed, then way. What the journal holds is
    /// not done again.
    pub fn run(&self, journal: &Journal, console: &Console) -> Result<Vec<Followed>> {
        let mut tasks = Vec::new();
        for (set, data) in self.sets {
            let seeds = (1..=self.seeds).flat_map(|seed| Way::TIMED.map(|way| (seed, way)));
            tasks.extend(seeds.map(|(seed, way)| (*set, data, seed, way)));
        }
        let progress = Progress::of_parts(tasks.iter().map(|_| 1), console.is_quiet());
        let (begun, ended) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let work = || -> Result<Vec<(usize, Followed)>> {
            // The library works on the threads of the pool it is called in.
            let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
            let mut made = Vec::new();
            loop {
                let at = begun.fetch_add(1, Ordering::Relaxed);
                let Some(&(set, data, seed, way)) = tasks.get(at) else { return Ok(made) };
                progress.say(format!("{set}, {}, seed {seed}", way.name()));
                let followed = match journal.earlier(set, way, seed, self.seconds) {
                    Some(earlier) => earlier.clone(),
                    None => {
                        let found = alone.install(|| self.follow(data, seed, way))?;
                        let followed = Followed { set: set.into(), way, seed, limit: self.seconds, found };
                        journal.add(&followed)?;
                        followed
                    }
                };
                made.push((at, followed));
                progress.reach(ended.fetch_add(1, Ordering::Relaxed), 1.0);
            }
        };
        // Threads of our own: one of a pool that waits for another pool would begin the next task meanwhile.
        let made: Result<Vec<Vec<(usize, Followed)>>> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..rayon::current_num_threads()).map(|_| scope.spawn(work)).collect();
            threads.into_iter().map(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic))).collect()
        });
        progress.finish();
        let mut made: Vec<(usize, Followed)> = made?.into_iter().flatten().collect();
        made.sort_by_key(|(at, _)| *at);
        let followed = made.into_iter().map(|(_, followed)| followed);
        Ok(followed.flat_map(|followed| [followed.sequenced(), Some(followed)]).flatten().collect())
    }

    fn follow(&self, data: &Dataset, seed: u64, way: Way) -> Result<Vec<Found>> {
        let codes = data.class().map_or(&[][..], |class| &class.codes);
        let folds = Folds::stratified(codes, TESTED, 1, seed as usize)?;
        let (train, test) = (data.select(&folds.train_rows(0)), data.select(&folds.test_rows(0)));
        let limit = Duration::from_secs_f64(self.seconds);
        way.follow(&Watch { train: &train, test: &test, limit }, seed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequencing_waits_for_all_trainings_before() {
        let training = |seconds| Found { by: "x".into(), seconds, accuracy: 50.0, leaves: 9.0 };
        let found = vec![training(0.25), training(0.5), training(1.0)];
        let followed = Followed { set: "xor-5".into(), way: Way::Lsid3, seed: 2, limit: 4.0, found };
        let sequenced = followed.sequenced().unwrap();
        assert_eq!((sequenced.way, sequenced.seed), (Way::Sequencing, 2));
        assert_eq!(sequenced.found.iter().map(|found| found.seconds).collect::<Vec<_>>(), [0.25, 0.75, 1.75]);
        assert_eq!(Followed { way: Way::Id3K, ..followed }.sequenced(), None);
    }
}
