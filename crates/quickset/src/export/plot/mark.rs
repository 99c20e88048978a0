//! How a series is told from the others: a colour and a shape, so that neither alone has to be seen.

/// Colours in `plot.css`.
const COLOURS: usize = 7;

/// The look of a series by its number. Colour and shape repeat after 7 and 8, the pair after 56.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look(pub usize);

impl Look {
    /// The class that sets the colour.
    pub(super) fn class(self) -> String {
        format!("colour{}", self.0 % COLOURS)
    }

    pub(super) fn shape(self) -> Shape {
        Shape::ALL[self.0 % Shape::ALL.len()]
    }
}

/// The outline of a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Circle,
    Square,
    Triangle,
    Diamond,
    Plus,
    Wedge,
    Cross,
    Bar,
}

impl Shape {
    const ALL: [Shape; 8] = [
        Shape::Circle,
        Shape::Square,
        Shape::Triangle,
        Shape::Diamond,
        Shape::Plus,
        Shape::Wedge,
        Shape::Cross,
        Shape::Bar,
    ];

    /// The corners around a mark of radius 1, of about equal area; none for the circle.
    pub fn corners(self) -> Option<&'static [[f64; 2]]> {
        Some(match self {
            Shape::Circle => return None,
            Shape::Square => &[[-0.9, -0.9], [0.9, -0.9], [0.9, 0.9], [-0.9, 0.9]],
            Shape::Triangle => &[[0.0, -1.25], [1.15, 0.8], [-1.15, 0.8]],
            Shape::Diamond => &[[0.0, -1.3], [1.1, 0.0], [0.0, 1.3], [-1.1, 0.0]],
            Shape::Plus => &PLUS,
            Shape::Wedge => &[[0.0, 1.25], [1.15, -0.8], [-1.15, -0.8]],
            Shape::Cross => &CROSS,
            Shape::Bar => &[[-1.3, -0.5], [1.3, -0.5], [1.3, 0.5], [-1.3, 0.5]],
        })
    }
}

const PLUS: [[f64; 2]; 12] = [
    [-0.4, -1.2],
    [0.4, -1.2],
    [0.4, -0.4],
    [1.2, -0.4],
    [1.2, 0.4],
    [0.4, 0.4],
    [0.4, 1.2],
    [-0.4, 1.2],
    [-0.4, 0.4],
    [-1.2, 0.4],
    [-1.2, -0.4],
    [-0.4, -0.4],
];

/// The plus turned by an eighth.
const CROSS: [[f64; 2]; 12] = [
    [0.57, -1.13],
    [1.13, -0.57],
    [0.57, 0.0],
    [1.13, 0.57],
    [0.57, 1.13],
    [0.0, 0.57],
    [-0.57, 1.13],
    [-1.13, 0.57],
    [-0.57, 0.0],
    [-1.13, -0.57],
    [-0.57, -1.13],
    [0.0, -0.57],
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn fifty_series_differ() {
        let looks: BTreeSet<String> =
            (0..50).map(|series| format!("{} {:?}", Look(series).class(), Look(series).shape())).collect();
        assert_eq!(looks.len(), 50);
    }
}
