//! How many times faster LSID3 is than its plain twin, and two threads than one: run by hand, with
//! `cargo test --release -p quickset --lib lookahead -- --ignored --nocapture`.
//!
//! Threads are timed by the processor's time, where the system tells it, so that other programs do not count. One and two
//! take turns and the best of each counts, as in the other benchmarks.

use std::time::Instant;

use super::{plain, set, with};
use crate::Recipe;
use crate::grow::{Position, Task, grow};

const TURNS: usize = 5;

/// Seconds that this thread has been at work.
fn busy(start: Instant) -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|told| told.split_whitespace().next()?.parse::<f64>().ok());
    nanoseconds.map_or(start.elapsed().as_secs_f64(), |nanoseconds| nanoseconds * 1e-9)
}

#[test]
#[ignore = "takes a minute, and measures"]
#[allow(clippy::print_stdout)]
fn against_the_plain_twin_and_on_two_threads() {
    let data = set("xor-10");
    let recipe = with(Recipe::lsid3, &["r=5"]);
    let start = Instant::now();
    let all = || (0..data.rows() as u32).collect();
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let before = pool.broadcast(|_| busy(start));
        let clock = Instant::now();
        let tree = pool.install(|| plain::root(&grow(&Task::new(&data, data.class().unwrap(), all(), &recipe))));
        let wall = clock.elapsed().as_secs_f64();
        let after = pool.broadcast(|_| busy(start));
        let worked = after.iter().zip(&before).map(|(after, before)| after - before).fold(0.0, f64::max);
        (tree, worked, wall)
    };
    let mut best = [(f64::INFINITY, f64::INFINITY); 2];
    let mut trees = Vec::new();
    for _ in 0..TURNS {
        for (best, threads) in best.iter_mut().zip([1, 2]) {
            let (tree, worked, wall) = on(threads);
            *best = (best.0.min(worked), best.1.min(wall));
            trees.push(tree);
        }
    }
    let [(one, wall_one), (busier, wall_two)] = best;
    let task = Task::new(&data, data.class().unwrap(), all(), &recipe);
    let before = busy(start);
    let slow = plain::lsid3(&task, &task.rows, Position::root(&recipe), None);
    let plain = busy(start) - before;
    assert!(trees.iter().all(|tree| *tree == slow), "the same tree every time");
    let (ratio, threads, wall) = (plain / one, one / busier, wall_one / wall_two);
    println!(
        "lsid3 on xor-10: {ratio:.1} times as fast as its plain twin ({plain:.2} s, {one:.2} s); \
         two threads {threads:.2} times as fast as one by their work, {wall:.2} times by the clock"
    );
    assert!(ratio >= 20.0 && threads >= 1.8, "{ratio:.1} {threads:.2}");
}
