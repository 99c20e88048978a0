//! Our side of the benchmarks' line protocol: trains in one warm process, as the peers do.
//!
//! `serve FILE LEARNER THREADS WARM` trains `WARM` times, says "ready", then answers every line on standard input with
//! one line of JSON. The file is read once, as by the peers; each training has a copy of the data, made outside the
//! clock, since a dataset keeps its columns sorted.

use std::io::{Write, stdin, stdout};

use quickset::io::{ReadOptions, read};
use quickset::learner::Trained;
use quickset::{Error, Learner, Recipe, Result};

/// As in the command.
#[global_allocator]
static MEMORY: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [file, learner, threads, warm] = words.as_slice() else {
        return Err(Error::recipe("usage: serve FILE LEARNER THREADS WARM"));
    };
    let number = |word: &str| word.parse::<usize>().map_err(|_| Error::recipe(format!("{word:?} is not a number")));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(number(threads)?).use_current_thread().build();
    let pool = pool.map_err(|error| Error::recipe(error.to_string()))?;
    let learner = Learner::new(Recipe::named(learner)?)?;
    let loaded = read(file, &ReadOptions::default())?;
    let train = || -> Result<Trained> {
        let data = loaded.clone();
        pool.install(|| learner.train_all(&data))
    };
    for _ in 0..number(warm)? {
        train()?;
    }
    say("ready");
    for _ in stdin().lines() {
        let Trained { model, seconds, .. } = train()?;
        say(&format!(
            r#"{{"seconds.tables": {}, "seconds.grow": {}, "seconds.prune": {}, "seconds.total": {}, "leaves": {}}}"#,
            seconds.tables,
            seconds.grow,
            seconds.prune,
            seconds.total,
            model.tree().leaves()
        ));
    }
    Ok(())
}

/// A line to whoever asked; if nobody listens any more there is nothing to say.
fn say(line: &str) {
    let _ = writeln!(stdout(), "{line}").and_then(|()| stdout().flush());
}
