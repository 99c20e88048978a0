//! Sizes and accuracies in cross-validation, and the published differences beside ours.

use quickset::eval::{Comparison, Figure};

use super::LSID3;
use super::bars::Bar;
use crate::study::published::Published;
use crate::study::report::Report;

/// What reports call a learner, and the learner.
pub const COLUMNS: [(&str, &str); 6] = [
    ("id3", "id3"),
    ("id3-2", "id3-k[k=2]"),
    ("c45", "c45"),
    ("lsid3(5)", LSID3),
    ("lsid3-p", "lsid3-mc[prune=pessimistic,collapse=true]"),
    ("by turns(100)", "lsid3-mc[r=100,sampler=turns]"),
];

/// The pairs of which differences are published, by the names of the columns, and what the file of figures calls them.
const PAIRS: [(&str, &str, &str); 3] =
    [("lsid3(5)", "id3", "lsid3-id3"), ("lsid3(5)", "c45", "lsid3-c45"), ("lsid3-p", "c45", "lsid3p-c45")];

/// The sets of which differences are published.
const PUBLISHED: [&str; 9] =
    ["monks-1", "monks-2", "monks-3", "balance-scale", "corral", "glass", "iris", "breast", "connect-4"];

/// What differs, by the word of the file of figures.
const FIGURES: [(&str, Figure); 2] = [("leaves", Figure::Leaves), ("accuracy", Figure::Accuracy)];

/// Learners beside each other.
pub struct Beside {
    comparison: Comparison,
    published: Published,
}

impl Beside {
    /// From all folds.
    pub fn new(comparison: Comparison) -> Self {
        Beside { comparison, published: Published::table("lsid3") }
    }

    /// The mean over the folds of a set, if it was tried.
    fn mean(&self, set: &str, column: &str, figure: Figure) -> Option<f64> {
        let set = self.comparison.datasets.iter().position(|name| name == set)?;
        let column = COLUMNS.iter().position(|(name, _)| *name == column)?;
        self.comparison.summary(set, column).figures.get(figure).map(|spread| spread.mean)
    }

    /// What accuracies must come to.
    pub fn bars(&self) -> Vec<Bar> {
        let bar = |(set, column, least): (&str, &str, f64)| {
            let accuracy = self.mean(set, column, Figure::Accuracy)?;
            Some(Bar {
                what: format!("`{column}` cross-validated on {set}: at least {least} %"),
                figure: format!("{accuracy:.2} %"),
                met: accuracy >= least,
            })
        };
        let few = [("xor-5", 95.0), ("mux-20", 99.0), ("mux-xor", 90.0)].map(|(set, least)| (set, "lsid3(5)", least));
        few.into_iter().chain([("mux-xor", "by turns(100)", 90.0)]).filter_map(bar).collect()
    }

    /// Tells the figures, and whether the published signs hold.
    pub fn tell(&self, report: &mut Report) {
        for (heading, figure) in [("Leaves", Figure::Leaves), ("Accuracy, percent", Figure::Accuracy)] {
            report.section(heading);
            report.say(
                "Means over the folds of the cross-validation (ten folds, made as Weka makes them; xor-10, which is \
                 large, in one run).",
            );
            let row = |set: &String| {
                let mean = |(column, _): (&str, &str)| self.mean(set, column, figure);
                let written = |mean: Option<f64>| mean.map_or_else(|| "–".into(), |mean| format!("{mean:.2}"));
                [set.clone()].into_iter().chain(COLUMNS.map(mean).map(written)).collect::<Vec<String>>()
            };
            let header: Vec<&str> = ["set"].into_iter().chain(COLUMNS.map(|(name, _)| name)).collect();
            report.table(&header, self.comparison.datasets.iter().map(row).collect(), &[]);
        }
        self.differences(report);
    }

    fn differences(&self, report: &mut Report) {
        report.section("Published differences");
        let mut rows = Vec::new();
        let (mut held, mut tried) = (0, 0);
        for (first, second, pair) in PAIRS {
            for (word, figure) in FIGURES {
                for set in PUBLISHED {
                    let Some(published) = self.published.number(set, &format!("{word} {pair}")) else { continue };
                    let here = self.mean(set, first, figure).zip(self.mean(set, second, figure));
                    let here = here.map(|(first, second)| first - second);
                    let holds = here.map(|here| here * published > 0.0);
                    held += usize::from(holds == Some(true));
                    tried += usize::from(holds.is_some());
                    rows.push(vec![
                        format!("{word}, {first} − {second}"),
                        set.to_string(),
                        format!("{published:+.1}"),
                        here.map_or_else(|| "–".into(), |here| format!("{here:+.1}")),
                        holds.map_or("not tried", |holds| if holds { "yes" } else { "no" }).into(),
                    ]);
                }
            }
        }
        report.say(&format!(
            "Differences of means, published by {}. Its Monks have 122 to 169 training rows, those of monks-3 with \
             noise; ours are the whole space of 432 rows without noise, so only signs can be compared. Sets that are not \
             built in are not tried. The sign holds in {held} of {tried}.",
            self.published.sources().join("; ")
        ));
        report.table(&["difference", "set", "published", "here", "does the sign hold"], rows, &[1, 4]);
    }
}
