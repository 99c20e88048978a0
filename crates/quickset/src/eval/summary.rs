//! What is measured on a fold, and how such numbers spread.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::cross_validation::Cell;

/// Numbers that differ by less than this share of them are the same: sums of the same terms in another order.
const ROUNDING: f64 = 1e-12;

/// Whether two finite numbers differ by no more than rounding.
pub(super) fn same(a: f64, b: f64) -> bool {
    (a - b).abs() <= ROUNDING * a.abs().max(b.abs())
}

/// One of the numbers of a [`Cell`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Figure {
    /// Percent predicted rightly.
    Accuracy,
    /// The mean over classes of the percent predicted rightly.
    BalancedAccuracy,
    /// Mean of −ln of the probability of the true class.
    LogLoss,
    /// Mean squared error of the probabilities, summed over classes.
    Brier,
    /// Area under the ROC curve.
    Auc,
    /// Leaves of the tree.
    Leaves,
    /// Nodes of the tree.
    Size,
    /// Tests on its longest path.
    Depth,
    /// Seconds of training.
    TrainSeconds,
    /// Seconds of predicting the fold.
    PredictSeconds,
}

/// Which end of a figure is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Better {
    /// The larger, the better.
    Higher,
    /// The smaller, the better.
    Lower,
}

impl Figure {
    /// All figures, in the order in which they are shown.
    pub const ALL: [Figure; 10] = [
        Figure::Accuracy,
        Figure::BalancedAccuracy,
        Figure::LogLoss,
        Figure::Brier,
        Figure::Auc,
        Figure::Leaves,
        Figure::Size,
        Figure::Depth,
        Figure::TrainSeconds,
        Figure::PredictSeconds,
    ];

    /// The number in a cell; absent where the learner failed, or the figure is not defined.
    pub fn of(self, cell: &Cell) -> Option<f64> {
        let count = |count: Option<usize>| count.map(|count| count as f64);
        let number = match self {
            Figure::Accuracy => cell.accuracy,
            Figure::BalancedAccuracy => cell.balanced_accuracy,
            Figure::LogLoss => cell.log_loss,
            Figure::Brier => cell.brier,
            Figure::Auc => cell.auc,
            Figure::Leaves => count(cell.leaves),
            Figure::Size => count(cell.size),
            Figure::Depth => count(cell.depth),
            Figure::TrainSeconds => cell.train_seconds,
            Figure::PredictSeconds => cell.predict_seconds,
        };
        // Cells may come from a file that somebody edited.
        number.filter(|number| number.is_finite())
    }

    /// Its name in documents, as that of the cell's field.
    pub fn name(self) -> &'static str {
        match self {
            Figure::Accuracy => "accuracy",
            Figure::BalancedAccuracy => "balanced_accuracy",
            Figure::LogLoss => "log_loss",
            Figure::Brier => "brier",
            Figure::Auc => "auc",
            Figure::Leaves => "leaves",
            Figure::Size => "size",
            Figure::Depth => "depth",
            Figure::TrainSeconds => "train_seconds",
            Figure::PredictSeconds => "predict_seconds",
        }
    }

    /// Its name with its unit, for people: `accuracy %`.
    pub fn label(self) -> &'static str {
        match self {
            Figure::Accuracy => "accuracy %",
            Figure::BalancedAccuracy => "balanced %",
            Figure::LogLoss => "log-loss",
            Figure::Brier => "Brier",
            Figure::Auc => "AUC",
            Figure::Leaves => "leaves",
            Figure::Size => "size",
            Figure::Depth => "depth",
            Figure::TrainSeconds => "train s",
            Figure::PredictSeconds => "predict s",
        }
    }

    /// How many digits behind the point tell people something.
    pub fn digits(self) -> usize {
        match self {
            Figure::Accuracy | Figure::BalancedAccuracy => 2,
            Figure::LogLoss | Figure::Brier | Figure::Auc => 3,
            Figure::Leaves | Figure::Size | Figure::Depth => 1,
            Figure::TrainSeconds | Figure::PredictSeconds => 6,
        }
    }

    /// Which end of it is wanted.
    pub fn better(self) -> Better {
        match self {
            Figure::Accuracy | Figure::BalancedAccuracy | Figure::Auc => Better::Higher,
            Figure::LogLoss | Figure::Brier => Better::Lower,
            Figure::Leaves | Figure::Size | Figure::Depth => Better::Lower,
            Figure::TrainSeconds | Figure::PredictSeconds => Better::Lower,
        }
    }
}

/// How numbers spread.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Spread {
    /// How many they are, at least one.
    pub count: usize,
    /// Their mean.
    pub mean: f64,
    /// Their sample standard deviation, which a single number does not have.
    pub deviation: Option<f64>,
    /// The least of them.
    pub least: f64,
    /// A quarter of them are at most this.
    pub lower_quartile: f64,
    /// Half of them are at most this.
    pub median: f64,
    /// Three quarters of them are at most this.
    pub upper_quartile: f64,
    /// The largest of them.
    pub most: f64,
}

