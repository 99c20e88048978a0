//! Natural cuts of a numeric attribute: where its values are rarest (Martin and Hirschberg 1995).
//!
//! The paper smooths a histogram and does not say how. Here the density is estimated by a normal kernel around every
//! value, on points over the whole range, with Silverman's rule for its width (1986, equation 3.31).

use super::mdl::Labelled;
use super::quartiles::{nearest_cut, occupied};

/// The density is looked at on so many points, the lowest and the highest value among them.
const POINTS: usize = 512;

/// A kernel ends so many of its widths from its value: there it has e⁻³² of its height.
const REACH: f64 = 8.0;

/// A rise or fall by less than this share of the highest density is rounding.
const SMALLEST_RISE: f64 = 1e-9;

/// The cuts of ascending values: at every local minimum of their density or, if there is none, at the median.
pub(crate) fn natural_cuts(sorted: &[Labelled]) -> Vec<f64> {
    let (Some(low), Some(high)) = (sorted.first(), sorted.last()) else { return Vec::new() };
    let step = (high.value - low.value) / (POINTS - 1) as f64;
    let mut cuts = Vec::new();
    if let Some(width) = kernel_width(sorted)
        && step > 0.0
        && step.is_finite()
    {
        let minima = minima(&density(sorted, low.value, step, width));
        cuts = occupied(minima.into_iter().map(|place| low.value + place * step), sorted);
    }
    if cuts.is_empty() { nearest_cut(sorted, 0.5).into_iter().collect() } else { cuts }
}

/// Silverman's rule: 0.9 · min(sd, IQR / 1.34) · N^(−1/5); by the deviation alone where half of the values are equal.
/// `None` where there is no such number.
fn kernel_width(sorted: &[Labelled]) -> Option<f64> {
    let weight: f64 = sorted.iter().map(|row| row.weight).sum();
    let mean = sorted.iter().map(|row| row.weight * row.value).sum::<f64>() / weight;
    let squares: f64 = sorted.iter().map(|row| row.weight * (row.value - mean) * (row.value - mean)).sum();
    let deviation = (squares / (weight - 1.0)).sqrt();
    let quarters = (quantile(sorted, 0.75 * (weight - 1.0)) - quantile(sorted, 0.25 * (weight - 1.0))) / 1.34;
    let spread = if quarters > 0.0 { deviation.min(quarters) } else { deviation };
    let width = 0.9 * spread * weight.powf(-0.2);
    (width > 0.0 && width.is_finite()).then_some(width)
}

/// The value at a rank from 0, between two neighbours in proportion.
fn quantile(sorted: &[Labelled], rank: f64) -> f64 {
    let at = |rank: f64| {
        let mut below = 0.0;
        let held = sorted.iter().find(|row| {
            below += row.weight;
            below > rank
        });
        held.or(sorted.last()).map_or(f64::NAN, |row| row.value)
    };
    let whole = rank.floor();
    let (lower, upper) = (at(whole), at(whole + 1.0));
    lower + (rank - whole) * (upper - lower)
}

/// The density at points `step` apart, up to a factor that is the same for all. Only points within reach of a value are
/// visited, and equal values together: at most [`POINTS`] steps for each different one. From a point to the next, a
/// kernel falls by a ratio that itself falls by a constant one.
fn density(sorted: &[Labelled], low: f64, step: f64, width: f64) -> Vec<f64> {
    let mut density = vec![0.0; POINTS];
    let gap = step / width;
    let fall = (-gap * gap).exp();
    for rows in sorted.chunk_by(|a, b| a.value == b.value) {
        let weight: f64 = rows.iter().map(|row| row.weight).sum();
        let place = (rows[0].value - low) / step;
        let nearest = (place.round() as usize).min(POINTS - 1);
        let distance = (nearest as f64 - place) * gap;
        if distance.abs() > REACH {
            continue;
        }
        let within = (REACH / gap) as usize;
        let (below, above) = density.split_at_mut(nearest);
        let (middle, above) = above.split_at_mut(1);
        let height = weight * (-0.5 * distance * distance).exp();
        middle[0] += height;
        spread(above.iter_mut().take(within), height, [(-gap * (0.5 * gap + distance)).exp(), fall]);
        spread(below.iter_mut().rev().take(within), height, [(-gap * (0.5 * gap - distance)).exp(), fall]);
    }
    density
}

/// Adds a kernel to the points on one side of it.
fn spread<'a>(points: impl Iterator<Item = &'a mut f64>, mut height: f64, [mut ratio, fall]: [f64; 2]) {
    for sum in points {
        height *= ratio;
        ratio *= fall;
        *sum += height;
    }
}

