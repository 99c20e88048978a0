//! The candidate of a numeric attribute that is cut into intervals.

use super::candidates::{Candidate, Counting, Look, Placement};
use super::judge::Worth;
use super::task::{Place, Store};
use crate::data::{Entry, Item, MISSING, NO_CODE, Order, Sorting};
use crate::density::{Crossings, crossings};
use crate::measure::{Gain, Measure, SMALL};
use crate::model::Unknown;
use crate::recipe::{Delta, Numeric, Score};
use crate::split::Split;
use crate::split::bins::{Bins, Marks};
use crate::split::buckets::bucket_starts;
use crate::split::criterion::{Count, Criterion};
use crate::split::intervals::fewest_errors;
use crate::split::mdl::Labelled;

impl<N: Counting, K: Criterion<N::Count> + Criterion<f64>> Look<'_, N, K> {
    /// Whether numeric attributes are cut into intervals of the node's rows.
    pub fn cuts_intervals(&self) -> bool {
        matches!(self.task.recipe.candidates.numeric, Numeric::Buckets { .. } | Numeric::Intervals | Numeric::Crossings)
    }

    /// The intervals of an attribute. `listed` are its entries, where it is sparse.
    pub fn intervals(&self, attribute: usize, listed: &[Entry]) -> Option<Candidate> {
        let known = self.known_values(attribute, listed);
        let count = self.classes.len();
        let starts = match self.task.recipe.candidates.numeric {
            Numeric::Buckets { bucket } => bucket_starts(&known, count, bucket as f64),
            Numeric::Crossings => return self.crossings(attribute, known),
            Numeric::Intervals | Numeric::Threshold | Numeric::Fixed { .. } => fewest_errors(&known, count, count + 1),
        };
        let place = |at: usize| Place::Number(known[at].value);
        let cut = |&start: &usize| self.task.threshold(attribute, place(start - 1), place(start));
        let cuts = starts.iter().map(cut).collect();
        let worth = self.between(&known, &starts)?;
        Some(worth.candidate(attribute, interval_test(attribute, cuts)))
    }

    /// The intervals between the places where another class becomes the most probable one. The Bayes measure is that of
    /// the number itself, so it ranks the attribute even where no cut pays.
    fn crossings(&self, attribute: usize, mut known: Vec<Labelled>) -> Option<Candidate> {
        // What is infinite has no place on a scale, and no density.
        known.retain(|row| row.value.is_finite());
        let task = self.task;
        let delta = match task.recipe.score {
            Score::Bayes { delta } => Some(delta),
            _ => None,
        };
        let Crossings { right, starts, cuts } =
            crossings(&known, self.classes.len(), task.scale(attribute)?, delta.unwrap_or(Delta::Paper), &task.chosen);
        let mut found =
            self.between(&known, &starts).map(|worth| worth.candidate(attribute, interval_test(attribute, cuts)));
        if delta.is_some() {
            let whole = || {
                Worth { unknown: Unknown::Fractions, gain: 0.0, score: right }
                    .candidate(attribute, interval_test(attribute, Vec::new()))
            };
            found.get_or_insert_with(whole).score = right;
        }
        found
    }

    /// What intervals are worth that begin with these rows, and with the first; `None` where fewer than two are heavy
    /// enough.
    fn between(&self, known: &[Labelled], starts: &[usize]) -> Option<Worth> {
        let count = self.classes.len();
        let mut cells = vec![0.0; (starts.len() + 1) * count];
        let mut missing = self.node.class_weights.clone();
        let mut interval = 0;
        for (at, row) in known.iter().enumerate() {
            interval += usize::from(starts.get(interval) == Some(&at));
            cells[interval * count + usize::from(row.class)] += row.weight;
            missing[usize::from(row.class)] -= row.weight;
        }
        // Differences of sums of fractions are only almost zero.
        missing.iter_mut().filter(|weight| **weight < SMALL).for_each(|weight| *weight = 0.0);
        let (table, unknown) = self.table_of(starts.len() + 1, cells, &missing);
        let least = self.least_branch();
        if table.branch_weights().filter(|&weight| weight > least).count() < 2 {
            return None;
        }
        let gain = Gain.of(&table);
        Some(Worth { unknown, gain, score: self.score(&table, gain) })
    }

    /// The known values of the node's rows, ascending.
    fn known_values(&self, attribute: usize, listed: &[Entry]) -> Vec<Labelled> {
        match &self.task.stores[attribute] {
            Store::Sorted { slot, .. } => self.labelled(attribute, rows(self.node.sorted[*slot].items())).collect(),
            Store::Binned { bins, .. } => self.binned_values(bins),
            Store::SparseNumbers { zero_rank, .. } => self.with_zeros(attribute, listed, *zero_rank),
            Store::Unsorted { column } if !column.is_sparse() => {
                let order = Order::of_rows(column, &self.node.rows, &mut Sorting::default());
                self.labelled(attribute, rows(order.items())).collect()
            }
            Store::Unsorted { .. } | Store::Fixed { .. } => Vec::new(),
            Store::Levels { .. } | Store::SparseLevels { .. } => Vec::new(),
        }
    }

    fn labelled(&self, attribute: usize, rows: impl Iterator<Item = u32>) -> impl Iterator<Item = Labelled> {
        rows.map(move |row| Labelled {
            value: self.task.number(attribute, row),
            class: self.task.classes[row as usize],
            weight: self.counting.weight(row).weight(),
        })
    }

    /// Those of a column of few values: rows that have value and class in common are one.
    fn binned_values(&self, bins: &Bins<'_>) -> Vec<Labelled> {
        let Marks::Values(values) = &bins.marks else { return Vec::new() };
        let count = self.classes.len();
        let mut cells = vec![0.0; values.len() * count];
        for &row in &self.node.rows {
            let (code, class) = (bins.codes[row as usize], self.task.classes[row as usize]);
            if code != NO_CODE {
                cells[usize::from(code) * count + usize::from(class)] += self.counting.weight(row).weight();
            }
        }
        let held = |(at, &weight): (usize, &f64)| {
            (weight > 0.0).then(|| Labelled { value: values[at / count], class: (at % count) as u16, weight })
        };
        cells.iter().enumerate().filter_map(held).collect()
    }

    /// Those of a sparse column: the zeros, which are not listed, are put between the listed values.
    fn with_zeros<'e>(&self, attribute: usize, listed: &'e [Entry], zero_rank: u32) -> Vec<Labelled> {
        let mut zeros = self.node.class_weights.clone();
        for entry in listed {
            zeros[usize::from(self.task.classes[entry.row() as usize])] -= self.counting.weight(entry.row()).weight();
        }
        let zeros = zeros.iter().enumerate().filter(|(_, weight)| **weight > SMALL);
        let zeros = zeros.map(|(class, &weight)| Labelled { value: 0.0, class: class as u16, weight });
        let known = &listed[..listed.partition_point(|entry| entry.rank() != MISSING)];
        let (below, above) = known.split_at(known.partition_point(|entry| entry.rank() < zero_rank));
        let labelled = |entries: &'e [Entry]| self.labelled(attribute, entries.iter().map(|entry| entry.row()));
        labelled(below).chain(zeros).chain(labelled(above)).collect()
    }
}

fn rows(items: &[Item]) -> impl Iterator<Item = u32> {
    items.iter().map(|item| item.row())
}

fn interval_test(attribute: usize, cuts: Vec<f64>) -> Placement {
    Placement::Ready(match cuts.as_slice() {
        [cut] => Split::Threshold { attribute, cut: *cut },
        _ => Split::Intervals { attribute, cuts },
    })
}
