//! What accuracy costs: size and training time against it, a mark per data set and learner.

use super::super::plot::{Axis, Chart, Point, Series, Spacing};
use super::results::Learners;
use super::{Body, Outcome, Panel, Section};

const SIZE: [f64; 2] = [440.0, 330.0];

pub(super) fn section(outcomes: &[Outcome], learners: &Learners) -> Option<Section> {
    let scatter = |name: &str, axis: &str, cost: fn(&Outcome) -> Option<f64>| {
        let series = learners.names().iter().map(|learner| {
            let own = outcomes.iter().filter(|outcome| outcome.learner == *learner);
            let point = |outcome: &Outcome| {
                Some(Point { x: cost(outcome)?, y: outcome.accuracy()?, name: outcome.dataset.clone() })
            };
            Series {
                name: learner.clone(),
                look: learners.look(learner),
                points: own.filter_map(point).collect(),
                marks: true,
                line: false,
            }
        });
        let series: Vec<Series> = series.filter(|series| !series.points.is_empty()).collect();
        let chart = Chart {
            label: format!("{name}, a mark per data set and learner"),
            x: Axis::new(axis, Spacing::Fitting),
            y: Axis::new("accuracy %", Spacing::Percent),
            series,
            size: SIZE,
        };
        (!chart.series.is_empty()).then(|| Panel { name: name.into(), svg: chart.svg() })
    };
    let panels: Vec<Panel> = [
        scatter("Accuracy against size", "size: nodes of the tree", |outcome| outcome.size),
        scatter("Accuracy against training time", "training time in seconds", |outcome| outcome.seconds),
    ]
    .into_iter()
    .flatten()
    .collect();
    (!panels.is_empty()).then(|| Section {
        heading: "What accuracy costs".into(),
        explanation: "Every mark is one learner on one data set, in the mean of its folds: the higher the more accurate, \
                      the further left the smaller the tree or the faster the training. Rest on a mark to read its name."
            .into(),
        body: Body::Panels {
            legend: learners.legend(
                outcomes.iter().filter(|outcome| !outcome.accuracies.is_empty()).map(|outcome| &outcome.learner),
            ),
            panels,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::super::Results;
    use super::*;

    #[test]
    fn a_learner_on_a_data_set_is_a_mark_in_both_plots() {
        let outcome = |learner: &str, seconds| Outcome {
            dataset: "iris".into(),
            learner: learner.into(),
            accuracies: vec![90.0, 94.0],
            size: Some(5.0),
            seconds,
        };
        let failed = Outcome { dataset: "iris".into(), learner: "x".into(), ..Outcome::default() };
        let outcomes = vec![outcome("nt", Some(0.1)), outcome("c45", None), failed];
        let page = Results { outcomes, ..Results::default() }.page();
        let Body::Panels { legend, panels } = &page.sections[2].body else { panic!("costs are panels") };
        assert_eq!(legend.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["nt", "c45"]);
        let marks = |panel: &Panel| panel.svg.as_str().matches("class=\"mark\"").count();
        assert_eq!(panels.iter().map(marks).collect::<Vec<_>>(), [2, 1]);
        assert!(panels[0].svg.as_str().contains("<title>iris, nt\naccuracy %: 92\nsize: nodes of the tree: 5</title>"));
    }
}
