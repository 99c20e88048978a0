//! The built-in sets, one entry each.

use super::knobs::{Knob, Knobs};
use super::random::Random;
use super::{bag_of_words, boolean, cart_book, numeric_xor, random_tree, spaces, tic_tac_toe, weather};
use crate::data::Column;
use crate::error::Result;

/// A built-in set: what it is called, what it is, and what may be varied about it.
#[derive(Debug)]
pub struct Spec {
    /// Its name.
    pub name: &'static str,
    /// One line about it.
    pub summary: &'static str,
    /// Its rows unless asked otherwise.
    pub rows: usize,
    /// What it takes.
    pub knobs: &'static [Knob],
    /// Its noise unless asked otherwise.
    pub(super) noise: f64,
    pub(super) source: Source,
}

/// Where the rows come from. Every source answers the columns with the class last.
#[derive(Debug)]
pub(super) enum Source {
    /// They are what they are.
    Fixed(fn() -> Vec<Column>),
    /// They list a whole space.
    Space(fn() -> Vec<Column>),
    /// So many are drawn; noise changes labels afterwards.
    Drawn(fn(&mut Random, usize) -> Vec<Column>),
    /// So many are drawn with noise in their attributes.
    DrawnWithNoise(fn(&mut Random, usize, f64) -> Vec<Column>),
    /// They need knobs of their own.
    Own(fn(&Knobs) -> Result<Vec<Column>>),
}

const NOTHING: &[Knob] = &[];
const SAMPLE: &[Knob] = &[Knob::Rows, Knob::Seed, Knob::Noise];
const TREE: &[Knob] = &[Knob::Rows, Knob::Seed, Knob::Noise, Knob::Numeric, Knob::Nominal, Knob::Classes, Knob::Depth];
const TEXT: &[Knob] = &[Knob::Rows, Knob::Seed, Knob::Classes, Knob::Words];

