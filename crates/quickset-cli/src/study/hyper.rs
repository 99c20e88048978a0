//! Which parts of tree induction matter (Martin and Hirschberg 1995, figures 3 and 8 to 13): two-way tests or many-way,
//! how numbers are cut, nine measures, and stopping beside post-processing.

use std::path::Path;

use anyhow::Result;
use quickset::eval::{Cell, Comparison, Figure, PairedTest, Spreads, Tally, Verdict};
use quickset::export::page::Panel;
use quickset::export::plot::{Axis, Chart, Look, Point, Series, Spacing};

use super::report::Report;
use super::trial::{Trial, present};
use crate::output::Console;

const RUNS: usize = 3;

/// Sets of the size that the paper had (57 to 869 rows) and a few larger ones, without those that hold an identifier.
const SETS: [&str; 24] = [
    "vote",
    "breast-cancer",
    "credit-g",
    "iris",
    "glass",
    "lymph",
    "labor",
    "hepatitis",
    "heart-c",
    "heart-statlog",
    "autos",
    "sonar",
    "ionosphere",
    "colic",
    "diabetes",
    "breast-w",
    "credit-a",
    "primary-tumor",
    "balance-scale",
    "soybean",
    "vehicle",
    "vowel",
    "kr-vs-kp",
    "segment",
];

/// One question: learners that differ in one part, the first being what the others are compared with.
struct Question {
    heading: &'static str,
    about: &'static str,
    learners: &'static [(&'static str, &'static str)],
}

const BINARY: &str = "hyper[nominal=value,numeric=quartiles,numeric.ways=two]";
const MULTIWAY: &str = "hyper[numeric=quartiles]";

const QUESTIONS: [Question; 4] = [
    Question {
        heading: "Many-way tests or two-way",
        about: "Numbers are cut at their quartiles, levels as they are: a branch for each, or one against the rest. \
                Hypergeometric selection and stopping.",
        learners: &[("many-way", MULTIWAY), ("two-way", BINARY)],
    },
    Question {
        heading: "How numbers are cut",
        about: "Once, before growing, with a branch for every interval; or by the best cut at every node. Hypergeometric \
                selection and stopping.",
        learners: &[
            ("quartiles", MULTIWAY),
            ("natural", "hyper[numeric=natural]"),
            ("mdl", "hyper[numeric=mdl]"),
            ("√m bins", "hyper[numeric=sqrt]"),
            ("best cut", "hyper"),
        ],
    },
    Question {
        heading: "Nine measures",
        about: "Trees grown until nothing can be told apart, never stopped or pruned; numbers cut at their quartiles.",
        learners: &[
            ("gain", "id3[numeric=quartiles]"),
            ("gain ratio", "id3[numeric=quartiles,score=gain-ratio]"),
            ("Gini", "id3[numeric=quartiles,score=gini]"),
            ("distance", "id3[numeric=quartiles,score=distance]"),
            ("orthogonality", "id3[numeric=quartiles,score=orthogonality]"),
            ("χ²", "id3[numeric=quartiles,score=chi2]"),
            ("G²", "id3[numeric=quartiles,score=g2]"),
            ("Beta", "id3[numeric=quartiles,score=beta]"),
            ("hypergeometric", "id3[numeric=quartiles,score=hypergeometric]"),
        ],
    },
    Question {
        heading: "Stopping or post-processing",
        about: "The hypergeometric test as selection and stopping, without post-processing; full trees; full trees by gain \
                with simple pruning and with surgery; C4.5. Numbers cut at their quartiles but for C4.5.",
        learners: &[
            ("hypergeometric, stopped", MULTIWAY),
            ("gain, full tree", "id3[numeric=quartiles]"),
            ("gain, pruned", "id3[numeric=quartiles,prune=pessimistic,prune.raising=false]"),
            ("gain, surgery", "id3[numeric=quartiles,prune=pessimistic]"),
            ("c45", "c45"),
        ],
    },
];

