//! The arguments that are tried: values near the edges of formats and functions, numbers in the usual range
//! and any bits, which depend on nothing but their index; or all words in turn.

use super::builtin::{DeviceBuiltin, WordKind};
use crate::accuracy::mixed;

/// Floats at edges, of either sign.
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
                ((from + part * (to - from)) as f32).to_bits()
            }
            (2, WordKind::Float) => EDGES[pick % EDGES.len()].to_bits() ^ ((bits as u32 & 1) << 31),
            (2, WordKind::Int | WordKind::Uint) => WORDS[pick % WORDS.len()],
            (_, WordKind::Float | WordKind::Int | WordKind::Uint) => bits as u32,
        });
    }
}
