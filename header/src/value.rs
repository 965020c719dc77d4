//! Scalars: parses a word to its bits, prints bits as the shortest word that parses back exactly,
//! and compares two scalars.

use std::cmp::Ordering;

use half::f16;
use tilewise_ir::types::Stored;

/// The bits of `word` as a `stored`, or an error message.
pub fn parse(word: &str, stored: Stored) -> Result<u64, String> {
    match stored {
        Stored::Bool => match word {
            "true" | "1" => Ok(1),
            "false" | "0" => Ok(0),
            _ => Err(format!("`{word}` is no `bool`: `true` or `false`")),
        },
        Stored::F16 | Stored::F32 | Stored::F64 => float(word, stored),
        Stored::I8 | Stored::U8 | Stored::I16 | Stored::U16 | Stored::I32 | Stored::U32 | Stored::I64 | Stored::U64 => {
            let value =
                integer(word).ok_or_else(|| format!("`{word}` is no integer, and `{stored}` is stored here"))?;
            let (low, high) = range(stored);
            if value < low || value > high {
                return Err(format!("`{word}` does not fit in `{stored}`, which holds {low} to {high}"));
            }
            Ok(value as u64 & mask(stored))
        }
    }
}

/// The least and the greatest integer that `stored` holds; meaningless for a float.
pub fn range(stored: Stored) -> (i128, i128) {
    let bits = stored.size() * 8;
    match stored {
        Stored::I8 | Stored::I16 | Stored::I32 | Stored::I64 => (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1),
        _ => (0, (1i128 << bits) - 1),
    }
}

/// The mask of the bits of `stored`.
pub fn mask(stored: Stored) -> u64 {
    u64::MAX >> (64 - stored.size() * 8)
}

/// An integer word: decimal or hexadecimal, `_` between digits.
pub fn integer(word: &str) -> Option<i128> {
    let (negative, digits) = match word.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, word),
    };
    let digits = digits.replace('_', "");
    if digits.starts_with(['-', '+']) {
        return None;
    }
    let value = match digits.strip_prefix("0x") {
        // The sign stands before `0x`, and the word of a sign behind it may be the least `i128`.
        Some(hex) if !hex.starts_with(['+', '-']) => i128::from_str_radix(hex, 16).ok()?,
        Some(_) => return None,
        None => digits.parse().ok()?,
    };
    Some(if negative { -value } else { value })
}

fn float(word: &str, stored: Stored) -> Result<u64, String> {
    let bad = || format!("`{word}` is no number");
    let magnitude = word.strip_prefix('-').unwrap_or(word);
    let sign = if magnitude.len() < word.len() { 1u64 << (stored.size() * 8 - 1) } else { 0 };
    if magnitude == "nan" {
        return Ok(sign | nan(stored));
    }
    if magnitude != "inf" && !magnitude.starts_with(|c: char| c.is_ascii_digit()) {
        return Err(bad());
    }
    if let Some(hex) = magnitude.strip_prefix("0x") {
        return hex_float(hex, stored).map(|bits| bits | sign).ok_or_else(|| {
            format!("`{word}` is no hexadecimal float that `{stored}` holds exactly, as `0x1.8p+3` would be")
        });
    }
    let decimal = magnitude.replace('_', "");
    let (bits, finite) = match stored {
        Stored::F16 => {
            let value = half(&decimal).ok_or_else(bad)?;
            (u64::from(value.to_bits()), value.is_finite())
        }
        Stored::F32 => {
            let value: f32 = decimal.parse().map_err(|_| bad())?;
            (u64::from(value.to_bits()), value.is_finite())
        }
        _ => {
            let value: f64 = decimal.parse().map_err(|_| bad())?;
            (value.to_bits(), value.is_finite())
        }
    };
    if !finite && magnitude != "inf" {
        return Err(format!("`{word}` is beyond what `{stored}` holds; write `inf` if that is meant"));
    }
    Ok(bits | sign)
}

