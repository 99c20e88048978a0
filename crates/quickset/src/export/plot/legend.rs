//! Which mark stands for which name, as a list that breaks where the page does.

use super::mark::Look;
use super::svg::{Drawing, escape};

/// The legend as an HTML list.
pub fn legend(entries: &[(String, Look)]) -> String {
    let mut list = String::from("<ul class=\"legend\">");
    for (name, look) in entries {
        let mut drawing = Drawing::new(16.0, 16.0);
        drawing.group(&look.class(), "", |drawing| drawing.mark("mark", look.shape(), [8.0, 8.0], 5.0, ""));
        list.push_str(&format!("<li>{} <span>{}</span></li>", drawing.sign(), escape(name)));
    }
    list.push_str("</ul>");
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_stands_beside_its_mark() {
        let list = legend(&[("nt".into(), Look(0)), ("<c45>".into(), Look(1))]);
        let document = roxmltree::Document::parse(&list).unwrap();
        let names: Vec<_> = document.descendants().filter(|node| node.has_tag_name("span")).collect();
        assert_eq!(names.iter().map(|node| node.text().unwrap()).collect::<Vec<_>>(), ["nt", "<c45>"]);
        assert!(list.contains("<circle") && list.contains("<path") && !list.contains("img"));
    }
}
