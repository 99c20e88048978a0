//! What the study must come to, each bar with its figure.

use std::time::{Duration, Instant};

use anyhow::Result;
use quickset::search::Run;
use quickset::{Budget, Dataset};

use super::LSID3;
use crate::recipe::entries;
use crate::study::report::Report;

/// A bar, and whether it is met.
pub struct Bar {
    /// What is asked for.
    pub what: String,
    /// What came out.
    pub figure: String,
    /// Whether that is enough.
    pub met: bool,
}

impl Bar {
    /// Tells all of them.
    pub fn tell(bars: Vec<Bar>, report: &mut Report) {
        report.section("Bars");
        let row = |Bar { what, figure, met }: Bar| vec![what, figure, verdict(met)];
        report.table(&["bar", "here", "verdict"], bars.into_iter().map(row).collect(), &[1, 2]);
    }
}

/// In a word.
pub fn verdict(met: bool) -> String {
    if met { "met" } else { "missed" }.into()
}

/// Leaves of trees of all rows of a set.
pub struct Whole {
    monks_1: Option<usize>,
    mux_20: Option<usize>,
    /// With its budget in seconds.
    xor_10: Option<(usize, f64)>,
}

impl Whole {
    /// Grows them, as far as their sets are asked for.
    pub fn of(sets: &[(&'static str, Dataset)], budget: f64) -> Result<Self> {
        let set = |name: &str| sets.iter().find(|(set, _)| *set == name).map(|(_, data)| data);
        let look_ahead = entries(LSID3, 1)?.remove(0).learner;
        let leaves = |data: &Dataset| anyhow::Ok(look_ahead.fit(data)?.tree().leaves());
        let search = |data: &Dataset| {
            let auto = entries("auto", 1)?.remove(0).learner;
            let signal = Budget::new(Duration::from_secs_f64(budget)).signal(Instant::now());
            anyhow::Ok((auto.train_with(data, &Run::until(&signal))?.model.tree().leaves(), budget))
        };
        Ok(Whole {
            monks_1: set("monks-1").map(leaves).transpose()?,
            mux_20: set("mux-20").map(leaves).transpose()?,
            xor_10: set("xor-10").map(search).transpose()?,
        })
    }

    /// Their bars.
    pub fn bars(&self) -> Vec<Bar> {
        let bar =
            |what: &str, leaves: usize, met: bool| Bar { what: what.into(), figure: format!("{leaves} leaves"), met };
        let monks = self.monks_1.map(|leaves| {
            bar("`lsid3(5)` on all rows of monks-1: 27 leaves, the proven minimum", leaves, leaves == 27)
        });
        let mux =
            self.mux_20.map(|leaves| bar("`lsid3(5)` on all rows of mux-20: at most 36 leaves", leaves, leaves <= 36));
        let xor = self.xor_10.map(|(leaves, budget)| {
            bar(&format!("`auto` with {budget} s on all rows of xor-10: at most 1,100 leaves"), leaves, leaves <= 1_100)
        });
        [monks, mux, xor].into_iter().flatten().collect()
    }
}
