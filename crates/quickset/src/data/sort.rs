//! Sorting rows by value: keys of single precision, eleven bits at a time. Many rows are first dealt out to ranges of
//! values, so that what is moved about several times stays in the cache, and little is held beside the rows.

use super::item::Item;

/// More rows than this are dealt out first.
const MANY: usize = 1 << 16;

/// To ranges of so many, were values spread evenly.
const RANGE: usize = 1 << 15;

/// What sorting works with, used again for one list after the other. What is in it between uses is of no meaning.
#[derive(Default)]
pub(crate) struct Sorting {
    /// Rows on their way to their ranges.
    dealt: Vec<Item>,
    /// The numbers of a range and their rows, as they come: a number is looked at several times, in no order.
    numbers: Vec<f64>,
    rows: Vec<u32>,
    /// Their keys, each with its place among them.
    keyed: Vec<u64>,
    buffer: Vec<u64>,
}

impl Sorting {
    /// Sorts rows that have a value, equal ones as they come, and marks each whose value is that of the one before.
    /// Answers the smallest distance between two different values; infinite where there are not two.
    pub fn ascend(&mut self, items: &mut [Item], value: impl Fn(u32) -> f64) -> f64 {
        let mut gaps = Gaps::default();
        self.part_by_part(items, &value, &mut gaps);
        gaps.smallest
    }

    fn part_by_part(&mut self, items: &mut [Item], value: &impl Fn(u32) -> f64, gaps: &mut Gaps) {
        if items.len() <= MANY {
            return self.sort(items, value, gaps);
        }
        let half = items.len() / 2;
        let mut begin = 0;
        for end in self.deal_out(items, value) {
            let part = &mut items[begin..end as usize];
            begin = end as usize;
            // A range that holds most of them would do so again and again where values lie by orders of magnitude apart.
            if part.len() > half { self.sort(part, value, gaps) } else { self.part_by_part(part, value, gaps) }
        }
    }

    /// Brings rows into the order of ranges that divide the values evenly. Answers where each range ends.
    fn deal_out(&mut self, items: &mut [Item], value: impl Fn(u32) -> f64) -> Vec<u32> {
        let number = |item: &Item| value(item.row());
        let low = items.iter().map(number).fold(f64::INFINITY, f64::min);
        let high = items.iter().map(number).fold(f64::NEG_INFINITY, f64::max);
        let ranges = items.len() / RANGE;
        // Where the numbers are too far apart this is zero: all are in the first range then.
        let scale = ranges as f64 / (high - low);
        let range = |item: &Item| (((number(item) - low) * scale) as usize).min(ranges - 1);
        let mut next = vec![0u32; ranges];
        items.iter().for_each(|item| next[range(item)] += 1);
        let mut sum = 0;
        for next in &mut next {
            sum += std::mem::replace(next, sum);
        }
        self.dealt.clear();
        self.dealt.extend_from_slice(items);
        for &item in &self.dealt {
            let next = &mut next[range(&item)];
            items[*next as usize] = item;
            *next += 1;
        }
        next
    }

    fn sort(&mut self, items: &mut [Item], value: impl Fn(u32) -> f64, gaps: &mut Gaps) {
        let Sorting { numbers, rows, keyed, buffer, .. } = self;
        rows.clear();
        rows.extend(items.iter().map(|item| item.row()));
        numbers.clear();
        // Adding zero makes -0 and 0 one value.
        numbers.extend(rows.iter().map(|&row| value(row) + 0.0));
        keyed.clear();
        keyed.extend(numbers.iter().enumerate().map(|(at, &number)| u64::from(key(number)) << 32 | at as u64));
        radix_sort(keyed, buffer);
        let number = |keyed: u64| numbers[keyed as u32 as usize];
        // Where numbers differ below the precision of keys, their run is sorted again in full.
        for run in keyed.chunk_by_mut(|a, b| a >> 32 == b >> 32) {
            if !run.is_sorted_by(|&a, &b| number(a) <= number(b)) {
                run.sort_by(|&a, &b| number(a).total_cmp(&number(b)));
            }
        }
        for (item, &keyed) in items.iter_mut().zip(&*keyed) {
            *item = Item::new(rows[keyed as u32 as usize], gaps.see(number(keyed)));
        }
    }
}

/// The distances between numbers that ascend.
struct Gaps {
    previous: f64,
    smallest: f64,
}

