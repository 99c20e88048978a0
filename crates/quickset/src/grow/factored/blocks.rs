//! All attributes in blocks, with tables made for scanning and bounds on what they gain, so that few are looked at.
//!
//! A gain is at most Σ share_c · KL(θ_c ‖ r), with the shares of the node's classes and any mixture r. With that of the root
//! a block of attributes has a bound at a node from the largest divergences in it, one sum for all of them. With another r,
//! the same at every node, the largest divergence of all classes bounds the gain anywhere: with the best one that is the
//! capacity of the channel from class to value, and ours is not much above. Attributes are in this order, so that those
//! that cannot gain enough in some rows, however these are mixed, are the last.

use super::spread::{Share, Spread};
use super::spreads::Spreads;
use crate::data::radix_sort;
use crate::measure::rough::{binary_entropy, log2, slack};
use crate::measure::widest;

/// The attributes, by places: from those that may gain the most down.
#[derive(Debug)]
pub(crate) struct Blocks {
    /// By place.
    attributes: Vec<u32>,
    /// By place: what the attribute gains at no node more than.
    capacities: Vec<f32>,
    /// By attribute.
    places: Vec<u32>,
    classes: usize,
    /// By block, then class.
    tables: Vec<Block>,
    /// By class, then block: what none of its attributes diverges from the root more than.
    divergences: Vec<f32>,
    slack: f32,
}

/// Of some attributes next to each other, in one class: the share of the second cell, and the entropy of both. One that
/// has other cells has no second one here, and minus its divergence for an entropy: so its gain comes out as its bound.
/// Zeros fill the last block.
type Block = [[f32; 2]; BLOCK];

/// More than what single precision loses in a gain between few classes.
const SLACK: f32 = 1e-5;

/// Attributes next to each other that are handled together, so few that their sums stay in registers; and others, of
/// which the sums stay at hand.
pub(super) const BLOCK: usize = 32;
const GATHERED: usize = 256;

impl Blocks {
    /// All attributes. Those without a table gain nothing.
    pub fn new(spreads: &Spreads, classes: usize, root: &[Share<1>]) -> Self {
        let shares = SecondShares::of(spreads, classes);
        let mut overall = Overall::of(&shares, root);
        // What has other cells may gain more where it was cut.
        let wide: Vec<_> = spreads.made().filter(|(_, spread)| !has_two_cells(spread)).collect();
        wide.iter().for_each(|&(attribute, _)| overall.capacities[attribute] = f32::INFINITY);
        let attributes = overall.order(spreads.len());
        let mut places = vec![0; attributes.len()];
        attributes.iter().zip(0..).for_each(|(&attribute, place)| places[attribute as usize] = place);
        let mut tables = tables(&attributes, &shares, classes);
        for (attribute, spread) in wide {
            let place = places[attribute] as usize;
            let mixture = spread.mixture(root);
            for (class, table) in tables[place / BLOCK * classes..][..classes].iter_mut().enumerate() {
                table[place % BLOCK] = [0.0, -spread.divergence(class, &mixture) as f32];
            }
        }
        let slack = SLACK.max(slack(classes));
        let divergences = largest_divergences(&attributes, &overall.mixed, &tables, classes, slack);
        let capacities = attributes.iter().map(|&attribute| overall.capacities[attribute as usize]).collect();
        Blocks { attributes, capacities, places, classes, tables, divergences, slack }
    }

    /// More than what single precision loses in a gain.
    pub fn slack(&self) -> f32 {
        self.slack
    }

    /// How many attributes there are.
    pub fn len(&self) -> usize {
        self.attributes.len()
    }

    pub fn attribute(&self, place: u32) -> usize {
        self.attributes[place as usize] as usize
    }

    pub fn place(&self, attribute: usize) -> u32 {
        self.places[attribute]
    }

    /// How many may gain so much or more, wherever that is.
    pub fn reaching(&self, gain: f64) -> usize {
        self.capacities.partition_point(|&capacity| f64::from(capacity) >= gain)
    }

