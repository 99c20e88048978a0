//! What the file declares before its rows.

use super::super::dictionary::Dictionary;
use super::token::{Token, Tokens};
use crate::error::{Error, Result};

/// A declared attribute.
pub(super) struct Attribute {
    pub name: String,
    pub kind: Kind,
}

/// The type of an attribute.
pub(super) enum Kind {
    Numeric,
    Nominal(Dictionary),
    /// A string or a date: its values are skipped.
    Ignored,
}

/// What a line of the header says.
pub(super) enum Line {
    /// Nothing that matters.
    Other,
    Attribute(Attribute),
    /// Rows follow.
    Data,
}

/// Understands one line of the header.
pub(super) fn parse(line: &str) -> Result<Line> {
    let mut tokens = Tokens::new(line);
    let first = tokens.next()?;
    let keyword = match &first {
        Token::End => return Ok(Line::Other),
        Token::Word(word) => word.to_ascii_lowercase(),
        _ => String::new(),
    };
    match keyword.as_str() {
        "@relation" => Ok(Line::Other),
        "@data" => Ok(Line::Data),
        "@attribute" => attribute(&mut tokens).map(Line::Attribute),
        _ => Err(Error::format(format!(
            "found {}, expected @relation, @attribute or @data before the rows",
            first.described()
        ))
        .remedy("begin comments with %")),
    }
}

fn attribute(tokens: &mut Tokens) -> Result<Attribute> {
    let name = tokens.next()?;
    let Some(name) = name.text().map(str::to_string) else {
        return Err(Error::format(format!("found {}, expected the attribute's name", name.described()))
            .remedy("write @attribute NAME TYPE"));
    };
    let kind = kind(tokens).map_err(|error| error.in_column(&name))?;
    Ok(Attribute { name, kind })
}

fn kind(tokens: &mut Tokens) -> Result<Kind> {
    let known = "the types are numeric, real, integer, string, date and {level, level, …}";
    match tokens.next()? {
        Token::Open => levels(tokens).map(Kind::Nominal),
        // What may follow is a range or the format of a date, which say nothing about the values.
        Token::Word(word) => match word.to_ascii_lowercase().as_str() {
            "numeric" | "real" | "integer" => Ok(Kind::Numeric),
            "string" | "date" => Ok(Kind::Ignored),
            "relational" => Err(Error::format("relational attributes (tables inside a row) are not supported")
                .remedy("give each row its own columns")),
            other => Err(Error::format(format!("{other:?} is not a type")).remedy(known)),
        },
        other => Err(Error::format(format!("found {}, expected a type", other.described())).remedy(known)),
    }
}

fn levels(tokens: &mut Tokens) -> Result<Dictionary> {
    let mut levels = Dictionary::default();
    loop {
        let token = tokens.next()?;
        match &token {
            Token::Close => return Ok(levels),
            Token::Comma => {}
            Token::Word(_) | Token::Quoted(_) => {
                let text = token.text().unwrap_or_default();
                if levels.get(text).is_some() {
                    return Err(Error::format(format!("the level {text:?} is declared twice")).remedy("remove one"));
                }
                levels.code(text);
            }
            Token::Open | Token::End => {
                return Err(Error::format(format!("found {} inside the list of levels", token.described()))
                    .remedy("write {level, level, …} on one line, and quote a level that holds % or a brace"));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn declared(line: &str) -> Attribute {
        match parse(line).unwrap() {
            Line::Attribute(attribute) => attribute,
            _ => panic!("{line} declares nothing"),
        }
    }

    #[test]
    fn attributes_in_every_spelling() {
        for line in ["@attribute a numeric", "@ATTRIBUTE\t'a' REAL [1,10]", " @Attribute \"a\" Integer [0, 9] % so"] {
            let attribute = declared(line);
            assert!(attribute.name == "a" && matches!(attribute.kind, Kind::Numeric), "{line}");
        }
        let Kind::Nominal(levels) = declared("@attribute 'my class'{ 'build wind', '<50',\t-3 ,x}").kind else {
            panic!("nominal")
        };
        assert_eq!(levels.levels(), ["build wind", "<50", "-3", "x"]);
        assert!(matches!(declared("@attribute d date 'yyyy-MM-dd'").kind, Kind::Ignored));
        assert!(matches!(parse("% comment"), Ok(Line::Other)));
        assert!(matches!(parse("@DATA"), Ok(Line::Data)));
    }

    #[test]
    fn bad_declarations_say_what_is_wrong() {
        let cases = [
            ("@attribute a", "column \"a\": found the end of the line, expected a type"),
            ("@attribute", "expected the attribute's name"),
            ("@attribute a float", "\"float\" is not a type; the types are numeric"),
            ("@attribute a relational", "relational attributes (tables inside a row) are not supported"),
            ("@attribute a {x, y", "found the end of the line inside the list of levels"),
            ("@attribute a {x, y, x}", "the level \"x\" is declared twice"),
            ("1,2,3", "expected @relation, @attribute or @data before the rows"),
        ];
        for (line, message) in cases {
            let error = parse(line).err().unwrap().to_string();
            assert!(error.contains(message), "{error}");
        }
    }
}
