//! One tree, however the work is done.

use proptest::prelude::*;
use quickset::data::generate::{Knobs, generate};
use quickset::data::{Column, ColumnData, Dataset, MISSING, Sparse};
use quickset::model::Tree;
use quickset::recipe::{Lookahead, PRESETS, Search, Tables};
use quickset::{Learner, Recipe};

use crate::random::{Cells, cells, dataset, names, texts};

fn tree(recipe: &Recipe, data: &Dataset) -> Tree {
    Learner::new(recipe.clone()).unwrap().fit(data).unwrap().tree().clone()
}

/// Every learner, with little look-ahead and few steps: these take their time.
pub fn presets() -> impl Iterator<Item = Recipe> {
    PRESETS.iter().map(|preset| {
        let mut recipe = (preset.recipe)();
        if let Some(Lookahead::Samples { r, .. }) = &mut recipe.lookahead {
            *r = 1;
        }
        match &mut recipe.search {
            Search::Once => {}
            Search::Improve { steps, .. } => *steps = Some(3),
            Search::Auto { r, steps, .. } => (*r, *steps) = (Some(1), Some(3)),
        }
        recipe
    })
}

/// Those that grow once, from tables that are counted at the node; `auto` begins with a naive tree. Factored tables are defined by how a column is stored, zeros having a bin
/// of their own in a sparse one, and by all its rows, so that other storage or weights are other tables.
fn counted() -> impl Iterator<Item = Recipe> {
    presets().filter(|recipe| recipe.tables == Tables::Counted && recipe.search.is_once())
}

/// The same cells and more rows, so that no number has few values.
fn with_many_values(cells: &Cells) -> Cells {
    let mut longer = cells.clone();
    for extra in 0..100 {
        longer.numbers.iter_mut().for_each(|numbers| numbers.push(Some(1000 + extra)));
        longer.levels.iter_mut().for_each(|levels| levels.push(Some(0)));
        longer.classes.push(0);
    }
    longer
}

/// The same cells with zeros and first levels left out.
pub fn sparse(cells: &Cells) -> Dataset {
    let numbers = (0..2).map(|at| {
        let all = cells.numbers(at);
        let stored: Vec<usize> = (0..all.len()).filter(|&row| all[row] != 0.0).collect();
        let sparse = Sparse {
            len: all.len(),
            rows: stored.iter().map(|&row| row as u32).collect(),
            values: stored.iter().map(|&row| all[row]).collect(),
        };
        Column::new(format!("number{at}"), ColumnData::SparseNumeric(sparse))
    });
    let levels = (0..2).map(|at| {
        let all = cells.codes(at);
        let stored: Vec<usize> = (0..all.len()).filter(|&row| all[row] != 0).collect();
        let codes = Sparse {
            len: all.len(),
            rows: stored.iter().map(|&row| row as u32).collect(),
            values: stored.iter().map(|&row| all[row]).collect(),
        };
        Column::new(format!("level{at}"), ColumnData::SparseNominal { levels: names(), codes })
    });
    dataset(numbers.chain(levels).collect(), cells.class())
}

