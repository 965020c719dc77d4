//! `Norm` and `Unorm` as texels: an integer `b` of n bits stands for `b / (2^n - 1)`, and a signed one
//! for `b / (2^(n - 1) - 1)`, but never for less than -1.
//!
//! Both ways are exact with few operations and without a division:
//! - `1 / 255` is the sum of a short and a small number. The product of a byte and the short one is
//!   exact, and what rounds in the other never reaches the last bit of the sum. A test tries all
//!   bytes, and all halves for the other divisors.
//! - `x * 255 + 1.5 * 2^23` is computed with one rounding. Floats of that size are integers, so it
//!   rounds the exact product to an integer, ties to even, which the lowest bits are.

use tilewise_ir::launch::ChannelKind;

use crate::amp;
use crate::api::element::Element;
use crate::api::graphics::{Norm, Norm2, Norm4, Unorm, Unorm2, Unorm4};
use crate::api::vector::{Float2, Float4, UInt2};

use super::format::{Bits8, Bits16, StoredAs, byte, formats, signed_byte, signed_halves};
use super::texel::{FilteredTexel, Texel, WideTexel, texels};

texels! {
    Norm: SignedNorm 1 Bits8;
    Norm2: SignedNorm 2 Bits8;
    Norm4: SignedNorm 4 Bits8;
    Unorm: UnsignedNorm 1 Bits8;
    Unorm2: UnsignedNorm 2 Bits8;
    Unorm4: UnsignedNorm 4 Bits8;
}

formats! {
    Unorm Bits8 u8: |s| Unorm::within(of_byte(s as u32)), |v| byte_of(v.get(), 255.0) as u8;
    Unorm2 Bits8 u16: |s| Unorm2::within(Float2::new(of_byte(byte(s as u32, 0)), of_byte(byte(s as u32, 8)))),
        |v| (byte_of(v.x.get(), 255.0) | byte_of(v.y.get(), 255.0) << 8) as u16;
    Unorm4 Bits8 u32: |s| Unorm4::within(Float4::new(
            of_byte(s & 255),
            of_bits(s & 0xff00, HIGH / 256.0, LOW / 256.0),
            of_bits(s & 0xff_0000, HIGH / 65536.0, LOW / 65536.0),
            of_byte(s >> 24),
        )),
        |v| bytes_of(v.as_float(), 255.0);
    Unorm Bits16 u16: |s| Unorm::within(of_half(s as u32)), |v| half_of(v.get(), 65535.0) as u16;
    Unorm2 Bits16 u32: |s| Unorm2::within(of_halves(s)), |v| halves_of(v.as_float(), 65535.0);
    Unorm4 Bits16 UInt2: |s| {
            let (low, high) = (of_halves(s.x), of_halves(s.y));
            Unorm4::within(Float4::new(low.x, low.y, high.x, high.y))
        },
        |v| UInt2::new(halves_of(v.as_float().xy(), 65535.0), halves_of(v.as_float().zw(), 65535.0));
    Norm Bits8 i8: |s| Norm::within(of_signed_byte(s as i32)), |v| scaled(v.get(), 127.0) as i8;
    Norm2 Bits8 u16: |s| Norm2::within(Float2::new(
            of_signed_byte(signed_byte(s as u32, 24)),
            of_signed_byte(signed_byte(s as u32, 16)),
        )),
        |v| (byte_of(v.x.get(), 127.0) | byte_of(v.y.get(), 127.0) << 8) as u16;
    Norm4 Bits8 u32: |s| Norm4::within(Float4::new(
            of_signed_byte(signed_byte(s, 24)),
            of_signed_byte(signed_byte(s, 16)),
            of_signed_byte(signed_byte(s, 8)),
            of_signed_byte(s as i32 >> 24),
        )),
        |v| bytes_of(v.as_float(), 127.0);
    Norm Bits16 i16: |s| Norm::within(of_signed_half(s as i32)), |v| scaled(v.get(), 32767.0) as i16;
    Norm2 Bits16 u32: |s| Norm2::within(of_signed_halves(s)), |v| halves_of(v.as_float(), 32767.0);
    Norm4 Bits16 UInt2: |s| {
            let (low, high) = (of_signed_halves(s.x), of_signed_halves(s.y));
            Norm4::within(Float4::new(low.x, low.y, high.x, high.y))
        },
        |v| UInt2::new(halves_of(v.as_float().xy(), 32767.0), halves_of(v.as_float().zw(), 32767.0));
}

