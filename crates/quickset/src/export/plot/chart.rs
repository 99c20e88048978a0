//! Points and lines between two axes: a scatter plot, curves, or a scatter with fitted lines, by what its series ask for.

use super::axis::{Area, Axis, INSET, NAME_ROOM, TICK_ROOM, across, upward, widest};
use super::lettering::{LETTER, figure, width};
use super::mark::Look;
use super::svg::{Drawing, Svg};

const RADIUS: f64 = 3.6;

/// A point of a series.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// Along the horizontal axis.
    pub x: f64,
    /// Along the vertical axis.
    pub y: f64,
    /// What the tooltip says before the figures.
    pub name: String,
}

/// Points that belong together.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// What they share, for tooltips.
    pub name: String,
    /// Their colour and shape.
    pub look: Look,
    /// The points, in the order of the line.
    pub points: Vec<Point>,
    /// Whether each has a mark.
    pub marks: bool,
    /// Whether a line joins them.
    pub line: bool,
}

/// Series between two axes.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// What it shows, for those who do not see it.
    pub label: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// What is drawn, first to last.
    pub series: Vec<Series>,
    /// Width and height; letters are 12 high.
    pub size: [f64; 2],
}

impl Chart {
    /// The chart as an image. Points that have no place on an axis, such as zero seconds on a log scale, are left out.
    pub fn svg(&self) -> Svg {
        let [whole_width, whole_height] = self.size;
        let points = || self.series.iter().flat_map(|series| &series.points);
        let finite: Vec<&Point> = points().filter(|point| point.x.is_finite() && point.y.is_finite()).collect();
        let xs: Vec<f64> = finite.iter().map(|point| point.x).collect();
        let ys: Vec<f64> = finite.iter().map(|point| point.y).collect();

        let (top, bottom) = (LETTER * 2.0, whole_height - TICK_ROOM - NAME_ROOM);
        let y_scale = upward(self.y.spacing, &ys, bottom - top);
        let left = widest(&y_scale) + 10.0;
        let x_scale = across(self.x.spacing, &xs, whole_width - left - 3.0 * LETTER);
        // Half of the last label hangs over the end of the axis.
        let last = x_scale.ticks().last().map_or(0.0, |tick| width(&tick.label) / 2.0);
        let area = Area { left, right: whole_width - (last - INSET).max(0.0), top, bottom };

        let mut drawing = Drawing::new(whole_width, whole_height);
        area.draw_across(&mut drawing, &self.x, &x_scale);
        area.draw_upward(&mut drawing, &self.y, &y_scale);
        let place = |point: &Point| Some([area.x(x_scale.place(point.x)?), area.y(y_scale.place(point.y)?)]);
        for series in &self.series {
            drawing.group(&series.look.class(), "", |drawing| {
                if series.line {
                    let places: Vec<[f64; 2]> = series.points.iter().filter_map(place).collect();
                    if places.len() > 1 {
                        drawing.path("joint", &places);
                    }
                }
                let marked = series.points.iter().filter(|_| series.marks);
                for (point, at) in marked.filter_map(|point| Some((point, place(point)?))) {
                    drawing.mark("mark", series.look.shape(), at, RADIUS, &self.tooltip(series, point));
                }
            });
        }
        drawing.finish(&self.label)
    }

    fn tooltip(&self, series: &Series, point: &Point) -> String {
        let name = if point.name.is_empty() { String::new() } else { format!("{}, ", point.name) };
        let (x, y) = (figure(point.x), figure(point.y));
        format!("{name}{}\n{}: {y}\n{}: {x}", series.name, self.y.name, self.x.name)
    }
}

#[cfg(test)]
mod tests {
    use super::super::scale::Spacing;
    use super::super::testing::parsed;
    use super::*;

    fn chart(points: &[(f64, f64)], line: bool) -> Chart {
        let points = points.iter().map(|&(x, y)| Point { x, y, name: "a <set> & \"b\"".into() }).collect();
        Chart {
            label: "accuracy & size".into(),
            x: Axis::new("size", Spacing::Fitting),
            y: Axis::new("accuracy %", Spacing::Percent),
            series: vec![Series { name: "nt".into(), look: Look(0), points, marks: true, line }],
            size: [440.0, 300.0],
        }
    }

    #[test]
    fn every_point_has_a_mark_with_its_figures() {
        let svg = chart(&[(1.0, 90.0), (400.0, 95.5)], false).svg();
        let document = parsed(&svg);
        let marks: Vec<_> = document.descendants().filter(|node| node.attribute("class") == Some("mark")).collect();
        assert_eq!(marks.len(), 2);
        let title = marks[1].first_element_child().unwrap().text().unwrap();
        assert_eq!(title, "a <set> & \"b\", nt\naccuracy %: 95.5\nsize: 400");
        assert!(!document.descendants().any(|node| node.attribute("class") == Some("joint")));
        assert!(svg.as_str().contains("size (log scale)"));
    }

    #[test]
    fn higher_is_further_up_and_larger_further_right() {
        let document = chart(&[(1.0, 90.0), (400.0, 95.5)], true).svg();
        let document = parsed(&document);
        let at = |index: usize, axis: &str| -> f64 {
            let marks = document.descendants().filter(|node| node.has_tag_name("circle"));
            marks.collect::<Vec<_>>()[index].attribute(axis).unwrap().parse().unwrap()
        };
        assert!(at(0, "cx") < at(1, "cx"));
        assert!(at(0, "cy") > at(1, "cy"));
        assert_eq!(document.descendants().filter(|node| node.attribute("class") == Some("joint")).count(), 1);
    }

    #[test]
    fn any_figures_give_an_image() {
        let odd = [f64::NAN, f64::INFINITY, -1.0, 0.0, 1e300, 5e-324];
        for count in 0..=odd.len() {
            let points: Vec<(f64, f64)> = odd[..count].iter().map(|&figure| (figure, figure)).collect();
            let svg = chart(&points, true).svg();
            assert!(!svg.as_str().contains("NaN\"") && !svg.as_str().contains("inf\""), "{}", svg.as_str());
            parsed(&svg);
        }
    }
}
