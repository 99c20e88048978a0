//! The results of a comparison as a page.

use super::super::plot::Look;
use super::{Body, Curve, Page, Ranks, Section, Table, boxes, costs, curves, reliability};
use crate::eval::Reliability;

/// What a comparison of learners found, finished: nothing is computed from it but places in plots.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Results {
    /// What was compared.
    pub title: String,
    /// How: data sets, learners, folds, runs, seed. Quickset's version is added.
    pub facts: Vec<(String, String)>,
    /// The command that makes the page again, as it was called.
    pub command: String,
    /// The figures of every data set and learner, and what was concluded from them.
    pub table: Table,
    /// The same as plain numbers, for the plots. Data sets and learners are shown in the order in which they come first.
    pub outcomes: Vec<Outcome>,
    /// The learners' mean ranks over the data sets, if there are enough of both.
    pub ranks: Option<Ranks>,
    /// How often the learners' predictions were right, by their probability, where it is known.
    pub reliability: Vec<(String, Reliability)>,
    /// Learning curves, if any were asked for.
    pub curves: Vec<Curve>,
    /// What the reader should know before reading on, such as what failed.
    pub notes: Vec<String>,
}

/// What one learner did on one data set.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// The data's name.
    pub dataset: String,
    /// The learner as the user wrote it.
    pub learner: String,
    /// Percent predicted rightly, for every fold of every run that was done; none if the learner failed.
    pub accuracies: Vec<f64>,
    /// Nodes of the tree, in the mean.
    pub size: Option<f64>,
    /// Seconds of training, in the mean.
    pub seconds: Option<f64>,
}

impl Outcome {
    /// The mean of the accuracies, if there are any.
    pub(super) fn accuracy(&self) -> Option<f64> {
        let count = self.accuracies.len();
        (count > 0).then(|| self.accuracies.iter().sum::<f64>() / count as f64)
    }
}

impl Results {
    /// The page: the table, mean ranks, box plots, what accuracy costs, reliability, and learning curves, as far as they
    /// were found.
    pub fn page(&self) -> Page {
        let mut sections = vec![Section {
            heading: "Results".into(),
            explanation: self.table.explanation.clone(),
            body: Body::Table(self.table.clone()),
        }];
        let learners = self.learners();
        sections.extend(self.ranks.as_ref().map(|ranks| ranks.section(&learners)));
        sections.extend(boxes::section(&self.outcomes, &learners));
        sections.extend(costs::section(&self.outcomes, &learners));
        sections.extend(reliability::section(&self.reliability, &learners));
        sections.extend(curves::section(&self.curves, &learners));
        Page {
            title: self.title.clone(),
            facts: self.facts.clone(),
            command: self.command.clone(),
            notes: self.notes.clone(),
            sections,
        }
    }

    /// Every learner of the page, each with one look in all plots.
    fn learners(&self) -> Learners {
        let ranked = self.ranks.iter().flat_map(|ranks| &ranks.learners).map(|(name, _)| name);
        let outcomes = self.outcomes.iter().map(|outcome| &outcome.learner);
        Learners(distinct(outcomes.chain(self.curves.iter().map(|curve| &curve.learner)).chain(ranked)))
    }
}

/// The learners of a page, in the order of their looks.
pub(super) struct Learners(Vec<String>);

impl Learners {
    pub fn look(&self, learner: &str) -> Look {
        Look(self.0.iter().position(|name| name == learner).unwrap_or(self.0.len()))
    }

    pub fn names(&self) -> &[String] {
        &self.0
    }

    /// The legend of plots that show these learners only.
    pub fn legend<'a>(&self, shown: impl Iterator<Item = &'a String>) -> Vec<(String, Look)> {
        let shown = distinct(shown);
        let learners = self.0.iter().filter(|name| shown.contains(name));
        learners.map(|name| (name.clone(), self.look(name))).collect()
    }
}

/// Each name once, in the order of its first occurrence.
pub(super) fn distinct<'a>(names: impl Iterator<Item = &'a String>) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for name in names {
        if !found.contains(name) {
            found.push(name.clone());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::Stage;
    use super::*;

    fn outcome(dataset: &str, learner: &str, accuracies: &[f64]) -> Outcome {
        Outcome {
            dataset: dataset.into(),
            learner: learner.into(),
            accuracies: accuracies.to_vec(),
            size: (!accuracies.is_empty()).then_some(7.0),
            seconds: (!accuracies.is_empty()).then_some(0.001),
        }
    }

    fn headings(results: &Results) -> Vec<String> {
        results.page().sections.into_iter().map(|section| section.heading).collect()
    }

    #[test]
    fn sections_are_there_as_far_as_there_is_something_to_show() {
        let mut results = Results { outcomes: vec![outcome("iris", "nt", &[90.0, 95.0])], ..Results::default() };
        assert_eq!(headings(&results), ["Results", "Accuracy by data set", "What accuracy costs"]);
        results.outcomes[0] = outcome("iris", "nt", &[]);
        assert_eq!(headings(&results), ["Results", "Accuracy by data set"]);
        results.ranks = Some(Ranks { learners: vec![("nt".into(), 1.0)], ..Ranks::default() });
        let stage = Stage { rows: 10.0, accuracy: Some(50.0), ..Stage::default() };
        results.curves = vec![Curve { dataset: "iris".into(), learner: "c45".into(), stages: vec![stage] }];
        assert_eq!(headings(&results), ["Results", "Mean ranks", "Accuracy by data set", "Learning curves"]);
    }

    #[test]
    fn a_learner_looks_the_same_in_every_plot() {
        let results = Results {
            outcomes: vec![
                outcome("iris", "nt", &[90.0]),
                outcome("iris", "c45", &[91.0]),
                outcome("glass", "nt", &[]),
            ],
            ranks: Some(Ranks { learners: vec![("c45".into(), 1.0), ("nt".into(), 2.0)], ..Ranks::default() }),
            ..Results::default()
        };
        let learners = results.learners();
        assert_eq!(learners.names(), ["nt", "c45"]);
        assert_eq!((learners.look("nt"), learners.look("c45")), (Look(0), Look(1)));
    }
}
