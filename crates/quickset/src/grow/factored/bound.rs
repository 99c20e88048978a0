//! Upper bounds of gains: one dot product instead of logarithms.
//!
//! For any reference distribution r the independent gain is at most Σ π_c · KL(θ_c ‖ r), with equality where r is the
//! node's own mixture. With the root's mixture the divergences are known in advance.

use super::spread::Spread;

/// The divergence of every class from the root's mixture.
pub(crate) struct Bounds {
    /// By class, then attribute; zero where an attribute has no table.
    by_class: Vec<f32>,
    attributes: usize,
}

/// More than what single precision may lose.
pub(super) const SLACK: f32 = 1e-5;

impl Bounds {
    /// `root` are the classes with their shares of all rows.
    pub fn new(spreads: &[Option<Spread>], classes: usize, root: &[(usize, f64)]) -> Self {
        let attributes = spreads.len();
        let mut by_class = vec![0.0; classes * attributes];
        for (attribute, spread) in spreads.iter().enumerate() {
            let Some(spread) = spread else { continue };
            spread.divergences(root, |class, divergence| {
                by_class[class * attributes + attribute] = divergence as f32;
            });
        }
        Bounds { by_class, attributes }
    }

    /// The bounds of all attributes.
    pub fn all(&self, present: &[(usize, f64)], bounds: &mut Vec<f32>) {
        bounds.clear();
        bounds.resize(self.attributes, 0.0);
        for &(class, share) in present {
            let divergences = &self.by_class[class * self.attributes..][..self.attributes];
            let share = share as f32;
            bounds.iter_mut().zip(divergences).for_each(|(bound, divergence)| *bound += share * divergence);
        }
    }

    /// The bound of one attribute.
    pub fn of(&self, present: &[(usize, f64)], attribute: usize) -> f32 {
        present.iter().map(|&(class, share)| share as f32 * self.by_class[class * self.attributes + attribute]).sum()
    }
}
