//! The learners' mean ranks as a critical-difference diagram.

use super::super::plot::{CriticalDifference, Ranked};
use super::results::Learners;
use super::{Body, Panel, Section};

const WIDTH: f64 = 440.0;

/// Mean ranks over data sets, and which learners they do not tell apart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ranks {
    /// The learners with their mean ranks; 1 is best.
    pub learners: Vec<(String, f64)>,
    /// How many data sets were ranked.
    pub datasets: usize,
    /// How far mean ranks must differ to tell learners apart.
    pub critical_difference: Option<f64>,
    /// Learners that are not told apart, as indices of `learners`.
    pub groups: Vec<Vec<usize>>,
    /// Friedman's test: how probable such ranks are if all learners were equal.
    pub friedman_p: Option<f64>,
}

impl Ranks {
    pub(super) fn section(&self, learners: &Learners) -> Section {
        let ranked =
            |(name, rank): &(String, f64)| Ranked { name: name.clone(), look: learners.look(name), rank: *rank };
        let diagram = CriticalDifference {
            label: format!("Mean ranks of {} learners on {}", self.learners.len(), self.sets()),
            learners: self.learners.iter().map(ranked).collect(),
            difference: self.critical_difference,
            groups: self.groups.clone(),
            width: WIDTH,
        };
        Section {
            heading: "Mean ranks".into(),
            explanation: self.explanation(),
            body: Body::Panels { legend: vec![], panels: vec![Panel { name: String::new(), svg: diagram.svg() }] },
        }
    }

    fn explanation(&self) -> String {
        let places = format!(
            "On each data set the most accurate learner has rank 1, the next rank 2; here are the means over {}, the best \
             at the left.",
            self.sets()
        );
        let bars = match (&self.critical_difference, self.groups.iter().any(|group| group.len() > 1)) {
            (Some(_), true) => {
                " A thick bar joins learners whose ranks differ by less than the critical difference: these data do not \
                 tell them apart."
            }
            (Some(_), false) => " All differ by more than the critical difference.",
            (None, true) => " A thick bar joins learners that these data do not tell apart.",
            (None, false) => "",
        };
        let test = self.friedman_p.map_or_else(String::new, |p| {
            let chance = if p < 0.0001 { "below 0.0001".to_string() } else { format!("of {p:.4}") };
            format!(" Were all learners equal, ranks this uneven would have a probability {chance} (Friedman's test).")
        });
        format!("{places}{bars}{test}")
    }

    fn sets(&self) -> String {
        if self.datasets == 1 { "1 data set".into() } else { format!("{} data sets", self.datasets) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_explanation_says_what_is_drawn() {
        let mut ranks = Ranks {
            learners: vec![("nt".into(), 1.2), ("c45".into(), 1.8)],
            datasets: 33,
            critical_difference: Some(0.34),
            groups: vec![],
            friedman_p: Some(0.01234),
        };
        assert!(ranks.explanation().contains("over 33 data sets, the best"));
        assert!(ranks.explanation().contains("All differ by more"));
        assert!(ranks.explanation().contains("probability of 0.0123 (Friedman"));
        ranks.groups = vec![vec![0, 1]];
        assert!(ranks.explanation().contains("thick bar joins"));
    }
}
