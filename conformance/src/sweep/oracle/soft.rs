//! A soft-float from scratch: values are sign, integer significand and exponent; everything is computed exactly and rounded once by [`round`].
//!
//! No float type of Rust appears here. The tests of this file hold it against hand-computed bits; the op table is then held against it.

/// A binary IEEE 754 format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Format {
    /// Stored bits of the significand.
    pub(crate) fraction: u32,
    /// Bits of the exponent field.
    pub(crate) exponent: u32,
}

pub(crate) const F16: Format = Format { fraction: 10, exponent: 5 };
pub(crate) const F32: Format = Format { fraction: 23, exponent: 8 };
pub(crate) const F64: Format = Format { fraction: 52, exponent: 11 };

/// A finite number, exactly: `m * 2^e`, negative if `neg`. Zero has `m == 0` and keeps its sign.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Number {
    pub(crate) neg: bool,
    pub(crate) m: u128,
    pub(crate) e: i32,
}

/// What bits mean.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Value {
    Nan,
    Inf { neg: bool },
    Finite(Number),
}

impl Format {
    pub(crate) fn sign(self) -> u64 {
        1 << (self.fraction + self.exponent)
    }

    pub(crate) fn inf(self) -> u64 {
        ((1 << self.exponent) - 1) << self.fraction
    }

    pub(crate) fn nan(self) -> u64 {
        self.inf() | 1 << (self.fraction - 1)
    }

    /// 1.0.
    pub(crate) fn one(self) -> u64 {
        ((1 << (self.exponent - 1)) - 1) << self.fraction
    }

    pub(crate) fn signed(self, neg: bool, bits: u64) -> u64 {
        if neg { bits | self.sign() } else { bits }
    }

    /// The exponent of the lowest bit of a denormal.
    fn lowest(self) -> i32 {
        2 - (1 << (self.exponent - 1)) - self.fraction as i32
    }

    pub(crate) fn unpack(self, bits: u64) -> Value {
        let neg = bits & self.sign() != 0;
        let field = (bits & self.inf()) >> self.fraction;
        let fraction = bits & ((1 << self.fraction) - 1);
        if field == (1 << self.exponent) - 1 {
            if fraction == 0 { Value::Inf { neg } } else { Value::Nan }
        } else if field == 0 {
            Value::Finite(Number { neg, m: u128::from(fraction), e: self.lowest() })
        } else {
            let m = u128::from(fraction | 1 << self.fraction);
            Value::Finite(Number { neg, m, e: self.lowest() + field as i32 - 1 })
        }
    }
}

/// The one place that rounds: to nearest, ties to even. `sticky` says that the true value is a little larger in size than `x`.
pub(crate) fn round(f: Format, x: Number, sticky: bool) -> u64 {
    if x.m == 0 {
        assert!(!sticky, "something too small to see cannot be rounded");
        return f.signed(x.neg, 0);
    }
    let length = 128 - x.m.leading_zeros() as i32;
    let lsb = (x.e + length - (f.fraction as i32 + 1)).max(f.lowest());
    let shift = lsb - x.e;
    let kept = if shift <= 0 {
        assert!(!sticky, "too few bits were computed to round");
        x.m << -shift
    } else if shift > length {
        0
    } else {
        let (kept, rest) = if shift == 128 { (0, x.m) } else { (x.m >> shift, x.m & ((1 << shift) - 1)) };
        let half = 1u128 << (shift - 1);
        let up = rest > half || rest == half && (sticky || kept & 1 == 1);
        kept + u128::from(up)
    };
    let hidden = 1u128 << f.fraction;
    // A carry out of the significand moves into the exponent field by itself.
    let magnitude =
        if kept < hidden { kept } else { (((lsb - f.lowest()) as u128 + 1) << f.fraction) + (kept - hidden) };
    f.signed(x.neg, if magnitude >= u128::from(f.inf()) { f.inf() } else { magnitude as u64 })
}

/// A natural number of any size, lowest limb first.
#[derive(Clone, Debug)]
struct Big(Vec<u64>);