/// A decimal number as the nearest `f16`. It is rounded twice, on the way through `f64`, which makes a
/// difference half way between two of them: there the digits decide.
fn half(decimal: &str) -> Option<f16> {
    let mut number: f64 = decimal.parse().ok()?;
    if !number.is_finite() {
        return Some(f16::from_f64(number));
    }
    let (below, above) = (nearest_half(number.next_down()), nearest_half(number.next_up()));
    if below != above && number != 0.0 {
        // Exact: such a number has at most 25 digits behind the point.
        match decimal_digits(decimal)?.cmp(&decimal_digits(&format!("{number:.30}"))?) {
            Ordering::Less => number = number.next_down(),
            Ordering::Equal => {}
            Ordering::Greater => number = number.next_up(),
        }
    }
    Some(nearest_half(number))
}

/// The nearest `f16`, the even one of two.
fn nearest_half(number: f64) -> f16 {
    let exponent = ((number.to_bits() >> 52 & 0x7ff) as i32 - 1023).clamp(-14, 16);
    let unit = 2f64.powi(exponent - 10);
    // Exact but for the rounding.
    f16::from_f64((number / unit).round_ties_even() * unit)
}

/// The place of the first digit that is not zero, and the digits from it, without zeros at the end:
/// of numbers that are not negative, the larger one is the larger pair.
fn decimal_digits(word: &str) -> Option<(i64, String)> {
    let (digits, exponent) = match word.split_once(['e', 'E']) {
        Some((digits, exponent)) => (digits, exponent.parse::<i64>().ok()?),
        None => (word, 0),
    };
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    let all = format!("{whole}{part}");
    let rest = all.trim_start_matches('0');
    let place = (whole.len() as i64).checked_add(exponent)?.checked_sub((all.len() - rest.len()) as i64)?;
    Some((place, rest.trim_end_matches('0').to_owned()))
}

/// Bits of the fraction of a float format, and its greatest exponent.
fn format_of(stored: Stored) -> (u32, i64) {
    match stored {
        Stored::F16 => (10, 15),
        Stored::F32 => (23, 127),
        _ => (52, 1023),
    }
}

/// The canonical NaN.
pub fn nan(stored: Stored) -> u64 {
    let (fraction, _) = format_of(stored);
    infinity(stored) | 1 << (fraction - 1)
}

fn infinity(stored: Stored) -> u64 {
    let (fraction, bias) = format_of(stored);
    (2 * bias as u64 + 1) << fraction
}

/// The bits of `1.8p+3`, or `None` if it is not exact.
fn hex_float(hex: &str, stored: Stored) -> Option<u64> {
    let (digits, exponent) = match hex.split_once('p') {
        Some((digits, exponent)) => (digits, exponent.parse::<i64>().ok()?),
        None => (hex, 0),
    };
    let digits = digits.replace('_', "");
    let (whole, part) = digits.split_once('.').unwrap_or((&digits, ""));
    let joined = format!("{whole}{part}");
    if joined.is_empty() || joined.len() > 30 || joined.starts_with('+') || exponent.unsigned_abs() > 100_000 {
        return None;
    }
    let mut mantissa = u128::from_str_radix(&joined, 16).ok()?;
    if mantissa == 0 {
        return Some(0);
    }
    let zeros = mantissa.trailing_zeros();
    mantissa >>= zeros;
    let lowest = exponent - 4 * part.len() as i64 + i64::from(zeros);
    let length = i64::from(128 - mantissa.leading_zeros());
    let highest = lowest + length - 1;
    let (fraction, bias) = format_of(stored);
    // The exponent of the lowest bit of the format at this magnitude.
    let floor = highest.max(1 - bias) - i64::from(fraction);
    if highest > bias || lowest < floor {
        return None;
    }
    let aligned = (mantissa << (lowest - floor)) as u64;
    let hidden = 1u64 << fraction;
    if aligned & hidden == 0 {
        return Some(aligned);
    }
    Some((((highest + bias) as u64) << fraction) | (aligned & (hidden - 1)))
}