/// The same cells, shifted below zero, so that sparse columns have negative entries before their zeros.
pub fn shifted(cells: &Cells, by: i32) -> Cells {
    let mut cells = cells.clone();
    cells.numbers.iter_mut().flatten().flatten().for_each(|number| *number -= by);
    cells
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn on_any_number_of_threads(cells in cells(true)) {
        prop_assume!(cells.can_be_learnt());
        for recipe in presets() {
            let on = |threads: usize| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                pool.install(|| tree(&recipe, &cells.dataset()))
            };
            prop_assert_eq!(on(1), on(3), "{}", recipe.name);
        }
    }

    /// The same for every measure, and for every way to stop by one.
    #[test]
    fn by_any_measure_on_any_number_of_threads(cells in cells(true)) {
        prop_assume!(cells.can_be_learnt());
        let changes = [
            ("id3", &["score=distance"][..]),
            ("id3", &["score=orthogonality", "cut.by=gini"]),
            ("id3", &["score=chi2", "stop.p=0.1"]),
            ("id3", &["score=g2", "stop.p=0.1", "stop.bonferroni=true", "cut.by=hypergeometric"]),
            ("cart", &["score=beta", "prune=none"]),
            ("cart", &["score=hypergeometric", "cut.by=hypergeometric", "prune=none"]),
            ("nbtree", &["stop.rows=none", "stop.reduction=0"]),
            ("nbtree", &["stop.rows=none", "leaf.density=kernel", "missing=own"]),
            ("nt", &["leaf=nb", "stop.reduction=0.05", "prune=none"]),
            ("hyper", &["stop.mode=tail"]),
            ("hyper", &["stop.mode=ratio", "missing=own"]),
            ("snbtree", &["stop.rows=10", "stop.reduction=0"]),
            ("snbtree", &["stop.rows=none", "stop.reduction=none", "delta=loo", "leaf.counts=ml"]),
            ("c45", &["numeric=crossings", "score=bayes"]),
        ];
        for (name, changes) in changes {
            let mut recipe = Recipe::named(name).unwrap();
            changes.iter().for_each(|change| recipe.set_pair(change).unwrap());
            let on = |threads: usize| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                pool.install(|| Learner::new(recipe.clone()).unwrap().train_all(&cells.dataset()).unwrap())
            };
            let (one, three) = (on(1), on(3));
            prop_assert_eq!(one.model.tree(), three.model.tree(), "{} {:?}", name, changes);
            prop_assert_eq!(one.notes, three.notes, "{} {:?}", name, changes);
        }
    }

    #[test]
    fn dense_or_sparse(cells in cells(true), by in 0i32..4) {
        prop_assume!(cells.can_be_learnt());
        // A sparse column without any entry has no say in naive Bayes.
        prop_assume!(cells.levels.iter().all(|levels| levels.iter().any(|&level| level != Some(0))));
        let cells = shifted(&cells, by);
        // Nor has it at a leaf, and only nbtree and snbtree have several of these.
        for recipe in counted().filter(|recipe| !recipe.name.ends_with("nbtree")) {
            prop_assert_eq!(tree(&recipe, &cells.dataset()), tree(&recipe, &sparse(&cells)), "{}", recipe.name);
        }
    }

    /// A column with few values is counted in bins, one with many is kept sorted. Rows that are not trained on make
    /// the difference here.
    #[test]
    fn counted_by_value_or_sorted(cells in cells(true)) {
        prop_assume!(cells.can_be_learnt());
        let rows: Vec<u32> = (0..cells.rows() as u32).collect();
        let longer = with_many_values(&cells);
        for recipe in presets() {
            let learner = Learner::new(recipe.clone()).unwrap();
            let train = |data: &Dataset| learner.train(data, &rows).unwrap().model.tree().clone();
            prop_assert_eq!(train(&cells.dataset()), train(&longer.dataset()), "{}", recipe.name);
        }
    }

    /// One tree of all rows sorts columns for itself and places cuts in the end, unless a fold has left its order. Looking
    /// ahead always keeps it.
    #[test]
    fn with_an_order_that_was_kept_or_without(cells in cells(true)) {
        prop_assume!(cells.can_be_learnt());
        let rows: Vec<u32> = (0..cells.rows() as u32).collect();
        let longer = with_many_values(&cells);
        for recipe in counted().filter(|recipe| recipe.lookahead.is_none()) {
            let kept = longer.dataset();
            Learner::new(recipe.clone()).unwrap().train(&kept, &rows).unwrap();
            prop_assert_eq!(tree(&recipe, &kept), tree(&recipe, &longer.dataset()), "{}", recipe.name);
        }
    }

    /// Without missing values leaves keep whole rows for surgery. A column that is of no use but lacks a value makes them
    /// keep weights, as for fractions. (Plain re-routing is the twin of both, in the library's own tests.)
    #[test]
    fn by_surgery_on_whole_rows_or_on_fractions(cells in cells(false)) {
        prop_assume!(cells.can_be_learnt());
        let mut codes = vec![0; cells.rows()];
        codes[0] = MISSING;
        let useless = Column::new("useless", ColumnData::Nominal { levels: names(), codes });
        let mut columns = cells.dataset().attributes().to_vec();
        columns.push(useless);
        let plain = dataset(columns, cells.class());
        for recipe in [Recipe::c45(), Recipe::j48()] {
            prop_assert_eq!(tree(&recipe, &cells.dataset()), tree(&recipe, &plain), "{}", recipe.name);
        }
    }

    #[test]
    fn by_weights_or_by_repeated_rows(cells in cells(false), weights in prop::collection::vec(1usize..4, 120)) {
        prop_assume!(cells.can_be_learnt());
        let data = cells.dataset();
        let weights: Vec<usize> = weights[..cells.rows()].to_vec();
        let repeated: Vec<u32> =
            (0..cells.rows()).flat_map(|row| std::iter::repeat_n(row as u32, weights[row])).collect();
        let weighted = data.clone().with_weights(weights.iter().map(|&w| w as f64).collect()).unwrap();
        // C4.5 counts known rows, not weight, in one of its limits, and what identifies a row is told by rows; else
        // weight counts everywhere.
        let (mut cart, mut hyper) = (Recipe::cart(), Recipe::hyper());
        cart.set_pair("prune=none").unwrap();
        hyper.set_pair("choose=best").unwrap();
        for recipe in [Recipe::id3(), cart, hyper, Recipe::one_r(), Recipe::t2()] {
            prop_assert_eq!(tree(&recipe, &weighted), tree(&recipe, &data.select(&repeated)), "{}", recipe.name);
        }
    }

    /// Bins that hold one value each are exact.
    /// Without pruning: a border of bins may lie elsewhere between two of a node's values, so that rows held out by
    /// cross-validation may fall on its other side.
    #[test]
    fn over_rows_or_over_bins_of_single_values(cells in cells(true)) {
        prop_assume!(cells.can_be_learnt());
        // C4.5 counts rows, and intervals are not made of bins.
        let skipped = ["j48", "c45", "nbtree", "snbtree", "one-r", "t2"];
        for mut recipe in counted().filter(|recipe| !skipped.contains(&recipe.name.as_str())) {
            recipe.set_pair("prune=none").unwrap();
            let rows = tree(&recipe, &cells.dataset());
            recipe.set_pair("cut=bins").unwrap();
            let bins = tree(&recipe, &cells.dataset());
            prop_assert_eq!(rows.leaves(), bins.leaves(), "{}", recipe.name);
            prop_assert_eq!(rows.nodes()[0].children(), bins.nodes()[0].children(), "{}", recipe.name);
        }
    }

    /// Counting words once, and looking only at those that a node's rows have, leave the tree of a text as it is.
    #[test]
    fn with_and_without_short_cuts_on_texts(data in texts()) {
        let learners = ["nt", "nt[score=iig]", "nt[tables.promise=0.1]", "nt[tables.promise=4,tables.kept=none]", "c45"];
        let all = [&[][..], &["prune=none"], &["collapse=false"], &["min-rows=5"], &["prune=none", "collapse=false"]];
        for (changes, name) in all.into_iter().flat_map(|changes| learners.map(|name| (changes, name))) {
            let mut recipe = Recipe::parse(name).unwrap();
            changes.iter().for_each(|change| recipe.set_pair(change).unwrap());
            let plain = Learner::new(recipe.clone()).unwrap().without_short_cuts().fit(&data).unwrap();
            prop_assert_eq!(&tree(&recipe, &data), plain.tree(), "{} {:?}", name, changes);
        }
    }

    /// A node that ends as a leaf in any case need not be grown.
    #[test]
    fn with_and_without_nodes_that_no_test_helps(cells in cells(false)) {
        prop_assume!(cells.can_be_learnt());
        let numbers = (0..2).map(|at| Column::numeric(format!("number{at}"), cells.numbers(at)));
        let data = dataset(numbers.collect(), cells.class());
        let all = [&[][..], &["min-rows=1"], &["min-rows=6"], &["prune=none"], &["score=gain-ratio", "tables=counted", "cut=bins"]];
        for (changes, name) in all.into_iter().flat_map(|changes| ["nt", "c45", "j48"].map(|name| (changes, name))) {
            let mut recipe = Recipe::named(name).unwrap();
            changes.iter().for_each(|change| recipe.set_pair(change).unwrap());
            let plain = Learner::new(recipe.clone()).unwrap().without_short_cuts().fit(&data).unwrap();
            prop_assert_eq!(&tree(&recipe, &data), plain.tree(), "{} {:?}", name, changes);
        }
    }

    /// Bounds, and looking only at the attributes that a node's rows have, leave the tree as it is.
    #[test]
    fn with_and_without_the_naive_trees_short_cuts(cells in cells(true), by in 0i32..4) {
        prop_assume!(cells.can_be_learnt());
        let cells = shifted(&cells, by);
        for changes in [&[][..], &["score=iig"], &["score=iig", "counts=counts", "missing=fractions"], &["prune=none", "score=iig"]] {
            let mut recipe = Recipe::nt();
            changes.iter().for_each(|change| recipe.set_pair(change).unwrap());
            let weights = |rows: usize| (0..rows).map(|row| [0.7, 0.4, 1.1][row % 3]).collect();
            let all = [cells.dataset(), sparse(&cells)];
            for data in all.into_iter().flat_map(|data| [data.clone().with_weights(weights(data.rows())).unwrap(), data]) {
                let plain = Learner::new(recipe.clone()).unwrap().without_short_cuts().fit(&data).unwrap();
                prop_assert_eq!(&tree(&recipe, &data), plain.tree(), "{:?}", changes);
            }
        }
    }
}

