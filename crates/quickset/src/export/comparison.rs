//! A comparison of learners as tables for people.

use crate::eval::{
    Comparison, Figure, Friedman, Overall, PairedTest, Ranking, Spread, Spreads, Summary, Tally, Verdict,
};

/// The figures that fit on a line with their deviations; the others are left to documents.
const SHOWN: [Figure; 8] = [
    Figure::Accuracy,
    Figure::BalancedAccuracy,
    Figure::LogLoss,
    Figure::Brier,
    Figure::Auc,
    Figure::Leaves,
    Figure::Depth,
    Figure::TrainSeconds,
];

/// So many columns with both tallies are about as wide as a line.
const WIDE_COLUMNS: usize = 6;

/// The comparison as plain text: a line for every data set and learner, which of the learners are better, and what holds
/// over all data sets.
pub fn comparison_text(comparison: &Comparison) -> String {
    let mut text = summaries(comparison);
    // Without tests there is nothing to tell of pairs.
    if comparison.contrasts.iter().any(|contrast| contrast.plain.is_some()) {
        text.push('\n');
        text += &match comparison.datasets.len() {
            1 => contrasts(comparison),
            _ => records(comparison),
        };
    }
    if let Some(overall) = &comparison.overall {
        text.push('\n');
        text += &means(overall);
        text += &ranking(overall, comparison.alpha);
    }
    text += &reliability(comparison);
    text
}

/// The percent of right predictions in every tenth of their probability.
fn reliability(comparison: &Comparison) -> String {
    let tenths = || comparison.reliability.iter().flat_map(|of| &of.tenths.tenths);
    let Some(first) = tenths().map(|tenth| tenth.from).min_by(f64::total_cmp) else { return String::new() };
    let percent = |share: f64| (100.0 * share).round();
    let starts: Vec<f64> = (0..10).map(|part| f64::from(part) / 10.0).filter(|&from| from >= first).collect();
    let heads = starts.iter().map(|&from| format!("{}-{}", percent(from), percent(from) + 10.0));
    let heads = std::iter::once("learner".into()).chain(heads).chain(["error".into()]);
    let mut lines = vec![heads.collect::<Vec<_>>()];
    for of in &comparison.reliability {
        let right = |from: &f64| {
            let tenth = of.tenths.tenths.iter().find(|tenth| tenth.from == *from);
            tenth.map_or("-".into(), |tenth| format!("{:.1}", 100.0 * tenth.right))
        };
        let cells = std::iter::once(of.learner.clone()).chain(starts.iter().map(right));
        lines.push(cells.chain([format!("{:.1}", 100.0 * of.error)]).collect());
    }
    format!(
        "\nReliability, over all folds: of predictions with a probability of so many percent, the percent that were right,\n\
         and the mean difference of the two:\n{}",
        aligned(&lines, 1)
    )
}

/// Columns of equal width, two spaces apart; the first `left` of them are words, the others numbers.
fn aligned(lines: &[Vec<String>], left: usize) -> String {
    let width = |column: usize| lines.iter().filter_map(|line| line.get(column)).map(|cell| cell.chars().count()).max();
    let widths: Vec<usize> = (0..).map_while(width).collect();
    let line = |line: &Vec<String>| {
        let cells = line.iter().zip(&widths).enumerate().map(|(column, (cell, &width))| match column < left {
            true => format!("{cell:<width$}"),
            false => format!("{cell:>width$}"),
        });
        format!("{}\n", cells.collect::<Vec<_>>().join("  ").trim_end())
    };
    lines.iter().map(line).collect()
}

/// The figures of `among` that anything has.
fn present<'a>(among: &[Figure], all: impl Iterator<Item = &'a Spreads> + Clone) -> Vec<Figure> {
    among.iter().copied().filter(|&figure| all.clone().any(|spreads| spreads.get(figure).is_some())).collect()
}

/// `mean ± deviation`. Times get no deviation: what else the machine did says little about the learner.
fn mean_and_deviation(figure: Figure, spread: Option<&Spread>) -> String {
    let digits = figure.digits();
    match spread {
        Some(Spread { mean, deviation: Some(deviation), .. }) if figure != Figure::TrainSeconds => {
            format!("{mean:.digits$} ± {deviation:.digits$}")
        }
        _ => mean(figure, spread),
    }
}

