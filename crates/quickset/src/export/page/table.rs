//! Tables that a reader can sort by any column.

use super::super::plot::escape;

/// A table. Every row has an entry for every column; the first column names the row.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// How to read it, for a newcomer.
    pub explanation: String,
    /// The headings.
    pub columns: Vec<Column>,
    /// The entries, row by row.
    pub rows: Vec<Vec<Entry>>,
}

/// A heading.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// What it says.
    pub name: String,
    /// What it means, in a tooltip; may be empty.
    pub meaning: String,
    /// Whether entries are figures: these stand at the right and are sorted by their key.
    pub figures: bool,
}

/// What an entry wants to be noticed for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tone {
    /// Nothing.
    #[default]
    Plain,
    /// The best of its kind: bold.
    Best,
    /// Better than the learner of reference, beyond chance: ▲.
    Better,
    /// Worse, beyond chance: ▼.
    Worse,
    /// Something failed.
    Failed,
}

/// One entry.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Entry {
    /// What it says.
    pub text: String,
    /// The number it is sorted by among figures; without one it is always last.
    pub key: Option<f64>,
    /// What it wants to be noticed for.
    pub tone: Tone,
}

impl Column {
    /// A column of words.
    pub fn words(name: &str) -> Column {
        Column { name: name.to_string(), meaning: String::new(), figures: false }
    }

    /// A column of figures, with what they mean.
    pub fn figures(name: &str, meaning: &str) -> Column {
        Column { name: name.to_string(), meaning: meaning.to_string(), figures: true }
    }
}

impl Entry {
    /// A word.
    pub fn words(text: &str) -> Entry {
        Entry { text: text.to_string(), ..Entry::default() }
    }

    /// A figure as it is written and as it is sorted.
    pub fn figure(text: &str, key: f64) -> Entry {
        Entry { text: text.to_string(), key: Some(key), tone: Tone::Plain }
    }

    /// The entry with a tone.
    pub fn toned(self, tone: Tone) -> Entry {
        Entry { tone, ..self }
    }
}

impl Table {
    pub(super) fn html(&self, name: &str) -> String {
        let headings: String = self.columns.iter().map(Column::html).collect();
        let rows: String = self.rows.iter().map(|row| self.row(row)).collect();
        // A box that scrolls must be reachable by keyboard.
        format!(
            "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{}\">\n<table class=\"sortable\">\n\
             <thead><tr>{headings}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table>\n</div>\n",
            escape(name)
        )
    }

    fn row(&self, row: &[Entry]) -> String {
        // A short row is filled up: the script counts on an entry in every column.
        let entries = row.iter().cloned().chain(std::iter::repeat(Entry::default()));
        let cells = self.columns.iter().zip(entries).enumerate();
        let cells: String = cells.map(|(index, (column, entry))| entry.html(column, index == 0)).collect();
        format!("<tr>{cells}</tr>\n")
    }
}

impl Column {
    fn html(&self) -> String {
        let class = if self.figures { " class=\"figure\"" } else { "" };
        let title =
            if self.meaning.is_empty() { String::new() } else { format!(" title=\"{}\"", escape(&self.meaning)) };
        format!("<th scope=\"col\"{class}{title}>{}</th>", escape(&self.name))
    }
}

impl Entry {
    fn html(&self, column: &Column, first: bool) -> String {
        let key = self.key.filter(|key| column.figures && key.is_finite());
        let key = key.map_or_else(String::new, |key| format!(" data-key=\"{key}\""));
        let (tone, sign) = match self.tone {
            Tone::Plain => ("", ""),
            Tone::Best => (" best", ""),
            Tone::Better => (" better", "<span class=\"sign\" role=\"img\" aria-label=\"better\">▲</span> "),
            Tone::Worse => (" worse", "<span class=\"sign\" role=\"img\" aria-label=\"worse\">▼</span> "),
            Tone::Failed => (" failed", ""),
        };
        let class = format!("{}{tone}", if column.figures { "figure" } else { "" });
        let class = if class.is_empty() { class } else { format!(" class=\"{}\"", class.trim_start()) };
        let (open, close) = if first { ("th scope=\"row\"", "th") } else { ("td", "td") };
        // The sign is in front, so that figures stay in line at their right.
        format!("<{open}{class}{key}>{sign}{}</{close}>", escape(&self.text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_carry_their_keys_and_tones() {
        let table = Table {
            explanation: String::new(),
            columns: vec![Column::words("Data set"), Column::figures("Accuracy \"%\"", "the <mean>")],
            rows: vec![
                vec![Entry::words("iris & co"), Entry::figure("94.0 ± 1.0", 94.0).toned(Tone::Best)],
                vec![Entry::words("glass"), Entry::figure("60.0", 60.0).toned(Tone::Worse)],
                vec![Entry::words("lost"), Entry::words("-").toned(Tone::Failed)],
                vec![Entry::words("odd"), Entry::figure("?", f64::NAN)],
                vec![Entry::words("short")],
            ],
        };
        let html = table.html("a \"table\"");
        roxmltree::Document::parse(&html).unwrap();
        assert!(
            html.contains(
                "<th scope=\"row\">iris &amp; co</th><td class=\"figure best\" data-key=\"94\">94.0 ± 1.0</td>"
            )
        );
        assert!(html.contains("aria-label=\"worse\">▼</span> 60.0</td>"));
        assert!(html.contains("<td class=\"figure failed\">-</td>"));
        assert!(html.contains("<td class=\"figure\">?</td>"));
        assert!(html.contains("<th scope=\"row\">short</th><td class=\"figure\"></td>"));
        assert!(html.contains("title=\"the &lt;mean&gt;\">Accuracy &quot;%&quot;</th>"));
    }
}
