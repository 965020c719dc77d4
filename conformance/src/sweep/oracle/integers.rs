//! The oracle of integer arithmetic: values as `i128`, brought back to the type by the rule that the row states.

use tilewise_ir::ops::{Lanes, Op};
use tilewise_ir::types::Scalar;

/// The number that bits of an integer or a truth value stand for.
pub(crate) fn value(t: Scalar, bits: u64) -> Option<i128> {
    let wide = i128::from(bits);
    match t {
        Scalar::Bool | Scalar::U32 | Scalar::U64 => Some(wide),
        Scalar::I32 => Some(if wide >= 1 << 31 { wide - (1 << 32) } else { wide }),
        Scalar::I64 => Some(if wide >= 1 << 63 { wide - (1 << 64) } else { wide }),
        Scalar::F32 | Scalar::F64 => None,
    }
}

/// Smallest and largest value of an integer type.
pub(crate) fn range(t: Scalar) -> (i128, i128) {
    let bits = t.bits();
    if t.is_signed_integer() { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) }
}

/// The bits of a value modulo 2 to the width.
pub(crate) fn wrap(t: Scalar, value: i128) -> u64 {
    value.rem_euclid(1 << t.bits()) as u64
}

/// The result of an *each* row on one component.
pub(crate) fn each(op: Op, t: Scalar, x: [u64; 4]) -> Option<u64> {
    let [a, b, c] = [value(t, x[0])?, value(t, x[1])?, value(t, x[2])?];
    let (lowest, highest) = range(t);
    let truth = |holds: bool| Some(u64::from(holds));
    let wrapped = |value: i128| Some(wrap(t, value));
    // Only the product of two 64-bit numbers can leave i128; no value is as large as this one.
    let product = a.checked_mul(b).unwrap_or(i128::MAX);
    let outside = |value: i128| truth(value < lowest || value > highest);
    let quotient = |euclidean: bool| {
        if b == 0 {
            return (a, 0);
        }
        // Long division on sizes, then signs: `a = q * b + r`.
        let (mut q, mut r) = (a.abs() / b.abs(), a.abs() - a.abs() / b.abs() * b.abs());
        if a < 0 {
            (q, r) = (-q, -r);
            if euclidean && r < 0 {
                (q, r) = (q - 1, r + b.abs());
            }
        }
        (if b < 0 { -q } else { q }, r)
    };
    match op {
        Op::Add => wrapped(a + b),
        Op::Sub => wrapped(a - b),
        Op::Mul => wrapped(a.wrapping_mul(b)),
        Op::Div => wrapped(quotient(false).0),
        Op::Rem => wrapped(quotient(false).1),
        Op::DivEuclid => wrapped(quotient(true).0),
        Op::RemEuclid => wrapped(quotient(true).1),
        Op::Neg => wrapped(-a),
        Op::Abs => wrapped(if a < 0 { -a } else { a }),
        Op::Sign => wrapped(i128::from(a > 0) - i128::from(a < 0)),
        Op::Min => wrapped(if b < a { b } else { a }),
        Op::Max => wrapped(if b > a { b } else { a }),
        Op::Clamp => {
            let raised = if a < b { b } else { a };
            wrapped(if raised > c { c } else { raised })
        }
        Op::Mad => wrapped(a.wrapping_mul(b).wrapping_add(c)),
        Op::AddSat => wrapped((a + b).clamp(lowest, highest)),
        Op::SubSat => wrapped((a - b).clamp(lowest, highest)),
        Op::MulSat => wrapped(product.clamp(lowest, highest)),
        Op::AddOverflows => outside(a + b),
        Op::SubOverflows => outside(a - b),
        Op::MulOverflows => outside(product),
        Op::AbsDiff => wrapped(if a > b { a - b } else { b - a }),
        Op::Ipow => Some(power(t, a, x[1] as u32)),
        Op::Isqrt => wrapped(root(a)),
        Op::Eq => truth(a == b),
        Op::Ne => truth(a != b),
        Op::Lt => truth(a < b),
        Op::Le => truth(a <= b),
        Op::Gt => truth(a > b),
        Op::Ge => truth(a >= b),
        Op::ToI32 => Some(wrap(Scalar::I32, a)),
        Op::ToU32 => Some(wrap(Scalar::U32, a)),
        Op::ToI64 => Some(wrap(Scalar::I64, a)),
        Op::ToU64 => Some(wrap(Scalar::U64, a)),
        Op::WrapI8 => wrapped((a + 128).rem_euclid(256) - 128),
        Op::WrapI16 => wrapped((a + 32768).rem_euclid(65536) - 32768),
        Op::WrapU8 => wrapped(a.rem_euclid(256)),
        Op::WrapU16 => wrapped(a.rem_euclid(65536)),
        _ => None,
    }
}

