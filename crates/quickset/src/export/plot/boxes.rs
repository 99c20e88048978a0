//! Box plots, one below the other on a common axis.

use super::axis::{Area, Axis, INSET, NAME_ROOM, TICK_ROOM, across};
use super::lettering::{LETTER, figure, shortened, width};
use super::mark::Look;
use super::svg::{Anchor, Drawing, Svg};

/// The height of a row, of its box, and the size of its marks.
const ROW: f64 = 20.0;
const BOX: f64 = 11.0;
const RADIUS: f64 = 3.4;
/// Quartiles of fewer values would suggest more than is known: these are drawn one by one.
const FEWEST: usize = 5;
/// Of the width, what names may take.
const NAMES: f64 = 0.4;

/// The values of one row.
#[derive(Clone, Debug, PartialEq)]
pub struct BoxRow {
    /// The name at the left.
    pub name: String,
    /// Its colour and shape.
    pub look: Look,
    /// The values, in any order. Without any the row says so.
    pub values: Vec<f64>,
}

/// Rows of box plots.
#[derive(Clone, Debug, PartialEq)]
pub struct Boxes {
    /// What they show, for those who do not see it.
    pub label: String,
    /// What was measured.
    pub axis: Axis,
    /// The rows, first at the top.
    pub rows: Vec<BoxRow>,
    /// The width; letters are 12 high. The height follows from the rows.
    pub width: f64,
}

impl Boxes {
    /// The boxes as an image. A box holds the middle half of the values, its line is the median and its mark the mean;
    /// whiskers reach to the furthest values within one and a half box lengths (Tukey 1977), and those beyond are dots.
    pub fn svg(&self) -> Svg {
        let values: Vec<f64> = self.rows.iter().flat_map(|row| &row.values).copied().collect();
        let names = self.rows.iter().map(|row| width(&row.name)).fold(0.0, f64::max).min(self.width * NAMES);
        let left = names + 8.0;
        let scale = across(self.axis.spacing, &values, self.width - left - 3.0 * LETTER);
        let last = scale.ticks().last().map_or(0.0, |tick| width(&tick.label) / 2.0);
        let bottom = ROW * self.rows.len() as f64 + 2.0;
        let area = Area { left, right: self.width - (last - INSET).max(0.0), top: 0.0, bottom };

        let mut drawing = Drawing::new(self.width, bottom + TICK_ROOM + NAME_ROOM);
        area.draw_across(&mut drawing, &self.axis, &scale);
        for (index, row) in self.rows.iter().enumerate() {
            let middle = ROW * (index as f64 + 0.5);
            let name = shortened(&row.name, names);
            drawing.text("label", [names, middle + LETTER * 0.35], Anchor::End, &name, &row.name);
            let x = |value: f64| scale.place(value).map(|place| area.x(place));
            row.draw(&mut drawing, middle, left, x);
        }
        drawing.finish(&self.label)
    }
}

impl BoxRow {
    fn draw(&self, drawing: &mut Drawing, middle: f64, left: f64, x: impl Fn(f64) -> Option<f64>) {
        let Some(summary) = Summary::of(&self.values) else {
            drawing.text("tick", [left + 4.0, middle + LETTER * 0.35], Anchor::Start, "no result", "no result");
            return;
        };
        drawing.group(&self.look.class(), &format!("{}\n{}", self.name, summary.words()), |drawing| {
            if summary.count < FEWEST {
                for at in self.values.iter().filter_map(|&value| x(value)) {
                    drawing.mark("mark", self.look.shape(), [at, middle], RADIUS, "");
                }
                return;
            }
            let places =
                [summary.low, summary.first, summary.median, summary.third, summary.high, summary.mean].map(&x);
            let [Some(low), Some(first), Some(median), Some(third), Some(high), Some(mean)] = places else { return };
            let (top, bottom) = (middle - BOX / 2.0, middle + BOX / 2.0);
            drawing.line("whisker", [low, middle], [first, middle]);
            drawing.line("whisker", [third, middle], [high, middle]);
            drawing.line("whisker", [low, top + 3.0], [low, bottom - 3.0]);
            drawing.line("whisker", [high, top + 3.0], [high, bottom - 3.0]);
            drawing.rect("box", [first, top], [third - first, BOX]);
            drawing.line("median", [median, top], [median, bottom]);
            drawing.mark("mean", self.look.shape(), [mean, middle], RADIUS, "");
        });
        if summary.count >= FEWEST {
            drawing.group(&self.look.class(), "", |drawing| {
                for (value, times) in &summary.beyond {
                    let Some(at) = x(*value) else { continue };
                    let times = if *times == 1 { String::new() } else { format!(", {times} times") };
                    let title = format!("{}: {}{times}", self.name, figure(*value));
                    drawing.mark("beyond", Look(0).shape(), [at, middle], 1.8, &title);
                }
            });
        }
    }
}

