//! The folds that Weka's evaluation makes, so that published results can be compared fold by fold.
//!
//! Three steps, all known from what they give: shuffle the rows by Java's generator with the run as its seed; bring
//! rows of one class together, class after class as they turn up; deal the rows out in turns, and cut the result into
//! folds of neighbours.

use super::folds::Folds;
use crate::error::Result;

impl Folds {
    /// Divides rows as Weka does in run `run`, whose seed is that number.
    pub fn as_weka(classes: &[u16], count: usize, run: usize) -> Result<Self> {
        Self::check_count(count, classes.len())?;
        let mut order: Vec<usize> = (0..classes.len()).collect();
        shuffle(&mut order, run as u64);
        group(&mut order, classes);
        let mut assignment = vec![0; classes.len()];
        let dealt = (0..count).flat_map(|first| order.iter().skip(first).step_by(count));
        for (place, &row) in dealt.enumerate() {
            assignment[row] = fold_at(place, classes.len(), count);
        }
        Ok(Self::of(assignment, count))
    }
}

/// The fold of a place where the first folds hold one row more than the others, if the rows do not divide evenly.
fn fold_at(place: usize, rows: usize, count: usize) -> u16 {
    let (size, larger) = (rows / count, rows % count);
    let in_larger = larger * (size + 1);
    (if place < in_larger { place / (size + 1) } else { larger + (place - in_larger) / size }) as u16
}

/// From the last place down, each row changes places with one drawn from those up to it.
fn shuffle(order: &mut [usize], seed: u64) {
    let mut random = JavaRandom::new(seed);
    for place in (1..order.len()).rev() {
        order.swap(place, random.below(place as u32 + 1) as usize);
    }
}

/// Moves the rows of a class behind the first of them, by exchanging places; then the same from the next class on.
fn group(order: &mut [usize], classes: &[u16]) {
    let mut next = 1;
    while next < order.len() {
        let class = classes[order[next - 1]];
        let first = next;
        for place in first..order.len() {
            if classes[order[place]] == class {
                order.swap(next, place);
                next += 1;
            }
        }
        next += 1;
    }
}

/// The generator of `java.util.Random`, as its documentation defines it.
struct JavaRandom(u64);

impl JavaRandom {
    const MULTIPLIER: u64 = 0x5_DEEC_E66D;
    const MASK: u64 = (1 << 48) - 1;

    fn new(seed: u64) -> Self {
        JavaRandom((seed ^ Self::MULTIPLIER) & Self::MASK)
    }

    /// 31 random bits.
    fn bits(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(Self::MULTIPLIER).wrapping_add(0xB) & Self::MASK;
        (self.0 >> 17) as u32
    }

    /// A number below `bound`, which is positive and below 2³¹.
    fn below(&mut self, bound: u32) -> u32 {
        if bound.is_power_of_two() {
            return ((u64::from(bound) * u64::from(self.bits())) >> 31) as u32;
        }
        loop {
            let bits = self.bits();
            let drawn = bits % bound;
            // What lies behind the last whole multiple of the bound is drawn again.
            if bits - drawn + (bound - 1) < 1 << 31 {
                return drawn;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generator_is_that_of_java() {
        // Of `new java.util.Random(42)`: nextInt(10) eight times.
        let mut random = JavaRandom::new(42);
        let drawn: Vec<u32> = (0..8).map(|_| random.below(10)).collect();
        assert_eq!(drawn, [0, 3, 8, 4, 0, 5, 5, 8]);
    }

    #[test]
    fn folds_hold_the_classes_in_equal_shares() {
        let classes: Vec<u16> = (0..43).map(|row| [0, 1, 0, 2][row % 4]).collect();
        let folds = Folds::as_weka(&classes, 10, 3).unwrap();
        let sizes: Vec<usize> = (0..10).map(|fold| folds.test_rows(fold).len()).collect();
        assert_eq!(sizes, [5, 5, 5, 4, 4, 4, 4, 4, 4, 4]);
        let of_first = |fold| folds.test_rows(fold).iter().filter(|&&row| classes[row as usize] == 0).count();
        assert!((0..10).all(|fold| (2..=3).contains(&of_first(fold))));
        assert!(Folds::as_weka(&classes, 1, 1).is_err() && Folds::as_weka(&classes, 44, 1).is_err());
    }
}
