//! What papers and other programs report, and why ours differs where it does. Both are data files with their sources.

use std::collections::HashMap;

const FIGURES: &str = include_str!("published.csv");
const CAUSES: &str = include_str!("causes.csv");

/// The published figures of one table of results.
pub struct Published {
    /// By data set and learner: the value, and where it is from.
    values: HashMap<(String, String), (String, String)>,
    causes: HashMap<(String, String), String>,
}

impl Published {
    /// Those of the table of this name.
    pub fn table(name: &str) -> Self {
        let figures = lines(FIGURES).filter(|line| line[0] == name);
        let causes = lines(CAUSES).filter(|line| line[0] == name);
        Published {
            values: figures.map(|[_, set, learner, value, source]| ((set, learner), (value, source))).collect(),
            causes: causes.map(|[_, set, learner, cause]| ((set, learner), cause)).collect(),
        }
    }

    /// What is published of a learner on a data set.
    pub fn text(&self, set: &str, learner: &str) -> Option<&str> {
        self.values.get(&(set.to_string(), learner.to_string())).map(|(value, _)| value.as_str())
    }

    /// The same as a number.
    pub fn number(&self, set: &str, learner: &str) -> Option<f64> {
        self.text(set, learner)?.parse().ok()
    }

    /// Why ours is another, as far as it is known.
    pub fn cause(&self, set: &str, learner: &str) -> Option<&str> {
        self.causes.get(&(set.to_string(), learner.to_string())).map(String::as_str)
    }

    /// Where the figures are from, each source once.
    pub fn sources(&self) -> Vec<&str> {
        let mut sources: Vec<&str> = self.values.values().map(|(_, source)| source.as_str()).collect();
        sources.sort_unstable();
        sources.dedup();
        sources
    }
}

/// The lines of a file of ours after its heading, as fields.
fn lines<const N: usize>(text: &'static str) -> impl Iterator<Item = [String; N]> {
    csv::Reader::from_reader(text.as_bytes()).into_records().map(|line| {
        let line = line.expect("our own file is in order");
        std::array::from_fn(|field| line[field].to_string())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_causes_and_sources_are_found() {
        let uci = Published::table("uci");
        assert_eq!(uci.number("letter", "c45"), Some(88.03));
        assert_eq!(uci.number("letter", "oak"), None);
        assert_eq!(uci.cause("letter", "c45"), None);
        assert!(uci.sources().contains(&"Su and Zhang 2006"));
        assert!(Published::table("text").cause("oh0", "c45").unwrap().starts_with("Weka"));
    }

    #[test]
    fn every_cause_explains_a_figure() {
        for [table, set, learner, _] in lines::<4>(CAUSES) {
            assert!(Published::table(&table).text(&set, &learner).is_some(), "{table}, {set}, {learner}");
        }
    }
}
