//! Literals: conversion between text and the bits of a constant. Every number is read exactly: one
//! rounding, to nearest even.

use crate::kernel::Const;
use crate::types::Scalar;

/// Length in bytes of the number at the start of `text`, including its suffix.
pub(super) fn length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let hex = bytes.len() > 1 && bytes[0] == b'0' && matches!(bytes[1], b'x' | b'X');
    let mut at = 0;
    while at < bytes.len() {
        let next = bytes.get(at + 1).copied().unwrap_or(0);
        let exponent = |e: u8| if hex { matches!(e, b'p' | b'P') } else { matches!(e, b'e' | b'E') };
        match bytes[at] {
            b if b.is_ascii_alphanumeric() || b == b'_' => at += 1,
            b'.' if !hex && next.is_ascii_digit() || hex && next.is_ascii_hexdigit() => at += 1,
            b'+' | b'-' if at > 0 && exponent(bytes[at - 1]) && next.is_ascii_digit() => at += 1,
            _ => break,
        }
    }
    at
}

/// The reason why a literal is invalid, and a suggested fix.
pub(super) struct Bad {
    pub(super) message: String,
    pub(super) help: Option<String>,
}

fn bad<T>(message: impl Into<String>, help: Option<&str>) -> Result<T, Bad> {
    Err(Bad { message: message.into(), help: help.map(str::to_owned) })
}

/// The parts of a literal: `digits` are those of the mantissa without point and `_`, `fraction` is
/// the number of digits after the point.
struct LiteralParts {
    hex: bool,
    digits: String,
    fraction: usize,
    exponent: Option<i64>,
    suffix: Option<Scalar>,
}

fn parts(text: &str) -> Result<LiteralParts, Bad> {
    let (hex, body) = match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(body) => (true, body),
        None => (false, text),
    };
    let is_digit = |b: u8| if hex { b.is_ascii_hexdigit() } else { b.is_ascii_digit() };
    let bytes = body.as_bytes();
    let (mut digits, mut fraction, mut point, mut at) = (String::new(), 0, false, 0);
    while at < bytes.len() {
        let b = bytes[at];
        if is_digit(b) {
            digits.push(b as char);
            fraction += usize::from(point);
        } else if b == b'_' {
            let between = at > 0 && is_digit(bytes[at - 1]) && bytes.get(at + 1).is_some_and(|&b| is_digit(b));
            if !between {
                return bad("`_` in a number stands between digits", None);
            }
        } else if b == b'.' && !point {
            point = true;
        } else {
            break;
        }
        at += 1;
    }
    if digits.is_empty() {
        return bad("a number needs digits", None);
    }
    let mut exponent = None;
    let mut rest = &body[at..];
    if let Some(tail) = rest.strip_prefix(if hex { ['p', 'P'] } else { ['e', 'E'] }) {
        let unsigned = tail.strip_prefix(['+', '-']).unwrap_or(tail);
        let count = unsigned.bytes().take_while(u8::is_ascii_digit).count();
        if count == 0 {
            return bad("the exponent has no digits", None);
        }
        let value = unsigned[..count].parse::<i64>().unwrap_or(i64::MAX / 4).min(i64::MAX / 4);
        exponent = Some(if tail.starts_with('-') { -value } else { value });
        rest = &unsigned[count..];
    } else if hex && point {
        return bad("a hex float has an exponent", Some("end it with `p+0`: `0x1.8p+0` is 1.5"));
    }
    let suffix = match rest {
        "" => None,
        "i32" => Some(Scalar::I32),
        "u32" => Some(Scalar::U32),
        "i64" => Some(Scalar::I64),
        "u64" => Some(Scalar::U64),
        "f32" => Some(Scalar::F32),
        "f64" => Some(Scalar::F64),
        other => {
            return bad(
                format!("a number can not end in `{other}`"),
                Some("suffixes are `u32`, `i64`, `u64`, `f64`; without one a number is an `i32` or `f32`"),
            );
        }
    };
    Ok(LiteralParts { hex, digits, fraction: if point { fraction } else { usize::MAX }, exponent, suffix })
}

