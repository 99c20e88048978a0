//! Whether probabilities can be believed: how often the predicted class is right, by the probability that it was given.

use serde::{Deserialize, Serialize};

/// Into how many equal parts the probabilities are divided.
const PARTS: usize = 10;

/// Predictions by the probability of the predicted class, as far as there are any: ascending tenths.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Reliability {
    /// The tenths that hold predictions.
    pub tenths: Vec<Tenth>,
}

/// The predictions whose probability lies in one tenth of the way from 0 to 1.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tenth {
    /// The least probability.
    pub from: f64,
    /// The next tenth begins here.
    pub to: f64,
    /// The weight of the rows.
    pub rows: f64,
    /// Their mean probability.
    pub probability: f64,
    /// The share of them that were predicted rightly.
    pub right: f64,
}

impl Reliability {
    /// Of predictions: the probability, whether it was right, and the weight of the row.
    pub(super) fn of(predictions: impl Iterator<Item = (f64, bool, f64)>) -> Self {
        let tenths = predictions.filter(|(_, _, weight)| *weight > 0.0).map(|(probability, right, rows)| {
            let part = ((probability * PARTS as f64) as usize).min(PARTS - 1);
            let edge = |part: usize| part as f64 / PARTS as f64;
            Tenth { from: edge(part), to: edge(part + 1), rows, probability, right: f64::from(u8::from(right)) }
        });
        Self::together(tenths)
    }

    /// All predictions of several together, such as the folds of a cross-validation.
    pub fn merged<'a>(all: impl Iterator<Item = &'a Reliability>) -> Self {
        Self::together(all.flat_map(|reliability| reliability.tenths.iter().cloned()))
    }

    fn together(all: impl Iterator<Item = Tenth>) -> Self {
        let mut tenths: Vec<Tenth> = Vec::new();
        for tenth in all {
            let place = tenths.partition_point(|other| other.from < tenth.from);
            match tenths.get_mut(place).filter(|other| other.from == tenth.from) {
                // Sums for now.
                Some(sums) => {
                    sums.rows += tenth.rows;
                    sums.probability += tenth.rows * tenth.probability;
                    sums.right += tenth.rows * tenth.right;
                }
                None => {
                    let (probability, right) = (tenth.rows * tenth.probability, tenth.rows * tenth.right);
                    tenths.insert(place, Tenth { probability, right, ..tenth });
                }
            }
        }
        for tenth in &mut tenths {
            tenth.probability /= tenth.rows;
            tenth.right /= tenth.rows;
        }
        Reliability { tenths }
    }

    /// The mean distance between the probabilities of a tenth and the share that were right (the expected calibration
    /// error): 0 where probabilities can be taken at their word. `None` without predictions.
    pub fn error(&self) -> Option<f64> {
        let rows: f64 = self.tenths.iter().map(|tenth| tenth.rows).sum();
        let off = |tenth: &Tenth| tenth.rows * (tenth.probability - tenth.right).abs();
        (rows > 0.0).then(|| self.tenths.iter().map(off).sum::<f64>() / rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn predictions_are_sorted_by_their_probability() {
        let predictions =
            [(0.95, true, 1.0), (1.0, false, 2.0), (0.5, true, 1.0), (0.59, false, 1.0), (0.2, true, 0.0)];
        let found = Reliability::of(predictions.into_iter());
        let figures: Vec<[f64; 5]> =
            found.tenths.iter().map(|t| [t.from, t.to, t.rows, t.probability, t.right]).collect();
        assert_eq!(figures.len(), 2);
        for (found, expected) in
            figures.iter().flatten().zip([0.5, 0.6, 2.0, 0.545, 0.5, 0.9, 1.0, 3.0, 2.95 / 3.0, 1.0 / 3.0])
        {
            assert!((found - expected).abs() < 1e-12, "{figures:?}");
        }
        let error = (2.0 * 0.045 + 2.95 - 1.0) / 5.0;
        assert!((found.error().unwrap() - error).abs() < 1e-12);
        assert_eq!(Reliability::default().error(), None);
    }

    #[test]
    fn folds_together_are_as_all_rows_at_once() {
        let rows: Vec<(f64, bool, f64)> =
            (0..40).map(|row| (f64::from(row) / 40.0, row % 3 == 0, 1.0 + f64::from(row % 2))).collect();
        let parts = [&rows[..7], &rows[7..21], &rows[21..]].map(|part| Reliability::of(part.iter().copied()));
        let (merged, whole) = (Reliability::merged(parts.iter()), Reliability::of(rows.into_iter()));
        assert_eq!(merged.tenths.len(), whole.tenths.len());
        for (a, b) in merged.tenths.iter().zip(&whole.tenths) {
            assert!(
                a.rows == b.rows && (a.probability - b.probability).abs() < 1e-12 && (a.right - b.right).abs() < 1e-12
            );
        }
    }
}
