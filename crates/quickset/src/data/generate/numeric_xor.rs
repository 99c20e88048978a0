//! Parity without bits: the sign of a product of coordinates (Esmeir and Markovitch 2007).

use super::nominal;
use super::random::Random;
use crate::data::Column;

/// The class is the sign of the product of the first `relevant` coordinates; as many others are irrelevant. All are
/// uniform on [−1, 1).
pub(super) fn sign_of_product(random: &mut Random, rows: usize, relevant: usize) -> Vec<Column> {
    let mut coordinates = vec![Vec::with_capacity(rows); 2 * relevant];
    let mut signs = Vec::with_capacity(rows);
    for _ in 0..rows {
        let mut negative = false;
        for (at, column) in coordinates.iter_mut().enumerate() {
            let value = 2.0 * random.uniform() - 1.0;
            negative ^= at < relevant && value < 0.0;
            column.push(value);
        }
        signs.push(u32::from(!negative));
    }
    let mut columns: Vec<Column> = coordinates
        .into_iter()
        .enumerate()
        .map(|(at, values)| Column::numeric(format!("x{}", at + 1), values))
        .collect();
    columns.push(nominal("class", &["negative", "positive"], signs));
    columns
}

#[cfg(test)]
mod tests {
    use super::super::tests::{class_codes, numbers};
    use crate::data::generate::builtin;

    #[test]
    fn the_class_is_the_sign_of_the_product() {
        for (name, rows, relevant) in [("numeric-xor-3d", 200, 3), ("numeric-xor-4d", 500, 4)] {
            let data = builtin(name).unwrap();
            assert_eq!((data.rows(), data.attributes().len()), (rows, 2 * relevant + 1));
            for row in 0..rows {
                let product: f64 = (0..relevant).map(|at| numbers(&data, at)[row]).product();
                assert_eq!(class_codes(&data)[row], u32::from(product > 0.0), "{name}, row {row}");
            }
            let all: Vec<f64> = (0..2 * relevant).flat_map(|at| numbers(&data, at).to_vec()).collect();
            assert!(all.iter().all(|value| (-1.0..1.0).contains(value)));
            assert!((all.iter().sum::<f64>() / all.len() as f64).abs() < 0.06);
        }
    }
}
