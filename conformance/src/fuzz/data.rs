//! Constants and the contents of memory: random bits mixed with edge values that expose bugs.

use tilewise_ir::kernel::Const;
use tilewise_ir::types::{Scalar, Stored, TypeId, Types};

use super::rng::SeedRng;

/// A constant of a scalar type; half of them are edge values.
pub(super) fn constant(rng: &mut SeedRng, scalar: Scalar) -> Const {
    let bits = match scalar {
        Scalar::Bool => rng.below(2) as u64,
        Scalar::I32 | Scalar::U32 => u64::from(word(rng)),
        Scalar::I64 | Scalar::U64 => double_word(rng),
        Scalar::F32 => u64::from(single(rng, true)),
        Scalar::F64 => double(rng, true),
    };
    Const { scalar, bits }
}

fn word(rng: &mut SeedRng) -> u32 {
    match rng.below(8) {
        0 => rng.one([0, 1, 2, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, 0x8000_0001, 0xffff_fffe]),
        1 => 1 << rng.below(32),
        2 => rng.bits() as u32,
        3 => rng.one([0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x0001_0000, 31, 32, 33, 63, 64]),
        4 => (rng.below(17) as u32).wrapping_sub(8),
        _ => rng.below(10) as u32,
    }
}

fn double_word(rng: &mut SeedRng) -> u64 {
    match rng.below(8) {
        0 => rng.one([0, 1, i64::MAX as u64, i64::MIN as u64, u64::MAX, 0xffff_ffff, 0x1_0000_0000, 0x8000_0000]),
        1 => 1 << rng.below(64),
        2 => rng.bits(),
        3 | 4 => (rng.below(17) as u64).wrapping_sub(8),
        _ => i64::from(word(rng) as i32) as u64,
    }
}

/// Bits of an `f32`.
fn single(rng: &mut SeedRng, nan: bool) -> u32 {
    let bits = match rng.below(9) {
        0 => rng.one([
            0,
            0x8000_0000,
            1,
            0x8000_0001,
            0x007f_ffff,
            0x0080_0000,
            0x7f7f_ffff,
            0xff7f_ffff,
            0x7f80_0000,
            0xff80_0000,
            0x3f00_0000,
            0x4f00_0000,
            0xcf00_0000,
            0x4f80_0000,
            0x477f_f000,
            0x3380_0000,
        ]),
        1 => rng.one([0x7fc0_0000, 0xffc0_0000, 0x7fa0_0001]),
        2 => rng.bits() as u32,
        3 => (rng.range(-8, 8) as f32).to_bits(),
        4 => (rng.range(-17, 17) as f32 * 0.5).to_bits(),
        _ => ((rng.range(-4000, 4000) as f32) / 256.0).to_bits(),
    };
    if !nan && f32::from_bits(bits).is_nan() { 1.25f32.to_bits() } else { bits }
}

/// Bits of an `f64`.
fn double(rng: &mut SeedRng, nan: bool) -> u64 {
    let bits = match rng.below(9) {
        0 => rng.one([
            0,
            1 << 63,
            1,
            0x000f_ffff_ffff_ffff,
            0x0010_0000_0000_0000,
            0x7fef_ffff_ffff_ffff,
            0x7ff0_0000_0000_0000,
            0xfff0_0000_0000_0000,
            0x41e0_0000_0000_0000,
            0xc1e0_0000_0000_0000,
            0x43e0_0000_0000_0000,
            0x36a0_0000_0000_0000,
            0x47ef_ffff_f000_0000,
        ]),
        1 => rng.one([0x7ff8_0000_0000_0000, 0xfff8_0000_0000_0000, 0x7ff4_0000_0000_0001]),
        2 => rng.bits(),
        3 => f64::from(f32::from_bits(single(rng, true))).to_bits(),
        4 => (rng.range(-8, 8) as f64).to_bits(),
        _ => ((rng.range(-4000, 4000) as f64) / 512.0).to_bits(),
    };
    if !nan && f64::from_bits(bits).is_nan() { 1.25f64.to_bits() } else { bits }
}

/// Bits of a stored scalar. Without `nan` no float is NaN.
pub(super) fn stored(rng: &mut SeedRng, stored: Stored, nan: bool) -> u64 {
    match stored {
        Stored::Bool => rng.below(2) as u64,
        Stored::I8 | Stored::U8 => u64::from(word(rng) as u8),
        Stored::I16 | Stored::U16 => u64::from(word(rng) as u16),
        Stored::F16 => {
            let bits = match rng.below(6) {
                0 => rng.one([0, 0x8000, 1, 0x3ff, 0x400, 0x7bff, 0x7c00, 0xfc00, 0x7e00]),
                1 => rng.below(0x1_0000) as u64,
                _ => rng.one([0x3c00, 0xbc00, 0x4000, 0x4200, 0x3800, 0x5640, 0xc500]),
            };
            if !nan && bits & 0x7fff > 0x7c00 { 0x3c00 } else { bits }
        }
        Stored::I32 | Stored::U32 => u64::from(word(rng)),
        Stored::I64 | Stored::U64 => double_word(rng),
        Stored::F32 => u64::from(single(rng, nan)),
        Stored::F64 => double(rng, nan),
    }
}

/// Writes random scalars over an object of type `ty` that begins at `at`; bytes between them stay.
pub(super) fn fill(rng: &mut SeedRng, bytes: &mut [u8], at: u64, types: &Types, ty: TypeId, nan: bool) {
    types.leaves(ty, &mut |offset, leaf| {
        let bits = stored(rng, leaf, nan);
        let start = (at + offset) as usize;
        let size = leaf.size() as usize;
        if let Some(to) = bytes.get_mut(start..start + size) {
            to.copy_from_slice(&bits.to_le_bytes()[..size]);
        }
    });
}

/// The bits of the *value* of a table's leaf: a value that a stored scalar of that format can
/// represent.
pub(super) fn leaf(rng: &mut SeedRng, format: Stored) -> u64 {
    match format {
        Stored::I8 => u64::from(stored(rng, format, false) as u8 as i8 as i32 as u32),
        Stored::I16 => u64::from(stored(rng, format, false) as u16 as i16 as i32 as u32),
        Stored::F16 => {
            let value = rng.one([
                0.0f32,
                -0.0,
                1.0,
                -2.5,
                65504.0,
                0.000_060_975_55,
                5.960_464_5e-8,
                f32::INFINITY,
                0.333_251_95,
            ]);
            u64::from(value.to_bits())
        }
        other => stored(rng, other, true),
    }
}
