//! Whether the learners' probabilities can be believed, over all data sets.

use super::super::plot::{Believed, ReliabilityDiagram};
use super::results::Learners;
use super::{Body, Panel, Section};
use crate::eval::{Reliability, Tenth};

const SIZE: [f64; 2] = [560.0, 400.0];

impl Reliability {
    /// The tenths as a diagram takes them.
    pub fn groups(&self) -> Vec<[f64; 3]> {
        self.tenths.iter().map(|&Tenth { probability, right, rows, .. }| [probability, right, rows]).collect()
    }
}

pub(super) fn section(found: &[(String, Reliability)], learners: &Learners) -> Option<Section> {
    let shown: Vec<&(String, Reliability)> = found.iter().filter(|(_, found)| !found.tenths.is_empty()).collect();
    let believed = |(name, reliability): &&(String, Reliability)| Believed {
        name: name.clone(),
        look: learners.look(name),
        groups: reliability.groups(),
    };
    let label = "The share of right predictions against their probability, a line per learner".to_string();
    let diagram = ReliabilityDiagram { label, all: shown.iter().map(believed).collect(), size: SIZE };
    (!shown.is_empty()).then(|| Section {
        heading: "Reliability".into(),
        explanation: "Predictions of all folds and data sets, in tenths by the probability of the predicted class, and how \
                      many of them were right. On the straight line a probability can be taken at its word; below it the \
                      learner is too sure of itself, above it too modest."
            .into(),
        body: Body::Panels {
            legend: learners.legend(shown.iter().map(|(name, _)| name)),
            panels: vec![Panel { name: String::new(), svg: diagram.svg() }],
        },
    })
}
