//! Plots as SVG, for pages of results: plain data in, one image out, nothing computed but places.
//!
//! - [`Chart`]: points and lines between two axes: scatter plots, curves, fitted lines;
//! - [`Boxes`]: box plots, one below the other;
//! - [`CriticalDifference`]: mean ranks of learners and which of them the data do not tell apart;
//! - [`ReliabilityDiagram`]: whether probabilities can be believed;
//! - [`legend`]: which mark stands for which name.
//!
//! Series differ by [`Look`], a colour and a shape. Colours are variables of [`CSS`], so that a page may be light, dark
//! or printed. A plot is drawn at its own size and scaled by the page.

mod axis;
mod boxes;
mod chart;
mod critical_difference;
mod legend;
mod lettering;
mod mark;
mod reliability;
mod scale;
mod svg;

pub use axis::Axis;
pub use boxes::{BoxRow, Boxes};
pub use chart::{Chart, Point, Series};
pub use critical_difference::{CriticalDifference, Ranked};
pub use legend::legend;
pub use mark::Look;
pub use reliability::{Believed, ReliabilityDiagram};
pub use scale::{Scale, Spacing, Tick};
pub use svg::Svg;
pub(super) use svg::escape;

/// The colours and letters of plots, for the page that shows them.
pub const CSS: &str = include_str!("plot.css");

#[cfg(test)]
mod testing {
    use roxmltree::Document;

    use super::Svg;

    /// The plot as a document; fails if it is not well-formed.
    pub fn parsed(svg: &Svg) -> Document<'_> {
        Document::parse(svg.as_str()).unwrap_or_else(|error| panic!("{error}: {}", svg.as_str()))
    }

    /// How many elements have the class.
    pub fn classes(document: &Document<'_>, class: &str) -> usize {
        document.descendants().filter(|node| node.attribute("class") == Some(class)).count()
    }
}
