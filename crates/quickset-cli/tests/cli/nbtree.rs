//! NBTree, held-out errors under other learners, and smoothed leaves.

use crate::folder::{Folder, WEATHER};

#[test]
fn a_tree_with_naive_bayes_leaves_is_used_like_any_other() {
    let folder = Folder::new();
    // Two numbers whose sum tells the class, turned round by a level: one naive Bayes model cannot know both.
    let mut text = String::from("side,x,y,class\n");
    for row in 0..240 {
        let (x, y, side) = (row % 12, row * 7 % 11, row % 2);
        let above = (x + y > 10) != (side == 0);
        text += &format!("{},{x},{y},{}\n", ["left", "right"][side], ["low", "high"][usize::from(above)]);
    }
    folder.write("sums.csv", &text);
    let report = folder.run("train sums.csv --learner nbtree --output model.json --format json").json();
    assert_eq!(report["recipe"]["score"], "held-out");
    assert_eq!(report["recipe"]["stop"]["rows"], 30.0);
    assert!(report["leaves"].as_u64().unwrap() >= 2, "{report}");
    let ran = folder.run("show model.json");
    assert!(ran.succeeded().contains("side = left") && ran.out.contains("naive Bayes over"), "{}", ran.out);
    let ran = folder.run("explain model.json sums.csv --row 9");
    assert!(ran.succeeded().contains("side = ") && ran.out.contains("What the values say there"), "{}", ran.out);
    let report = folder.run("evaluate model.json sums.csv --format json").json();
    assert!(report["accuracy"].as_f64().unwrap() > 0.8, "{report}");
    let alone = folder.run("train sums.csv --learner nbtree --threads 1 --output one.json").succeeded().to_string();
    assert!(alone.contains("leaves"), "{alone}");
    assert_eq!(folder.read("one.json"), folder.read("model.json"), "threads change nothing");
    let ran = folder.run("compare sums.csv --learners nbtree,nb --runs 1 --folds 5 --output page.html");
    ran.succeeded();
    let page = folder.read("page.html");
    assert!(page.contains("can be taken at its word"), "the section of reliability");
}

#[test]
fn the_stop_goes_with_other_scores() {
    let folder = Folder::new();
    folder.write("weather.csv", WEATHER);
    for learner in ["nt", "c45", "cart", "hyper", "id3"] {
        let flags =
            "--set leaf=nb --set leaf.density=kernel --set stop.reduction=0.05 --set prune=none --output m.json";
        folder.run(&format!("train weather.csv --learner {learner} {flags}")).succeeded();
        folder.run("evaluate m.json weather.csv").succeeded();
    }
    folder
        .run("train weather.csv --learner c45 --set stop.reduction=0.05")
        .failed(2, &["naive Bayes leaves", "leaf=nb"]);
    folder.run("train weather.csv --learner nbtree --set stop.reduction=2").failed(2, &["stop.reduction is 2"]);
    folder.run("train weather.csv --learner nbtree --set stop.rows=many").failed(2, &["stop.rows takes"]);
}

#[test]
fn leaves_may_be_smoothed_towards_all_rows() {
    let folder = Folder::new();
    folder.write("weather.csv", WEATHER);
    folder.run("train weather.csv --learner c45 --set leaf=m-estimate --set leaf.m=7 --output m.json").succeeded();
    // The four overcast days were all played, as nine of all fourteen were: (4 + 7 · 9/14) / 11.
    let ran = folder.run("predict m.json weather.csv --proba");
    let expected = format!("{:.6}", (4.0 + 7.0 * 9.0 / 14.0) / 11.0);
    assert!(ran.succeeded().lines().nth(3).unwrap().contains(&expected), "{expected}: {}", ran.out);
    folder.run("train weather.csv --learner c45 --set leaf.m=7").failed(2, &["where leaf=m-estimate"]);
    folder.run("train weather.csv --learner c45 --set leaf=m-estimate --set leaf.m=-7").failed(2, &["leaf.m is -7"]);
}