impl Big {
    fn shifted(m: u128, by: u32) -> Big {
        let mut limbs = vec![0; (by / 64) as usize];
        let by = by % 64;
        let (low, high) = (m as u64, (m >> 64) as u64);
        limbs.push(low << by);
        if by == 0 {
            limbs.push(high);
        } else {
            limbs.push(high << by | low >> (64 - by));
            limbs.push(high >> (64 - by));
        }
        Big(limbs)
    }

    fn limb(&self, i: usize) -> u64 {
        self.0.get(i).copied().unwrap_or(0)
    }

    fn plus(&self, other: &Big) -> Big {
        let mut carry = 0u128;
        let mut sum = Vec::new();
        for i in 0..=self.0.len().max(other.0.len()) {
            carry += u128::from(self.limb(i)) + u128::from(other.limb(i));
            sum.push(carry as u64);
            carry >>= 64;
        }
        Big(sum)
    }

    /// `self - other`, which must not be negative.
    fn minus(&self, other: &Big) -> Big {
        let mut borrow = 0i128;
        let mut difference = Vec::new();
        for i in 0..self.0.len().max(other.0.len()) {
            let limb = i128::from(self.limb(i)) - i128::from(other.limb(i)) + borrow;
            difference.push(limb as u64);
            borrow = limb >> 64;
        }
        assert_eq!(borrow, 0, "the larger minus the smaller");
        Big(difference)
    }

    fn less(&self, other: &Big) -> bool {
        (0..self.0.len().max(other.0.len()))
            .rev()
            .map(|i| (self.limb(i), other.limb(i)))
            .find(|(a, b)| a != b)
            .is_some_and(|(a, b)| a < b)
    }

    /// The highest 64 to 128 bits, how far they are shifted down, and whether anything was lost.
    fn top(&self) -> (u128, i32, bool) {
        let Some(high) = self.0.iter().rposition(|&limb| limb != 0) else { return (0, 0, false) };
        if high == 0 {
            return (u128::from(self.0[0]), 0, false);
        }
        let m = u128::from(self.0[high]) << 64 | u128::from(self.0[high - 1]);
        (m, (high as i32 - 1) * 64, self.0[..high - 1].iter().any(|&limb| limb != 0))
    }
}

/// The exact sum, rounded once. An exact zero is negative only if both parts are.
fn sum(f: Format, a: Number, b: Number) -> u64 {
    // A zero's exponent says nothing and must not widen the alignment.
    let e = match (a.m, b.m) {
        (0, 0) => return f.signed(a.neg && b.neg, 0),
        (0, _) => b.e,
        (_, 0) => a.e,
        _ => a.e.min(b.e),
    };
    let align = |x: Number| if x.m == 0 { Big(vec![]) } else { Big::shifted(x.m, (x.e - e) as u32) };
    let (big_a, big_b) = (align(a), align(b));
    let (neg, size) = if a.neg == b.neg {
        (a.neg, big_a.plus(&big_b))
    } else if big_a.less(&big_b) {
        (b.neg, big_b.minus(&big_a))
    } else {
        (a.neg, big_a.minus(&big_b))
    };
    let (m, shift, sticky) = size.top();
    // The only exact zero left here is x + -x.
    round(f, Number { neg: neg && m != 0, m, e: e + shift }, sticky)
}

pub(crate) fn neg(f: Format, a: u64) -> u64 {
    a ^ f.sign()
}

pub(crate) fn add(f: Format, a: u64, b: u64) -> u64 {
    fma(f, a, f.one(), b)
}

pub(crate) fn sub(f: Format, a: u64, b: u64) -> u64 {
    add(f, a, neg(f, b))
}

pub(crate) fn mul(f: Format, a: u64, b: u64) -> u64 {
    match (f.unpack(a), f.unpack(b)) {
        (Value::Finite(x), Value::Finite(y)) => {
            round(f, Number { neg: x.neg != y.neg, m: x.m * y.m, e: x.e + y.e }, false)
        }
        (x, y) => infinite_product(f, x, y),
    }
}

