//! How one attribute's values spread over the classes.

#[cfg(test)]
mod tests;
mod worth;

use super::binning::Binning;

pub(crate) use worth::{Share, Worth};

use worth::BLOCK;

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
    /// For cuts, in single precision: by class and cut the share below, then the entropies of the two sides. Zeros fill
    /// the last block of each.
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
        let cuts = cuts && cells > 2 && !matches!(kind, Kind::Levels);
        let size = classes * (cells + 1) + if cuts { classes * (2 * cells - 1) } else { 0 };
        let mut spread = Spread { kind, cells, classes, known: 1.0, numbers: vec![0.0; size], rough: Vec::new() };
        let numbers = &mut spread.numbers;
        for class in 0..classes {
            // What was taken off a weight may leave a little less than nothing.
            let weight = |cell: usize| weights[cell * classes + class].max(0.0);
            let total: f64 = (0..cells).map(weight).sum();
            if total <= 0.0 {
                continue;
            }
            let (mut sum, mut terms) = (0.0, 0.0);
            for cell in 0..cells {
                let weight = weight(cell);
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
            let stride = spread.rough_stride();
            let mut rough = Vec::with_capacity(2 * classes * stride);
            let below = (0..classes).map(|class| &spread.below(class)[..cells - 1]);
            for numbers in below.chain((0..classes).map(|class| spread.cut_entropies(class))) {
                rough.extend(numbers.iter().map(|&number| number as f32));
                rough.resize(rough.len().next_multiple_of(stride), 0.0);
            }
            spread.rough = rough;
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

    /// The cuts in single precision, rounded up to whole blocks.
    fn rough_stride(&self) -> usize {
        (self.cells - 1).next_multiple_of(BLOCK)
    }

    fn rough_below(&self, class: usize) -> &[f32] {
        &self.rough[class * self.rough_stride()..][..self.rough_stride()]
    }

    fn rough_entropies(&self, class: usize) -> &[f32] {
        self.rough_below(self.classes + class)
    }

    /// What some classes have together, by cell.
    pub fn mixture(&self, present: &[Share<1>]) -> Vec<f64> {
        let mut mixture = vec![0.0; self.cells];
        for &(class, [share]) in present {
            mixture.iter_mut().zip(self.shares(class)).for_each(|(sum, own)| *sum += share * own);
        }
        mixture
    }

    /// How far a class is from a mixture that it is a part of, in bits: KL(θ ‖ r), of which only known values count. No gain
    /// is higher than the mean over the classes.
    pub fn divergence(&self, class: usize, mixture: &[f64]) -> f64 {
        let held = self.shares(class).iter().zip(mixture).filter(|(own, _)| **own > 0.0);
        let bits = -held.map(|(own, all)| own * all.log2()).sum::<f64>() - self.entropy(class);
        self.known * bits.max(0.0)
    }

    /// Whether every one of some classes has a known value.
    pub fn knows(&self, classes: &[Share<1>]) -> bool {
        classes.iter().all(|&(class, _)| self.shares(class).iter().any(|&share| share > 0.0))
    }

    /// The numbers above zero, where only zero is told from them.
    pub fn rest(&self) -> Option<Rest> {
        if let Kind::Presence(rest) = self.kind { Some(rest) } else { None }
    }

    /// Whether it may be cut in more than one place; of two cells the only cut is the split into all.
    pub fn has_cuts(&self) -> bool {
        !self.rough.is_empty()
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

    /// The shares of the present classes among the cells of a range, each class's summing to one.
    pub(super) fn conditioned(&self, present: &[Share<1>], range: Range) -> Vec<(f64, Vec<f64>)> {
        let cells = self.cells_of(range);
        let of = |&(class, [share]): &Share<1>| {
            let inside = &self.shares(class)[cells.clone()];
            let sum: f64 = inside.iter().sum();
            (sum > 0.0).then(|| (share, inside.iter().map(|share| share / sum).collect()))
        };
        present.iter().filter_map(of).collect()
    }
}
