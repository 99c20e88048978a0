use serde_json::{Value, json};

use crate::browser::Browser;
use crate::{results, show};

/// The text of a column, from the first row to the last.
fn column(browser: &Browser, number: usize) -> Vec<String> {
    let script =
        format!("return [...document.querySelectorAll('tbody tr')].map((row) => row.cells[{number}].textContent)");
    let found = browser.run(&script);
    found.as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_string()).collect()
}

/// What the headings say about the order.
fn directions(browser: &Browser) -> Vec<Value> {
    let script =
        "return [...document.querySelectorAll('thead th')].map((heading) => heading.getAttribute('aria-sort'))";
    browser.run(script).as_array().unwrap().clone()
}

/// The number at the beginning of an entry, after its sign.
fn numbers(entries: &[String]) -> Vec<f64> {
    let number = |entry: &String| entry.trim_start_matches(['▲', '▼', ' ']).split(' ').next()?.parse().ok();
    entries.iter().filter_map(number).collect()
}

#[test]
fn pressing_a_heading_sorts_by_it_and_again_the_other_way() {
    let Some(page) = show("pressing_a_heading_sorts_by_it_and_again_the_other_way", &results::usual()) else { return };
    let browser = &page.browser;
    let before = column(browser, 2);
    assert_eq!(directions(browser), vec![Value::Null; 6]);
    browser.click("thead th:nth-child(3) button");
    let rising = numbers(&column(browser, 2));
    assert_eq!(rising.len(), 99);
    assert_ne!(rising, numbers(&before));
    assert!(rising.is_sorted());
    assert_eq!(directions(browser)[2], json!("ascending"));
    browser.click("thead th:nth-child(3) button");
    let falling = numbers(&column(browser, 2));
    assert!(falling.iter().rev().is_sorted());
    assert_eq!(directions(browser)[2], json!("descending"));
    // By words, and the other heading no longer claims the order.
    browser.click("thead th:nth-child(1) button");
    assert!(column(browser, 0).is_sorted());
    assert_eq!(directions(browser)[..3], [json!("ascending"), Value::Null, Value::Null]);
    assert_eq!(browser.console(), [""; 0]);
}

#[test]
fn figures_are_sorted_as_numbers_and_those_that_are_absent_come_last() {
    let test = "figures_are_sorted_as_numbers_and_those_that_are_absent_come_last";
    let Some(page) = show(test, &results::extreme()) else { return };
    let browser = &page.browser;
    for _ in 0..2 {
        browser.click("thead th:nth-child(4) button");
        let sizes = column(browser, 3);
        assert_eq!(sizes[8..], ["-"; 4]);
        assert!(numbers(&sizes).is_sorted() || numbers(&sizes).iter().rev().is_sorted(), "{sizes:?}");
    }
    assert_eq!(column(browser, 3)[0], "1000000.0");
}

#[test]
fn the_keyboard_sorts_too() {
    let Some(page) = show("the_keyboard_sorts_too", &results::usual()) else { return };
    let browser = &page.browser;
    browser.press("thead th:nth-child(5) button", "\u{e007}");
    assert!(numbers(&column(browser, 4)).is_sorted());
    assert_eq!(directions(browser)[4], json!("ascending"));
    // The space bar presses a button as well, and the tabulator reaches the next heading.
    browser.press("thead th:nth-child(5) button", " ");
    assert_eq!(directions(browser)[4], json!("descending"));
    browser.press("thead th:nth-child(5) button", "\u{e004}");
    assert_eq!(browser.run("return document.activeElement.textContent"), json!("Folds"));
}
