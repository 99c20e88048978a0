//! The critical-difference diagram of Demšar, "Statistical comparisons of classifiers over multiple data sets", JMLR 7
//! (2006), figure 1: learners on an axis of mean ranks, joined by a bar where the ranks do not tell them apart.

use super::lettering::{LETTER, shortened, width};
use super::mark::Look;
use super::svg::{Anchor, Drawing, Svg};

/// Between two names, and between two bars.
const ROW: f64 = 20.0;
const BAR: f64 = 7.0;
/// Of the width, what the names on one side may take.
const NAMES: f64 = 0.3;
const RADIUS: f64 = 4.0;
const MARGIN: f64 = 8.0;

/// A learner and its mean rank.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranked {
    /// The name.
    pub name: String,
    /// Its colour and shape.
    pub look: Look,
    /// The mean rank; 1 is best.
    pub rank: f64,
}

/// Mean ranks and what may be read from them.
#[derive(Clone, Debug, PartialEq)]
pub struct CriticalDifference {
    /// What it shows, for those who do not see it.
    pub label: String,
    /// The learners, in any order.
    pub learners: Vec<Ranked>,
    /// How far ranks must differ to tell learners apart.
    pub difference: Option<f64>,
    /// Learners that are not told apart, as indices of `learners`. A group of one has no bar.
    pub groups: Vec<Vec<usize>>,
    /// The width; letters are 12 high. The height follows from the learners.
    pub width: f64,
}

impl CriticalDifference {
    /// The diagram as an image.
    pub fn svg(&self) -> Svg {
        let mut order: Vec<&Ranked> = self.learners.iter().filter(|learner| learner.rank.is_finite()).collect();
        order.sort_by(|a, b| a.rank.total_cmp(&b.rank));
        // The better half has its names at the left, best on top; the others at the right, worst on top: no lines cross.
        let (better, worse) = order.split_at(order.len().div_ceil(2));
        let worse: Vec<&Ranked> = worse.iter().rev().copied().collect();
        let labels = |side: &[&Ranked]| -> Vec<String> { side.iter().map(|learner| self.name(learner)).collect() };
        let room = |labels: &[String]| labels.iter().map(|label| width(label)).fold(0.0, f64::max) + MARGIN;
        let (left, right) = (labels(better), labels(&worse));

        let highest = self.learners.len().max(2) as f64;
        let top = if self.difference.is_some() { LETTER * 4.5 } else { LETTER * 2.0 };
        let axis = RankAxis { left: room(&left) + MARGIN, right: self.width - room(&right) - MARGIN, top, highest };
        let x = |rank: f64| axis.x(rank);

        let bars = self.bars();
        let lanes = bars.iter().map(|bar| bar.lane + 1).max().unwrap_or(0) as f64;
        let names = top + RADIUS + BAR * (lanes + 0.5) + LETTER;
        let height = names + ROW * (better.len() as f64 - 0.5).max(0.0) + LETTER * 0.6;
        let mut drawing = Drawing::new(self.width, height);
        self.draw_axis(&mut drawing, &axis);
        // The right side stands half a row lower: else two lines in the middle would look like one.
        for (side, labels, edge, anchor, lower) in [
            (better, &left, axis.left - MARGIN, Anchor::End, 0.0),
            (&worse, &right, axis.right + MARGIN, Anchor::Start, ROW / 2.0),
        ] {
            let beyond = if matches!(anchor, Anchor::End) { -4.0 } else { 4.0 };
            for (index, (learner, label)) in side.iter().zip(labels).enumerate() {
                let row = names + ROW * index as f64 + lower;
                drawing.path("leader", &[[x(learner.rank), top], [x(learner.rank), row], [edge, row]]);
                let whole = format!("{} {:.2}", learner.name, learner.rank);
                drawing.text("label", [edge + beyond, row + LETTER * 0.35], anchor, label, &whole);
            }
        }
        for bar in &bars {
            let y = top + RADIUS + BAR * (bar.lane as f64 + 0.8);
            drawing.line("bar", [x(bar.from) - 3.0, y], [x(bar.to) + 3.0, y]);
        }
        for learner in &order {
            let title = format!("{}: mean rank {:.2}", learner.name, learner.rank);
            drawing.group(&learner.look.class(), "", |drawing| {
                drawing.mark("mark", learner.look.shape(), [x(learner.rank), top], RADIUS, &title);
            });
        }
        drawing.finish(&self.label)
    }

    /// The name, short if it must be, and the rank, which is never cut.
    fn name(&self, learner: &Ranked) -> String {
        let rank = format!(" {:.2}", learner.rank);
        format!("{}{rank}", shortened(&learner.name, self.width * NAMES - width(&rank)))
    }

