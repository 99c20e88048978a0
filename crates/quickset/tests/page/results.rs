//! Results to be shown: one set, the usual comparison, and names that nobody expects.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

use quickset::export::page::{Column, Curve, Entry, Outcome, Ranks, Results, Stage, Table, Tone};

/// Nemenyi's q at 0.05 for 2 to 10 learners (Demšar 2006, table 5).
const Q: [f64; 9] = [1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164];

/// Two learners on one small set.
pub fn small() -> Results {
    let outcome = |learner: &str, accuracies: &[f64], size, seconds| Outcome {
        dataset: "weather".into(),
        learner: learner.into(),
        accuracies: accuracies.to_vec(),
        size: Some(size),
        seconds: Some(seconds),
    };
    results(
        "nt and c45 on weather",
        vec![
            outcome("nt", &[50.0, 100.0, 50.0, 0.0, 100.0, 50.0, 100.0, 100.0, 0.0, 100.0], 7.4, 2.1e-5),
            outcome("c45", &[50.0, 100.0, 50.0, 50.0, 100.0, 0.0, 100.0, 50.0, 0.0, 100.0], 6.8, 3.4e-5),
        ],
    )
}

/// One learner, one set, one fold.
pub fn smallest() -> Results {
    let outcome = Outcome {
        dataset: "iris".into(),
        learner: "nt".into(),
        accuracies: vec![93.3],
        size: Some(1.0),
        seconds: Some(0.0),
    };
    results("nt on iris", vec![outcome])
}

/// Three learners on the 33 sets of a committed run, with made-up learning curves.
pub fn usual() -> Results {
    let path = "../../experiments/runs/2026-11-15-naive-tree/accuracy-uci.csv.gz";
    let file = std::fs::File::open(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap();
    let mut text = String::new();
    flate2::read::MultiGzDecoder::new(file).read_to_string(&mut text).unwrap();
    let order = ["nt", "c45", "nb"];
    let mut found: BTreeMap<(String, usize), [Vec<f64>; 3]> = BTreeMap::new();
    for line in text.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let Some(learner) = order.iter().position(|name| *name == fields[1]) else { continue };
        let lists = found.entry((fields[0].into(), learner)).or_default();
        for (list, field) in lists.iter_mut().zip([6, 9, 12]) {
            list.push(fields[field].parse().unwrap());
        }
    }
    let outcome = |((dataset, learner), [accuracies, size, seconds]): ((String, usize), [Vec<f64>; 3])| Outcome {
        dataset,
        learner: order[learner].into(),
        accuracies,
        size: Some(mean(&size)),
        seconds: Some(mean(&seconds)),
    };
    let mut results = results("nt, c45 and nb on 33 data sets", found.into_iter().map(outcome).collect());
    results.curves = curves(&["letter", "waveform-5000"], &order);
    results
}

/// Ten learners on fifty sets.
pub fn largest() -> Results {
    let mut state = 1u64;
    let mut random = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 40) as f64 / (1u64 << 24) as f64
    };
    let mut outcomes = Vec::new();
    for dataset in 0..50 {
        let (base, size) = (60.0 + 35.0 * random(), 10f64.powf(1.0 + 3.0 * random()));
        for learner in 0..10 {
            let shift = base + 4.0 * random() - learner as f64 / 3.0;
            outcomes.push(Outcome {
                dataset: format!("set-{dataset:02}-of-the-archive"),
                learner: format!("c45[prune.confidence=0.{learner:02}]"),
                accuracies: (0..20).map(|_| (shift + 6.0 * random() - 3.0).clamp(0.0, 100.0)).collect(),
                size: Some(size * (0.5 + random())),
                seconds: Some(size * 1e-5 * (0.5 + random())),
            });
        }
    }
    results("Ten settings of c45 on 50 data sets", outcomes)
}

