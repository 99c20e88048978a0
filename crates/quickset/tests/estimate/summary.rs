//! Tables of estimates beside measurements.

use std::fmt::Write as _;

/// What was run.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Training,
    CrossValidation,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Training => "training",
            Kind::CrossValidation => "cross-validation",
        }
    }
}

/// One run: seconds as estimated and as measured.
pub struct Run {
    pub set: String,
    pub learner: String,
    pub kind: Kind,
    pub rows: usize,
    pub attributes: usize,
    /// From the shape alone.
    pub rough: f64,
    /// After the pilot.
    pub estimated: f64,
    pub measured: f64,
    pub looking: f64,
    pub pilot_rows: usize,
    pub pilot: f64,
}

/// Runs that count: those of more than a millisecond.
fn counts(run: &&Run) -> bool {
    run.measured > 1e-3
}

fn near(estimated: f64, measured: f64) -> bool {
    (0.5..=2.0).contains(&(estimated / measured))
}

/// The share of the runs that count whose estimate is within a factor of two.
pub fn within_two<'a>(runs: impl Iterator<Item = &'a Run>) -> f64 {
    share(runs, |run| run.estimated).1
}

fn share<'a>(runs: impl Iterator<Item = &'a Run>, estimate: impl Fn(&Run) -> f64) -> (usize, f64) {
    let counted: Vec<&Run> = runs.filter(counts).collect();
    let near = counted.iter().filter(|run| near(estimate(run), run.measured)).count();
    (counted.len(), near as f64 / counted.len().max(1) as f64)
}

pub fn raw(runs: &[Run]) -> String {
    let mut text = String::from(
        "set,learner,run,rows,attributes,shape_seconds,estimated_seconds,measured_seconds,ratio,looking_seconds,pilot_rows,pilot_seconds\n",
    );
    for run in runs {
        writeln!(
            text,
            "{},{},{},{},{},{:.7},{:.7},{:.7},{:.3},{:.7},{},{:.7}",
            run.set,
            run.learner,
            run.kind.name(),
            run.rows,
            run.attributes,
            run.rough,
            run.estimated,
            run.measured,
            run.estimated / run.measured,
            run.looking,
            run.pilot_rows,
            run.pilot
        )
        .unwrap();
    }
    text
}

pub fn summary(runs: &[Run]) -> String {
    let mut text = String::from("# Estimates against reality\n\n");
    text += "Share of the runs above a millisecond whose estimate is within a factor of two.\n\n";
    text += "| runs | counted | after the pilot | from the shape alone |\n|---|---:|---:|---:|\n";
    let mut line = |name: &str, of: &dyn Fn(&&Run) -> bool| {
        let (count, piloted) = share(runs.iter().filter(of), |run| run.estimated);
        let (_, rough) = share(runs.iter().filter(of), |run| run.rough);
        writeln!(text, "| {name} | {count} | {:.1} % | {:.1} % |", 100.0 * piloted, 100.0 * rough).unwrap();
    };
    line("all", &|_| true);
    line("trainings", &|run| run.kind == Kind::Training);
    line("cross-validations", &|run| run.kind == Kind::CrossValidation);
    line("generated sets", &|run| is_generated(run));
    for learner in super::LEARNERS {
        line(learner, &|run| run.learner == learner);
    }
    let heavy = |run: &&Run| run.pilot > (0.1 * run.estimated).max(0.02) && run.kind == Kind::Training;
    let longest = runs.iter().map(|run| run.pilot).fold(0.0, f64::max);
    writeln!(
        text,
        "\nPilots of more than a tenth of the estimate and 20 ms: {} of {}; the longest took {:.0} ms.",
        runs.iter().filter(heavy).count(),
        runs.iter().filter(|run| run.kind == Kind::Training).count(),
        1e3 * longest
    )
    .unwrap();
    text += "\n## Outside the factor of two\n\n";
    text += "| set | learner | run | estimated ms | measured ms | ratio |\n|---|---|---|---:|---:|---:|\n";
    for run in runs.iter().filter(counts).filter(|run| !near(run.estimated, run.measured)) {
        let (estimated, measured) = (1e3 * run.estimated, 1e3 * run.measured);
        let ratio = run.estimated / run.measured;
        let (set, learner, kind) = (&run.set, &run.learner, run.kind.name());
        writeln!(text, "| {set} | {learner} | {kind} | {estimated:.2} | {measured:.2} | {ratio:.2} |").unwrap();
    }
    text += "\n## Ten-fold cross-validations in ms: estimated / measured; trainings of generated sets\n\n| set |";
    super::LEARNERS.iter().for_each(|learner| write!(text, " {learner} |").unwrap());
    text += "\n|---|";
    super::LEARNERS.iter().for_each(|_| text += "---:|");
    let mut sets: Vec<&str> = runs.iter().map(|run| run.set.as_str()).collect();
    sets.dedup();
    for set in sets {
        write!(text, "\n| {set} |").unwrap();
        for learner in super::LEARNERS {
            let of = |run: &&Run| run.set == set && run.learner == learner;
            let run = runs.iter().rfind(of).expect("every learner was run on every set");
            write!(text, " {:.1} / {:.1} |", 1e3 * run.estimated, 1e3 * run.measured).unwrap();
        }
    }
    text += "\n";
    text
}

fn is_generated(run: &Run) -> bool {
    ["random-tree", "random-tree-noise", "bag-of-words", "waveform", "led24"].contains(&run.set.as_str())
}
