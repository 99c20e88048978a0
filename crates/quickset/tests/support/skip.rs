//! Tests that need what not every machine has say loudly when they are skipped.

use std::io::Write;

/// Notes that `test` is skipped, and `why`; with `CI=true` it fails instead.
pub fn skip(test: &str, why: &str) {
    assert!(std::env::var("CI").as_deref() != Ok("true"), "{test}: {why}, and with CI=true nothing is skipped");
    eprintln!("SKIPPED {test}: {why}");
    // `make test` counts these lines: the test runner hides what a passing test prints.
    if let Ok(list) = std::env::var("QUICKSET_SKIPPED") {
        let mut list = std::fs::OpenOptions::new().create(true).append(true).open(list).unwrap();
        // One write a line, since tests run side by side.
        list.write_all(format!("{test}: {why}\n").as_bytes()).unwrap();
    }
}