    /// By block of the first attributes: what none of them gains more than.
    pub fn bounds(&self, first: usize, present: &[Share<1>], bounds: &mut Vec<f32>) {
        let blocks = self.len().div_ceil(BLOCK);
        bounds.clear();
        bounds.resize(first.div_ceil(BLOCK), 0.0);
        let bounds = &mut bounds[..];
        widest(
            #[inline(always)]
            move || {
                for &(class, [share]) in present {
                    let of_class = &self.divergences[class * blocks..][..bounds.len()];
                    bounds.iter_mut().zip(of_class).for_each(|(sum, most)| *sum += share as f32 * most);
                }
            },
        );
    }

    /// The gains of the attributes of a block.
    pub fn gains(&self, block: usize, present: &[Share<1>]) -> [f32; BLOCK] {
        let tables = &self.tables[block * self.classes..][..self.classes];
        widest(
            #[inline(always)]
            move || {
                let mut sums = [[0.0; 2]; BLOCK];
                for &(class, [share]) in present {
                    let both = sums.as_flattened_mut().iter_mut().zip(tables[class].as_flattened());
                    both.for_each(|(sum, number)| *sum += share as f32 * number);
                }
                let mut gains = [0.0; BLOCK];
                settle(&mut gains, &sums);
                gains
            },
        )
    }

    /// The gains of those at some places.
    pub fn gains_at(&self, present: &[Share<1>], places: &[u32], gains: &mut Vec<f32>) {
        let present: Vec<(usize, f32)> = present.iter().map(|&(class, [share])| (class, share as f32)).collect();
        gains.clear();
        gains.resize(places.len(), 0.0);
        for (gains, places) in gains.chunks_mut(GATHERED).zip(places.chunks(GATHERED)) {
            let mut sums = [[0.0; 2]; GATHERED];
            for (sums, &place) in sums.iter_mut().zip(places) {
                let tables = &self.tables[place as usize / BLOCK * self.classes..][..self.classes];
                let (mut second, mut own) = (0.0, 0.0);
                for &(class, share) in &present {
                    let table = tables[class][place as usize % BLOCK];
                    second += share * table[0];
                    own += share * table[1];
                }
                *sums = [second, own];
            }
            widest(
                #[inline(always)]
                move || settle(gains, &sums),
            );
        }
    }
}

/// The share of the second cell of attributes that have two, by class, then attribute; of others none.
struct SecondShares {
    shares: Vec<f32>,
    /// The attributes of a class, rounded up to whole blocks.
    stride: usize,
}

impl SecondShares {
    fn of(spreads: &Spreads, classes: usize) -> Self {
        let stride = spreads.len().next_multiple_of(BLOCK);
        let mut shares = vec![0.0; classes * stride];
        if let Some(presences) = spreads.presences() {
            let by_class = shares.chunks_exact_mut(stride).enumerate();
            by_class.for_each(|(class, of_class)| presences.shares(class, of_class));
        }
        for (attribute, spread) in spreads.made().filter(|(_, spread)| has_two_cells(spread)) {
            let of_attribute = shares[attribute..].iter_mut().step_by(stride);
            of_attribute.enumerate().for_each(|(class, share)| *share = spread.shares(class)[1] as f32);
        }
        SecondShares { shares, stride }
    }

    fn of_class(&self, class: usize) -> &[f32] {
        &self.shares[class * self.stride..][..self.stride]
    }
}

/// Whether a table says in two numbers all there is to know.
fn has_two_cells(spread: &Spread) -> bool {
    spread.cells() == 2 && spread.known() == 1.0
}

/// What is known of attributes over all classes, by attribute.
struct Overall {
    capacities: Vec<f32>,
    /// The second share at the root.
    mixed: Vec<f32>,
}

/// Where the best mixture lies between the least and the largest share: at 1/e where all are small, in the middle where they
/// are symmetric.
const BETWEEN: f32 = 0.4;