/// The short part of `1 / 255`, of nine bits, and the small one.
const HIGH: f32 = 0.003_921_509;
const LOW: f32 = 5.983_839e-8;

/// `byte / 255`, rounded to the nearest.
#[amp]
fn of_byte(byte: u32) -> f32 {
    of_bits(byte, HIGH, LOW)
}

/// The same of a byte that is not moved to the lowest place: the parts are divided by what it is
/// too large by.
#[amp]
fn of_bits(bits: u32, high: f32, low: f32) -> f32 {
    let float = bits as i32 as f32;
    float * high + float * low
}

/// `half / 65535`, rounded to the nearest.
#[amp]
fn of_half(half: u32) -> f32 {
    let half = half as i32 as f32;
    half * 0.000_015_258_789 + half * 2.328_342e-10
}

/// Two halves.
#[amp]
fn of_halves(bits: u32) -> Float2 {
    Float2::new(of_half(bits & 0xffff), of_half(bits >> 16))
}

/// `byte / 127`, rounded to the nearest; at least -1.
#[amp]
fn of_signed_byte(byte: i32) -> f32 {
    let byte = byte as f32;
    (byte * 0.007_873_535 + byte * 4.805_918e-7).max(-1.0)
}

/// `half / 32767`, rounded to the nearest; at least -1.
#[amp]
fn of_signed_half(half: i32) -> f32 {
    let half = half as f32;
    (half * 0.000_030_517_578 + half * 9.313_51e-10).max(-1.0)
}

/// Two signed halves.
#[amp]
fn of_signed_halves(bits: u32) -> Float2 {
    let halves = signed_halves(bits);
    Float2::new(of_signed_half(halves.x), of_signed_half(halves.y))
}

/// `number * factor`, rounded to an integer once, ties to even, of a number from -1 to 1: its lowest 16
/// bits are those of the result. The factor is below 2^16.
#[amp]
fn scaled(number: f32, factor: f32) -> u32 {
    number.mul_add(factor, 12_582_912.0).to_bits()
}

/// The byte of a number. It is not clamped: a `Norm` or `Unorm` is in range, and never NaN.
#[amp]
fn byte_of(number: f32, factor: f32) -> u32 {
    scaled(number, factor) & 255
}

/// The half of a number.
#[amp]
fn half_of(number: f32, factor: f32) -> u32 {
    scaled(number, factor) & 0xffff
}

/// The bytes of four numbers.
#[amp]
fn bytes_of(numbers: Float4, factor: f32) -> u32 {
    byte_of(numbers.x, factor)
        | byte_of(numbers.y, factor) << 8
        | byte_of(numbers.z, factor) << 16
        | scaled(numbers.w, factor) << 24
}

/// The halves of two numbers.
#[amp]
fn halves_of(numbers: Float2, factor: f32) -> u32 {
    half_of(numbers.x, factor) | scaled(numbers.y, factor) << 16
}

macro_rules! filtered {
    ($($t:ident $wide:ident $gathered:ident $least:literal: |$v:ident| $widen:expr;)*) => {$(
        #[amp]
        impl FilteredTexel for $t {
            type Wide = $wide;
            type Gathered = $gathered;

            fn widen(self) -> $wide {
                let $v = self;
                $widen
            }

            fn narrow(wide: $wide) -> $t {
                $t::within(wide)
            }

            fn border(color: Float4) -> $wide {
                let color = color.max(Float4::splat($least)).min(Float4::splat(1.0));
                <$wide as WideTexel>::of_color(color)
            }
        }
    )*};
}