/// The constant of a literal. `wanted` is the type of a literal without suffix, if the context
/// determines it.
pub(super) fn constant(text: &str, negative: bool, wanted: Option<Scalar>) -> Result<Const, Bad> {
    let parts = parts(text)?;
    let point = parts.fraction != usize::MAX;
    let float = point || parts.exponent.is_some() || parts.suffix.is_some_and(Scalar::is_float);
    let default = if float { Scalar::F32 } else { Scalar::I32 };
    let scalar = parts.suffix.or(wanted.filter(|w| w.is_float() == float && *w != Scalar::Bool)).unwrap_or(default);
    if !scalar.is_float() {
        if float {
            return bad(format!("a number with a point or an exponent can not be of type `{scalar}`"), None);
        }
        return integer(&parts, negative, scalar);
    }
    let fraction = if point { parts.fraction } else { 0 };
    let bits = match (parts.hex, scalar) {
        (false, _) => {
            let split = parts.digits.len() - fraction;
            let text = format!(
                "{}.{}e{}",
                &parts.digits[..split],
                &parts.digits[split..],
                parts.exponent.unwrap_or(0).clamp(-1_000_000_000, 1_000_000_000)
            );
            decimal(&text, scalar)
        }
        (true, _) => hex_float(&parts.digits, fraction, parts.exponent.unwrap_or(0), scalar),
    };
    match bits {
        Some(bits) => Ok(Const { scalar, bits: if negative { bits | sign(scalar) } else { bits } }),
        None => bad(format!("this number is too large for `{scalar}`"), Some("infinity is written `inf`")),
    }
}

fn integer(parts: &LiteralParts, negative: bool, scalar: Scalar) -> Result<Const, Bad> {
    let magnitude = parts.digits.trim_start_matches('0');
    let magnitude = if magnitude.is_empty() { "0" } else { magnitude };
    let magnitude = i128::from_str_radix(magnitude, if parts.hex { 16 } else { 10 }).ok();
    let value = magnitude.map(|m| if negative { -m } else { m });
    let (low, high) = match scalar {
        Scalar::I32 => (i128::from(i32::MIN), i128::from(i32::MAX)),
        Scalar::U32 => (0, i128::from(u32::MAX)),
        Scalar::I64 => (i128::from(i64::MIN), i128::from(i64::MAX)),
        _ => (0, i128::from(u64::MAX)),
    };
    match value.filter(|value| (low..=high).contains(value)) {
        Some(value) => {
            let bits = value as u64;
            Ok(Const { scalar, bits: if scalar.bits() == 32 { u64::from(bits as u32) } else { bits } })
        }
        None => {
            let fits = [Scalar::U32, Scalar::I64, Scalar::U64].into_iter().find(|&wider| {
                parts.suffix.is_none()
                    && integer(
                        &LiteralParts { digits: parts.digits.clone(), suffix: Some(wider), ..*parts },
                        negative,
                        wider,
                    )
                    .is_ok()
            });
            let help = fits.map(|wider| format!("`{wider}` has room for it: add the suffix `{wider}`"));
            Err(Bad {
                message: format!("this number does not fit in `{scalar}`, which goes from {low} to {high}"),
                help,
            })
        }
    }
}

fn sign(scalar: Scalar) -> u64 {
    1 << (scalar.bits() - 1)
}

fn decimal(text: &str, scalar: Scalar) -> Option<u64> {
    if scalar == Scalar::F32 {
        text.parse::<f32>().ok().filter(|v| v.is_finite()).map(|v| u64::from(v.to_bits()))
    } else {
        text.parse::<f64>().ok().filter(|v| v.is_finite()).map(f64::to_bits)
    }
}

