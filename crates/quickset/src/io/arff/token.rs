//! The words of a line.

use std::borrow::Cow;

use crate::error::{Error, Result};

/// A word or a mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// A word as it stands.
    Word(&'a str),
    /// What stood in quotes.
    Quoted(Cow<'a, str>),
    Comma,
    Open,
    Close,
    /// The end of the line, or a comment.
    End,
}

impl<'a> Token<'a> {
    /// The text of a word, quoted or not.
    pub fn text(&self) -> Option<&str> {
        match self {
            Token::Word(text) => Some(text),
            Token::Quoted(text) => Some(text),
            _ => None,
        }
    }

    /// How an error calls it.
    pub fn described(&self) -> String {
        match self {
            Token::Word(text) => format!("{text:?}"),
            Token::Quoted(text) => format!("{text:?}"),
            Token::Comma => "a comma".into(),
            Token::Open => "an opening brace".into(),
            Token::Close => "a closing brace".into(),
            Token::End => "the end of the line".into(),
        }
    }
}

/// Goes through a line word by word.
#[derive(Clone)]
pub(super) struct Tokens<'a> {
    line: &'a str,
    at: usize,
}

impl<'a> Tokens<'a> {
    pub fn new(line: &'a str) -> Self {
        Tokens { line, at: 0 }
    }

    /// What has not been looked at yet.
    pub fn rest(&self) -> &'a str {
        &self.line[self.at..]
    }

    /// The next word or mark.
    pub fn next(&mut self) -> Result<Token<'a>> {
        let bytes = self.line.as_bytes();
        while self.at < bytes.len() && bytes[self.at].is_ascii_whitespace() {
            self.at += 1;
        }
        let start = self.at;
        let Some(&first) = bytes.get(start) else { return Ok(Token::End) };
        match first {
            b'%' => {
                self.at = bytes.len();
                Ok(Token::End)
            }
            b',' | b'{' | b'}' => {
                self.at += 1;
                Ok(match first {
                    b',' => Token::Comma,
                    b'{' => Token::Open,
                    _ => Token::Close,
                })
            }
            b'\'' | b'"' => self.quoted(first),
            _ => {
                let ends = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b',' | b'{' | b'}' | b'%');
                let length = bytes[start..].iter().position(ends).unwrap_or(bytes.len() - start);
                self.at = start + length;
                Ok(Token::Word(&self.line[start..self.at]))
            }
        }
    }

    /// Reads on from the opening quote at `self.at`.
    fn quoted(&mut self, quote: u8) -> Result<Token<'a>> {
        let bytes = self.line.as_bytes();
        let start = self.at + 1;
        let mut at = start;
        loop {
            let unclosed = || {
                Error::format(format!("the quote before {:?} is never closed", shown(&self.line[start..])))
                    .remedy("close it, or write \\ before a quote that belongs to the text")
            };
            at += memchr::memchr2(quote, b'\\', &bytes[at..]).ok_or_else(unclosed)?;
            if bytes[at] == quote {
                break;
            }
            // Whatever follows a backslash is text, and may be a character of several bytes.
            at += 1 + self.line[at + 1..].chars().next().ok_or_else(unclosed)?.len_utf8();
        }
        self.at = at + 1;
        let inside = &self.line[start..at];
        Ok(Token::Quoted(if inside.contains('\\') { Cow::Owned(unescaped(inside)) } else { Cow::Borrowed(inside) }))
    }
}

fn shown(text: &str) -> String {
    text.chars().take(20).collect()
}

fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        plain.push(match letter {
            '\\' => match letters.next() {
                Some('n') => '\n',
                Some('r') => '\r',
                Some('t') => '\t',
                Some(other) => other,
                None => '\\',
            },
            other => other,
        });
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(line: &str) -> Vec<String> {
        let mut tokens = Tokens::new(line);
        let mut found = Vec::new();
        loop {
            match tokens.next().unwrap() {
                Token::End => return found,
                token => found.push(token.described()),
            }
        }
    }

    #[test]
    fn lines_fall_into_words_and_marks() {
        let line = "a,\t'b c' , \"d\\\"é\" {x} 'it\\'s 5%' % comment";
        let expected = [
            "\"a\"",
            "a comma",
            "\"b c\"",
            "a comma",
            "\"d\\\"é\"",
            "an opening brace",
            "\"x\"",
            "a closing brace",
            "\"it's 5%\"",
        ];
        assert_eq!(all(line), expected);
    }

    #[test]
    fn unclosed_quotes_are_refused() {
        for line in ["'abc", "'abc\\", "\"a'"] {
            assert!(Tokens::new(line).next().unwrap_err().to_string().contains("never closed"));
        }
    }
}