fn mean(figure: Figure, spread: Option<&Spread>) -> String {
    spread.map_or("-".into(), |spread| format!("{:.*}", figure.digits(), spread.mean))
}

fn probability(p: f64) -> String {
    if p < 0.001 { "< 0.001".into() } else { format!("{p:.3}") }
}

/// `a, b and c`.
fn list(words: &[impl AsRef<str>]) -> String {
    let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
    match words.as_slice() {
        [] => String::new(),
        [word] => word.to_string(),
        [words @ .., last] => format!("{} and {last}", words.join(", ")),
    }
}

fn summaries(comparison: &Comparison) -> String {
    let Comparison { datasets, learners, alpha, .. } = comparison;
    let all = comparison.summaries.iter().map(|summary| &summary.figures);
    let figures = present(&SHOWN, all.clone());
    let header = figures.iter().map(|&figure| match figure {
        // Above the numbers, not above the mark behind them.
        Figure::Accuracy if learners.len() > 1 => format!("{}  ", figure.label()),
        _ => figure.label().into(),
    });
    let header = ["dataset", "learner"].map(String::from).into_iter().chain(header).chain(["folds".into()]);
    let mut lines = vec![header.collect::<Vec<_>>()];
    let mut marked = false;
    for dataset in 0..datasets.len() {
        for learner in 0..learners.len() {
            let summary = comparison.summary(dataset, learner);
            // A comparison that was broken off has not come to all learners.
            if summary.cells == 0 {
                continue;
            }
            let verdict = comparison.verdict(PairedTest::Corrected, dataset, learner, 0);
            marked |= matches!(verdict, Some(Verdict::Win | Verdict::Loss));
            let mark = match verdict {
                Some(Verdict::Win) => " ▲",
                Some(Verdict::Loss) => " ▼",
                _ if learners.len() > 1 => "  ",
                _ => "",
            };
            let mut line = vec![summary.dataset.clone(), summary.learner.clone()];
            for &figure in &figures {
                let cell = mean_and_deviation(figure, summary.figures.get(figure));
                line.push(if figure == Figure::Accuracy { cell + mark } else { cell });
            }
            line.push(folds(summary));
            lines.push(line);
        }
    }
    let mut text = aligned(&lines, 2);
    let hidden = Figure::ALL.into_iter().filter(|figure| !SHOWN.contains(figure)).collect::<Vec<_>>();
    let hidden: Vec<&str> = present(&hidden, all).into_iter().map(Figure::label).collect();
    if figures.is_empty() {
        return text;
    }
    text += "\nMean ± standard deviation over runs and folds.";
    if !hidden.is_empty() {
        text += &format!(" --format json also has {}.", list(&hidden));
    }
    text.push('\n');
    let tested = comparison.contrasts.iter().any(|contrast| contrast.corrected.is_some());
    if let Some(first) = learners.first().filter(|_| tested) {
        let test = format!("by the corrected resampled t-test at {alpha}.");
        text += &match marked {
            true => format!("▲ more, ▼ less accurate than {first}, {test}\n"),
            false => format!("No accuracy is told apart from that of {first} {test}\n"),
        };
    }
    text
}

fn folds(summary: &Summary) -> String {
    match summary.failed {
        0 => summary.cells.to_string(),
        failed => format!("{} of {}", summary.cells - failed, summary.cells),
    }
}

/// Every two learners on the only data set.
fn contrasts(comparison: &Comparison) -> String {
    let header = ["learner", "against", "accuracy points", "p corrected", "p plain", "folds"];
    let mut lines = vec![header.map(String::from).to_vec()];
    for contrast in &comparison.contrasts {
        let p = |test| contrast.by(test).map_or("-".into(), |paired| probability(paired.p));
        lines.push(vec![
            contrast.first.clone(),
            contrast.second.clone(),
            contrast.plain.map_or("-".into(), |paired| format!("{:+.2}", paired.difference)),
            p(PairedTest::Corrected),
            p(PairedTest::Plain),
            contrast.cells.to_string(),
        ]);
    }
    format!("Paired t-tests, corrected for the overlap of training sets and plain:\n{}", aligned(&lines, 2))
}

