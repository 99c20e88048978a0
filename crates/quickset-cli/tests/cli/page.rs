//! The page that `compare --format html` writes, looked at in a browser.

use serde_json::json;

use crate::browser::Browser;
use crate::folder::Folder;

#[test]
fn a_comparison_is_a_page_that_a_browser_shows_and_sorts() {
    let folder = Folder::new();
    let call = "compare builtin:monks-1 builtin:balance-scale builtin:weather --learners nt,c45[min-rows=5],majority \
                --runs 2 --folds 5 --curve 20%,100% --format html --output page.html";
    let ran = folder.run(call);
    assert_eq!(ran.succeeded(), "");
    assert_eq!(folder.files(), ["page.html"]);
    let html = folder.read("page.html");
    assert!(html.contains("quickset compare") && html.contains("c45[min-rows=5]"));
    for outside in ["http://", "https://", "<link", "@import", "src="] {
        assert!(!html.replace("http://www.w3.org/2000/svg", "").contains(outside), "{outside}");
    }
    let Some(browser) = Browser::start("a_comparison_is_a_page_that_a_browser_shows_and_sorts") else { return };
    browser.screen(1280, 900);
    browser.open(&folder.path("page.html"));
    assert_eq!(browser.console(), [""; 0]);
    let page = folder.path("page.html");
    assert_eq!(browser.requests(&page), [format!("file://{}", page.display())]);
    assert_eq!(browser.run("return document.querySelectorAll('tbody tr').length"), json!(9));
    let headings = browser.run("return [...document.querySelectorAll('h2')].map((h) => h.textContent)");
    for heading in ["Results", "Mean ranks", "Accuracy by data set", "What accuracy costs", "Learning curves"] {
        assert!(headings.as_array().unwrap().contains(&json!(heading)), "{heading}: {headings}");
    }
    // Every plot has something to show.
    let small =
        "return [...document.querySelectorAll('svg')].filter((s) => s.getBoundingClientRect().height < 8).length";
    assert_eq!(browser.run(small), json!(0));
    assert!(browser.run("return document.querySelectorAll('svg').length").as_u64().unwrap() >= 3 + 1 + 2 + 9);
    browser.click("thead th:nth-child(3) button");
    let order = browser.run("return document.querySelector('thead th:nth-child(3)').getAttribute('aria-sort')");
    assert_eq!(order, json!("ascending"));
    let shown = browser.run("return [...document.querySelectorAll('tbody tr')].map((row) => row.cells[2].textContent)");
    let mean = |text: &serde_json::Value| -> f64 {
        let text = text.as_str().unwrap().trim_start_matches(['▲', '▼', ' ']);
        text.split(' ').next().unwrap().parse().unwrap()
    };
    let means: Vec<f64> = shown.as_array().unwrap().iter().map(mean).collect();
    assert!(means.is_sorted() && means[0] < means[8], "{means:?}");
}

#[test]
fn a_page_of_one_learner_with_a_failed_fold_says_so() {
    let folder = Folder::new();
    folder.write("tiny.csv", "x,class\n1,a\n2,a\n3,b\n4,b\n");
    folder.write("tiny.folds", "0\n0\n1\n1\n");
    let ran = folder.run("compare tiny.csv --learners c45 --folds-from tiny.folds --format html --output page.html");
    assert_eq!(ran.code, 1);
    let html = folder.read("page.html");
    assert!(html.contains("failed") && html.contains("nothing to learn"), "{html}");
    assert!(html.contains("tiny.folds"));
}
