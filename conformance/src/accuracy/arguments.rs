//! The arguments that are tried: special values, hard cases, all bit patterns, or random numbers that
//! depend on nothing but their index.

use super::functions::AccuracyFunction;
use super::hard_cases::hard_cases;

/// Special values, of either sign.
const SPECIAL: [f64; 30] = [
    0.0,
    1e-320,
    1e-45,
    1e-38,
    1e-20,
    1e-10,
    0.25,
    0.5,
    0.75,
    0.999_999_94,
    1.0,
    1.000_000_1,
    1.5,
    2.0,
    2.5,
    3.0,
    4.0,
    10.0,
    16.0,
    33.0,
    88.7,
    104.0,
    128.0,
    150.0,
    709.8,
    1e10,
    1e38,
    1e300,
    f64::INFINITY,
    f64::NAN,
];

/// Special numbers of either sign.
pub(super) fn special_numbers() -> Vec<f64> {
    SPECIAL.into_iter().flat_map(|x| [x, -x]).collect()
}

/// The special arguments of a function and its hard cases, as bits.
pub(super) fn special(function: &AccuracyFunction) -> Vec<[u64; 2]> {
    let double = function.oracle.is_double();
    let mut bits: Vec<u64> = special_numbers().into_iter().map(|x| bits_of(x, double)).collect();
    // The ends of the denormal and of all numbers.
    let ends = match double {
        true => [1, (1 << 52) - 1, 1 << 52, f64::MAX.to_bits()],
        false => [1, (1 << 23) - 1, 1 << 23, u64::from(f32::MAX.to_bits())],
    };
    let sign = if double { 1 << 63 } else { 1 << 31 };
    bits.extend(ends.into_iter().flat_map(|end| [end, end | sign]));
    let mut rows: Vec<[u64; 2]> = match function.oracle.arity() {
        1 => bits.into_iter().map(|x| [x, 0]).collect(),
        _ => bits.iter().flat_map(|&x| bits.iter().map(move |&y| [x, y])).collect(),
    };
    if double {
        rows.extend(hard_cases(function.name()));
    }
    rows
}

/// The random arguments with that index: half of them any bits, half in the usual range.
pub(super) fn random(function: &AccuracyFunction, index: u64) -> [u64; 2] {
    let double = function.oracle.is_double();
    let one = |salt: u64| {
        let bits = mixed(index.wrapping_mul(2).wrapping_add(salt));
        if index.is_multiple_of(2) {
            let (from, to) = function.usual;
            let part = (bits >> 11) as f64 / (1_u64 << 53) as f64;
            return bits_of(from + part * (to - from), double);
        }
        if double { bits } else { bits >> 32 }
    };
    let second = if function.oracle.arity() == 2 { one(1) } else { 0 };
    [one(0), second]
}

fn bits_of(x: f64, double: bool) -> u64 {
    if double { x.to_bits() } else { u64::from((x as f32).to_bits()) }
}

/// Splitmix64.
pub(crate) fn mixed(index: u64) -> u64 {
    let x = index.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}