pub(super) static SPECS: &[Spec] = &[
    Spec {
        name: "weather",
        summary: "play or not on fourteen days, temperature and humidity as numbers",
        rows: 14,
        knobs: NOTHING,
        noise: 0.0,
        source: Source::Fixed(weather::numeric_weather),
    },
    Spec {
        name: "weather-nominal",
        summary: "play or not on fourteen days, every attribute nominal",
        rows: 14,
        knobs: NOTHING,
        noise: 0.0,
        source: Source::Fixed(weather::nominal_weather),
    },
    Spec {
        name: "monks-1",
        summary: "all 432 robots: a1 = a2 or a5 = 1",
        rows: 432,
        knobs: SAMPLE,
        noise: 0.0,
        source: Source::Space(|| spaces::monks(spaces::monks_1)),
    },
    Spec {
        name: "monks-2",
        summary: "all 432 robots: exactly two attributes are 1",
        rows: 432,
        knobs: SAMPLE,
        noise: 0.0,
        source: Source::Space(|| spaces::monks(spaces::monks_2)),
    },
    Spec {
        name: "monks-3",
        summary: "all 432 robots: a5 = 3 and a4 = 1, or a5 not 4 and a2 not 3",
        rows: 432,
        knobs: SAMPLE,
        noise: 0.0,
        source: Source::Space(|| spaces::monks(spaces::monks_3)),
    },
    Spec {
        name: "xor-5",
        summary: "parity of the first 5 of 10 random bits",
        rows: 200,
        knobs: SAMPLE,
        noise: 0.0,
        source: Source::Drawn(|random, rows| boolean::parity(random, rows, 5, 10)),
    },
    Spec {
        name: "xor-5-noise",
        summary: "parity of the first 5 of 10 random bits, a tenth of the labels flipped",
        rows: 200,
        knobs: SAMPLE,
        noise: 0.1,
        source: Source::Drawn(|random, rows| boolean::parity(random, rows, 5, 10)),
    },
    Spec {
        name: "xor-10",
        summary: "parity of the first 10 of 20 random bits",
        rows: 10_000,
        knobs: SAMPLE,
        noise: 0.0,
        source: Source::Drawn(|random, rows| boolean::parity(random, rows, 10, 20)),
    },
    Spec {
        name: "mux-11",
        summary: "multiplexer of 3 address and 8 data bits, the full space",
        rows: 2_048,
        knobs: SAMPLE,
        noise: 0.0,
        source: Source::Space(|| boolean::multiplexer_space(3)),
    },
    Spec {
        name: "mux-20",
        summary: "multiplexer of 4 address and 16 data bits, random rows",
        rows: 615,
        knobs: SAMPLE,
        noise: 0.0,
        source: Source::Drawn(|random, rows| boolean::multiplexer_draws(random, rows, 4)),
    },
    Spec {
        name: "mux-xor",
        summary: "one bit selects one of two parities of 2 to 5 of the other ten bits",
        rows: 200,
        knobs: SAMPLE,
        noise: 0.0,
        source: Source::Drawn(boolean::multiplexed_parity),
    },
    Spec {
        name: "numeric-xor-3d",
        summary: "sign of the product of the first 3 of 6 numbers",
        rows: 200,
        knobs: SAMPLE,
        noise: 0.0,
        source: Source::Drawn(|random, rows| numeric_xor::sign_of_product(random, rows, 3)),
    },
    Spec {
        name: "numeric-xor-4d",
        summary: "sign of the product of the first 4 of 8 numbers",
        rows: 500,
        knobs: SAMPLE,
        noise: 0.0,
        source: Source::Drawn(|random, rows| numeric_xor::sign_of_product(random, rows, 4)),
    },
    Spec {
        name: "tic-tac-toe",
        summary: "all positions in which a game can end; positive where x has won",
        rows: 958,
        knobs: SAMPLE,
        noise: 0.0,
        source: Source::Space(tic_tac_toe::end_positions),
    },
    Spec {
        name: "balance-scale",
        summary: "all 625 scales with weights and distances from 1 to 5: tips left, balances, tips right",
        rows: 625,
        knobs: SAMPLE,
        noise: 0.0,
        source: Source::Space(spaces::balance_scale),
    },
    Spec {
        name: "led7",
        summary: "digits on a seven-segment display, each segment inverted in a tenth of cases",
        rows: 1_000,
        knobs: SAMPLE,
        noise: 0.1,
        source: Source::DrawnWithNoise(|random, rows, noise| cart_book::display(random, rows, noise, 0)),
    },
    Spec {
        name: "led24",
        summary: "led7 with 17 irrelevant bits",
        rows: 1_000,
        knobs: SAMPLE,
        noise: 0.1,
        source: Source::DrawnWithNoise(|random, rows, noise| cart_book::display(random, rows, noise, 17)),
    },
    Spec {
        name: "waveform",
        summary: "mixtures of two of three triangular waves with normal noise, 21 numbers",
        rows: 5_000,
        knobs: SAMPLE,
        noise: 0.0,
        source: Source::Drawn(|random, rows| cart_book::waveform(random, rows, 0)),
    },
    Spec {
        name: "waveform-40",
        summary: "waveform with 19 numbers of noise only",
        rows: 5_000,
        knobs: SAMPLE,
        noise: 0.0,
        source: Source::Drawn(|random, rows| cart_book::waveform(random, rows, 19)),
    },
    Spec {
        name: "random-tree",
        summary: "labels from a hidden random tree over 10 numeric and 10 nominal attributes; 2 classes, depth 5",
        rows: random_tree::ROWS,
        knobs: TREE,
        noise: 0.0,
        source: Source::Own(random_tree::random_tree),
    },
    Spec {
        name: "bag-of-words",
        summary: "sparse word counts of documents on 4 topics, 2000 words with Zipf frequencies",
        rows: bag_of_words::ROWS,
        knobs: TEXT,
        noise: 0.0,
        source: Source::Own(|knobs| Ok(bag_of_words::bag_of_words(knobs))),
    },
];
