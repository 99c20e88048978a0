//! What pruning costs, in rows sent through tests.

use std::time::Instant;

use super::chains::{Chain, Level};
use super::plain;
use crate::Recipe;
use crate::grow::{Draft, ROOT, Task};
use crate::prune::estimate::Estimate;
use crate::prune::pessimistic;
use crate::prune::reroute::{Weighted, work};
use crate::recipe::{Errors, Leaf};

const ROWS: usize = 4096;

fn task<'d>(chain: &'d Chain, recipe: &'d Recipe) -> Task<'d> {
    let data = &chain.data;
    Task::new(data, data.class().unwrap(), (0..data.rows() as u32).collect(), recipe)
}

fn estimate() -> Estimate {
    Estimate::new(0.25, Errors::J48)
}

/// Rows sent through tests by release 8's recursion, by plain re-routing, by ours, and by pruning without raising.
struct Costs {
    release_8: u64,
    plain: u64,
    ours: u64,
    simple: u64,
    raised: usize,
}

fn costs(levels: &[Level]) -> Costs {
    let (chain, recipe) = (Chain::new(ROWS, levels), Recipe::j48());
    let task = task(&chain, &recipe);
    let draft = chain.draft(&task);
    let all = Weighted::of(&chain.data, &task.rows);
    let (release_8, _) = work::of(|| plain::release_8(&task, &draft, estimate(), ROOT, &all));
    let (mut slow, mut cheap, mut without) = (draft.clone(), draft.clone(), draft);
    let (plain, raised) = work::of(|| plain::prune(&task, &mut slow, estimate()));
    let (ours, ()) = work::of(|| pessimistic::prune(&task, &mut cheap, estimate(), true));
    let (simple, ()) = work::of(|| pessimistic::prune(&task, &mut without, estimate(), false));
    let tree = |draft: Draft| draft.into_tree(Leaf::Distribution);
    assert_eq!(tree(cheap), tree(slow));
    Costs { release_8, plain, ours, simple, raised }
}

fn shapes(depth: usize) -> [(&'static str, Vec<Level>); 3] {
    let mixed = (0..depth).map(|at| if at % 2 == 0 { Level::Useless } else { Level::Useful }).collect();
    [("useful", vec![Level::Useful; depth]), ("useless", vec![Level::Useless; depth]), ("mixed", mixed)]
}

#[test]
fn release_8_doubles_with_every_level_and_ours_looks_at_the_rows_that_leave() {
    for depth in 3..=9 {
        for (name, levels) in shapes(depth) {
            let costs = costs(&levels);
            let leaving = levels.iter().map(|&level| if level == Level::Useful { 10 } else { 1 }).sum::<usize>();
            let exponential = ((1u64 << (depth + 1)) - 1) * (ROWS - leaving) as u64;
            assert!(costs.release_8 >= exponential, "{name} {depth}: {}", costs.release_8);
            assert!(costs.plain >= (depth * ROWS) as u64, "{name} {depth}: {}", costs.plain);
            // The last test has half of the rows outside its larger branch: the first of them tell enough.
            let bound = (4 * depth * leaving + ROWS) as u64;
            assert!(costs.ours <= bound, "{name} {depth}: {} > {bound}", costs.ours);
            assert_eq!(costs.simple, 0, "weights by class are all that simple pruning reads");
            let useless = levels.iter().filter(|level| **level == Level::Useless).count();
            assert_eq!(costs.raised, useless, "{name} {depth}");
        }
    }
}

/// Prunes a chain of 100,000 rows; answers the seconds, the rows sent through tests and the depth that is left.
fn very_deep(levels: &[Level]) -> (f64, u64, usize) {
    let (chain, recipe) = (Chain::new(100_000, levels), Recipe::j48());
    let task = task(&chain, &recipe);
    let mut draft = chain.draft(&task);
    let start = Instant::now();
    let (routed, ()) = work::of(|| pessimistic::prune(&task, &mut draft, estimate(), true));
    let seconds = start.elapsed().as_secs_f64();
    (seconds, routed, draft.into_tree(Leaf::Distribution).depth())
}

/// By the recipe of release 8 the first of these would take 2^10,000 times the rows.
#[test]
fn a_chain_of_ten_thousand_levels_is_pruned() {
    let useful = Level::Useful;
    let levels = vec![useful; 9_990];
    let (_, routed, depth) = very_deep(&levels);
    assert_eq!(depth, levels.len() + 1, "nothing is of no use");
    assert!(routed < 1_000_000, "{routed}");
    let levels = vec![Level::Useless; 20_000];
    let (_, routed, depth) = very_deep(&levels);
    assert_eq!(depth, 1, "all is of no use");
    assert!(routed < 1_000_000, "{routed}");
}

/// The figures of docs/DESIGN.md: `cargo test --release -p quickset --lib surgery_costs -- --ignored --nocapture`.
#[test]
#[ignore = "a measurement: prints a table"]
#[allow(clippy::print_stdout)]
fn surgery_costs() {
    println!("rows sent through tests, {ROWS} rows");
    println!("| levels | depth | raised | release 8 | plain | ours | without raising |\n|---|---|---|---|---|---|---|");
    for at in 0..3 {
        for depth in 3..=14 {
            let (name, levels) = &shapes(depth)[at];
            let Costs { release_8, plain, ours, simple, raised } = costs(levels);
            println!("| {name} | {depth} | {raised} | {release_8} | {plain} | {ours} | {simple} |");
        }
    }
    println!("\n100,000 rows\n| levels | depth | depth left | rows through tests | seconds |\n|---|---|---|---|---|");
    for depth in [1_000, 3_000, 9_000] {
        for (name, levels) in shapes(depth) {
            let (seconds, routed, left) = very_deep(&levels);
            println!("| {name} | {depth} | {left} | {routed} | {seconds:.3} |");
        }
    }
}
