//! Literals of SPIR-V: words, numbers of a type, texts.

use tilewise_header::value;
use tilewise_header::{Complaint, FilePlace};
use tilewise_ir::types::Stored;

use super::text::{AsmToken, TokenForm};

/// A type that numbers have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NumberType {
    Int { width: u32, is_signed: bool },
    Float { width: u32 },
}

/// An integer of one word.
pub(super) fn word(text: &str, at: FilePlace) -> Result<u32, Complaint> {
    let number = value::integer(&text.to_ascii_lowercase());
    let word =
        number.and_then(|number| u32::try_from(number).ok().or_else(|| Some(i32::try_from(number).ok()? as u32)));
    word.ok_or_else(|| {
        Complaint::new(
            at,
            format!("expected an integer of 32 bits, found `{text}`"),
            "write digits, or `0x` and hex digits",
        )
    })
}

/// Adds a number of a type.
pub(super) fn number(token: &AsmToken, ty: NumberType, out: &mut Vec<u32>) -> Result<(), Complaint> {
    let bits = match ty {
        NumberType::Int { width, is_signed } => integer_bits(&token.text, width, is_signed),
        NumberType::Float { width } => float_bits(&token.text, width),
    };
    let bits = bits.map_err(|(message, help)| Complaint::new(token.at, message, help))?;
    let (NumberType::Int { width, .. } | NumberType::Float { width }) = ty;
    out.push(bits as u32);
    if width > 32 {
        out.push((bits >> 32) as u32);
    }
    Ok(())
}

/// What is wrong, and a help.
type LiteralFault = (String, String);

fn integer_bits(text: &str, width: u32, is_signed: bool) -> Result<u64, LiteralFault> {
    if !matches!(width, 8 | 16 | 32 | 64) {
        return Err((
            format!("integers of {width} bits have no literals"),
            "their width is 8, 16, 32 or 64".to_owned(),
        ));
    }
    let lower = text.to_ascii_lowercase();
    let number = value::integer(&lower);
    let number = number.ok_or_else(|| {
        (format!("expected an integer, found `{text}`"), "the type of this number is of integers".to_owned())
    })?;
    let bits = u64::MAX >> (64 - width);
    let (low, high) =
        if is_signed { (-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1) } else { (0, i128::from(bits)) };
    // Digits in hex are the bits.
    let is_pattern = lower.starts_with("0x") && number <= i128::from(bits);
    if !is_pattern && (number < low || number > high) {
        return Err((format!("`{text}` does not fit in {width} bits"), format!("they hold {low} to {high}")));
    }
    let value = number as u64 & bits;
    // Narrow literals are sign-extended to a word.
    let is_negative = is_signed && value >> (width - 1) & 1 == 1;
    Ok(if is_negative && width < 32 { value | !bits } else { value })
}

fn float_bits(text: &str, width: u32) -> Result<u64, LiteralFault> {
    let stored = match width {
        16 => Stored::F16,
        32 => Stored::F32,
        64 => Stored::F64,
        _ => {
            return Err((format!("floats of {width} bits have no literals"), "their width is 16, 32 or 64".to_owned()));
        }
    };
    let lower = text.to_ascii_lowercase();
    let (sign, magnitude) = match lower.strip_prefix('-') {
        Some(rest) => (1u64 << (width - 1), rest),
        None => (0, lower.strip_prefix('+').unwrap_or(&lower)),
    };
    if let Some(bits) = beyond_finite(magnitude, stored) {
        return Ok(sign | bits);
    }
    let magnitude = if magnitude.starts_with('.') { format!("0{magnitude}") } else { magnitude.to_owned() };
    let is_number = magnitude.starts_with(|c: char| c.is_ascii_digit());
    let bits = if is_number { value::parse(&magnitude, stored).ok() } else { None };
    bits.map(|bits| sign | bits).ok_or_else(|| {
        let help = format!("write a number that a float of {width} bits holds, such as `1.5`, `-2e3` or `0x1.8p+3`");
        (format!("`{text}` is no such float"), help)
    })
}

/// The bits of a number in hex whose exponent is that of infinity: `0x1p+128` is infinity, `0x1.8p+128` a NaN.
fn beyond_finite(magnitude: &str, stored: Stored) -> Option<u64> {
    let (fraction_bits, exponent) = match stored {
        Stored::F16 => (10, 16),
        Stored::F32 => (23, 128),
        _ => (52, 1024),
    };
    let (digits, power) = magnitude.strip_prefix("0x1")?.split_once('p')?;
    let power: i64 = power.parse().ok()?;
    if power != exponent {
        return None;
    }
    let digits = match digits {
        "" => "",
        digits => digits.strip_prefix('.')?,
    };
    if digits.len() > 13 || digits.starts_with('+') {
        return None;
    }
    let fraction = if digits.is_empty() { 0 } else { u64::from_str_radix(digits, 16).ok()? };
    let fraction = fraction << (52 - 4 * digits.len()) >> (52 - fraction_bits);
    Some(((exponent as u64 * 2 - 1) << fraction_bits) | fraction)
}

/// Adds a text: bytes in words, with a zero at the end.
pub(super) fn text(token: &AsmToken, out: &mut Vec<u32>) -> Result<(), Complaint> {
    if token.form != TokenForm::Text {
        let message = format!("expected a text in quotes, found `{}`", token.text);
        return Err(Complaint::new(token.at, message, "write it as \"..\""));
    }
    let mut bytes = token.text.clone().into_bytes();
    bytes.push(0);
    while !bytes.len().is_multiple_of(4) {
        bytes.push(0);
    }
    out.extend(bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])));
    Ok(())
}