/// The float nearest to `digits * 16^-fraction * 2^exponent`; `None` if it is not finite.
fn hex_float(digits: &str, fraction: usize, exponent: i64, scalar: Scalar) -> Option<u64> {
    // (digits kept after the leading one, smallest exponent of the last digit, largest exponent of
    // the leading one)
    let (kept, least, largest) = if scalar == Scalar::F32 { (23, -149, 127) } else { (52, -1074, 1023) };
    let (mut mantissa, mut sticky, mut dropped) = (0_u128, false, 0_i64);
    for digit in digits.bytes().map(|b| u128::from((b as char).to_digit(16).unwrap_or(0))) {
        if mantissa >> 120 == 0 {
            mantissa = mantissa << 4 | digit;
        } else {
            sticky |= digit != 0;
            dropped += 4;
        }
    }
    if mantissa == 0 {
        return Some(0);
    }
    let low = exponent.saturating_sub(4_i64.saturating_mul(fraction as i64)).saturating_add(dropped);
    let top = low.saturating_add(127 - i64::from(mantissa.leading_zeros()));
    let mut last = (top - kept).max(least);
    let shift = last - low;
    let mut significand = if shift <= 0 {
        mantissa << (-shift).min(127)
    } else if shift > 127 {
        0
    } else {
        let below = mantissa & ((1 << shift) - 1);
        let half = 1_u128 << (shift - 1);
        let kept = mantissa >> shift;
        kept + u128::from(below > half || below == half && (sticky || kept & 1 == 1))
    };
    if significand >> (kept + 1) != 0 {
        significand >>= 1;
        last += 1;
    }
    if last + kept > largest {
        return None;
    }
    let significand = significand as u64;
    // A significand without its leading digit is a denormal, whose exponent field is 0.
    let field = if significand >> kept == 0 { 0 } else { (last - least + 1) as u64 };
    Some(field << kept | significand & ((1 << kept) - 1))
}

/// Infinity of a float type.
pub(super) fn infinity(scalar: Scalar) -> Const {
    if scalar == Scalar::F64 { Const::f64(f64::INFINITY) } else { Const::f32(f32::INFINITY) }
}

/// The NaN literal without explicit bits.
pub(super) fn nan(scalar: Scalar) -> Const {
    let bits = if scalar == Scalar::F64 { 0x7ff8_0000_0000_0000 } else { 0x7fc0_0000 };
    Const { scalar: if scalar == Scalar::F64 { scalar } else { Scalar::F32 }, bits }
}

/// Whether the bits are a NaN.
pub(super) fn is_nan(constant: Const) -> bool {
    match constant.scalar {
        Scalar::F32 => constant.bits >> 32 == 0 && f32::from_bits(constant.bits as u32).is_nan(),
        Scalar::F64 => f64::from_bits(constant.bits).is_nan(),
        _ => false,
    }
}

/// The same float with the other sign.
pub(super) fn negated(constant: Const) -> Const {
    Const { bits: constant.bits ^ sign(constant.scalar), ..constant }
}

/// A constant in the text form. `plain` omits the suffix, if the type is known from the context.
pub(super) fn show(constant: Const, plain: bool) -> String {
    let suffix = |text: String| if plain { text } else { format!("{text}{}", constant.scalar) };
    match constant.scalar {
        Scalar::Bool => (if constant.bits == 0 { "false" } else { "true" }).to_owned(),
        Scalar::I32 => (constant.bits as u32 as i32).to_string(),
        Scalar::U32 => suffix((constant.bits as u32).to_string()),
        Scalar::I64 => suffix((constant.bits as i64).to_string()),
        Scalar::U64 => suffix(constant.bits.to_string()),
        Scalar::F32 | Scalar::F64 if is_nan(constant) => show_nan(constant, plain),
        Scalar::F32 => {
            let value = f32::from_bits(constant.bits as u32);
            if value.is_infinite() {
                show_infinity(constant, plain)
            } else {
                shortest(&format!("{value:e}"), &value.to_string())
            }
        }
        Scalar::F64 => {
            let value = f64::from_bits(constant.bits);
            if value.is_infinite() {
                show_infinity(constant, plain)
            } else {
                suffix(shortest(&format!("{value:e}"), &value.to_string()))
            }
        }
    }
}

fn show_infinity(constant: Const, plain: bool) -> String {
    let minus = if constant.bits & sign(constant.scalar) == 0 { "" } else { "-" };
    format!("{minus}inf{}", if plain || constant.scalar == Scalar::F32 { "" } else { "_f64" })
}

fn show_nan(constant: Const, plain: bool) -> String {
    let name = if plain || constant.scalar == Scalar::F32 { "nan" } else { "nan_f64" };
    if constant == nan(constant.scalar) { name.to_owned() } else { format!("{name}({:#x})", constant.bits) }
}

