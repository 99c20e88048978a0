//! The data sets of a comparison: what they are called, and how their rows are divided.

use std::collections::HashSet;
use std::path::Path;

use anyhow::Result;
use clap::Args;
use quickset::Dataset;
use quickset::data::Folds;
use quickset::eval::Cell;
use xxhash_rust::xxh3::xxh3_64;

use crate::failure::Usage;
use crate::input::name_of;

const RUNS: usize = 10;
const FOLDS: u16 = 10;

/// A data set that the user named.
pub struct Set {
    /// What results call it.
    pub name: String,
    /// Where it is.
    pub path: String,
}

/// How the rows are divided into folds.
#[derive(Args)]
pub struct Division {
    /// How often the data are divided anew [default: 10, or what --folds-from holds]
    #[arg(long, value_name = "R", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    runs: Option<u32>,

    /// Into how many parts they are divided [default: 10]
    #[arg(long, value_name = "F", value_parser = clap::value_parser!(u16).range(2..))]
    folds: Option<u16>,

    /// Where random draws start
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,

    /// Take the folds from this file, or from NAME.folds in this folder: a line per row, a digit per run
    #[arg(long, value_name = "FILE|DIR", conflicts_with = "folds")]
    folds_from: Option<String>,
}

impl Division {
    /// How many folds; `None` where files tell.
    pub fn count(&self) -> Option<u16> {
        self.folds_from.is_none().then(|| self.folds.unwrap_or(FOLDS))
    }

    /// What a report says of it.
    pub fn facts(&self, cells: &[Cell]) -> Vec<(String, String)> {
        let runs = cells.iter().map(|cell| cell.run).max().unwrap_or(0);
        let folds = cells.iter().map(|cell| cell.fold).max().unwrap_or(0);
        let times = if runs == 1 { "one run".to_string() } else { format!("{runs} runs") };
        let mut facts = vec![("cross-validation".to_string(), format!("{times} of {folds} stratified folds"))];
        match &self.folds_from {
            Some(source) => facts.push(("folds from".into(), source.clone())),
            None => facts.push(("seed".into(), self.seed.to_string())),
        }
        facts
    }

    /// How the rows are divided in every run, and the text that says so, if one does.
    pub fn of(&self, set: &Set, data: &Dataset) -> Result<(Vec<Folds>, Option<String>)> {
        let asked = self.runs.map(|runs| runs as usize);
        let Some(source) = &self.folds_from else {
            let codes = data.class().map_or(&[][..], |class| &class.codes);
            let count = usize::from(self.folds.unwrap_or(FOLDS));
            let folds = |run| Folds::stratified(codes, count, self.seed, run);
            let runs: quickset::Result<_> = (1..=asked.unwrap_or(RUNS)).map(folds).collect();
            return Ok((runs.map_err(|error| error.in_file(&set.path))?, None));
        };
        let mut file = Path::new(source).to_path_buf();
        if file.is_dir() {
            file.push(format!("{}.folds", set.name));
        }
        let text = std::fs::read_to_string(&file).map_err(|error| {
            quickset::Error::io(&file, &error).remedy("--folds-from names a file, or a folder of NAME.folds")
        })?;
        let runs = asked.unwrap_or_else(|| Folds::runs_in(&text).min(RUNS));
        let runs: quickset::Result<_> = (1..=runs).map(|run| Folds::parse(&text, run, data.rows())).collect();
        Ok((runs.map_err(|error| error.in_file(&file))?, Some(text)))
    }
}

/// Gives every data set a name of its own: that of the file, or the whole path where two files are called alike.
pub fn named(paths: &[String]) -> Result<Vec<Set>> {
    let mut seen = HashSet::new();
    if let Some(twice) = paths.iter().find(|path| !seen.insert(*path)) {
        return Err(Usage(format!("{twice} is named twice; name every data set once")).into());
    }
    let short: Vec<String> = paths.iter().map(|path| name_of(path)).collect();
    let alone = |name: &String| short.iter().filter(|other| *other == name).count() == 1;
    let set = |(path, name): (&String, &String)| Set {
        name: if alone(name) { name.clone() } else { path.clone() },
        path: path.clone(),
    };
    Ok(paths.iter().zip(&short).map(set).collect())
}

/// A hash of the data and of the text that divides them.
pub fn fingerprint(data: &Dataset, division: Option<&str>) -> String {
    format!("{:016x}-{:016x}", data.fingerprint(), xxh3_64(division.unwrap_or_default().as_bytes()))
}

/// Reads `12.5%`.
pub fn percent(text: &str) -> Result<f64, String> {
    let number = text.trim().strip_suffix('%').and_then(|number| number.parse::<f64>().ok());
    number.filter(|number| *number > 0.0 && *number <= 100.0).ok_or_else(|| {
        format!("found {text:?}, expected parts of the training rows such as 5%,50%,100%, above 0% and up to 100%")
    })
}

/// The points of a learning curve in order, each once.
pub fn ascending(shares: &[f64]) -> Vec<f64> {
    let mut shares = shares.to_vec();
    shares.sort_by(f64::total_cmp);
    shares.dedup();
    shares
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(paths: &[&str]) -> Vec<String> {
        let paths: Vec<String> = paths.iter().map(ToString::to_string).collect();
        named(&paths).unwrap().into_iter().map(|set| set.name).collect()
    }

    #[test]
    fn files_that_are_called_alike_go_by_their_paths() {
        assert_eq!(names(&["a/x.csv", "y.arff"]), ["x", "y"]);
        assert_eq!(names(&["a/x.csv", "b/x.csv", "y.arff"]), ["a/x.csv", "b/x.csv", "y"]);
        assert!(named(&["a".into(), "a".into()]).is_err());
    }

    #[test]
    fn shares_are_percentages() {
        assert_eq!(percent("12.5%"), Ok(12.5));
        assert_eq!(percent(" 100%"), Ok(100.0));
        for wrong in ["5", "0%", "101%", "-1%", "many%", "", "NaN%"] {
            assert!(percent(wrong).is_err(), "{wrong}");
        }
        assert_eq!(ascending(&[50.0, 5.0, 50.0]), [5.0, 50.0]);
    }
}