/// A product of which at least one side is not finite.
fn infinite_product(f: Format, x: Value, y: Value) -> u64 {
    match (x, y) {
        (Value::Nan, _) | (_, Value::Nan) => f.nan(),
        (Value::Finite(n), Value::Inf { neg }) | (Value::Inf { neg }, Value::Finite(n)) => {
            if n.m == 0 {
                f.nan()
            } else {
                f.signed(neg != n.neg, f.inf())
            }
        }
        (Value::Inf { neg: a }, Value::Inf { neg: b }) => f.signed(a != b, f.inf()),
        (Value::Finite(_), Value::Finite(_)) => unreachable!("one side is not finite"),
    }
}

pub(crate) fn fma(f: Format, a: u64, b: u64, c: u64) -> u64 {
    let product = match (f.unpack(a), f.unpack(b)) {
        (Value::Finite(x), Value::Finite(y)) => {
            Value::Finite(Number { neg: x.neg != y.neg, m: x.m * y.m, e: x.e + y.e })
        }
        (x, y) => f.unpack(infinite_product(f, x, y)),
    };
    match (product, f.unpack(c)) {
        (Value::Nan, _) | (_, Value::Nan) => f.nan(),
        (Value::Inf { neg: a }, Value::Inf { neg: b }) if a != b => f.nan(),
        (Value::Inf { neg }, _) | (_, Value::Inf { neg }) => f.signed(neg, f.inf()),
        (Value::Finite(x), Value::Finite(y)) => sum(f, x, y),
    }
}

/// The number with the highest bit of its significand at bit `bit`.
fn normalised(x: Number, bit: i32) -> Number {
    let shift = bit - (127 - x.m.leading_zeros() as i32);
    assert!(shift >= 0, "significands have at most 53 bits here");
    Number { m: x.m << shift, e: x.e - shift, ..x }
}

pub(crate) fn div(f: Format, a: u64, b: u64) -> u64 {
    match (f.unpack(a), f.unpack(b)) {
        (Value::Nan, _) | (_, Value::Nan) | (Value::Inf { .. }, Value::Inf { .. }) => f.nan(),
        (Value::Inf { neg }, Value::Finite(y)) => f.signed(neg != y.neg, f.inf()),
        (Value::Finite(x), Value::Inf { neg }) => f.signed(neg != x.neg, 0),
        (Value::Finite(x), Value::Finite(y)) => {
            let neg = x.neg != y.neg;
            if y.m == 0 {
                return if x.m == 0 { f.nan() } else { f.signed(neg, f.inf()) };
            }
            if x.m == 0 {
                return f.signed(neg, 0);
            }
            let (x, y) = (normalised(x, 126), normalised(y, 56));
            round(f, Number { neg, m: x.m / y.m, e: x.e - y.e }, x.m % y.m != 0)
        }
    }
}

pub(crate) fn sqrt(f: Format, a: u64) -> u64 {
    match f.unpack(a) {
        Value::Nan | Value::Inf { neg: true } => f.nan(),
        Value::Inf { neg: false } => f.inf(),
        Value::Finite(x) if x.m == 0 => a,
        Value::Finite(x) if x.neg => f.nan(),
        Value::Finite(x) => {
            let mut x = normalised(x, 125);
            if x.e % 2 != 0 {
                x = normalised(x, 126);
            }
            let mut root = 0u128;
            for bit in (0..64).rev() {
                let tried = root | 1 << bit;
                if tried * tried <= x.m {
                    root = tried;
                }
            }
            round(f, Number { neg: false, m: root, e: x.e / 2 }, root * root != x.m)
        }
    }
}

/// The remainder of the size of `x` by that of `y`, on the exponent of the result, with the lowest bit of the quotient.
fn modulo(x: Number, y: Number) -> (u128, u128, i32, bool) {
    if x.e >= y.e {
        let (mut r, mut odd) = (x.m % y.m, x.m / y.m % 2 == 1);
        for _ in 0..x.e - y.e {
            r *= 2;
            odd = r >= y.m;
            if odd {
                r -= y.m;
            }
        }
        (r, y.m, y.e, odd)
    } else if y.e - x.e > 64 {
        // y is above twice x by far: scaled down to any size that keeps that true.
        (x.m, y.m << 64, x.e, false)
    } else {
        let y_m = y.m << (y.e - x.e);
        (x.m % y_m, y_m, x.e, x.m / y_m % 2 == 1)
    }
}

