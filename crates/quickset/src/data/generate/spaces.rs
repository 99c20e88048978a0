//! Sets that list a whole space: the three Monks (Thrun and others 1991) and the balance scale (Siegler 1976).

use super::{BITS, nominal};
use crate::data::Column;

/// How many levels each of the Monks' attributes has.
const MONKS_ARITIES: [u32; 6] = [3, 3, 2, 3, 4, 2];

/// A Monk's problem over its 432 robots; `holds` sees the attributes a1 … a6 at indices 0 … 5, levels from 1.
pub(super) fn monks(holds: fn(&[u32]) -> bool) -> Vec<Column> {
    const LEVELS: [&str; 4] = ["1", "2", "3", "4"];
    let robots = every_combination(&MONKS_ARITIES);
    let mut columns: Vec<Column> = (0..MONKS_ARITIES.len())
        .map(|at| {
            let codes = robots.iter().map(|robot| robot[at] - 1).collect();
            nominal(&format!("a{}", at + 1), &LEVELS[..MONKS_ARITIES[at] as usize], codes)
        })
        .collect();
    columns.push(nominal("class", &BITS, robots.iter().map(|robot| u32::from(holds(robot))).collect()));
    columns
}

/// Head and body of one shape, or a red jacket.
pub(super) fn monks_1(robot: &[u32]) -> bool {
    robot[0] == robot[1] || robot[4] == 1
}

/// Exactly two attributes at their first level.
pub(super) fn monks_2(robot: &[u32]) -> bool {
    robot.iter().filter(|&&level| level == 1).count() == 2
}

/// A green jacket and a sword, or a jacket not blue and a body not an octagon.
pub(super) fn monks_3(robot: &[u32]) -> bool {
    (robot[4] == 3 && robot[3] == 1) || (robot[4] != 4 && robot[1] != 3)
}

/// Which way a scale tips: left, balanced or right, by the products of weight and distance.
pub(super) fn balance_scale() -> Vec<Column> {
    const NAMES: [&str; 4] = ["left-weight", "left-distance", "right-weight", "right-distance"];
    let scales = every_combination(&[5; 4]);
    let mut columns: Vec<Column> = NAMES
        .iter()
        .enumerate()
        .map(|(at, &name)| Column::numeric(name, scales.iter().map(|scale| f64::from(scale[at])).collect()))
        .collect();
    let tips = scales.iter().map(|scale| (scale[2] * scale[3]).cmp(&(scale[0] * scale[1])) as i32 + 1);
    columns.push(nominal("class", &["L", "B", "R"], tips.map(|tip| tip as u32).collect()));
    columns
}

/// Every tuple of numbers from 1 to each arity, the last changing fastest.
fn every_combination(arities: &[u32]) -> Vec<Vec<u32>> {
    arities.iter().fold(vec![Vec::new()], |tuples, &arity| {
        tuples.iter().flat_map(|tuple| (1..=arity).map(move |number| [tuple.as_slice(), &[number]].concat())).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::{class_codes, class_counts, levels_of, numbers, text};
    use crate::data::generate::builtin;
    use std::collections::HashSet;

    #[test]
    fn monks_have_the_published_numbers_of_positives() {
        for (name, positives) in [("monks-1", 216), ("monks-2", 142), ("monks-3", 228)] {
            let data = builtin(name).unwrap();
            assert_eq!(data.rows(), 432);
            assert_eq!(class_counts(&data), [432 - positives, positives], "{name}");
            let rows: HashSet<String> =
                (0..432).map(|row| (0..6).map(|at| text(&data.attributes()[at], row)).collect()).collect();
            assert_eq!(rows.len(), 432);
        }
        let data = builtin("monks-1").unwrap();
        assert_eq!(levels_of(&data, 4), ["1", "2", "3", "4"]);
        assert_eq!(levels_of(&data, 5), ["1", "2"]);
    }

    #[test]
    fn the_balance_scale_tips_by_torque() {
        let data = builtin("balance-scale").unwrap();
        assert_eq!(levels_of(&data, 4), ["L", "B", "R"]);
        assert_eq!(class_counts(&data), [288, 49, 288]);
        for row in 0..625 {
            let at = |column| numbers(&data, column)[row];
            let torque = at(2) * at(3) - at(0) * at(1);
            assert_eq!(f64::from(class_codes(&data)[row]) - 1.0, if torque == 0.0 { 0.0 } else { torque.signum() });
        }
    }
}
