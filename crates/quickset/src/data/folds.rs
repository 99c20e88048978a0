//! Which row is tested in which fold of a cross-validation.
//!
//! A *run* divides all rows into folds once; each fold is the test set of a model trained on the others. Runs are
//! counted from 1, folds from 0.

use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::dataset::Class;
use crate::error::{Error, Result};

/// One run of a cross-validation: a fold for every row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folds {
    assignment: Vec<u16>,
    count: usize,
}

impl Folds {
    /// Divides rows into `count` folds that hold the classes in equal shares as nearly as possible.
    ///
    /// The rows of each class are shuffled by a generator that depends on `seed` and `run` alone, and dealt out to the
    /// folds in turn; a class begins where the one before it ended. So the folds differ by at most one row, in all and
    /// within every class. Rows without a class are dealt out last.
    pub fn stratified(classes: &[u16], count: usize, seed: u64, run: usize) -> Result<Self> {
        Self::check_count(count, classes.len())?;
        let mut random = generator(seed, run);
        let mut assignment = vec![0; classes.len()];
        let mut next = 0;
        for mut members in rows_by_class(classes) {
            members.shuffle(&mut random);
            for row in members {
                assignment[row as usize] = next as u16;
                next = (next + 1) % count;
            }
        }
        Ok(Folds { assignment, count })
    }

    /// Refuses a number of folds into which so many rows cannot be divided.
    pub(super) fn check_count(count: usize, rows: usize) -> Result<()> {
        if count < 2 || count > usize::from(u16::MAX) {
            return Err(Error::data(format!("found {count} folds, expected 2 to {}", u16::MAX)));
        }
        if count > rows {
            return Err(Error::data(format!("{rows} rows cannot be divided into {count} folds"))
                .remedy("ask for fewer folds, or add rows"));
        }
        Ok(())
    }

    /// Folds made elsewhere in this module: for every row one below `count`.
    pub(super) fn of(assignment: Vec<u16>, count: usize) -> Self {
        Folds { assignment, count }
    }

    /// Reads the folds of one run from a table of digits: line i belongs to row i of the data, character r is the
    /// fold of that row in run r. `rows` is how many rows the data have.
    pub fn parse(text: &str, run: usize, rows: usize) -> Result<Self> {
        let runs = Self::runs_in(text);
        if run == 0 || run > runs {
            return Err(Error::data(format!("the folds of run {run} were asked for, the file holds {runs} runs"))
                .remedy("ask for fewer runs"));
        }
        let mut assignment = Vec::with_capacity(rows);
        for (index, line) in text.trim_end().lines().enumerate() {
            let at = |error: Error| error.at_line(index as u64 + 1);
            if let Some(wrong) = line.chars().find(|c| !c.is_ascii_digit()) {
                return Err(at(Error::format(format!("found {wrong:?}, expected a fold from 0 to 9"))));
            }
            if line.len() != runs {
                return Err(at(Error::format(format!(
                    "found {} folds, expected {runs} as in the first line: one digit per run",
                    line.len()
                ))));
            }
            assignment.push(u16::from(line.as_bytes()[run - 1] - b'0'));
        }
        if assignment.len() != rows {
            return Err(Error::format(format!("found {} lines, expected {rows}: one per data row", assignment.len()))
                .at_line(assignment.len() as u64)
                .remedy("take the folds that were made for this file"));
        }
        let count = assignment.iter().max().map_or(0, |&last| usize::from(last) + 1);
        let folds = Folds { assignment, count };
        if count < 2 {
            return Err(Error::format(format!("run {run} has a single fold, so nothing is left to train on")));
        }
        if let Some(empty) = (0..count as u16).find(|fold| !folds.assignment.contains(fold)) {
            return Err(Error::format(format!(
                "no row is in fold {empty} of run {run}, though fold {} exists",
                count - 1
            )));
        }
        Ok(folds)
    }

    /// How many runs a table of digits holds: the length of its first line.
    pub fn runs_in(text: &str) -> usize {
        text.lines().next().map_or(0, |line| line.chars().count())
    }

    /// Number of folds.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The fold of every row.
    pub fn assignment(&self) -> &[u16] {
        &self.assignment
    }