filtered! {
    Unorm f32 Unorm4 0.0: |v| v.get();
    Unorm2 Float2 Unorm4 0.0: |v| v.as_float();
    Unorm4 Float4 Unorm4 0.0: |v| v.as_float();
    Norm f32 Norm4 -1.0: |v| v.get();
    Norm2 Float2 Norm4 -1.0: |v| v.as_float();
    Norm4 Float4 Norm4 -1.0: |v| v.as_float();
}

#[cfg(test)]
mod tests {
    //! All bytes and halves, and encodings of numbers around every half-way point, against exact
    //! arithmetic.

    use super::*;

    #[test]
    fn tex10_4_decoding_is_the_correctly_rounded_quotient() {
        for b in 0..=255_u32 {
            let expected = (b as f32 / 255.0).to_bits();
            assert_eq!(of_byte(b).to_bits(), expected, "{b}");
            assert_eq!(of_bits(b << 8, HIGH / 256.0, LOW / 256.0).to_bits(), expected, "{b}");
            assert_eq!(of_bits(b << 16, HIGH / 65536.0, LOW / 65536.0).to_bits(), expected, "{b}");
        }
        for h in 0..=65535_u32 {
            assert_eq!(of_half(h).to_bits(), (h as f32 / 65535.0).to_bits(), "{h}");
        }
        for b in -128..=127 {
            assert_eq!(of_signed_byte(b).to_bits(), (b as f32 / 127.0).max(-1.0).to_bits(), "{b}");
        }
        for h in -32768..=32767 {
            assert_eq!(of_signed_half(h).to_bits(), (h as f32 / 32767.0).max(-1.0).to_bits(), "{h}");
        }
    }

    /// `x * factor`, exact in 128 bits, rounded half to even.
    fn rounded(x: f32, factor: i128) -> i128 {
        let bits = x.to_bits();
        let (exponent, fraction) = ((bits >> 23 & 255) as i32, i128::from(bits & 0x7f_ffff));
        let (mantissa, shift) = if exponent == 0 { (fraction, 149) } else { (fraction | 0x80_0000, 150 - exponent) };
        let product = mantissa * factor;
        if shift > 60 {
            return 0;
        }
        let (whole, rest, half) = (product >> shift, product & ((1 << shift) - 1), (1_i128 << shift) / 2);
        let up = rest > half || (rest == half && whole % 2 == 1);
        let magnitude = whole + i128::from(up);
        if x < 0.0 { -magnitude } else { magnitude }
    }

    #[test]
    fn tex10_4_encoding_rounds_the_exact_product_once() {
        for factor in [255_i128, 65535, 127, 32767] {
            for k in 0..factor {
                let between = ((k as f64 + 0.5) / factor as f64) as f32;
                for bits in between.to_bits().saturating_sub(3)..=between.to_bits() + 3 {
                    let x = f32::from_bits(bits);
                    if x > 1.0 {
                        continue;
                    }
                    assert_eq!(scaled(x, factor as f32) as u16, rounded(x, factor) as u16, "{x:e} * {factor}");
                    assert_eq!(scaled(-x, factor as f32) as u16, rounded(-x, factor) as u16, "-{x:e} * {factor}");
                }
            }
        }
        let mut x = 1_u32;
        for _ in 0..1_000_000 {
            x = x.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let number = f32::from_bits(x & 0x3fff_ffff).min(1.0);
            assert_eq!(scaled(number, 255.0) as u16, rounded(number, 255) as u16, "{number:e}");
            assert_eq!(scaled(number, 65535.0) as u16, rounded(number, 65535) as u16, "{number:e}");
        }
    }
}
