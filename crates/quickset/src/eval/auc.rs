//! The area under the ROC curve: how often a row of the class is ranked above one of the others.

/// One row as one class sees it.
pub(super) struct Scored {
    /// The probability the row was given for the class.
    pub score: f64,
    /// The row's weight.
    pub weight: f64,
    /// Whether the row is of the class.
    pub positive: bool,
}

/// The area for one class; rows with the same score count half (midranks). `None` without rows on both sides.
pub(super) fn area(mut rows: Vec<Scored>) -> Option<f64> {
    rows.sort_by(|a, b| a.score.total_cmp(&b.score));
    let (mut positives, mut negatives, mut pairs) = (0.0, 0.0, 0.0);
    for tied in rows.chunk_by(|a, b| a.score == b.score) {
        let sum = |positive| tied.iter().filter(|row| row.positive == positive).map(|row| row.weight).sum::<f64>();
        let (above, beside) = (sum(true), sum(false));
        // `negatives` is what lies below this score.
        pairs += above * (negatives + beside / 2.0);
        positives += above;
        negatives += beside;
    }
    (positives > 0.0 && negatives > 0.0).then(|| pairs / (positives * negatives))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Every pair looked at by itself.
    fn by_pairs(rows: &[(u8, u8, bool)]) -> Option<f64> {
        let (mut won, mut all) = (0.0, 0.0);
        for &(a, weight_a, _) in rows.iter().filter(|row| row.2) {
            for &(b, weight_b, _) in rows.iter().filter(|row| !row.2) {
                let weight = f64::from(weight_a) * f64::from(weight_b);
                all += weight;
                won += weight
                    * if a > b {
                        1.0
                    } else if a == b {
                        0.5
                    } else {
                        0.0
                    };
            }
        }
        (all > 0.0).then(|| won / all)
    }

    proptest! {
        #[test]
        fn the_area_is_the_share_of_pairs_in_order(
            rows in prop::collection::vec((0..6u8, 1..4u8, any::<bool>()), 0..40),
        ) {
            let scored = rows.iter().map(|&(score, weight, positive)| Scored {
                score: f64::from(score),
                weight: f64::from(weight),
                positive,
            });
            match (area(scored.collect()), by_pairs(&rows)) {
                (Some(fast), Some(slow)) => prop_assert!((fast - slow).abs() < 1e-12),
                (fast, slow) => prop_assert_eq!(fast, slow),
            }
        }
    }
}
