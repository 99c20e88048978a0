//! Against a twin that fits the others' model anew for every single row.

use proptest::prelude::*;

use super::*;
use crate::leaf::bayes::Likelihood;

const CLASSES: usize = 3;
const LEVELS: usize = 4;

/// A column as it came: a level or a number by place, where it is known.
#[derive(Clone, Debug)]
enum Plain {
    Levels(Vec<Option<u32>>),
    Numbers(Vec<Option<f64>>),
}

impl Plain {
    fn value(&self, place: u32) -> Option<f64> {
        match self {
            Plain::Levels(codes) => codes[place as usize].map(f64::from),
            Plain::Numbers(numbers) => numbers[place as usize],
        }
    }

    fn listed(&self) -> Listed {
        match self {
            Plain::Levels(codes) => {
                let items = codes.iter().map(|code| code.unwrap_or(MISSING)).collect();
                Listed::Levels { levels: LEVELS, seen: LEVELS, items }
            }
            Plain::Numbers(numbers) => {
                let known = numbers.iter().enumerate().filter_map(|(place, number)| Some((place as u32, (*number)?)));
                let mut known: Vec<(u32, f64)> = known.collect();
                known.sort_by(|a, b| a.1.total_cmp(&b.1));
                Listed::Numbers(known)
            }
        }
    }
}

/// What a column says of a value from the rows that are left, where cuts and precision come from all of the part.
fn says(
    column: &Plain,
    (density, counts): (Density, Shares),
    all: &[Labelled],
    rest: &[Labelled],
    value: f64,
    sums: &mut [f64],
) {
    let fitted = match column {
        Plain::Levels(_) => given(rest, true, density, None, CLASSES),
        Plain::Numbers(_) if all.iter().all(|row| row.value == 0.0) => None,
        Plain::Numbers(_) if density == Density::Discretised => {
            let cuts = mdl_cuts(all, CLASSES);
            let mut weights = vec![vec![0.0; cuts.len() + 1]; CLASSES];
            for row in rest {
                weights[usize::from(row.class)][cuts.iter().filter(|&&cut| cut < row.value).count()] += row.weight;
            }
            (!cuts.is_empty()).then_some(Likelihood::Intervals { cuts, weights })
        }
        Plain::Numbers(_) if density == Density::Normal => {
            Some(Likelihood::Normal(Moments::of(all, CLASSES).with(rest).normals()))
        }
        Plain::Numbers(_) if density == Density::Adaptive => {
            Adaptive::of(all, Scale::UNIT, CLASSES, &Chosen::default())
                .map(|of_all| Likelihood::Adaptive(Adaptive::under(&of_all.bandwidths(), rest, Scale::UNIT)))
        }
        Plain::Numbers(_) => given(rest, false, density, None, CLASSES),
    };
    let value = match column {
        Plain::Levels(_) => Value::Level(value as u32),
        Plain::Numbers(_) => Value::Number(value),
    };
    let nothing = Likelihood::Levels { seen: Vec::new(), weights: vec![Vec::new(); CLASSES] };
    match (fitted, column) {
        (Some(fitted), _) => fitted.logs(Some(LEVELS), &[], counts.more()).add(value, sums),
        (None, Plain::Levels(_)) => nothing.logs(Some(LEVELS), &[], counts.more()).add(value, sums),
        (None, Plain::Numbers(_)) => {}
    }
}

fn slow(columns: &[Plain], (places, weights): &Part, of_places: &[u16], how: (Density, Shares), seed: u64) -> f64 {
    let of_part: Vec<u16> = places.iter().map(|&place| of_places[place as usize]).collect();
    let folds = Folds::as_weka(&of_part, FOLDS, seed as usize).unwrap();
    let weight = |at: usize| weights.get(at).copied().unwrap_or(1.0);
    let sorted = |column: &Plain, kept: &dyn Fn(usize) -> bool| {
        let row =
            |at: usize| Some(Labelled { value: column.value(places[at])?, class: of_part[at], weight: weight(at) });
        let mut rows: Vec<Labelled> = (0..places.len()).filter(|&at| kept(at)).filter_map(row).collect();
        rows.sort_by(|a, b| a.value.total_cmp(&b.value));
        rows
    };
    let wrong = |&at: &usize| {
        let kept = |other: usize| folds.assignment()[other] != folds.assignment()[at];
        let mut of_classes = [0.0; CLASSES];
        (0..places.len()).filter(|&at| kept(at)).for_each(|at| of_classes[usize::from(of_part[at])] += weight(at));
        let whole: f64 = of_classes.iter().sum();
        let more = how.1.more();
        let mut sums = of_classes.map(|weight| log((weight + more) / (whole + more * CLASSES as f64)));
        for column in columns {
            if let Some(value) = column.value(places[at]) {
                says(column, how, &sorted(column, &|_| true), &sorted(column, &kept), value, &mut sums);
            }
        }
        first_highest(&sums) != usize::from(of_part[at])
    };
    (0..places.len()).filter(wrong).map(weight).sum()
}