/// Makes the study.
pub fn run(data: &Path, output: Option<&Path>, runs: Option<usize>, console: &Console) -> Result<Report> {
    let mut learners: Vec<&str> = Vec::new();
    for (_, learner) in QUESTIONS.iter().flat_map(|question| question.learners) {
        if !learners.contains(learner) {
            learners.push(learner);
        }
    }
    let runs = runs.unwrap_or(RUNS);
    let (sets, absent) = present(&SETS, data, console)?;
    let cells =
        Trial { sets: &sets, learners: &learners, runs, once_above: None, impute: true }.run(output, console)?;
    let mut report = Report::new(
        "What matters in tree induction",
        &format!(
            "The questions of Martin and Hirschberg (1995) asked of our learners: {runs} runs of tenfold cross-validation \
             on the folds that Weka makes, {} UCI sets, missing values replaced over the whole file. Means over the sets; \
             wins, ties and losses count sets by the corrected resampled t-test at 0.05, against the first learner. Folds \
             are trained side by side, so times are for comparison only.",
            SETS.len() - absent.len()
        ),
    );
    if !absent.is_empty() {
        report.say(&format!("Sets that were not at hand: {}.", absent.join(", ")));
    }
    let answers: Vec<Answer> = QUESTIONS.iter().map(|question| Answer::of(question, &cells)).collect();
    for answer in &answers {
        answer.tell(&mut report);
    }
    statements(&mut report, &answers);
    Ok(report)
}

/// What the folds say on a question.
struct Answer {
    question: &'static Question,
    comparison: Comparison,
}

impl Answer {
    fn of(question: &'static Question, cells: &[Cell]) -> Self {
        let asked =
            question.learners.iter().flat_map(|(_, learner)| cells.iter().filter(|cell| cell.learner == *learner));
        Answer { question, comparison: Comparison::of(&asked.cloned().collect::<Vec<_>>()) }
    }

    fn figures(&self, learner: usize) -> Option<&Spreads> {
        let label = self.question.learners[learner].1;
        let standings = &self.comparison.overall.as_ref()?.learners;
        standings.iter().find(|standing| standing.learner == label).map(|standing| &standing.figures)
    }

    /// The mean of a figure over the sets; of a single set, that set's.
    fn mean(&self, learner: usize, figure: Figure) -> f64 {
        let figures = self.figures(learner).unwrap_or_else(|| &self.comparison.summary(0, learner).figures);
        figures.get(figure).map_or(f64::NAN, |spread| spread.mean)
    }

    fn tally(&self, learner: usize) -> Tally {
        let sets = 0..self.comparison.datasets.len();
        let verdicts: Vec<Verdict> =
            sets.filter_map(|set| self.comparison.verdict(PairedTest::Corrected, set, learner, 0)).collect();
        verdicts.into_iter().collect()
    }

    fn tell(&self, report: &mut Report) {
        report.section(self.question.heading);
        report.say(self.question.about);
        let row = |(learner, (name, label)): (usize, &(&str, &str))| {
            let Tally { wins, ties, losses } = self.tally(learner);
            let against = if learner == 0 { "–".to_string() } else { format!("{wins}/{ties}/{losses}") };
            let mut row = vec![name.to_string(), format!("`{label}`")];
            let figures = [
                (self.mean(learner, Figure::Accuracy), 2),
                (self.mean(learner, Figure::Leaves), 1),
                (self.mean(learner, Figure::Depth), 1),
                (1e3 * self.mean(learner, Figure::TrainSeconds), 3),
            ];
            row.extend(figures.map(|(figure, digits)| format!("{figure:.digits$}")));
            row.push(against);
            row
        };
        let rows = self.question.learners.iter().enumerate().map(row).collect();
        let header = ["what", "learner", "accuracy %", "leaves", "height", "ms", "wins/ties/losses"];
        report.table(&header, rows, &[1, 6]);
        report.plots(self.legend(), self.plots());
    }

    fn legend(&self) -> Vec<(String, Look)> {
        self.question.learners.iter().enumerate().map(|(at, (name, _))| (name.to_string(), Look(at))).collect()
    }

