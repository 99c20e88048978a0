//! How many times faster LSID3 is than its plain twin, and two threads than one: run by hand, on a quiet machine, with
//! `cargo test --release -p quickset --lib lookahead -- --ignored --nocapture`.

use std::time::Instant;

use super::{plain, set, with};
use crate::Recipe;
use crate::grow::{Position, Task, grow};

fn seconds<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed().as_secs_f64())
}

#[test]
#[ignore = "takes a minute, and measures"]
#[allow(clippy::print_stdout)]
fn against_the_plain_twin_and_on_two_threads() {
    let data = set("xor-10");
    let recipe = with(Recipe::lsid3, &["r=5"]);
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let task = Task::new(&data, data.class().unwrap(), (0..data.rows() as u32).collect(), &recipe);
            seconds(|| plain::root(&grow(&task)))
        })
    };
    let (tree, one) = on(1);
    let (same, two) = on(2);
    let task = Task::new(&data, data.class().unwrap(), (0..data.rows() as u32).collect(), &recipe);
    let (slow, plain) = seconds(|| plain::lsid3(&task, &task.rows, Position::root(&recipe)));
    assert!(tree == same && tree == slow, "three times the same tree");
    let (ratio, threads) = (plain / one, one / two);
    println!("lsid3 on xor-10: {ratio:.1} times as fast as its plain twin, two threads {threads:.2} times as one");
    assert!(ratio >= 20.0 && threads >= 1.8, "{ratio:.1} {threads:.2}");
}
