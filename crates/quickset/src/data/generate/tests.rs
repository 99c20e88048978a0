//! What holds for every set, and the readings that the tests of single sets share.

use super::*;
use crate::data::Value;
use crate::error::ErrorKind;

pub(super) fn numbers(data: &Dataset, at: usize) -> &[f64] {
    let ColumnData::Numeric(values) = data.attributes()[at].data() else { panic!("column {at} is not numeric") };
    values
}

pub(super) fn codes(data: &Dataset, at: usize) -> &[u32] {
    let ColumnData::Nominal { codes, .. } = data.attributes()[at].data() else { panic!("column {at} is not nominal") };
    codes
}

pub(super) fn levels_of(data: &Dataset, at: usize) -> &[String] {
    data.attributes()[at].levels().expect("a nominal column")
}

pub(super) fn class_codes(data: &Dataset) -> &[u32] {
    codes(data, data.attributes().len() - 1)
}

pub(super) fn class_counts(data: &Dataset) -> Vec<usize> {
    let mut counts = vec![0; levels_of(data, data.attributes().len() - 1).len()];
    class_codes(data).iter().for_each(|&code| counts[code as usize] += 1);
    counts
}

pub(super) fn text(column: &Column, row: usize) -> String {
    match column.value(row) {
        Value::Missing => "?".to_string(),
        Value::Number(number) => number.to_string(),
        Value::Level(code) => column.levels().expect("a level has its column's levels")[code as usize].clone(),
    }
}

fn rows_as_text(data: &Dataset) -> Vec<String> {
    let row = |row| data.attributes().iter().map(|column| text(column, row)).collect::<Vec<_>>().join(",");
    (0..data.rows()).map(row).collect()
}

#[test]
fn every_listed_set_generates_its_rows_with_a_nominal_class_last() {
    for spec in list() {
        let data = builtin(spec.name).unwrap();
        assert_eq!(data.rows(), spec.rows, "{}", spec.name);
        assert!(data.class().is_none(), "{}", spec.name);
        assert!(data.attributes().iter().all(|column| column.missing_count() == 0), "{}", spec.name);
        let counts = class_counts(&data);
        assert!(counts.iter().all(|&count| count > 0), "{}: {counts:?}", spec.name);
        data.with_last_as_target().unwrap();
    }
    let mut names: Vec<&str> = list().iter().map(|spec| spec.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), list().len());
}

#[test]
fn the_same_seed_gives_the_same_data_and_another_seed_other_data() {
    for spec in list().iter().filter(|spec| spec.knobs.contains(&Knob::Seed)) {
        let of = |seed| {
            let knobs = Knobs { rows: Some(120), seed: Some(seed), ..Knobs::default() };
            rows_as_text(&generate(spec.name, &knobs).unwrap())
        };
        assert_eq!(of(7), of(7), "{}", spec.name);
        assert_ne!(of(7), of(8), "{}", spec.name);
        assert_eq!(of(7).len(), 120, "{}", spec.name);
    }
}

#[test]
fn the_draws_of_a_release_stay_those_of_the_next() {
    // FNV-1a of the rows. A change here changes every experiment run on the set: it must be meant.
    let digest = |name: &str, knobs: &Knobs| {
        let rows = rows_as_text(&generate(name, knobs).unwrap()).join("\n");
        rows.bytes()
            .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
    };
    let few = Knobs { rows: Some(50), ..Knobs::default() };
    let digests: Vec<String> = list()
        .iter()
        .filter(|spec| spec.knobs.contains(&Knob::Rows))
        .map(|spec| format!("{} {:016x}", spec.name, digest(spec.name, &few)))
        .collect();
    insta::assert_snapshot!(digests.join("\n"), @r"
    monks-1 93453407841c2bce
    monks-2 4ece206c369c43de
    monks-3 9ec3ca3cf39e74f2
    xor-5 8e69ce9e6e95d1d6
    xor-5-noise fdd99a88afeff139
    xor-10 5ebe806eaa9f6e4a
    mux-11 99fb51a676f6bd0d
    mux-20 9351412a8bad5319
    mux-xor dd7aa3a410decab2
    numeric-xor-3d 0bdc118ff02fde4f
    numeric-xor-4d 6998ec5b04f95904
    tic-tac-toe 28956ea888eba303
    balance-scale eafa891201799603
    led7 be85d55ffa691b2c
    led24 c56e70c2eaac143a
    waveform 5e333890193c6776
    waveform-40 600383efa18ccf1a
    random-tree 3b322f94d5c056ad
    bag-of-words 0c4079b2c07ef2fe
    ");
}

#[test]
fn a_space_is_dealt_without_repetition_until_it_is_used_up() {
    let whole = rows_as_text(&builtin("monks-1").unwrap());
    let of = |rows| {
        let mut rows = rows_as_text(&generate("monks-1", &Knobs { rows: Some(rows), ..Knobs::default() }).unwrap());
        rows.sort_unstable();
        rows
    };
    let mut part = of(124);
    assert!(part.iter().all(|row| whole.contains(row)));
    part.dedup();
    assert_eq!(part.len(), 124);
    let mut sorted = whole.clone();
    sorted.sort_unstable();
    assert_eq!(of(432), sorted);
    let twice = of(864);
    assert!(sorted.iter().enumerate().all(|(at, row)| twice[2 * at] == *row && twice[2 * at + 1] == *row));
}

#[test]
fn noise_gives_its_share_of_rows_another_class() {
    for (name, noise, flipped) in
        [("monks-3", 0.05, 22), ("balance-scale", 0.2, 125), ("tic-tac-toe", 1.0, 958), ("waveform", 0.1, 500)]
    {
        let clean = builtin(name).unwrap();
        let noisy = generate(name, &Knobs { noise: Some(noise), ..Knobs::default() }).unwrap();
        let changed = class_codes(&clean).iter().zip(class_codes(&noisy)).filter(|(a, b)| a != b).count();
        assert_eq!(changed, flipped, "{name}");
        assert_eq!(text(&clean.attributes()[0], 100), text(&noisy.attributes()[0], 100));
    }
    let other_seed = Knobs { noise: Some(0.05), seed: Some(2), ..Knobs::default() };
    let first_seed = Knobs { seed: Some(1), ..other_seed.clone() };
    let (first, other) = (generate("monks-3", &first_seed).unwrap(), generate("monks-3", &other_seed).unwrap());
    assert_ne!(class_codes(&first), class_codes(&other));
}

#[test]
fn an_unknown_name_is_answered_with_the_nearest_and_all() {
    let error = builtin("monk-1").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Data);
    let message = error.to_string();
    assert!(message.starts_with("there is no built-in set named \"monk-1\"; did you mean monks-1? "), "{message}");
    assert!(list().iter().all(|spec| message.contains(spec.name)), "{message}");
    let message = builtin("zzzzzzzzzzzzzzzzzzzzzzz").unwrap_err().to_string();
    assert!(!message.contains("did you mean") && message.contains("the sets are: weather, "), "{message}");
    assert!(builtin("").is_err());
}

#[test]
fn edits_are_counted() {
    assert_eq!([edits("", "abc"), edits("kitten", "sitting"), edits("xor", "xor")], [3, 3, 0]);
}
