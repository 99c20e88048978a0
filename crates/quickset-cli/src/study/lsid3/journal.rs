//! What was followed, on the disk as soon as it is finished, so that a study that was stopped goes on where it was.

use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use anyhow::Result;
use quickset::Error;

use super::anytime::{Followed, Way};
use crate::study::report;

/// The file of an unfinished study, a line each, and what it becomes.
const PART: &str = "curves.part";
const WHOLE: &str = "curves.csv";

/// Where it goes.
pub struct Journal {
    earlier: Vec<Followed>,
    /// Nowhere, where the study leaves nothing behind.
    file: Option<(PathBuf, Mutex<File>)>,
}

impl Journal {
    /// Goes on with what is in the study's folder.
    pub fn open(folder: Option<&Path>) -> Result<Self> {
        let Some(path) = folder.map(|folder| folder.join(PART)) else {
            return Ok(Journal { earlier: Vec::new(), file: None });
        };
        let text = match fs::read_to_string(&path) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(Error::io(&path, &error).into()),
            text => text.unwrap_or_default(),
        };
        // A line that a kill left unfinished does not count.
        let earlier: Vec<Followed> = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        let file = File::create(&path).map_err(|error| Error::io(&path, &error))?;
        let journal = Journal { earlier: Vec::new(), file: Some((path, Mutex::new(file))) };
        earlier.iter().try_for_each(|followed| journal.add(followed))?;
        Ok(Journal { earlier, ..journal })
    }

    /// Whether an unfinished study is gone on with.
    pub fn resumes(&self) -> bool {
        !self.earlier.is_empty()
    }

    /// What is there already.
    pub fn earlier(&self, set: &str, way: Way, seed: u64, limit: f64) -> Option<&Followed> {
        let asked = |followed: &&Followed| {
            followed.set == set && (followed.way, followed.seed, followed.limit) == (way, seed, limit)
        };
        self.earlier.iter().find(asked)
    }

    /// Adds what is finished.
    pub fn add(&self, followed: &Followed) -> Result<()> {
        let Some((path, file)) = &self.file else { return Ok(()) };
        let line = format!("{}\n", serde_json::to_string(followed)?);
        let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(file.write_all(line.as_bytes()).map_err(|error| Error::io(path, &error))?)
    }

    /// Leaves every tree as a line of a table.
    pub fn finish(self, folder: Option<&Path>, all: &[Followed]) -> Result<()> {
        let (Some(folder), Some((part, _))) = (folder, self.file) else { return Ok(()) };
        let mut table = csv::Writer::from_writer(Vec::new());
        table.write_record(["dataset", "way", "seed", "by", "seconds", "accuracy", "leaves"])?;
        for Followed { set, way, seed, found, .. } in all {
            for tree in found {
                let figures = [tree.seconds, tree.accuracy, tree.leaves].map(|figure| figure.to_string());
                let names = [set.as_str(), way.name(), &seed.to_string(), &tree.by].map(str::to_string);
                table.write_record(names.iter().chain(&figures))?;
            }
        }
        report::write(folder, WHOLE, &String::from_utf8_lossy(&table.into_inner()?))?;
        Ok(fs::remove_file(&part).map_err(|error| Error::io(&part, &error))?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::lsid3::curve::Found;

    #[test]
    fn what_is_finished_is_not_done_again_and_half_a_line_is() {
        let folder = tempfile::tempdir().unwrap();
        let place = Some(folder.path());
        let found = vec![Found { by: "look-ahead, r=1".into(), seconds: 0.25, accuracy: 50.0, leaves: 9.0 }];
        let followed = Followed { set: "xor-5".into(), way: Way::Sequencing, seed: 2, limit: 1.0, found };
        let journal = Journal::open(place).unwrap();
        assert!(!journal.resumes());
        journal.add(&followed).unwrap();
        drop(journal);
        let part = folder.path().join(PART);
        let text = fs::read_to_string(&part).unwrap();
        fs::write(&part, format!("{text}{}", &text[..text.len() / 2])).unwrap();
        let journal = Journal::open(place).unwrap();
        assert_eq!(journal.earlier("xor-5", Way::Sequencing, 2, 1.0), Some(&followed));
        for (way, seed, limit) in [(Way::Iidt, 2, 1.0), (Way::Sequencing, 1, 1.0), (Way::Sequencing, 2, 3.0)] {
            assert_eq!(journal.earlier("xor-5", way, seed, limit), None);
        }
        assert_eq!(fs::read_to_string(&part).unwrap(), text);
        journal.finish(place, &[followed]).unwrap();
        let table = fs::read_to_string(folder.path().join(WHOLE)).unwrap();
        assert_eq!(table.lines().nth(1), Some("xor-5,sequencing,2,\"look-ahead, r=1\",0.25,50,9"));
        assert!(!part.exists());
    }
}
