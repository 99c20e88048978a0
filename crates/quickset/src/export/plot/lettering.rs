//! Numbers and names as plots write them, and how wide they will be.
//!
//! A page is written without knowing the reader's fonts. Widths are those of DejaVu Sans, wider than most, so that what
//! fits by this estimate fits on the screen.

use std::fmt::Display;

/// The size of letters in plots, in the plot's own units; `plot.css` says the same.
pub(super) const LETTER: f64 = 12.0;

/// `digits` × 10^`exponent`, rounded once: 6 × 10⁻¹ is 0.6, which 6.0 × 0.1 is not.
pub(super) fn power(digits: impl Display, exponent: i32) -> f64 {
    format!("{digits}e{exponent}").parse().unwrap_or(f64::NAN)
}

/// A number that is a multiple of 10^`exponent`, in the form that suits the `largest` of its axis.
pub(super) fn decimal(value: f64, largest: f64, exponent: i32) -> String {
    let written = if value == 0.0 && exponent < -4 {
        "0".to_string()
    } else if largest >= 1e6 || exponent < -4 {
        let size = largest.abs().log10().floor() as i32;
        let places = (size - exponent).max(0) as usize;
        // The size may be beyond what 10^size can hold: the text is shifted instead of the number.
        let shifted = format!("{value:e}");
        let (digits, own) = shifted.split_once('e').unwrap_or((&shifted, "0"));
        let own: i32 = own.parse().unwrap_or(0);
        let digits = power(digits, own - size);
        match format!("{digits:.places$}").as_str() {
            "0" => "0".to_string(),
            "1" => format!("10{}", superscript(size)),
            digits => format!("{digits}×10{}", superscript(size)),
        }
    } else {
        format!("{value:.*}", (-exponent).max(0) as usize)
    };
    written.replacen('-', "−", 1)
}

/// A digit times a power of ten.
pub(super) fn scientific(value: f64) -> String {
    let written = format!("{value:e}");
    match written.split_once('e') {
        Some((digits, exponent)) => {
            let raised = superscript(exponent.parse().unwrap_or(0));
            if digits == "1" { format!("10{raised}") } else { format!("{digits}×10{raised}") }
        }
        None => written,
    }
}

fn superscript(number: i32) -> String {
    let raised = |letter| match letter {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        digit => char::from_u32('⁰' as u32 + digit as u32 - '0' as u32).unwrap_or(digit),
    };
    number.to_string().chars().map(raised).collect()
}

/// A figure in a tooltip: four digits that matter.
pub(super) fn figure(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return value.to_string();
    }
    let size = value.abs().log10().floor();
    if !(-5.0..9.0).contains(&size) {
        return format!("{value:.3e}");
    }
    let places = (3.0 - size).max(0.0) as usize;
    let written = format!("{value:.places$}");
    if written.contains('.') { written.trim_end_matches('0').trim_end_matches('.').to_string() } else { written }
}

/// How wide a text is in plots.
pub(super) fn width(text: &str) -> f64 {
    text.chars().map(em).sum::<f64>() * LETTER
}

fn em(letter: char) -> f64 {
    match letter {
        'i' | 'j' | 'l' | '\'' | '|' => 0.34,
        ' ' | '.' | ',' | ':' | ';' | '!' | '-' | 'f' | 'r' | 't' | '(' | ')' | '[' | ']' | 'I' | '/' => 0.42,
        '⁰'..='⁹' | '¹' | '²' | '³' | '⁻' => 0.42,
        'm' | 'M' | 'W' | '@' | '%' | '…' => 1.0,
        'w' | 'A'..='Z' | '=' | '+' | '<' | '>' | '&' | '−' | '×' | '#' => 0.85,
        '\u{20}'..='\u{2e7f}' => 0.65,
        _ => 1.05,
    }
}

/// The text, or if it is wider than `room` its beginning and its end: learners often differ only in their last letters.
pub(super) fn shortened(text: &str, room: f64) -> String {
    if width(text) <= room {
        return text.to_string();
    }
    let letters: Vec<char> = text.chars().collect();
    for kept in (1..letters.len()).rev() {
        let (start, end) = (kept - kept / 2, kept / 2);
        let short: String = letters[..start].iter().chain(&['…']).chain(&letters[letters.len() - end..]).collect();
        if width(&short) <= room {
            return short;
        }
    }
    "…".to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_keep_four_digits() {
        let written = [0.0, 1.0, 93.3333333, 1158.0, 123456.0, 0.000123456, 1e-9, 1e12, -2.5].map(figure);
        assert_eq!(written, ["0", "1", "93.33", "1158", "123456", "0.0001235", "1.000e-9", "1.000e12", "-2.5"]);
    }

    #[test]
    fn long_names_keep_both_ends() {
        assert_eq!(shortened("c45", 100.0), "c45");
        let short = shortened("c45[prune.confidence=0.05,min-rows=5]", 120.0);
        assert!(short.starts_with("c45[") && short.ends_with("=5]") && short.contains('…'), "{short}");
        assert!(width(&short) <= 120.0);
        assert_eq!(shortened("長い名前のデータ", 40.0), "長…タ");
        assert_eq!(shortened("ab", 0.0), "…");
    }
}
