use crate::folder::{Folder, WEATHER};

#[test]
fn predictions_are_csv_with_a_header() {
    let folder = Folder::with_model();
    let ran = folder.run("predict model.json weather.csv");
    let lines: Vec<&str> = ran.succeeded().lines().collect();
    assert_eq!(lines.len(), 15);
    assert_eq!(&lines[..4], ["row,prediction", "1,no", "2,no", "3,yes"]);
    let truth = WEATHER.lines().skip(1).map(|line| line.rsplit(',').next().unwrap());
    assert!(lines[1..].iter().zip(truth).all(|(line, class)| line.ends_with(class)));
}

#[test]
fn probabilities_have_a_column_per_class() {
    let folder = Folder::with_model();
    let ran = folder.run("predict model.json weather.csv --proba");
    let mut lines = ran.succeeded().lines();
    assert_eq!(lines.next().unwrap(), "row,prediction,no,yes");
    for line in lines {
        let fields: Vec<&str> = line.split(',').collect();
        let shares: Vec<f64> = fields[2..].iter().map(|field| field.parse().unwrap()).collect();
        assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{line}");
        assert_eq!(fields[1] == "yes", shares[1] > shares[0], "{line}");
    }
}

#[test]
fn a_file_is_written_whole() {
    let folder = Folder::with_model();
    let printed = folder.run("predict model.json weather.csv").succeeded().to_string();
    let ran = folder.run("predict model.json weather.csv --output out.csv");
    assert_eq!(ran.succeeded(), "");
    assert_eq!(folder.read("out.csv"), printed);
    assert_eq!(folder.files(), ["model.json", "out.csv", "weather.csv"]);
}

#[test]
fn names_that_need_quotes_get_them() {
    let folder = Folder::new();
    let mut text = String::from("x,class\n");
    for row in 0..20 {
        text += &format!("{row},{}\n", if row < 10 { "\"low, \"\"very\"\"\"" } else { "high" });
    }
    folder.write("data.csv", text);
    folder.run("train data.csv --output model.json").succeeded();
    let ran = folder.run("predict model.json data.csv --proba");
    let lines: Vec<&str> = ran.succeeded().lines().collect();
    assert_eq!(lines[0], "row,prediction,\"low, \"\"very\"\"\",high");
    assert_eq!(lines[1], "1,\"low, \"\"very\"\"\",1,0");
    assert_eq!(lines[20], "20,high,0,1");
}

#[test]
fn the_class_may_be_absent_and_columns_in_another_order() {
    let folder = Folder::with_model();
    let expected = folder.run("predict model.json weather.csv").succeeded().to_string();
    let shuffled: String = WEATHER
        .lines()
        .map(|line| {
            let fields: Vec<&str> = line.split(',').collect();
            format!("{},extra,{},{},{}\n", fields[3], fields[0], fields[2], fields[1])
        })
        .collect();
    folder.write("shuffled.csv", shuffled);
    assert_eq!(folder.run("predict model.json shuffled.csv").succeeded(), expected);
    assert_eq!(folder.run_with_input("predict model.json -", folder.read("shuffled.csv")).succeeded(), expected);
}

#[test]
fn a_column_that_no_test_uses_may_be_absent() {
    let folder = Folder::with_model();
    let without: String = WEATHER
        .lines()
        .map(|line| {
            let fields: Vec<&str> = line.split(',').collect();
            format!("{},{},{}\n", fields[0], fields[2], fields[3])
        })
        .collect();
    folder.write("without.csv", without);
    assert_eq!(
        folder.run("predict model.json without.csv").succeeded(),
        folder.run("predict model.json weather.csv").succeeded()
    );
}

#[test]
fn missing_and_unseen_values_follow_the_rule_of_the_model() {
    let folder = Folder::with_model();
    folder.write("odd.csv", "outlook,temperature,humidity,windy\n,70,70,no\nsnowy,70,70,no\novercast,1,1,yes\n");
    let ran = folder.run("predict model.json odd.csv --proba");
    let lines: Vec<&str> = ran.succeeded().lines().collect();
    // A level that training never saw is treated as missing: in fractions of 5, 4 and 5 rows, all for yes here.
    assert_eq!(lines[1].split_once(',').unwrap().1, lines[2].split_once(',').unwrap().1);
    assert!(lines[1].starts_with("1,yes,0,"), "{}", lines[1]);
}

#[test]
fn a_single_row_is_enough() {
    let folder = Folder::with_model();
    folder.write("one.csv", "outlook,temperature,humidity,windy,play\novercast,70,70,no,?\n");
    assert_eq!(folder.run("predict model.json one.csv").succeeded(), "row,prediction\n1,yes\n");
}
