//! The oracle of operations on bits: the result is put together bit by bit.

use tilewise_ir::ops::{Lanes, Op};
use tilewise_ir::types::Scalar;

fn bit(x: u64, i: u32) -> bool {
    x / (1u64 << i) % 2 == 1
}

/// The word whose bit `i`, below `width`, is `at(i)`.
fn gather(width: u32, at: impl Fn(u32) -> bool) -> u64 {
    (0..width).filter(|&i| at(i)).fold(0, |word, i| word + (1 << i))
}

/// The result of an *each* row on one component.
pub(crate) fn each(op: Op, t: Scalar, [a, b, c, d]: [u64; 4]) -> Option<u64> {
    let width = t.bits();
    let top = width - 1;
    let signed = t.is_signed_integer();
    // Shifts read the second argument, the fields of bits the last two.
    let n = (b % u64::from(width)) as u32;
    let field = |offset: u64, count: u64| {
        let inside = |i: u32| u64::from(i) >= offset && u64::from(i) - offset < count && i < width;
        (0..width).filter(|&i| inside(i)).collect::<Vec<u32>>()
    };
    let count = |found: &mut dyn Iterator<Item = u32>| found.count() as u64;
    let position = |found: Option<u32>| match found {
        Some(i) => u64::from(i),
        None => gather(width, |_| true),
    };
    Some(match op {
        Op::And => gather(width, |i| bit(a, i) && bit(b, i)),
        Op::Or => gather(width, |i| bit(a, i) || bit(b, i)),
        Op::Xor => gather(width, |i| bit(a, i) != bit(b, i)),
        Op::Not => gather(width, |i| !bit(a, i)),
        Op::Shl => gather(width, |i| i >= n && bit(a, i - n)),
        Op::Shr => gather(width, |i| if i + n < width { bit(a, i + n) } else { signed && bit(a, top) }),
        Op::Rotl => gather(width, |i| bit(a, (i + width - n) % width)),
        Op::Rotr => gather(width, |i| bit(a, (i + n) % width)),
        Op::CountOnes => count(&mut (0..width).filter(|&i| bit(a, i))),
        Op::LeadingZeros => count(&mut (0..width).rev().take_while(|&i| !bit(a, i))),
        Op::TrailingZeros => count(&mut (0..width).take_while(|&i| !bit(a, i))),
        Op::FirstHigh => position((0..width).rev().find(|&i| bit(a, i) != (signed && bit(a, top)))),
        Op::FirstLow => position((0..width).find(|&i| bit(a, i))),
        Op::ReverseBits => gather(width, |i| bit(a, top - i)),
        Op::SwapBytes => gather(width, |i| bit(a, (width / 8 - 1 - i / 8) * 8 + i % 8)),
        Op::ExtractBits => match field(b, c)[..] {
            [] => 0,
            ref found => gather(width, |i| match found.get(i as usize) {
                Some(&from) => bit(a, from),
                None => signed && bit(a, found[found.len() - 1]),
            }),
        },
        Op::InsertBits => {
            let found = field(c, d);
            gather(width, |i| match found.iter().position(|&at| at == i) {
                Some(from) => bit(b, from as u32),
                None => bit(a, i),
            })
        }
        Op::MulHi => mul_hi(width, signed, a, b),
        Op::Select => gather(width, |i| if bit(a, 0) { bit(b, i) } else { bit(c, i) }),
        Op::Neg if t.is_float() => gather(width, |i| bit(a, i) != (i == top)),
        Op::Abs if t.is_float() => gather(width, |i| bit(a, i) && i != top),
        Op::Copysign => gather(width, |i| if i == top { bit(b, i) } else { bit(a, i) }),
        Op::SignBit => u64::from(bit(a, top)),
        Op::BitcastI32 | Op::BitcastU32 | Op::BitcastF32 | Op::BitcastI64 | Op::BitcastU64 | Op::BitcastF64 => {
            gather(width, |i| bit(a, i))
        }
        _ => return None,
    })
}

/// The pencil's way: the sum of shifted copies, in twice the width, of the sign-extended factors.
fn mul_hi(width: u32, signed: bool, a: u64, b: u64) -> u64 {
    let extended = |x: u64| {
        let sign = signed && bit(x, width - 1);
        (0..2 * width).filter(|&i| if i < width { bit(x, i) } else { sign }).fold(0u128, |wide, i| wide | 1 << i)
    };
    let (a, b) = (extended(a), extended(b));
    let product = (0..2 * width).filter(|&i| b >> i & 1 == 1).fold(0u128, |sum, i| sum.wrapping_add(a << i));
    let high = product >> width;
    gather(width, |i| high >> i & 1 == 1)
}

/// The result of a *whole* row.
pub(crate) fn whole(op: Op, [x, ..]: [Lanes; 4], n: usize) -> Option<Lanes> {
    let bytes_together = || gather(32, |i| bit(x[(i / 8) as usize], i % 8));
    let byte_apart = |k: u32, extend: bool| {
        gather(32, |i| if i < 8 { bit(x[0], 8 * k + i) } else { extend && bit(x[0], 8 * k + 7) })
    };
    Some(match op {
        Op::Any => {
            let mut found = false;
            for component in &x[..n] {
                found = found || bit(*component, 0);
            }
            [u64::from(found), 0, 0, 0]
        }
        Op::All => {
            let mut missing = false;
            for component in &x[..n] {
                missing = missing || !bit(*component, 0);
            }
            [u64::from(!missing), 0, 0, 0]
        }
        Op::PackU64 => [gather(64, |i| bit(x[(i / 32) as usize], i % 32)), 0, 0, 0],
        Op::UnpackU64 => [gather(32, |i| bit(x[0], i)), gather(32, |i| bit(x[0], 32 + i)), 0, 0],
        Op::Pack4xI8 | Op::Pack4xU8 => [bytes_together(), 0, 0, 0],
        Op::Unpack4xI8 => [0, 1, 2, 3].map(|k| byte_apart(k, true)),
        Op::Unpack4xU8 => [0, 1, 2, 3].map(|k| byte_apart(k, false)),
        _ => return None,
    })
}
