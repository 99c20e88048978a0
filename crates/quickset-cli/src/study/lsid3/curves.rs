//! Trees against time, told and drawn.

use quickset::export::page::Panel;
use quickset::export::plot::{Axis, Chart, Look, Point, Series, Spacing};

use super::anytime::{Followed, TESTED, Way};
use super::bars::{Bar, verdict};
use super::curve::{Found, at, grid, means};
use crate::study::report::Report;

/// Means that differ by less are the same.
const ROUNDING: f64 = 1e-9;

/// What was followed, by set.
pub struct Curves<'a> {
    sets: Vec<OfSet<'a>>,
    grid: Vec<f64>,
}

/// What was followed on one set.
struct OfSet<'a> {
    name: &'a str,
    followed: Vec<&'a Followed>,
    /// Means over the axis and the seeds, accuracy and leaves: of iidt, then of sequencing. None where no seed has a tree
    /// of both.
    means: Option<[[f64; 2]; 2]>,
}

impl<'a> OfSet<'a> {
    fn new(name: &'a str, all: &'a [Followed], grid: &[f64]) -> Self {
        let mut set = OfSet { name, followed: all.iter().filter(|one| one.set == name).collect(), means: None };
        let pairs = set.of(Way::Iidt).zip(set.of(Way::Sequencing));
        let seeds: Vec<[[f64; 2]; 2]> = pairs.filter_map(|(iidt, other)| means(iidt, other, grid)).collect();
        let mean =
            |figure: usize, way: usize| seeds.iter().map(|seed| seed[figure][way]).sum::<f64>() / seeds.len() as f64;
        set.means = (!seeds.is_empty()).then(|| [[mean(0, 0), mean(0, 1)], [mean(1, 0), mean(1, 1)]]);
        set
    }

    /// The trees of a way, by seed.
    fn of(&self, way: Way) -> impl Iterator<Item = &'a [Found]> {
        self.followed.iter().filter(move |one| one.way == way).map(|one| &one.found[..])
    }

    /// Whether iidt is no worse in accuracy, and in leaves.
    fn no_worse(&self) -> Option<[bool; 2]> {
        let [accuracy, leaves] = self.means?;
        Some([accuracy[0] >= accuracy[1] - ROUNDING, leaves[0] <= leaves[1] + ROUNDING])
    }

    /// The mean over the seeds of the moment of the first tree, in milliseconds.
    fn first_tree(&self, way: Way) -> String {
        let firsts: Option<Vec<f64>> = self.of(way).map(|found| Some(found.first()?.seconds)).collect();
        let mean = |firsts: Vec<f64>| format!("{:.1}", 1e3 * firsts.iter().sum::<f64>() / firsts.len() as f64);
        firsts.map_or_else(|| "–".into(), mean)
    }
}

impl<'a> Curves<'a> {
    /// Of all that was followed, for so many seconds each.
    pub fn new(followed: &'a [Followed], seconds: f64) -> Self {
        let grid = grid(seconds);
        let mut names: Vec<&str> = followed.iter().map(|one| one.set.as_str()).collect();
        names.dedup();
        Curves { sets: names.into_iter().map(|name| OfSet::new(name, followed, &grid)).collect(), grid }
    }

    /// On how many sets iidt is no worse than sequencing.
    pub fn bars(&self) -> Vec<Bar> {
        let bar = |(figure, what): (usize, &str)| {
            let worse = self.sets.iter().filter(|set| set.no_worse().is_none_or(|no_worse| !no_worse[figure]));
            let worse: Vec<&str> = worse.map(|set| set.name).collect();
            let named = if worse.is_empty() { String::new() } else { format!("; not on {}", worse.join(", ")) };
            Bar {
                what: format!("mean over the axis of {what}: no worse for `iidt` than for sequencing, on every set"),
                figure: format!("on {} of {} sets{named}", self.sets.len() - worse.len(), self.sets.len()),
                met: worse.is_empty(),
            }
        };
        let bars: &[(usize, &str)] = if self.sets.is_empty() { &[] } else { &[(0, "test accuracy"), (1, "leaves")] };
        bars.iter().copied().map(bar).collect()
    }

