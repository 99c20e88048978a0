//! What growing and pruning cost by the formulas of Martin and Hirschberg (1995; figures 5 to 7 and 15 to 17), their
//! constants fitted to our own runs.

use std::path::Path;

use anyhow::Result;
use quickset::Dataset;
use quickset::cost::paper::{
    Case, GROWING_1995, Growing, PRUNING_1995, Pruning, evaluation, evaluations, steps_with_surgery,
    steps_without_surgery,
};
use quickset::cost::{Fit, Nodes, Observation, PruningObservation, refit, refit_pruning};
use quickset::data::generate::{Knobs, generate};
use quickset::data::impute;
use quickset::export::page::Panel;
use quickset::export::plot::{Axis, Chart, Look, Point, Series, Spacing};
use quickset::io::{ReadOptions, read};

use super::report::{self, Report};
use super::timing::best;
use super::trial::present;
use crate::compare::sets::Set;
use crate::output::Console;
use crate::progress::Progress;
use crate::recipe::entries;

/// Full trees and pruned ones of the kind that the paper has: tests with a branch for every value.
const FULL: &str = "id3[numeric=quartiles,score=hypergeometric]";
const PRUNED: &str = "id3[numeric=quartiles,score=hypergeometric,prune=pessimistic]";

const SETS: [&str; 30] = [
    "mushroom",
    "waveform-5000",
    "sick",
    "hypothyroid",
    "kr-vs-kp",
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
    "labor",
];
/// Generated sets: rows, attributes of each kind, classes.
const GENERATED: [(usize, usize, usize); 6] =
    [(1_000, 5, 2), (10_000, 5, 2), (10_000, 20, 5), (50_000, 10, 3), (100_000, 5, 2), (2_000, 50, 2)];
const SIZE: [f64; 2] = [440.0, 330.0];

/// What was measured on one set.
struct Seen {
    name: String,
    growing: Observation,
    pruning: PruningObservation,
}

/// Makes the study. `generated` limits how many generated sets are tried.
pub fn run(data: &Path, output: Option<&Path>, generated: Option<usize>, console: &Console) -> Result<Report> {
    // One thread: the formulas count steps.
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let sets = sets(data, generated.unwrap_or(GENERATED.len()), console)?;
    let progress = Progress::of_parts(sets.iter().map(|(_, data)| data.bytes() as u64), console.is_quiet());
    let mut seen = Vec::new();
    for (index, (name, data)) in sets.iter().enumerate() {
        progress.say(name.clone());
        seen.push(alone.install(|| measure(name, data))?);
        progress.reach(index, 1.0);
    }
    progress.finish();
    if let Some(folder) = output {
        report::write(folder, "raw.csv", &csv(&seen))?;
    }
    let mut report = Report::new(
        "The cost of tree induction",
        "Trees with a branch for every value, numbers cut at their quartiles, hypergeometric selection, grown in full and \
         then pruned with surgery, on one thread. Growing is compared with the paper's T_B, pruning with its t_p (Martin \
         and Hirschberg 1995), both with constants fitted to these runs.",
    );
    growing(&mut report, &seen)?;
    pruning(&mut report, &seen)?;
    recurrences(&mut report);
    variance(&mut report);
    Ok(report)
}

fn sets(folder: &Path, generated: usize, console: &Console) -> Result<Vec<(String, Dataset)>> {
    let mut sets = Vec::new();
    for Set { name, path } in present(&SETS, folder, console)?.0 {
        let data = read(&path, &ReadOptions::default())?;
        sets.push((name, impute::mode_mean(&data)?));
    }
    for (rows, attributes, classes) in GENERATED.into_iter().take(generated) {
        let knobs = Knobs {
            rows: Some(rows),
            numeric: Some(attributes),
            nominal: Some(attributes),
            classes: Some(classes),
            noise: Some(0.1),
            ..Knobs::default()
        };
        let name = format!("random-tree {rows} × {}, {classes} classes", 2 * attributes);
        sets.push((name, generate("random-tree", &knobs)?.with_last_as_target()?));
    }
    Ok(sets)
}

fn measure(name: &str, data: &Dataset) -> Result<Seen> {
    let learners = entries(&format!("{FULL},{PRUNED}"), 1)?;
    let [full, pruned] = &learners[..] else { anyhow::bail!("there are two learners") };
    let (full, grown) = best(&full.learner, data)?;
    let (pruned, after) = best(&pruned.learner, data)?;
    let (tree, after) = (grown.tree(), after.tree());
    let levels = data.attributes().iter().map(|column| column.levels().map_or(4, <[String]>::len).max(2));
    let attributes = data.attributes().len() as f64;
    let case = Case {
        rows: data.rows() as f64,
        attributes: attributes.max(2.0),
        classes: data.class().map_or(2, |class| class.levels.len()) as f64,
        levels: levels.sum::<usize>() as f64 / attributes,
        depth: tree.mean_depth(),
    };
    Ok(Seen {
        name: name.into(),
        growing: Observation { case, nodes: tree.size() as f64, milliseconds: 1e3 * full.grow },
        pruning: PruningObservation {
            rows: case.rows,
            depth: (tree.mean_depth() * after.mean_depth()).sqrt(),
            seconds: pruned.prune,
        },
    })
}

