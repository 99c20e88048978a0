//! A page of results: one HTML file that needs nothing else, neither a network nor, but for sorting, a script.
//!
//! [`Page`] is any such page: facts, and sections of a table or of plots. [`Results`] are those of a comparison, and know
//! which sections these make:
//!
//! ```
//! use quickset::export::page::{Column, Entry, Outcome, Results, Table};
//!
//! let results = Results {
//!     title: "nt on weather".into(),
//!     facts: vec![("Folds".into(), "10 runs of 10".into())],
//!     command: "quickset compare builtin:weather --learners nt --format html".into(),
//!     table: Table {
//!         explanation: "Means over the folds.".into(),
//!         columns: vec![Column::words("Data set"), Column::figures("Accuracy %", "rows predicted rightly")],
//!         rows: vec![vec![Entry::words("weather"), Entry::figure("64.3 ± 30.1", 64.3)]],
//!     },
//!     outcomes: vec![Outcome {
//!         dataset: "weather".into(),
//!         learner: "nt".into(),
//!         accuracies: vec![50.0, 100.0, 50.0, 50.0, 100.0],
//!         size: Some(7.5),
//!         seconds: Some(0.00002),
//!     }],
//!     ranks: None,
//!     reliability: vec![],
//!     curves: vec![],
//!     notes: vec![],
//! };
//! assert!(results.page().html().starts_with("<!DOCTYPE html>"));
//! ```

mod boxes;
mod costs;
mod curves;
mod ranks;
mod reliability;
mod results;
mod table;

pub use curves::{Curve, Stage};
pub use ranks::Ranks;
pub use results::{Outcome, Results};
pub use table::{Column, Entry, Table, Tone};

use super::plot::{self, Look, Svg, escape};

const CSS: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");
/// What `openssl dgst -sha256 -binary page.js | base64` prints. A browser runs the script that has it and no other, so
/// nothing that slipped into the page with a name could run; with a stale one the tests see sorting fail.
const SCRIPT_HASH: &str = "fWHlS+SbzdCUBnk/L41Y8HFW/eczrwL6Fs/Vg31iw7M=";

/// Plots up to this width stand three in a row on a large screen, others two.
const SMALL: f64 = 400.0;

/// A page: what was done, and sections of what was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Page {
    /// What it is about.
    pub title: String,
    /// What was done, as names and values; quickset's version is added.
    pub facts: Vec<(String, String)>,
    /// The command that makes the page again; empty if there is none.
    pub command: String,
    /// What the reader should know before reading on, such as what failed.
    pub notes: Vec<String>,
    /// The sections, in order.
    pub sections: Vec<Section>,
}

/// A part of a page under a heading.
#[derive(Clone, Debug, PartialEq)]
pub struct Section {
    /// The heading.
    pub heading: String,
    /// How to read what is below, for a newcomer.
    pub explanation: String,
    /// What is below.
    pub body: Body,
}

/// What a section shows.
#[derive(Clone, Debug, PartialEq)]
pub enum Body {
    /// A table that the reader can sort.
    Table(Table),
    /// Plots side by side, as many as the page has room for.
    Panels {
        /// Which mark stands for what; may be empty.
        legend: Vec<(String, Look)>,
        /// The plots.
        panels: Vec<Panel>,
    },
}

/// A plot with a name.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    /// The name above it; may be empty.
    pub name: String,
    /// The plot.
    pub svg: Svg,
}

