//! The intervals of a numeric attribute that leave the fewest training errors (Auer, Holte and Maass 1995).
//!
//! A dynamic programme from the highest value down. For every number of intervals and every class it knows the most
//! weight that can be right so far if the lowest interval predicts that class. A value changes only the classes of its
//! rows: an interval of any other class may as well begin later. So a row costs a step for every number of intervals,
//! however many classes there are.

use super::mdl::Labelled;
use crate::measure::SMALL;

/// An interval of a solution: where it ends, and the one above it.
#[derive(Clone, Copy)]
struct Interval {
    end: usize,
    above: Option<usize>,
}

/// The best solution with at most so many intervals.
#[derive(Clone, Copy)]
struct Best {
    right: f64,
    class: u16,
    /// Its lowest interval; `None` before any value was taken.
    lowest: Option<usize>,
}

/// Where the intervals of ascending values begin, the first left out: at most `most` intervals, of the fewest errors. Of
/// equals the fewest intervals win, then the lowest cuts. Equal values are never divided.
pub(crate) fn fewest_errors(sorted: &[Labelled], classes: usize, most: usize) -> Vec<usize> {
    // Every interval that was ever the lowest; the first reaches up to the highest value.
    let mut intervals = vec![Interval { end: sorted.len(), above: None }];
    // By number of intervals, then class: the weight that is right, and the lowest interval.
    let mut states = vec![(0.0, 0); most * classes];
    let mut best = vec![Best { right: 0.0, class: 0, lowest: None }; most];
    let mut of_value = vec![0.0; classes];
    let mut held: Vec<u16> = Vec::new();
    let mut end = sorted.len();
    for rows in sorted.chunk_by(|a, b| a.value == b.value).rev() {
        for row in rows {
            if of_value[usize::from(row.class)] == 0.0 {
                held.push(row.class);
            }
            of_value[usize::from(row.class)] += row.weight;
        }
        for more in (0..most).rev() {
            for &class in &held {
                let (right, lowest) = &mut states[more * classes + usize::from(class)];
                // With one interval less above this value, a new one may begin here. Of equals it is the lower cut.
                if let Some(fewer) = more.checked_sub(1).map(|fewer| best[fewer])
                    && fewer.lowest.is_some()
                    && (fewer.right > *right || fewer.right == *right && fewer.class != class)
                {
                    *right = fewer.right;
                    *lowest = intervals.len();
                    intervals.push(Interval { end, above: fewer.lowest });
                }
                *right += of_value[usize::from(class)];
            }
        }
        for (more, best) in best.iter_mut().enumerate() {
            for &class in &held {
                let (right, lowest) = states[more * classes + usize::from(class)];
                let lower = best.lowest.is_none_or(|before| intervals[lowest].end < intervals[before].end);
                if right > best.right || right == best.right && lower {
                    *best = Best { right, class, lowest: Some(lowest) };
                }
            }
        }
        held.drain(..).for_each(|class| of_value[usize::from(class)] = 0.0);
        end -= rows.len();
    }
    let all = best.last().map_or(0.0, |best| best.right);
    let fewest = best.iter().find(|best| best.right >= all - SMALL);
    let mut starts = Vec::new();
    let mut next = fewest.and_then(|best| best.lowest);
    while let Some(at) = next {
        starts.push(intervals[at].end);
        next = intervals[at].above;
    }
    // The highest interval ends with the values.
    starts.pop();
    starts
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn labelled(rows: &[(i32, u16)]) -> Vec<Labelled> {
        let mut rows: Vec<Labelled> =
            rows.iter().map(|&(value, class)| Labelled { value: f64::from(value), class, weight: 1.0 }).collect();
        rows.sort_by(|a, b| a.value.total_cmp(&b.value));
        rows
    }

    fn errors(rows: &[Labelled]) -> usize {
        let count = |class: u16| rows.iter().filter(|row| row.class == class).count();
        rows.len() - (0..3).map(count).max().unwrap_or(0)
    }

    fn errors_between(sorted: &[Labelled], starts: &[usize]) -> usize {
        let ends = starts.iter().copied().chain([sorted.len()]);
        let begins = std::iter::once(0).chain(starts.iter().copied());
        begins.zip(ends).map(|(begin, end)| errors(&sorted[begin..end])).sum()
    }

    /// All ways to cut, in the order in which ties are to be broken.
    fn slow(sorted: &[Labelled], most: usize) -> Vec<usize> {
        let places: Vec<usize> = (1..sorted.len()).filter(|&at| sorted[at - 1].value < sorted[at].value).collect();
        let mut ways: Vec<Vec<usize>> = (0..1u32 << places.len())
            .map(|set| (0..places.len()).filter(|bit| set >> bit & 1 == 1).map(|bit| places[bit]).collect())
            .filter(|way: &Vec<usize>| way.len() < most)
            .collect();
        ways.sort_by_key(|way| (errors_between(sorted, way), way.len(), way.clone()));
        ways.swap_remove(0)
    }

    #[test]
    fn as_many_intervals_as_pay_and_no_more() {
        let rows = labelled(&[(1, 0), (2, 0), (3, 1), (4, 0), (5, 2), (6, 2)]);
        assert_eq!(fewest_errors(&rows, 3, 1), [0; 0]);
        assert_eq!(fewest_errors(&rows, 3, 2), [4]);
        assert_eq!(fewest_errors(&rows, 3, 4), [2, 3, 4]);
        assert_eq!(fewest_errors(&rows, 3, 9), [2, 3, 4]);
        assert_eq!(fewest_errors(&rows[..2], 3, 4), [0; 0]);
        assert_eq!(fewest_errors(&[], 3, 4), [0; 0]);
    }

    proptest! {
        #[test]
        fn intervals_are_the_first_of_the_best(rows in prop::collection::vec((0..9, 0..3u16), 1..40), most in 1..6usize) {
            let rows = labelled(&rows);
            prop_assert_eq!(fewest_errors(&rows, 3, most), slow(&rows, most));
        }
    }
}