/// The remainder, and by `nearest` whether the quotient is rounded to nearest even or truncated.
fn remainder_by(f: Format, a: u64, b: u64, nearest: bool) -> u64 {
    match (f.unpack(a), f.unpack(b)) {
        (Value::Nan, _) | (_, Value::Nan) | (Value::Inf { .. }, _) => f.nan(),
        (Value::Finite(_), Value::Inf { .. }) => a,
        (Value::Finite(_), Value::Finite(y)) if y.m == 0 => f.nan(),
        (Value::Finite(x), Value::Finite(_)) if x.m == 0 => a,
        (Value::Finite(x), Value::Finite(y)) => {
            let (r, y, e, odd) = modulo(x, y);
            if nearest && (2 * r > y || 2 * r == y && odd) {
                round(f, Number { neg: !x.neg, m: y - r, e }, false)
            } else {
                round(f, Number { neg: x.neg, m: r, e }, false)
            }
        }
    }
}

pub(crate) fn rem(f: Format, a: u64, b: u64) -> u64 {
    remainder_by(f, a, b, false)
}

pub(crate) fn remainder(f: Format, a: u64, b: u64) -> u64 {
    remainder_by(f, a, b, true)
}

/// Which integer a number between two goes to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Towards {
    Down,
    Up,
    Zero,
    NearestAway,
    NearestEven,
}

/// The size as whole part and a fraction that is compared with a half.
fn split(x: Number) -> (u128, std::cmp::Ordering, bool) {
    use std::cmp::Ordering;
    if x.e >= 0 || x.m == 0 {
        return (x.m, Ordering::Less, false);
    }
    let down = -x.e;
    if down > 64 {
        return (0, Ordering::Less, true);
    }
    let whole = x.m >> down;
    let rest = x.m & ((1 << down) - 1);
    (whole, rest.cmp(&(1 << (down - 1))), rest != 0)
}

pub(crate) fn to_integral(f: Format, a: u64, towards: Towards) -> u64 {
    use std::cmp::Ordering;
    match f.unpack(a) {
        Value::Nan => f.nan(),
        Value::Finite(x) if x.e < 0 => {
            let (whole, half, inexact) = split(x);
            let away = inexact
                && match towards {
                    Towards::Down => x.neg,
                    Towards::Up => !x.neg,
                    Towards::Zero => false,
                    Towards::NearestAway => half != Ordering::Less,
                    Towards::NearestEven => half == Ordering::Greater || half == Ordering::Equal && whole % 2 == 1,
                };
            round(f, Number { neg: x.neg, m: whole + u128::from(away), e: 0 }, false)
        }
        Value::Inf { .. } | Value::Finite(_) => a,
    }
}

/// Truncated and held to the range; NaN is 0.
pub(crate) fn to_integer(f: Format, a: u64, lowest: i128, highest: i128) -> i128 {
    match f.unpack(a) {
        Value::Nan => 0,
        Value::Inf { neg } => {
            if neg {
                lowest
            } else {
                highest
            }
        }
        Value::Finite(x) => {
            let size = if x.e < 0 {
                split(x).0 as i128
            } else if x.e > 64 && x.m != 0 {
                i128::MAX
            } else {
                (x.m as i128) << x.e.min(64)
            };
            (if x.neg { -size } else { size }).clamp(lowest, highest)
        }
    }
}

pub(crate) fn from_integer(f: Format, x: i128) -> u64 {
    round(f, Number { neg: x < 0, m: x.unsigned_abs(), e: 0 }, false)
}

pub(crate) fn convert(from: Format, to: Format, a: u64) -> u64 {
    match from.unpack(a) {
        Value::Nan => to.nan(),
        Value::Inf { neg } => to.signed(neg, to.inf()),
        Value::Finite(x) => round(to, x, false),
    }
}

