//! SVG, written piece by piece. Whatever comes from outside passes through [`escape`].

use std::fmt::Write;

use super::mark::Shape;

/// The text as it may stand in HTML or SVG, between tags and in quoted attributes alike.
pub(in crate::export) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\n' | '\t' => escaped.push(letter),
            // Neither HTML nor XML has a way to write these.
            control if control.is_control() || matches!(control, '\u{fffe}' | '\u{ffff}') => escaped.push('\u{fffd}'),
            other => escaped.push(other),
        }
    }
    escaped
}

/// A finished plot: an `<svg>` element to stand in a page that has [`CSS`](super::CSS). Only the plots of this module make
/// one, so whatever came from outside is escaped in it.
#[derive(Clone, Debug, PartialEq)]
pub struct Svg {
    markup: String,
    width: f64,
}

impl Svg {
    /// The markup.
    pub fn as_str(&self) -> &str {
        &self.markup
    }

    /// The plot as a file of its own, with the colours and letters that a page would give it.
    pub fn alone(&self) -> String {
        let (head, body) = self.markup.split_once('>').unwrap_or((&self.markup, ""));
        let head = head.replacen("<svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"", 1);
        format!("{head}><style>{}</style>{body}\n", super::CSS)
    }

    /// The width at which letters are 12 high.
    pub fn width(&self) -> f64 {
        self.width
    }
}

/// Where a text stands beside its point.
#[derive(Clone, Copy)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// A drawing in the making. Classes are our own words; colours and letters come from `plot.css`.
pub(super) struct Drawing {
    width: f64,
    height: f64,
    body: String,
}

impl Drawing {
    pub fn new(width: f64, height: f64) -> Drawing {
        Drawing { width, height, body: String::new() }
    }

    pub fn line(&mut self, class: &str, [x1, y1]: [f64; 2], [x2, y2]: [f64; 2]) {
        let (x1, y1, x2, y2) = (short(x1), short(y1), short(x2), short(y2));
        self.push(format_args!("<line class=\"{class}\" x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\"/>"));
    }

    pub fn path(&mut self, class: &str, points: &[[f64; 2]]) {
        let places: Vec<String> = points.iter().map(|[x, y]| format!("{} {}", short(*x), short(*y))).collect();
        self.push(format_args!("<path class=\"{class}\" d=\"M{}\"/>", places.join("L")));
    }

    pub fn rect(&mut self, class: &str, [x, y]: [f64; 2], [width, height]: [f64; 2]) {
        let (x, y, width, height) = (short(x), short(y), short(width), short(height));
        self.push(format_args!("<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"/>"));
    }

    /// The shape of a series around a point, with a tooltip.
    pub fn mark(&mut self, class: &str, shape: Shape, [x, y]: [f64; 2], radius: f64, title: &str) {
        let title = tooltip(title);
        match shape.corners() {
            None => {
                let (x, y, radius) = (short(x), short(y), short(radius));
                let place = format!("cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"");
                self.push(format_args!("<circle class=\"{class}\" {place}>{title}</circle>"));
            }
            Some(corners) => {
                let place = |[dx, dy]: &[f64; 2]| format!("{} {}", short(x + dx * radius), short(y + dy * radius));
                let places: Vec<String> = corners.iter().map(place).collect();
                self.push(format_args!("<path class=\"{class}\" d=\"M{}Z\">{title}</path>", places.join("L")));
            }
        }
    }

    /// A text whose baseline is at the point. If it is not the `whole` text, a tooltip has that.
    pub fn text(&mut self, class: &str, [x, y]: [f64; 2], anchor: Anchor, text: &str, whole: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let (x, y) = (short(x), short(y));
        let title = tooltip(if text == whole { "" } else { whole });
        let text = escape(text);
        self.push(format_args!(
            "<text class=\"{class}\" x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\">{title}{text}</text>"
        ));
    }

    /// Pieces that share a class and a tooltip.
    pub fn group(&mut self, class: &str, title: &str, draw: impl FnOnce(&mut Drawing)) {
        let title = tooltip(title);
        self.push(format_args!("<g class=\"{class}\">{title}"));
        draw(self);
        self.push(format_args!("</g>"));
    }

    /// The whole drawing, as an image of that name to those who do not see it.
    pub fn finish(self, label: &str) -> Svg {
        let (width, height, label) = (short(self.width), short(self.height), escape(label));
        let markup = format!(
            "<svg class=\"plot\" role=\"img\" aria-label=\"{label}\" viewBox=\"0 0 {width} {height}\" \
             width=\"{width}\" height=\"{height}\">{}</svg>",
            self.body
        );
        Svg { markup, width: self.width }
    }

    /// The drawing as a sign before a name, small as a letter. Read aloud, the name would be heard twice: so it has none.
    pub fn sign(self) -> String {
        let (width, height) = (short(self.width), short(self.height));
        format!("<svg class=\"sign\" aria-hidden=\"true\" viewBox=\"0 0 {width} {height}\">{}</svg>", self.body)
    }

    fn push(&mut self, piece: std::fmt::Arguments<'_>) {
        self.body.write_fmt(piece).expect("writing to a String cannot fail");
    }
}

fn tooltip(title: &str) -> String {
    if title.is_empty() { String::new() } else { format!("<title>{}</title>", escape(title)) }
}

/// A length to a hundredth, without zeros at its end.
fn short(length: f64) -> String {
    let rounded = (length * 100.0).round() / 100.0;
    // Adding zero turns −0 into 0.
    (rounded + 0.0).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_a_meaning_in_html_is_escaped() {
        assert_eq!(escape("<a href=\"x\">'&'</a>"), "&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;&lt;/a&gt;");
        assert_eq!(escape("a\0b\u{1b}[0m\u{ffff}\n"), "a\u{fffd}b\u{fffd}[0m\u{fffd}\n");
        assert_eq!(escape("Ünïcode 数据"), "Ünïcode 数据");
    }

    #[test]
    fn lengths_are_short() {
        assert_eq!([1.0, 1.0 / 3.0, -0.001, 250.505].map(short), ["1", "0.33", "0", "250.51"]);
    }
}
