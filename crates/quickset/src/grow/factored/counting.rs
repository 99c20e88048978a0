//! One pass over the training rows: how the values of an attribute spread over the classes.

use std::borrow::Cow;

use super::binning::{Binning, ends};
use super::spread::{Bin, Kind, Rest, Share, Spread};
use crate::data::{Class, Column, ColumnData, MISSING, Sparse};
use crate::measure::{SMALL, widest, x_log_x};
use crate::recipe::{BinsBy, Counts, Factored};
use crate::split::criterion::EntropyTable;
use crate::split::mdl::{Labelled, mdl_cuts};

/// Rows whose cells are found together, so that these stay at hand.
const BLOCK: usize = 1024;

/// So few places are counted at in so many lanes.
const FEW: usize = 1024;
const LANES: usize = 4;

/// What counting an attribute needs.
pub(super) struct Counting<'d> {
    /// By row of the data; `None` where every row counts 1.
    weights: Option<&'d [f64]>,
    classes: &'d [u16],
    class_count: usize,
    rows: &'d [u32],
    /// The classes of `rows`, side by side with them.
    labels: Cow<'d, [u16]>,
    /// Whether `rows` are all rows of the data, each once and in order.
    whole: bool,
    /// Whether a row of the data is a training row; empty where all are.
    member: &'d [bool],
    factored: Factored,
    /// Whether the best cut is asked for.
    cuts: bool,
    /// Weight by class of all training rows.
    totals: Vec<f64>,
    /// x·log₂x of whole numbers, where all rows count 1; else empty.
    terms: &'d [f64],
}

impl<'d> Counting<'d> {
    pub fn new(
        weights: Option<&'d [f64]>,
        class: &'d Class,
        rows: &'d [u32],
        member: &'d [bool],
        factored: Factored,
        cuts: bool,
        entropies: &'d EntropyTable,
    ) -> Self {
        let mut totals = vec![0.0; class.levels.len()];
        let weight = |row: u32| weights.map_or(1.0, |weights| weights[row as usize]);
        rows.iter().for_each(|&row| totals[usize::from(class.codes[row as usize])] += weight(row));
        let whole = rows.len() == class.codes.len() && rows.iter().copied().eq(0..rows.len() as u32);
        Counting {
            weights,
            classes: &class.codes,
            class_count: class.levels.len(),
            rows,
            labels: among(&class.codes, rows, whole),
            whole,
            member,
            factored,
            cuts,
            totals,
            terms: if weights.is_none() { entropies.terms() } else { &[] },
        }
    }

    /// x·log₂x of a weight.
    fn term(&self, weight: f64) -> f64 {
        if self.terms.is_empty() { x_log_x(weight) } else { self.terms[weight as usize] }
    }

    fn finish(&self, kind: Kind, cells: usize, weights: &[f64]) -> Option<Spread> {
        let spread = Spread::new(kind, cells, self.class_count, weights, self.cuts, |weight| self.term(weight))?;
        let (known, all) = (weights.iter().sum::<f64>(), self.totals.iter().sum::<f64>());
        Some(spread.known_by(if known < all - SMALL { known / all } else { 1.0 }))
    }

