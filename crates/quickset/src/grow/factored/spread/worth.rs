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

/// A class, and its share of each of some nodes.
pub(crate) type Share<const NODES: usize> = (usize, [f64; NODES]);

/// Cuts next to each other that are valued together, and blocks of them that are looked through before any is valued
/// exactly.
pub(super) const BLOCK: usize = 16;
const BLOCKS: usize = 64;

/// Numbers of a register at most: of nodes, or of levels or bins where there are fewer nodes.
const LANES: usize = 8;

/// Numbers of a block of cuts: the rows below each, and the classes' own entropies.
type Sums<T> = [[T; BLOCK]; 2];

impl Spread {
    /// The worth of the split into all levels or bins, at nodes where these classes occur.
    #[inline(always)]
    pub fn levels<const NODES: usize>(&self, present: &[Share<NODES>]) -> [Worth; NODES] {
        widest(
            #[inline(always)]
            || {
                let (mut information, mut own) = ([0.0; NODES], [0.0; NODES]);
                for from in (0..self.cells).step_by(LANES / NODES) {
                    for terms in self.terms(present, from).iter().take(LANES / NODES) {
                        information.iter_mut().zip(terms).for_each(|(sum, term)| *sum -= term);
                    }
                }
                for (class, shares) in present {
                    add_scaled(self.entropy(*class), shares, &mut own);
                }
                std::array::from_fn(|node| Worth {
                    gain: (information[node] - own[node]).max(0.0),
                    information: information[node],
                })
            },
        )
    }

    /// x·log₂x of the shares that nodes have at each of the next cells; zero after the last.
    #[inline(always)]
    fn terms<const NODES: usize>(&self, present: &[Share<NODES>], from: usize) -> [[f64; NODES]; LANES] {
        let count = (LANES / NODES).min(self.cells - from);
        let mut mixtures = [[0.0; NODES]; LANES];
        for (class, shares) in present {
            let numbers = &self.numbers[class * self.cells + from..][..count];
            for (mixture, &number) in mixtures.iter_mut().zip(numbers) {
                add_scaled(number, shares, mixture);
            }
        }
        for share in mixtures[..count].as_flattened_mut() {
            *share *= log2(*share);
        }
        mixtures
    }

    /// The worth of the best cut in two.
    pub fn cuts(&self, present: &[Share<1>]) -> Worth {
        best_cut(
            self.cells - 1,
            present.len(),
            #[inline(always)]
            |from, _| {
                let mut sums = [[0.0; BLOCK]; 2];
                for &(class, [share]) in present {
                    add_scaled(share as f32, &self.rough_below(class)[from..][..BLOCK], &mut sums[0]);
                    add_scaled(share as f32, &self.rough_entropies(class)[from..][..BLOCK], &mut sums[1]);
                }
                sums
            },
            #[inline(always)]
            |from, count| {
                let mut sums = [[0.0; BLOCK]; 2];
                for &(class, [share]) in present {
                    add_scaled(share, &self.below(class)[from..][..count], &mut sums[0]);
                    add_scaled(share, &self.cut_entropies(class)[from..][..count], &mut sums[1]);
                }
                sums
            },
        )
    }

    /// As [`levels`](Self::levels), within a range.
    pub fn levels_within(&self, present: &[Share<1>], range: Range) -> Worth {
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
    pub fn cuts_within(&self, present: &[Share<1>], range: Range) -> Worth {
        let cells = self.cells_of(range);
        // Of each class: its share of the node, what it has before the range, and one over what it has inside.
        let of = |&(class, [share]): &Share<1>| {
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
            |from, count| {
                let mut sums = [[0.0; BLOCK]; 2];
                for &(class, share, before, scale) in &classes {
                    for (cut, number) in inside(class, from, count).iter().enumerate() {
                        let part = ((number - before) * scale) as f32;
                        sums[0][cut] += share as f32 * part;
                        sums[1][cut] += share as f32 * rough::binary_entropy(part);
                    }
                }
                sums
            },
            #[inline(always)]
            |from, count| {
                let mut sums = [[0.0; BLOCK]; 2];
                for &(class, share, before, scale) in &classes {
                    for (cut, number) in inside(class, from, count).iter().enumerate() {
                        let part = (number - before) * scale;
                        sums[0][cut] += share * part;
                        sums[1][cut] += share * binary_entropy(part);
                    }
                }
                sums
            },
        )
    }
}

/// The best of some cuts, the first of equal ones, for a number of classes. Both functions add up the rows below each cut
/// of a block and the classes' own entropies, from a cut on and for so many: one in single precision, and one exactly,
/// which is asked only for blocks that may hold the best.
#[inline(always)]
fn best_cut(
    cuts: usize,
    classes: usize,
    rough: impl Fn(usize, usize) -> Sums<f32>,
    exact: impl Fn(usize, usize) -> Sums<f64>,
) -> Worth {
    let slack = rough::slack(classes);
    let mut best = Worth::default();
    let count = |from: usize| BLOCK.min(cuts - from);
    for start in (0..cuts).step_by(BLOCKS * BLOCK) {
        let blocks = (cuts - start).div_ceil(BLOCK).min(BLOCKS);
        let mut tops = [f32::NEG_INFINITY; BLOCKS];
        let tops = &mut tops[..blocks];
        widest(
            #[inline(always)]
            || {
                for (block, top) in tops.iter_mut().enumerate() {
                    let from = start + block * BLOCK;
                    let [below, mut gains] = rough(from, count(from));
                    for (gain, below) in gains.iter_mut().zip(below) {
                        *gain = rough::binary_entropy(below) - *gain;
                    }
                    *top = largest(&gains, f32::NEG_INFINITY);
                }
            },
        );
        let least = (best.gain as f32).max(largest(tops, f32::NEG_INFINITY) - slack);
        for (block, _) in tops.iter().enumerate().filter(|(_, top)| **top + slack >= least) {
            let from = start + block * BLOCK;
            let [information, gains] = widest(
                #[inline(always)]
                || {
                    let [mut below, mut gains] = exact(from, count(from));
                    for (gain, below) in gains.iter_mut().zip(&mut below) {
                        *below = binary_entropy(*below);
                        *gain = *below - *gain;
                    }
                    [below, gains]
                },
            );
            for (gain, information) in gains.into_iter().zip(information).take(count(from)) {
                if gain > best.gain {
                    best = Worth { gain, information };
                }
            }
        }
    }
    best
}

#[inline(always)]
fn add_scaled<T: Copy + std::ops::Mul<Output = T> + std::ops::AddAssign>(scale: T, numbers: &[T], sums: &mut [T]) {
    sums.iter_mut().zip(numbers).for_each(|(sum, &number)| *sum += scale * number);
}
