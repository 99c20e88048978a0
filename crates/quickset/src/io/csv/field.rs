//! Fields and records: where they end, and what stands in them.
//!
//! A field is quoted if its first byte other than a space is a quote; only then may it hold delimiters and line ends.
//! A quote further in is a character like any other. Spaces around a field that is not quoted do not belong to it.

use std::borrow::Cow;

/// A field as it stands in the text.
pub(super) struct Field<'a> {
    /// What it says, without quotes.
    pub text: Cow<'a, str>,
    /// Where the next field or record begins.
    pub next: usize,
    /// Whether it is the last of its record.
    pub ends_record: bool,
}

/// Why a field cannot be read.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum BadField {
    /// The closing quote is followed by something else than a delimiter.
    TextAfterQuote,
    /// The quote is never closed.
    Unclosed,
}

impl<'a> Field<'a> {
    /// Reads the field that begins at `at`.
    pub fn read(text: &'a str, at: usize, delimiter: u8) -> Result<Self, BadField> {
        let bytes = text.as_bytes();
        let first = at + bytes[at..].iter().take_while(|&&byte| byte == b' ').count();
        if bytes.get(first) == Some(&b'"') {
            return Self::read_quoted(text, first + 1, delimiter);
        }
        let end = memchr::memchr2(delimiter, b'\n', &bytes[at..]).map_or(bytes.len(), |length| at + length);
        let (next, ends_record) = after(bytes, end);
        Ok(Field { text: Cow::Borrowed(text[at..end].trim_matches(blank)), next, ends_record })
    }

    /// Reads on behind an opening quote.
    fn read_quoted(text: &'a str, start: usize, delimiter: u8) -> Result<Self, BadField> {
        let bytes = text.as_bytes();
        let mut doubled = false;
        let mut at = start;
        let close = loop {
            let quote = at + memchr::memchr(b'"', &bytes[at..]).ok_or(BadField::Unclosed)?;
            if bytes.get(quote + 1) != Some(&b'"') {
                break quote;
            }
            doubled = true;
            at = quote + 2;
        };
        let end = memchr::memchr2(delimiter, b'\n', &bytes[close..]).map_or(bytes.len(), |length| close + length);
        if !text[close + 1..end].trim_matches(blank).is_empty() {
            return Err(BadField::TextAfterQuote);
        }
        let inside = &text[start..close];
        let (next, ends_record) = after(bytes, end);
        let text = if doubled { Cow::Owned(inside.replace("\"\"", "\"")) } else { Cow::Borrowed(inside) };
        Ok(Field { text, next, ends_record })
    }
}

fn blank(letter: char) -> bool {
    matches!(letter, ' ' | '\t' | '\r')
}

/// Where the next field begins if this one ends before `end`, and whether a record ends there.
fn after(bytes: &[u8], end: usize) -> (usize, bool) {
    match bytes.get(end) {
        None => (end, true),
        Some(b'\n') => (end + 1, true),
        Some(_) => (end + 1, false),
    }
}

/// Where the last complete record of `bytes` ends; `bytes` begins with a record. `None` if it holds no complete one.
pub(super) fn last_record_end(bytes: &[u8], delimiter: u8) -> Option<usize> {
    let mut last = None;
    // Invariant: everything before `at` is seen, `at` is outside quotes.
    let mut at = 0;
    while let Some(quote) = memchr::memchr(b'"', &bytes[at..]).map(|found| at + found) {
        last = memchr::memrchr(b'\n', &bytes[at..quote]).map(|found| at + found + 1).or(last);
        if !opens(bytes, quote, delimiter) {
            at = quote + 1;
            continue;
        }
        let mut inside = quote + 1;
        at = loop {
            match memchr::memchr(b'"', &bytes[inside..]).map(|found| inside + found) {
                None => return last,
                Some(close) if bytes.get(close + 1) == Some(&b'"') => inside = close + 2,
                Some(close) => break close + 1,
            }
        };
    }
    memchr::memrchr(b'\n', &bytes[at..]).map(|found| at + found + 1).or(last)
}

/// Whether the quote at `quote` begins a field: nothing but spaces between it and the end of the field before.
fn opens(bytes: &[u8], quote: usize, delimiter: u8) -> bool {
    match bytes[..quote].iter().rposition(|&byte| byte != b' ') {
        None => true,
        Some(before) => bytes[before] == delimiter || bytes[before] == b'\n',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(text: &str) -> Vec<Vec<String>> {
        let (mut at, mut records, mut record) = (0, Vec::new(), Vec::new());
        while at < text.len() {
            let field = Field::read(text, at, b',').unwrap();
            record.push(field.text.to_string());
            at = field.next;
            if field.ends_record {
                records.push(std::mem::take(&mut record));
            }
        }
        records
    }

    #[test]
    fn quotes_hide_delimiters_and_line_ends() {
        let text = "a,\"b,1\", \"say \"\"x\"\"\" \r\n 5\" pipe , \"two\nlines\",c";
        assert_eq!(fields(text), [["a", "b,1", "say \"x\""], ["5\" pipe", "two\nlines", "c"]]);
    }

    #[test]
    fn bad_quotes_are_seen() {
        assert_eq!(Field::read("\"a\"b,c", 0, b',').err(), Some(BadField::TextAfterQuote));
        assert_eq!(Field::read("\"a,b\nc", 0, b',').err(), Some(BadField::Unclosed));
    }

    #[test]
    fn records_end_outside_quotes() {
        let end = |text: &str| last_record_end(text.as_bytes(), b',');
        assert_eq!(end("a,b\nc,d\ne"), Some(8));
        assert_eq!(end("a,\"b\nc\",d\ne"), Some(10));
        assert_eq!(end("a,\"b\nc"), None);
        assert_eq!(end("a\nb,\"x\"\"\ny"), Some(2));
        assert_eq!(end("a 5\" pipe\nb"), Some(10));
        assert_eq!(end("a, \"x\n"), None);
        assert_eq!(end(""), None);
    }
}
