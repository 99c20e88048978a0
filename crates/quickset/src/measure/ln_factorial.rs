//! ln x! of whole numbers, and between them.

use std::sync::OnceLock;

use statrs::function::gamma::ln_gamma;

/// Whole numbers below this are looked up. The table is small enough to be made for a handful of rows.
const TABLED: usize = 1 << 12;

/// ln 0!, ln 1!, ln 2! and so on: sums of logarithms, with what rounding loses carried along (Neumaier 1974).
pub(crate) fn ln_factorials() -> impl Iterator<Item = f64> {
    let (mut sum, mut lost) = (0.0, 0.0);
    let next = move |number: u32| {
        let term = f64::from(number).ln();
        let rounded: f64 = sum + term;
        lost += if sum >= term { (sum - rounded) + term } else { (term - rounded) + sum };
        sum = rounded;
        sum + lost
    };
    std::iter::once(0.0).chain((1..).map(next))
}

/// ln x!, which for fractions of rows is continued by ln Γ(x + 1).
pub fn ln_factorial(x: f64) -> f64 {
    static TABLE: OnceLock<Vec<f64>> = OnceLock::new();
    let table = TABLE.get_or_init(|| ln_factorials().take(TABLED).collect());
    let whole = x as usize;
    match table.get(whole) {
        Some(&tabled) if whole as f64 == x => tabled,
        _ => ln_gamma(x + 1.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn factorials_are_products() {
        let mut product = 1.0f64;
        for number in 1..=170 {
            product *= f64::from(number);
            assert!((ln_factorial(f64::from(number)) - product.ln()).abs() < 1e-12 * product.ln().max(1.0));
        }
        assert_eq!([0.0, 1.0].map(ln_factorial), [0.0, 0.0]);
    }

    /// Where the table ends, and far beyond, against Stirling's series.
    #[test]
    fn the_table_and_what_follows_it_agree() {
        let all: Vec<f64> = ln_factorials().take(100_001).collect();
        for number in [100, TABLED - 1, TABLED, TABLED + 1, 100_000] {
            let x = number as f64;
            let stirling = x * x.ln() - x + 0.5 * (std::f64::consts::TAU * x).ln() + 1.0 / (12.0 * x)
                - 1.0 / (360.0 * x.powi(3))
                + 1.0 / (1260.0 * x.powi(5));
            assert!((all[number] - stirling).abs() < 1e-14 * stirling, "{number}");
            assert!((ln_factorial(x) - stirling).abs() < 1e-13 * stirling, "{number}");
        }
    }

    proptest! {
        /// Γ(x + 1) = x Γ(x), also between whole numbers.
        #[test]
        fn one_more_row_multiplies_by_it(x in 0.0..5000.0f64) {
            let step = ln_factorial(x + 1.0) - ln_factorial(x);
            prop_assert!((step - (x + 1.0).ln()).abs() < 1e-9);
        }
    }
}