/// Labels of a hidden tree, many of them wrong, so that the tree is wide; some cells are missing.
fn wide(seed: u64) -> Dataset {
    let knobs = Knobs {
        rows: Some(1_500),
        numeric: Some(4),
        nominal: Some(8),
        classes: Some(4),
        noise: Some(0.3),
        seed: Some(seed),
        ..Knobs::default()
    };
    let data = generate("random-tree", &knobs).unwrap();
    let (class, attributes) = data.attributes().split_last().unwrap();
    let columns = attributes.iter().enumerate().map(|(at, column)| {
        let is_missing = |row: usize| (row * 31 + at * 7).is_multiple_of(23);
        let data = match column.data().clone() {
            ColumnData::Nominal { levels, mut codes } => {
                codes.iter_mut().enumerate().filter(|(row, _)| is_missing(*row)).for_each(|(_, code)| *code = MISSING);
                ColumnData::Nominal { levels, codes }
            }
            ColumnData::Numeric(mut numbers) => {
                let cells = numbers.iter_mut().enumerate().filter(|(row, _)| is_missing(*row));
                cells.for_each(|(_, number)| *number = f64::NAN);
                ColumnData::Numeric(numbers)
            }
            data => data,
        };
        Column::new(column.name(), data)
    });
    dataset(columns.collect(), class.clone())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3))]

    /// Nodes that are valued together are worth what each is by itself.
    #[test]
    fn with_nodes_together_or_one_by_one(seed in 0u64..1000) {
        let data = wide(seed);
        let all = [
            &[][..],
            &["tables.recount=2"],
            &["missing=fractions"],
            &["range=observed"],
            &["score=iig", "range=observed"],
            &["score=gini"],
            &["score=gain-ratio", "choose=best", "bins=frequency"],
        ];
        for changes in all {
            let mut recipe = Recipe::nt();
            for change in [changes, &["prune=none", "collapse=false", "cut.mdl=false", "min-rows=1"]].concat() {
                recipe.set_pair(change).unwrap();
            }
            let plain = Learner::new(recipe.clone()).unwrap().without_short_cuts().fit(&data).unwrap();
            // More nodes than are taken at a time are open at once.
            prop_assert!(plain.tree().leaves() > 200, "{:?}", changes);
            for threads in [1, 2, 3] {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                let together = pool.install(|| tree(&recipe, &data));
                prop_assert_eq!(&together, plain.tree(), "{:?} on {} threads", changes, threads);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// A search that remembers what it sampled comes to the tree of one that samples all again.
    #[test]
    fn with_and_without_the_memory_of_a_search(cells in cells(false), fractions in cells(true), seed in any::<u64>()) {
        let recipes = [("iidt", &["steps=5"][..]), ("iidt", &["g=1", "steps=6"]), ("auto", &["r=2", "steps=3", "p=0.3"])];
        for (name, changes) in recipes {
            let mut recipe = Recipe::named(name).unwrap();
            changes.iter().for_each(|change| recipe.set_pair(change).unwrap());
            recipe.seed = seed;
            for cells in [&cells, &fractions].into_iter().filter(|cells| cells.can_be_learnt()) {
                let plain = Learner::new(recipe.clone()).unwrap().without_short_cuts().fit(&cells.dataset()).unwrap();
                prop_assert_eq!(&tree(&recipe, &cells.dataset()), plain.tree(), "{} {:?}", name, changes);
            }
        }
    }
}
