use crate::folder::Folder;

#[test]
fn text_has_a_line_for_each() {
    let ran = Folder::new().run("learners");
    let lines: Vec<&str> = ran.succeeded().lines().collect();
    assert_eq!(lines.len(), 20);
    for (line, (name, part)) in lines[1..].iter().zip([
        ("nt", "independent"),
        ("c45", "gain-ratio"),
        ("j48", "pessimistic"),
        ("id3", "gain"),
        ("id3-k", "levels"),
        ("sid3", "drawn"),
        ("lsid3", "samples"),
        ("lsid3-mc", "samples"),
        ("iidt", "improve"),
        ("auto", "auto"),
        ("skew", "skew"),
        ("cart", "gini"),
        ("hyper", "hypergeometric"),
        ("nbtree", "held-out"),
        ("snbtree", "bayes"),
        ("nb", "nb"),
        ("majority", "distribution"),
        ("one-r", "errors"),
        ("t2", "errors-ahead"),
    ]) {
        assert!(line.starts_with(name) && line.contains(part), "{line}");
    }
}

#[test]
fn json_has_the_recipes() {
    let list = Folder::new().run("learners --format json").json();
    let names: Vec<&str> = list.as_array().unwrap().iter().map(|entry| entry["name"].as_str().unwrap()).collect();
    assert_eq!(
        names,
        [
            "nt", "c45", "j48", "id3", "id3-k", "sid3", "lsid3", "lsid3-mc", "iidt", "auto", "skew", "cart", "hyper",
            "nbtree", "snbtree", "nb", "majority", "one-r", "t2"
        ]
    );
    let cart = list.as_array().unwrap().iter().find(|learner| learner["name"] == "cart").unwrap();
    assert_eq!(cart["recipe"]["score"], "gini");
    assert_eq!(cart["recipe"]["name"], "cart");
}
