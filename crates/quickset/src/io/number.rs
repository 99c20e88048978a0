//! Numbers as text.

/// Powers of ten that `f64` holds exactly.
const EXACT: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
];

/// The number at the start of `bytes` and how many bytes it takes; `None` where none starts. May be infinite or NaN.
///
/// Short plain decimals are one exact integer divided by one exact power of ten, which rounds once and so correctly
/// (Clinger 1990, "How to read floating point numbers accurately"); all others go to the general parser.
#[inline]
pub(super) fn scan(bytes: &[u8]) -> Option<(f64, usize)> {
    let negative = bytes.first() == Some(&b'-');
    let start = usize::from(negative);
    let mut at = start;
    let mut mantissa = 0u64;
    at = digits(bytes, at, &mut mantissa);
    let whole = at - start;
    let mut fraction = 0;
    if bytes.get(at) == Some(&b'.') {
        let end = digits(bytes, at + 1, &mut mantissa);
        fraction = end - at - 1;
        at = end;
    }
    let plain = !matches!(bytes.get(at), Some(b'e' | b'E'));
    // Nineteen digits cannot have overflowed the mantissa, and 2^53 bounds the integers that f64 holds exactly.
    if plain && (1..=19).contains(&(whole + fraction)) && mantissa <= 1 << 53 {
        let value = mantissa as f64 / EXACT[fraction];
        return Some((if negative { -value } else { value }, at));
    }
    fast_float2::parse_partial::<f64, _>(bytes).ok().filter(|&(_, length)| length > 0)
}

/// Appends the decimal digits from `at` on to `mantissa`, eight at a time while there are as many.
#[inline]
fn digits(bytes: &[u8], mut at: usize, mantissa: &mut u64) -> usize {
    while let Some(eight) = bytes.get(at..at + 8) {
        let word = u64::from_le_bytes(eight.try_into().expect("the slice has eight bytes"));
        if !eight_digits(word) {
            break;
        }
        *mantissa = mantissa.wrapping_mul(100_000_000).wrapping_add(eight_digits_value(word));
        at += 8;
    }
    while let Some(digit) = bytes.get(at).map(|byte| byte.wrapping_sub(b'0')).filter(|&digit| digit < 10) {
        *mantissa = mantissa.wrapping_mul(10).wrapping_add(u64::from(digit));
        at += 1;
    }
    at
}

/// Whether all eight bytes are digits: each has 3 in its upper half, and still has after adding 6.
fn eight_digits(word: u64) -> bool {
    let upper = 0xF0F0_F0F0_F0F0_F0F0;
    (word & upper) | ((word.wrapping_add(0x0606_0606_0606_0606) & upper) >> 4) == 0x3333_3333_3333_3333
}

/// Joins neighbours in three steps: digits to pairs, pairs to fours, fours to one number.
fn eight_digits_value(word: u64) -> u64 {
    let pairs = (word & 0x0F0F_0F0F_0F0F_0F0F).wrapping_mul(10 * 256 + 1) >> 8 & 0x00FF_00FF_00FF_00FF;
    let fours = pairs.wrapping_mul(100 * 65_536 + 1) >> 16 & 0x0000_FFFF_0000_FFFF;
    fours.wrapping_mul(10_000 * (1 << 32) + 1) >> 32
}

/// The number that `text` is, all of it; may be infinite, never NaN.
pub(super) fn parse(text: &str) -> Option<f64> {
    scan(text.as_bytes()).filter(|&(value, length)| length == text.len() && !value.is_nan()).map(|(value, _)| value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_usual_forms_are_numbers() {
        let cases = [
            ("0", 0.0),
            ("-0", -0.0),
            ("+3", 3.0),
            (".5", 0.5),
            ("5.", 5.0),
            ("-12.25", -12.25),
            ("1e3", 1000.0),
            ("2.5E-1", 0.25),
            ("12345678.12345678", 12345678.12345678),
            ("0.30471707975443135", 0.30471707975443135),
            ("123456789012345678901234567890", 1.2345678901234568e29),
            ("0.000000000000000000000000001", 1e-27),
            ("1e999", f64::INFINITY),
        ];
        for (text, value) in cases {
            assert_eq!(parse(text).map(f64::to_bits), Some(value.to_bits()), "{text}");
        }
    }

    #[test]
    fn other_text_is_not_a_number() {
        for text in ["", "-", ".", "e5", "1e", "1x", "0x10", "1 2", "nan", "--1", "1_000", "１"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn every_finite_number_reads_back(bits in any::<u64>()) {
            let value = f64::from_bits(bits);
            prop_assume!(value.is_finite());
            prop_assert_eq!(parse(&value.to_string()).map(f64::to_bits), Some(bits));
            prop_assert_eq!(parse(&format!("{value:e}")).map(f64::to_bits), Some(bits));
        }

        #[test]
        fn decimals_are_what_the_standard_library_says(text in "-?[0-9]{0,21}\\.?[0-9]{0,21}") {
            prop_assert_eq!(parse(&text), text.parse::<f64>().ok());
        }
    }
}
