//! Each test trains with `--output`: besides the sentence and exit code 1, no file may be left behind.

use std::io::Write;

use crate::folder::{Folder, Ran, WEATHER};

/// Trains on a file with these contents; demands a sentence that names the file, and that nothing was written.
#[track_caller]
fn refused(file: &str, contents: impl AsRef<[u8]>, flags: &str, parts: &[&str]) -> Ran {
    let folder = Folder::new();
    folder.write(file, contents);
    let ran = folder.run(format!("train {file} --output model.json {flags}").trim_end());
    ran.failed(1, parts);
    assert!(ran.err.lines().any(|line| line.starts_with(&format!("error: {file}"))), "{}", ran.err);
    assert_eq!(folder.files(), [file]);
    ran
}

#[test]
fn ragged_rows() {
    refused("short.csv", "a,b,class\n1,2,x\n1,y\n", "", &["line 3", "found 2 fields, expected 3"]);
    refused("long.csv", "a,b,class\n1,2,x,4\n", "", &["line 2", "found 4 fields, expected 3"]);
    refused(
        "short.arff",
        "@relation r\n@attribute a numeric\n@attribute class {x,y}\n@data\n1,x\n2\n",
        "",
        &["line 6", "found 1 value", "expected 2"],
    );
}

#[test]
fn unknown_target() {
    refused("weather.csv", WEATHER, "--target golf", &["\"golf\"", "outlook, temperature, humidity, windy, play"]);
}

#[test]
fn unknown_columns_in_overrides() {
    for flag in ["--nominal", "--numeric", "--ignore"] {
        refused("weather.csv", WEATHER, &format!("{flag} golf"), &[flag, "\"golf\"", "outlook"]);
    }
    refused("weather.csv", WEATHER, "--numeric outlook", &["\"outlook\"", "\"sunny\"", "expected a number"]);
}

#[test]
fn one_class_only() {
    refused("one.csv", "x,class\n1,a\n2,a\n", "", &["\"class\"", "there is only one class, \"a\""]);
    refused("none.csv", "x,class\n1,?\n2,\n", "", &["class"]);
}

#[test]
fn no_rows() {
    refused("header.csv", "x,class\n", "", &["no rows"]);
    refused("empty.csv", "", "", &["empty"]);
    refused("header.arff", "@relation r\n@attribute x numeric\n@attribute c {a,b}\n@data\n", "", &["no rows"]);
}

#[test]
fn a_target_of_many_numbers() {
    let rows: String = (0..200).map(|row| format!("{row},{row}.25\n")).collect();
    refused("numbers.csv", format!("x,y\n{rows}"), "", &["\"y\"", "200 different numbers", "--target"]);
}

#[test]
fn undeclared_label_in_arff() {
    refused(
        "label.arff",
        "@relation r\n@attribute x numeric\n@attribute class {yes,no}\n@data\n1,yes\n2,maybe\n",
        "",
        &["line 6", "column \"class\"", "found \"maybe\"", "yes, no"],
    );
}

#[test]
fn duplicate_column_names() {
    refused("twice.csv", "a,b,a\n1,2,x\n", "", &["\"a\"", "twice"]);
    refused(
        "twice.arff",
        "@relation r\n@attribute a numeric\n@attribute a numeric\n@attribute c {x,y}\n@data\n1,2,x\n",
        "",
        &["line 3", "\"a\"", "twice"],
    );
}

#[test]
fn not_utf_8() {
    refused("latin.csv", b"a,class\ncaf\xe9,x\nb,y\n", "", &["line 2", "UTF-8"]);
    refused(
        "latin.arff",
        b"@relation r\n@attribute a {caf\xe9}\n@attribute c {x,y}\n@data\n",
        "",
        &["line 2", "UTF-8"],
    );
    refused("wide.csv", b"\xff\xfea\0,\0b\0\n\0", "", &["UTF-8"]);
}

#[test]
fn a_truncated_or_damaged_gzip() {
    let folder = Folder::new();
    folder.run("data generate led7 --output rows.csv.gz").succeeded();
    let whole = std::fs::read(folder.path("rows.csv.gz")).unwrap();
    refused("rows.csv.gz", &whole[..whole.len() / 2], "", &["truncated"]);
    refused("plain.csv.gz", WEATHER, "", &["gzip"]);
}

#[test]
fn a_directory() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("folder.csv")).unwrap();
    folder.run("train folder.csv --output model.json").failed(1, &["error: folder.csv", "directory"]);
    folder.run("show folder.csv").failed(1, &["error: folder.csv"]);
    assert_eq!(folder.files(), ["folder.csv"]);
}

#[test]
fn a_file_that_is_not_there_or_of_no_known_format() {
    let folder = Folder::new();
    folder.run("train none.csv --output model.json").failed(1, &["error: none.csv", "no such file"]);
    folder.run("show none.json").failed(1, &["error: none.json"]);
    folder.write("weather.xls", WEATHER);
    folder.run("train weather.xls --output model.json").failed(1, &["error: weather.xls", ".xls", ".arff"]);
    assert_eq!(folder.files(), ["weather.xls"]);
}

#[test]
fn a_numeric_overflow() {
    refused("big.csv", "x,class\n1,a\n1e999,b\n", "", &["line 3", "column \"x\"", "1e999", "finite"]);
    refused(
        "big.arff",
        "@relation r\n@attribute x numeric\n@attribute c {a,b}\n@data\n1,a\n-1e400,b\n",
        "",
        &["line 6", "column \"x\"", "-1e400", "finite"],
    );
}

