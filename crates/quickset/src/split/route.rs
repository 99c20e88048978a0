//! Where rows go: the branch of many rows at once, column by column.

use super::Split;
use crate::data::{Column, ColumnData, MISSING};

/// Calls `give` with every row and its branch, [`MISSING`] where the value is missing. Growing, surgery and held-out
/// rows all go this way; a single row's branch is [`Split::branch`].
pub(crate) fn route(split: &Split, column: &Column, rows: &[u32], mut give: impl FnMut(usize, u32, u32)) {
    let all = rows.iter().enumerate();
    match (split, column.data()) {
        (Split::Threshold { cut, .. }, ColumnData::Numeric(values)) => {
            all.for_each(|(at, &row)| give(at, row, side(values[row as usize], *cut)));
        }
        (Split::Threshold { cut, .. }, ColumnData::Numeric32(values)) => {
            all.for_each(|(at, &row)| give(at, row, side(f64::from(values[row as usize]), *cut)));
        }
        (Split::Threshold { cut, .. }, ColumnData::SparseNumeric(sparse)) => {
            sparse.visit(rows, |at, row, value| give(at, row, side(value.unwrap_or(0.0), *cut)));
        }
        (Split::Levels { .. }, ColumnData::Nominal { codes, .. }) => {
            all.for_each(|(at, &row)| give(at, row, codes[row as usize]));
        }
        _ => all.for_each(|(at, &row)| {
            let branch = split.branch(column.value(row as usize));
            give(at, row, branch.map_or(MISSING, |branch| branch as u32));
        }),
    }
}

/// The rows of two branches, `second` of them in the second one, without a jump that depends on the data: both places
/// are written, one of them counts. `branch` is asked with the place and the row.
pub(crate) fn divide_in_two(rows: &[u32], second: usize, branch: impl Fn(usize, u32) -> usize) -> [Vec<u32>; 2] {
    // One more place is written than is kept.
    let (mut left, mut right) = (vec![0; rows.len() - second + 1], vec![0; second + 1]);
    let (mut to_left, mut to_right) = (0, 0);
    for (at, &row) in rows.iter().enumerate() {
        let branch = branch(at, row);
        left[to_left] = row;
        right[to_right] = row;
        to_left += 1 - branch;
        to_right += branch;
    }
    left.truncate(to_left);
    right.truncate(to_right);
    [left, right]
}

/// The rows of the two sides of a cut, where `entries` are those of them that are not zero, in the same order. `None`
/// where a value is missing.
pub(crate) fn divide_sparse(cut: f64, rows: &[u32], entries: &[(u32, f64)]) -> Option<[Vec<u32>; 2]> {
    let of_zero = side(0.0, cut);
    // One more than there are, so that there is always a next one.
    let mut others = Vec::with_capacity(entries.len() + 1);
    for &(row, value) in entries {
        match side(value, cut) {
            MISSING => return None,
            side if side != of_zero => others.push(row),
            _ => {}
        }
    }
    others.push(u32::MAX);
    // Every row is written, and only counts if it is not the next one of the others.
    let mut with_zero = vec![0; rows.len() + 2 - others.len()];
    let (mut kept, mut next) = (0, 0);
    for &row in rows {
        with_zero[kept] = row;
        let is_other = usize::from(others[next] == row);
        next += is_other;
        kept += 1 - is_other;
    }
    with_zero.truncate(kept);
    others.truncate(next);
    Some(if of_zero == 0 { [with_zero, others] } else { [others, with_zero] })
}

#[inline(always)]
fn side(value: f64, cut: f64) -> u32 {
    if value.is_nan() { MISSING } else { u32::from(value > cut) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Sparse;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn many_rows_go_where_single_rows_go(
            values in prop::collection::vec(prop_oneof![Just(f64::NAN), -2.0..2.0f64, Just(0.0)], 1..30),
            cut in -2.0..2.0f64,
        ) {
            let rows: Vec<u32> = (0..values.len() as u32).collect();
            let stored: Vec<u32> = rows.iter().copied().filter(|&row| values[row as usize] != 0.0).collect();
            let sparse = Sparse {
                len: values.len(),
                values: stored.iter().map(|&row| values[row as usize]).collect(),
                rows: stored,
            };
            let codes: Vec<u32> = values.iter().map(|v| if v.is_nan() { MISSING } else { u32::from(*v > 0.0) }).collect();
            let levels: Vec<String> = vec!["a".into(), "b".into()];
            let threshold = Split::Threshold { attribute: 0, cut };
            let some: Vec<u32> = rows.iter().copied().filter(|row| row % 3 != 1).collect();
            let few: Vec<u32> = some.iter().copied().take(1).collect();
            for rows in [some, few] {
                let mut slow = [Vec::new(), Vec::new()];
                rows.iter().for_each(|&row| slow[usize::from(values[row as usize] > cut)].push(row));
                let known = rows.iter().all(|&row| !values[row as usize].is_nan());
                let mut entries = Vec::new();
                sparse.among(&rows, &mut Vec::new(), &mut entries);
                let fast = divide_sparse(cut, &rows, &entries);
                prop_assert_eq!(fast, known.then_some(slow));
            }
            let cases = [
                (threshold.clone(), ColumnData::Numeric(values.clone())),
                (threshold.clone(), ColumnData::Numeric32(values.iter().map(|&v| v as f32).collect())),
                (threshold, ColumnData::SparseNumeric(sparse.clone())),
                (Split::Intervals { attribute: 0, cuts: vec![cut, cut + 1.0] }, ColumnData::SparseNumeric(sparse)),
                (Split::Intervals { attribute: 0, cuts: vec![cut, cut + 1.0] }, ColumnData::Numeric(values.clone())),
                (Split::Levels { attribute: 0 }, ColumnData::Nominal { levels: levels.clone(), codes: codes.clone() }),
                (Split::Subset { attribute: 0, first: vec![1] }, ColumnData::Nominal { levels, codes }),
            ];
            for (split, data) in cases {
                let column = Column::new("x", data);
                route(&split, &column, &rows, |at, row, branch| {
                    assert_eq!(at, row as usize);
                    let slow = split.branch(column.value(at)).map_or(MISSING, |branch| branch as u32);
                    assert_eq!(branch, slow);
                });
            }
        }
    }
}
