//! What pruning costs, in rows sent through tests.

use std::time::Instant;

use super::chains::{Chain, Level, leaving};
use super::plain;
use crate::data::{Column, Dataset};
use crate::grow::{Draft, ROOT, Task};
use crate::learner::Trained;
use crate::prune::estimate::Estimate;
use crate::prune::pessimistic;
use crate::prune::reroute::{Weighted, work};
use crate::recipe::{Errors, Leaf};
use crate::{Learner, Recipe};

const ROWS: usize = 4096;

fn task<'d>(chain: &'d Chain, recipe: &'d Recipe) -> Task<'d> {
    let data = &chain.data;
    Task::new(data, data.class().unwrap(), (0..data.rows() as u32).collect(), recipe)
}

fn estimate() -> Estimate {
    Estimate::new(0.25, Errors::J48)
}

/// Rows sent through tests by surgery within surgery, by plain re-routing, by ours, and by pruning without raising.
struct Costs {
    nested: u64,
    plain: u64,
    ours: u64,
    simple: u64,
    raised: usize,
}

fn costs(levels: &[Level], missing: Option<usize>) -> Costs {
    let (chain, recipe) = (Chain::new(ROWS, levels, missing), Recipe::j48());
    let task = task(&chain, &recipe);
    let draft = chain.draft(&task);
    let all = Weighted::of(&chain.data, &task.rows);
    let (nested, _) = work::of(|| plain::nested(&task, &draft, estimate(), ROOT, &all));
    let (mut slow, mut cheap, mut without) = (draft.clone(), draft.clone(), draft);
    let (plain, raised) = work::of(|| plain::prune(&task, &mut slow, estimate()));
    let (ours, ()) = work::of(|| pessimistic::prune(&task, &mut cheap, estimate(), true));
    let (simple, ()) = work::of(|| pessimistic::prune(&task, &mut without, estimate(), false));
    let tree = |draft: Draft| draft.into_tree(Leaf::Distribution);
    assert_eq!(tree(cheap), tree(slow));
    Costs { nested, plain, ours, simple, raised }
}

