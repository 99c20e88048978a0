//! Martin and Hirschberg's heuristics on the tables of ALGORITHMS.md §5.1.

use super::*;

/// A table with what every measure says of it.
struct Vector {
    classes: usize,
    cells: &'static [f64],
    gain: f64,
    gain_ratio: f64,
    gini: f64,
    /// 1 − d.
    distance: f64,
    /// Where there are two branches.
    orthogonality: Option<f64>,
    chi2: f64,
    p: f64,
    g2: f64,
    ln_w: f64,
    unsplit: f64,
    p0: f64,
}

#[rustfmt::skip]
const VECTORS: [Vector; 9] = [
    Vector { classes: 2, cells: &[2.0, 3.0, 4.0, 0.0, 3.0, 2.0], gain: 0.24674982, gain_ratio: 0.15642756,
        gini: 0.11632653, distance: 0.10865525, orthogonality: None, chi2: 3.54666667, p: 0.16976616, g2: 4.78895037,
        ln_w: -9.79812704, unsplit: -10.3099522, p0: 0.04995005 },
    Vector { classes: 2, cells: &[3.0, 4.0, 6.0, 1.0], gain: 0.15183550, gain_ratio: 0.15183550,
        gini: 0.09183673, distance: 0.08489780, orthogonality: Some(0.27664446), chi2: 2.8, p: 0.09426431,
        g2: 2.94684179, ln_w: -9.66014129, unsplit: -10.3099522, p0: 0.12237762 },
    Vector { classes: 2, cells: &[6.0, 2.0, 3.0, 3.0], gain: 0.04812703, gain_ratio: 0.04884862,
        gini: 0.03061224, distance: 0.02563511, orthogonality: Some(0.10557281), chi2: 0.93333333, p: 0.33399826,
        g2: 0.93405523, ln_w: -10.4710715, unsplit: -10.3099522, p0: 0.27972028 },
    Vector { classes: 2, cells: &[3.0, 1.0, 1.0, 3.0], gain: 0.18872188, gain_ratio: 0.18872188,
        gini: 0.125, distance: 0.10419265, orthogonality: Some(0.4), chi2: 2.0, p: 0.15729921,
        g2: 2.09299258, ln_w: -5.99146455, unsplit: -6.44571982, p0: 0.22857143 },
    Vector { classes: 2, cells: &[1.0, 0.0, 9.0, 90.0], gain: 0.03389358, gain_ratio: 0.41951060,
        gini: 0.01636364, distance: 0.06569858, orthogonality: Some(0.90049628), chi2: 9.09090909, p: 0.00256883,
        g2: 4.69864740, ln_w: -33.4780556, unsplit: -35.0974439, p0: 0.1 },
    Vector { classes: 2, cells: &[9.0, 1.0, 1.0, 89.0], gain: 0.34283100, gain_ratio: 0.73098981,
        gini: 0.14222222, distance: 0.57603148, orthogonality: Some(0.87840892), chi2: 79.0123457, p: 6.1723e-19,
        g2: 47.5264684, ln_w: -13.7111495, unsplit: -35.0974439, p0: 5.19921381e-11 },
    Vector { classes: 2, cells: &[10.0, 30.0, 0.0, 60.0], gain: 0.14448434, gain_ratio: 0.14880710,
        gini: 0.03, distance: 0.11153115, orthogonality: Some(0.05131670), chi2: 16.6666667, p: 4.4557e-05,
        g2: 20.0297831, ln_w: -28.3824367, unsplit: -35.0974439, p0: 4.89685369e-05 },
    Vector { classes: 2, cells: &[7.0, 7.0, 3.0, 83.0], gain: 0.14123951, gain_ratio: 0.24174962,
        gini: 0.05209302, distance: 0.15486875, orthogonality: Some(0.26781326), chi2: 28.9405685, p: 7.4633e-08,
        g2: 19.5799533, ln_w: -26.8509127, unsplit: -35.0974439, p0: 2.02902716e-05 },
    Vector { classes: 3, cells: &[5.0, 0.0, 1.0, 1.0, 6.0, 0.0, 0.0, 1.0, 6.0], gain: 0.97211323,
        gain_ratio: 0.61475926, gini: 0.41023810, distance: 0.44379237, orthogonality: None, chi2: 24.6371882,
        p: 5.9506e-05, g2: 26.9527017, ln_w: -16.1828222, unsplit: -24.1484602, p0: 2.21012218e-06 },
];

/// Equal to the digits that are given.
#[track_caller]
fn close(found: f64, expected: f64, digits: f64) {
    assert!((found - expected).abs() <= digits * expected.abs().max(1e-300), "found {found}, expected {expected}");
}

#[test]
fn every_measure_gives_its_vector() {
    for vector in &VECTORS {
        let table = Table::new(vector.classes, vector.cells.to_vec(), 0.0);
        let digits = 6e-7;
        close(Gain.of(&table), vector.gain, digits);
        close(GainRatio.of(&table), vector.gain_ratio, digits);
        close(Gini.of(&table), vector.gini, digits);
        close(Distance.of(&table), vector.distance, digits);
        if let Some(orthogonality) = vector.orthogonality {
            close(Orthogonality.of(&table), orthogonality, digits);
        }
        close(ChiSquared.statistic(&table), vector.chi2, digits);
        close(ChiSquared.ln_p(&table).exp(), vector.p, 2e-5);
        close(GSquared.statistic(&table), vector.g2, digits);
        close(Beta.ln_w(&table), vector.ln_w, digits);
        close(Beta.ln_w_unsplit(&table), vector.unsplit, digits);
        close(Hypergeometric.ln_p0(&table).exp(), vector.p0, digits);
    }
}

/// What Martin shows of rows 5 to 8.
#[test]
fn orthogonality_prefers_a_sliver_and_the_hypergeometric_reverses_the_gain() {
    let [sliver, tenth, half, pure] = [4, 5, 6, 7].map(|at| Table::new(2, VECTORS[at].cells.to_vec(), 0.0));
    assert!(Orthogonality.of(&sliver) > Orthogonality.of(&tenth));
    assert!(Gain.of(&half) > Gain.of(&pure));
    assert!(Hypergeometric.of(&half) < Hypergeometric.of(&pure));
}