impl Default for Gaps {
    fn default() -> Self {
        Gaps { previous: f64::NAN, smallest: f64::INFINITY }
    }
}

impl Gaps {
    /// Takes note of the next number; answers whether it is that before it.
    #[inline(always)]
    fn see(&mut self, number: f64) -> bool {
        // A comparison with NaN, where nothing is before it, leaves the gap as it is.
        let gap = number - self.previous;
        self.smallest = if gap > 0.0 && gap < self.smallest { gap } else { self.smallest };
        std::mem::replace(&mut self.previous, number) == number
    }
}

/// Maps a number to an integer of the same order; numbers that single precision cannot tell apart share one.
fn key(number: f64) -> u32 {
    let bits = (number as f32 + 0.0).to_bits();
    if bits >> 31 == 1 { !bits } else { bits | 1 << 31 }
}

/// Stable sort by the upper half, eleven bits at a time from the lowest; digits that all keys share are skipped.
pub(crate) fn radix_sort(items: &mut Vec<u64>, buffer: &mut Vec<u64>) {
    const SMALL: usize = 256;
    const BITS: usize = 11;
    if items.len() < SMALL {
        items.sort_by_key(|item| item >> 32);
        return;
    }
    let digit = |item: u64, place: usize| (item >> (32 + BITS * place)) as usize & ((1 << BITS) - 1);
    let mut histograms = [[0u32; 1 << BITS]; 3];
    for &item in items.iter() {
        for (place, histogram) in histograms.iter_mut().enumerate() {
            histogram[digit(item, place)] += 1;
        }
    }
    buffer.resize(items.len(), 0);
    for (place, starts) in histograms.iter_mut().enumerate() {
        if starts[digit(items[0], place)] == items.len() as u32 {
            continue;
        }
        let mut sum = 0;
        for start in starts.iter_mut() {
            sum += std::mem::replace(start, sum);
        }
        for &item in items.iter() {
            let start = &mut starts[digit(item, place)];
            buffer[*start as usize] = item;
            *start += 1;
        }
        std::mem::swap(items, buffer);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sorted by comparisons, and the gaps by a look at all neighbours.
    fn slow(values: &[f64]) -> (Vec<Item>, f64) {
        let mut rows: Vec<usize> = (0..values.len()).collect();
        rows.sort_by(|&a, &b| values[a].partial_cmp(&values[b]).unwrap());
        let is_same = |at: usize| at > 0 && values[rows[at]] == values[rows[at - 1]];
        let items = (0..rows.len()).map(|at| Item::new(rows[at] as u32, is_same(at))).collect();
        let gaps = rows.windows(2).map(|pair| values[pair[1]] - values[pair[0]]).filter(|&gap| gap > 0.0);
        (items, gaps.fold(f64::INFINITY, f64::min))
    }

    /// Numbers from 0 to 1 that look random.
    fn scattered(count: usize) -> impl Iterator<Item = f64> {
        (0..count as u64).map(|at| (at.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 11) as f64 / (1u64 << 53) as f64)
    }

    #[test]
    fn many_rows_are_sorted_as_few_are_however_their_values_lie() {
        let count = 2 * MANY + 3;
        type Spread = (&'static str, fn(f64) -> f64);
        let spread: [Spread; 7] = [
            ("evenly", |x| x - 0.5),
            ("few values", |x| (x * 10.0).floor() * 0.123 - 0.5),
            ("one value", |_| 7.25),
            ("by orders of magnitude", |x| (1400.0 * (x - 0.5)).exp()),
            ("most in one place, one far away", |x| if x < 1e-5 { 1e300 } else { x }),
            ("farther apart than a number can be", |x| if x < 0.1 { f64::MIN } else { x * f64::MAX }),
            ("infinite ones", |x| if x < 0.1 { f64::NEG_INFINITY } else { 1.0 / (x * 50.0).floor() }),
        ];
        for (how, value) in spread {
            let values: Vec<f64> = scattered(count).map(value).collect();
            let mut items: Vec<Item> = (0..count as u32).map(|row| Item::new(row, false)).collect();
            let gap = Sorting::default().ascend(&mut items, |row| values[row as usize]);
            let (expected, smallest) = slow(&values);
            assert!(items == expected, "{how}");
            assert_eq!(gap, smallest, "{how}");
        }
    }
}