/// Step by step for small exponents, else from the highest bit of the exponent down.
fn power(t: Scalar, a: i128, n: u32) -> u64 {
    let reduce = |value: i128| i128::from(wrap(t, value));
    let mut result = 1i128;
    if n < 200 {
        for _ in 0..n {
            result = reduce(result.wrapping_mul(a));
        }
    } else {
        for bit in (0..32).rev() {
            result = reduce(result.wrapping_mul(result));
            if n >> bit & 1 == 1 {
                result = reduce(result.wrapping_mul(a));
            }
        }
    }
    wrap(t, result)
}

/// By bisection: the largest integer whose square is not above `x`.
fn root(x: i128) -> i128 {
    let (mut low, mut high) = (0, 1 << 33);
    while high - low > 1 {
        let middle = (low + high) / 2;
        if middle * middle <= x { low = middle } else { high = middle }
    }
    low
}

/// The result of a *whole* row.
pub(crate) fn whole(op: Op, t: Scalar, x: [Lanes; 4], n: usize) -> Option<Lanes> {
    let byte = |word: u64, i: usize| i128::from(word) / (1 << (8 * i)) % 256;
    let signed = |byte: i128| if byte >= 128 { byte - 256 } else { byte };
    let one = |bits: u64| Some([bits, 0, 0, 0]);
    let clamped = |t: Scalar, low: i128, high: i128| {
        let bytes = (0..4).map(|i| value(t, x[0][i]).unwrap_or(0).clamp(low, high).rem_euclid(256) << (8 * i));
        one(bytes.sum::<i128>() as u64)
    };
    match op {
        Op::Dot => {
            let mut sum = 0i128;
            for (&a, &b) in x[0].iter().zip(&x[1]).take(n) {
                sum = sum.wrapping_add(value(t, a)?.wrapping_mul(value(t, b)?));
            }
            one(wrap(t, sum))
        }
        Op::Pack4xI8Clamp => clamped(Scalar::I32, -128, 127),
        Op::Pack4xU8Clamp => clamped(Scalar::U32, 0, 255),
        Op::Dot4I8 => {
            let products = (0..4).map(|i| signed(byte(x[0][0], i)) * signed(byte(x[1][0], i)));
            one(wrap(Scalar::I32, products.sum()))
        }
        Op::Dot4U8 => one((0..4).map(|i| byte(x[0][0], i) * byte(x[1][0], i)).sum::<i128>() as u64),
        Op::Msad4 => {
            let source: Vec<i128> = (0..8).map(|i| byte(x[1][i / 4], i % 4)).collect();
            let mut out = x[2].map(i128::from);
            for (start, sum) in out.iter_mut().enumerate() {
                for (k, from) in source[start..start + 4].iter().enumerate() {
                    let reference = byte(x[0][0], k);
                    if reference > 0 {
                        *sum += if reference > *from { reference - from } else { from - reference };
                    }
                }
            }
            Some(out.map(|sum| wrap(Scalar::U32, sum)))
        }
        _ => None,
    }
}
