use serde_json::Value;

use crate::folder::{Folder, WEATHER};

/// Sizes in two humps, and colours of which one decides for the small ones.
const THINGS: &str = "\
size,colour,class
1,red,a
2,red,a
3,green,b
4,blue,b
2,white,b
3,red,a
21,green,a
22,blue,a
23,white,a
24,red,a
22,green,a
?,green,b
";

fn trained(data: &str, flags: &str) -> Folder {
    let folder = Folder::new();
    folder.write("data.csv", data);
    folder.run(&format!("train data.csv {flags} --output model.json")).succeeded();
    folder
}

#[test]
fn quartiles_are_learnt_shown_and_explained() {
    let folder = trained(WEATHER, "--learner id3 --set numeric=quartiles");
    let tree = folder.run("show model.json");
    assert!(tree.succeeded().contains("|   humidity in (72.5, 90.5]: no (2.0)\n"), "{}", tree.out);
    let rules = folder.run("show model.json --format rules");
    assert!(rules.succeeded().contains("if outlook = sunny and 72.5 < humidity <= 90.5 then no"), "{}", rules.out);
    assert!(folder.run("show model.json --format dot").succeeded().contains("label=\"in (72.5, 90.5]\""));
    let tree: Value = serde_json::from_str(folder.run("show model.json --format json").succeeded()).unwrap();
    let below = &tree["tree"]["branches"][0];
    let cuts = serde_json::json!([72.5, 90.5]);
    assert_eq!((&below["test"], &below["cuts"]), (&"intervals".into(), &cuts));
    let ran = folder.run("explain model.json data.csv --row 1");
    assert!(ran.succeeded().contains("humidity in (72.5, 90.5]"), "{}", ran.out);
    assert!(ran.out.contains("if humidity were <= 72.5 (now 85): yes"), "{}", ran.out);
    let report = folder.run("train data.csv --learner id3 --set numeric=quartiles --format json").json();
    let expected = serde_json::json!({"fixed": {"cuts": "quartiles", "ways": "many"}});
    assert_eq!((&report["train_errors"], &report["recipe"]["candidates"]["numeric"]), (&0.into(), &expected));
}

#[test]
fn numbers_are_predicted_where_they_are_missing() {
    // The row of no size is in both humps, in a branch of its own, between the humps, or in the better branch.
    for (flags, missing) in [
        ("--learner id3 --set numeric=natural", "b"),
        ("--learner id3 --set numeric=natural --set missing=own", "b"),
        ("--learner id3 --set numeric=quartiles --set missing=impute", "a"),
        ("--learner cart --set numeric=sqrt --set prune=none --set min-rows=1", "b"),
        ("--learner id3 --set numeric=quartiles --set missing=learned --set nominal=value", "b"),
    ] {
        let folder = trained(THINGS, flags);
        folder.write("new.csv", "size,colour\n1.5,red\n22.5,green\n?,green\n?,?\n");
        let ran = folder.run("predict model.json new.csv --proba");
        assert_eq!(ran.succeeded().lines().count(), 5, "{flags}: {}", ran.out);
        let ran = folder.run("predict model.json new.csv");
        let labels: Vec<&str> = ran.succeeded().lines().skip(1).collect();
        assert_eq!(labels[..3], ["1,a", "2,a", &format!("3,{missing}")], "{flags}");
        folder.run("explain model.json new.csv --row 3").succeeded();
        let report = folder.run("evaluate model.json data.csv --format json").json();
        assert!(report["correct"].as_u64().unwrap() >= 10, "{flags}: {report}");
    }
}

#[test]
fn one_level_against_the_rest_is_written_in_every_form() {
    let folder = trained(THINGS, "--learner id3 --set nominal=value --set numeric=natural --set numeric.ways=two");
    let text = folder.run("show model.json");
    assert!(
        text.succeeded().contains("colour = red: a (3.0)") && text.out.contains("colour != red: b"),
        "{}",
        text.out
    );
    let rules = folder.run("show model.json --format rules");
    assert!(rules.succeeded().contains("colour = red then a") && rules.out.contains("colour != red then b"));
    assert!(folder.run("show model.json --format dot").succeeded().contains("!= red"));
    let json = folder.run("show model.json --format json");
    assert!(json.succeeded().contains("\"levels\": [\"green\", \"blue\", \"white\"]"), "{}", json.out);
    let ran = folder.run("explain model.json data.csv --row 3");
    assert!(ran.succeeded().contains("colour != red") && ran.out.contains("if colour were red"), "{}", ran.out);
    folder
        .run("compare data.csv --learners c45[nominal=value,numeric=mdl],id3[numeric=sqrt] --runs 1 --folds 2")
        .succeeded();
}

#[test]
fn wrong_words_are_refused_with_the_right_ones() {
    let folder = Folder::new();
    let train = |flags: &str| folder.run(&format!("train builtin:weather --output model.json {flags}"));
    let numeric = "threshold|buckets|intervals|crossings|quartiles|natural|mdl|sqrt";
    train("--learner id3 --set numeric=thirds").failed(2, &["numeric=thirds", numeric]);
    train("--learner id3 --set nominal=one").failed(2, &["nominal=one", "levels|subset|value"]);
    train("--learner id3 --set numeric.ways=two").failed(2, &["many|two where numeric=quartiles|natural|mdl|sqrt"]);
    train("--learner id3 --set numeric=mdl --set numeric.ways=3").failed(2, &["numeric.ways=3", "many|two"]);
    train("--learner nt --set numeric=quartiles").failed(2, &["counted from the rows", "tables=counted"]);
    train("--learner nt --set nominal=value").failed(2, &["nominal=levels"]);
    train("--learner t2 --set numeric=quartiles").failed(2, &["errors-ahead", "numeric=intervals"]);
    train("--learner c45 --set numeric=sqrt --set cut=bins").failed(2, &["not of bins", "cut=rows"]);
    train("--learner c45 --set missing=learned").failed(2, &["nominal=subset or nominal=value"]);
    assert!(folder.files().is_empty());
}
