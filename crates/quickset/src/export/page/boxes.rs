//! How accuracy varies over the folds: a panel per data set, a box per learner.

use super::super::plot::{Axis, BoxRow, Boxes, Spacing};
use super::results::{Learners, distinct};
use super::{Body, Outcome, Panel, Section};

const WIDTH: f64 = 340.0;

pub(super) fn section(outcomes: &[Outcome], learners: &Learners) -> Option<Section> {
    let panel = |dataset: String| {
        let rows = outcomes.iter().filter(|outcome| outcome.dataset == dataset).map(|outcome| BoxRow {
            name: outcome.learner.clone(),
            look: learners.look(&outcome.learner),
            values: outcome.accuracies.clone(),
        });
        let boxes = Boxes {
            label: format!("Accuracy of every fold on {dataset}, by learner"),
            axis: Axis::new("accuracy %", Spacing::Percent),
            rows: rows.collect(),
            width: WIDTH,
        };
        Panel { svg: boxes.svg(), name: dataset }
    };
    let panels: Vec<Panel> = distinct(outcomes.iter().map(|outcome| &outcome.dataset)).into_iter().map(panel).collect();
    (!panels.is_empty()).then(|| Section {
        heading: "Accuracy by data set".into(),
        explanation:
            "Each box holds the middle half of the folds' accuracies, its thick line the median, its mark the \
                      mean; whiskers reach to the last fold within one and a half box lengths, and rings are folds \
                      beyond. Fewer than five folds are drawn one by one. Every data set has its own scale."
                .into(),
        body: Body::Panels { legend: vec![], panels },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_data_set_is_a_panel_and_a_learner_a_row() {
        let outcome = |dataset: &str, learner: &str| Outcome {
            dataset: dataset.into(),
            learner: learner.into(),
            accuracies: vec![90.0, 91.0, 92.0, 93.0, 94.0],
            ..Outcome::default()
        };
        let outcomes = [outcome("iris", "nt"), outcome("iris", "c45"), outcome("glass", "nt")];
        let learners = super::super::Results { outcomes: outcomes.to_vec(), ..Default::default() };
        let page = learners.page();
        let section = page.sections.iter().find(|section| section.heading == "Accuracy by data set").unwrap();
        let Body::Panels { panels, .. } = &section.body else { panic!("boxes are panels") };
        assert_eq!(panels.iter().map(|panel| panel.name.as_str()).collect::<Vec<_>>(), ["iris", "glass"]);
        assert_eq!(panels[0].svg.as_str().matches("class=\"box\"").count(), 2);
        assert_eq!(panels[1].svg.as_str().matches("class=\"box\"").count(), 1);
    }
}