/// Every learner against every other, over the data sets.
fn records(comparison: &Comparison) -> String {
    let Comparison { learners, datasets, alpha, .. } = comparison;
    let tally = |Tally { wins, ties, losses }| format!("{wins}/{ties}/{losses}");
    // Many columns are numbered and have one tally only, so that they stay narrow.
    let narrow = learners.len() > WIDE_COLUMNS;
    let number = |place: usize| format!("({})", place + 1);
    let head = |(place, learner): (usize, &String)| if narrow { number(place) } else { learner.clone() };
    let mut lines = vec![[String::new()].into_iter().chain(learners.iter().enumerate().map(head)).collect::<Vec<_>>()];
    let mut records = comparison.records.iter();
    for (row, learner) in learners.iter().enumerate() {
        let mut line = vec![if narrow { format!("{} {learner}", number(row)) } else { learner.clone() }];
        for column in 0..learners.len() {
            // The records are in this order, without those of a learner against itself.
            let record = if row == column { None } else { records.next() };
            line.push(record.map_or("-".into(), |record| match narrow {
                true => tally(record.corrected),
                false => format!("{} ({})", tally(record.corrected), tally(record.plain)),
            }));
        }
        lines.push(line);
    }
    format!(
        "Wins/ties/losses over {} data sets of the learner at the left against that above,\nby the corrected resampled \
         {} at {alpha}:\n{}",
        datasets.len(),
        if narrow { "t-test" } else { "(the plain paired) t-test" },
        aligned(&lines, 1)
    )
}

/// The figures of the learners over the data sets that all of them finished.
fn means(overall: &Overall) -> String {
    let mut text = String::new();
    if overall.datasets.len() > 1 {
        let figures = present(&Figure::ALL, overall.learners.iter().map(|standing| &standing.figures));
        let labels = figures.iter().map(|figure| figure.label().to_string());
        let mut lines = vec![["learner", "mean rank"].map(String::from).into_iter().chain(labels).collect::<Vec<_>>()];
        for standing in &overall.learners {
            let rank = standing.mean_rank.map_or("-".into(), |rank| format!("{rank:.2}"));
            let figures = figures.iter().map(|&figure| mean(figure, standing.figures.get(figure)));
            lines.push([standing.learner.clone(), rank].into_iter().chain(figures).collect());
        }
        text += &format!("Means over {} data sets:\n{}", overall.datasets.len(), aligned(&lines, 1));
    }
    if !overall.datasets_left_out.is_empty() {
        text += &format!(
            "Left out of means and ranks, because a learner finished no fold of them: {}.\n",
            list(&overall.datasets_left_out)
        );
    }
    if !overall.learners_left_out.is_empty() {
        text += &format!("Left out, because they finished nowhere: {}.\n", list(&overall.learners_left_out));
    }
    text
}

/// What Friedman's and Nemenyi's tests say.
fn ranking(overall: &Overall, alpha: f64) -> String {
    let Some(Ranking { friedman, critical_difference, groups }) = &overall.ranking else { return String::new() };
    let Friedman { chi_square, chi_square_p, f, f_degrees: [above, below], f_p, .. } = friedman;
    let statistic = match f {
        Some(f) => format!("F({above}, {below}) = {f:.2}, p {}", equals(*f_p)),
        None => "all data sets rank the learners alike".into(),
    };
    let statistics = format!("{statistic}; χ² = {chi_square:.2}, p {}", equals(*chi_square_p));
    if *f_p >= alpha {
        return format!(
            "Friedman's test: the mean ranks of accuracy do not differ at {alpha} ({statistics}).\n\
             Nemenyi's critical difference would be {critical_difference:.2}.\n"
        );
    }
    let groups: Vec<String> = groups.iter().map(|group| list(group)).collect();
    let not = match groups.as_slice() {
        [] => "all differ".into(),
        groups => format!("not told apart: {}", groups.join("; ")),
    };
    format!(
        "Friedman's test: the mean ranks of accuracy differ at {alpha} ({statistics}).\n\
         Nemenyi's test: those at least {critical_difference:.2} apart differ; {not}.\n"
    )
}

/// `= 0.020` or `< 0.001`.
fn equals(p: f64) -> String {
    if p < 0.001 { probability(p) } else { format!("= {}", probability(p)) }
}

#[cfg(test)]
mod tests;