impl Overall {
    fn of(shares: &SecondShares, root: &[Share<1>]) -> Self {
        let (mut capacities, mut mixed) = (vec![0.0; shares.stride], vec![0.0; shares.stride]);
        let by_block = capacities.as_chunks_mut::<BLOCK>().0.iter_mut().zip(mixed.as_chunks_mut::<BLOCK>().0);
        widest(
            #[inline(always)]
            move || {
                for (block, (capacities, mixed)) in by_block.enumerate() {
                    let (mut low, mut high, mut sums) = ([1.0f32; BLOCK], [0.0f32; BLOCK], [0.0; BLOCK]);
                    for &(class, [share]) in root {
                        let of_class = &shares.of_class(class)[block * BLOCK..][..BLOCK];
                        for (at, &own) in of_class.iter().enumerate() {
                            sums[at] += share as f32 * own;
                            low[at] = low[at].min(own);
                            high[at] = high[at].max(own);
                        }
                    }
                    for at in 0..BLOCK {
                        let logs = both_logs(low[at] + BETWEEN * (high[at] - low[at]));
                        let of = |share| divergence([share, binary_entropy(share)], logs);
                        capacities[at] = of(low[at]).max(of(high[at])) + SLACK;
                    }
                    *mixed = sums;
                }
            },
        );
        Overall { capacities, mixed }
    }

    /// The attributes from the largest capacity down.
    fn order(&self, count: usize) -> Vec<u32> {
        // Of numbers that are not below zero bits are in the order of the numbers.
        let key = |attribute: usize| u64::from(!self.capacities[attribute].to_bits()) << u32::BITS;
        let mut order: Vec<u64> = (0..count).map(|attribute| key(attribute) | attribute as u64).collect();
        radix_sort(&mut order, &mut Vec::new());
        order.into_iter().map(|keyed| keyed as u32).collect()
    }
}

/// The tables of attributes in some order, by block, then class.
fn tables(attributes: &[u32], shares: &SecondShares, classes: usize) -> Vec<Block> {
    let mut tables = vec![[[0.0; 2]; BLOCK]; attributes.len().div_ceil(BLOCK) * classes];
    for (attributes, tables) in attributes.chunks(BLOCK).zip(tables.chunks_exact_mut(classes)) {
        for (class, table) in tables.iter_mut().enumerate() {
            let of_class = shares.of_class(class);
            let both = table.iter_mut().zip(attributes);
            both.for_each(|(own, &attribute)| own[0] = of_class[attribute as usize]);
        }
        widest(
            #[inline(always)]
            move || tables.as_flattened_mut().iter_mut().for_each(|own| own[1] = binary_entropy(own[0])),
        );
    }
    tables
}

/// By class, then block of these tables: the largest divergence from the root's mixture, rounded up.
fn largest_divergences(attributes: &[u32], mixed: &[f32], tables: &[Block], classes: usize, slack: f32) -> Vec<f32> {
    let blocks = attributes.len().div_ceil(BLOCK);
    let mut largest = vec![0.0; classes * blocks];
    for (block, (attributes, tables)) in attributes.chunks(BLOCK).zip(tables.chunks_exact(classes)).enumerate() {
        let mut of_block = [0.0; BLOCK];
        of_block.iter_mut().zip(attributes).for_each(|(own, &attribute)| *own = mixed[attribute as usize]);
        let largest = largest[block..].iter_mut().step_by(blocks);
        widest(
            #[inline(always)]
            move || {
                let mut logs = [[0.0; 2]; BLOCK];
                logs.iter_mut().zip(of_block).for_each(|(logs, own)| *logs = both_logs(own));
                for (largest, table) in largest.zip(tables) {
                    let divergences = table.iter().zip(&logs).map(|(&own, &logs)| divergence(own, logs));
                    *largest = divergences.fold(0.0, f32::max) * (1.0 + slack) + slack;
                }
            },
        );
    }
    largest
}

/// The logarithms of both shares.
#[inline(always)]
fn both_logs(second: f32) -> [f32; 2] {
    [log2((1.0 - second).max(0.0)), log2(second)]
}

/// KL(θ ‖ r) of a table from a mixture with these logarithms.
#[inline(always)]
fn divergence([second, entropy]: [f32; 2], [of_first, of_second]: [f32; 2]) -> f32 {
    (second * (of_first - of_second) - of_first - entropy).max(0.0)
}

/// Gains from the share of the second cell and the classes' own entropies.
#[inline(always)]
fn settle(gains: &mut [f32], sums: &[[f32; 2]]) {
    for (gain, &[second, own]) in gains.iter_mut().zip(sums) {
        *gain = (binary_entropy(second) - own).max(0.0);
    }
}

