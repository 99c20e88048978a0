//! How one attribute's values spread over the classes.

use super::binning::Binning;
use crate::measure::{binary_entropy, largest, log2, rough, widest};

/// P(value | class) of one attribute, as cells: levels, or the bins of a numeric attribute that hold any row.
#[derive(Debug)]
pub(crate) struct Spread {
    kind: Kind,
    cells: usize,
    classes: usize,
    /// The share of the training rows whose value is known.
    known: f64,
    /// By class, then cell: the class's share at this cell. Then by class the entropy of its shares. Then, for cuts, by
    /// class and cell the share at this cell and those before it, and by class and cut the entropy of its two sides.
    /// One piece of memory, since there may be as many attributes as words.
    numbers: Vec<f64>,
    /// For cuts, in single precision: by class and cut the share below, then the entropies of the two sides.
    rough: Vec<f32>,
}

/// What the cells are.
#[derive(Debug)]
pub(super) enum Kind {
    Levels,
    /// Of a sparse column without negative numbers: zero, and the rest.
    Presence(Rest),
    /// The bins that hold any row.
    Bins(Binning, Vec<Bin>),
}

/// The numbers above zero of a sparse column.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rest {
    pub smallest: f64,
    /// Whether all are whole.
    pub whole: bool,
}

/// What a bin holds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bin {
    place: u32,
    lowest: f64,
    /// Whether its upper edge is among its numbers.
    to_edge: bool,
}

impl Bin {
    /// So many, without any number.
    pub fn all(count: usize) -> Vec<Self> {
        (0..count as u32).map(|place| Bin { place, lowest: f64::INFINITY, to_edge: false }).collect()
    }

    /// Takes a number.
    #[inline(always)]
    pub fn hold(&mut self, number: f64, binning: &Binning) {
        self.lower(number);
        if number == binning.edge(self.place as usize) {
            self.to_edge = true;
        }
    }

    /// Takes a number that is not the edge.
    #[inline(always)]
    pub fn lower(&mut self, number: f64) {
        if number < self.lowest {
            self.lowest = number;
        }
    }
}

