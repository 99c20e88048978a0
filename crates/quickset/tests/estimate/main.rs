//! Estimates against reality: a measurement rather than a test, so it is ignored unless asked for.
//!
//! ```text
//! QUICKSET_ESTIMATE=experiments/runs/DATE-estimate \
//!     cargo test --release -p quickset --test estimate -- --ignored --nocapture
//! ```
//!
//! The machine is calibrated afresh. Then every learner's run on every set is estimated and measured, one thread each:
//! one training, and on the UCI sets also the ten trainings of a cross-validation. The folder gets `raw.csv` and
//! `summary.md`; without the variable, `target/estimate` does.

#![allow(clippy::print_stderr)]

#[path = "../support/skip.rs"]
mod skip;
mod summary;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

use quickset::cost::{Cost, Shape};
use quickset::data::Folds;
use quickset::data::generate::{Knobs, generate};
use quickset::io::{ReadOptions, read};
use quickset::{Dataset, Learner, Recipe};

use summary::{Kind, Run};

const LEARNERS: [&str; 6] = ["nt", "c45", "j48", "id3", "cart", "nb"];
const FOLDS: usize = 10;
/// A run is repeated so often, and the shortest counts, until so many seconds have passed.
const REPEATS: usize = 12;
const ENOUGH: f64 = 1.0;

#[test]
#[ignore = "takes minutes, and means something only on a machine with nothing else to do"]
fn estimates_are_within_a_factor_of_two() {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/datasets/uci");
    if !shared.is_dir() {
        return skip::skip("estimates_are_within_a_factor_of_two", "../shared is absent");
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let (runs, calibration) = pool.install(|| measure_all(&shared));
    let folder = std::env::var("QUICKSET_ESTIMATE").map_or_else(|_| target(), |path| repository().join(path));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("raw.csv"), summary::raw(&runs)).unwrap();
    let mut text = summary::summary(&runs);
    writeln!(text, "\nCalibration took {calibration:.2} s.").unwrap();
    std::fs::write(folder.join("summary.md"), &text).unwrap();
    eprintln!("{text}\n{}", folder.display());
    let share = summary::within_two(runs.iter());
    assert!(share >= 0.8, "{:.0} % of the runs above a millisecond are within a factor of two", 100.0 * share);
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn target() -> PathBuf {
    repository().join("target/estimate")
}

fn measure_all(shared: &Path) -> (Vec<Run>, f64) {
    let start = Instant::now();
    let cost = Cost::calibrate().unwrap();
    let calibration = start.elapsed().as_secs_f64();
    let mut runs = Vec::new();
    for (name, data) in generated() {
        measure(&cost, &name, &data, false, &mut runs);
    }
    let mut paths: Vec<PathBuf> = std::fs::read_dir(shared).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        // Left out of the bar: 33 sets as in the naive tree's paper.
        if name != "optdigits" {
            let data = read(&path.display().to_string(), &ReadOptions::default()).unwrap();
            measure(&cost, &name, &data, true, &mut runs);
        }
    }
    (runs, calibration)
}

fn generated() -> Vec<(String, Dataset)> {
    let tree = |noise| Knobs { rows: Some(100_000), noise: Some(noise), ..Knobs::default() };
    let rows = |rows| Knobs { rows: Some(rows), ..Knobs::default() };
    [
        ("random-tree", "random-tree", tree(0.0)),
        ("random-tree-noise", "random-tree", tree(0.1)),
        ("bag-of-words", "bag-of-words", rows(3_000)),
        ("waveform", "waveform", rows(20_000)),
        ("led24", "led24", rows(20_000)),
    ]
    .into_iter()
    .map(|(name, generator, knobs)| (name.into(), generate(generator, &knobs).unwrap().with_last_as_target().unwrap()))
    .collect()
}

fn measure(cost: &Cost, name: &str, data: &Dataset, folds: bool, runs: &mut Vec<Run>) {
    let all: Vec<u32> = (0..data.rows() as u32).collect();
    for learner in LEARNERS {
        let recipe = Recipe::named(learner).unwrap();
        let fits = Learner::new(recipe.clone()).unwrap();
        // Columns are sorted once: what comes later would find them so.
        let fresh = || data.select(&all);
        let seen = fresh();
        let start = Instant::now();
        let shape = Shape::of(&seen);
        let looking = start.elapsed().as_secs_f64();
        let pilot = cost.pilot(&fits, &seen, &shape).unwrap();
        let mut add = |kind, rough: f64, measured: f64| {
            runs.push(Run {
                set: name.into(),
                learner: learner.into(),
                kind,
                rows: shape.rows,
                attributes: shape.attributes(),
                rough,
                estimated: rough * pilot.factor,
                measured,
                looking,
                pilot_rows: pilot.rows,
                pilot: pilot.seconds,
            });
        };
        let once = best(|| {
            let data = fresh();
            fits.train(&data, &all).unwrap().seconds.total
        });
        add(Kind::Training, cost.estimate(&recipe, &shape).seconds, once);
        if folds {
            let division = Folds::stratified(&data.class().unwrap().codes, FOLDS, 1, 1).unwrap();
            let total = best(|| {
                let data = fresh();
                let fold = |fold| fits.train(&data, &division.train_rows(fold)).unwrap().seconds.total;
                (0..FOLDS).map(fold).sum()
            });
            add(Kind::CrossValidation, cost.cross_validation(&recipe, &shape, FOLDS).seconds, total);
        }
    }
}

fn best(mut run: impl FnMut() -> f64) -> f64 {
    let (start, mut least) = (Instant::now(), f64::INFINITY);
    for _ in 0..REPEATS {
        least = least.min(run());
        if start.elapsed().as_secs_f64() > ENOUGH {
            break;
        }
    }
    least
}
