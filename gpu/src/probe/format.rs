//! The two float formats, with the arithmetic that the probe needs on the host.

use std::fmt;

use tilewise_ir::ops::{Instance, Op};
use tilewise_ir::types::{Data, Scalar};

/// A float format and its host arithmetic.
pub(super) trait Format: Copy + PartialOrd + fmt::Debug {
    /// The scalar type.
    const SCALAR: Scalar;
    /// Bits of the fraction.
    const FRACTION: u32;
    /// Abbreviations in `list` and their expansions, longer ones first.
    const WORDS: &'static [(&'static str, &'static str)];
    fn from_raw(bits: u64) -> Self;
    fn raw(self) -> u64;
    /// Whether it is zero or denormal.
    fn is_tiny(self) -> bool;
    /// Whether the root steps apply to it: positive, finite, normal and not tiny.
    fn has_plain_root(self) -> bool;
    fn root(self) -> Self;
    fn is_no_number(self) -> bool;
    fn product(self, other: Self) -> Self;
    /// 32 bits of it.
    fn word(self) -> u32;
    /// 64 bits made of both.
    fn long(self, other: Self) -> u64;
    /// Converted to the other format, folded to the bits of this one; 1 for NaN.
    fn converted(self) -> u64;

    /// The product and the sum, rounded once: evaluated by the op table, as not every platform's
    /// own `fma` is right.
    fn fused(self, factor: Self, addend: Self) -> Self {
        let data = Data::scalar(Self::SCALAR);
        let Ok(instance) = Op::Fma.resolve(&[data; 3]) else { return self };
        let instance: Instance = instance;
        let lanes = [self, factor, addend].map(|value| [value.raw(), 0, 0, 0]);
        Self::from_raw(Op::Fma.eval(instance, &lanes)[0])
    }
}

/// 64 bits folded to the width of a format: `FOLD` in the expressions.
pub(super) fn fold<F: Format>(bits: u64) -> u64 {
    match F::SCALAR {
        Scalar::F64 => bits,
        _ => u64::from((bits as u32) ^ ((bits >> 32) as u32).wrapping_mul(0x9e37_79b9)),
    }
}

impl Format for f32 {
    const SCALAR: Scalar = Scalar::F32;
    const FRACTION: u32 = 23;
    const WORDS: &'static [(&'static str, &'static str)] = &[
        ("CONVERTED(", "converted("),
        ("LESS", "bitcast_U(x) < bitcast_U(y)"),
        ("HIGHEST", "0x7fffffffu32"),
        ("WORD(", "bitcast_u32("),
        ("LONG(", "long("),
        ("WIDE(", "("),
        ("FOLD(", "fold("),
        ("_F(", "_f32("),
        ("_U(", "_u32("),
        ("0_", "0"),
        ("5_", "5"),
    ];
    fn from_raw(bits: u64) -> f32 {
        f32::from_bits(bits as u32)
    }
    fn raw(self) -> u64 {
        u64::from(self.to_bits())
    }
    fn is_tiny(self) -> bool {
        self.is_subnormal() || self == 0.0
    }
    fn has_plain_root(self) -> bool {
        self.is_finite() && self.to_bits() >= 0x1f80_0000 && self > 0.0
    }
    fn root(self) -> f32 {
        self.sqrt()
    }
    fn is_no_number(self) -> bool {
        self.is_nan()
    }
    fn product(self, other: f32) -> f32 {
        self * other
    }
    fn word(self) -> u32 {
        self.to_bits()
    }
    fn long(self, other: f32) -> u64 {
        u64::from(self.to_bits()) | u64::from(other.to_bits()) << 32
    }
    fn converted(self) -> u64 {
        if self.is_nan() { 1 } else { fold::<f32>(f64::from(self).to_bits()) }
    }
}

impl Format for f64 {
    const SCALAR: Scalar = Scalar::F64;
    const FRACTION: u32 = 52;
    const WORDS: &'static [(&'static str, &'static str)] = &[
        ("CONVERTED(", "converted("),
        ("LESS", "bitcast_U(x) < bitcast_U(y)"),
        ("HIGHEST", "0x7fffffffffffffffu64"),
        ("WORD(", "word("),
        ("LONG(x, y)", "bitcast_u64(x)"),
        ("WIDE(", "to_u64("),
        ("FOLD(", "("),
        ("_F(", "_f64("),
        ("_U(", "_u64("),
        ("0_", "0f64"),
        ("5_", "5f64"),
    ];
    fn from_raw(bits: u64) -> f64 {
        f64::from_bits(bits)
    }
    fn raw(self) -> u64 {
        self.to_bits()
    }
    fn is_tiny(self) -> bool {
        self.is_subnormal() || self == 0.0
    }
    fn has_plain_root(self) -> bool {
        self.is_finite() && self.to_bits() >= 0x07b0_0000_0000_0000 && self > 0.0
    }
    fn root(self) -> f64 {
        self.sqrt()
    }
    fn is_no_number(self) -> bool {
        self.is_nan()
    }
    fn product(self, other: f64) -> f64 {
        self * other
    }
    fn word(self) -> u32 {
        self.to_bits() as u32
    }
    fn long(self, _: f64) -> u64 {
        self.to_bits()
    }
    fn converted(self) -> u64 {
        if self.is_nan() { 1 } else { u64::from((self as f32).to_bits()) }
    }
}
