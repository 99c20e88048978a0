use serde_json::Value;

use crate::folder::{Folder, WEATHER};

/// The weather with two values missing that decide.
const GAPS: &str = "\
outlook,humidity,play
sunny,85,no
sunny,90,no
sunny,70,yes
overcast,86,yes
overcast,65,yes
overcast,75,yes
?,96,no
?,91,no
rainy,80,yes
rainy,70,yes
rainy,?,yes
";

fn with(learner: &str, data: &str) -> Folder {
    let folder = Folder::new();
    folder.write("data.csv", data);
    folder.run(&format!("train data.csv --learner {learner} --output model.json")).succeeded();
    folder
}

#[test]
fn they_are_trained_shown_and_compared() {
    for (learner, leaves, depth, errors) in [("majority", 1, 0, 5), ("one-r", 3, 1, 4), ("t2", 5, 2, 0)] {
        let folder = Folder::new();
        folder.write("weather.csv", WEATHER);
        let report = folder.run(&format!("train weather.csv --learner {learner} --format json")).json();
        let figures = ["leaves", "depth", "train_errors"].map(|figure| report[figure].as_u64().unwrap());
        assert_eq!(figures, [leaves, depth, errors], "{learner}");
        assert_eq!(report["recipe"]["name"], learner);
        let ran = folder.run(&format!("train weather.csv --learner {learner}"));
        assert!(ran.succeeded().contains(if learner == "majority" { ": yes (14.0/5.0)" } else { "outlook = sunny" }));
    }
    let ran =
        Folder::new().run("compare builtin:weather --learners majority,one-r[numeric.bucket=3],t2 --runs 1 --folds 3");
    let out = ran.succeeded();
    assert!(["majority", "one-r[numeric.bucket=3]", "t2"].iter().all(|name| out.contains(name)), "{out}");
}

#[test]
fn missing_values_have_a_branch_through_file_and_back() {
    for (learner, right) in [("one-r", 10), ("t2", 11)] {
        let folder = with(learner, GAPS);
        let tree = folder.run("show model.json");
        assert!(tree.succeeded().contains("\noutlook is missing: no (2.0)\n"), "{}", tree.out);
        let report = folder.run("evaluate model.json data.csv --format json").json();
        assert_eq!(report["correct"], right, "{learner}");
        // An unknown sky counts as none; a number is not asked where the sky is missing.
        folder.write("new.csv", "outlook,humidity\n?,65\nfoggy,65\novercast,?\n");
        let ran = folder.run("predict model.json new.csv");
        assert_eq!(ran.succeeded().lines().skip(1).collect::<Vec<_>>(), ["1,no", "2,no", "3,yes"], "{learner}");
        let ran = folder.run("explain model.json new.csv --row 1");
        assert!(ran.succeeded().contains("\n1. outlook is missing\n"), "{}", ran.out);
        let ran = folder.run("explain model.json new.csv --row 2");
        assert!(ran.succeeded().contains("training never saw: it counts as missing"), "{}", ran.out);
        assert!(folder.run("show model.json --format rules").succeeded().contains("if outlook is missing then no"));
        assert!(folder.run("show model.json --format dot").succeeded().contains("is missing"));
        let tree: Value = serde_json::from_str(folder.run("show model.json --format json").succeeded()).unwrap();
        assert_eq!(
            (&tree["tree"]["missing"], &tree["tree"]["branches"][3]["branch"]),
            (&3.into(), &"is missing".into())
        );
    }
}

#[test]
fn intervals_are_written_in_every_form() {
    let folder = Folder::new();
    folder.run("train builtin:weather --learner one-r --set numeric.bucket=3 --output model.json").succeeded();
    let rules = folder.run("show model.json --format rules");
    assert!(rules.succeeded().contains("2. if 82.5 < humidity <= 95.5 then no"), "{}", rules.out);
    assert!(folder.run("show model.json --format dot").succeeded().contains("label=\"in (82.5, 95.5]\""));
    let tree: Value = serde_json::from_str(folder.run("show model.json --format json").succeeded()).unwrap();
    assert_eq!((&tree["tree"]["test"], &tree["tree"]["cuts"]), (&"intervals".into(), &serde_json::json!([82.5, 95.5])));
    let ran = folder.run("explain model.json builtin:weather --row 1");
    assert!(ran.succeeded().contains("if humidity were <= 82.5 (now 85): yes (7.0/1.0)"), "{}", ran.out);
    folder.write("gap.csv", "humidity\n?\n");
    let ran = folder.run("explain model.json gap.csv --row 1");
    assert!(ran.succeeded().contains("if humidity were in (82.5, 95.5] (now missing): no (6.0/2.0)"), "{}", ran.out);
}

#[test]
fn a_model_with_wrong_intervals_is_refused() {
    let folder = Folder::new();
    folder.run("train builtin:weather --learner one-r --set numeric.bucket=3 --output model.json").succeeded();
    let model = folder.read("model.json");
    for (found, instead) in [("[82.5,95.5]", "[95.5,82.5]"), ("[82.5,95.5]", "[82.5]"), ("[82.5,95.5]", "[82.5,82.5]")]
    {
        assert!(model.contains(found));
        folder.write("wrong.json", model.replace(found, instead));
        folder.run("predict wrong.json builtin:weather").failed(1, &["wrong.json", "damaged: node 0"]);
    }
}

#[test]
fn wrong_settings_get_a_sentence() {
    let folder = Folder::new();
    let train = |flags: &str| folder.run(&format!("train builtin:weather --output model.json {flags}"));
    train("--learner one-r --set numeric.bucket=0").failed(2, &["numeric.bucket is 0", "1 or more"]);
    train("--learner one-r --set numeric.bucket=many").failed(2, &["numeric.bucket=many", "1 or more"]);
    train("--learner c45 --set numeric.bucket=3").failed(2, &["where numeric=buckets"]);
    train("--learner t2 --set max-depth=3").failed(2, &["at most two levels", "max-depth=2"]);
    train("--learner one-r --set cut=bins").failed(2, &["not of bins", "cut=rows"]);
    assert!(folder.files().is_empty());
}

#[test]
fn t2_refuses_what_would_take_hours() {
    let folder = Folder::new();
    let names: Vec<String> = (0..101).map(|at| format!("x{at}")).collect();
    let row = |value: &str, class: &str| format!("{}{class}\n", format!("{value},").repeat(101));
    folder.write("wide.csv", format!("{},class\n{}{}", names.join(","), row("1", "a"), row("2", "b")));
    let ran = folder.run("train wide.csv --learner t2 --output model.json");
    ran.failed(1, &["all pairs of attributes", "found 101, expected at most 100", "--ignore"]);
    folder.run("train wide.csv --learner t2 --ignore x0").succeeded();
    let row = |row: usize| {
        let numbers: String = (1..=20).map(|at| format!("{},", (2 * at + 1) * row % 40_009)).collect();
        format!("{numbers}c{}\n", row % 30)
    };
    let rows: String = (0..40_000).map(row).collect();
    folder.write("long.csv", format!("{},class\n{rows}", names[..20].join(",")));
    let ran = folder.run("train long.csv --learner t2 --output model.json");
    ran.failed(1, &["800000 first tests", "40000 rows", "takes hours"]);
    assert_eq!(folder.files(), ["long.csv", "wide.csv"]);
}