/// The bins of an attribute that a path leaves open: from the first to the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Range {
    pub first: u32,
    pub last: u32,
}

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
    /// From weights by cell and class, cell after cell. Empty cells of numeric attributes are left out by the caller.
    /// `term` is x·log₂x.
    pub(super) fn new(
        kind: Kind,
        cells: usize,
        classes: usize,
        weights: &[f64],
        cuts: bool,
        term: impl Fn(f64) -> f64,
    ) -> Option<Self> {
        if cells < 2 {
            return None;
        }
        let cuts = cuts && !matches!(kind, Kind::Levels);
        let size = classes * (cells + 1) + if cuts { classes * (2 * cells - 1) } else { 0 };
        let mut spread = Spread { kind, cells, classes, known: 1.0, numbers: vec![0.0; size], rough: Vec::new() };
        let numbers = &mut spread.numbers;
        for class in 0..classes {
            let total: f64 = (0..cells).map(|cell| weights[cell * classes + class]).sum();
            if total <= 0.0 {
                continue;
            }
            let (mut sum, mut terms) = (0.0, 0.0);
            for cell in 0..cells {
                let weight = weights[cell * classes + class];
                sum += weight;
                terms += term(weight);
                numbers[class * cells + cell] = weight / total;
                if cuts {
                    numbers[classes * (cells + 1) + class * cells + cell] = sum / total;
                    if cell + 1 < cells {
                        let sides = term(sum) + term((total - sum).max(0.0));
                        numbers[classes * (2 * cells + 1) + class * (cells - 1) + cell] = (term(total) - sides) / total;
                    }
                }
            }
            numbers[classes * cells + class] = (term(total) - terms) / total;
        }
        if cuts {
            let below = (0..classes).flat_map(|class| &spread.below(class)[..cells - 1]);
            let both = below.chain((0..classes).flat_map(|class| spread.cut_entropies(class)));
            spread.rough = both.map(|&number| number as f32).collect();
        }
        Some(spread)
    }

    /// From the shares of two cells by class, then the entropies by class.
    pub(super) fn of_two_cells(kind: Kind, numbers: Vec<f64>) -> Self {
        Spread { kind, cells: 2, classes: numbers.len() / 3, known: 1.0, numbers, rough: Vec::new() }
    }

    /// The same where this share of the training rows has a known value.
    pub(super) fn known_by(self, share: f64) -> Self {
        Spread { known: share, ..self }
    }

    /// The share of the training rows whose value is known.
    pub fn known(&self) -> f64 {
        self.known
    }

    pub fn cells(&self) -> usize {
        self.cells
    }

    pub fn shares(&self, class: usize) -> &[f64] {
        &self.numbers[class * self.cells..][..self.cells]
    }

    pub fn entropy(&self, class: usize) -> f64 {
        self.numbers[self.classes * self.cells + class]
    }

    /// The shares at each cell and those before it.
    fn below(&self, class: usize) -> &[f64] {
        &self.numbers[self.classes * (self.cells + 1) + class * self.cells..][..self.cells]
    }

    fn cut_entropies(&self, class: usize) -> &[f64] {
        &self.numbers[self.classes * (2 * self.cells + 1) + class * (self.cells - 1)..][..self.cells - 1]
    }

    fn rough_below(&self, class: usize) -> &[f32] {
        &self.rough[class * (self.cells - 1)..][..self.cells - 1]
    }

    fn rough_entropies(&self, class: usize) -> &[f32] {
        &self.rough[(self.classes + class) * (self.cells - 1)..][..self.cells - 1]
    }

    /// Whether every one of some classes has a known value.
    pub fn knows(&self, classes: &[(usize, f64)]) -> bool {
        classes.iter().all(|&(class, _)| self.shares(class).iter().any(|&share| share > 0.0))
    }

    /// The numbers above zero, where only zero is told from them.
    pub fn rest(&self) -> Option<Rest> {
        if let Kind::Presence(rest) = self.kind { Some(rest) } else { None }
    }

    /// Whether the values are numbers.
    pub fn is_numeric(&self) -> bool {
        !matches!(self.kind, Kind::Levels)
    }

    /// The bin of a number.
    fn bin(&self, number: f64) -> u32 {
        match &self.kind {
            Kind::Levels => 0,
            Kind::Presence(_) => u32::from(number > 0.0),
            Kind::Bins(binning, _) => binning.bin(number) as u32,
        }
    }

    /// The bin of the largest number that was counted and is not above a cut, and whether that is the bin's upper edge.
    /// The cut itself may be moved to that number later.
    fn cut_bin(&self, cut: f64) -> (u32, bool) {
        match &self.kind {
            Kind::Levels => (0, false),
            Kind::Presence(rest) => (u32::from(cut >= rest.smallest), cut < rest.smallest),
            Kind::Bins(binning, cells) => match cells[..cells.partition_point(|bin| bin.lowest <= cut)].last() {
                Some(bin) => (bin.place, bin.to_edge && binning.edge(bin.place as usize) <= cut),
                None => (0, false),
            },
        }
    }

    /// The cells of a range of bins: from the first up to, not including, the last.
    fn cells_of(&self, range: Range) -> std::ops::Range<usize> {
        let cells = match &self.kind {
            Kind::Levels => 0..self.cells,
            Kind::Presence(_) => range.first as usize..range.last as usize + 1,
            Kind::Bins(_, cells) => {
                let before = |bins: u32| cells.partition_point(|bin| bin.place < bins);
                before(range.first)..before(range.last + 1)
            }
        };
        cells.start.min(cells.end)..cells.end
    }

    /// All bins.
    pub fn whole(&self) -> Range {
        let last = match &self.kind {
            Kind::Levels => 0,
            Kind::Presence(_) => 1,
            Kind::Bins(binning, _) => binning.len() as u32 - 1,
        };
        Range { first: 0, last }
    }

    /// Whether a range leaves one cell, or none: then nothing is known that could tell classes apart.
    pub fn is_single(&self, range: Range) -> bool {
        self.cells_of(range).len() < 2
    }

    /// The bins on one side of a cut. A bin that the cut goes through is on both.
    pub fn narrowed(&self, range: Range, cut: f64, branch: usize) -> Range {
        let (bin, is_edge) = self.cut_bin(cut);
        if branch == 0 {
            Range { first: range.first, last: range.last.min(bin) }
        } else {
            Range { first: range.first.max(bin + u32::from(is_edge)), last: range.last }
        }
    }

    /// The bins from that of one number to that of another.
    pub fn range_of(&self, low: f64, high: f64) -> Range {
        Range { first: self.bin(low), last: self.bin(high) }
    }

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

    /// The shares of the present classes among the cells of a range, each class's summing to one.
    pub(super) fn conditioned(&self, present: &[(usize, f64)], range: Range) -> Vec<(f64, Vec<f64>)> {
        let cells = self.cells_of(range);
        let of = |&(class, share): &(usize, f64)| {
            let inside = &self.shares(class)[cells.clone()];
            let sum: f64 = inside.iter().sum();
            (sum > 0.0).then(|| (share, inside.iter().map(|share| share / sum).collect()))
        };
        present.iter().filter_map(of).collect()
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

#[cfg(test)]
mod tests {
    use super::super::counting::Counting;
    use super::super::score::present;
    use super::*;
    use crate::data::{Column, Dataset};
    use crate::measure::x_log_x;
    use crate::recipe::{BinsBy, Counts, Factored, RangeBy, Recipe};
    use crate::split::criterion::EntropyTable;
    use proptest::prelude::*;

    const PLAIN: Factored =
        Factored { bins: BinsBy::Width, count: None, range: RangeBy::Path, counts: Counts::Presence, recount: None };

    /// The concept (A1 and A2) or A3 or A4 over all 16 rows, class 0 false and 1 true: ALGORITHMS.md section 3.5.
    pub(crate) fn concept() -> Dataset {
        let bit = |row: usize, place: usize| row >> (3 - place) & 1 == 1;
        let texts = |value: &dyn Fn(usize) -> bool| -> Vec<Option<&str>> {
            (0..16).map(|row| Some(if value(row) { "1" } else { "0" })).collect()
        };
        let mut columns: Vec<Column> =
            (0..4).map(|place| Column::from_texts(format!("A{}", place + 1), texts(&|row| bit(row, place)))).collect();
        let positive = |row: usize| bit(row, 0) && bit(row, 1) || bit(row, 2) || bit(row, 3);
        columns.push(Column::from_texts("class", texts(&positive)));
        Dataset::new(columns).unwrap().with_last_as_target().unwrap()
    }

    fn spreads() -> Vec<Spread> {
        let data = concept();
        let rows: Vec<u32> = (0..16).collect();
        let entropies = EntropyTable::new(rows.len());
        let counting = Counting::new(None, data.class().unwrap(), &rows, &[], PLAIN, true, &entropies);
        data.attributes().iter().map(|column| counting.spread(column).unwrap()).collect()
    }

    fn gains(weights: [f64; 2]) -> Vec<f64> {
        let present = present(&weights);
        spreads().iter().map(|spread| spread.levels(&present).gain).collect()
    }

    /// How far each class is from a reference, in bits.
    fn divergences(spread: &Spread, reference: &[f64]) -> Vec<f64> {
        let of = |class: usize| {
            let terms = spread.shares(class).iter().zip(reference).filter(|(share, _)| **share > 0.0);
            terms.map(|(share, reference)| share * (share / reference).log2()).sum()
        };
        (0..spread.classes).map(of).collect()
    }

    fn mixture(spread: &Spread, present: &[(usize, f64)]) -> Vec<f64> {
        let share = |cell: usize| present.iter().map(|&(class, share)| share * spread.shares(class)[cell]).sum();
        (0..spread.cells).map(share).collect()
    }

    #[test]
    fn the_concepts_bounds_are_those_of_the_document() {
        let root = present(&[3.0, 13.0]);
        let node = present(&[3.0, 5.0]);
        let expected = [(0, [0.081704, 0.004273], 0.033309405), (3, [1.0, 0.038763], 0.399227122)];
        for (attribute, divergence, bound) in expected {
            let spread = &spreads()[attribute];
            let found = divergences(spread, &mixture(spread, &root));
            found.iter().zip(divergence).for_each(|(found, expected)| assert!((found - expected).abs() < 1e-6));
            let above: f64 = node.iter().map(|&(class, share)| share * found[class]).sum();
            close(&[above], &[bound]);
            assert!(spread.levels(&node).gain <= bound);
            // What shortlists rest on: the same bound with the root's rows, of which the node has half.
            let at_root = spread.levels(&root).gain;
            assert!(16.0 * at_root >= 8.0 * bound - 1e-9);
        }
    }

    proptest! {
        #[test]
        fn rows_times_gain_never_rises_on_the_way_down(
            weights in prop::collection::vec(0u8..20, 12),
            node in prop::collection::vec((0u8..40, 0.0..=1.0f64), 3),
        ) {
            let weights: Vec<f64> = weights.into_iter().map(f64::from).collect();
            let spread = Spread::new(Kind::Levels, 4, 3, &weights, false, x_log_x).unwrap();
            let rows_times_gain = |weights: Vec<f64>| {
                let known = present(&weights);
                let rows: f64 = weights.iter().sum();
                if rows > 0.0 && spread.knows(&known) { Some(rows * spread.levels(&known).gain) } else { None }
            };
            let above = rows_times_gain(node.iter().map(|&(rows, _)| f64::from(rows)).collect());
            let below = rows_times_gain(node.iter().map(|&(rows, part)| f64::from(rows) * part).collect());
            if let (Some(above), Some(below)) = (above, below) {
                prop_assert!(below <= above + 1e-9, "{below} below {above}");
            }
        }
    }

    fn close(found: &[f64], expected: &[f64]) {
        assert_eq!(found.len(), expected.len());
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-9, "{found} is not {expected}");
        }
    }

    #[test]
    fn the_papers_boolean_concept() {
        close(&gains([3.0, 13.0]), &[0.018790976, 0.018790976, 0.218995259, 0.218995259]);
        let at_a3 = gains([3.0, 5.0]);
        close(&[at_a3[0], at_a3[1], at_a3[3]], &[0.029036857, 0.029036857, 0.360463727]);
        let at_a4 = gains([3.0, 1.0]);
        close(&at_a4[..2], &[0.023582866, 0.023582866]);
        close(&gains([1.0, 1.0])[1..2], &[0.031099193]);
    }

    /// The best cut of a range, from its cells alone.
    fn slow_cut(spread: &Spread, present: &[(usize, f64)], range: Range) -> Worth {
        let classes = spread.conditioned(present, range);
        let cells = classes.first().map_or(0, |(_, shares)| shares.len());
        let total: f64 = classes.iter().map(|(share, _)| share).sum();
        let entropy = |share: f64| -x_log_x(share) - x_log_x(1.0 - share);
        let mut best = Worth::default();
        for cut in 1..cells {
            let below: Vec<f64> = classes.iter().map(|(_, shares)| shares[..cut].iter().sum()).collect();
            let mean = |of: &dyn Fn(f64) -> f64| {
                classes.iter().zip(&below).map(|((share, _), &below)| share / total * of(below)).sum::<f64>()
            };
            let information = entropy(mean(&|below| below));
            let gain = information - mean(&entropy);
            if gain > best.gain {
                best = Worth { gain, information };
            }
        }
        best
    }

    proptest! {
        #[test]
        fn the_best_cut_is_that_of_the_slow_way(
            weights in prop::collection::vec(0u8..9, 3 * 40),
            node in prop::collection::vec(0u8..30, 3),
            ends in (0u32..40, 0u32..40),
        ) {
            let weights: Vec<f64> = weights.into_iter().map(|weight| f64::from(weight) + 1.0).collect();
            let cells = Kind::Bins(Binning::at((1..40).map(f64::from).collect()), Bin::all(40));
            let spread = Spread::new(cells, 40, 3, &weights, true, x_log_x).unwrap();
            let node: Vec<f64> = node.into_iter().map(f64::from).collect();
            let present = present(&node);
            let range = Range { first: ends.0.min(ends.1), last: ends.0.max(ends.1) };
            let pairs = [
                (spread.cuts(&present), slow_cut(&spread, &present, spread.whole())),
                (spread.cuts_within(&present, range), slow_cut(&spread, &present, range)),
            ];
            for (fast, slow) in pairs {
                // Cuts of nearly the same gain may be told apart differently by the last digits.
                prop_assert!((fast.gain - slow.gain).abs() < 1e-9, "{fast:?} {slow:?}");
            }
        }
    }

    #[test]
    fn what_few_rows_know_counts_by_their_share() {
        let texts = |known: usize| (0..8).map(move |row| (row < known).then_some(if row % 2 == 0 { "a" } else { "b" }));
        let columns = [Column::from_texts("all", texts(8)), Column::from_texts("half", texts(4))];
        let class = Column::from_texts("class", texts(8));
        let data = Dataset::new(columns.into_iter().chain([class]).collect()).unwrap().with_last_as_target().unwrap();
        let rows: Vec<u32> = (0..8).collect();
        let entropies = EntropyTable::new(rows.len());
        let counting = Counting::new(None, data.class().unwrap(), &rows, &[], PLAIN, true, &entropies);
        let known: Vec<f64> = data.attributes().iter().map(|column| counting.spread(column).unwrap().known()).collect();
        assert_eq!(known, [1.0, 0.5]);
    }

    #[test]
    fn three_classes_of_three_values() {
        let weights = [0.7, 0.2, 0.1, 0.2, 0.5, 0.3, 0.1, 0.3, 0.6];
        // The document has a row by class; the tables are by cell.
        let by_cell: Vec<f64> = (0..9).map(|i| weights[i % 3 * 3 + i / 3]).collect();
        let spread = Spread::new(Kind::Levels, 3, 3, &by_cell, false, x_log_x).unwrap();
        let present = [(0, 0.5), (1, 0.3), (2, 0.2)];
        close(&mixture(&spread, &present), &[0.43, 0.31, 0.26]);
        close(&[spread.levels(&present).gain], &[0.269522380]);
        let apart = divergences(&spread, &[1.0 / 3.0; 3]);
        close(&apart, &[0.428182851, 0.099487203, 0.289500656]);
        close(&[present.iter().map(|&(class, share)| share * apart[class]).sum()], &[0.301837718]);
    }

    #[test]
    fn a_cut_leaves_its_bin_on_both_sides_unless_it_is_the_edge() {
        let values: Vec<f64> = (0..=100).map(f64::from).collect();
        let data = Dataset::new(vec![
            Column::numeric("x", values),
            Column::from_texts("class", (0..=100).map(|row| Some(if row < 50 { "a" } else { "b" }))),
        ]);
        let data = data.unwrap().with_last_as_target().unwrap();
        let rows: Vec<u32> = (0..=100).collect();
        let entropies = EntropyTable::new(rows.len());
        let counting = Counting::new(None, data.class().unwrap(), &rows, &[], PLAIN, true, &entropies);
        let spread = counting.spread(&data.attributes()[0]).unwrap();
        // Ten bins of width 10.
        let whole = spread.whole();
        assert_eq!((whole.first, whole.last), (0, 9));
        assert_eq!(spread.narrowed(whole, 12.0, 0), Range { first: 0, last: 1 });
        assert_eq!(spread.narrowed(whole, 12.0, 1), Range { first: 1, last: 9 });
        // The cut may be moved down to the value 10, which is an edge.
        for cut in [10.0, 10.5] {
            assert_eq!(spread.narrowed(whole, cut, 0), Range { first: 0, last: 0 });
            assert_eq!(spread.narrowed(whole, cut, 1), Range { first: 1, last: 9 });
        }
        assert_eq!(spread.narrowed(whole, 9.5, 1), whole);
        // Within all bins the conditioned worths are the plain ones.
        let present = present(&[30.0, 10.0]);
        close(&[spread.cuts_within(&present, whole).gain], &[spread.cuts(&present).gain]);
        close(&[spread.levels_within(&present, whole).gain], &[spread.levels(&present).gain]);
    }

    #[test]
    fn the_naive_tree_of_the_concept_has_five_leaves() {
        let mut recipe = Recipe::nt();
        for (key, value) in [("prune", "none"), ("collapse", "false"), ("score", "iig")] {
            recipe.set(key, value).unwrap();
        }
        let model = crate::Learner::new(recipe).unwrap().fit(&concept()).unwrap();
        assert_eq!((model.tree().leaves(), model.training().errors), (5, 0));
    }
}
