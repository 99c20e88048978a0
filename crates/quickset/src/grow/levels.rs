//! The candidate of a nominal attribute: a branch for every level, the levels divided in two, or one against the rest.

use super::candidates::{Candidate, Counting, Look, Placement};
use crate::data::{Entry, MISSING};
use crate::measure::{Gain, Measure, SMALL, total};
use crate::model::Unknown;
use crate::recipe::{Missing, Nominal};
use crate::split::Split;
use crate::split::criterion::{Count, Criterion};
use crate::split::subset::divide;

/// Levels at a node: the code of each and, level after level, its weights by class.
pub(super) struct Counted {
    /// Empty where the codes are simply 0, 1, 2, …
    codes: Vec<u32>,
    pub cells: Vec<f64>,
    /// Weights by class of the rows without a value.
    pub missing: Vec<f64>,
}

impl Counted {
    /// The code of the level at a place.
    pub fn code(&self, at: usize) -> u32 {
        self.codes.get(at).map_or(at as u32, |&code| code)
    }

    /// Weights by class of all levels together.
    pub fn known(&self, classes: usize) -> Vec<f64> {
        let mut known = vec![0.0; classes];
        for level in self.cells.chunks_exact(classes) {
            known.iter_mut().zip(level).for_each(|(sum, weight)| *sum += weight);
        }
        known
    }
}

