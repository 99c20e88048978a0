//! What a table is worth at a node, from the node's class shares alone.

use super::{Range, Spread};
use crate::measure::{binary_entropy, largest, log2, rough, widest};

/// What an estimated table is worth.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Worth {
    /// The independent information gain, or the decrease of another impurity.
    pub gain: f64,
    /// The entropy of the branches.
    pub information: f64,
}

/// Cuts that are valued together, so that their sums stay at hand, and those that are valued exactly together.
const BLOCK: usize = 256;
const NEAR: usize = 16;

impl Spread {
    /// The worth of the split into all levels or bins. `present` are the classes with their shares of the node.
    pub fn levels(&self, present: &[(usize, f64)]) -> Worth {
        let mut information = 0.0;
        for cell in 0..self.cells {
            let q: f64 = present.iter().map(|&(class, share)| share * self.numbers[class * self.cells + cell]).sum();
            information -= q * log2(q);
        }
        let own: f64 = present.iter().map(|&(class, share)| share * self.entropy(class)).sum();
        Worth { gain: (information - own).max(0.0), information }
    }

    /// The worth of the best cut in two.
    pub fn cuts(&self, present: &[(usize, f64)]) -> Worth {
        best_cut(
            self.cells - 1,
            present.len(),
            #[inline(always)]
            |from, below, own| {
                for &(class, share) in present {
                    add_scaled(share as f32, &self.rough_below(class)[from..][..below.len()], below);
                    add_scaled(share as f32, &self.rough_entropies(class)[from..][..below.len()], own);
                }
            },
            #[inline(always)]
            |from, below, own| {
                for &(class, share) in present {
                    add_scaled(share, &self.below(class)[from..][..below.len()], below);
                    add_scaled(share, &self.cut_entropies(class)[from..][..below.len()], own);
                }
            },
        )
    }

    /// As [`levels`](Self::levels), within a range.
    pub fn levels_within(&self, present: &[(usize, f64)], range: Range) -> Worth {
        let classes = self.conditioned(present, range);
        let cells = classes.first().map_or(0, |(_, shares)| shares.len());
        let total: f64 = classes.iter().map(|(share, _)| share).sum();
        let mut worth = Worth::default();
        for cell in 0..cells {
            let q: f64 = classes.iter().map(|(share, shares)| share * shares[cell]).sum();
            worth.information -= q / total * log2(q / total);
        }
        let own = classes.iter().map(|(share, shares)| share * -shares.iter().map(|&s| s * log2(s)).sum::<f64>());
        worth.gain = (worth.information - own.sum::<f64>() / total).max(0.0);
        worth
    }

    /// As [`cuts`](Self::cuts), within a range.
    pub fn cuts_within(&self, present: &[(usize, f64)], range: Range) -> Worth {
        let cells = self.cells_of(range);
        // Of each class: its share of the node, what it has before the range, and one over what it has inside.
        let of = |&(class, share): &(usize, f64)| {
            let below = self.below(class);
            let before = if cells.start == 0 { 0.0 } else { below[cells.start - 1] };
            let inside = below[cells.end - 1] - before;
            (inside > 0.0).then(|| (class, share, before, 1.0 / inside))
        };
        if cells.len() < 2 {
            return Worth::default();
        }
        let mut classes: Vec<(usize, f64, f64, f64)> = present.iter().filter_map(of).collect();
        let total: f64 = classes.iter().map(|class| class.1).sum();
        classes.iter_mut().for_each(|class| class.1 /= total);
        let inside = |class: usize, from: usize, count: usize| &self.below(class)[cells.start + from..][..count];
        best_cut(
            cells.len() - 1,
            classes.len(),
            #[inline(always)]
            |from, below, own| {
                for &(class, share, before, scale) in &classes {
                    let numbers = inside(class, from, below.len());
                    for ((sum, own), &number) in below.iter_mut().zip(own.iter_mut()).zip(numbers) {
                        let part = ((number - before) * scale) as f32;
                        *sum += share as f32 * part;
                        *own += share as f32 * rough::binary_entropy(part);
                    }
                }
            },
            #[inline(always)]
            |from, below, own| {
                for &(class, share, before, scale) in &classes {
                    let numbers = inside(class, from, below.len());
                    for ((sum, own), &number) in below.iter_mut().zip(own.iter_mut()).zip(numbers) {
                        let part = (number - before) * scale;
                        *sum += share * part;
                        *own += share * binary_entropy(part);
                    }
                }
            },
        )
    }
}

/// The best of some cuts, the first of equal ones, for a number of classes. Both functions add up, for the cuts from a
/// place on, the share of the rows below each and the classes' own entropies: one in single precision, and one exactly,
/// which is asked only for the neighbourhood of cuts that may be the best.
fn best_cut(
    cuts: usize,
    classes: usize,
    rough: impl Fn(usize, &mut [f32], &mut [f32]),
    exact: impl Fn(usize, &mut [f64], &mut [f64]),
) -> Worth {
    let slack = rough::slack(classes);
    let mut best = Worth::default();
    let value = |from: usize, count: usize, best: &mut Worth| {
        let (mut below, mut own) = ([0.0; NEAR], [0.0; NEAR]);
        let (below, gains) = (&mut below[..count], &mut own[..count]);
        widest(
            #[inline(always)]
            || {
                exact(from, below, gains);
                for (own, below) in gains.iter_mut().zip(below.iter_mut()) {
                    *below = binary_entropy(*below);
                    *own = *below - *own;
                }
            },
        );
        for (&gain, &information) in gains.iter().zip(&*below) {
            if gain > best.gain {
                *best = Worth { gain, information };
            }
        }
    };
    for from in (0..cuts).step_by(BLOCK) {
        let count = BLOCK.min(cuts - from);
        let (mut below, mut own) = ([0.0; BLOCK], [0.0; BLOCK]);
        let (below, gains) = (&mut below[..count], &mut own[..count]);
        widest(
            #[inline(always)]
            || {
                rough(from, below, gains);
                gains.iter_mut().zip(below).for_each(|(own, below)| *own = rough::binary_entropy(*below) - *own);
            },
        );
        for (at, near) in gains.chunks(NEAR).enumerate() {
            if largest(near, f32::NEG_INFINITY) + slack >= best.gain as f32 {
                value(from + at * NEAR, near.len(), &mut best);
            }
        }
    }
    best
}

#[inline(always)]
fn add_scaled<T: Copy + std::ops::Mul<Output = T> + std::ops::AddAssign>(scale: T, numbers: &[T], sums: &mut [T]) {
    sums.iter_mut().zip(numbers).for_each(|(sum, &number)| *sum += scale * number);
}
