//! The naive tree beside C4.5 and naive Bayes on many data sets (Su and Zhang 2006, tables 1 to 4): accuracy, paired
//! tests, sizes of the trees and times.

use std::path::Path;

use anyhow::Result;
use quickset::eval::{Comparison, Figure, PairedTest, Tally, Verdict};

use super::published::Published;
use super::report::Report;
use super::trial::{Trial, present};
use crate::output::Console;

/// A difference that asks for a cause, in points.
const NOTABLE: f64 = 1.0;

/// What is compared.
pub struct Plan {
    title: &'static str,
    about: &'static str,
    /// The table of published figures.
    table: &'static str,
    sets: &'static [&'static str],
    runs: usize,
    /// Whether missing values are replaced over the whole file first, as the paper seems to have done.
    impute: bool,
    /// Our learner, and what the published figures call it.
    columns: &'static [(&'static str, Option<&'static str>)],
    c45: &'static str,
    nt: &'static str,
}

/// The 33 UCI sets.
pub const UCI: Plan = Plan {
    title: "The naive tree on 33 UCI sets",
    about: "Ten runs of tenfold cross-validation on the folds that Weka makes, missing values replaced over the whole \
            file first. C4.5 is `j48`. The paper's form of the naive tree is `nt[score=iig,range=observed]`; `nt` is \
            ours.",
    table: "uci",
    sets: &[
        "letter",
        "mushroom",
        "waveform-5000",
        "sick",
        "hypothyroid",
        "kr-vs-kp",
        "splice",
        "segment",
        "credit-g",
        "vowel",
        "anneal",
        "vehicle",
        "diabetes",
        "breast-w",
        "credit-a",
        "soybean",
        "balance-scale",
        "vote",
        "colic",
        "ionosphere",
        "primary-tumor",
        "heart-c",
        "breast-cancer",
        "heart-statlog",
        "audiology",
        "glass",
        "sonar",
        "autos",
        "hepatitis",
        "iris",
        "lymph",
        "zoo",
        "labor",
    ],
    runs: 10,
    impute: true,
    columns: &[
        ("j48", Some("c45")),
        ("nt[score=iig,range=observed]", Some("nt")),
        ("nt[score=iig]", None),
        ("nt", None),
        ("nb", Some("nb")),
    ],
    c45: "j48",
    nt: "nt",
};

/// The sets of words in texts: 18 of the paper's 19.
pub const TEXT: Plan = Plan {
    title: "The naive tree on text",
    about: "One run of tenfold cross-validation on the folds that Weka makes. C4.5 is `j48`; `nt` counts in which \
            documents a word occurs. The paper has a nineteenth set, cora36, which is not at hand.",
    table: "text",
    sets: &[
        "ohscal", "la1s", "la2s", "fbis", "re1", "re0", "wap", "oh0", "oh10", "oh15", "oh5", "tr31", "tr11", "tr12",
        "tr21", "tr23", "tr41", "tr45",
    ],
    runs: 1,
    impute: false,
    columns: &[("j48", Some("c45")), ("nt", Some("nt")), ("nb", Some("nb"))],
    c45: "j48",
    nt: "nt",
};

/// Makes the study.
pub fn run(plan: &Plan, data: &Path, output: Option<&Path>, runs: Option<usize>, console: &Console) -> Result<Report> {
    let runs = runs.unwrap_or(plan.runs);
    let learners: Vec<&str> = plan.columns.iter().map(|(learner, _)| *learner).collect();
    let (sets, absent) = present(plan.sets, data, console)?;
    let trial = Trial { sets: &sets, learners: &learners, runs, once_above: None, impute: plan.impute };
    let cells = trial.run(output, console)?;
    let published = Published::table(plan.table);
    let findings = Findings { plan, comparison: Comparison::of(&cells), published, runs, absent };
    Ok(findings.report())
}

/// The results, ready to be told.
struct Findings<'a> {
    plan: &'a Plan,
    comparison: Comparison,
    published: Published,
    runs: usize,
    absent: Vec<&'static str>,
}