/// What a box shows.
#[derive(Clone, Debug, PartialEq)]
struct Summary {
    count: usize,
    low: f64,
    first: f64,
    median: f64,
    third: f64,
    high: f64,
    mean: f64,
    /// Values beyond the whiskers, each with how often it occurs.
    beyond: Vec<(f64, usize)>,
}

impl Summary {
    fn of(values: &[f64]) -> Option<Summary> {
        let mut sorted: Vec<f64> = values.iter().copied().filter(|value| value.is_finite()).collect();
        sorted.sort_by(f64::total_cmp);
        let [first, median, third] = [0.25, 0.5, 0.75].map(|share| quantile(&sorted, share));
        let reach = 1.5 * (third? - first?);
        let (lowest, highest) = (first? - reach, third? + reach);
        let within = |value: &&f64| (lowest..=highest).contains(*value);
        let outside = sorted.iter().copied().filter(|value| !within(&value)).collect::<Vec<_>>();
        Some(Summary {
            count: sorted.len(),
            // A quartile between two values may lie beyond the last value within reach.
            low: sorted.iter().find(within)?.min(first?),
            first: first?,
            median: median?,
            third: third?,
            high: sorted.iter().rev().find(within)?.max(third?),
            mean: sorted.iter().sum::<f64>() / sorted.len() as f64,
            beyond: outside.chunk_by(|a, b| a == b).map(|same| (same[0], same.len())).collect(),
        })
    }

    fn words(&self) -> String {
        let [low, first, median, third, high, mean] =
            [self.low, self.first, self.median, self.third, self.high, self.mean].map(figure);
        let values = if self.count == 1 { "value" } else { "values" };
        let all = format!("mean {mean} of {} {values}, median {median}", self.count);
        if self.count < FEWEST { all } else { format!("{all}\nbox {first} to {third}, whiskers {low} to {high}") }
    }
}

/// The value below which a share of the sorted values lies, between neighbours in proportion (definition 7 of Hyndman and
/// Fan 1996, the usual one).
fn quantile(sorted: &[f64], share: f64) -> Option<f64> {
    let place = share * sorted.len().checked_sub(1)? as f64;
    let (below, above) = (sorted[place.floor() as usize], sorted[place.ceil() as usize]);
    Some(below + (above - below) * place.fract())
}

#[cfg(test)]
mod tests {
    use super::super::scale::Spacing;
    use super::super::testing::{classes, parsed};
    use super::*;

    fn boxes(rows: &[(&str, &[f64])]) -> Boxes {
        let row = |(index, (name, values)): (usize, &(&str, &[f64]))| BoxRow {
            name: name.to_string(),
            look: Look(index),
            values: values.to_vec(),
        };
        Boxes {
            label: "iris".into(),
            axis: Axis::new("accuracy %", Spacing::Percent),
            rows: rows.iter().enumerate().map(row).collect(),
            width: 300.0,
        }
    }

    #[test]
    fn the_summary_is_tukeys() {
        let summary = Summary::of(&[5.0, 1.0, 2.0, 4.0, 3.0, 30.0, 30.0, 2.5, 3.5]).unwrap();
        assert_eq!((summary.first, summary.median, summary.third), (2.5, 3.5, 5.0));
        assert_eq!((summary.low, summary.high), (1.0, 5.0));
        assert_eq!(summary.beyond, [(30.0, 2)]);
        assert_eq!(Summary::of(&[]), None);
        assert_eq!(Summary::of(&[f64::NAN]), None);
        assert_eq!(quantile(&[1.0, 2.0, 3.0, 4.0], 0.25), Some(1.75));
    }

    #[test]
    fn a_row_is_a_box_or_dots_or_says_that_there_is_nothing() {
        let many: &[f64] = &[90.0, 91.0, 92.0, 93.0, 94.0, 50.0];
        let svg = boxes(&[("many", many), ("few", &[95.0, 96.0]), ("none", &[])]).svg();
        let document = parsed(&svg);
        assert_eq!(classes(&document, "box"), 1);
        assert_eq!(classes(&document, "beyond"), 1);
        assert_eq!(classes(&document, "mark"), 2);
        assert!(svg.as_str().contains(">no result<"));
        assert!(svg.as_str().contains("mean 95.5 of 2 values, median 95.5</title>"));
    }

    #[test]
    fn long_names_leave_room_for_the_boxes_and_are_told_in_full() {
        let long = "x".repeat(60);
        let svg = boxes(&[(&long, &[1.0, 2.0, 3.0, 4.0, 5.0])]).svg();
        assert!(svg.as_str().contains(&format!("<title>{long}</title>")));
        let document = parsed(&svg);
        let axis = document.descendants().find(|node| node.attribute("class") == Some("axis")).unwrap();
        let place = |name| axis.attribute(name).unwrap().parse::<f64>().unwrap();
        assert!(place("x2") - place("x1") > 150.0);
    }

    #[test]
    fn equal_values_are_a_box_without_width() {
        parsed(&boxes(&[("mushroom", &[100.0; 10])]).svg());
    }
}