    /// The rows that are counted.
    pub fn rows(&self) -> &'d [u32] {
        self.rows
    }

    pub fn factored(&self) -> Factored {
        self.factored
    }

    pub fn class_count(&self) -> usize {
        self.class_count
    }

    /// The weight of the training rows by class.
    pub fn totals(&self) -> &[f64] {
        &self.totals
    }

    /// The classes with their shares of the training rows.
    pub fn present(&self) -> Vec<Share<1>> {
        super::score::present(&self.totals)
    }

    fn trains(&self, row: u32) -> bool {
        self.member.is_empty() || self.member[row as usize]
    }

    fn weight(&self, row: u32) -> f64 {
        self.weights.map_or(1.0, |weights| weights[row as usize])
    }

    /// The most bins of a numeric attribute: as many as the recipe says, else the root of the number of rows.
    fn bins(&self) -> usize {
        self.factored.count.unwrap_or((self.rows.len() as f64).sqrt() as usize)
    }

    /// The values that the rows have in a column which is not sparse.
    pub fn gather<'c>(&self, column: &'c Column) -> Values<'c> {
        match column.data() {
            ColumnData::Nominal { levels, codes } => Values::Levels(levels.len(), among(codes, self.rows, self.whole)),
            ColumnData::Numeric(values) => Values::Numbers(among(values, self.rows, self.whole)),
            ColumnData::Numeric32(values) => {
                Values::Numbers(self.rows.iter().map(|&row| f64::from(values[row as usize])).collect())
            }
            ColumnData::SparseNumeric(_) | ColumnData::SparseNominal { .. } => {
                unreachable!("the entries of sparse columns are counted as they are listed")
            }
        }
    }

    /// Counts the values of one attribute.
    pub fn spread_of(&self, values: &Values<'_>) -> Option<Spread> {
        match values {
            Values::Levels(count, codes) => {
                let none = *count as u32;
                let find = |codes: &[u32], cells: &mut [u32]| {
                    cells.iter_mut().zip(codes).for_each(|(cell, &code)| *cell = code.min(none));
                };
                let weights = self.tally(*count, codes, find, |_, _| ());
                self.of_levels(*count, &weights)
            }
            Values::Numbers(numbers) => self.numeric(numbers, || ends(numbers)),
        }
    }

    /// Counts one attribute.
    pub fn spread(&self, column: &Column) -> Option<Spread> {
        match column.data() {
            ColumnData::SparseNominal { levels, codes } => {
                let mut weights = vec![0.0; levels.len() * self.class_count];
                weights[..self.class_count].copy_from_slice(&self.totals);
                for (&row, &code) in codes.rows.iter().zip(&codes.values).filter(|(row, _)| self.trains(**row)) {
                    let class = usize::from(self.classes[row as usize]);
                    weights[class] -= self.weight(row);
                    if code != MISSING {
                        weights[code as usize * self.class_count + class] += self.weight(row);
                    }
                }
                self.of_levels(levels.len(), &weights)
            }
            ColumnData::SparseNumeric(sparse) if self.factored.counts == Counts::Presence => {
                self.presence(sparse).or_else(|| self.sparse(sparse))
            }
            ColumnData::SparseNumeric(sparse) => self.sparse(sparse),
            _ => match (self.gather(column), column.extent()) {
                (Values::Numbers(numbers), Some(all)) if self.whole => self.numeric(&numbers, || (all.low, all.high)),
                (values, _) => self.spread_of(&values),
            },
        }
    }

    /// Only whether a number is zero; `None` where some are negative, and where nothing can be told apart.
    fn presence(&self, sparse: &Sparse<f64>) -> Option<Spread> {
        let smallest = sparse.values.iter().copied().filter(|&value| value > 0.0).fold(f64::INFINITY, f64::min);
        let kind = Kind::Presence(Rest { smallest, whole: false });
        let mut weights = vec![0.0; 2 * self.class_count];
        let (absent, held) = weights.split_at_mut(self.class_count);
        absent.copy_from_slice(&self.totals);
        if !self.presence_of_each(sparse, absent, held) {
            return None;
        }
        let none = |side: &[f64]| side.iter().all(|&weight| weight <= 0.0);
        if none(absent) || none(held) { None } else { self.finish(kind, 2, &weights) }
    }

    /// Whether rows are counted and not weighed, and only asked whether they have a word.
    pub fn counts_presence(&self) -> bool {
        !self.cuts && !self.terms.is_empty()
    }

    /// The rows of each class.
    pub fn rows_by_class(&self) -> Vec<Vec<u32>> {
        let mut by_class = vec![Vec::new(); self.class_count];
        self.rows.iter().zip(&*self.labels).for_each(|(&row, &class)| by_class[usize::from(class)].push(row));
        by_class
    }

    /// Counts entry by entry; false where one is negative.
    fn presence_of_each(&self, sparse: &Sparse<f64>, absent: &mut [f64], held: &mut [f64]) -> bool {
        for (&row, &value) in sparse.rows.iter().zip(&sparse.values).filter(|(row, _)| self.trains(**row)) {
            let (class, weight) = (usize::from(self.classes[row as usize]), self.weight(row));
            absent[class] -= weight;
            held[class] += if value.is_nan() { 0.0 } else { weight };
            if value < 0.0 {
                return false;
            }
        }
        true
    }

    fn of_levels(&self, levels: usize, weights: &[f64]) -> Option<Spread> {
        let held = weights.chunks_exact(self.class_count.max(1)).filter(|cell| cell.iter().any(|&w| w > 0.0)).count();
        if held < 2 { None } else { self.finish(Kind::Levels, levels, weights) }
    }

    /// The numbers of the training rows, NaN where one is missing, which lie between these ends.
    fn numeric(&self, numbers: &[f64], ends: impl Fn() -> (f64, f64)) -> Option<Spread> {
        let labelled = |(at, &value): (usize, &f64)| Labelled {
            value,
            class: self.labels[at],
            weight: self.weight(self.rows[at]),
        };
        let known = numbers.iter().enumerate().filter(|(_, number)| !number.is_nan()).map(labelled);
        let binning = match self.factored.bins {
            BinsBy::Width => Binning::by_width(ends(), self.bins())?,
            _ => self.binning(known)?,
        };
        let mut bins = Bin::all(binning.len());
        // Close together, since they are looked at for every number; with one for those that are missing.
        let mut lowest = vec![f64::INFINITY; binning.len() + 1];
        let find = |numbers: &[f64], cells: &mut [u32]| {
            if binning.bins(numbers, cells) {
                return;
            }
            for (cell, &number) in cells.iter_mut().zip(numbers) {
                if number.is_nan() {
                    *cell = binning.len() as u32;
                } else {
                    bins[*cell as usize].hold(number, &binning);
                }
            }
        };
        let weights = self.tally(binning.len(), numbers, find, |&number, cell| {
            let lowest = &mut lowest[cell as usize];
            if number < *lowest {
                *lowest = number;
            }
        });
        bins.iter_mut().zip(lowest).for_each(|(bin, lowest)| bin.lower(lowest));
        self.of_bins(binning, bins, &weights)
    }

    /// The weight of the training rows by cell and class. `find` tells the cells of some values, where `cells` is that of
    /// a missing one; `see` hears of each value and its cell.
    fn tally<V>(
        &self,
        cells: usize,
        values: &[V],
        mut find: impl FnMut(&[V], &mut [u32]),
        mut see: impl FnMut(&V, u32),
    ) -> Vec<f64> {
        let classes = self.class_count;
        let places = (cells + 1) * classes;
        // Where there are few, rows that follow each other often count at the same one.
        let lanes = if places <= FEW { LANES } else { 1 };
        let mut counts = vec![0u32; if self.weights.is_none() { lanes * places } else { 0 }];
        let mut weights = vec![0.0; if self.weights.is_some() { places } else { 0 }];
        let mut found = [0; BLOCK];
        for (block, (values, labels)) in values.chunks(BLOCK).zip(self.labels.chunks(BLOCK)).enumerate() {
            let found = &mut found[..labels.len()];
            find(values, found);
            let seen = values.iter().zip(&*found);
            if self.weights.is_none() && lanes == 1 {
                // In one go, since what is seen and what is counted do not wait for each other.
                for ((value, &cell), &class) in seen.zip(labels) {
                    see(value, cell);
                    counts[cell as usize * classes + usize::from(class)] += 1;
                }
                continue;
            }
            seen.for_each(|(value, &cell)| see(value, cell));
            place(found, labels, classes as u32);
            match self.weights {
                Some(given) => {
                    let places = found.iter().zip(&self.rows[block * BLOCK..]);
                    places.for_each(|(&place, &row)| weights[place as usize] += given[row as usize]);
                }
                None => count_side_by_side(found, &mut counts),
            }
        }
        if self.weights.is_none() {
            weights = counts.chunks_exact(lanes).map(|counts| f64::from(counts.iter().sum::<u32>())).collect();
        }
        weights.truncate(cells * classes);
        weights
    }

    /// Bins for some numbers; `None` where these are not told apart.
    fn binning(&self, known: impl Iterator<Item = Labelled>) -> Option<Binning> {
        let mut known: Vec<Labelled> = known.collect();
        let numbers = known.iter().map(|row| row.value);
        match self.factored.bins {
            BinsBy::Width => Binning::by_width(ends(&numbers.collect::<Vec<f64>>()), self.bins()),
            BinsBy::Frequency => Binning::by_frequency(numbers, self.bins()),
            BinsBy::Mdl => {
                known.sort_by(|a, b| a.value.total_cmp(&b.value));
                let cuts = mdl_cuts(&known, self.class_count);
                if cuts.is_empty() { None } else { Some(Binning::at(cuts)) }
            }
        }
    }

    /// A column whose zeros are not listed: they have a bin of their own.
    fn sparse(&self, sparse: &Sparse<f64>) -> Option<Spread> {
        let entries = sparse.rows.iter().copied().zip(sparse.values.iter().copied());
        let entries: Vec<(u32, f64)> = entries.filter(|(row, _)| self.trains(*row)).collect();
        let mut edges = Vec::new();
        if entries.iter().any(|&(_, value)| value < 0.0) {
            edges.push(0f64.next_down());
        }
        edges.push(0.0);
        let labelled =
            |(row, value): (u32, f64)| Labelled { value, class: self.classes[row as usize], weight: self.weight(row) };
        let positive = entries.iter().copied().filter(|&(_, value)| value > 0.0).map(labelled);
        if self.factored.counts == Counts::Counts
            && let Some(binning) = self.binning(positive)
        {
            edges.extend(binning.edges());
        }
        let binning = Binning::at(edges);
        let mut weights = vec![0.0; binning.len() * self.class_count];
        let mut bins = Bin::all(binning.len());
        bins[binning.bin(0.0)].hold(0.0, &binning);
        let zero = binning.bin(0.0) * self.class_count;
        weights[zero..zero + self.class_count].copy_from_slice(&self.totals);
        for (row, value) in entries {
            let class = usize::from(self.classes[row as usize]);
            weights[zero + class] -= self.weight(row);
            if !value.is_nan() {
                let bin = binning.bin(value);
                bins[bin].hold(value, &binning);
                weights[bin * self.class_count + class] += self.weight(row);
            }
        }
        self.of_bins(binning, bins, &weights)
    }

    /// Leaves out the bins that hold no row.
    fn of_bins(&self, binning: Binning, bins: Vec<Bin>, weights: &[f64]) -> Option<Spread> {
        let all = bins.into_iter().zip(weights.chunks_exact(self.class_count));
        let (cells, held): (Vec<Bin>, Vec<&[f64]>) =
            all.filter(|(_, held)| held.iter().any(|&weight| weight > 0.0)).unzip();
        let count = cells.len();
        self.finish(Kind::Bins(binning, cells), count, &held.concat())
    }
}

