//! The text as a whole, for many and for few results.

use super::*;
use crate::eval::Cell;
use crate::eval::testing::cell;

/// Two runs of two folds; `None` is a failure.
fn series(dataset: &str, learner: &str, accuracies: [Option<f64>; 4]) -> Vec<Cell> {
    let made = accuracies.into_iter().enumerate();
    let made = made.map(|(at, accuracy)| cell(dataset, learner, 1 + at / 2, 1 + at % 2, accuracy));
    made.map(|cell| Cell {
        log_loss: cell.accuracy.map(|accuracy| 1.0 - accuracy / 100.0),
        leaves: cell.accuracy.map(|_| 12),
        size: cell.accuracy.map(|_| 23),
        train_seconds: cell.accuracy.map(|_| 0.00125),
        ..cell
    })
    .collect()
}

fn some(accuracies: [f64; 4]) -> [Option<f64>; 4] {
    accuracies.map(Some)
}

#[test]
fn several_sets_and_learners() {
    let mut cells = Vec::new();
    cells.extend(series("iris", "c45", some([94.0, 95.0, 93.0, 96.0])));
    cells.extend(series("iris", "c45[leaf=nb]", some([84.0, 85.0, 83.1, 86.0])));
    cells.extend(series("iris", "nt", some([95.0, 95.0, 92.0, 96.0])));
    cells.extend(series("monks-1", "c45", some([75.0, 75.0, 74.0, 76.0])));
    cells.extend(series("monks-1", "c45[leaf=nb]", [Some(99.0), Some(99.0), None, Some(100.0)]));
    cells.extend(series("monks-1", "nt", some([75.0, 75.0, 74.0, 76.0])));
    cells.extend(series("tiny", "c45", some([50.0; 4])));
    cells.extend(series("tiny", "nt", [None; 4]));
    insta::assert_snapshot!(comparison_text(&Comparison::of(&cells)), @r"
    dataset  learner         accuracy %         log-loss      leaves   train s   folds
    iris     c45           94.50 ± 1.29    0.055 ± 0.013  12.0 ± 0.0  0.001250       4
    iris     c45[leaf=nb]  84.53 ± 1.25 ▼  0.155 ± 0.013  12.0 ± 0.0  0.001250       4
    iris     nt            94.50 ± 1.73    0.055 ± 0.017  12.0 ± 0.0  0.001250       4
    monks-1  c45           75.00 ± 0.82    0.250 ± 0.008  12.0 ± 0.0  0.001250       4
    monks-1  c45[leaf=nb]  99.33 ± 0.58 ▲  0.007 ± 0.006  12.0 ± 0.0  0.001250  3 of 4
    monks-1  nt            75.00 ± 0.82    0.250 ± 0.008  12.0 ± 0.0  0.001250       4
    tiny     c45           50.00 ± 0.00    0.500 ± 0.000  12.0 ± 0.0  0.001250       4
    tiny     nt                       -                -           -         -  0 of 4

    Mean ± standard deviation over runs and folds. --format json also has size.
    ▲ more, ▼ less accurate than c45, by the corrected resampled t-test at 0.05.

    Wins/ties/losses over 3 data sets of the learner at the left against that above,
    by the corrected resampled (the plain paired) t-test at 0.05:
                            c45   c45[leaf=nb]             nt
    c45                       -  1/0/1 (1/0/1)  0/2/0 (0/2/0)
    c45[leaf=nb]  1/0/1 (1/0/1)              -  1/0/1 (1/0/1)
    nt            0/2/0 (0/2/0)  1/0/1 (1/0/1)              -

    Means over 2 data sets:
    learner       mean rank  accuracy %  log-loss  leaves  size   train s
    c45                2.00       84.75     0.153    12.0  23.0  0.001250
    c45[leaf=nb]       2.00       91.93     0.081    12.0  23.0  0.001250
    nt                 2.00       84.75     0.153    12.0  23.0  0.001250
    Left out of means and ranks, because a learner finished no fold of them: tiny.
    Friedman's test: the mean ranks of accuracy do not differ at 0.05 (F(2, 2) = 0.00, p = 1.000; χ² = 0.00, p = 1.000).
    Nemenyi's critical difference would be 2.34.
    ");
}

#[test]
fn one_set() {
    let mut cells = series("iris", "c45", some([94.0, 95.0, 93.0, 96.0]));
    insta::assert_snapshot!(comparison_text(&Comparison::of(&cells)), @r"
    dataset  learner    accuracy %       log-loss      leaves   train s  folds
    iris     c45      94.50 ± 1.29  0.055 ± 0.013  12.0 ± 0.0  0.001250      4

    Mean ± standard deviation over runs and folds. --format json also has size.
    ");
    cells.extend(series("iris", "nt", some([93.0, 93.5, 93.0, 94.0])));
    insta::assert_snapshot!(comparison_text(&Comparison::of(&cells)), @r"
    dataset  learner    accuracy %         log-loss      leaves   train s  folds
    iris     c45      94.50 ± 1.29    0.055 ± 0.013  12.0 ± 0.0  0.001250      4
    iris     nt       93.38 ± 0.48    0.066 ± 0.005  12.0 ± 0.0  0.001250      4

    Mean ± standard deviation over runs and folds. --format json also has size.
    No accuracy is told apart from that of c45 by the corrected resampled t-test at 0.05.

    Paired t-tests, corrected for the overlap of training sets and plain:
    learner  against  accuracy points  p corrected  p plain  folds
    c45      nt                 +1.12        0.324    0.078      4
    ");
}

#[test]
fn learners_that_differ() {
    let mut cells = Vec::new();
    for set in 0..12 {
        for (learner, by) in [("a", 0.0), ("b", 1.0), ("c", 9.0)] {
            // The first two change places on every other set.
            let by = if set % 2 == 0 && by < 2.0 { 1.0 - by } else { by };
            cells.extend(series(&set.to_string(), learner, some([50.0, 51.0, 52.0, 53.0].map(|x| x + by))));
        }
    }
    let text = comparison_text(&Comparison::of(&cells));
    insta::assert_snapshot!(text.split_once("Wins").unwrap().1, @r"
    /ties/losses over 12 data sets of the learner at the left against that above,
    by the corrected resampled (the plain paired) t-test at 0.05:
                     a                b                c
    a                -    6/0/6 (6/0/6)  0/0/12 (0/0/12)
    b    6/0/6 (6/0/6)                -  0/0/12 (0/0/12)
    c  12/0/0 (12/0/0)  12/0/0 (12/0/0)                -

    Means over 12 data sets:
    learner  mean rank  accuracy %  log-loss  leaves  size   train s
    a             2.50       52.00     0.480    12.0  23.0  0.001250
    b             2.50       52.00     0.480    12.0  23.0  0.001250
    c             1.00       60.50     0.395    12.0  23.0  0.001250
    Friedman's test: the mean ranks of accuracy differ at 0.05 (F(2, 22) = 33.00, p < 0.001; χ² = 18.00, p < 0.001).
    Nemenyi's test: those at least 0.96 apart differ; not told apart: a and b.
    ");
}

#[test]
fn many_learners_are_numbered() {
    let mut cells = Vec::new();
    for (set, at) in [("d", 50.0), ("e", 60.0)] {
        for learner in 0..7 {
            let at = at + f64::from(learner / 3);
            cells.extend(series(set, &format!("c45[min-rows={learner}]"), some([at, at + 1.0, at, at])));
        }
    }
    let text = comparison_text(&Comparison::of(&cells));
    insta::assert_snapshot!(text.split("\n\n").nth(2).unwrap(), @r"
    Wins/ties/losses over 2 data sets of the learner at the left against that above,
    by the corrected resampled t-test at 0.05:
                           (1)    (2)    (3)    (4)    (5)    (6)    (7)
    (1) c45[min-rows=0]      -  0/2/0  0/2/0  0/0/2  0/0/2  0/0/2  0/0/2
    (2) c45[min-rows=1]  0/2/0      -  0/2/0  0/0/2  0/0/2  0/0/2  0/0/2
    (3) c45[min-rows=2]  0/2/0  0/2/0      -  0/0/2  0/0/2  0/0/2  0/0/2
    (4) c45[min-rows=3]  2/0/0  2/0/0  2/0/0      -  0/2/0  0/2/0  0/0/2
    (5) c45[min-rows=4]  2/0/0  2/0/0  2/0/0  0/2/0      -  0/2/0  0/0/2
    (6) c45[min-rows=5]  2/0/0  2/0/0  2/0/0  0/2/0  0/2/0      -  0/0/2
    (7) c45[min-rows=6]  2/0/0  2/0/0  2/0/0  2/0/0  2/0/0  2/0/0      -
    ");
}

#[test]
fn little_has_a_text_too() {
    assert!(!comparison_text(&Comparison::of(&[])).is_empty());
    let failed = ["d", "e"].map(|set| [series(set, "a", [None; 4]), series(set, "b", [None; 4])].concat()).concat();
    insta::assert_snapshot!(comparison_text(&Comparison::of(&failed)), @r"
    dataset  learner   folds
    d        a        0 of 4
    d        b        0 of 4
    e        a        0 of 4
    e        b        0 of 4

    Left out of means and ranks, because a learner finished no fold of them: d and e.
    Left out, because they finished nowhere: a and b.
    ");
    // One fold each cannot be tested.
    let one = [cell("d", "a", 1, 1, Some(50.0)), cell("d", "b", 1, 1, Some(60.0))];
    insta::assert_snapshot!(comparison_text(&Comparison::of(&one)), @r"
    dataset  learner  accuracy %    folds
    d        a             50.00        1
    d        b             60.00        1

    Mean ± standard deviation over runs and folds.
    ");
}
