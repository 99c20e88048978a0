use crate::folder::Folder;

#[test]
fn those_that_look_ahead_tell_parity() {
    let folder = Folder::new();
    let leaves = |learner: &str| {
        let report = folder.run(&format!("train builtin:xor-5 --learner {learner} --format json")).json();
        assert_eq!(report["train_errors"], 0, "{learner}");
        report["leaves"].as_u64().unwrap()
    };
    assert_eq!(leaves("lsid3"), 32);
    assert_eq!(leaves("lsid3-mc"), 32, "no numbers, so nothing to draw");
    assert!(leaves("lsid3 --set r=0") == leaves("id3") && leaves("id3") > 64);
    for learner in ["sid3", "id3-k", "skew"] {
        assert!(leaves(learner) > 32, "{learner}");
    }
}

#[test]
fn the_seed_decides_and_the_threads_do_not() {
    let folder = Folder::new();
    let model = |options: &str| {
        folder.run(&format!("train builtin:mux-xor --learner {options} --output model.json")).succeeded();
        folder.read("model.json")
    };
    for learner in ["lsid3 --set r=2", "sid3", "skew"] {
        let one = model(&format!("{learner} --threads 1"));
        assert_eq!(one, model(&format!("{learner} --threads 2")), "{learner}");
        assert_ne!(one, model(&format!("{learner} --seed 2")), "{learner}");
    }
    assert!(model("lsid3 --set r=2").contains(r#""r":2"#));
    assert!(folder.run("evaluate model.json builtin:mux-xor").succeeded().contains("accuracy"));
}

#[test]
fn data_of_every_kind_are_looked_ahead_in() {
    let folder = Folder::new();
    let row = |at: usize| {
        let value = |known: bool, value: String| if known { value } else { "?".into() };
        let number = value(!at.is_multiple_of(7), format!("{}", at * 37 % 50));
        let level = value(!at.is_multiple_of(5), format!("l{}", at % 3));
        let class = if (at * 37 % 50 < 20) ^ at.is_multiple_of(3) { "low" } else { "high" };
        format!("{number},{level},{class}\n")
    };
    folder.write("gaps.csv", format!("x,y,class\n{}", (0..80).map(row).collect::<String>()));
    for missing in ["fractions", "impute", "own"] {
        for learner in ["lsid3 --set r=1", "lsid3-mc", "id3-k", "skew", "lsid3 --set r=1 --set nominal=value"] {
            let ran = folder.run(&format!("train gaps.csv --learner {learner} --set missing={missing} --format json"));
            assert!(ran.json()["train_accuracy"].as_f64().unwrap() > 0.8, "{missing} {learner}");
        }
    }
    let pruned = folder.run("train gaps.csv --learner lsid3 --set prune=pessimistic --set r=1 --format json").json();
    let whole = folder.run("train gaps.csv --learner lsid3 --set r=1 --format json").json();
    assert!(pruned["leaves"].as_u64() < whole["leaves"].as_u64());
}

#[test]
fn wrong_keys_are_refused_with_who_has_them() {
    let train = |options: &str| Folder::new().run(&format!("train builtin:xor-5 {options}"));
    train("--learner c45 --set r=5").failed(2, &["r=5", "lsid3"]);
    train("--learner lsid3 --set r=some").failed(2, &["r=some", "0 or more"]);
    train("--learner lsid3 --set k=2").failed(2, &["k=2", "id3-k"]);
    train("--learner id3-k --set k=0").failed(2, &["k is 0", "1 or more"]);
    train("--learner lsid3-mc --set p=-1").failed(2, &["p is -1", "above 0"]);
    train("--learner lsid3 --set sampler=best").failed(2, &["drawn|uniform|ordered|turns"]);
    train("--learner lsid3 --set tables=factored").failed(2, &["tables=counted"]);
    train("--learner skew --set skew.s=2").failed(2, &["skew.s is 2", "below 1"]);
}
