//! Intervals of a numeric attribute as 1R makes them (Holte 1993).
//!
//! From the lowest value on, an interval takes values until its heaviest class has a bucket full of rows, and then as
//! long as the next value is of that class too. Neighbours that predict the same are one interval in the end.

use super::mdl::Labelled;
use crate::measure::{SMALL, heaviest};

/// Where the intervals of ascending values begin, the first left out. Equal values are never divided; the last interval
/// may hold less than a bucket.
pub(crate) fn bucket_starts(sorted: &[Labelled], classes: usize, bucket: f64) -> Vec<usize> {
    // Where each interval begins, and its class.
    let mut intervals: Vec<(usize, usize)> = Vec::new();
    let mut weights = vec![0.0; classes];
    let mut of_value = vec![0.0; classes];
    let (mut start, mut at) = (0, 0);
    for rows in sorted.chunk_by(|a, b| a.value == b.value) {
        of_value.fill(0.0);
        rows.iter().for_each(|row| of_value[usize::from(row.class)] += row.weight);
        let class = heaviest(&weights);
        if weights[class] >= bucket - SMALL && heaviest(&of_value) != class {
            intervals.push((start, class));
            weights.fill(0.0);
            start = at;
        }
        weights.iter_mut().zip(&of_value).for_each(|(sum, weight)| *sum += weight);
        at += rows.len();
    }
    intervals.push((start, heaviest(&weights)));
    intervals.dedup_by_key(|(_, class)| *class);
    intervals.into_iter().skip(1).map(|(start, _)| start).collect()
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

    fn weather(values: [i32; 14]) -> Vec<Labelled> {
        let play = [1, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 1];
        labelled(&values.into_iter().zip(play).collect::<Vec<_>>())
    }

    /// The worked example of Witten and Frank's book, with three rows to a bucket.
    #[test]
    fn the_humidity_of_the_weather_has_three_intervals() {
        let humidity = weather([85, 90, 86, 96, 80, 70, 65, 95, 70, 80, 70, 90, 75, 91]);
        let neighbours = |start: usize| (humidity[start - 1].value, humidity[start].value);
        let cuts: Vec<_> = bucket_starts(&humidity, 2, 3.0).into_iter().map(neighbours).collect();
        assert_eq!(cuts, [(80.0, 85.0), (95.0, 96.0)]);
        // Of the three intervals of the temperature two are of the class yes, and the last is undecided: yes is first.
        let temperature = weather([85, 80, 83, 70, 68, 65, 64, 72, 69, 75, 75, 72, 81, 71]);
        assert!(bucket_starts(&temperature, 2, 3.0).is_empty());
    }

    #[test]
    fn equal_values_stay_together_and_nothing_has_no_intervals() {
        let rows = labelled(&[(1, 0), (1, 0), (1, 1), (1, 1), (2, 1), (2, 1), (2, 1)]);
        assert_eq!(bucket_starts(&rows, 2, 1.0), [4]);
        assert!(bucket_starts(&rows[..4], 2, 1.0).is_empty());
        assert!(bucket_starts(&[], 2, 1.0).is_empty());
    }

    /// Row by row, with lists in the place of sums.
    fn slow(sorted: &[Labelled], bucket: usize) -> Vec<usize> {
        let count = |rows: &[Labelled], class: u16| rows.iter().filter(|row| row.class == class).count();
        let most = |rows: &[Labelled]| (0..3).rev().max_by_key(|&class| count(rows, class)).unwrap();
        let mut parts: Vec<&[Labelled]> = Vec::new();
        let mut start = 0;
        for at in 1..sorted.len() {
            if sorted[at - 1].value == sorted[at].value {
                continue;
            }
            let (taken, rest) = (&sorted[start..at], &sorted[at..]);
            let next = &rest[..rest.iter().filter(|row| row.value == rest[0].value).count()];
            if count(taken, most(taken)) >= bucket && most(next) != most(taken) {
                parts.push(taken);
                start = at;
            }
        }
        parts.push(&sorted[start..]);
        let mut starts = Vec::new();
        let mut at = 0;
        for pair in parts.windows(2) {
            at += pair[0].len();
            if most(pair[0]) != most(pair[1]) {
                starts.push(at);
            }
        }
        starts
    }

    proptest! {
        #[test]
        fn buckets_are_those_of_the_slow_way(rows in prop::collection::vec((0..12, 0..3u16), 1..60), bucket in 1..7usize) {
            let rows = labelled(&rows);
            prop_assert_eq!(bucket_starts(&rows, 3, bucket as f64), slow(&rows, bucket));
        }
    }
}
