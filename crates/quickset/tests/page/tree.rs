use quickset::export;
use quickset::io::{ReadOptions, read};
use quickset::{Learner, Recipe};
use serde_json::json;

use crate::browser::Browser;
use crate::kept;

/// Whether the line with this text can be seen.
fn seen(browser: &Browser, text: &str) -> bool {
    let script = format!(
        "const line = [...document.querySelectorAll('.leaf, summary')].find((l) => l.textContent.startsWith({text:?}));\
         return line.checkVisibility()"
    );
    browser.run(&script) == json!(true)
}

#[test]
fn branches_of_a_tree_fold_by_mouse_and_by_keyboard() {
    let Some(browser) = Browser::start("branches_of_a_tree_fold_by_mouse_and_by_keyboard") else { return };
    let data = read("builtin:weather", &ReadOptions::default()).unwrap();
    let model = Learner::new(Recipe::c45()).unwrap().fit(&data).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tree.html");
    std::fs::write(&file, format!("<!DOCTYPE html><meta charset=\"utf-8\">{}", export::html(&model))).unwrap();
    browser.screen(900, 500);
    browser.open(&file);
    if let Some(image) = kept("tree.png") {
        browser.screenshot(&image);
    }
    let (sunny, below) = ("outlook = sunny", "humidity <= 75");
    assert!(seen(&browser, sunny) && seen(&browser, below));
    browser.click("details details summary");
    assert!(seen(&browser, sunny) && !seen(&browser, below));
    browser.press("details details summary", "\u{e007}");
    assert!(seen(&browser, below));
    browser.click("summary");
    assert!(!seen(&browser, sunny));
    let widths =
        browser.run("return [...document.querySelectorAll('.bar i')].map((i) => i.getBoundingClientRect().width)");
    assert!(widths.as_array().unwrap().len() >= 8);
    assert_eq!(browser.console(), [""; 0]);
    assert_eq!(browser.requests(&file), [format!("file://{}", file.display())]);
}
