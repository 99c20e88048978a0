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

#[test]
fn look_ahead_is_compared_and_followed_through_time() {
    let folder = Folder::new();
    let ran = folder.run("study lsid3 --sets xor-5,monks-1 --runs 1 --seconds 0.2 --seeds 2 --output found");
    let report = ran.succeeded();
    for part in [
        "# Look-ahead and what time buys",
        "not of the size that the bars ask for: 2 of 11 sets, 1 of 10 runs",
        "27 leaves, the proven minimum ",
        "| 27 leaves ",
        "cross-validated on xor-5: at least 95 %",
        "mean over the axis of test accuracy",
        "| monks-1 | ",
        "Esmeir 2008",
        "| leaves, lsid3(5) − id3 ",
        "-35.0",
        "| not tried ",
        "does the sign hold",
        "first ms, iidt",
    ] {
        assert!(report.contains(part), "{part}: {report}");
    }
    // Sets come in the order of the study, and those that nobody asked for do not come.
    assert!(report.find("| monks-1 ").unwrap() < report.find("| xor-5 ").unwrap() && !report.contains("| mux-20 "));
    let mut names: Vec<_> = std::fs::read_dir(folder.path("found")).unwrap().map(|e| e.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["README.md", "curves.csv", "page.html", "raw.csv", "summary.md"]);
    assert_eq!(folder.read("found/raw.csv").lines().count(), 1 + 2 * 6 * 10);
    let curves = folder.read("found/curves.csv");
    // Look-ahead at parity may take longer than this on a busy machine.
    for begun in ["monks-1,iidt", "monks-1,sequencing", "monks-1,lsid3", "monks-1,id3-k", "xor-5,iidt", "xor-5,id3-k"] {
        for seed in [1, 2] {
            assert!(curves.contains(&format!("\n{begun},{seed},")), "{begun}: {curves}");
        }
    }
    let page = folder.read("found/page.html");
    for plot in ["monks-1: test accuracy", "monks-1: leaves", "xor-5: test accuracy", "xor-5: leaves"] {
        assert!(page.contains(&format!("aria-label=\"{plot} against time\"")), "{plot}");
    }
}

#[test]
fn a_study_of_time_goes_on_with_what_was_followed() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("found")).unwrap();
    let followed = r#"{"set":"xor-5","way":"iidt","seed":1,"limit":0.1,"found":[{"by":"greedy","seconds":0.001,"accuracy":50.0,"leaves":12345.0}]}"#;
    folder.write("found/curves.part", format!("{followed}\n{}", &followed[..60]));
    let ran = folder.run("study lsid3 --sets xor-5 --runs 1 --seconds 0.1 --seeds 1 --output found");
    ran.succeeded();
    assert!(ran.err.contains("the study that was stopped goes on"), "{}", ran.err);
    let curves = folder.read("found/curves.csv");
    assert_eq!(curves.matches("xor-5,iidt,1,").count(), 1, "{curves}");
    assert!(curves.contains("\nxor-5,iidt,1,greedy,0.001,50,12345\n") && curves.contains("\nxor-5,id3-k,1,"));
}

#[test]
fn sizes_of_one_study_are_not_those_of_another() {
    let folder = Folder::new();
    folder.run("study nt-scaling --seconds 3").failed(2, &["--seconds", "study lsid3"]);
    folder.run("study lsid3 --sets oak").failed(2, &["oak", "monks-1, monks-2", "tic-tac-toe"]);
    folder.run("study lsid3 --seconds 0").failed(2, &["--seconds", "0.001"]);
    folder.run("study lsid3 --seeds 0").failed(2, &["--seeds"]);
}
