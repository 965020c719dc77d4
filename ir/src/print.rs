//! The text of printed values: the same on every target, and the same as Rust's `{}` for the same
//! values.
//!
//! Integers are decimal. Floats are the shortest decimal number that parses to the same bits, never
//! in exponent form: `1`, `0.1`, `-0`, `inf`, `-inf`, `NaN`. A `bool` is `true` or `false`. A
//! vector is its components in parentheses: `(1, 2, 3)`. A [`ValueFormat`] has the other forms.

use std::fmt::{self, Write};

use crate::format::ValueFormat;
use crate::kernel::Message;
use crate::ops::ScalarBits;
use crate::types::{Data, Scalar};

/// Formats a message: pieces of text with values between them.
pub fn message<L: AsRef<[u64]>>(message: &Message, mut values: impl Iterator<Item = (Data, L)>) -> String {
    let mut out = String::new();
    let mut formats = message.formats.iter();
    for piece in &message.pieces {
        out.push_str(piece);
        if let Some((data, lanes)) = values.next() {
            match formats.next() {
                Some(format) => formatted(&mut out, data, lanes.as_ref(), format),
                None => value(&mut out, data, lanes.as_ref()),
            }
        }
    }
    out
}

/// Appends a value to `out` in a format, which is that of each component.
pub fn formatted(out: &mut String, data: Data, lanes: &[u64], format: &ValueFormat) {
    if !data.is_vector() {
        return format.scalar(out, data.scalar, lanes.first().copied().unwrap_or(0));
    }
    for (i, &lane) in lanes.iter().take(usize::from(data.width)).enumerate() {
        out.push_str(if i == 0 { "(" } else { ", " });
        format.scalar(out, data.scalar, lane);
    }
    out.push(')');
}

/// Appends a value to `out`.
pub fn value(out: &mut String, data: Data, lanes: &[u64]) {
    // Writing to a string cannot fail.
    let _ = write(out, data, lanes);
}

fn write(out: &mut String, data: Data, lanes: &[u64]) -> fmt::Result {
    if !data.is_vector() {
        return scalar(out, data.scalar, lanes.first().copied().unwrap_or(0));
    }
    for (i, &lane) in lanes.iter().take(usize::from(data.width)).enumerate() {
        out.write_str(if i == 0 { "(" } else { ", " })?;
        scalar(out, data.scalar, lane)?;
    }
    out.write_str(")")
}

fn scalar(out: &mut String, scalar: Scalar, bits: u64) -> fmt::Result {
    match scalar {
        Scalar::Bool => write!(out, "{}", bool::from_bits(bits)),
        Scalar::I32 => write!(out, "{}", i32::from_bits(bits)),
        Scalar::U32 => write!(out, "{}", u32::from_bits(bits)),
        Scalar::I64 => write!(out, "{}", i64::from_bits(bits)),
        Scalar::U64 => write!(out, "{bits}"),
        Scalar::F32 => write!(out, "{}", f32::from_bits(bits as u32)),
        Scalar::F64 => write!(out, "{}", f64::from_bits(bits)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_read_as_in_rust() {
        let show = |data: Data, lanes: &[u64]| {
            let mut out = String::new();
            value(&mut out, data, lanes);
            out
        };
        let f32 = |x: f32| show(Data::F32, &[x.to_bits().into()]);
        assert_eq!([f32(1.0), f32(0.1), f32(-0.0)], ["1", "0.1", "-0"]);
        assert_eq!([f32(f32::NAN), f32(f32::NEG_INFINITY), f32(1e20)], ["NaN", "-inf", "100000000000000000000"]);
        assert_eq!(show(Data::F64, &[0.5f64.to_bits()]), "0.5");
        assert_eq!(show(Data::I32, &[0xffff_ffff]), "-1");
        assert_eq!(show(Data::U64, &[u64::MAX]), "18446744073709551615");
        assert_eq!(show(Data::vector(Scalar::Bool, 2), &[1, 0, 0, 0]), "(true, false)");
    }
}
