//! The candidate of a numeric attribute: its best cut.

use std::cmp::Ordering;

use super::candidates::{Candidate, Counting, List, Look, Placement};
use super::histogram;
use super::task::{Place, SMALLEST_GAP};
use crate::data::{ColumnData, Entry, Item, MISSING, NO_CODE, Order};
use crate::measure::{Gain, GainRatio, Measure, SMALL, Table};
use crate::model::Unknown;
use crate::recipe::{CutBy, CutLimits, Missing, Recipe, Score, Tables};
use crate::split::Split;
use crate::split::bins::{Bins, Marks};
use crate::split::criterion::{Count, Criterion};
use crate::split::scan::{Cut, Found, Limits, Sweep, cell_sum};

/// The branch that missing values have to themselves, after the two sides.
const OWN: usize = 2;

/// A cut, where its missing values go, and the weight that has none of the two sides.
struct Chosen {
    cut: Cut,
    positions: usize,
    base: f64,
    unknown: Unknown,
    missing: f64,
}

impl<N: Counting, K: Criterion<N::Count> + Criterion<f64>> Look<'_, N, K> {
    /// The best cut of a list that holds every row of known value.
    pub fn sorted(
        &self,
        attribute: usize,
        items: &[Item],
        smallest_gap: f64,
        buffer: &mut Vec<N::Count>,
    ) -> Option<Candidate> {
        let count = self.classes.len();
        let [known, missing, left, right] = four_parts(buffer, count);
        let complete = items.len() == self.node.rows.len();
        if complete {
            known.copy_from_slice(&self.classes);
        } else {
            for item in items {
                known[usize::from(self.task.classes[item.row() as usize])] += self.counting.weight(item.row());
            }
            self.fill_missing(known, missing);
        }
        let limits = self.limits(known);
        if (items.len() as f64) < 2.0 * limits.side - SMALL {
            return None;
        }
        let close = self.keeps_close_values(smallest_gap);
        let number = |place: usize| self.task.number(attribute, items[place].row());
        let apart = |low, high| number(low) + SMALLEST_GAP < number(high);
        let chosen = if self.task.recipe.missing != Missing::Learned || complete {
            let cells = if complete { self.cells } else { cell_sum(self.criterion, known) };
            let list = List { items, classes: self.task.classes, complete, steps: self.steps.as_ref() };
            right.copy_from_slice(known);
            let (criterion, sides) = (self.criterion, [left, right]);
            let found = match self.task.data.attributes()[attribute].data() {
                _ if !close => self.counting.sweep(criterion, &list, sides, cells, limits, |_, _| true),
                // Numbers are read without asking for their kind at every place.
                ColumnData::Numeric(values) => {
                    let number = |place: usize| values[items[place].row() as usize];
                    let apart = |low, high| number(low) + SMALLEST_GAP < number(high);
                    self.counting.sweep(criterion, &list, sides, cells, limits, apart)
                }
                ColumnData::Numeric32(values) => {
                    let number = |place: usize| f64::from(values[items[place].row() as usize]);
                    let apart = |low, high| number(low) + SMALLEST_GAP < number(high);
                    self.counting.sweep(criterion, &list, sides, cells, limits, apart)
                }
                _ => self.counting.sweep(criterion, &list, sides, cells, limits, apart),
            };
            self.settle(found, missing.iter().map(|count| count.weight()).sum())?
        } else {
            self.with_missing(known, missing, left, right, limits, |sweep| {
                sweep.list(
                    items,
                    self.task.classes,
                    |row| self.counting.weight(row),
                    |low, high| !close || apart(low, high),
                )
            })?
        };
        let place = |at: usize| Place::Row(items[at].row());
        let test = Placement::Between(place(chosen.cut.low), place(chosen.cut.high));
        let (below, above) = items.split_at(chosen.cut.high);
        let count_sides = |sides: [&mut [f64]; 2]| {
            for (side, items) in sides.into_iter().zip([below, above]) {
                for row in items.iter().map(|item| item.row()) {
                    side[usize::from(self.task.classes[row as usize])] += self.counting.weight(row).weight();
                }
            }
        };
        self.threshold(attribute, test, &chosen, count_sides)
    }

    /// The best cut of a list that leaves out the zeros. Missing values stand last in it.
    pub fn sparse_numbers(
        &self,
        attribute: usize,
        entries: &[Entry],
        zero_rank: u32,
        order: &Order,
        buffer: &mut Vec<N::Count>,
    ) -> Option<Candidate> {
        // Most words end here: too few rows hold them to fill a side beside the zeros.
        if self.node.weights.is_none() && (entries.len() as f64) < self.limits(&self.classes).side - SMALL {
            return None;
        }
        let (entries, unknown) = entries.split_at(entries.partition_point(|entry| entry.rank() != MISSING));
        let [known, missing, left, right] = four_parts(buffer, self.classes.len());
        known.copy_from_slice(&self.classes);
        for entry in unknown {
            let class = usize::from(self.task.classes[entry.row() as usize]);
            known[class] -= self.counting.weight(entry.row());
            missing[class] += self.counting.weight(entry.row());
        }
        let limits = self.limits(known);
        if ((self.node.rows.len() - unknown.len()) as f64) < 2.0 * limits.side - SMALL {
            return None;
        }
        let zero_at = entries.partition_point(|entry| entry.rank() < zero_rank);
        // The zeros have a place of their own among the entries.
        let place = |at: usize| match at.cmp(&zero_at) {
            Ordering::Less => Place::Row(entries[at].row()),
            Ordering::Equal => Place::Number(0.0),
            Ordering::Greater => Place::Row(entries[at - 1].row()),
        };
        let number = |at| match place(at) {
            Place::Row(row) => self.task.number(attribute, row),
            Place::Number(number) => number,
        };
        let close = self.keeps_close_values(order.smallest_gap());
        let apart = |low, high| !close || number(low) + SMALLEST_GAP < number(high);
        let weight = |row| self.counting.weight(row);
        let chosen = if unknown.is_empty() && zero_at == 0 {
            left.copy_from_slice(known);
            let sweep = Sweep::from_left(self.criterion, left, right, self.cells, limits);
            self.settle(sweep.sparse_list(entries, self.task.classes, weight, apart), 0.0)?
        } else {
            self.with_missing(known, missing, left, right, limits, |sweep| {
                sweep.sparse_list_with_zeros_at(known, entries, zero_at, self.task.classes, weight, apart)
            })?
        };
        let test = Placement::Between(place(chosen.cut.low), place(chosen.cut.high));
        let count_sides = |[left, right]: [&mut [f64]; 2]| {
            let first_above = number(chosen.cut.high);
            for &row in &self.node.rows {
                let value = self.task.number(attribute, row);
                let side = if value >= first_above { &mut *right } else { &mut *left };
                if !value.is_nan() {
                    side[usize::from(self.task.classes[row as usize])] += weight(row).weight();
                }
            }
        };
        self.threshold(attribute, test, &chosen, count_sides)
    }

    /// The best cut between bins.
    pub fn binned(
        &self,
        attribute: usize,
        start: usize,
        bins: &Bins<'_>,
        buffer: &mut Vec<N::Count>,
    ) -> Option<Candidate> {
        let kept = self.node.histograms.as_ref().filter(|_| self.node.weights.is_none());
        // A histogram that was kept has all classes; one that is counted here only those that occur.
        let count = if kept.is_some() { self.classes.len() } else { self.local.weights.len() };
        let size = (bins.len() + 1) * count;
        buffer.clear();
        buffer.resize(size + 3 * count, N::Count::default());
        let (counted, rest) = buffer.split_at_mut(size);
        match kept {
            Some(all) => {
                let kept = &all[start..start + histogram::cells(bins, count)];
                let from = |&whole: &u32| N::Count::from_weight(f64::from(whole));
                counted.iter_mut().zip(kept).for_each(|(cell, whole)| *cell = from(whole));
            }
            None => {
                for (&row, &class) in self.node.rows.iter().zip(&self.local.of_rows) {
                    let code = bins.codes[row as usize];
                    let bin = if code == NO_CODE { bins.len() } else { usize::from(code) };
                    counted[bin * count + usize::from(class)] += self.counting.weight(row);
                }
            }
        }
        let (cells, missing) = counted.split_at(bins.len() * count);
        let (known, rest) = rest.split_at_mut(count);
        let (left, right) = rest.split_at_mut(count);
        let complete = missing.iter().all(|&weight| weight == N::Count::default());
        known.copy_from_slice(if kept.is_some() { &self.classes } else { &self.local.weights });
        if !complete {
            known.iter_mut().zip(missing).for_each(|(known, &missing)| *known -= missing);
        }
        let limits = self.limits(known);
        let known_weight: f64 = known.iter().map(|weight| weight.weight()).sum();
        if known_weight < 2.0 * limits.side - SMALL {
            return None;
        }
        let close = |low: usize, high: usize| match &bins.marks {
            Marks::Values(values) => values[low] + SMALLEST_GAP >= values[high],
            Marks::Edges(_) => false,
        };
        let c45 = self.task.recipe.candidates.cut.limits == CutLimits::C45;
        let apart = |low, high| !(c45 && close(low, high));
        let chosen = if complete {
            right.copy_from_slice(known);
            let sweep = Sweep::from_right(self.criterion, left, right, self.cells, limits);
            self.settle(sweep.histogram(cells, apart), 0.0)?
        } else {
            self.with_missing(known, missing, left, right, limits, |sweep| sweep.histogram(cells, apart))?
        };
        let test = match &bins.marks {
            Marks::Values(values) => {
                let place = |at: usize| Place::Number(values[at]);
                Placement::Between(place(chosen.cut.low), place(chosen.cut.high))
            }
            Marks::Edges(edges) => Placement::Ready(Split::Threshold { attribute, cut: edges[chosen.cut.low] }),
        };
        // The classes of a counted histogram are numbered anew.
        let occurs = |(_, weight): &(usize, &N::Count)| kept.is_some() || weight.weight() > 0.0;
        let count_sides = |[left, right]: [&mut [f64]; 2]| {
            let classes: Vec<usize> = self.classes.iter().enumerate().filter(occurs).map(|(class, _)| class).collect();
            for (bin, block) in cells.chunks_exact(count).enumerate() {
                let side = if bin < chosen.cut.high { &mut *left } else { &mut *right };
                classes.iter().zip(block).for_each(|(&class, weight)| side[class] += weight.weight());
            }
        };
        self.threshold(attribute, test, &chosen, count_sides)
    }

    fn fill_missing(&self, known: &[N::Count], missing: &mut [N::Count]) {
        for ((missing, known), all) in missing.iter_mut().zip(known).zip(&self.classes) {
            *missing = N::Count::from_weight((all.weight() - known.weight()).max(0.0));
        }
    }

    fn keeps_close_values(&self, smallest_gap: f64) -> bool {
        self.task.recipe.candidates.cut.limits == CutLimits::C45 && smallest_gap <= SMALLEST_GAP
    }

    /// What both sides of a cut must hold.
    pub fn limits(&self, known: &[N::Count]) -> Limits {
        let recipe = self.task.recipe;
        let least = least_side(recipe);
        let side = match recipe.candidates.cut.limits {
            CutLimits::MinRows => least,
            CutLimits::C45 => {
                let weight: f64 = known.iter().map(|count| count.weight()).sum();
                let tenth = 0.1 * weight / self.task.class_count as f64;
                if tenth <= least + SMALL { least } else { tenth.min(25.0) }
            }
        };
        Limits { side: side.max(2.0 * SMALL), node: self.weight, any: recipe.stop.to_purity }
    }

    /// Runs a sweep with the rows of missing value where the recipe wants them: on no side, or on the better one.
    fn with_missing(
        &self,
        known: &[N::Count],
        missing: &[N::Count],
        left: &mut [N::Count],
        right: &mut [N::Count],
        limits: Limits,
        run: impl Fn(Sweep<'_, N::Count, K>) -> Found,
    ) -> Option<Chosen> {
        let weight: f64 = missing.iter().map(|count| count.weight()).sum();
        if self.task.recipe.missing != Missing::Learned || weight < SMALL {
            right.copy_from_slice(known);
            return self.settle(run(Sweep::new(self.criterion, left, right, limits)), weight);
        }
        let mut attempt = |side: usize| {
            left.fill(N::Count::default());
            right.copy_from_slice(known);
            let with = if side == 0 { &mut *left } else { &mut *right };
            with.iter_mut().zip(missing).for_each(|(sum, &missing)| *sum += missing);
            let found = run(Sweep::new(self.criterion, left, right, limits));
            let unknown = Unknown::Branch(side);
            let Found { cut, positions, base } = found;
            cut.map(|cut| Chosen { cut, positions, base, unknown, missing: 0.0 })
        };
        match (attempt(0), attempt(1)) {
            (Some(left), Some(right)) if left.cut.worth >= right.cut.worth => Some(left),
            (left, right) => right.or(left),
        }
    }

    fn settle(&self, found: Found, missing: f64) -> Option<Chosen> {
        let cut = found.cut?;
        let unknown = match self.task.recipe.missing {
            Missing::Own if missing > SMALL => Unknown::Branch(OWN),
            Missing::Fractions | Missing::Impute | Missing::Own => Unknown::Fractions,
            Missing::Learned => Unknown::Branch(usize::from(cut.sides[1] > cut.sides[0])),
        };
        Some(Chosen { cut, positions: found.positions, base: found.base, unknown, missing })
    }

    /// The candidate of a cut. `count_sides` adds up the known rows of both sides by class, for scores that need the whole
    /// table.
    fn threshold(
        &self,
        attribute: usize,
        test: Placement,
        chosen: &Chosen,
        count_sides: impl Fn([&mut [f64]; 2]),
    ) -> Option<Candidate> {
        let recipe = self.task.recipe;
        let improvement = (chosen.cut.worth - chosen.base) / self.weight;
        let correction = if recipe.candidates.cut.mdl { (chosen.positions as f64).log2() / self.weight } else { 0.0 };
        let (gain, score) = match (recipe.candidates.cut.by, recipe.score) {
            // The third branch counts too, and only the table has it.
            _ if chosen.unknown == Unknown::Branch(OWN) => self.by_table(chosen, count_sides, correction),
            (CutBy::Gain, Score::Gain) => (improvement - correction, improvement - correction),
            // Factored tables have chosen the attribute: what its counted cut scores is not asked.
            (CutBy::Gain, Score::GainRatio | Score::Independent | Score::Igr | Score::Iig) => {
                let gain = improvement - correction;
                (gain, GainRatio.of_branches(gain, &chosen.cut.sides, chosen.missing))
            }
            (CutBy::Gini, Score::Gini) if recipe.choose == crate::recipe::Choose::Best => (improvement, improvement),
            // What the cut improves is −ln P0 itself.
            (CutBy::Hypergeometric, Score::Hypergeometric) if recipe.choose == crate::recipe::Choose::Best => {
                (improvement, chosen.cut.worth - chosen.base)
            }
            _ => self.by_table(chosen, count_sides, correction),
        };
        if gain <= SMALL && !recipe.stop.to_purity && recipe.candidates.cut.by == CutBy::Gain {
            return None;
        }
        Some(Candidate { attribute, test, unknown: chosen.unknown, gain, score })
    }

    /// Gain and score of a cut from its whole table.
    fn by_table(&self, chosen: &Chosen, count_sides: impl Fn([&mut [f64]; 2]), correction: f64) -> (f64, f64) {
        let table = self.table(chosen, count_sides);
        let gain = Gain.of(&table) - correction;
        (gain, self.score(&table, gain))
    }

    fn table(&self, chosen: &Chosen, count_sides: impl Fn([&mut [f64]; 2])) -> Table {
        let count = self.classes.len();
        let own = chosen.unknown == Unknown::Branch(OWN);
        let mut cells = vec![0.0; (2 + usize::from(own)) * count];
        let (left, rest) = cells.split_at_mut(count);
        count_sides([left, &mut rest[..count]]);
        if let Unknown::Branch(side) = chosen.unknown {
            for (class, weight) in self.node.class_weights.iter().enumerate() {
                let missing = weight - cells[class] - cells[count + class];
                // Differences of sums of fractions are only almost zero.
                if missing > SMALL {
                    cells[side * count + class] += missing;
                }
            }
        }
        Table::new(count, cells, if own { 0.0 } else { chosen.missing })
    }
}

fn four_parts<C: Count>(buffer: &mut Vec<C>, count: usize) -> [&mut [C]; 4] {
    buffer.clear();
    buffer.resize(4 * count, C::default());
    let (first, rest) = buffer.split_at_mut(count);
    let (second, rest) = rest.split_at_mut(count);
    let (third, fourth) = rest.split_at_mut(count);
    [first, second, third, fourth]
}

/// What each side of a cut of numbers holds at least, however few rows there are.
pub(super) fn least_side(recipe: &Recipe) -> f64 {
    let factored = recipe.tables != Tables::Counted;
    match recipe.candidates.cut.limits {
        // The naive tree divides levels down to single rows, but no numbers.
        CutLimits::C45 if factored => recipe.stop.min_rows.max(2.0),
        CutLimits::C45 | CutLimits::MinRows => recipe.stop.min_rows,
    }
}