/// The places of the local minima between the ends; that of a flat stretch is its middle.
fn minima(density: &[f64]) -> Vec<f64> {
    let rise = SMALLEST_RISE * density.iter().copied().fold(0.0, f64::max);
    let mut found = Vec::new();
    let mut peak = f64::NEG_INFINITY;
    // The lowest since the peak, from one place to another, once the density falls.
    let mut lowest: Option<(f64, usize, usize)> = None;
    for (at, &height) in density.iter().enumerate() {
        match &mut lowest {
            None if height < peak - rise => lowest = Some((height, at, at)),
            None => peak = peak.max(height),
            Some((least, ..)) if height < *least - rise => lowest = Some((height, at, at)),
            Some((least, _, last)) if height <= *least + rise => *last = at,
            Some((_, first, last)) => {
                found.push((*first + *last) as f64 / 2.0);
                (peak, lowest) = (height, None);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn numbers(values: impl IntoIterator<Item = f64>) -> Vec<Labelled> {
        let mut rows: Vec<Labelled> =
            values.into_iter().map(|value| Labelled { value, class: 0, weight: 1.0 }).collect();
        rows.sort_by(|a, b| a.value.total_cmp(&b.value));
        rows
    }

    /// Every kernel at every point.
    fn slow(sorted: &[Labelled], low: f64, step: f64, width: f64) -> Vec<f64> {
        let at = |point: usize| {
            let x = low + point as f64 * step;
            sorted.iter().map(|row| row.weight * (-((x - row.value) / width).powi(2) / 2.0).exp()).sum()
        };
        (0..POINTS).map(at).collect()
    }

    #[test]
    fn the_width_is_that_of_silvermans_rule() {
        // sd = √6, quartiles 2.75 and 6.25: 3.5 / 1.34 is more.
        let rows = numbers((1..9).map(f64::from));
        assert!((kernel_width(&rows).unwrap() - 0.9 * 6f64.sqrt() * 8f64.powf(-0.2)).abs() < 1e-12);
        let far = numbers([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 800.0]);
        assert!((kernel_width(&far).unwrap() - 0.9 * 3.5 / 1.34 * 8f64.powf(-0.2)).abs() < 1e-12);
        // Most values are equal: sd = 2.
        let ties = numbers([1.0, 1.0, 1.0, 5.0]);
        assert!((quantile(&ties, 2.25) - 2.0).abs() < 1e-12);
        let ties = numbers([1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 7.0]);
        assert!((kernel_width(&ties).unwrap() - 0.9 * 2.0 * 9f64.powf(-0.2)).abs() < 1e-12);
        assert_eq!(kernel_width(&numbers([4.0, 4.0])), None);
    }

    #[test]
    fn two_humps_are_cut_between_them() {
        let humps = numbers((0..20).flat_map(|at| [f64::from(at) / 10.0, 10.0 + f64::from(at) / 10.0]));
        let cuts = natural_cuts(&humps);
        assert_eq!(cuts.len(), 1);
        // Halfway between 1.9 and 10, but for the distance of two points.
        assert!((cuts[0] - 5.95).abs() < 0.03, "{cuts:?}");
        let three = numbers((0..20).flat_map(|at| [0.0, 50.0, 100.0].map(|hump| hump + f64::from(at) / 10.0)));
        assert_eq!(natural_cuts(&three).len(), 2);
    }

    #[test]
    fn one_hump_is_cut_at_the_median_and_nothing_has_no_cuts() {
        // Their density is flat in the middle, up to rounding.
        assert_eq!(natural_cuts(&numbers((0..200).map(f64::from))), [99.5]);
        let two = natural_cuts(&numbers([1.0, 2.0]));
        assert!(two.len() == 1 && (two[0] - 1.5).abs() < 1e-9, "{two:?}");
        assert!(natural_cuts(&numbers([5.0; 9])).is_empty());
        assert!(natural_cuts(&[]).is_empty());
        let huge = natural_cuts(&numbers([-f64::MAX, 0.0, f64::MAX]));
        assert!(huge.len() == 1 && huge[0].is_finite(), "{huge:?}");
    }

    #[test]
    fn a_flat_bottom_counts_by_its_middle_and_ends_do_not_count() {
        assert_eq!(minima(&[0.0, 2.0, 1.0, 1.0, 1.0, 2.0, 0.0]), [3.0]);
        assert_eq!(minima(&[3.0, 1.0, 2.0, 1.0, 1.0, 5.0]), [1.0, 3.5]);
        assert!(minima(&[1.0, 1.0 - 1e-12, 1.0, 0.5]).is_empty());
        assert!(minima(&[3.0, 2.0, 1.0]).is_empty());
    }

    proptest! {
        #[test]
        fn the_density_is_the_direct_sum(
            values in prop::collection::vec(prop_oneof![-9.0..9.0f64, (-9..9i32).prop_map(f64::from), Just(90.0)], 2..80),
            weights in prop::collection::vec(0.5..3.0f64, 80),
        ) {
            let mut rows = numbers(values);
            rows.iter_mut().zip(weights).for_each(|(row, weight)| row.weight = weight);
            let (low, high) = (rows[0].value, rows[rows.len() - 1].value);
            prop_assume!(low < high);
            let (step, width) = ((high - low) / (POINTS - 1) as f64, kernel_width(&rows).unwrap());
            let (fast, slow) = (density(&rows, low, step, width), slow(&rows, low, step, width));
            for (fast, slow) in fast.into_iter().zip(slow) {
                prop_assert!((fast - slow).abs() < 1e-9 * slow.max(1.0), "{fast} {slow}");
            }
        }

        #[test]
        fn every_interval_holds_a_value(values in prop::collection::vec(-9.0..9.0f64, 2..60)) {
            let rows = numbers(values);
            let cuts = natural_cuts(&rows);
            prop_assert!(cuts.is_sorted_by(|a, b| a < b));
            let mut held: Vec<usize> = rows.iter().map(|row| cuts.iter().filter(|&&cut| row.value > cut).count()).collect();
            held.dedup();
            prop_assert_eq!(held.len(), cuts.len() + 1);
        }
    }
}
