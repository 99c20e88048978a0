//! Said and true: the share of right predictions against their probability, beside the line on which both are equal.

use super::axis::Axis;
use super::chart::{Chart, Point, Series};
use super::mark::Look;
use super::scale::Spacing;
use super::svg::Svg;

/// The line of equals is grey, and has no marks.
const GREY: Look = Look(4);

/// One learner's or model's predictions.
#[derive(Clone, Debug, PartialEq)]
pub struct Believed {
    /// Whose they are.
    pub name: String,
    /// Their colour and shape.
    pub look: Look,
    /// Groups of predictions: their mean probability, the share that were right, both from 0 to 1, and their number.
    pub groups: Vec<[f64; 3]>,
}

/// A reliability diagram.
#[derive(Clone, Debug, PartialEq)]
pub struct ReliabilityDiagram {
    /// What it shows, for those who do not see it.
    pub label: String,
    /// Whose predictions, first to last.
    pub all: Vec<Believed>,
    /// Width and height.
    pub size: [f64; 2],
}

impl ReliabilityDiagram {
    /// The diagram as an image.
    pub fn svg(&self) -> Svg {
        let corner = |percent: f64| Point { x: percent, y: percent, name: String::new() };
        let equal = Series {
            name: "right as often as said".into(),
            look: GREY,
            points: vec![corner(0.0), corner(100.0)],
            marks: false,
            line: true,
        };
        let series = self.all.iter().map(|believed| Series {
            name: believed.name.clone(),
            look: believed.look,
            points: believed.groups.iter().map(point).collect(),
            marks: true,
            line: true,
        });
        let chart = Chart {
            label: self.label.clone(),
            x: Axis::new("probability of the predicted class, %", Spacing::Percent),
            y: Axis::new("right, %", Spacing::Percent),
            series: std::iter::once(equal).chain(series).collect(),
            size: self.size,
        };
        chart.svg()
    }
}

fn point(&[probability, right, rows]: &[f64; 3]) -> Point {
    Point { x: 100.0 * probability, y: 100.0 * right, name: format!("{} rows", (rows * 100.0).round() / 100.0) }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{classes, parsed};
    use super::*;

    #[test]
    fn every_group_is_a_mark_and_every_model_a_line_beside_that_of_equals() {
        let believed = |name: &str, look, groups: &[[f64; 3]]| Believed {
            name: name.into(),
            look: Look(look),
            groups: groups.to_vec(),
        };
        let all = vec![
            believed("nt <1>", 0, &[[0.55, 0.5, 10.0], [0.95, 0.9, 30.5]]),
            believed("nb", 1, &[[0.99, 0.7, 40.0]]),
            believed("none", 2, &[]),
        ];
        let svg = ReliabilityDiagram { label: "said & true".into(), all, size: [440.0, 330.0] }.svg();
        let document = parsed(&svg);
        assert_eq!(classes(&document, "mark"), 3);
        assert_eq!(classes(&document, "joint"), 2, "a single group has no line");
        let alone = svg.alone();
        let file = roxmltree::Document::parse(&alone).unwrap();
        assert_eq!(file.root_element().tag_name().namespace(), Some("http://www.w3.org/2000/svg"));
        assert!(alone.contains("--colour0: #"), "a file has its colours with it");
        assert!(svg.as_str().contains("30.5 rows, nt &lt;1&gt;"), "{}", svg.as_str());
    }
}
