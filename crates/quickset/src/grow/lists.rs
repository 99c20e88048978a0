//! The sorted list of a dense numeric attribute at a node, and how a test divides it.
//!
//! Lists are slices of arrays that were sorted once; dividing a node reorders its slices in place, each part still
//! sorted. Only where a row goes down several branches in fractions must a child own its lists.

use super::marks::Mark;
use crate::data::{Item, Parts, part};

/// Rows of known value, ascending.
pub(crate) enum List<'a> {
    /// A part of an array that was sorted once.
    Slice(&'a mut [Item]),
    /// A list of its own, since its rows are also elsewhere.
    Owned(Vec<Item>),
}

/// Where the rows of a node go.
pub(super) struct Branches<'b, M> {
    /// The branch of each row, [`Mark::NONE`] where it goes into all in fractions.
    pub of: &'b [M],
    pub fractions: Option<&'b [f64]>,
    /// The branches that want lists.
    pub open: &'b [bool],
    /// How many rows the node has, and how many of them are in its first branch.
    pub all: usize,
    pub first: usize,
}

impl<'a> List<'a> {
    pub fn items(&self) -> &[Item] {
        match self {
            List::Slice(items) => items,
            List::Owned(items) => items,
        }
    }

    /// Divides the list into the parts of the open branches, each still sorted.
    pub(super) fn divide<M: Mark>(
        self,
        by: &Branches<'_, M>,
        aside: &mut Vec<Item>,
        mut give: impl FnMut(usize, List<'a>),
    ) {
        match (self, by.fractions) {
            (List::Slice(items), None) => {
                let mut rest = items;
                if by.open.len() == 2 {
                    let first = if rest.len() == by.all { by.first } else { count_first(rest, by.of) };
                    divide_in_two(rest, first, aside, by.of);
                    let (left, right) = rest.split_at_mut(first);
                    give(0, List::Slice(left));
                    give(1, List::Slice(right));
                } else {
                    for (to, size) in divide_in_many(rest, aside, by).into_iter().enumerate() {
                        let (part, after) = rest.split_at_mut(size);
                        rest = after;
                        give(to, List::Slice(part));
                    }
                }
            }
            (list, fractions) => {
                for to in (0..by.open.len()).filter(|&to| by.open[to]) {
                    let goes = |row: u32| goes_to(by.of[row as usize], to, fractions);
                    give(to, List::Owned(part(list.items(), goes).collect()));
                }
            }
        }
    }
}

fn goes_to<M: Mark>(mark: M, to: usize, fractions: Option<&[f64]>) -> bool {
    match fractions {
        Some(fractions) if mark == M::NONE => fractions[to] > 0.0,
        _ => mark.branch() == to,
    }
}

/// Reorders items by branch and answers how many each has.
fn divide_in_many<M: Mark>(items: &mut [Item], aside: &mut Vec<Item>, by: &Branches<'_, M>) -> Vec<usize> {
    make_room(aside, items.len());
    let mut sizes = vec![0; by.open.len()];
    items.iter().for_each(|item| sizes[by.of[item.row() as usize].branch()] += 1);
    let mut next = Vec::with_capacity(sizes.len());
    let mut sum = 0;
    for &size in &sizes {
        next.push(sum);
        sum += size;
    }
    let mut parts = Parts::new(vec![0; sizes.len()]);
    for &item in items.iter() {
        let branch = by.of[item.row() as usize].branch();
        parts.see(item);
        aside[next[branch]] = parts.put(item, branch);
        next[branch] += 1;
    }
    items.copy_from_slice(&aside[..items.len()]);
    sizes
}

/// How many items are in the first of two branches.
fn count_first<M: Mark>(items: &[Item], marks: &[M]) -> usize {
    items.iter().map(|item| 1 - marks[item.row() as usize].branch()).sum()
}

/// The two-way case. Only the items of the smaller branch are put aside, so that the memory for it is half a list.
fn divide_in_two<M: Mark>(items: &mut [Item], first: usize, aside: &mut Vec<Item>, marks: &[M]) {
    let second = items.len() - first;
    let smaller = usize::from(second <= first);
    // One more place is written than is kept.
    make_room(aside, first.min(second) + 1);
    put_aside(items, smaller, aside, marks);
    if smaller == 0 {
        items.copy_within(..second, first);
        items[..first].copy_from_slice(&aside[..first]);
    } else {
        items[first..].copy_from_slice(&aside[..second]);
    }
}

/// Copies the items of one of two branches to `aside` and moves the others to the front, without a branch that depends
/// on the data: both places are written, one of them counts. Inlined into its caller it would keep its places on the
/// stack.
#[inline(never)]
fn put_aside<M: Mark>(items: &mut [Item], branch: usize, aside: &mut [Item], marks: &[M]) {
    let other = 1 - branch;
    let (mut kept, mut moved) = (0, 0);
    let mut parts = Parts::new([0; 2]);
    for at in 0..items.len() {
        let item = items[at];
        let goes = (marks[item.row() as usize].branch() ^ other) & 1;
        parts.see(item);
        let item = parts.put(item, goes);
        // kept <= at: what is overwritten here was read before.
        items[kept] = item;
        aside[moved] = item;
        kept += 1 - goes;
        moved += goes;
    }
}

fn make_room(aside: &mut Vec<Item>, places: usize) {
    aside.resize(aside.len().max(places), Item::new(0, false));
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The slow twin: the list of some rows, from their values.
    fn listed(values: &[u32], rows: impl Iterator<Item = u32>) -> Vec<Item> {
        let mut rows: Vec<u32> = rows.collect();
        let value = |row: u32| values[row as usize];
        rows.sort_by_key(|&row| (value(row), row));
        let is_same = |at: usize| at > 0 && value(rows[at - 1]) == value(rows[at]);
        (0..rows.len()).map(|at| Item::new(rows[at], is_same(at))).collect()
    }

    /// One division: where each row goes, among how many branches, and how those are weighted where it goes to all.
    #[derive(Clone, Debug)]
    struct Division {
        marks: Vec<u8>,
        branches: u8,
        fractions: Option<Vec<f64>>,
    }

    const ROWS: usize = 90;

    fn division() -> impl Strategy<Value = Division> {
        let marks = |branches: u8| (Just(branches), prop::collection::vec(0..branches, ROWS));
        // Most rows in one branch, so that either may be the smaller.
        let skewed = (0..2u8, prop::collection::vec(0..9u8, ROWS))
            .prop_map(|(most, draws)| (2, draws.iter().map(|&draw| if draw == 0 { 1 - most } else { most }).collect()));
        let whole = prop_oneof![skewed, (2..6u8).prop_flat_map(marks)];
        (whole, prop::option::weighted(0.2, prop::collection::vec(any::<bool>(), ROWS))).prop_map(
            |((branches, mut marks), everywhere)| {
                let fractions = everywhere.map(|everywhere| {
                    marks.iter_mut().zip(everywhere).filter(|(_, all)| *all).for_each(|(mark, _)| *mark = u8::NONE);
                    (0..branches).map(|branch| f64::from(branch % 3)).collect()
                });
                Division { marks, branches, fractions }
            },
        )
    }

    proptest! {
        #[test]
        fn however_often_divided_a_list_is_that_of_its_values(
            values in (1..100u32).prop_flat_map(|most| prop::collection::vec(0..most, ROWS)),
            unknown in prop::collection::vec(prop::bool::weighted(0.1), ROWS),
            divisions in prop::collection::vec(division(), 1..5),
        ) {
            let all: Vec<u32> = (0..ROWS as u32).collect();
            let known = |row: &u32| !unknown[*row as usize];
            let mut array = listed(&values, all.iter().copied().filter(known));
            let mut nodes = vec![(all, List::Slice(&mut array))];
            let mut aside = Vec::new();
            for Division { marks, branches, fractions } in &divisions {
                let open = vec![true; usize::from(*branches)];
                let mut children = Vec::new();
                for (rows, list) in nodes {
                    let goes = |row: &u32, to| goes_to(marks[*row as usize], to, fractions.as_deref());
                    let of = |to| rows.iter().copied().filter(|row| goes(row, to)).collect::<Vec<u32>>();
                    let by = Branches {
                        of: marks, fractions: fractions.as_deref(), open: &open, all: rows.len(), first: of(0).len(),
                    };
                    list.divide(&by, &mut aside, |to, part| children.push((of(to), part)));
                }
                for (rows, list) in &children {
                    prop_assert_eq!(list.items(), listed(&values, rows.iter().copied().filter(known)));
                }
                nodes = children;
            }
        }
    }
}
