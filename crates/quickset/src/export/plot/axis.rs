//! Axes: the scale whose labels have room, lines across the plot at its ticks, and the labels.

use super::lettering::{LETTER, shortened, width};
use super::scale::{Scale, Spacing};
use super::svg::{Anchor, Drawing};

/// Free room between two labels side by side.
const GAP: f64 = 10.0;
/// What one label of a vertical axis takes.
const LINE: f64 = 30.0;
/// The room of tick labels below a horizontal axis.
pub(super) const TICK_ROOM: f64 = 20.0;
/// The room of the axis' name below them.
pub(super) const NAME_ROOM: f64 = 16.0;

/// What is measured along an axis, and how it is laid out.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// The name with its unit.
    pub name: String,
    /// How figures are laid out.
    pub spacing: Spacing,
}

impl Axis {
    /// An axis of that name.
    pub fn new(name: &str, spacing: Spacing) -> Axis {
        Axis { name: name.to_string(), spacing }
    }

    /// The name to be written at a plot: an axis of equal factors says so.
    fn title(&self, scale: &Scale) -> String {
        if scale.is_log() { format!("{} (log scale)", self.name) } else { self.name.clone() }
    }
}

/// The scale of a horizontal axis, with as many labels as stand clear of each other.
pub(super) fn across(spacing: Spacing, values: &[f64], length: f64) -> Scale {
    let fits = |scale: &Scale| {
        scale.ticks().windows(2).all(|pair| {
            let at = |value| scale.place(value).unwrap_or(0.0) * length;
            let needed = (width(&pair[0].label) + width(&pair[1].label)) / 2.0 + GAP;
            at(pair[1].value) - at(pair[0].value) >= needed
        })
    };
    let most = (length / 40.0).clamp(3.0, 9.0) as usize;
    let found = (3..=most).rev().map(|most| Scale::new(spacing, values, most)).find(fits);
    found.unwrap_or_else(|| Scale::new(spacing, values, 3))
}

/// The scale of a vertical axis.
pub(super) fn upward(spacing: Spacing, values: &[f64], length: f64) -> Scale {
    Scale::new(spacing, values, (length / LINE) as usize)
}

/// The first and the last tick stand this far inside the area: a mark on them is whole, and the labels of both axes stay
/// clear of the corner.
pub(super) const INSET: f64 = 8.0;

/// The area between the axes, in the drawing's units: `left..right` and `top..bottom`.
#[derive(Clone, Copy)]
pub(super) struct Area {
    pub left: f64,
    pub right: f64,
    pub top: f64,
    pub bottom: f64,
}

impl Area {
    pub fn x(&self, place: f64) -> f64 {
        self.left + INSET + place * (self.right - self.left - 2.0 * INSET)
    }

    pub fn y(&self, place: f64) -> f64 {
        self.bottom - INSET - place * (self.bottom - self.top - 2.0 * INSET)
    }

    /// Lines up from the ticks, their labels below, and the axis' name in the middle below these.
    pub fn draw_across(&self, drawing: &mut Drawing, axis: &Axis, scale: &Scale) {
        for tick in scale.ticks() {
            let x = self.x(scale.place(tick.value).unwrap_or(0.0));
            drawing.line("grid", [x, self.top], [x, self.bottom]);
            drawing.text("tick", [x, self.bottom + TICK_ROOM - 5.0], Anchor::Middle, &tick.label, &tick.label);
        }
        drawing.line("axis", [self.left, self.bottom], [self.right, self.bottom]);
        let title = axis.title(scale);
        if !title.is_empty() {
            let room = self.right - self.left;
            let at = [(self.left + self.right) / 2.0, self.bottom + TICK_ROOM + NAME_ROOM - 4.0];
            drawing.text("name", at, Anchor::Middle, &shortened(&title, room), &title);
        }
    }

    /// Lines across from the ticks, their labels to the left, and the axis' name above: nobody has to tilt the head.
    pub fn draw_upward(&self, drawing: &mut Drawing, axis: &Axis, scale: &Scale) {
        for tick in scale.ticks() {
            let y = self.y(scale.place(tick.value).unwrap_or(0.0));
            drawing.line("grid", [self.left, y], [self.right, y]);
            drawing.text("tick", [self.left - 6.0, y + LETTER * 0.35], Anchor::End, &tick.label, &tick.label);
        }
        drawing.line("axis", [self.left, self.top], [self.left, self.bottom]);
        let title = axis.title(scale);
        drawing.text("name", [0.0, LETTER], Anchor::Start, &shortened(&title, self.right), &title);
    }
}

/// What the widest label of a scale takes.
pub(super) fn widest(scale: &Scale) -> f64 {
    scale.ticks().iter().map(|tick| width(&tick.label)).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_axis_has_fewer_labels() {
        let labels = |length| across(Spacing::Linear, &[0.0, 250_000.0], length).ticks().len();
        assert!(labels(500.0) > labels(150.0));
        assert!((2..=3).contains(&labels(10.0)));
    }

    #[test]
    fn labels_stand_clear_of_each_other() {
        for length in [120.0, 200.0, 333.0, 480.0] {
            for values in [[0.00002, 0.3], [0.0, 1.0], [83.11, 83.12], [-1e5, 1e5]] {
                let scale = across(Spacing::Fitting, &values, length);
                let step = length / (scale.ticks().len() - 1) as f64;
                assert!(step >= widest(&scale), "{length} {values:?} {:?}", scale.ticks());
            }
        }
    }
}