fn csv(seen: &[Seen]) -> String {
    let mut text =
        "set,rows,attributes,classes,levels,depth,nodes,grow_milliseconds,pruning_depth,prune_seconds\n".to_string();
    for Seen { name, growing, pruning } in seen {
        let Case { rows, attributes, classes, levels, depth } = growing.case;
        text += &format!(
            "\"{name}\",{rows},{attributes},{classes},{levels},{depth},{},{},{},{}\n",
            growing.nodes, growing.milliseconds, pruning.depth, pruning.seconds
        );
    }
    text
}

fn growing(report: &mut Report, seen: &[Seen]) -> Result<()> {
    report.section("Growing: T_B");
    let observations: Vec<Observation> = seen.iter().map(|seen| seen.growing).collect();
    let (full, counted) = (refit(&observations, Nodes::Full)?, refit(&observations, Nodes::Counted)?);
    report.say(
        "T_B = ((E1 N + E2 C)·A(A+1)/2 + K1 A N + K0·nodes)·h/(A−1) + (E1 N + E2 C)·A + K0 + K1 N, in milliseconds; the \
         paper puts (V^h − 1)/(V − 1) for the nodes, which no unbalanced tree has. Constants by ordinary least squares, as \
         in the paper; some may come out negative, which says that the form has more terms than the runs can tell apart.",
    );
    let row = |name: &str, constants: &Growing, r_squared: Option<f64>| {
        let mut row = vec![name.to_string()];
        let constants = [constants.row, constants.class, constants.node, constants.descent];
        row.extend(constants.map(|constant| format!("{constant:.3e}")));
        row.push(r_squared.map_or("–".into(), |share| format!("{share:.3}")));
        row
    };
    let rows = vec![
        row("1995, Lisp", &GROWING_1995, None),
        row("here, nodes of a full tree", &full.constants, Some(full.r_squared)),
        row("here, nodes counted", &counted.constants, Some(counted.r_squared)),
    ];
    report.table(&["constants", "E1", "E2", "K0", "K1", "R²"], rows, &[]);
    report.say("Measured and fitted, set by set:");
    let line = |seen: &Seen| {
        let Observation { case, nodes, milliseconds } = seen.growing;
        vec![
            seen.name.clone(),
            format!("{}", case.rows),
            format!("{}", case.attributes),
            format!("{}", case.classes),
            format!("{:.1}", case.levels),
            format!("{:.2}", case.depth),
            format!("{nodes}"),
            format!("{milliseconds:.3}"),
            format!("{:.3}", full.constants.milliseconds(&case)),
            format!("{:.3}", counted.constants.milliseconds_of(&case, nodes)),
        ]
    };
    let header = ["set", "N", "A", "C", "V", "h", "nodes", "ms", "T_B, full tree", "T_B, counted"];
    report.table(&header, seen.iter().map(line).collect(), &[]);
    let fitted = |name: &str, look: usize, of: &dyn Fn(&Observation) -> f64| Series {
        name: name.into(),
        look: Look(look),
        points: seen.iter().map(|seen| point(seen.growing.milliseconds, of(&seen.growing), &seen.name)).collect(),
        marks: true,
        line: false,
    };
    let series = vec![
        fitted("nodes of a full tree", 0, &|seen| full.constants.milliseconds(&seen.case)),
        fitted("nodes counted", 1, &|seen| counted.constants.milliseconds_of(&seen.case, seen.nodes)),
    ];
    plot(report, "T_B against what growing took", ["measured, milliseconds", "fitted, milliseconds"], series, true);
    Ok(())
}

