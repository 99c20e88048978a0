//! What a study found, as Markdown: printed, and written beside its raw numbers.

use std::fmt::Write;
use std::path::Path;

use anyhow::Result;
use comfy_table::{CellAlignment, Table, presets};
use quickset::Error;
use quickset::io::write_atomically;

/// A report in the making.
pub struct Report {
    text: String,
}

impl Report {
    /// A report with a title and a sentence or two on what it is about.
    pub fn new(title: &str, about: &str) -> Self {
        Report { text: format!("# {title}\n\n{about}\n") }
    }

    /// Begins a section.
    pub fn section(&mut self, heading: &str) {
        _ = write!(self.text, "\n## {heading}\n");
    }

    /// Adds a paragraph.
    pub fn say(&mut self, text: &str) {
        _ = write!(self.text, "\n{text}\n");
    }

    /// Adds a table. The first column is text, the others are numbers unless `words` says otherwise.
    pub fn table(&mut self, header: &[&str], rows: impl IntoIterator<Item = Vec<String>>, words: &[usize]) {
        let mut table = Table::new();
        table.load_style(presets::ASCII_MARKDOWN);
        table.set_header(header);
        table.add_rows(rows);
        for (index, column) in table.column_iter_mut().enumerate() {
            if index > 0 && !words.contains(&index) {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        _ = write!(self.text, "\n{}\n", table.trim_fmt());
    }

    /// The report.
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// Writes a file of the study's folder.
pub fn write(folder: &Path, name: &str, text: &str) -> Result<()> {
    let path = folder.join(name);
    Ok(write_atomically(&path, |out| out.write_all(text.as_bytes()).map_err(|error| Error::io(&path, &error)))?)
}