    /// The rows a model is trained on when `fold` is tested, ascending.
    pub fn train_rows(&self, fold: usize) -> Vec<u32> {
        self.rows(|of| usize::from(of) != fold)
    }

    /// A part of the rows a model is trained on when `fold` is tested, ascending: `share` of every class, from 0 to 1,
    /// but a row at least. The rows are drawn by a generator that depends on `seed` and the fold alone, and a larger
    /// share holds the smaller ones.
    pub fn train_part(&self, fold: usize, classes: &[u16], share: f64, seed: u64) -> Vec<u32> {
        let mut random = generator(seed, fold);
        let rows = self.train_rows(fold);
        let of_rows: Vec<u16> = rows.iter().map(|&row| classes[row as usize]).collect();
        let mut part = Vec::new();
        for mut members in rows_by_class(&of_rows) {
            members.shuffle(&mut random);
            members.truncate((members.len() as f64 * share).ceil() as usize);
            part.extend(members.into_iter().map(|at| rows[at as usize]));
        }
        part.sort_unstable();
        part
    }

    /// The rows that `fold` tests, ascending.
    pub fn test_rows(&self, fold: usize) -> Vec<u32> {
        self.rows(|of| usize::from(of) == fold)
    }

    fn rows(&self, wanted: impl Fn(u16) -> bool) -> Vec<u32> {
        (0..self.assignment.len() as u32).filter(|&row| wanted(self.assignment[row as usize])).collect()
    }

    /// A remark on classes with fewer rows than there are folds: some folds cannot test them.
    pub fn note(&self, class: &Class) -> Option<String> {
        const SHOWN: usize = 5;
        let mut counts = vec![0; class.levels.len()];
        for &code in &class.codes {
            if let Some(count) = counts.get_mut(usize::from(code)) {
                *count += 1;
            }
        }
        // A declared class without any row is no concern of the folds.
        let small: Vec<usize> = (0..counts.len()).filter(|&code| (1..self.count).contains(&counts[code])).collect();
        let named: Vec<String> =
            small.iter().take(SHOWN).map(|&code| format!("{:?} ({})", class.levels[code], counts[code])).collect();
        let more = if small.len() > SHOWN { format!(" and {} more", small.len() - SHOWN) } else { String::new() };
        (!small.is_empty())
            .then(|| format!("classes with fewer rows than the {} folds: {}{more}", self.count, named.join(", ")))
    }
}

/// Independent streams for neighbouring seeds and runs: each number passes through the seeding function by itself.
fn generator(seed: u64, run: usize) -> Xoshiro256PlusPlus {
    let start = Xoshiro256PlusPlus::seed_from_u64(seed).next_u64();
    Xoshiro256PlusPlus::seed_from_u64(start.wrapping_add(run as u64))
}