/// The more readable one of the two shortest forms: with an exponent only if it is large.
fn shortest(scientific: &str, positional: &str) -> String {
    let exponent = scientific.rsplit('e').next().and_then(|e| e.parse::<i32>().ok()).unwrap_or(0);
    if !(-5..16).contains(&exponent) {
        scientific.to_owned()
    } else if positional.contains('.') {
        positional.to_owned()
    } else {
        format!("{positional}.0")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Const {
        let (negative, text) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
        constant(text, negative, None).unwrap_or_else(|bad| panic!("{text}: {}", bad.message))
    }

    #[test]
    fn numbers_are_read_to_the_bit() {
        assert_eq!(read("12"), Const::i32(12));
        assert_eq!(read("-2147483648"), Const::i32(i32::MIN));
        assert_eq!(read("0xffff_ffffu32"), Const::u32(u32::MAX));
        assert_eq!(read("-9223372036854775808i64"), Const::i64(i64::MIN));
        assert_eq!(read("1.5"), Const::f32(1.5));
        assert_eq!(read("-0.0"), Const::f32(-0.0));
        assert_eq!(read("1e300f64"), Const::f64(1e300));
        assert_eq!(read("0x1.8p+3"), Const::f32(12.0));
        assert_eq!(read("0x1p-149"), Const::f32(f32::from_bits(1)));
        assert_eq!(read("0x1p-150"), Const::f32(0.0));
        assert_eq!(read("0x1.000001p-150"), Const::f32(f32::from_bits(1)));
        assert_eq!(read("0x1.8p-149"), Const::f32(f32::from_bits(2)));
        assert_eq!(read("0x1.fffffep+127"), Const::f32(f32::MAX));
        assert_eq!(read("0x1.0000010p+0"), Const::f32(1.0));
        assert_eq!(read("0x1.0000011p+0"), Const::f32(f32::from_bits(0x3f80_0001)));
        assert_eq!(read("0x1.0000030p+0"), Const::f32(f32::from_bits(0x3f80_0002)));
        assert_eq!(read("0x0.ffffffffp-126"), Const::f32(f32::MIN_POSITIVE));
        assert_eq!(read("0x1.fffffffffffffp+1023f64"), Const::f64(f64::MAX));
        assert_eq!(read("0x1p-1074f64"), Const::f64(f64::from_bits(1)));
        assert_eq!(read("0x100000000000000000000000000000000000001p-154f64"), Const::f64(0.25));
    }

    #[test]
    fn what_is_no_number_is_refused() {
        for text in [
            "1_",
            "0x",
            "1e",
            "3000000000",
            "1u8",
            "1e39",
            "0x1.ffffffp+127",
            "0x1.8",
            "1.5u32",
            "5e",
            "1__0",
            "0x1p99999999999999999999",
        ] {
            assert!(constant(text, false, None).is_err(), "{text}");
        }
        assert!(constant("5u32", true, None).is_err());
    }

    #[test]
    fn floats_come_back_to_the_bit() {
        let mut bits = 0x1234_5678_9abc_def1_u64;
        for _ in 0..20_000 {
            bits ^= bits << 13;
            bits ^= bits >> 7;
            bits ^= bits << 17;
            for constant in [Const { scalar: Scalar::F32, bits: bits >> 32 }, Const { scalar: Scalar::F64, bits }] {
                if !is_nan(constant) && show(constant, false).trim_start_matches('-') != "inf" {
                    assert_eq!(read(&show(constant, false)), constant);
                }
                // The hex form, written directly from the bits, has the same value.
                let (kept, least) = if constant.scalar == Scalar::F32 { (23, -149) } else { (52, -1074) };
                let field = (constant.bits & (sign(constant.scalar) - 1)) >> kept;
                let fraction = constant.bits & ((1 << kept) - 1);
                let top = (constant.bits & (sign(constant.scalar) - 1)).leading_zeros();
                if (1..=(sign(constant.scalar) - 1) >> kept).contains(&field)
                    && top < 64
                    && constant.bits >> kept & 0x7f != 0x7f
                {
                    let text = format!("{:#x}p{}{}", fraction | 1 << kept, least + field as i64 - 1, constant.scalar);
                    let text = text.replace('p', if text.contains("p-") { "p" } else { "p+" });
                    assert_eq!(read(&text).bits, constant.bits & (sign(constant.scalar) - 1), "{text}");
                }
            }
        }
    }
}