/// Is this the pattern of a NaN?
pub fn is_nan(bits: u64, stored: Stored) -> bool {
    matches!(stored, Stored::F16 | Stored::F32 | Stored::F64) && bits & (mask(stored) >> 1) > infinity(stored)
}

/// The value as a number; integers of more than 53 bits are rounded.
pub fn number(bits: u64, stored: Stored) -> f64 {
    match stored {
        Stored::F16 => f16::from_bits(bits as u16).to_f64(),
        Stored::F32 => f64::from(f32::from_bits(bits as u32)),
        Stored::F64 => f64::from_bits(bits),
        Stored::I8 => f64::from(bits as u8 as i8),
        Stored::I16 => f64::from(bits as u16 as i16),
        Stored::I32 => f64::from(bits as u32 as i32),
        Stored::I64 => bits as i64 as f64,
        Stored::Bool | Stored::U8 | Stored::U16 | Stored::U32 | Stored::U64 => (bits & mask(stored)) as f64,
    }
}

/// Are two scalars of one type equal to a test: the same bits, or both NaN?
pub fn equal(a: u64, b: u64, stored: Stored) -> bool {
    a == b || is_nan(a, stored) && is_nan(b, stored)
}

/// The shortest word that parses back to the same bits (to a NaN, for a NaN).
pub fn show(bits: u64, stored: Stored) -> String {
    if is_nan(bits, stored) {
        return "nan".to_owned();
    }
    match stored {
        Stored::Bool => if bits & 1 == 1 { "true" } else { "false" }.to_owned(),
        Stored::I8 => (bits as u8 as i8).to_string(),
        Stored::I16 => (bits as u16 as i16).to_string(),
        Stored::I32 => (bits as u32 as i32).to_string(),
        Stored::I64 => (bits as i64).to_string(),
        Stored::U8 | Stored::U16 | Stored::U32 | Stored::U64 => (bits & mask(stored)).to_string(),
        Stored::F16 => shortest_f16(f16::from_bits(bits as u16)),
        Stored::F32 => format!("{:?}", f32::from_bits(bits as u32)),
        Stored::F64 => format!("{:?}", f64::from_bits(bits)),
    }
}

fn shortest_f16(value: f16) -> String {
    let exact = value.to_f32();
    let found = (1..8).find_map(|digits| {
        let word = format!("{exact:.*e}", digits - 1);
        let back: f64 = word.parse().ok()?;
        (f16::from_f64(back) == value).then(|| format!("{:?}", back as f32))
    });
    found.unwrap_or_else(|| format!("{exact:?}"))
}

/// The value with its bits, for failures.
pub fn show_with_bits(bits: u64, stored: Stored) -> String {
    let digits = stored.size() as usize * 2;
    format!("{} (0x{:0digits$x})", show(bits, stored), bits & mask(stored))
}

/// Reads a `stored` from the bytes at `at`; `None` if it does not lie within them.
pub fn read(bytes: &[u8], at: u64, stored: Stored) -> Option<u64> {
    let at = usize::try_from(at).ok()?;
    let field = bytes.get(at..at.checked_add(stored.size() as usize)?)?;
    Some(field.iter().rev().fold(0, |bits, &byte| bits << 8 | u64::from(byte)))
}

