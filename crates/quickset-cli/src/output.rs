//! Where results and remarks go.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use anyhow::Result;
use quickset::io::write_atomically;

/// Standard error: notes and warnings unless the user wants quiet, and errors always.
pub struct Console {
    quiet: bool,
}

impl Console {
    /// A console that keeps to errors where `quiet`.
    pub fn new(quiet: bool) -> Self {
        Console { quiet }
    }

    /// Whether only errors are said.
    pub fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// Something the user may want to know.
    pub fn note(&self, text: &str) {
        if !self.quiet {
            say("note", text);
        }
    }

    /// Something the user should know.
    pub fn warning(&self, text: &str) {
        if !self.quiet {
            say("warning", text);
        }
    }

    /// Why something could not be done.
    pub fn error(&self, text: &str) {
        say("error", text);
    }
}

fn say(kind: &str, text: &str) {
    // Where standard error is closed there is nobody left to tell.
    let _ = writeln!(io::stderr().lock(), "{kind}: {text}");
}

/// Writes a result to standard output.
pub fn print(body: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    body(&mut out)?;
    Ok(out.flush()?)
}

/// Writes a result to `path`, whole or not at all, or to standard output where none is named.
pub fn deliver(
    path: Option<&str>,
    console: &Console,
    body: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<()> {
    let Some(path) = path else { return print(body) };
    write_atomically(path, |out| body(out).map_err(|error| quickset::Error::io(path, &error)))?;
    console.note(&format!("written to {path}"));
    Ok(())
}

/// Refuses a place that cannot be written to, before any work is done for it.
pub fn check_place(path: Option<&str>) -> Result<()> {
    let Some(path) = path.map(Path::new) else { return Ok(()) };
    let refuse = |what: &str, remedy: &str| {
        Err(quickset::Error::new(quickset::ErrorKind::Io, what).in_file(path).remedy(remedy).into())
    };
    if path.is_dir() {
        return refuse("this is a directory, expected the name of a file to write", "add a file name");
    }
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() && !folder.is_dir() => {
            refuse("the folder of this file does not exist", "create it first, or name another")
        }
        _ => Ok(()),
    }
}

/// Writes one line of CSV, fields quoted where they must be.
pub fn csv_line<'a>(out: &mut dyn Write, fields: impl IntoIterator<Item = &'a str>) -> io::Result<()> {
    for (index, field) in fields.into_iter().enumerate() {
        if index > 0 {
            out.write_all(b",")?;
        }
        let plain = !field.is_empty() && field.trim() == field && !field.contains([',', '"', '\r', '\n']);
        if plain {
            out.write_all(field.as_bytes())?;
        } else {
            write!(out, "\"{}\"", field.replace('"', "\"\""))?;
        }
    }
    out.write_all(b"\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_fields_that_need_quotes_get_them() {
        let mut line = Vec::new();
        csv_line(&mut line, ["plain", "a,b", "say \"a\"", "", " padded", "two\nlines", "?"]).unwrap();
        let expected = "plain,\"a,b\",\"say \"\"a\"\"\",\"\",\" padded\",\"two\nlines\",?\n";
        assert_eq!(String::from_utf8(line).unwrap(), expected);
    }

    #[test]
    fn a_place_that_cannot_be_written_is_refused_first() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
        assert!(check_place(None).is_ok());
        assert!(check_place(Some(&path("model.json"))).is_ok());
        assert!(check_place(Some("model.json")).is_ok());
        assert!(check_place(Some(&path("none/model.json"))).is_err());
        assert!(check_place(folder.path().to_str()).is_err());
    }
}
