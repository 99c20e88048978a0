//! The page of results as a reader sees it, in Chromium.
//!
//! - `results`: what is shown: from one fold of one learner to ten learners on fifty sets, and hostile names.
//! - `shown`: it loads without errors or requests; everything fits, is legible and is there, on large and small
//!   screens, light, dark and printed.
//! - `sorted`: headings sort the table, by mouse and by keyboard.
//! - `tree`: the tree for notebooks, whose branches fold.
//!
//! With `QUICKSET_PAGES=FOLDER` the pages and images of them are left in that folder, to be looked at. Without Chromium
//! each test says that it was skipped; with `CI=true` its absence is a failure.

#![allow(missing_docs, clippy::print_stderr)]

#[path = "../support/browser.rs"]
mod browser;
mod results;
mod shown;
#[path = "../support/skip.rs"]
mod skip;
mod sorted;
mod tree;

use std::path::PathBuf;

use browser::Browser;
use quickset::export::page::Results;

/// A browser that shows the results; `None` if there is no browser.
fn show(test: &str, results: &Results) -> Option<Opened> {
    let browser = Browser::start(test)?;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("page.html");
    std::fs::write(&file, results.page().html()).unwrap();
    browser.screen(1280, 900);
    browser.open(&file);
    Some(Opened { browser, file, _folder: folder })
}

struct Opened {
    browser: Browser,
    file: PathBuf,
    // Removed when the page is no longer needed.
    _folder: tempfile::TempDir,
}

/// Where pages are kept for looking at, if anybody asked for it.
fn kept(name: &str) -> Option<PathBuf> {
    let folder = PathBuf::from(std::env::var_os("QUICKSET_PAGES")?);
    std::fs::create_dir_all(&folder).unwrap();
    Some(folder.join(name))
}
