//! The attributes that may be the best below a node, with tables made for scanning.
//!
//! Rows times gain never rises on the way down: with n_c rows of class c and any mixture r, it is at most
//! Σ n_c · KL(θ_c ‖ r), which equals it where r is the node's own mixture, and below the node no n_c is larger. So once
//! all gains of a node are known, those far below the best cannot win in a descendant until that is much smaller.

use rayon::prelude::*;

use super::Tables;
use super::score::worth;
use super::spread::Share;
use super::spreads::Spreads;
use crate::measure::rough::binary_entropy;
use crate::measure::widest;

/// Some attributes with the tables of those that have two cells, in single precision.
#[derive(Debug)]
pub(crate) struct Shortlist {
    /// Ascending.
    attributes: Vec<u32>,
    /// By class, then attribute: the share of the second cell, and the entropy of both. Zeros fill the last block.
    tables: Vec<[f32; 2]>,
    /// The attributes of a class, rounded up to whole blocks.
    stride: usize,
    /// The places of other attributes.
    wide: Vec<u32>,
    /// What rows times gain of no other attribute exceeds.
    rest: f64,
}

/// More than what single precision loses in a gain.
pub(super) const SLACK: f32 = 1e-5;

/// Attributes next to each other that are handled together, so few that their sums stay in registers; and others, of
/// which the sums stay at hand.
const BLOCK: usize = 32;
const GATHERED: usize = 256;

impl Shortlist {
    /// All attributes. Those without a table gain nothing.
    pub fn all(spreads: &Spreads, classes: usize) -> Self {
        let (count, stride) = (spreads.len(), spreads.len().next_multiple_of(BLOCK));
        let mut tables = vec![[0.0; 2]; classes * stride];
        if let Some(presences) = spreads.presences() {
            let by_class = tables.par_chunks_exact_mut(stride).enumerate();
            by_class.for_each(|(class, of_class)| presences.rough(class, of_class));
        }
        let mut wide = Vec::new();
        for (place, spread) in spreads.made() {
            if spread.cells() == 2 && spread.known() == 1.0 {
                for class in 0..classes {
                    tables[class * stride + place] = [spread.shares(class)[1] as f32, spread.entropy(class) as f32];
                }
            } else {
                wide.push(place as u32);
            }
        }
        Shortlist { attributes: (0..count as u32).collect(), tables, stride, wide, rest: f64::NEG_INFINITY }
    }

    /// Only the attributes at some places, ascending, where rows times gain of no other exceeds `rest`.
    pub fn narrowed(&self, places: &[u32], rest: f64) -> Self {
        let stride = places.len().next_multiple_of(BLOCK);
        let mut tables = Vec::with_capacity(self.tables.len() / self.stride * stride);
        for of_class in self.tables.chunks_exact(self.stride) {
            tables.extend(places.iter().map(|&place| of_class[place as usize]));
            tables.resize(tables.len().next_multiple_of(BLOCK), [0.0; 2]);
        }
        let is_wide = |place: &u32| self.wide.binary_search(&places[*place as usize]).is_ok();
        Shortlist {
            attributes: places.iter().map(|&place| self.attributes[place as usize]).collect(),
            tables,
            stride,
            wide: (0..places.len() as u32).filter(is_wide).collect(),
            rest,
        }
    }

    pub fn attributes(&self) -> &[u32] {
        &self.attributes
    }

    /// Whether no attribute off the list may gain as much at a node as one whose rows times gain are these.
    pub fn is_ahead(&self, rows_times_gain: f64) -> bool {
        rows_times_gain > self.rest
    }

    /// The gains of all on the list.
    pub fn gains(&self, tables: &Tables, present: &[Share<1>], gains: &mut Vec<f32>) {
        gains.clear();
        gains.resize(self.stride, 0.0);
        let (blocks, _) = gains.as_chunks_mut::<BLOCK>();
        widest(
            #[inline(always)]
            move || {
                for (block, gains) in blocks.iter_mut().enumerate() {
                    let mut sums = [[0.0; 2]; BLOCK];
                    for &(class, [share]) in present {
                        let of_class = &self.tables[class * self.stride + block * BLOCK..][..BLOCK];
                        let both = sums.as_flattened_mut().iter_mut().zip(of_class.as_flattened());
                        both.for_each(|(sum, number)| *sum += share as f32 * number);
                    }
                    settle(gains, &sums);
                }
            },
        );
        gains.truncate(self.attributes.len());
        for &place in &self.wide {
            gains[place as usize] = self.exact(tables, place as usize, present);
        }
    }

    /// The gains of those at some places.
    pub fn gains_at(&self, tables: &Tables, present: &[Share<1>], places: &[u32], gains: &mut Vec<f32>) {
        gains.clear();
        gains.resize(places.len(), 0.0);
        for (gains, places) in gains.chunks_mut(GATHERED).zip(places.chunks(GATHERED)) {
            let mut sums = [[0.0; 2]; GATHERED];
            for &(class, [share]) in present {
                let of_class = &self.tables[class * self.stride..][..self.stride];
                for ([second, own], &place) in sums.iter_mut().zip(places) {
                    let table = of_class[place as usize];
                    *second += share as f32 * table[0];
                    *own += share as f32 * table[1];
                }
            }
            widest(
                #[inline(always)]
                move || settle(gains, &sums),
            );
        }
        if !self.wide.is_empty() {
            let is_wide = |place: &u32| self.wide.binary_search(place).is_ok();
            for (gain, &place) in gains.iter_mut().zip(places).filter(|(_, place)| is_wide(place)) {
                *gain = self.exact(tables, place as usize, present);
            }
        }
    }

    fn exact(&self, tables: &Tables, place: usize, present: &[Share<1>]) -> f32 {
        let spread = tables.spreads.get(self.attributes[place] as usize);
        spread.map_or(0.0, |spread| worth(tables, spread, present, None).gain as f32)
    }
}

/// Gains from the share of the second cell and the classes' own entropies.
#[inline(always)]
fn settle(gains: &mut [f32], sums: &[[f32; 2]]) {
    for (gain, &[second, own]) in gains.iter_mut().zip(sums) {
        *gain = (binary_entropy(second) - own).max(0.0);
    }
}