const ROWS: usize = 40;

fn column() -> impl Strategy<Value = Plain> {
    let level = prop_oneof![1 => Just(None), 6 => (0..LEVELS as u32).prop_map(Some)];
    let number = prop_oneof![
        2 => Just(None),
        6 => (-3..4i32).prop_map(|whole| Some(f64::from(whole))),
        6 => (-9.0..9.0f64).prop_map(Some),
        1 => Just(Some(1e300)),
    ];
    prop_oneof![
        prop::collection::vec(level, ROWS).prop_map(Plain::Levels),
        prop::collection::vec(number, ROWS).prop_map(Plain::Numbers),
        // Numbers that tell the classes of the test apart are cut.
        Just(Plain::Numbers((0..ROWS).map(|row| Some((row % 7) as f64)).collect())),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_fold_taken_from_the_sums_is_a_fold_that_was_never_there(
        columns in prop::collection::vec(column(), 1..4),
        noise in prop::collection::vec(0..6u16, ROWS),
        sides in prop::collection::vec(0..3u8, ROWS),
        whole in any::<bool>(),
        seed in 1..5u64,
    ) {
        let of_places: Vec<u16> =
            noise.iter().enumerate().map(|(row, &noise)| if noise < 2 { noise } else { (row % 7 / 3) as u16 }).collect();
        // Rows of side 2 are in both parts.
        let part = |part: u8| -> Part {
            let places: Vec<u32> = (0..ROWS as u32).filter(|&row| [part, 2].contains(&sides[row as usize])).collect();
            let weight = |&row: &u32| if sides[row as usize] == 2 { 0.5 } else { 1.0 + f64::from(row % 3) };
            let weights = if whole { Vec::new() } else { places.iter().map(weight).collect() };
            (places, weights)
        };
        let parts: Vec<Part> = (0..2).map(part).filter(|(places, _)| places.len() >= FOLDS).collect();
        let densities = [Density::Discretised, Density::Normal, Density::Kernel, Density::Adaptive];
        for how in densities.into_iter().flat_map(|density| [Shares::AddOne, Shares::Ml].map(|counts| (density, counts))) {
            // Adaptive densities are given numbers on a scale.
            let scaled = |number: &Option<f64>| number.map(|number| if how.0 == Density::Adaptive { (number / 18.0 + 0.5).min(1.0) } else { number });
            let columns: Vec<Plain> = columns.iter().map(|column| match column {
                Plain::Numbers(numbers) => Plain::Numbers(numbers.iter().map(scaled).collect()),
                Plain::Levels(_) => column.clone(),
            }).collect();
            let mut held_out = HeldOut::new(&parts, &of_places, CLASSES, how, seed);
            held_out.add_all(&columns.iter().map(Plain::listed).collect::<Vec<_>>(), &Chosen::default());
            let expected: f64 = parts.iter().map(|part| slow(&columns, part, &of_places, how, seed)).sum();
            prop_assert!((held_out.errors() - expected).abs() < 1e-9, "{how:?} {} {expected}", held_out.errors());
        }
    }
}

/// Two classes that a level tells apart are never confused; one class of one row always is.
#[test]
fn what_is_told_apart_is_right_and_what_was_seen_once_is_wrong() {
    let of_places: Vec<u16> = (0..21).map(|row| if row == 20 { 2 } else { row % 2 }).collect();
    let items = (0..21).map(|row| if row == 20 { 3 } else { row % 2 }).collect();
    let part = ((0..21).collect(), Vec::new());
    let mut held_out = HeldOut::new(&[part], &of_places, 3, (Density::Discretised, Shares::AddOne), 1);
    held_out.add_all(&[Listed::Levels { levels: 4, seen: 4, items }], &Chosen::default());
    assert_eq!(held_out.errors(), 1.0);
}