type Shape = (&'static str, Vec<Level>, Option<usize>);

fn shapes(depth: usize) -> [Shape; 4] {
    let mixed: Vec<Level> = (0..depth).map(|at| if at % 2 == 0 { Level::Useless } else { Level::Useful }).collect();
    [
        ("useful", vec![Level::Useful; depth], None),
        ("useless", vec![Level::Useless; depth], None),
        ("mixed", mixed.clone(), None),
        ("mixed, 1 % missing", mixed, Some(100)),
    ]
}

#[test]
fn nested_surgery_doubles_with_every_level_and_ours_looks_at_the_rows_that_leave() {
    for depth in 3..=9 {
        for (name, levels, missing) in shapes(depth) {
            let costs = costs(&levels, missing);
            let (leaving, complete) = (leaving(&levels), missing.is_none());
            let exponential = ((1u64 << (depth + 1)) - 1) * (ROWS - leaving) as u64;
            assert!(costs.nested >= exponential, "{name} {depth}: {}", costs.nested);
            assert!(costs.plain >= (depth * ROWS) as u64, "{name} {depth}: {}", costs.plain);
            // The last test has half of the rows outside its larger branch: of whole rows the first ones tell enough.
            let bound = (4 * depth * leaving) as u64;
            assert!(!complete || costs.ours <= bound, "{name} {depth}: {} > {bound}", costs.ours);
            assert!(2 * costs.ours < costs.plain, "{name} {depth}: {}", costs.ours);
            assert_eq!(costs.simple, 0, "weights by class are all that simple pruning reads");
            let useless = levels.iter().filter(|level| **level == Level::Useless).count();
            assert!(!complete || costs.raised == useless, "{name} {depth}: {}", costs.raised);
        }
    }
}

/// Prunes a chain of 100,000 rows; answers the seconds, the rows sent through tests and the depth that is left.
fn very_deep(levels: &[Level], missing: Option<usize>) -> (f64, u64, usize) {
    let (chain, recipe) = (Chain::new(100_000, levels, missing), Recipe::j48());
    let task = task(&chain, &recipe);
    let mut draft = chain.draft(&task);
    let start = Instant::now();
    let (routed, ()) = work::of(|| pessimistic::prune(&task, &mut draft, estimate(), true));
    let seconds = start.elapsed().as_secs_f64();
    (seconds, routed, draft.into_tree(Leaf::Distribution).depth())
}

/// With surgery within surgery the first of these would take 2^10,000 times the rows.
#[test]
fn a_chain_of_ten_thousand_levels_is_pruned() {
    let levels = vec![Level::Useful; 10_000];
    let (_, routed, depth) = very_deep(&levels, None);
    assert_eq!(depth, levels.len() + 1, "nothing is of no use");
    assert!(routed < 1_000_000, "{routed}");
    let levels = vec![Level::Useless; 20_000];
    let (_, routed, depth) = very_deep(&levels, None);
    assert_eq!(depth, 1, "all is of no use");
    assert!(routed < 1_000_000, "{routed}");
}

/// A chain as ID3 grows it, from classes that alternate along a number: the depth before pruning, and the training, of
/// which the part for pruning is told.
fn grown(rows: u32) -> (usize, Trained) {
    let number = Column::numeric("x", (0..rows).map(f64::from).collect());
    let class = Column::from_texts("class", (0..rows).map(|row| Some(if row % 2 == 0 { "a" } else { "b" })));
    let data = Dataset::new(vec![number, class]).unwrap().with_last_as_target().unwrap();
    let train = |prune: &str| {
        let mut recipe = Recipe::id3();
        ["collapse=false", prune].iter().for_each(|change| recipe.set_pair(change).unwrap());
        Learner::new(recipe).unwrap().train_all(&data).unwrap()
    };
    (train("prune=none").model.tree().depth(), train("prune=pessimistic"))
}

/// The figures of docs/DESIGN.md: `cargo test -p quickset --lib surgery_costs -- --ignored --nocapture`.
#[test]
#[ignore = "a measurement: prints a table"]
#[allow(clippy::print_stdout)]
fn surgery_costs() {
    println!("rows sent through tests, {ROWS} rows");
    println!("| levels | depth | raised | nested | plain | ours | without raising |\n|---|---|---|---|---|---|---|");
    for at in 0..4 {
        for depth in 3..=14 {
            let (name, levels, missing) = &shapes(depth)[at];
            let Costs { nested, plain, ours, simple, raised } = costs(levels, *missing);
            println!("| {name} | {depth} | {raised} | {nested} | {plain} | {ours} | {simple} |");
        }
    }
    println!("\n100,000 rows\n| levels | depth | depth left | rows through tests | seconds |\n|---|---|---|---|---|");
    for depth in [1_000, 3_000, 10_000] {
        // Rows in fractions are weighed anew on all levels below: from here on that takes a minute and more.
        let measured = if depth > 1_000 { 3 } else { 4 };
        for (name, levels, missing) in shapes(depth).into_iter().take(measured) {
            let (seconds, routed, left) = very_deep(&levels, missing);
            println!("| {name} | {depth} | {left} | {routed} | {seconds:.3} |");
        }
    }
}

/// As above, `--lib chains_grown_by_id3`.
#[test]
#[ignore = "a measurement: prints a table"]
#[allow(clippy::print_stdout)]
fn chains_grown_by_id3() {
    println!("| rows | depth | depth left | seconds to grow | seconds to prune |\n|---|---|---|---|---|");
    for rows in [3_000, 12_000, 24_000] {
        let (depth, Trained { model, seconds, .. }) = grown(rows);
        println!("| {rows} | {depth} | {} | {:.3} | {:.3} |", model.tree().depth(), seconds.grow, seconds.prune);
    }
}
