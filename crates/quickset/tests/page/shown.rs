use quickset::export::page::Results;
use serde_json::{Value, json};

use crate::{Opened, kept, results, show};

/// Functions for the scripts below.
const TOOLS: &str = include_str!("tools.js");

/// Every complaint that a script finds, as text.
fn complaints(page: &Opened, script: &str) -> Vec<String> {
    let found = page.browser.run(&format!("{TOOLS}\n{script}"));
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_string);
    found.as_array().expect("a list of complaints").iter().map(text).collect()
}

/// Everything that holds for every page.
fn check(name: &str, results: &Results, plots: usize) {
    let Some(page) = show(name, results) else { return };
    let browser = &page.browser;
    // Errors first: a script that was refused would explain all the rest.
    assert_eq!(browser.console(), [""; 0], "{name}: the console");
    assert_eq!(browser.requests(&page.file), [format!("file://{}", page.file.display())], "{name}: requests");
    assert_eq!(browser.run("return document.title"), json!(results.title));
    assert_eq!(browser.run("return document.querySelectorAll('script').length"), json!(1), "{name}");
    assert_eq!(browser.run("return document.querySelectorAll('img, iframe, object, b').length"), json!(0), "{name}");
    assert_eq!(browser.run("return document.querySelectorAll('figure svg').length"), json!(plots), "{name}: plots");
    for width in [1280, 400] {
        browser.screen(width, 900);
        for check in ["return wide()", "return empty()", "return overlaps()", "return tiny()"] {
            assert_eq!(complaints(&page, check), [""; 0], "{name}, {width} wide: {check}");
        }
        for scheme in ["light", "dark"] {
            browser.look(scheme, false);
            assert_eq!(complaints(&page, "return faint()"), [""; 0], "{name}, {width} wide, {scheme}: contrast");
            if let Some(file) = kept(&format!("{name}-{width}-{scheme}.png")) {
                browser.screenshot(&file);
            }
        }
    }
    browser.look("dark", true);
    browser.screen(720, 900);
    assert_eq!(complaints(&page, "return faint()"), [""; 0], "{name}, printed: contrast");
    assert_eq!(complaints(&page, "return unprintable()"), [""; 0], "{name}, printed");
    if let Some(file) = kept(&format!("{name}.html")) {
        std::fs::copy(&page.file, file).unwrap();
        browser.pdf(&kept(&format!("{name}.pdf")).unwrap());
    }
}

#[test]
fn one_fold_of_one_learner() {
    check("smallest", &results::smallest(), 3);
}

#[test]
fn two_learners_on_one_set() {
    check("small", &results::small(), 3);
}

#[test]
fn three_learners_on_33_sets() {
    // 33 box plots, two scatter plots, one diagram of ranks, and learning curves of two sets.
    check("usual", &results::usual(), 33 + 2 + 1 + 6);
}

#[test]
fn ten_learners_on_50_sets() {
    check("largest", &results::largest(), 50 + 2 + 1);
}

#[test]
fn hostile_names_and_a_failed_learner() {
    check("extreme", &results::extreme(), 4 + 2 + 1 + 6);
}

/// The checks themselves: each finds what it is for.
#[test]
fn the_checks_find_what_is_wrong() {
    let Some(page) = show("the_checks_find_what_is_wrong", &results::small()) else { return };
    let spoil = |script: &str| {
        page.browser.open(&page.file);
        page.browser.run(script);
    };
    let body = "const style = document.createElement('style'); document.head.append(style); style.textContent = ";
    for (rule, check) in [
        ("'h1 { width: 1500px }'", "return wide()"),
        ("'.plot { height: 0 !important }'", "return empty()"),
        ("'.plot .tick { font-size: 40px }'", "return overlaps()"),
        ("'.plot text { font-size: 5px }'", "return tiny()"),
        ("':root { --quiet: #aaaaaa }'", "return faint()"),
        ("'.scroll { overflow: auto !important; max-height: 10px !important }'", "return unprintable()"),
    ] {
        spoil(&format!("{body}{rule}"));
        assert!(!complaints(&page, check).is_empty(), "{check} after {rule}");
    }
}