/// Writes a `stored` to the bytes at `at`, unless it does not lie within them.
pub fn write(bytes: &mut [u8], at: u64, stored: Stored, bits: u64) {
    let size = stored.size() as usize;
    let field = usize::try_from(at).ok().and_then(|at| bytes.get_mut(at..at.checked_add(size)?));
    if let Some(field) = field {
        field.copy_from_slice(&bits.to_le_bytes()[..size]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shown_reads_back() {
        let mut state = 1;
        for stored in Stored::ALL {
            for i in 0..3000u64 {
                state = crate::data::next(state);
                let bits = match stored {
                    Stored::Bool => i & 1,
                    Stored::F16 => (i * 22) & mask(stored),
                    _ => state & mask(stored),
                };
                let word = show(bits, stored);
                let back = parse(&word, stored).unwrap_or_else(|e| panic!("{stored} {bits:#x}: {e}"));
                assert!(equal(back, bits, stored), "{stored} {bits:#x} was shown as {word}, which reads as {back:#x}");
            }
        }
    }

    #[test]
    fn an_integer_has_one_sign_before_all_else() {
        assert_eq!((integer("-0x1_0"), integer("0x1F"), integer("-1_0")), (Some(-16), Some(31), Some(-10)));
        for wrong in ["0x-5", "-0x-5", "-0x-80000000000000000000000000000000", "0x+5", "--5", "-+5", "0x", "-"] {
            assert_eq!(integer(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn hexadecimal_floats_are_exact_or_refused() {
        assert_eq!(parse("0x1.8p+3", Stored::F32), Ok(u64::from(12f32.to_bits())));
        assert_eq!(parse("-0x1p-149", Stored::F32), Ok(0x8000_0001));
        assert_eq!(parse("0x1.fffffep+127", Stored::F32), Ok(u64::from(f32::MAX.to_bits())));
        assert_eq!(parse("0x1p-24", Stored::F16), Ok(1));
        assert_eq!(parse("0x1p-1074", Stored::F64), Ok(1));
        assert_eq!(parse("0x0p+0", Stored::F64), Ok(0));
        // A `_` between digits is no digit.
        for word in ["0x1.8_0p+3", "0x1_8.0p-1", "0x1_.8p+3", "0x1._8p+3", "0x0.0_0_c_0p+12"] {
            assert_eq!(parse(word, Stored::F32), Ok(u64::from(12f32.to_bits())), "{word}");
        }
        for word in ["0x1p-150", "0x1p+128", "0x1.ffffffp+0", "0xp1", "0x1p", "0x", "0x1p-9223372036854775808"] {
            assert!(parse(word, Stored::F32).is_err(), "{word}");
        }
    }

    #[test]
    fn decimals_are_rounded_once() {
        let half = |word: &str| parse(word, Stored::F16).map(|bits| f16::from_bits(bits as u16).to_f64());
        for (word, expected) in [
            ("1.00048828125", 1.0),
            ("1.00048828125000000000001", 1.0009765625),
            ("-1.00048828125000000000001", -1.0009765625),
            ("1.0014648437499999999999999", 1.0009765625),
            ("100048828.125000000000000001e-8", 1.0009765625),
            ("0.0001000488281250e4", 1.0),
            ("0.0000000298023223876953125", 0.0),
            ("2.98023223876953125000000000001E-8", 5.960464477539063e-8),
            ("65519.99999999999999999999", 65504.0),
            ("1e-400", 0.0),
        ] {
            assert_eq!(half(word), Ok(expected), "{word}");
        }
        assert!(half("65520").is_err() && half("65519.9999999999999e0.5").is_err());
        // Each one comes back, and so does the even one from half way to the next.
        for bits in 0..0x7bffu16 {
            let (number, next) = (f16::from_bits(bits).to_f64(), f16::from_bits(bits + 1).to_f64());
            let middle = (number + next) / 2.0;
            assert_eq!(half(&format!("{number:.30}")), Ok(number));
            let even = if bits % 2 == 0 { number } else { next };
            assert_eq!(half(&format!("{middle:.30}")), Ok(even), "{middle}");
            assert_eq!(half(&format!("{middle:.30}01")), Ok(next), "{middle}");
        }
    }

    #[test]
    fn numbers_out_of_range_are_refused() {
        for (word, stored) in [
            ("256", Stored::U8),
            ("-1", Stored::U32),
            ("128", Stored::I8),
            ("1e39", Stored::F32),
            ("65520", Stored::F16),
            ("1.5", Stored::I32),
            ("--1", Stored::I32),
            ("+1", Stored::F32),
            ("infinity", Stored::F32),
            ("", Stored::F64),
        ] {
            assert!(parse(word, stored).is_err(), "{word}");
        }
        assert_eq!(parse("-128", Stored::I8), Ok(0x80));
        assert_eq!(parse("0xffff_ffff", Stored::U32), Ok(0xffff_ffff));
    }
}