impl Findings<'_> {
    fn report(&self) -> Report {
        let mut report = Report::new(self.plan.title, self.plan.about);
        if self.runs != self.plan.runs {
            report.say(&format!("Runs of the cross-validation: {}, not {}.", self.runs, self.plan.runs));
        }
        if !self.absent.is_empty() {
            report.say(&format!("Sets that were not at hand: {}.", self.absent.join(", ")));
        }
        report.say(&format!("Published: {}.", self.published.sources().join("; ")));
        self.accuracies(&mut report);
        self.differences(&mut report);
        self.tests(&mut report);
        self.costs(&mut report);
        report
    }

    fn mean(&self, set: usize, learner: usize, figure: Figure) -> f64 {
        self.comparison.summary(set, learner).figures.get(figure).map_or(f64::NAN, |spread| spread.mean)
    }

    /// The mean over the sets.
    fn overall(&self, learner: usize, figure: Figure) -> f64 {
        let sets = self.comparison.datasets.len();
        (0..sets).map(|set| self.mean(set, learner, figure)).sum::<f64>() / sets as f64
    }

    fn position(&self, label: &str) -> usize {
        self.plan.columns.iter().position(|(learner, _)| *learner == label).unwrap_or(0)
    }

    /// What the data file calls the mean, which is published for all sets only.
    fn mean_name(&self) -> String {
        format!("mean of {}", self.comparison.datasets.len())
    }

    /// Every set and the mean: its name, and the accuracy of a learner there.
    fn lines(&self, learner: usize) -> Vec<(String, f64)> {
        let sets = self.comparison.datasets.iter().enumerate();
        let mut lines: Vec<(String, f64)> =
            sets.map(|(set, name)| (name.clone(), self.mean(set, learner, Figure::Accuracy))).collect();
        lines.push((self.mean_name(), self.overall(learner, Figure::Accuracy)));
        lines
    }

    fn accuracies(&self, report: &mut Report) {
        report.section("Accuracy, percent");
        let mut header = vec!["set"];
        let mut columns = Vec::new();
        for (at, (learner, name)) in self.plan.columns.iter().enumerate() {
            let found = self.lines(at);
            header.push(learner);
            columns.push(found.iter().map(|(_, accuracy)| format!("{accuracy:.2}")).collect::<Vec<_>>());
            let Some(name) = name else { continue };
            header.extend(["published", "difference"]);
            let beside = |write: fn(f64, f64) -> String| {
                let of = |(set, accuracy): &(String, f64)| {
                    self.published.number(set, name).map_or_else(|| "–".into(), |value| write(*accuracy, value))
                };
                found.iter().map(of).collect::<Vec<String>>()
            };
            columns.push(beside(|_, value| format!("{value:.2}")));
            columns.push(beside(|accuracy, value| format!("{:+.2}", accuracy - value)));
        }
        let names = self.lines(0).into_iter().map(|(name, _)| name);
        let row = |(line, name): (usize, String)| {
            let mut row = vec![name];
            row.extend(columns.iter().map(|column| column[line].clone()));
            row
        };
        report.table(&header, names.enumerate().map(row).collect(), &[]);
        for (at, (learner, name)) in self.plan.columns.iter().enumerate() {
            if let Some(sentence) = name.and_then(|name| self.agreement(at, learner, name)) {
                report.say(&sentence);
            }
        }
    }

    /// On how many sets a learner is near what is published.
    fn agreement(&self, at: usize, learner: &str, name: &str) -> Option<String> {
        let sets = self.lines(at);
        let (_, sets) = sets.split_last()?;
        let gaps: Vec<f64> =
            sets.iter().filter_map(|(set, found)| Some((found - self.published.number(set, name)?).abs())).collect();
        // Published figures have two digits.
        let within = |points: f64| gaps.iter().filter(|gap| **gap < points + 0.005).count();
        (!gaps.is_empty()).then(|| {
            format!(
                "`{learner}` is within 0.1 points of the published figure on {} of the {} sets where there is one, \
                 within 0.2 on {}, within 1 on {}.",
                within(0.1),
                gaps.len(),
                within(0.2),
                within(1.0)
            )
        })
    }

    fn differences(&self, report: &mut Report) {
        report.section("Differences of more than a point, and their causes");
        let mut rows = Vec::new();
        for (at, (learner, name)) in self.plan.columns.iter().enumerate() {
            let Some(name) = name else { continue };
            for (set, found) in self.lines(at) {
                let Some(value) = self.published.number(&set, name) else { continue };
                if (found - value).abs() > NOTABLE - 0.005 {
                    let cause = match self.runs < self.plan.runs {
                        true => "fewer runs than published",
                        false => self.published.cause(&set, name).unwrap_or("not known"),
                    };
                    rows.push(vec![
                        set,
                        format!("`{learner}`"),
                        format!("{value:.2}"),
                        format!("{found:.2}"),
                        cause.into(),
                    ]);
                }
            }
        }
        if rows.is_empty() {
            return report.say("None.");
        }
        report.table(&["set", "learner", "published", "here", "cause"], rows, &[1, 4]);
    }

    fn tests(&self, report: &mut Report) {
        report.section("Paired tests");
        report.say(
            "Sets on which the learner at the left is more accurate, not told apart, less accurate than the other, at \
             0.05: by the plain two-tailed t-test, as in the paper, and by the corrected resampled one.",
        );
        let published = Published::table(&format!("{} tests", self.plan.table));
        let mut rows = Vec::new();
        let pairs = [(self.plan.nt, self.plan.c45), (self.plan.nt, "nb"), (self.plan.c45, "nb")];
        for (first, second) in pairs {
            let tally = |test| {
                let (first, second) = (self.position(first), self.position(second));
                let sets = 0..self.comparison.datasets.len();
                let verdicts: Vec<Verdict> =
                    sets.filter_map(|set| self.comparison.verdict(test, set, first, second)).collect();
                let Tally { wins, ties, losses } = verdicts.into_iter().collect();
                format!("{wins}-{ties}-{losses}")
            };
            let named = |label| if label == self.plan.c45 { "c45" } else { label };
            let name = format!("t-test {}/{}", named(first), named(second));
            rows.push(vec![
                format!("`{first}` against `{second}`"),
                tally(PairedTest::Plain),
                published.text("all", &name).unwrap_or("–").to_string(),
                tally(PairedTest::Corrected),
            ]);
        }
        report.table(&["pair", "plain", "published", "corrected"], rows, &[]);
        if let Some(cause) = published.cause("all", "t-test nt/c45") {
            report.say(&format!("Of `{}` against `{}`: {cause}.", self.plan.nt, self.plan.c45));
        }
    }

    fn costs(&self, report: &mut Report) {
        report.section("Size and time");
        report.say(&format!(
            "Nodes of the tree and milliseconds of training, means over the folds; R(S) and R(T) are those of `{0}` \
             over those of `{1}`. Folds are trained side by side on all threads, so times are for comparison only.",
            self.plan.nt, self.plan.c45
        ));
        let (nt, c45, nb) = (self.position(self.plan.nt), self.position(self.plan.c45), self.position("nb"));
        let mut rows = Vec::new();
        let (mut sizes, mut times) = (0.0, 0.0);
        let milliseconds = |set, learner| 1e3 * self.mean(set, learner, Figure::TrainSeconds);
        let count = self.comparison.datasets.len();
        for (set, name) in self.comparison.datasets.iter().enumerate() {
            let size = |learner| self.mean(set, learner, Figure::Size);
            let (of_size, of_time) = (size(nt) / size(c45), milliseconds(set, nt) / milliseconds(set, c45));
            sizes += of_size / count as f64;
            times += of_time / count as f64;
            let row = [
                (size(nt), 1),
                (size(c45), 1),
                (of_size, 2),
                (milliseconds(set, nt), 2),
                (milliseconds(set, c45), 2),
                (milliseconds(set, nb), 2),
                (of_time, 2),
            ];
            let row = row.into_iter().map(|(number, digits)| format!("{number:.digits$}"));
            rows.push([name.clone()].into_iter().chain(row).collect::<Vec<String>>());
        }
        let total = |learner| (0..count).map(|set| milliseconds(set, learner)).sum::<f64>();
        rows.push(vec![
            format!("mean of {count}; sum of the times"),
            String::new(),
            String::new(),
            format!("{sizes:.2}"),
            format!("{:.1}", total(nt)),
            format!("{:.1}", total(c45)),
            format!("{:.1}", total(nb)),
            format!("{times:.2}"),
        ]);
        let time = |learner: &str| format!("ms {learner}");
        let header = ["set", "nodes nt", "nodes c45", "R(S)", &time("nt"), &time("c45"), &time("nb"), "R(T)"];
        report.table(&header, rows, &[]);
        if let Some(size) = self.published.text(&self.mean_name(), "size nt/c45") {
            report.say(&format!("Published mean of R(S): {size}."));
        }
        if let (Some(slow), Some(fast)) =
            (self.published.number("all", "seconds c45"), self.published.number("all", "seconds nt"))
        {
            report.say(&format!(
                "Published time: C4.5 {slow} s and the naive tree {fast} s, {:.0} to 1; here {:.1} to 1 between the sums. \
                 Ours is not the paper's C4.5: both learners read the same sparse columns, and `{}` does not sort words \
                 that a node does not hold.",
                slow / fast,
                total(c45) / total(nt),
                self.plan.c45
            ));
        }
    }
}