/// The rows of each class in order of code; the rows without a class, whose code is the highest, come last.
fn rows_by_class(classes: &[u16]) -> Vec<Vec<u32>> {
    let mut members = std::collections::BTreeMap::new();
    for (row, &class) in classes.iter().enumerate() {
        members.entry(class).or_insert_with(Vec::new).push(row as u32);
    }
    members.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::NO_CLASS;

    fn spread(folds: &Folds, wanted: impl Fn(usize) -> bool) -> usize {
        let mut sizes = vec![0; folds.count()];
        for (row, &fold) in folds.assignment().iter().enumerate() {
            sizes[usize::from(fold)] += usize::from(wanted(row));
        }
        sizes.iter().max().unwrap() - sizes.iter().min().unwrap()
    }

    #[test]
    fn folds_differ_by_one_row_in_all_and_within_each_class() {
        let classes: Vec<u16> = (0..103).map(|row| [0, 0, 1, 2, 0, 1, NO_CLASS][row % 7]).collect();
        let folds = Folds::stratified(&classes, 10, 7, 3).unwrap();
        assert!(spread(&folds, |_| true) <= 1);
        for class in [0, 1, 2, NO_CLASS] {
            assert!(spread(&folds, |row| classes[row] == class) <= 1);
        }
        let mut rows = folds.train_rows(4);
        rows.extend(folds.test_rows(4));
        rows.sort_unstable();
        assert_eq!(rows, (0..103).collect::<Vec<u32>>());
    }

    #[test]
    fn a_larger_part_holds_the_smaller_ones_and_every_class_in_its_share() {
        let classes: Vec<u16> = (0..100).map(|row| u16::from(row % 10 == 0)).collect();
        let folds = Folds::stratified(&classes, 5, 1, 1).unwrap();
        let part = |share| folds.train_part(2, &classes, share, 7);
        assert_eq!(part(1.0), folds.train_rows(2));
        let (small, half) = (part(0.05), part(0.5));
        assert!(small.iter().all(|row| half.contains(row)));
        let rare = |rows: &[u32]| rows.iter().filter(|&&row| classes[row as usize] == 1).count();
        assert_eq!((small.len(), rare(&small), half.len(), rare(&half)), (5, 1, 40, 4));
        assert_eq!(part(0.5), half);
        assert_ne!(folds.train_part(2, &classes, 0.5, 8), half);
    }

    #[test]
    fn seed_and_run_decide_the_folds() {
        let classes = [0, 1, 0, 1, 0, 1, 0, 1, 0, 0];
        let folds = |seed, run| Folds::stratified(&classes, 3, seed, run).unwrap();
        assert_eq!(folds(1, 1), folds(1, 1));
        assert_ne!(folds(1, 1), folds(1, 2));
        assert_ne!(folds(1, 2), folds(2, 1));
        // Published figures name a seed: another version must make the same folds of it.
        assert_eq!(folds(1, 1).assignment(), [1, 0, 2, 0, 0, 1, 2, 2, 1, 0]);
    }

    #[test]
    fn more_folds_than_rows_and_a_single_fold_are_refused() {
        assert!(Folds::stratified(&[0, 1], 3, 1, 1).unwrap_err().to_string().contains("2 rows cannot be divided"));
        assert!(Folds::stratified(&[0, 1], 1, 1, 1).is_err());
    }

    #[test]
    fn a_table_of_digits_holds_a_run_per_column() {
        let text = "01\r\n10\r\n02\r\n";
        assert_eq!(Folds::runs_in(text), 2);
        let folds = Folds::parse(text, 1, 3).unwrap();
        assert_eq!((folds.count(), folds.test_rows(0), folds.train_rows(0)), (2, vec![0, 2], vec![1]));
        assert_eq!(Folds::parse(text, 2, 3).unwrap().assignment(), [1, 0, 2]);
    }

    #[test]
    fn a_wrong_table_gets_a_sentence_with_its_line() {
        let said = |text, run, rows| Folds::parse(text, run, rows).unwrap_err().to_string();
        assert_eq!(said("01\n1\n", 1, 2), "line 2: found 1 folds, expected 2 as in the first line: one digit per run");
        assert_eq!(said("01\n1x\n", 1, 2), "line 2: found 'x', expected a fold from 0 to 9");
        assert!(said("0\n1\n", 1, 3).starts_with("line 2: found 2 lines, expected 3: one per data row"));
        assert!(said("0\n1\n0\n", 1, 2).contains("found 3 lines, expected 2"));
        assert!(said("0\n1\n", 2, 2).contains("the file holds 1 runs"));
        assert!(said("0\n2\n", 1, 2).contains("no row is in fold 1 of run 1"));
        assert!(said("0\n0\n", 1, 2).contains("single fold"));
        assert!(said("", 1, 2).contains("holds 0 runs"));
        assert!(said("é\n", 1, 1).contains("found 'é'"));
    }

    #[test]
    fn a_class_smaller_than_the_folds_is_remarked() {
        let class = |codes: &[u16]| Class {
            name: "y".into(),
            levels: vec!["a".into(), "b".into(), "unused".into()],
            codes: codes.to_vec(),
        };
        let folds = Folds::stratified(&[0, 0, 0, 1], 3, 1, 1).unwrap();
        assert_eq!(folds.note(&class(&[0, 0, 0, 1])).unwrap(), "classes with fewer rows than the 3 folds: \"b\" (1)");
        assert_eq!(folds.note(&class(&[0, 0, 0, NO_CLASS])), None);
    }
}