    /// Tells the means over the axis, and draws the curves.
    pub fn tell(&self, report: &mut Report) {
        report.section("Trees against time");
        report.say(&format!(
            "A stratified part of one row in {TESTED} is held out for testing, another one for every seed. Every learner \
             has one thread; testing takes none of its time. Means are over {} moments at equal factors of time, from the \
             first one at which both `iidt` and sequencing (LSID3 with 1, 2, 4, … samples one after the other, of which the \
             last finished tree counts) have a tree, and over the seeds. A search that has nothing left to try ends, and \
             its curve goes on flat. `iidt` samples by turns, LSID3 draws all its trees, as published. The last \
             columns are the milliseconds to the first tree.",
            self.grid.len()
        ));
        let row = |set: &OfSet<'_>| {
            let mut row = vec![set.name.to_string()];
            let firsts = [set.first_tree(Way::Iidt), set.first_tree(Way::Sequencing)];
            match set.means.zip(set.no_worse()) {
                Some((means, no_worse)) => {
                    for (figures, no_worse) in means.into_iter().zip(no_worse) {
                        row.extend(figures.map(|figure| format!("{figure:.2}")));
                        row.push(verdict(no_worse));
                    }
                }
                None => row.extend(["–"; 6].map(String::from)),
            }
            row.extend(firsts);
            row
        };
        let header = [
            "set",
            "accuracy, iidt",
            "sequencing",
            "no worse",
            "leaves, iidt",
            "sequencing",
            "no worse",
            "first ms, iidt",
            "sequencing",
        ];
        report.table(&header, self.sets.iter().map(row).collect(), &[3, 6]);
        let legend = Way::ALL.iter().enumerate().map(|(look, way)| (way.name().to_string(), Look(look))).collect();
        report.say(
            "Curves of searches are means over the seeds, from where every seed has a tree. Of `lsid3` with 1, 2, 4, … \
             samples and of `id3-k` with k = 1, 2, 3 a mark is a training of its own, at the mean of its times; what it \
             made holds until the next has ended.",
        );
        report.plots(legend, self.sets.iter().flat_map(|set| self.panels(set)).collect());
    }

    fn panels(&self, set: &OfSet<'_>) -> Vec<Panel> {
        let panel = |name: &str, spacing: Spacing, figure: fn(&Found) -> f64| {
            let lines = Way::ALL.iter().enumerate().flat_map(|(look, &way)| self.series(set, way, Look(look), figure));
            let name = format!("{}: {name}", set.name);
            let chart = Chart {
                label: format!("{name} against time"),
                x: Axis::new("seconds", Spacing::Log),
                y: Axis::new(if spacing == Spacing::Percent { "accuracy %" } else { "leaves" }, spacing),
                series: lines.collect(),
                size: [440.0, 300.0],
            };
            Panel { name, svg: chart.svg() }
        };
        vec![
            panel("test accuracy", Spacing::Percent, |found| found.accuracy),
            panel("leaves", Spacing::Fitting, |found| found.leaves),
        ]
    }

    /// A line, and marks where each tree is a training of its own.
    fn series(&self, set: &OfSet<'_>, way: Way, look: Look, figure: fn(&Found) -> f64) -> Vec<Series> {
        let seeds: Vec<&[Found]> = set.of(way).collect();
        let series =
            |points: Vec<Point>, line: bool| Series { name: way.name().into(), look, points, marks: !line, line };
        if !way.is_contract() {
            return vec![series(mean_curve(&seeds, &self.grid, figure), true)];
        }
        let marks = mean_trainings(&seeds, figure);
        let mut steps: Vec<Point> = Vec::new();
        for mark in &marks {
            steps.extend(steps.last().cloned().map(|before| Point { x: mark.x, ..before }));
            steps.push(mark.clone());
        }
        let end = self.grid.last().copied().zip(steps.last().cloned());
        steps.extend(end.map(|(end, last)| Point { x: end.max(last.x), ..last }));
        vec![series(steps, true), series(marks, false)]
    }
}

