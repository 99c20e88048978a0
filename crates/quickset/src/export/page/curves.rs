//! Learning curves: accuracy, leaves and seconds against the number of training rows.

use super::super::plot::{Axis, Chart, Point, Series, Spacing};
use super::results::{Learners, distinct};
use super::{Body, Panel, Section};

const SIZE: [f64; 2] = [340.0, 220.0];

/// How one learner does on one data set as the training rows become more.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Curve {
    /// The data's name.
    pub dataset: String,
    /// The learner as the user wrote it.
    pub learner: String,
    /// The points of the curve, by rising number of rows.
    pub stages: Vec<Stage>,
}

/// A point of a curve: means over the folds at one number of training rows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stage {
    /// Training rows.
    pub rows: f64,
    /// Percent predicted rightly.
    pub accuracy: Option<f64>,
    /// Leaves of the tree.
    pub leaves: Option<f64>,
    /// Seconds of training.
    pub seconds: Option<f64>,
}

/// A figure of a stage: its name, how it is spaced, and where it is found.
type Figure = (&'static str, Spacing, fn(&Stage) -> Option<f64>);

const FIGURES: [Figure; 3] = [
    ("accuracy %", Spacing::Percent, |stage| stage.accuracy),
    ("leaves", Spacing::Fitting, |stage| stage.leaves),
    ("training seconds", Spacing::Fitting, |stage| stage.seconds),
];

pub(super) fn section(curves: &[Curve], learners: &Learners) -> Option<Section> {
    let datasets = distinct(curves.iter().map(|curve| &curve.dataset));
    let panels: Vec<Panel> = datasets
        .iter()
        .flat_map(|dataset| FIGURES.iter().filter_map(move |figure| panel(dataset, figure, curves, learners)))
        .collect();
    (!panels.is_empty()).then(|| Section {
        heading: "Learning curves".into(),
        explanation:
            "What more training rows bring: each point is the mean of the folds when a learner is given that many \
                      rows. A curve that still rises asks for more data."
                .into(),
        body: Body::Panels { legend: learners.legend(curves.iter().map(|curve| &curve.learner)), panels },
    })
}

fn panel(dataset: &str, (name, spacing, figure): &Figure, curves: &[Curve], learners: &Learners) -> Option<Panel> {
    let own = curves.iter().filter(|curve| curve.dataset == dataset);
    let series = own.map(|curve| Series {
        name: curve.learner.clone(),
        look: learners.look(&curve.learner),
        points: curve
            .stages
            .iter()
            .filter_map(|stage| Some(Point { x: stage.rows, y: figure(stage)?, name: String::new() }))
            .collect(),
        marks: true,
        line: true,
    });
    let chart = Chart {
        label: format!("{name} on {dataset} against training rows, by learner"),
        x: Axis::new("training rows", Spacing::Fitting),
        y: Axis::new(name, *spacing),
        series: series.filter(|series| !series.points.is_empty()).collect(),
        size: SIZE,
    };
    (!chart.series.is_empty()).then(|| Panel { name: dataset.to_string(), svg: chart.svg() })
}

#[cfg(test)]
mod tests {
    use super::super::Results;
    use super::*;

    #[test]
    fn a_data_set_has_a_panel_for_every_figure_it_has() {
        let stage = |rows: f64| Stage { rows, accuracy: Some(rows / 2.0), leaves: Some(rows), seconds: None };
        let curve = Curve { dataset: "iris".into(), learner: "nt".into(), stages: [10.0, 100.0].map(stage).to_vec() };
        let page = Results { curves: vec![curve], ..Results::default() }.page();
        let Body::Panels { legend, panels } = &page.sections[1].body else { panic!("curves are panels") };
        assert_eq!((legend.len(), panels.len()), (1, 2));
        assert!(panels.iter().all(|panel| panel.svg.as_str().contains("class=\"joint\"")));
    }
}
