//! Studies: the report, what it says of absent data, and what it leaves behind.

use crate::folder::Folder;

/// Two of the 33 sets by name, with rows of our own.
fn sets(folder: &Folder) {
    std::fs::create_dir(folder.path("uci")).unwrap();
    folder.run("data generate led7 --rows 200 --output uci/iris.arff").succeeded();
    folder.run("data generate balance-scale --output uci/balance-scale.arff").succeeded();
}

#[test]
fn a_study_puts_published_figures_beside_ours() {
    let folder = Folder::new();
    sets(&folder);
    let ran = folder.run("study nt-uci --data uci --runs 1 --output found");
    let report = ran.succeeded();
    for part in [
        "# The naive tree on 33 UCI sets",
        "Su and Zhang 2006",
        "| balance-scale |",
        "| iris ",
        "77.82",
        "94.73",
        "mean of 2",
        "Differences of more than a point",
        "fewer runs than published",
        "Paired tests",
        "R(S)",
    ] {
        assert!(report.contains(part), "{part}: {report}");
    }
    // What is not there is named.
    assert!(ran.err.contains("warning: skipped, since uci does not hold them: letter, mushroom"), "{}", ran.err);
    assert!(report.contains("Sets that were not at hand: letter, mushroom"));
    assert_eq!(folder.read("found/summary.md"), report);
    assert!(folder.read("found/README.md").contains("`quickset study nt-uci --data uci --runs 1 --output found`"));
    let raw = folder.read("found/raw.csv");
    assert_eq!(raw.lines().count(), 1 + 2 * 5 * 10);
    assert!(raw.lines().skip(1).all(|line| line.ends_with(",ok")));
    let mut names: Vec<_> = std::fs::read_dir(folder.path("found")).unwrap().map(|e| e.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["README.md", "page.html", "raw.csv", "summary.md"]);
    assert!(folder.read("found/page.html").contains("<h2") && folder.read("found/page.html").contains("balance-scale"));
}

#[test]
fn a_study_without_its_data_says_what_it_needs() {
    let folder = Folder::new();
    folder.run("study nt-uci").failed(2, &["--data"]);
    folder.run("study nt-uci --data none").failed(1, &["none", "not a folder"]);
    std::fs::create_dir(folder.path("empty")).unwrap();
    folder.run("study nt-text --data empty").failed(1, &["empty", "none of the 18 data sets", "ohscal.arff"]);
    folder.run("study oak").failed(2, &["nt-uci", "nt-text", "nt-scaling"]);
    folder.write("file", "");
    folder.run("study nt-scaling --runs 2 --output file").failed(1, &["file"]);
}

#[test]
fn a_set_that_cannot_be_read_ends_a_study_without_a_report() {
    let folder = Folder::new();
    sets(&folder);
    folder.write("uci/labor.arff", "@relation x\n@attribute a numeric\n@data\nx\n");
    let ran = folder.run("study nt-uci --data uci --runs 1 --output found");
    assert_eq!((ran.code, ran.out.as_str()), (1, ""), "{}", ran.err);
    assert!(ran.err.contains("labor.arff"), "{}", ran.err);
}

#[test]
fn costs_are_told_by_rows_and_by_attributes() {
    let folder = Folder::new();
    let ran = folder.run("study nt-scaling --runs 2 --output found");
    let report = ran.succeeded();
    for part in ["Rows, 20 attributes", "Attributes, 1000 rows", "| exponent", "nt over nb", "| 10000 "] {
        assert!(report.contains(part), "{part}: {report}");
    }
    assert_eq!(folder.read("found/raw.csv").lines().count(), 1 + 4 * 4);
}

#[test]
fn parts_of_induction_are_compared_and_the_paper_is_answered() {
    let folder = Folder::new();
    sets(&folder);
    let ran = folder.run("study hyper --data uci --runs 1 --output found");
    let report = ran.succeeded();
    for part in [
        "Many-way tests or two-way",
        "natural",
        "orthogonality",
        "hypergeometric",
        "Stopping or post-processing",
        "| statement",
        "holds",
    ] {
        assert!(report.contains(part), "{part}: {report}");
    }
    assert!(folder.read("found/page.html").contains("<svg"));
}

#[test]
fn cost_formulas_are_fitted_to_our_runs() {
    let folder = Folder::new();
    sets(&folder);
    let ran = folder.run("study cost-model --data uci --runs 4 --output found");
    let report = ran.succeeded();
    for part in ["T_B", "R²", "nodes counted", "t_p", "surgery, worst case", "| 20 ", "variance of the share"] {
        assert!(report.contains(part), "{part}: {report}");
    }
    // 2^21 − 1 steps for a row at a height of 20.
    assert!(report.contains("2097151.0"), "{report}");
    assert_eq!(folder.read("found/raw.csv").lines().count(), 1 + 2 + 4);
    assert!(folder.read("found/page.html").contains("<svg"));
}

#[test]
fn kinds_of_nbtree_are_compared_and_what_is_not_known_is_said() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("uci")).unwrap();
    folder.run("data generate weather --output uci/vehicle.arff").succeeded();
    folder
        .run("data generate random-tree --rows 120 --numeric 3 --nominal 0 --classes 2 --output uci/iris.arff")
        .succeeded();
    let ran = folder.run("study snbtree --data uci --runs 1 --output found");
    let report = ran.succeeded();
    for part in ["is not at hand", "| vehicle ", "| 31 ", "snbtree[delta=loo]", "wins/ties/losses", "| sign", "Leaves"]
    {
        assert!(report.contains(part), "{part}: {report}");
    }
    assert_eq!(folder.read("found/raw.csv").lines().count(), 1 + 2 * 7 * 10);
}