impl Spread {
    /// The spread of finite numbers; `None` where there are none, or one is not finite.
    ///
    /// Quartiles between two numbers are interpolated linearly: type 7 of Hyndman and Fan (1996), as in R and NumPy.
    pub fn of(numbers: &[f64]) -> Option<Self> {
        let mut sorted = numbers.to_vec();
        sorted.sort_by(f64::total_cmp);
        let (&least, &most) = (sorted.first()?, sorted.last()?);
        // `total_cmp` puts what is not finite at the ends.
        if !least.is_finite() || !most.is_finite() {
            return None;
        }
        let count = sorted.len();
        // Rounding must not lead out of the numbers: equal ones have a deviation of exactly 0.
        let mean = (sorted.iter().sum::<f64>() / count as f64).clamp(least, most);
        let squares: f64 = sorted.iter().map(|number| (number - mean).powi(2)).sum();
        let quantile = |share: f64| {
            let place = share * (count - 1) as f64;
            let (low, high) = (sorted[place.floor() as usize], sorted[place.ceil() as usize]);
            low + place.fract() * (high - low)
        };
        Some(Spread {
            count,
            mean,
            deviation: (count > 1).then(|| (squares / (count - 1) as f64).sqrt()),
            least,
            lower_quartile: quantile(0.25),
            median: quantile(0.5),
            upper_quartile: quantile(0.75),
            most,
        })
    }
}

/// The [`Spread`] of every [`Figure`]; in documents an object with the figures' names.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Spreads([Option<Spread>; Figure::ALL.len()]);

impl Spreads {
    /// The spread of what `numbers` gives for each figure.
    pub(super) fn of(mut numbers: impl FnMut(Figure) -> Vec<f64>) -> Self {
        Spreads(Figure::ALL.map(|figure| Spread::of(&numbers(figure))))
    }

    /// The spread of one figure; absent where nothing has it.
    pub fn get(&self, figure: Figure) -> Option<&Spread> {
        self.0[figure as usize].as_ref()
    }
}

impl Serialize for Spreads {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for figure in Figure::ALL {
            map.serialize_entry(figure.name(), &self.get(figure))?;
        }
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::cell;
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn figures_are_in_order_and_named_as_in_the_cell() {
        for (index, figure) in Figure::ALL.into_iter().enumerate() {
            assert_eq!(figure as usize, index);
            assert_eq!(serde_json::to_value(figure).unwrap(), figure.name());
        }
        let cell = Cell { leaves: Some(7), log_loss: Some(f64::INFINITY), ..cell("d", "c45", 1, 1, Some(75.0)) };
        assert_eq!(Figure::Accuracy.of(&cell), Some(75.0));
        assert_eq!(Figure::Leaves.of(&cell), Some(7.0));
        assert_eq!(Figure::LogLoss.of(&cell), None);
        assert_eq!(Figure::Depth.of(&cell), None);
    }

    // Checked with numpy.std(ddof=1) and numpy.percentile.
    #[test]
    fn a_spread_is_that_of_numpy() {
        let spread = Spread::of(&[1.0, 2.5, -0.5, 4.0, 3.5, 2.0, 7.25]).unwrap();
        assert_eq!((spread.count, spread.least, spread.most), (7, -0.5, 7.25));
        assert!((spread.mean - 2.8214285714285716).abs() < 1e-15);
        assert!((spread.deviation.unwrap() - 2.469456273294647).abs() < 1e-14);
        assert_eq!((spread.lower_quartile, spread.median, spread.upper_quartile), (1.5, 2.5, 3.75));
    }

    #[test]
    fn few_and_equal_numbers_have_a_spread_too() {
        assert_eq!(Spread::of(&[]), None);
        assert_eq!(Spread::of(&[1.0, f64::NAN]), None);
        let one = Spread::of(&[4.0]).unwrap();
        assert_eq!((one.mean, one.deviation, one.median), (4.0, None, 4.0));
        assert_eq!(Spread::of(&[0.1; 10]).unwrap().deviation, Some(0.0));
    }

    #[test]
    fn spreads_are_a_document_by_name() {
        let spreads = Spreads::of(|figure| if figure == Figure::Leaves { vec![3.0] } else { Vec::new() });
        let document = serde_json::to_value(&spreads).unwrap();
        assert_eq!(document["leaves"]["mean"], 3.0);
        assert!(document["accuracy"].is_null());
    }

    proptest! {
        #[test]
        fn the_parts_of_a_spread_are_in_order(numbers in prop::collection::vec(-1e6..1e6f64, 1..40)) {
            let spread = Spread::of(&numbers).unwrap();
            let parts = [spread.least, spread.lower_quartile, spread.median, spread.upper_quartile, spread.most];
            prop_assert!(parts.is_sorted());
            prop_assert!(spread.least <= spread.mean && spread.mean <= spread.most);
            prop_assert!(spread.deviation.is_none_or(|deviation| deviation <= spread.most - spread.least));
        }
    }
}
