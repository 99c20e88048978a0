use crate::folder::{Folder, WEATHER};

#[test]
fn info_describes_columns_and_classes() {
    let folder = Folder::new();
    folder.write("weather.csv", WEATHER.replace("sunny,85,85", "sunny,?,85"));
    let ran = folder.run("data info weather.csv");
    let out = ran.succeeded();
    let line =
        |start: &str| out.lines().find(|line| line.starts_with(start)).unwrap_or_else(|| panic!("{start}: {out}"));
    assert!(line("rows").ends_with(" 14"));
    assert!(line("attributes").ends_with(" 4"));
    assert!(line("class ").contains("play (2 levels)"));
    for (name, parts) in [
        ("outlook", ["nominal", "3", "0.0", "sunny, overcast, rainy"]),
        ("temperature", ["numeric", "11", "7.1", "64 to 83"]),
        ("humidity", ["numeric", "10", "0.0", "65 to 96"]),
    ] {
        assert!(parts.iter().all(|part| line(name).contains(part)), "{}", line(name));
    }
    assert!(line("yes").contains("9") && line("yes").contains("64.3"), "{out}");
    assert!(line("no ").contains("5") && line("no ").contains("35.7"), "{out}");
}

#[test]
fn info_needs_no_class() {
    let folder = Folder::new();
    let numbers: String = (0..300).map(|row| format!("{row},{}.5\n", row * 7)).collect();
    folder.write("numbers.csv", format!("x,y\n{numbers}"));
    let ran = folder.run("data info numbers.csv");
    assert!(ran.succeeded().contains("class       none"), "{}", ran.out);
    assert!(ran.err.contains("warning: no class: numbers.csv"), "{}", ran.err);
    folder.run("data info numbers.csv --target y").failed(1, &["numbers.csv", "\"y\"", "--nominal"]);
}

#[test]
fn every_format_comes_back_as_it_was() {
    let folder = Folder::new();
    folder.write("start.csv", WEATHER.replace("sunny,85,85", "?,85,"));
    let expected = {
        folder.run("data convert start.csv --output plain.csv").succeeded();
        folder.read("plain.csv")
    };
    assert!(expected.starts_with("outlook,temperature,humidity,windy,play\n"), "{expected}");
    for ending in ["tsv", "arff", "parquet", "arrow", "csv.gz", "csv.zst", "arff.zst"] {
        folder.run(&format!("data convert start.csv --output copy.{ending}")).succeeded();
        folder.run(&format!("data convert copy.{ending} --output back.csv")).succeeded();
        assert_eq!(folder.read("back.csv"), expected, "{ending}");
    }
}

#[test]
fn the_class_keeps_its_place() {
    let folder = Folder::new();
    folder.write("first.csv", "class,x\na,1\nb,2\n");
    folder.run("data convert first.csv --target class --output out.csv").succeeded();
    assert_eq!(folder.read("out.csv"), "class,x\na,1\nb,2\n");
}

#[test]
fn data_that_have_no_class_can_be_converted() {
    let folder = Folder::new();
    let numbers: String = (0..300).map(|row| format!("{row},{}.5\n", row * 7)).collect();
    folder.write("numbers.csv", format!("x,y\n{numbers}"));
    folder.run("data convert numbers.csv --output out.csv").succeeded();
    assert_eq!(folder.read("out.csv"), folder.read("numbers.csv"));
}

#[test]
fn missing_values_are_replaced_over_the_whole_file() {
    let folder = Folder::new();
    folder.write("holes.csv", "x,n,class\n1,a,yes\n?,b,no\n3,b,\n5,?,no\n");
    folder.run("data convert holes.csv --output full.csv --impute mode-mean").succeeded();
    let lines: Vec<String> = folder.read("full.csv").lines().map(str::to_string).collect();
    assert_eq!(&lines[..3], ["x,n,class", "1,a,yes", "3,b,no"]);
    assert!(lines[3].starts_with("3,b,") && !lines[3].contains("yes") && !lines[3].contains("no"), "{lines:?}");
    assert_eq!(lines[4], "5,b,no");
    folder.run("data convert holes.csv --output full.csv --impute guess").failed(2, &["--impute"]);
}

#[test]
fn built_in_sets_can_be_written_and_varied() {
    let folder = Folder::new();
    folder.run("data generate monks-1 --output monks.csv").succeeded();
    assert_eq!(folder.read("monks.csv").lines().count(), 433);
    folder.run("data generate xor-5 --rows 50 --seed 3 --noise 0.1 --output xor.arff").succeeded();
    assert_eq!(folder.run("train xor.arff --format json").json()["rows"], 50);
    folder
        .run("data generate random-tree --rows 300 --numeric 3 --nominal 2 --classes 3 --depth 4 --noise 0.1 --output tree.csv")
        .succeeded();
    let report = folder.run("train tree.csv --format json").json();
    assert_eq!((report["rows"].as_u64(), report["attributes"].as_u64()), (Some(300), Some(5)));
    folder.run("data generate bag-of-words --rows 60 --words 80 --classes 3 --output words.arff").succeeded();
    let report = folder.run("train words.arff --format json").json();
    assert_eq!((report["rows"].as_u64(), report["attributes"].as_u64()), (Some(60), Some(80)));
    assert_eq!(folder.files(), ["monks.csv", "tree.csv", "words.arff", "xor.arff"]);
}

#[test]
fn the_same_seed_generates_the_same_file() {
    let folder = Folder::new();
    for (file, seed) in [("a.csv", 1), ("b.csv", 1), ("c.csv", 2)] {
        folder.run(&format!("data generate led7 --rows 100 --seed {seed} --output {file}")).succeeded();
    }
    assert_eq!(folder.read("a.csv"), folder.read("b.csv"));
    assert_ne!(folder.read("a.csv"), folder.read("c.csv"));
}

#[test]
fn a_set_that_cannot_be_made_is_wrong_usage() {
    let folder = Folder::new();
    folder.run("data generate oak --output out.csv").failed(2, &["\"oak\"", "weather"]);
    folder
        .run("data generate monks-1 --depth 3 --output out.csv")
        .failed(2, &["monks-1", "depth", "rows, seed, noise"]);
    folder.run("data generate xor-5 --noise 2 --output out.csv").failed(2, &["noise 2"]);
    folder.run("data generate xor-5").failed(2, &["--output"]);
    folder.run("data generate xor-5 --output out.xls").failed(1, &["out.xls", ".csv"]);
    assert!(folder.files().is_empty());
}

#[test]
fn list_names_every_set() {
    let folder = Folder::new();
    let ran = folder.run("data list");
    let out = ran.succeeded();
    for name in "weather monks-1 monks-2 monks-3 xor-5 xor-5-noise xor-10 mux-11 mux-20 mux-xor numeric-xor-3d \
        numeric-xor-4d tic-tac-toe balance-scale led7 led24 waveform waveform-40 random-tree bag-of-words"
        .split_whitespace()
    {
        assert!(out.lines().any(|line| line.split_whitespace().next() == Some(name)), "{name}: {out}");
    }
}

#[test]
fn built_in_sets_have_their_rows() {
    let folder = Folder::new();
    for (name, rows) in
        [("weather", 14), ("monks-2", 432), ("mux-11", 2048), ("tic-tac-toe", 958), ("balance-scale", 625)]
    {
        let ran = folder.run(&format!("data info builtin:{name}"));
        assert!(ran.succeeded().starts_with(&format!("rows        {rows}\n")), "{}", ran.out);
    }
    folder.run("data info builtin:oak").failed(1, &["\"oak\"", "weather"]);
}
