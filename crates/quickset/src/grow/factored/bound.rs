//! Upper bounds of gains: one dot product instead of logarithms.
//!
//! For any reference distribution r the independent gain is at most Σ π_c · KL(θ_c ‖ r), with equality where r is the
//! node's own mixture. With the root's mixture the divergences are known in advance.

use std::sync::OnceLock;

use super::spread::Spread;

/// The divergences of every class from some references: the root's mixture and, for each class, one that is mostly its
/// own. The nearer the reference is to the node's mixture, the tighter the bound.
pub(crate) struct Bounds {
    root: Vec<(usize, f64)>,
    classes: usize,
    /// The root's, then one for every class, made when it is first asked for.
    references: Vec<OnceLock<Divergences>>,
}

/// By class, then attribute: the divergence from one reference; zero where an attribute has no table.
struct Divergences(Vec<f32>);

/// More than what single precision may lose.
pub(super) const SLACK: f32 = 1e-5;

/// A class with at least this share of a node is bounded by its own reference, in which it has this share.
const OWN: f64 = 0.5;

impl Bounds {
    /// `root` are the classes with their shares of all rows.
    pub fn new(classes: usize, root: Vec<(usize, f64)>) -> Self {
        Bounds { root, classes, references: (0..=classes).map(|_| OnceLock::new()).collect() }
    }

    /// The divergences from the reference that is nearest to a node.
    fn nearest(&self, spreads: &[Option<Spread>], present: &[(usize, f64)]) -> &Divergences {
        let own = present.iter().find(|(_, share)| *share >= OWN).map(|(class, _)| *class);
        self.references[own.map_or(0, |class| class + 1)].get_or_init(|| {
            let mut mixture = self.root.clone();
            for (class, share) in &mut mixture {
                *share = match own {
                    Some(own) if *class == own => OWN + (1.0 - OWN) * *share,
                    Some(_) => (1.0 - OWN) * *share,
                    None => *share,
                };
            }
            let mut by_class = vec![0.0; self.classes * spreads.len()];
            for (attribute, spread) in spreads.iter().enumerate() {
                let Some(spread) = spread else { continue };
                spread.divergences(&mixture, |class, divergence| {
                    by_class[class * spreads.len() + attribute] = divergence as f32;
                });
            }
            Divergences(by_class)
        })
    }

    /// The bounds of all attributes.
    pub fn all(&self, spreads: &[Option<Spread>], present: &[(usize, f64)], bounds: &mut Vec<f32>) {
        let Divergences(by_class) = self.nearest(spreads, present);
        bounds.clear();
        bounds.resize(spreads.len(), 0.0);
        for &(class, share) in present {
            let divergences = &by_class[class * spreads.len()..][..spreads.len()];
            let share = share as f32;
            bounds.iter_mut().zip(divergences).for_each(|(bound, divergence)| *bound += share * divergence);
        }
    }

    /// The bounds of some attributes.
    pub fn of(&self, spreads: &[Option<Spread>], present: &[(usize, f64)]) -> impl Fn(usize) -> f32 {
        let Divergences(by_class) = self.nearest(spreads, present);
        let attributes = spreads.len();
        move |attribute| {
            present.iter().map(|&(class, share)| share as f32 * by_class[class * attributes + attribute]).sum()
        }
    }
}