/// Names that would be markup, long names, other scripts, and a learner that failed everywhere.
pub fn extreme() -> Results {
    let datasets = [
        "<script>document.title='owned'</script>".to_string(),
        "\"quotes\" & 'apostrophes' <b>bold</b> --> ]]>".to_string(),
        "a-data-set-whose-name-is-exactly-sixty-characters-long-abcde".to_string(),
        "naïve 数据集 данные \u{202e}reversed".to_string(),
    ];
    let learners =
        ["c45[prune.confidence=0.05,min-rows=5,collapse=false,leaf=nb]", "nt<img src=x onerror=alert(1)>", "x"];
    let mut outcomes = Vec::new();
    for (number, dataset) in datasets.iter().enumerate() {
        for (index, learner) in learners.iter().enumerate() {
            let failed = index == 2;
            let accuracy = |fold: usize| 98.0 - 30.0 * number as f64 + (fold * (index + 1)) as f64 % 1.7;
            outcomes.push(Outcome {
                dataset: dataset.clone(),
                learner: learner.to_string(),
                accuracies: if failed { vec![] } else { (0..10).map(accuracy).collect() },
                size: (!failed).then(|| 10f64.powi(number as i32 * 2)),
                seconds: (!failed).then(|| 10f64.powi(number as i32 * 2 - 7)),
            });
        }
    }
    let mut results = results("<i>Title</i> & \"everything\"", outcomes);
    results.notes = vec!["x failed on every data set: a class is missing in <fold 3>".into()];
    results.curves = curves(&[&datasets[1], &datasets[2]], &learners[..2]);
    results
}

/// The page's input as the command makes it.
fn results(title: &str, outcomes: Vec<Outcome>) -> Results {
    let columns = vec![
        Column::words("Data set"),
        Column::words("Learner"),
        Column::figures("Accuracy %", "rows predicted rightly: mean ± standard deviation over the folds"),
        Column::figures("Size", "nodes of the tree, in the mean"),
        Column::figures("Train s", "seconds of training, in the mean"),
        Column::figures("Folds", "folds that were done"),
    ];
    Results {
        title: title.into(),
        facts: vec![
            ("Learners".into(), names(&outcomes, |outcome| &outcome.learner).join(", ")),
            ("Data sets".into(), names(&outcomes, |outcome| &outcome.dataset).len().to_string()),
            ("Cross-validation".into(), "10 runs of 10 folds, stratified".into()),
            ("Seed".into(), "1".into()),
        ],
        command: format!("quickset compare datasets/*.arff --learners '{title}' --format html --output compare.html"),
        table: Table {
            explanation:
                "Means over the folds, ± their standard deviation. Bold is the best on a data set; ▲ and ▼ are \
                          better and worse than the first learner beyond chance. Press a heading to sort."
                    .into(),
            columns,
            rows: rows(&outcomes),
        },
        ranks: ranks(&outcomes),
        outcomes,
        ..Results::default()
    }
}

fn rows(outcomes: &[Outcome]) -> Vec<Vec<Entry>> {
    let best = |dataset: &str| {
        let own = outcomes.iter().filter(|outcome| outcome.dataset == dataset);
        own.map(|outcome| mean(&outcome.accuracies)).fold(0.0, f64::max)
    };
    let first = |dataset: &str| outcomes.iter().find(|outcome| outcome.dataset == dataset).unwrap();
    let row = |outcome: &Outcome| {
        let accuracy = mean(&outcome.accuracies);
        let gain = accuracy - mean(&first(&outcome.dataset).accuracies);
        let tone = match () {
            () if accuracy == best(&outcome.dataset) => Tone::Best,
            () if gain > 1.0 => Tone::Better,
            () if gain < -1.0 => Tone::Worse,
            () => Tone::Plain,
        };
        let figure = |value: Option<f64>, digits: usize| {
            value.map_or(Entry::words("-"), |value| Entry::figure(&format!("{value:.digits$}"), value))
        };
        let accuracy = if outcome.accuracies.is_empty() {
            Entry::words("failed").toned(Tone::Failed)
        } else {
            let spread = match outcome.accuracies.len() {
                1 => String::new(),
                _ => format!(" ± {:.2}", deviation(&outcome.accuracies)),
            };
            Entry::figure(&format!("{accuracy:.2}{spread}"), accuracy).toned(tone)
        };
        vec![
            Entry::words(&outcome.dataset),
            Entry::words(&outcome.learner),
            accuracy,
            figure(outcome.size, 1),
            figure(outcome.seconds, 6),
            figure(Some(outcome.accuracies.len() as f64), 0),
        ]
    };
    outcomes.iter().map(row).collect()
}

