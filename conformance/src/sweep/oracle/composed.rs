//! The oracle of rows that are a sequence of rounded steps: the formula of the doc sentence, each step by the soft-float.

use tilewise_ir::ops::{Lanes, Op};
use tilewise_ir::types::Scalar;

use super::ordering;
use super::soft::{self, F32, Number, Towards};
use super::softfloat::{format, is_nan};

/// The result of an *each* row on one component.
pub(crate) fn each(op: Op, t: Scalar, [a, b, c, _]: [u64; 4]) -> Option<u64> {
    let f = format(t)?;
    let whole = |n: i128| soft::from_integer(f, n);
    Some(match op {
        Op::Fract => soft::sub(f, a, soft::to_integral(f, a, Towards::Down)),
        Op::Smoothstep => {
            let (lo, hi, x) = (a, b, c);
            let t = ordering::saturate(f, soft::div(f, soft::sub(f, x, lo), soft::sub(f, hi, lo)));
            let falling = soft::sub(f, whole(3), soft::mul(f, whole(2), t));
            soft::mul(f, soft::mul(f, t, t), falling)
        }
        Op::Mix => {
            let first = soft::mul(f, a, soft::sub(f, whole(1), c));
            soft::add(f, first, soft::mul(f, b, c))
        }
        Op::Radians => {
            // What was cut off below pi's 124th fractional bit only makes the quotient larger.
            soft::mul(f, a, soft::round(f, Number { neg: false, m: PI / 180, e: -124 }, true))
        }
        Op::Degrees => {
            let m = (180 << 119) / (PI >> 62);
            soft::mul(f, a, soft::round(f, Number { neg: false, m, e: -119 + 62 }, true))
        }
        _ => return None,
    })
}

/// pi * 2^124, cut off.
const PI: u128 = 0x3243_f6a8_885a_308d_3131_98a2_e037_0734;

/// The result of a *whole* row.
pub(crate) fn whole(op: Op, t: Scalar, [a, b, c, _]: [Lanes; 4], n: usize) -> Option<Lanes> {
    let packed = match op {
        Op::Pack4x8Snorm => Some(pack(a, 4, -1, 127)),
        Op::Pack4x8Unorm => Some(pack(a, 4, 0, 255)),
        Op::Pack2x16Snorm => Some(pack(a, 2, -1, 32767)),
        Op::Pack2x16Unorm => Some(pack(a, 2, 0, 65535)),
        Op::Unpack4x8Snorm => Some(unpack(a[0], 4, true, 127)),
        Op::Unpack4x8Unorm => Some(unpack(a[0], 4, false, 255)),
        Op::Unpack2x16Snorm => Some(unpack(a[0], 2, true, 32767)),
        Op::Unpack2x16Unorm => Some(unpack(a[0], 2, false, 65535)),
        _ => None,
    };
    if packed.is_some() {
        return packed;
    }
    let f = format(t)?;
    let times = |x: u64, y: u64| soft::mul(f, x, y);
    let dot = |x: Lanes, y: Lanes| {
        let products: Vec<u64> = (0..n).map(|i| times(x[i], y[i])).collect();
        let mut sum = products[0];
        for product in &products[1..] {
            sum = soft::add(f, sum, *product);
        }
        sum
    };
    let length = |v: Lanes| soft::sqrt(f, dot(v, v));
    let components = |n: usize, at: &dyn Fn(usize) -> u64| {
        let mut out = [0; 4];
        (0..n).for_each(|i| out[i] = at(i));
        out
    };
    let [one, two] = [1, 2].map(|n| soft::from_integer(f, n));
    Some(match op {
        Op::Dot => [dot(a, b), 0, 0, 0],
        Op::Cross => {
            let [ax, ay, az, _] = a;
            let [bx, by, bz, _] = b;
            let minor = |p: u64, q: u64, r: u64, s: u64| soft::sub(f, times(p, q), times(r, s));
            [minor(ay, bz, az, by), minor(az, bx, ax, bz), minor(ax, by, ay, bx), 0]
        }
        Op::Length => [length(a), 0, 0, 0],
        Op::Distance => [length(components(n, &|i| soft::sub(f, a[i], b[i]))), 0, 0, 0],
        Op::Normalize => components(n, &|i| soft::div(f, a[i], length(a))),
        Op::Reflect => {
            let s = times(two, dot(b, a));
            components(n, &|i| soft::sub(f, a[i], times(s, b[i])))
        }
        Op::Refract => {
            let eta = c[0];
            let d = dot(b, a);
            let k = soft::sub(f, one, times(times(eta, eta), soft::sub(f, one, times(d, d))));
            if ordering::negative(f, k) {
                [0; 4]
            } else {
                let along = soft::add(f, times(eta, d), soft::sqrt(f, k));
                components(n, &|i| soft::sub(f, times(eta, a[i]), times(along, b[i])))
            }
        }
        Op::FaceForward => {
            let keep = ordering::negative(f, dot(c, b));
            components(n, &|i| if keep { a[i] } else { soft::neg(f, a[i]) })
        }
        _ => return None,
    })
}

fn number(n: i128) -> u64 {
    soft::from_integer(F32, n)
}

/// WGSL's formula for packing normalised numbers.
fn pack(x: Lanes, parts: u32, lowest: i128, scale: i128) -> Lanes {
    const HALF: Number = Number { neg: false, m: 1, e: -1 };
    let width = 32 / parts;
    let mut word = 0i128;
    for (i, &component) in (0..parts).zip(&x) {
        if is_nan(F32, component) {
            continue;
        }
        let clamped = ordering::min(F32, number(1), ordering::max(F32, number(lowest), component));
        let scaled = soft::add(F32, soft::round(F32, HALF, false), soft::mul(F32, number(scale), clamped));
        let whole = soft::to_integer(F32, soft::to_integral(F32, scaled, Towards::Down), -scale, scale);
        word += whole.rem_euclid(1 << width) << (i * width);
    }
    [word as u64, 0, 0, 0]
}

/// WGSL's formula for unpacking normalised numbers.
fn unpack(word: u64, parts: u32, signed: bool, scale: i128) -> Lanes {
    let width = 32 / parts;
    let mut out = [0; 4];
    for (i, component) in (0..parts).zip(&mut out) {
        let mut part = i128::from(word >> (i * width)) % (1 << width);
        if signed && part >= 1 << (width - 1) {
            part -= 1 << width;
        }
        *component = soft::div(F32, number(part), number(scale));
        if signed {
            *component = ordering::max(F32, *component, number(-1));
        }
    }
    out
}
