//! Densities of a number, one per class, whose bandwidths the values choose.

use serde::{Deserialize, Serialize};

use super::ready::log;
use crate::density::{Chosen, Estimate, Ready, Scale};
use crate::split::mdl::Labelled;

/// A density per class, on a common scale.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Adaptive {
    scale: Scale,
    classes: Vec<Estimate>,
}

impl Adaptive {
    /// Of values that ascend; `None` where all are equal: by their density the larger class would count twice.
    pub fn of(sorted: &[Labelled], scale: Scale, classes: usize, chosen: &Chosen) -> Option<Self> {
        differ(sorted).then(|| Adaptive { scale, classes: Estimate::by_class(sorted, scale, classes, chosen) })
    }

    /// The same under bandwidths that are known, by class.
    pub fn under(bandwidths: &[f64], sorted: &[Labelled], scale: Scale) -> Self {
        Adaptive { scale, classes: Estimate::by_class_under(bandwidths, sorted, scale) }
    }

    /// By class.
    pub fn bandwidths(&self) -> Vec<f64> {
        self.classes.iter().map(Estimate::bandwidth).collect()
    }

    /// How many of the densities are as narrow as they can be.
    pub fn narrowest(&self) -> usize {
        self.classes.iter().filter(|class| class.is_narrowest()).count()
    }

    pub fn ready(&self) -> ReadyAdaptive<'_> {
        ReadyAdaptive { scale: self.scale, classes: self.classes.iter().map(Estimate::ready).collect() }
    }

    pub fn fit(&self, leaf: &[f64]) -> bool {
        self.scale.is_sound()
            && self.classes.len() == leaf.len()
            && self.classes.iter().zip(leaf).all(|(class, &weight)| class.fits(weight))
    }
}

/// Whether not all values are equal, of values that ascend.
pub(super) fn differ(sorted: &[Labelled]) -> bool {
    sorted.first().zip(sorted.last()).is_some_and(|(first, last)| first.value < last.value)
}

/// Densities that answer.
pub(super) struct ReadyAdaptive<'m> {
    scale: Scale,
    classes: Vec<Ready<'m>>,
}

impl ReadyAdaptive<'_> {
    /// Jeffreys' divergence of two classes, in the mean over the values of each.
    pub fn divergence(&self, a: usize, b: usize) -> f64 {
        let of = |from: usize, to: usize| -> f64 {
            let tells = |x: f64| log(self.classes[from].density(x)) - log(self.classes[to].density(x));
            self.classes[from].values().map(|(x, share)| share * tells(x)).sum()
        };
        of(a, b) + of(b, a)
    }

    /// By class.
    pub fn densities(&self, number: f64) -> impl Iterator<Item = f64> {
        let x = self.scale.of_number(number);
        self.classes.iter().map(move |class| class.density(x))
    }
}