/// Significand from 1/2 to below 1, and exponent; only for finite numbers but zero.
pub(crate) fn fraction_and_exponent(f: Format, x: Number) -> (u64, i32) {
    let length = 128 - x.m.leading_zeros() as i32;
    (round(f, Number { e: -length, ..x }, false), x.e + length)
}

#[test]
fn the_soft_float_gives_bits_worked_out_by_hand() {
    // 1 + 2^-24 is a tie and goes to the even 1; with the bit above it goes up.
    assert_eq!(add(F32, 0x3f80_0000, 0x3380_0000), 0x3f80_0000);
    assert_eq!(add(F32, 0x3f80_0001, 0x3380_0000), 0x3f80_0002);
    // The largest number and half its last place: a tie, to infinity.
    assert_eq!(add(F32, 0x7f7f_ffff, 0x7300_0000), 0x7f80_0000);
    assert_eq!(add(F32, 0x7f7f_ffff, 0x72ff_ffff), 0x7f7f_ffff);
    assert_eq!(sub(F32, 0x3f80_0000, 0x3f80_0000), 0);
    assert_eq!(add(F32, 0x8000_0000, 0x8000_0000), 0x8000_0000);
    // Smallest normal minus smallest denormal is the largest denormal.
    assert_eq!(sub(F32, 0x0080_0000, 1), 0x007f_ffff);
    assert_eq!(mul(F32, 0x3fc0_0000, 0x4040_0000), 0x4090_0000); // 1.5 * 3 = 4.5
    // 2^-75 squared is a tie with the smallest denormal and goes to 0; (2^-75 * 1.0000001) * 2^-75 does not.
    assert_eq!(mul(F32, 0x1a00_0000, 0x1a00_0000), 0);
    assert_eq!(mul(F32, 0x1a00_0001, 0x1a00_0000), 1);
    assert_eq!(div(F32, 0x3f80_0000, 0x4040_0000), 0x3eaa_aaab); // 1 / 3
    assert_eq!(div(F64, 0x3ff0_0000_0000_0000, 0x4008_0000_0000_0000), 0x3fd5_5555_5555_5555);
    assert_eq!(sqrt(F32, 0x4000_0000), 0x3fb5_04f3);
    assert_eq!(sqrt(F64, 0x4000_0000_0000_0000), 0x3ff6_a09e_667f_3bcd);
    assert_eq!(sqrt(F32, 0x4110_0000), 0x4040_0000); // 9
    // (1 + 2^-23)^2 - (1 + 2^-22) is exactly 2^-46, which two roundings lose.
    assert_eq!(fma(F32, 0x3f80_0001, 0x3f80_0001, 0xbf80_0002), 0x2880_0000);
    assert_eq!(rem(F32, 0x40b0_0000, 0x4000_0000), 0x3fc0_0000); // 5.5 % 2 = 1.5
    assert_eq!(remainder(F32, 0x40b0_0000, 0x4000_0000), 0xbf00_0000); // nearest quotient 3: -0.5
    assert_eq!(remainder(F32, 0x40a0_0000, 0x4000_0000), 0x3f80_0000); // 5 / 2 ties to 2: 1
    assert_eq!(to_integral(F32, 0x4020_0000, Towards::NearestEven), 0x4000_0000); // 2.5
    assert_eq!(to_integral(F32, 0x4020_0000, Towards::NearestAway), 0x4040_0000);
    assert_eq!(to_integral(F32, 0xbf00_0000, Towards::Up), 0x8000_0000); // -0.5
    assert_eq!(from_integer(F32, 16_777_217), 0x4b80_0000); // 2^24 + 1
    assert_eq!(to_integer(F32, 0xcf00_0001, -(1 << 31), (1 << 31) - 1), -(1 << 31));
    assert_eq!(convert(F32, F16, 0x477f_efff), 0x7bff); // just below 65520
    assert_eq!(convert(F32, F16, 0x477f_f000), 0x7c00); // 65520
    assert_eq!(convert(F64, F32, 0x3690_0000_0000_0000), 0); // 2^-150
    assert_eq!(convert(F64, F32, 0x3690_0000_0000_0001), 1);
}
