//! How long training takes, as far as a machine with other work lets one see.

use anyhow::Result;
use quickset::learner::Phases;
use quickset::{Dataset, Learner, Model};

/// Data are trained on again until so many seconds are spent, and the best time of every phase counts.
const ENOUGH: f64 = 0.5;
const MOST_TIMES: usize = 20;

/// The least seconds of every phase, and the model, which is the same every time.
pub fn best(learner: &Learner, data: &Dataset) -> Result<(Phases, Model)> {
    let first = learner.train_all(data)?;
    let (mut best, mut spent) = (first.seconds, first.seconds.total);
    for _ in 1..MOST_TIMES {
        if spent > ENOUGH {
            break;
        }
        let seconds = learner.train_all(data)?.seconds;
        best = Phases {
            tables: best.tables.min(seconds.tables),
            grow: best.grow.min(seconds.grow),
            prune: best.prune.min(seconds.prune),
            total: best.total.min(seconds.total),
        };
        spent += seconds.total;
    }
    Ok((best, first.model))
}
