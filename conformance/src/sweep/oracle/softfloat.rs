//! The oracle of single float operations: each is one exact computation on integers, rounded once.

use tilewise_ir::ops::{Lanes, Op};
use tilewise_ir::types::Scalar;

use super::integers;
use super::soft::{self, F16, F32, F64, Format, Towards, Value};

pub(crate) fn format(t: Scalar) -> Option<Format> {
    match t {
        Scalar::F32 => Some(F32),
        Scalar::F64 => Some(F64),
        _ => None,
    }
}

/// The result of an *each* row on one component.
pub(crate) fn each(op: Op, t: Scalar, [a, b, c, _]: [u64; 4]) -> Option<u64> {
    match op {
        Op::ToF32 => return Some(to_float(t, F32, a)),
        Op::ToF64 => return Some(to_float(t, F64, a)),
        _ => {}
    }
    let f = format(t)?;
    Some(match op {
        Op::Add => soft::add(f, a, b),
        Op::Sub => soft::sub(f, a, b),
        Op::Mul => soft::mul(f, a, b),
        Op::Div => soft::div(f, a, b),
        Op::Rem => soft::rem(f, a, b),
        Op::Remainder => soft::remainder(f, a, b),
        Op::Fma | Op::Mad => soft::fma(f, a, b, c),
        Op::Sqrt => soft::sqrt(f, a),
        Op::Rcp => soft::div(f, f.one(), a),
        Op::Floor => soft::to_integral(f, a, Towards::Down),
        Op::Ceil => soft::to_integral(f, a, Towards::Up),
        Op::Trunc | Op::ModfWhole => soft::to_integral(f, a, Towards::Zero),
        Op::Round => soft::to_integral(f, a, Towards::NearestAway),
        Op::RoundEven => soft::to_integral(f, a, Towards::NearestEven),
        Op::ModfFract => match f.unpack(a) {
            Value::Nan => f.nan(),
            Value::Inf { neg } => f.signed(neg, 0),
            Value::Finite(x) => soft::rem(f, a, f.one()) & !f.sign() | f.signed(x.neg, 0),
        },
        Op::FrexpFract => match f.unpack(a) {
            Value::Finite(x) if x.m != 0 => soft::fraction_and_exponent(f, x).0,
            _ => a,
        },
        Op::FrexpExp => match f.unpack(a) {
            Value::Finite(x) if x.m != 0 => word(soft::fraction_and_exponent(f, x).1),
            _ => 0,
        },
        Op::Ilogb => match f.unpack(a) {
            Value::Finite(x) if x.m != 0 => word(soft::fraction_and_exponent(f, x).1 - 1),
            Value::Finite(_) | Value::Nan => word(i32::MIN),
            Value::Inf { .. } => word(i32::MAX),
        },
        Op::Ldexp => match f.unpack(a) {
            Value::Finite(x) => {
                let e = (b as u32 as i32).clamp(-10_000, 10_000);
                soft::round(f, soft::Number { e: x.e + e, ..x }, false)
            }
            _ => a,
        },
        Op::Fdim => match f.unpack(soft::sub(f, a, b)) {
            // Both infinities of one sign: neither is above the other.
            Value::Nan if !is_nan(f, a) && !is_nan(f, b) => 0,
            Value::Nan => f.nan(),
            Value::Inf { neg: true } => 0,
            Value::Finite(x) if x.neg || x.m == 0 => 0,
            _ => soft::sub(f, a, b),
        },
        Op::ToI32 => to_integer(f, a, Scalar::I32),
        Op::ToU32 => to_integer(f, a, Scalar::U32),
        Op::ToI64 => to_integer(f, a, Scalar::I64),
        Op::ToU64 => to_integer(f, a, Scalar::U64),
        Op::QuantizeF16 => soft::convert(F16, F32, soft::convert(F32, F16, a)),
        _ => return None,
    })
}

/// The result of a *whole* row.
pub(crate) fn whole(op: Op, [x, ..]: [Lanes; 4]) -> Option<Lanes> {
    Some(match op {
        Op::Pack2x16Float => [soft::convert(F32, F16, x[0]) | soft::convert(F32, F16, x[1]) << 16, 0, 0, 0],
        Op::Unpack2x16Float => [soft::convert(F16, F32, x[0] & 0xffff), soft::convert(F16, F32, x[0] >> 16), 0, 0],
        _ => return None,
    })
}

fn word(x: i32) -> u64 {
    u64::from(x as u32)
}

pub(crate) fn is_nan(f: Format, a: u64) -> bool {
    matches!(f.unpack(a), Value::Nan)
}

fn to_float(from: Scalar, to: Format, a: u64) -> u64 {
    match (format(from), integers::value(from, a)) {
        (Some(format), _) => soft::convert(format, to, a),
        (None, Some(value)) => soft::from_integer(to, value),
        (None, None) => unreachable!("a scalar is a float or has an integer's value"),
    }
}

fn to_integer(f: Format, a: u64, to: Scalar) -> u64 {
    let (lowest, highest) = integers::range(to);
    integers::wrap(to, soft::to_integer(f, a, lowest, highest))
}
