//! The arguments that are tried: values near the edges of formats and functions, numbers in the usual range
//! and any bits, which depend on nothing but their index; or all words in turn.

use super::builtin::{DeviceBuiltin, WordKind};
use super::range::FloatWidth;
use crate::accuracy::mixed;

/// Floats at edges, which are taken with either sign.
const EDGES: [f32; 30] = [
    0.0,
    1e-45,
    6e-39,
    1.175_494_2e-38,
    f32::MIN_POSITIVE,
    2.350_988_7e-38,
    1e-20,
    1e-10,
    0.25,
    0.5,
    0.75,
    0.999_999_94,
    1.0,
    1.000_000_1,
    1.5,
    std::f32::consts::FRAC_PI_2,
    2.0,
    2.5,
    3.0,
    std::f32::consts::PI,
    10.0,
    88.7,
    104.0,
    127.5,
    8_388_608.5,
    16_777_216.0,
    1e20,
    f32::MAX,
    f32::INFINITY,
    f32::NAN,
];

/// The same of `f16`.
const HALF_EDGES: [f64; 26] = [
    0.0,
    5.96e-8,
    3e-5,
    6.097_555e-5,
    6.103_515_625e-5,
    1.220_703_125e-4,
    1e-3,
    0.25,
    0.5,
    0.75,
    0.999_511_718_75,
    1.0,
    1.000_976_562_5,
    1.5,
    std::f64::consts::FRAC_PI_2,
    2.0,
    2.5,
    3.0,
    std::f64::consts::PI,
    10.0,
    11.09,
    512.5,
    1024.5,
    65_504.0,
    f64::INFINITY,
    f64::NAN,
];

/// Integers at edges.
const WORDS: [u32; 10] = [0, 1, 2, 0x7f, 0x80, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, 0x0100_0001, 0x7fff_ffbf];

/// The random arguments with an index, one word after the other.
pub(super) fn random(builtin: &DeviceBuiltin, index: u64, words: &mut Vec<u32>) {
    for (at, kind) in (0_u64..).zip(builtin.arguments) {
        let bits = mixed(index.wrapping_mul(16).wrapping_add(at));
        let pick = (bits >> 40) as usize;
        words.push(match (index % 4, kind) {
            (0 | 1, WordKind::Float) => {
                let (from, to) = builtin.usual;
                let part = (bits >> 11) as f64 / (1_u64 << 53) as f64;
                builtin.width.word(from + part * (to - from))
            }
            (2, WordKind::Float) => {
                let edge = match builtin.width {
                    FloatWidth::Single => f64::from(EDGES[pick % EDGES.len()]),
                    FloatWidth::Half => HALF_EDGES[pick % HALF_EDGES.len()],
                };
                builtin.width.word(if bits & 1 == 0 { edge } else { -edge })
            }
            (2, WordKind::Int | WordKind::Uint) => WORDS[pick % WORDS.len()],
            (_, WordKind::Float) if builtin.width == FloatWidth::Half => bits as u32 & 0xffff,
            (_, WordKind::Float | WordKind::Int | WordKind::Uint) => bits as u32,
        });
    }
}