fn pruning(report: &mut Report, seen: &[Seen]) -> Result<()> {
    report.section("Pruning: t_p");
    let observations: Vec<PruningObservation> = seen.iter().map(|seen| seen.pruning).collect();
    let Fit { constants, r_squared } = refit_pruning(&observations)?;
    report.say(
        "t_p = N(1+ξ)^h*·(k0 − k1(1+ξ)^−h*), in seconds; h* is the geometric mean of the mean depths before and after. The \
         paper's constants give negative times below h* = 1.82; ours are fitted to logarithms, with k1 at most k0. ξ is by \
         what share the work grows from a level to the one above: 0 is work in proportion to rows × depth. Our surgery \
         sends only the rows outside the largest branch down again.",
    );
    let row = |name: &str, Pruning { k0, k1, growth, .. }: Pruning, r_squared: Option<f64>| {
        let share = r_squared.map_or("–".into(), |share| format!("{share:.3}"));
        vec![name.to_string(), format!("{k0:.3e}"), format!("{k1:.3e}"), format!("{growth:.3}"), share]
    };
    let rows = vec![row("1995, Lisp", PRUNING_1995, None), row("here", constants, Some(r_squared))];
    report.table(&["constants", "k0", "k1", "ξ", "R² (logarithms)"], rows, &[]);
    let points = seen.iter().map(|seen| {
        let PruningObservation { rows, depth, seconds } = seen.pruning;
        point(1e3 * seconds, 1e3 * constants.seconds(rows, depth), &seen.name)
    });
    let series =
        vec![Series { name: "sets".into(), look: Look(0), points: points.collect(), marks: true, line: false }];
    plot(report, "t_p against what pruning took", ["measured, milliseconds", "fitted, milliseconds"], series, true);
    Ok(())
}

fn recurrences(report: &mut Report) {
    report.section("Post-processing by its recurrences");
    report.say(
        "Steps per row by the height H of the tree: simple pruning looks at every row once a level; evaluation whose rows \
         grow by ξ a level, T_E = Σ(1+ξ)^i, and evaluated anew at every level, ΣT_E; and the worst case of surgery, \
         T(H) = 2T(H−1) + N. ξ is the paper's 0.184.",
    );
    let z = PRUNING_1995.growth;
    let curves: [(&str, &dyn Fn(u32) -> f64); 4] = [
        ("simple pruning", &|height| steps_without_surgery(1.0, height)),
        ("T_E", &|height| evaluation(z, height)),
        ("ΣT_E", &|height| evaluations(z, height)),
        ("surgery, worst case", &|height| steps_with_surgery(1.0, height)),
    ];
    let heights: Vec<u32> = (1..=20).collect();
    let row = |&height: &u32| {
        let mut row = vec![height.to_string()];
        row.extend(curves.iter().map(|(_, steps)| format!("{:.1}", steps(height))));
        row
    };
    let header: Vec<&str> = ["H"].into_iter().chain(curves.iter().map(|(name, _)| *name)).collect();
    report.table(&header, heights.iter().map(row).collect(), &[]);
    let series = curves.iter().enumerate().map(|(look, (name, steps))| Series {
        name: (*name).into(),
        look: Look(look),
        points: heights.iter().map(|&height| point(f64::from(height), steps(height), name)).collect(),
        marks: false,
        line: true,
    });
    plot(report, "Steps per row against height", ["height", "steps per row"], series.collect(), false);
}

/// How much the work of surgery grows a level, by how uneven splits are.
fn variance(report: &mut Report) {
    report.section("ξ by the variance of splits");
    report.say(
        "Two branches whose larger one takes a share drawn evenly between ½ and ½ + w of the rows: surgery sends the \
         others, 1 − share, through its subtree once more. The recurrence T(H) = 1 + (1 + z)·T(H−1), z drawn anew at every \
         level (its mean over an even grid of draws), is followed for 30 levels; ξ is the growth of its last level. The \
         more the splits vary, the less balanced they are and the less surgery costs.",
    );
    const DRAWS: usize = 1_000;
    let row = |w: f64| {
        let draws = (0..DRAWS).map(|draw| w * (draw as f64 + 0.5) / DRAWS as f64);
        let variance = draws.clone().map(|away| away * away).sum::<f64>() / DRAWS as f64;
        let z = draws.map(|away| 0.5 - away).sum::<f64>() / DRAWS as f64;
        let step = |steps: f64| 1.0 + (1.0 + z) * steps;
        let below = (0..29).fold(1.0, |steps, _| step(steps));
        vec![format!("{w:.2}"), format!("{variance:.4}"), format!("{:.3}", step(below) / below - 1.0)]
    };
    let rows = [0.05, 0.1, 0.2, 0.3, 0.4, 0.5].map(row).to_vec();
    report.table(&["w", "variance of the share", "ξ"], rows, &[]);
}

fn point(x: f64, y: f64, name: &str) -> Point {
    Point { x, y, name: name.into() }
}

/// A plot with a logarithmic vertical axis; the horizontal one too where `both`.
fn plot(report: &mut Report, name: &str, [x, y]: [&str; 2], series: Vec<Series>, both: bool) {
    let legend = series.iter().map(|series| (series.name.clone(), series.look)).collect();
    let spacing = if both { Spacing::Log } else { Spacing::Linear };
    let chart =
        Chart { label: name.into(), x: Axis::new(x, spacing), y: Axis::new(y, Spacing::Log), series, size: SIZE };
    report.plots(legend, vec![Panel { name: name.into(), svg: chart.svg() }]);
}