impl Page {
    /// The page as one file.
    pub fn html(&self) -> String {
        let title = escape(&self.title);
        let policy = format!(
            "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{SCRIPT_HASH}'; base-uri 'none'"
        );
        let sections: String =
            self.sections.iter().enumerate().map(|(index, section)| section.html(index + 1)).collect();
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n\
             <title>{title}</title>\n<style>\n{}{CSS}</style>\n</head>\n<body>\n\
             <header>\n<h1>{title}</h1>\n{}{}{}{}</header>\n<main>\n{sections}</main>\n\
             <script>{SCRIPT}</script>\n</body>\n</html>\n",
            plot::CSS,
            self.facts(),
            self.notes(),
            self.command(),
            self.contents(),
        )
    }

    fn facts(&self) -> String {
        let version = ("quickset".to_string(), format!("version {}", env!("CARGO_PKG_VERSION")));
        let fact = |(name, value): &(String, String)| {
            format!("<div><dt>{}</dt><dd>{}</dd></div>\n", escape(name), escape(value))
        };
        format!("<dl>\n{}</dl>\n", self.facts.iter().chain([&version]).map(fact).collect::<String>())
    }

    fn notes(&self) -> String {
        if self.notes.is_empty() {
            return String::new();
        }
        let notes: String = self.notes.iter().map(|note| format!("<li>{}</li>\n", escape(note))).collect();
        format!("<ul class=\"notes\" aria-label=\"Notes\">\n{notes}</ul>\n")
    }

    fn command(&self) -> String {
        if self.command.is_empty() {
            return String::new();
        }
        format!("<p>Made by this command:</p>\n<pre><code>{}</code></pre>\n", escape(&self.command))
    }

    /// Links to the sections, if there are several.
    fn contents(&self) -> String {
        if self.sections.len() < 2 {
            return String::new();
        }
        let link = |(index, section): (usize, &Section)| {
            format!("<li><a href=\"#section{}\">{}</a></li>\n", index + 1, escape(&section.heading))
        };
        let links: String = self.sections.iter().enumerate().map(link).collect();
        format!("<nav aria-label=\"Sections\"><ul>\n{links}</ul></nav>\n")
    }
}

impl Section {
    fn html(&self, number: usize) -> String {
        let body = match &self.body {
            Body::Table(table) => table.html(&self.heading),
            Body::Panels { legend, panels } => {
                let legend = if legend.is_empty() { String::new() } else { format!("{}\n", plot::legend(legend)) };
                let wide = if panels.iter().any(|panel| panel.svg.width() > SMALL) { " wide" } else { "" };
                let panels: String = panels.iter().map(Panel::html).collect();
                format!("{legend}<div class=\"panels{wide}\">\n{panels}</div>\n")
            }
        };
        format!(
            "<section id=\"section{number}\">\n<h2>{}</h2>\n<p class=\"explanation\">{}</p>\n{body}</section>\n",
            escape(&self.heading),
            escape(&self.explanation)
        )
    }
}

impl Panel {
    fn html(&self) -> String {
        let name = escape(&self.name);
        let caption = if name.is_empty() { name } else { format!("<figcaption>{name}</figcaption>\n") };
        format!("<figure>\n{caption}{}\n</figure>\n", self.svg.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_become_markup() {
        let evil = "</title><script>alert('1')</script>\" onload=\"x\"&";
        let page = Page {
            title: evil.into(),
            facts: vec![(evil.into(), evil.into())],
            command: evil.into(),
            notes: vec![evil.into()],
            sections: vec![Section {
                heading: evil.into(),
                explanation: evil.into(),
                body: Body::Panels { legend: vec![(evil.into(), Look(0))], panels: vec![] },
            }],
        };
        let html = page.html();
        assert_eq!(html.matches("<script").count(), 1);
        assert!(!html.contains("alert('") && !html.contains("\" onload=\"x"));
    }

    #[test]
    fn the_page_asks_for_nothing_from_elsewhere() {
        let page = Page { title: "t".into(), facts: vec![], command: String::new(), notes: vec![], sections: vec![] };
        let html = page.html();
        for outside in ["http:", "https:", "//", "url(", "@import", "src=", "<link"] {
            let found = html.lines().find(|line| line.contains(outside) && !line.trim_start().starts_with("//"));
            assert_eq!(found, None, "{outside}");
        }
    }

    #[test]
    fn the_script_can_stand_in_a_page_and_writes_no_markup() {
        for word in ["</script", "<!--", "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval"] {
            assert!(!SCRIPT.contains(word), "{word}");
        }
    }
}
