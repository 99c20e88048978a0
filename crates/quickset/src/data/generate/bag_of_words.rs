//! Sparse text-like data: each row a document, each column how often one word occurs in it.
//!
//! Words are numbered by how common they are: word k of the language has a probability proportional to 1/k (Zipf). A
//! class has a topic, a few random words with a Zipf law of their own; each token comes from the topic of its document's
//! class with probability 0.05, from the language otherwise: little enough that naive Bayes errs too.

use super::knobs::Knobs;
use super::random::Random;
use super::{DEFAULT_SEED, nominal};
use crate::data::{Column, ColumnData, Sparse};

/// Rows unless asked otherwise.
pub(super) const ROWS: usize = 1_000;
const WORDS: usize = 2_000;
const CLASSES: usize = 4;

/// Tokens of a document: uniform from the first to the second.
const LENGTHS: (usize, usize) = (30, 170);
const TOPIC_SHARE: f64 = 0.05;
/// A topic has one word in twenty of the language, but neither too few to be one nor a vocabulary of its own.
const WORDS_PER_TOPIC_WORD: usize = 20;
const TOPIC_WORDS: (usize, usize) = (5, 1_000);

/// Streams of random draws: the topics and the documents.
const TOPIC_STREAM: u64 = 0;
const DOCUMENT_STREAM: u64 = 1;

/// The columns, class last. What is allocated grows with the tokens, never with rows × words.
pub(super) fn bag_of_words(knobs: &Knobs) -> Vec<Column> {
    let rows = knobs.rows.unwrap_or(ROWS);
    let words = knobs.words.unwrap_or(WORDS);
    let classes = knobs.classes.unwrap_or(CLASSES);
    let seed = knobs.seed.unwrap_or(DEFAULT_SEED);

    let language = Zipf::new(words);
    let topic_law = Zipf::new((words / WORDS_PER_TOPIC_WORD).clamp(TOPIC_WORDS.0, TOPIC_WORDS.1));
    let mut random = Random::new(seed, TOPIC_STREAM);
    let topics: Vec<Vec<usize>> = (0..classes).map(|_| distinct(&mut random, words, topic_law.len())).collect();

    let mut random = Random::new(seed, DOCUMENT_STREAM);
    let mut columns = vec![Sparse { len: rows, ..Sparse::default() }; words];
    let mut labels = Vec::with_capacity(rows);
    let mut tokens = Vec::new();
    for row in 0..rows {
        let class = random.below(classes);
        labels.push(class as u32);
        let length = LENGTHS.0 + random.below(LENGTHS.1 - LENGTHS.0 + 1);
        tokens.clear();
        tokens.extend((0..length).map(|_| {
            if random.happens(TOPIC_SHARE) {
                topics[class][topic_law.draw(&mut random)]
            } else {
                language.draw(&mut random)
            }
        }));
        tokens.sort_unstable();
        for same in tokens.chunk_by(|a, b| a == b) {
            columns[same[0]].rows.push(row as u32);
            columns[same[0]].values.push(same.len() as f64);
        }
    }

    let named = columns.into_iter().enumerate().map(|(at, mut counts)| {
        counts.rows.shrink_to_fit();
        counts.values.shrink_to_fit();
        Column::new(format!("word{}", at + 1), ColumnData::SparseNumeric(counts))
    });
    let levels: Vec<String> = (1..=classes).map(|class| format!("c{class}")).collect();
    named.chain([nominal("class", &levels, labels)]).collect()
}

/// `count` different numbers below `end`, by Floyd's method, in random order.
fn distinct(random: &mut Random, end: usize, count: usize) -> Vec<usize> {
    let mut chosen = Vec::with_capacity(count);
    let mut known = std::collections::HashSet::new();
    for last in end - count..end {
        let draw = random.below(last + 1);
        let number = if known.contains(&draw) { last } else { draw };
        known.insert(number);
        chosen.push(number);
    }
    random.shuffle(&mut chosen);
    chosen
}

/// Item k, counted from 1, with a probability proportional to 1/k.
struct Zipf {
    /// Sums of the weights up to and including each item.
    cumulative: Vec<f64>,
}

impl Zipf {
    fn new(items: usize) -> Self {
        let weights = (1..=items).map(|item| 1.0 / item as f64);
        let cumulative = weights.scan(0.0, |sum, weight| {
            *sum += weight;
            Some(*sum)
        });
        Zipf { cumulative: cumulative.collect() }
    }

    fn len(&self) -> usize {
        self.cumulative.len()
    }

    /// An item, counted from 0.
    fn draw(&self, random: &mut Random) -> usize {
        let last = self.len() - 1;
        let target = random.uniform() * self.cumulative[last];
        self.cumulative.partition_point(|&sum| sum <= target).min(last)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::class_counts;
    use super::*;
    use crate::data::Dataset;
    use crate::data::generate::{builtin, generate};

    fn counts(data: &Dataset, word: usize) -> &Sparse<f64> {
        let ColumnData::SparseNumeric(counts) = data.attributes()[word].data() else { panic!("words are sparse") };
        counts
    }

    #[test]
    fn documents_are_sparse_and_have_their_lengths() {
        let data = builtin("bag-of-words").unwrap();
        assert_eq!((data.rows(), data.attributes().len()), (1_000, 2_001));
        assert_eq!(class_counts(&data).len(), 4);
        let mut lengths = vec![0.0; data.rows()];
        for word in 0..2_000 {
            let counts = counts(&data, word);
            assert!(counts.rows.is_sorted_by(|a, b| a < b));
            for (&row, &count) in counts.rows.iter().zip(&counts.values) {
                assert!(count >= 1.0);
                lengths[row as usize] += count;
            }
        }
        assert!(lengths.iter().all(|&length| (30.0..=170.0).contains(&length)));
        let entries: usize = (0..2_000).map(|word| counts(&data, word).rows.len()).sum();
        assert!(entries < data.rows() * 2_000 / 20, "{entries} entries");
    }

    #[test]
    fn common_words_come_first_and_topics_tell_classes_apart() {
        let knobs = Knobs { rows: Some(3_000), words: Some(500), classes: Some(2), ..Knobs::default() };
        let data = generate("bag-of-words", &knobs).unwrap().with_last_as_target().unwrap();
        let total = |word| counts(&data, word).values.iter().sum::<f64>();
        let block = |words: std::ops::Range<usize>| words.map(total).sum::<f64>();
        assert!(block(0..10) > block(100..110) && block(0..10) > 3.0 * block(400..410));
        let classes = &data.class().unwrap().codes;
        let one_sided = (0..500).filter(|&word| {
            let counts = counts(&data, word);
            let first = counts.rows.iter().filter(|&&row| classes[row as usize] == 0).count();
            counts.rows.len() > 100 && !(counts.rows.len() / 4..counts.rows.len() * 3 / 4).contains(&first)
        });
        assert!(one_sided.count() >= 5);
    }

    #[test]
    fn more_documents_leave_the_first_ones_as_they_were() {
        let of = |rows| {
            let knobs = Knobs { rows: Some(rows), words: Some(50), ..Knobs::default() };
            generate("bag-of-words", &knobs).unwrap()
        };
        let (few, many) = (of(20), of(200));
        for word in 0..51 {
            assert!((0..20).all(|row| few.attributes()[word].value(row) == many.attributes()[word].value(row)));
        }
    }

    #[test]
    fn distinct_numbers_are_distinct() {
        let mut numbers = distinct(&mut Random::new(1, 0), 12, 10);
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!(numbers.len(), 10);
        assert!(numbers.iter().all(|&number| number < 12));
    }
}