impl<N: Counting, K: Criterion<N::Count> + Criterion<f64>> Look<'_, N, K> {
    /// The candidate from a code per row of the dataset.
    pub fn levels(
        &self,
        attribute: usize,
        count: usize,
        codes: &[u32],
        buffer: &mut Vec<N::Count>,
    ) -> Option<Candidate> {
        self.nominal(attribute, self.count_levels(count, codes, buffer)?)
    }

    /// The node's rows by code; `None` where they have too few for a split.
    pub fn count_levels(&self, count: usize, codes: &[u32], buffer: &mut Vec<N::Count>) -> Option<Counted> {
        const FEW: usize = 64;
        let classes = self.classes.len();
        let mut counted = Counted { codes: Vec::new(), cells: Vec::new(), missing: vec![0.0; classes] };
        // An attribute of many levels is counted by those that occur: a table of all would not fit.
        let compact = count > FEW && count > 2 * self.node.rows.len();
        if compact {
            let known = self.node.rows.iter().map(|&row| codes[row as usize]).filter(|&code| code != MISSING);
            counted.codes = known.collect();
            counted.codes.sort_unstable();
            counted.codes.dedup();
            if counted.codes.len() < 2 && self.task.recipe.missing != Missing::Own {
                return None;
            }
        }
        let branches = if compact { counted.codes.len() } else { count };
        buffer.clear();
        buffer.resize(branches * classes, N::Count::default());
        for &row in &self.node.rows {
            let code = codes[row as usize];
            let class = usize::from(self.task.classes[row as usize]);
            let weight = self.counting.weight(row);
            if code == MISSING {
                counted.missing[class] += weight.weight();
            } else {
                let at = if compact { counted.codes.partition_point(|&c| c < code) } else { code as usize };
                buffer[at * classes + class] += weight;
            }
        }
        counted.cells = buffer.iter().map(|weight| weight.weight()).collect();
        Some(counted)
    }

    /// The candidate from the rows that do not have the first level.
    pub fn sparse_levels(&self, attribute: usize, count: usize, entries: &[Entry]) -> Option<Candidate> {
        self.nominal(attribute, self.count_sparse(count, 0, entries, |entry| entry.rank()))
    }

    /// The node's rows by code, where those that are not listed have the code `usual`.
    pub fn count_sparse(&self, count: usize, usual: u32, entries: &[Entry], code: impl Fn(&Entry) -> u32) -> Counted {
        let classes = self.classes.len();
        let mut cells = vec![0.0; count * classes];
        let mut missing = vec![0.0; classes];
        let mut listed = vec![0.0; classes];
        for entry in entries {
            let class = usize::from(self.task.classes[entry.row() as usize]);
            let weight = self.counting.weight(entry.row()).weight();
            listed[class] += weight;
            match code(entry) {
                MISSING => missing[class] += weight,
                code => cells[code as usize * classes + class] += weight,
            }
        }
        let usual = &mut cells[usual as usize * classes..][..classes];
        for (cell, (all, listed)) in usual.iter_mut().zip(self.node.class_weights.iter().zip(listed)) {
            *cell += all - listed;
            // Differences of sums of fractions are only almost zero.
            *cell = if *cell < SMALL { 0.0 } else { *cell };
        }
        Counted { codes: Vec::new(), cells, missing }
    }

    fn nominal(&self, attribute: usize, counted: Counted) -> Option<Candidate> {
        match self.task.recipe.candidates.nominal {
            Nominal::Levels => {
                let declared = self.task.data.attributes()[attribute].levels().map_or(0, <[String]>::len);
                let (table, unknown) = self.table_of(declared, counted.cells, &counted.missing);
                let least = self.least_branch();
                if table.branch_weights().filter(|&weight| weight > least).count() < 2 {
                    return None;
                }
                let gain = Gain.of(&table);
                let test = Placement::Ready(Split::Levels { attribute });
                Some(Candidate { attribute, test, unknown, gain, score: self.score(&table, gain) })
            }
            Nominal::Subset => self.subset(attribute, &counted),
            Nominal::Value => self.value(attribute, &counted),
        }
    }

    /// The level that is worth most against all others; the lowest of equals.
    fn value(&self, attribute: usize, counted: &Counted) -> Option<Candidate> {
        let tests = self.against_rest(counted).into_iter();
        let (code, worth) = self.best_of_two(tests, &counted.missing)?;
        Some(worth.candidate(attribute, Placement::Ready(Split::Subset { attribute, first: vec![code] })))
    }

    /// Every level that occurs against all others, those that do not occur here among them: its code and the sides.
    pub fn against_rest(&self, counted: &Counted) -> Vec<(u32, [Vec<f64>; 2])> {
        let classes = self.classes.len();
        let known = counted.known(classes);
        let levels = counted.cells.chunks_exact(classes).enumerate().filter(|(_, level)| total(level) > SMALL);
        // One of two levels against the other is the same test as the other against it.
        let tests = if levels.clone().count() > 2 { usize::MAX } else { 1 };
        let against_rest = |(at, level): (usize, &[f64])| {
            let rest = known.iter().zip(level).map(|(all, weight)| all - weight).collect();
            (counted.code(at), [level.to_vec(), rest])
        };
        levels.take(tests).map(against_rest).collect()
    }

    fn subset(&self, attribute: usize, counted: &Counted) -> Option<Candidate> {
        let classes = self.classes.len();
        let all = counted.cells.chunks_exact(classes).enumerate();
        let (places, levels): (Vec<usize>, Vec<&[f64]>) = all.filter(|(_, level)| total(level) > SMALL).unzip();
        let none = vec![0.0; classes];
        let missing = total(&counted.missing);
        let learned = self.task.recipe.missing == Missing::Learned && missing > SMALL;
        let least = self.least_branch();
        let attempt = |left: &[f64], right: &[f64]| divide(self.criterion, &levels, left, right, least);
        let (division, side) = if learned {
            match (attempt(&counted.missing, &none), attempt(&none, &counted.missing)) {
                (Some(left), Some(right)) if left.worth >= right.worth => (left, 0),
                (left, right) => right.map(|right| (right, 1)).or(left.map(|left| (left, 0)))?,
            }
        } else {
            (attempt(&none, &none)?, 0)
        };
        let sides = [total(&division.left), total(&division.right)];
        let heavier = usize::from(sides[1] > sides[0]);
        let mut first: Vec<u32> = division.first.iter().map(|&at| counted.code(places[at])).collect();
        if heavier == 0 {
            // Levels that do not occur here follow the heavier branch.
            let declared = self.task.data.attributes()[attribute].levels().map_or(0, <[String]>::len);
            let mut occurs = vec![false; declared];
            places.iter().for_each(|&at| occurs[counted.code(at) as usize] = true);
            first.extend((0..declared as u32).filter(|&code| !occurs[code as usize]));
        }
        first.sort_unstable();
        // Where a side was learnt, the division holds the rows without a value.
        let apart = if learned { &none } else { &counted.missing };
        let (table, unknown) = self.table_of(2, [division.left, division.right].concat(), apart);
        let unknown = match self.task.recipe.missing {
            Missing::Fractions | Missing::Impute | Missing::Own => unknown,
            Missing::Learned => Unknown::Branch(if learned { side } else { heavier }),
        };
        let gain = Gain.of(&table);
        let score = self.score(&table, gain);
        Some(Candidate { attribute, test: Placement::Ready(Split::Subset { attribute, first }), unknown, gain, score })
    }
}