    fn draw_axis(&self, drawing: &mut Drawing, axis: &RankAxis) {
        drawing.line("axis", [axis.left, axis.top], [axis.right, axis.top]);
        let every = (axis.highest * 20.0 / (axis.right - axis.left)).ceil().max(1.0) as usize;
        for rank in (1..=axis.highest as usize).step_by(every) {
            let x = axis.x(rank as f64);
            drawing.line("axis", [x, axis.top - 5.0], [x, axis.top]);
            let label = rank.to_string();
            drawing.text("tick", [x, axis.top - 9.0], Anchor::Middle, &label, &label);
        }
        if let Some(difference) = self.difference {
            // A difference wider than the axis is cut: no two learners can be that far apart.
            let reach = axis.x((1.0 + difference).clamp(1.0, axis.highest));
            let y = axis.top - LETTER * 2.6;
            drawing.line("bar", [axis.left, y], [reach, y]);
            for x in [axis.left, reach] {
                drawing.line("axis", [x, y - 4.0], [x, y + 4.0]);
            }
            let label = format!("critical difference {difference:.2}");
            let shown = shortened(&label, self.width - axis.left);
            drawing.text("name", [axis.left, y - 8.0], Anchor::Start, &shown, &label);
        }
    }

    /// The groups as bars, each in the first lane where it touches no other.
    fn bars(&self) -> Vec<Bar> {
        let mut bars: Vec<Bar> = Vec::new();
        for group in &self.groups {
            let ranks = group.iter().filter_map(|&index| self.learners.get(index)).map(|learner| learner.rank);
            let ranks: Vec<f64> = ranks.filter(|rank| rank.is_finite()).collect();
            if ranks.len() < 2 {
                continue;
            }
            let (from, to) = ranks.iter().fold((f64::MAX, f64::MIN), |(a, b), &rank| (a.min(rank), b.max(rank)));
            let free = |lane: &usize| !bars.iter().any(|bar| bar.lane == *lane && from <= bar.to && bar.from <= to);
            let lane = (0..).find(free).unwrap_or(0);
            bars.push(Bar { from, to, lane });
        }
        bars
    }
}

/// The axis of ranks, from 1 at its left end to the highest at its right.
struct RankAxis {
    left: f64,
    right: f64,
    top: f64,
    highest: f64,
}

impl RankAxis {
    fn x(&self, rank: f64) -> f64 {
        self.left + (rank - 1.0) / (self.highest - 1.0) * (self.right - self.left)
    }
}

struct Bar {
    from: f64,
    to: f64,
    lane: usize,
}

#[cfg(test)]
mod tests {
    use super::super::testing::{classes, parsed};
    use super::*;

    fn diagram(ranks: &[f64], difference: Option<f64>, groups: &[&[usize]]) -> CriticalDifference {
        let learner = |(index, &rank)| Ranked { name: format!("learner<{index}>"), look: Look(index), rank };
        CriticalDifference {
            label: "ranks".into(),
            learners: ranks.iter().enumerate().map(learner).collect(),
            difference,
            groups: groups.iter().map(|group| group.to_vec()).collect(),
            width: 440.0,
        }
    }

    #[test]
    fn every_learner_has_a_mark_a_line_and_a_name() {
        // The ranks of Demšar's example, table 6, and his critical difference.
        let svg = diagram(&[3.143, 2.000, 2.893, 1.964], Some(1.25), &[&[3, 1, 2, 0]]).svg();
        let document = parsed(&svg);
        assert_eq!(classes(&document, "leader"), 4);
        assert_eq!(classes(&document, "mark"), 4);
        assert_eq!(classes(&document, "label"), 4);
        assert_eq!(classes(&document, "bar"), 2);
        assert!(svg.as_str().contains("learner&lt;3&gt; 1.96"));
        assert!(svg.as_str().contains("critical difference 1.25"));
    }

    #[test]
    fn bars_that_share_a_learner_are_in_two_lanes() {
        let lanes = |groups: &[&[usize]]| -> Vec<usize> {
            diagram(&[1.0, 2.0, 3.0, 4.0], None, groups).bars().iter().map(|bar| bar.lane).collect()
        };
        assert_eq!(lanes(&[&[0, 1], &[1, 2], &[2, 3]]), [0, 1, 0]);
        assert_eq!(lanes(&[&[0, 1], &[2, 3], &[1], &[9, 8]]), [0, 0]);
    }

    #[test]
    fn few_many_and_failed_learners_give_an_image() {
        for ranks in [&[][..], &[1.0], &[1.5, 1.5], &[f64::NAN, 1.0], &[2.0; 40]] {
            let svg = diagram(ranks, Some(9.0), &[&[0, 1]]).svg();
            assert!(!svg.as_str().contains("NaN") && !svg.as_str().contains("inf"));
            parsed(&svg);
        }
    }
}