/// Makes places by cell and class of cells.
fn place(cells: &mut [u32], labels: &[u16], classes: u32) {
    widest(
        #[inline(always)]
        move || cells.iter_mut().zip(labels).for_each(|(cell, &class)| *cell = *cell * classes + u32::from(class)),
    );
}

/// Counts at each place in one lane after the other, so that no count waits for the one before.
fn count_side_by_side(places: &[u32], counts: &mut [u32]) {
    let (counts, _) = counts.as_chunks_mut::<LANES>();
    for places in places.chunks(LANES) {
        places.iter().enumerate().for_each(|(lane, &place)| counts[place as usize][lane] += 1);
    }
}

/// What the rows of a node have in one column, side by side.
#[derive(Debug)]
pub(super) enum Values<'c> {
    /// Codes, and of how many levels.
    Levels(usize, Cow<'c, [u32]>),
    Numbers(Cow<'c, [f64]>),
}

impl Values<'_> {
    pub fn into_owned(self) -> Values<'static> {
        match self {
            Values::Levels(count, codes) => Values::Levels(count, Cow::Owned(codes.into_owned())),
            Values::Numbers(numbers) => Values::Numbers(Cow::Owned(numbers.into_owned())),
        }
    }

    /// Those at some places.
    pub fn at(&self, places: &[u32]) -> Values<'static> {
        match self {
            Values::Levels(count, codes) => {
                Values::Levels(*count, Cow::Owned(among(codes, places, false).into_owned()))
            }
            Values::Numbers(numbers) => Values::Numbers(Cow::Owned(among(numbers, places, false).into_owned())),
        }
    }
}

/// What some rows have: nothing is copied where these are the `whole` data.
fn among<'d, T: Copy>(of_data: &'d [T], rows: &[u32], whole: bool) -> Cow<'d, [T]> {
    if whole {
        return Cow::Borrowed(of_data);
    }
    Cow::Owned(rows.iter().map(|&row| of_data[row as usize]).collect())
}