/// Mean ranks of the learners that did every set, with Nemenyi's critical difference; none of fewer than two.
fn ranks(outcomes: &[Outcome]) -> Option<Ranks> {
    let datasets = names(outcomes, |outcome| &outcome.dataset);
    let failed =
        |learner: &String| outcomes.iter().any(|outcome| outcome.learner == *learner && outcome.accuracies.is_empty());
    let mut learners = names(outcomes, |outcome| &outcome.learner);
    learners.retain(|learner| !failed(learner));
    if learners.len() < 2 || datasets.len() < 2 {
        return None;
    }
    let accuracy = |dataset: &String, learner: &String| {
        let is = |outcome: &&Outcome| outcome.dataset == *dataset && outcome.learner == *learner;
        mean(&outcomes.iter().find(is).unwrap().accuracies)
    };
    let rank = |learner: &String| {
        let on = |dataset: &String| {
            let own = accuracy(dataset, learner);
            let all: Vec<f64> = learners.iter().map(|other| accuracy(dataset, other)).collect();
            let better = all.iter().filter(|other| **other > own).count() as f64;
            let equal = all.iter().filter(|other| **other == own).count() as f64;
            better + (equal + 1.0) / 2.0
        };
        (learner.clone(), mean(&datasets.iter().map(on).collect::<Vec<_>>()))
    };
    let mut ranked: Vec<(String, f64)> = learners.iter().map(rank).collect();
    ranked.sort_by(|a, b| a.1.total_cmp(&b.1));
    let k = learners.len() as f64;
    let difference = Q[learners.len() - 2] * (k * (k + 1.0) / (6.0 * datasets.len() as f64)).sqrt();
    let reach = |from: usize| ranked.iter().rposition(|(_, rank)| rank - ranked[from].1 < difference).unwrap();
    let groups = (0..ranked.len()).filter(|&from| from == 0 || reach(from) > reach(from - 1));
    let groups = groups.map(|from| (from..=reach(from)).collect()).collect();
    Some(Ranks {
        learners: ranked,
        datasets: datasets.len(),
        critical_difference: Some(difference),
        groups,
        friedman_p: Some(0.0312),
    })
}

fn curves(datasets: &[&str], learners: &[&str]) -> Vec<Curve> {
    let stage = |share: f64, learner: usize| Stage {
        rows: (20_000.0 * share).round(),
        accuracy: Some(90.0 - 20.0 * (-share * (6.0 - learner as f64)).exp() - learner as f64),
        leaves: (learner < 2).then_some(1200.0 * share.powf(0.8) / (learner + 1) as f64),
        seconds: Some(0.03 * share * (learner + 1) as f64),
    };
    let shares = [0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0];
    let curve = |dataset: &str, (index, learner): (usize, &&str)| Curve {
        dataset: dataset.to_string(),
        learner: learner.to_string(),
        stages: shares.map(|share| stage(share, index)).to_vec(),
    };
    datasets.iter().flat_map(|dataset| learners.iter().enumerate().map(|learner| curve(dataset, learner))).collect()
}

fn names(outcomes: &[Outcome], name: fn(&Outcome) -> &String) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for outcome in outcomes {
        if !found.contains(name(outcome)) {
            found.push(name(outcome).clone());
        }
    }
    found
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn deviation(values: &[f64]) -> f64 {
    let mean = mean(values);
    (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (values.len() as f64 - 1.0)).sqrt()
}