/// The mean over the seeds at every moment at which all of them have a tree.
fn mean_curve(seeds: &[&[Found]], grid: &[f64], figure: fn(&Found) -> f64) -> Vec<Point> {
    let point = |&moment: &f64| {
        let there: Option<Vec<f64>> = seeds.iter().map(|found| at(found, moment).map(figure)).collect();
        let y = there?.iter().sum::<f64>() / seeds.len() as f64;
        Some(Point { x: moment, y, name: String::new() })
    };
    grid.iter().filter_map(point).collect()
}

/// The means over the seeds of every training that all of them finished: its time and its figure.
fn mean_trainings(seeds: &[&[Found]], figure: fn(&Found) -> f64) -> Vec<Point> {
    let finished = seeds.iter().map(|found| found.len()).min().unwrap_or(0);
    let mean = |training: usize, of: &dyn Fn(&Found) -> f64| {
        seeds.iter().map(|found| of(&found[training])).sum::<f64>() / seeds.len() as f64
    };
    let point = |training: usize| Point {
        x: mean(training, &|found| found.seconds),
        y: mean(training, &figure),
        name: seeds[0][training].by.clone(),
    };
    (0..finished).map(point).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn followed(way: Way, seed: u64, trees: &[(f64, f64, f64)]) -> Followed {
        let tree = |&(seconds, accuracy, leaves)| Found { by: "x".into(), seconds, accuracy, leaves };
        Followed { set: "xor-5".into(), way, seed, limit: 1.0, found: trees.iter().map(tree).collect() }
    }

    #[test]
    fn bars_compare_means_over_seeds_and_name_the_sets_that_miss() {
        let all = [
            followed(Way::Iidt, 1, &[(0.0, 60.0, 9.0)]),
            followed(Way::Sequencing, 1, &[(0.0, 50.0, 7.0)]),
            followed(Way::Iidt, 2, &[(0.0, 70.0, 9.0)]),
            followed(Way::Sequencing, 2, &[(0.0, 76.0, 9.0)]),
        ];
        let curves = Curves::new(&all, 1.0);
        let [accuracy, leaves] = curves.sets[0].means.unwrap();
        let near = |a: [f64; 2], b: [f64; 2]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-9);
        assert!(near(accuracy, [65.0, 63.0]) && near(leaves, [9.0, 8.0]));
        let bars = curves.bars();
        assert_eq!((bars[0].met, bars[0].figure.as_str()), (true, "on 1 of 1 sets"));
        assert_eq!((bars[1].met, bars[1].figure.as_str()), (false, "on 0 of 1 sets; not on xor-5"));
        // Without a tree of both nothing is met.
        let none = [followed(Way::Iidt, 1, &[(0.0, 60.0, 9.0)]), followed(Way::Sequencing, 1, &[])];
        assert!(Curves::new(&none, 1.0).bars().iter().all(|bar| !bar.met));
    }

    #[test]
    fn trainings_are_drawn_as_far_as_all_seeds_have_them() {
        let all = [
            followed(Way::Lsid3, 1, &[(0.1, 60.0, 9.0), (0.3, 70.0, 8.0), (0.6, 80.0, 7.0)]),
            followed(Way::Lsid3, 2, &[(0.2, 70.0, 7.0), (0.5, 80.0, 6.0)]),
        ];
        let curves = Curves::new(&all, 1.0);
        let [steps, marks] = &curves.series(&curves.sets[0], Way::Lsid3, Look(0), |found| found.leaves)[..] else {
            panic!("a line and its marks")
        };
        let places = |series: &Series| series.points.iter().map(|p| ((p.x * 100.0).round(), p.y)).collect::<Vec<_>>();
        assert_eq!(places(marks), [(15.0, 8.0), (40.0, 7.0)]);
        assert_eq!(places(steps), [(15.0, 8.0), (40.0, 8.0), (40.0, 7.0), (100.0, 7.0)]);
    }
}