#[test]
fn quotes_that_never_close() {
    refused("open.csv", "x,class\n1,\"a\n2,b\n", "", &["line 2", "never closed"]);
}

#[test]
fn other_formats_that_are_not_what_they_say() {
    for file in ["x.parquet", "x.arrow"] {
        refused(file, "this is text", "", &[]);
    }
    refused("x.libsvm", "1 1:2\n-1 nonsense\n", "", &["line 2"]);
    refused("x.arff", "this is text\n", "", &["line 1"]);
}

/// The commands that read a model all refuse it in the same words.
#[track_caller]
fn model_refused(change: impl Fn(String) -> Vec<u8>, parts: &[&str]) {
    let folder = Folder::with_model();
    folder.write("bad.json", change(folder.read("model.json")));
    for arguments in [
        "show bad.json --output out",
        "predict bad.json weather.csv --output out",
        "explain bad.json weather.csv --row 1",
        "evaluate bad.json weather.csv",
    ] {
        let ran = folder.run(arguments);
        ran.failed(1, parts);
        assert!(ran.err.starts_with("error: bad.json: "), "{}", ran.err);
    }
    assert_eq!(folder.files(), ["bad.json", "model.json", "weather.csv"]);
}

#[test]
fn a_truncated_model() {
    model_refused(|text| text.as_bytes()[..text.len() / 2].to_vec(), &["cut off", "train it again"]);
    model_refused(|_| Vec::new(), &["cut off"]);
}

#[test]
fn an_edited_model() {
    model_refused(|text| text.replacen("\"cut\":75", "\"cut\":76", 1).into_bytes(), &["checksum", "train it again"]);
    model_refused(|text| text.replacen("\"children\":[", "\"children\":[9000,", 1).into_bytes(), &["damaged"]);
    model_refused(|text| text.replacen("\"probabilities\"", "\"chances\"", 1).into_bytes(), &["damaged"]);
}

#[test]
fn a_model_of_another_version() {
    model_refused(|text| text.replacen("\"version\":1", "\"version\":2", 1).into_bytes(), &["version 2", "version 1"]);
}

#[test]
fn a_file_that_is_no_model() {
    model_refused(|_| b"{\"a\": 1}".to_vec(), &["not a model file"]);
    model_refused(|_| WEATHER.as_bytes().to_vec(), &["not a model file"]);
    model_refused(|_| vec![0xff, 0xfe, 0], &["not a model file"]);
}

#[test]
fn prediction_data_that_lack_a_column() {
    let folder = Folder::with_model();
    folder.write("lacking.csv", "outlook,temperature,windy\nsunny,70,no\n");
    for arguments in ["predict model.json lacking.csv --output out.csv", "explain model.json lacking.csv --row 1"] {
        folder.run(arguments).failed(1, &["error: lacking.csv", "column \"humidity\"", "lack", "by name"]);
    }
    folder.write("lacking.csv", "outlook,temperature,windy,play\nsunny,70,no,yes\n");
    folder.run("evaluate model.json lacking.csv").failed(1, &["error: lacking.csv", "column \"humidity\""]);
    assert_eq!(folder.files(), ["lacking.csv", "model.json", "weather.csv"]);
}

#[test]
fn prediction_data_with_words_for_numbers() {
    let folder = Folder::with_model();
    folder.write("words.csv", "outlook,temperature,humidity,windy\nsunny,70,damp,no\n");
    folder
        .run("predict model.json words.csv --output out.csv")
        .failed(1, &["error: words.csv", "column \"humidity\"", "\"damp\"", "expected numbers"]);
    assert!(!folder.files().contains(&"out.csv".to_string()));
}

#[test]
fn a_place_that_cannot_be_written() {
    let folder = Folder::with_model();
    std::fs::create_dir(folder.path("folder")).unwrap();
    for arguments in [
        "train weather.csv --output",
        "predict model.json weather.csv --output",
        "show model.json --output",
        "data convert weather.csv --output",
        "data generate weather --output",
        "compare builtin:monks-1 --learners c45 --output",
    ] {
        folder.run(&format!("{arguments} none/out.csv")).failed(1, &["none/out.csv", "does not exist"]);
        folder.run(&format!("{arguments} folder")).failed(1, &["error: folder", "directory"]);
    }
    assert_eq!(folder.files(), ["folder", "model.json", "weather.csv"]);
}

#[test]
fn a_failure_leaves_the_old_file_as_it_was() {
    let folder = Folder::with_model();
    let before = folder.read("model.json");
    folder.write("one.csv", "x,class\n1,a\n2,a\n");
    folder.run("train one.csv --output model.json").failed(1, &["one.csv"]);
    assert_eq!(folder.read("model.json"), before);
}

#[test]
fn random_bytes_never_panic() {
    let folder = Folder::with_model();
    let mut state = 12345_u32;
    for ending in ["csv", "tsv", "arff", "libsvm", "parquet", "arrow", "csv.gz", "csv.zst", "json"] {
        let bytes: Vec<u8> = (0..2000)
            .map(|_| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (state >> 24) as u8
            })
            .collect();
        let file = format!("noise.{ending}");
        std::fs::File::create(folder.path(&file)).unwrap().write_all(&bytes).unwrap();
        let arguments = if ending == "json" { format!("show {file}") } else { format!("train {file}") };
        folder.run(&arguments).failed(1, &[&file]);
    }
}