#[cfg(test)]
mod tests {
    use super::super::score::present;
    use super::super::spread::Kind;
    use super::*;
    use crate::measure::x_log_x;
    use proptest::prelude::*;

    const CLASSES: usize = 3;

    /// Attributes of two to four levels, of which each class has so many rows; few of the first where they are rare.
    fn some_spreads() -> impl Strategy<Value = Spreads> {
        let cells = prop::collection::vec(prop_oneof![Just(0u32), 0..3u32, 0..2000u32], 2 * CLASSES..=4 * CLASSES);
        let spread = (cells, prop_oneof![Just(1.0), 0.1..1.0f64]).prop_map(|(weights, known)| {
            let cells = weights.len() / CLASSES;
            let weights: Vec<f64> = weights[..cells * CLASSES].iter().map(|&weight| f64::from(weight)).collect();
            let all_known = (0..CLASSES).all(|class| weights.iter().skip(class).step_by(CLASSES).sum::<f64>() > 0.0);
            let spread = Spread::new(Kind::Levels, cells, CLASSES, &weights, false, x_log_x);
            spread.filter(|_| all_known).map(|spread| spread.known_by(known))
        });
        prop::collection::vec(spread, 1..3 * BLOCK).prop_map(Spreads::of)
    }

    fn node() -> impl Strategy<Value = Vec<Share<1>>> {
        let weights = prop::collection::vec(prop_oneof![Just(0.0), 0.0..1.0f64, 1.0..500.0f64], CLASSES);
        weights.prop_filter_map("a node without rows", |weights| {
            (weights.iter().sum::<f64>() > 0.0).then(|| present(&weights))
        })
    }

    proptest! {
        #[test]
        fn bounds_are_above_gains_and_gains_are_those_of_the_tables(
            spreads in some_spreads(),
            root in prop::collection::vec(1.0..1000.0f64, CLASSES),
            node in node(),
        ) {
            let blocks = Blocks::new(&spreads, CLASSES, &present(&root));
            let mut bounds = Vec::new();
            blocks.bounds(blocks.len(), &node, &mut bounds);
            let places: Vec<u32> = (0..blocks.len() as u32).rev().collect();
            let mut gathered = Vec::new();
            blocks.gains_at(&node, &places, &mut gathered);
            for attribute in 0..spreads.len() {
                let place = blocks.place(attribute);
                prop_assert_eq!(blocks.attribute(place), attribute);
                let (block, within) = (place as usize / BLOCK, place as usize % BLOCK);
                let gain = blocks.gains(block, &node)[within];
                prop_assert_eq!(gathered[blocks.len() - 1 - place as usize], gain);
                let spread = spreads.get(attribute);
                let exact = spread.map_or(0.0, |spread| spread.of_known(spread.levels(&node)[0]).gain) as f32;
                prop_assert!(gain >= exact - blocks.slack());
                prop_assert!(spread.is_none_or(|spread| !has_two_cells(spread)) || gain <= exact + blocks.slack());
                prop_assert!(bounds[block] >= gain, "{} in a block of {}", gain, bounds[block]);
                prop_assert!((place as usize) < blocks.reaching(f64::from(exact)), "{} of {}", exact, attribute);
            }
        }

        #[test]
        fn the_capacity_of_rare_words_is_not_far_above_what_is_gained(share in 1e-3..0.05f32) {
            let shares = SecondShares { shares: [0.0, share].map(|share| [share; BLOCK]).concat(), stride: BLOCK };
            let overall = Overall::of(&shares, &[(0, [0.5]), (1, [0.5])]);
            let gain = |first: usize| {
                let (p, mut gain) = (first as f32 / 1000.0, [0.0]);
                settle(&mut gain, &[[p * share, p * binary_entropy(share)]]);
                gain[0]
            };
            let most = (0..=1000).map(gain).fold(0.0, f32::max);
            prop_assert!(overall.capacities[0] >= most && overall.capacities[0] < 1.1 * most + 2.0 * SLACK);
        }
    }
}
