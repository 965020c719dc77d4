//! Packed formats: several small numbers in one `u32`, component 0 in the lowest bits. The formulas
//! are WGSL's; NaN, which WGSL does not specify, packs as 0.

/// The component as an integer of a normalised format, in float representation.
fn norm(x: f32, scale: f32, lowest: f32) -> f32 {
    if x.is_nan() {
        return 0.0;
    }
    let clamped = if x < lowest {
        lowest
    } else if x > 1.0 {
        1.0
    } else {
        x
    };
    (0.5 + scale * clamped).floor()
}

/// Signed normalised: maps -1 to 1 to `-scale` to `scale`.
pub(super) fn snorm(x: f32, scale: f32) -> u32 {
    norm(x, scale, -1.0) as i32 as u32
}

/// Unsigned normalised: maps 0 to 1 to 0 to `scale`.
pub(super) fn unorm(x: f32, scale: f32) -> u32 {
    norm(x, scale, 0.0) as u32
}

/// Inverse of signed normalised; the one value below -1 becomes -1.
pub(super) fn from_snorm(x: i32, scale: f32) -> f32 {
    let value = x as f32 / scale;
    if value < -1.0 { -1.0 } else { value }
}

/// Packs the low 8 bits of each component.
pub(super) fn bytes(x: [u32; 4]) -> u32 {
    (x[0] & 255) | (x[1] & 255) << 8 | (x[2] & 255) << 16 | x[3] << 24
}

/// Packs the low 16 bits of the first two components.
pub(super) fn halves(x: [u32; 4]) -> u32 {
    (x[0] & 0xffff) | x[1] << 16
}

/// The four bytes, zero-extended.
pub(super) fn unsigned_bytes(x: u32) -> [u32; 4] {
    x.to_le_bytes().map(u32::from)
}

/// The four bytes, sign-extended.
pub(super) fn signed_bytes(x: u32) -> [i32; 4] {
    x.to_le_bytes().map(|byte| i32::from(byte as i8))
}

/// Both halves, zero-extended; the rest is zero.
pub(super) fn unsigned_halves(x: u32) -> [u32; 4] {
    [x & 0xffff, x >> 16, 0, 0]
}

/// Both halves, sign-extended; the rest is zero.
pub(super) fn signed_halves(x: u32) -> [i32; 4] {
    [i32::from(x as i16), (x as i32) >> 16, 0, 0]
}

/// Nearest binary16, ties to even, as the low half.
pub(super) fn to_half(x: f32) -> u32 {
    u32::from(half::f16::from_f32_const(x).to_bits())
}

/// The value of the binary16 in the low half.
pub(super) fn from_half(x: u32) -> f32 {
    half::f16::from_bits(x as u16).to_f32_const()
}

/// Row `msad4`.
pub(super) fn msad4(reference: u32, source: [u32; 4], accum: [u32; 4]) -> [u32; 4] {
    let source = u64::from(source[0]) | u64::from(source[1]) << 32;
    let reference = reference.to_le_bytes();
    std::array::from_fn(|shift| {
        let window = source.to_le_bytes();
        let differences = (0..4).filter(|&i| reference[i] != 0).map(|i| reference[i].abs_diff(window[i + shift]));
        differences.fold(accum[shift], |sum, difference| sum.wrapping_add(u32::from(difference)))
    })
}
