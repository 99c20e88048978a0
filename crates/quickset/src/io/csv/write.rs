//! Comma- and tab-separated values, written.

use std::fmt::Write as _;
use std::io::Write;

use super::super::write::{Field, failed, fields, refuse_weights};
use crate::data::{Dataset, Value};
use crate::error::{Error, Result};

/// Writes a header and one line per row. Numbers are written so that they read back as they are.
pub(in super::super) fn write(data: &Dataset, delimiter: u8, out: &mut dyn Write) -> Result<()> {
    refuse_weights(data)?;
    let mut fields = fields(data);
    let levels: Vec<Vec<String>> = fields.iter().map(|field| quoted_levels(field, delimiter)).collect::<Result<_>>()?;
    // An empty line is no row, so a lone column needs a visible mark.
    let missing = if fields.len() == 1 { "?" } else { "" };
    let mut line = String::new();
    for field in &fields {
        line.push_str(&quoted(field.name(), delimiter));
        line.push(char::from(delimiter));
    }
    end_line(&mut line, out)?;
    for row in 0..data.rows() {
        for (field, levels) in fields.iter_mut().zip(&levels) {
            match field.value(row) {
                Value::Missing => line.push_str(missing),
                Value::Number(number) => _ = write!(line, "{number}"),
                Value::Level(code) => line.push_str(&levels[code as usize]),
            }
            line.push(char::from(delimiter));
        }
        end_line(&mut line, out)?;
    }
    Ok(())
}

/// Ends the line in place of its last delimiter.
fn end_line(line: &mut String, out: &mut dyn Write) -> Result<()> {
    line.pop();
    line.push('\n');
    out.write_all(line.as_bytes()).map_err(failed)?;
    line.clear();
    Ok(())
}

fn quoted_levels(field: &Field, delimiter: u8) -> Result<Vec<String>> {
    let quoted = |level: &String| {
        if super::means_missing(level) {
            return Err(Error::data(format!("the level {level:?} would read back as a missing value"))
                .in_column(field.name())
                .remedy("write .arff or .parquet"));
        }
        Ok(quoted(level, delimiter))
    };
    field.levels().unwrap_or_default().iter().map(quoted).collect()
}

fn quoted(text: &str, delimiter: u8) -> String {
    let special = |letter: char| matches!(letter, '"' | '\n' | '\r') || letter == char::from(delimiter);
    let padded = text.starts_with([' ', '\t']) || text.ends_with([' ', '\t']);
    if padded || text.is_empty() || text.contains(special) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Column;

    fn written(columns: Vec<Column>) -> Result<String> {
        let mut out = Vec::new();
        write(&Dataset::new(columns).unwrap(), b',', &mut out)?;
        Ok(String::from_utf8(out).unwrap())
    }

    #[test]
    fn fields_are_quoted_where_they_must_be() {
        let columns = vec![
            Column::numeric("x", vec![0.1, f64::NAN]),
            Column::from_texts("a,b", [Some("say \"x\""), Some(" two\nlines")]),
        ];
        assert_eq!(written(columns).unwrap(), "x,\"a,b\"\n0.1,\"say \"\"x\"\"\"\n,\" two\nlines\"\n");
        assert_eq!(written(vec![Column::numeric("x", vec![f64::NAN, 1.0])]).unwrap(), "x\n?\n1\n");
    }

    #[test]
    fn a_level_that_would_be_lost_is_refused() {
        let error = written(vec![Column::from_texts("a", [Some("NA")])]).unwrap_err();
        assert!(error.to_string().contains("column \"a\": the level \"NA\" would read back as a missing value"));
    }
}