    /// Accuracy against leaves, and against time: a mark per learner in the mean of the sets.
    fn plots(&self) -> Vec<Panel> {
        let plot = |name: &str, axis: &str, figure: Figure| {
            let series = |(at, (name, _)): (usize, &(&str, &str))| Series {
                name: name.to_string(),
                look: Look(at),
                points: vec![Point {
                    x: self.mean(at, figure),
                    y: self.mean(at, Figure::Accuracy),
                    name: name.to_string(),
                }],
                marks: true,
                line: false,
            };
            let chart = Chart {
                label: format!("{name}, a mark per learner"),
                x: Axis::new(axis, Spacing::Fitting),
                y: Axis::new("accuracy %", Spacing::Percent),
                series: self.question.learners.iter().enumerate().map(series).collect(),
                size: [440.0, 300.0],
            };
            Panel { name: name.into(), svg: chart.svg() }
        };
        vec![
            plot("Accuracy against leaves", "leaves", Figure::Leaves),
            plot("Accuracy against training time", "seconds", Figure::TrainSeconds),
        ]
    }
}

/// What the paper's abstract says, and whether it holds here.
fn statements(report: &mut Report, answers: &[Answer]) {
    report.section("The paper's statements");
    let [ways, cuts, measures, stopping] = answers else { return };
    let verdict = |holds: bool| if holds { "holds" } else { "does not hold" }.to_string();
    let spread = |answer: &Answer, figure: Figure| {
        let means = (0..answer.question.learners.len()).map(|learner| answer.mean(learner, figure));
        means.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), mean| (low.min(mean), high.max(mean)))
    };
    let height = |learner| ways.mean(learner, Figure::Depth);
    let (of_measures, of_cuts) = (spread(measures, Figure::Accuracy), spread(cuts, Figure::Accuracy));
    let times = spread(measures, Figure::TrainSeconds);
    let stopped = |figure| stopping.mean(0, figure);
    let surgery = |figure| stopping.mean(3, figure);
    let simpler = stopped(Figure::Leaves) < surgery(Figure::Leaves);
    let faster = stopped(Figure::TrainSeconds) < surgery(Figure::TrainSeconds);
    let as_accurate = {
        let Tally { losses, wins, .. } = stopping.tally(3).reversed();
        losses <= wins
    };
    let rows = vec![
        vec![
            "many-way tests make shallower trees than two-way ones".into(),
            format!("height {:.1} and {:.1}", height(0), height(1)),
            verdict(height(0) < height(1)),
        ],
        vec![
            "how numbers are cut affects accuracy".into(),
            format!("{:.2} to {:.2} %", of_cuts.0, of_cuts.1),
            verdict(of_cuts.1 - of_cuts.0 > 1.0),
        ],
        vec![
            "the choice of measure hardly affects accuracy".into(),
            format!("{:.2} to {:.2} %", of_measures.0, of_measures.1),
            verdict(of_measures.1 - of_measures.0 < 1.0),
        ],
        vec![
            "but it affects the time of learning".into(),
            format!("{:.3} to {:.3} ms", 1e3 * times.0, 1e3 * times.1),
            verdict(times.1 > 1.5 * times.0),
        ],
        vec![
            "stopping by the hypergeometric test gives simpler trees than post-processing".into(),
            format!("{:.1} and {:.1} leaves", stopped(Figure::Leaves), surgery(Figure::Leaves)),
            verdict(simpler),
        ],
        vec![
            "learnt in less time".into(),
            format!("{:.3} and {:.3} ms", 1e3 * stopped(Figure::TrainSeconds), 1e3 * surgery(Figure::TrainSeconds)),
            verdict(faster),
        ],
        vec![
            "and no less accurate".into(),
            format!("{:.2} and {:.2} %", stopped(Figure::Accuracy), surgery(Figure::Accuracy)),
            verdict(as_accurate),
        ],
    ];
    report.say(
        "Statements are those of the abstract of Martin and Hirschberg, Technical Report 95-27 (1995), in our words. One \
         \"hardly affects\" where the means lie within a point, \"affects\" where they do not; times differ where one is \
         half as long again; learners are as accurate where they win as often as they lose.",
    );
    report.table(&["statement", "here", "verdict"], rows, &[1, 2]);
}
