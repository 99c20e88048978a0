//! What a study found: as Markdown, printed and kept beside its raw numbers, and as a page with plots.

use std::fmt::Write;
use std::path::Path;

use anyhow::Result;
use comfy_table::{CellAlignment, Table, presets};
use quickset::Error;
use quickset::export::page::{self, Body, Page, Panel, Section};
use quickset::export::plot::Look;
use quickset::io::write_atomically;

/// A report in the making.
pub struct Report {
    text: String,
    page: Page,
    heading: String,
    /// What was said since the last table or plot: on the page it explains the next one.
    said: Vec<String>,
}

impl Report {
    /// A report with a title and a sentence or two on what it is about.
    pub fn new(title: &str, about: &str) -> Self {
        let page = Page {
            title: title.into(),
            facts: Vec::new(),
            command: String::new(),
            notes: vec![plain(about)],
            sections: Vec::new(),
        };
        Report { text: format!("# {title}\n\n{about}\n"), page, heading: title.into(), said: Vec::new() }
    }

    /// Begins a section.
    pub fn section(&mut self, heading: &str) {
        _ = write!(self.text, "\n## {heading}\n");
        self.end_section();
        self.heading = heading.into();
    }

    /// Adds a paragraph.
    pub fn say(&mut self, text: &str) {
        _ = write!(self.text, "\n{text}\n");
        self.said.push(plain(text));
    }

    /// Adds a table. The first column is text, the others are numbers unless `words` says otherwise.
    pub fn table(&mut self, header: &[&str], rows: Vec<Vec<String>>, words: &[usize]) {
        let is_words = |index: usize| index == 0 || words.contains(&index);
        let columns = header.iter().enumerate().map(|(index, name)| match is_words(index) {
            true => page::Column::words(name),
            false => page::Column::figures(name, ""),
        });
        let entry = |(index, text): (usize, &String)| match text.parse() {
            Ok(number) if !is_words(index) => page::Entry::figure(text, number),
            _ => page::Entry::words(&plain(text)),
        };
        let shown = page::Table {
            explanation: String::new(),
            columns: columns.collect(),
            rows: rows.iter().map(|row| row.iter().enumerate().map(entry).collect()).collect(),
        };
        self.show(&self.heading.clone(), Body::Table(shown));
        let mut table = Table::new();
        table.load_style(presets::ASCII_MARKDOWN);
        table.set_header(header);
        table.add_rows(rows);
        for (index, column) in table.column_iter_mut().enumerate() {
            if !is_words(index) {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        _ = write!(self.text, "\n{}\n", table.trim_fmt());
    }

    /// Adds plots, which only the page has.
    pub fn plots(&mut self, legend: Vec<(String, Look)>, panels: Vec<Panel>) {
        self.show(&format!("{}, plotted", self.heading), Body::Panels { legend, panels });
    }

    fn show(&mut self, heading: &str, body: Body) {
        let explanation = std::mem::take(&mut self.said).join(" ");
        self.page.sections.push(Section { heading: heading.into(), explanation, body });
    }

    /// What was said after the last table of a section is told with it.
    fn end_section(&mut self) {
        let said = std::mem::take(&mut self.said);
        match self.page.sections.last_mut().filter(|section| section.heading.starts_with(&self.heading)) {
            Some(section) if !said.is_empty() => {
                section.explanation = format!("{} {}", section.explanation, said.join(" "))
            }
            _ => self.page.notes.extend(said),
        }
    }

    /// The report.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The report as a page; `facts` say how it was made.
    pub fn page(mut self, facts: Vec<(String, String)>, command: String) -> String {
        self.end_section();
        Page { facts, command, ..self.page }.html()
    }
}

/// Without the marks of code, which a page does not read.
fn plain(text: &str) -> String {
    text.replace('`', "")
}

/// Writes a file of the study's folder.
pub fn write(folder: &Path, name: &str, text: &str) -> Result<()> {
    let path = folder.join(name);
    Ok(write_atomically(&path, |out| out.write_all(text.as_bytes()).map_err(|error| Error::io(&path, &error)))?)
}
