//! The op table: one row for each pure operation. The parent module describes the parts of a row.
//!
//! Syntax of a row: doc sentence; `Variant "name" (argument: slot, ..) -> slot`; `widths` of the
//! common width; `each` or `whole`; accuracy in Relaxed; oracles; then the meaning for each class
//! of scalars. A slot is `T` or a scalar's name, followed by `@n` if its width is not the common
//! one. In the code of an *each* row an argument is one component; in a *whole* row it is `[_; 4]`,
//! and `n` is the common width.

use super::bits::{self, ScalarBits};
use super::float::{self, Float};
use super::integer::{self, Integer};
use super::{Each, Lanes, OpRow, OperandSlot, Oracle, Relaxed, SlotScalar, SlotWidth, WholeMeaning};
use super::{geometry, pack};
use crate::types::Scalar;

/// Names of scalars as used in slots.
#[allow(dead_code, reason = "a row need not use every scalar's name")]
mod slots {
    pub(super) type Bool = bool;
    pub(super) type I32 = i32;
    pub(super) type U32 = u32;
    pub(super) type I64 = i64;
    pub(super) type U64 = u64;
    pub(super) type F32 = f32;
    pub(super) type F64 = f64;
}
use slots::{Bool, F32, F64, I32, I64, U32, U64};

/// Calls `$then! { $scalar $type; ... }` for each scalar of a class.
macro_rules! for_class {
    (any, $t:ident, $body:expr) => { for_class!(bool, $t, $body); for_class!(number, $t, $body); };
    (number, $t:ident, $body:expr) => { for_class!(int, $t, $body); for_class!(float, $t, $body); };
    (bits, $t:ident, $body:expr) => { for_class!(bool, $t, $body); for_class!(int, $t, $body); };
    (int, $t:ident, $body:expr) => { for_class!(signed, $t, $body); for_class!(unsigned, $t, $body); };
    (signed, $t:ident, $body:expr) => { for_class!(i32, $t, $body); for_class!(i64, $t, $body); };
    (unsigned, $t:ident, $body:expr) => { for_class!(u32, $t, $body); for_class!(u64, $t, $body); };
    (signed_or_float, $t:ident, $body:expr) => { for_class!(signed, $t, $body); for_class!(float, $t, $body); };
    (word, $t:ident, $body:expr) => { for_class!(i32, $t, $body); for_class!(u32, $t, $body); for_class!(f32, $t, $body); };
    (double_word, $t:ident, $body:expr) => { for_class!(i64, $t, $body); for_class!(u64, $t, $body); for_class!(f64, $t, $body); };
    (float, $t:ident, $body:expr) => { for_class!(f32, $t, $body); for_class!(f64, $t, $body); };
    (bool, $t:ident, $body:expr) => { for_class!(@ Bool bool, $t, $body); };
    (i32, $t:ident, $body:expr) => { for_class!(@ I32 i32, $t, $body); };
    (u32, $t:ident, $body:expr) => { for_class!(@ U32 u32, $t, $body); };
    (i64, $t:ident, $body:expr) => { for_class!(@ I64 i64, $t, $body); };
    (u64, $t:ident, $body:expr) => { for_class!(@ U64 u64, $t, $body); };
    (f32, $t:ident, $body:expr) => { for_class!(@ F32 f32, $t, $body); };
    (f64, $t:ident, $body:expr) => { for_class!(@ F64 f64, $t, $body); };
    // A row without `T`: the component type of its result selects its one meaning.
    (fixed, $t:ident, $body:expr) => { if Scalar::ALL.contains(&$t) { return Some($body); } };
    (@ $scalar:ident $type:ty, $t:ident, $body:expr) => {
        if $t == Scalar::$scalar {
            #[allow(dead_code, reason = "a meaning need not name its type")]
            type T = $type;
            return Some($body);
        }
    };
}

/// The scalars of a class, as data.
macro_rules! class {
    (none) => {
        &[]
    };
    (any) => {
        &[Scalar::Bool, Scalar::I32, Scalar::U32, Scalar::I64, Scalar::U64, Scalar::F32, Scalar::F64]
    };
    (number) => {
        &[Scalar::I32, Scalar::U32, Scalar::I64, Scalar::U64, Scalar::F32, Scalar::F64]
    };
    (bits) => {
        &[Scalar::Bool, Scalar::I32, Scalar::U32, Scalar::I64, Scalar::U64]
    };
    (int) => {
        &[Scalar::I32, Scalar::U32, Scalar::I64, Scalar::U64]
    };
    (signed_or_float) => {
        &[Scalar::I32, Scalar::I64, Scalar::F32, Scalar::F64]
    };
    (float) => {
        &[Scalar::F32, Scalar::F64]
    };
    (word) => {
        &[Scalar::I32, Scalar::U32, Scalar::F32]
    };
    (double_word) => {
        &[Scalar::I64, Scalar::U64, Scalar::F64]
    };
}

/// A slot, as data.
macro_rules! slot {
    ($name:expr, $scalar:ident) => { OperandSlot { name: $name, scalar: slot!(@ $scalar), width: SlotWidth::Common } };
    ($name:expr, $scalar:ident $n:literal) => { OperandSlot { name: $name, scalar: slot!(@ $scalar), width: SlotWidth::Exactly($n) } };
    (@ T) => { SlotScalar::T };
    (@ $scalar:ident) => { SlotScalar::Fixed(Scalar::$scalar) };
}

macro_rules! slots {
    (($($arg:ident: $scalar:ident $(@ $n:literal)?),*)) => { &[$(slot!(stringify!($arg), $scalar $($n)?)),*] };
}

/// Names the arguments of an *each* row, one component each.
macro_rules! components {
    ($x:ident, $i:ident, ($($arg:ident: $scalar:ident $(@ $n:literal)?),*)) => {
        $(let $arg: $scalar = ScalarBits::from_bits($x[$i]); $i += 1;)*
    };
}

/// Names the arguments of a *whole* row, four components each.
macro_rules! vectors {
    ($x:ident, $i:ident, ($($arg:ident: $scalar:ident $(@ $n:literal)?),*)) => {
        $(let $arg: [$scalar; 4] = $x[$i].map(ScalarBits::from_bits); $i += 1;)*
    };
}

macro_rules! each_meaning {
    (each, $t:ident, $args:tt, $result:ident, $($class:ident => $body:expr;)*) => {{
        $(for_class!($class, $t, |x: [u64; 4]| {
            let mut i = 0;
            components!(x, i, $args);
            debug_assert!(i <= 4);
            let result: $result = $body;
            ScalarBits::to_bits(result)
        });)*
        None
    }};
    ($whole:ident, $($rest:tt)*) => { None };
}

macro_rules! whole_meaning {
    (each, $($rest:tt)*) => { None };
    ($n:ident, $t:ident, $args:tt, $result:ident, $($class:ident => $body:expr;)*) => {{
        $(for_class!($class, $t, |x: [Lanes; 4], width: usize| {
            let $n = width;
            debug_assert!($n <= 4);
            let mut i = 0;
            vectors!(x, i, $args);
            debug_assert!(i <= 4);
            let result: [$result; 4] = $body;
            result.map(ScalarBits::to_bits)
        });)*
        None
    }};
}

macro_rules! is_each {
    (each) => {
        true
    };
    ($n:ident) => {
        false
    };
}

macro_rules! ops {
    ($(
        $(#[doc = $doc:literal])+
        $variant:ident $name:literal <$class:ident> $args:tt -> $result:ident $(@ $rn:literal)?; $lo:literal..=$hi:literal; $kind:ident; $relaxed:expr;
        $($oracle:ident)+ { $($mclass:ident => $body:expr;)* }
    )*) => {
        /// A pure operation: names a row of the table.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Op {
            $($(#[doc = $doc])+ $variant,)*
        }

        impl Op {
            /// The table.
            pub const ROWS: &'static [OpRow] = &[$(OpRow {
                op: Op::$variant,
                name: $name,
                doc: concat!($($doc),+),
                class: class!($class),
                args: slots!($args),
                result: slot!("", $result $($rn)?),
                widths: ($lo, $hi),
                each: is_each!($kind),
                relaxed: $relaxed,
                oracles: &[$(Oracle::$oracle),+],
            }),*];

            /// The meaning of an *each* row for a scalar; nothing for other rows and other scalars.
            pub fn each(self, t: Scalar) -> Option<Each> {
                match self {
                    $(Op::$variant => each_meaning!($kind, t, $args, $result, $($mclass => $body;)*),)*
                }
            }

            /// The meaning of a *whole* row for a scalar; nothing for other rows and other scalars.
            pub fn whole(self, t: Scalar) -> Option<WholeMeaning> {
                match self {
                    $(Op::$variant => whole_meaning!($kind, t, $args, $result, $($mclass => $body;)*),)*
                }
            }
        }
    };
}

ops! {
    // Arithmetic. page.rs names the first row of each group.

    /// Sum. Integers wrap. Floats round to nearest even; inf + -inf is NaN; x + -x is +0, -0 + -0 is -0.
    Add "add" <number> (a: T, b: T) -> T; 1..=4; each; Relaxed::Contracted; I128 SoftFloat {
        int => a.wrapping_add(b);
        float => a + b;
    }

    /// Difference. Integers wrap. Floats as `a + -b`.
    Sub "sub" <number> (a: T, b: T) -> T; 1..=4; each; Relaxed::Contracted; I128 SoftFloat {
        int => a.wrapping_sub(b);
        float => a - b;
    }

    /// Product. Integers wrap. Floats round to nearest even; 0 * inf is NaN; a zero has the sign of the operands' signs multiplied.
    Mul "mul" <number> (a: T, b: T) -> T; 1..=4; each; Relaxed::Contracted; I128 SoftFloat {
        int => a.wrapping_mul(b);
        float => a * b;
    }

    /// Quotient. Integers truncate towards zero; x / 0 is x, MIN / -1 is MIN. Floats round to nearest even; x / 0 is an infinity, 0 / 0 is NaN.
    Div "div" <number> (a: T, b: T) -> T; 1..=4; each; Relaxed::Ulp(2.5); I128 SoftFloat {
        int => if b == 0 { a } else { a.wrapping_div(b) };
        float => a / b;
    }

    /// Remainder of the quotient truncated towards zero, with the sign of `a`. Integers: x % 0 is 0, MIN % -1 is 0. Floats: exact, as C's `fmod`; a zero
    /// has the sign of `a`; x % inf is x; x % 0 and inf % x are NaN. In Relaxed it may be `a - b * trunc(a / b)` in steps.
    Rem "rem" <number> (a: T, b: T) -> T; 1..=4; each; Relaxed::Contracted; I128 SoftFloat {
        int => if b == 0 { 0 } else { a.wrapping_rem(b) };
        float => a % b;
    }

    /// Negation. Integers wrap: -MIN is MIN. Floats: the sign bit flips, of zero and NaN too.
    Neg "neg" <signed_or_float> (x: T) -> T; 1..=4; each; Relaxed::Exact; I128 BitLoop {
        signed => x.wrapping_neg();
        float => -x;
    }

    /// Size without sign. Integers wrap: abs(MIN) is MIN. Floats: the sign bit is cleared, of zero and NaN too.
    Abs "abs" <signed_or_float> (x: T) -> T; 1..=4; each; Relaxed::Exact; I128 BitLoop {
        signed => x.wrapping_abs();
        float => x.abs();
    }

    /// -1, 0 or 1 as `x` is below, at or above zero. Floats: the sign of -0 is -0, of NaN is NaN.
    Sign "sign" <signed_or_float> (x: T) -> T; 1..=4; each; Relaxed::Exact; I128 Ordering {
        signed => x.signum();
        float => float::sign(x);
    }

    /// 1 with the sign of `x`: 1 for +0, -1 for -0. NaN gives NaN.
    Signum "signum" <float> (x: T) -> T; 1..=4; each; Relaxed::Exact; Ordering {
        float => float::signum(x);
    }

    /// The smaller. Floats: the number when one side is NaN, NaN when both are; min(-0, +0) is -0 in either order.
    Min "min" <number> (a: T, b: T) -> T; 1..=4; each; Relaxed::Exact; I128 Ordering {
        int => a.min(b);
        float => float::min(a, b);
    }

    /// The larger. Floats: the number when one side is NaN, NaN when both are; max(-0, +0) is +0 in either order.
    Max "max" <number> (a: T, b: T) -> T; 1..=4; each; Relaxed::Exact; I128 Ordering {
        int => a.max(b);
        float => float::max(a, b);
    }

    /// `min(max(x, lo), hi)`, also when `lo` is above `hi` (then `hi`) and for NaN (a NaN `x` gives `min(lo, hi)`, a NaN bound does not bound).
    Clamp "clamp" <number> (x: T, lo: T, hi: T) -> T; 1..=4; each; Relaxed::Exact; I128 Ordering {
        int => x.max(lo).min(hi);
        float => float::min(float::max(x, lo), hi);
    }

    /// `a * b + c` rounded once, to nearest even. 0 * inf is NaN whatever `c` is; the sum of the product and `c` has the zeros of `add`.
    Fma "fma" <float> (a: T, b: T, c: T) -> T; 1..=4; each; Relaxed::Contracted; SoftFloat {
        float => a.mul_add(b, c);
    }

    /// `a * b + c`. Integers wrap. Floats round once: the same as `fma`.
    Mad "mad" <number> (a: T, b: T, c: T) -> T; 1..=4; each; Relaxed::Contracted; I128 SoftFloat {
        int => a.wrapping_mul(b).wrapping_add(c);
        float => a.mul_add(b, c);
    }

    /// The high half of the product in twice the width.
    MulHi "mul_hi" <int> (a: T, b: T) -> T; 1..=4; each; Relaxed::Exact; BitLoop {
        int => Integer::mul_hi(a, b);
    }

    /// Sum, or the end of the range that it passes.
    AddSat "add_sat" <int> (a: T, b: T) -> T; 1..=4; each; Relaxed::Exact; I128 {
        int => a.saturating_add(b);
    }

    /// Difference, or the end of the range that it passes; for unsigned integers that is 0.
    SubSat "sub_sat" <int> (a: T, b: T) -> T; 1..=4; each; Relaxed::Exact; I128 {
        int => a.saturating_sub(b);
    }

    /// Product, or the end of the range that it passes.
    MulSat "mul_sat" <int> (a: T, b: T) -> T; 1..=4; each; Relaxed::Exact; I128 {
        int => a.saturating_mul(b);
    }

    /// The distance of `a` and `b`. For signed integers it may not fit and wraps: the bits are those of the unsigned distance.
    AbsDiff "abs_diff" <int> (a: T, b: T) -> T; 1..=4; each; Relaxed::Exact; I128 {
        int => a.abs_diff(b) as T;
    }

    /// The quotient whose remainder is not negative. x / 0 is x, MIN / -1 is MIN.
    DivEuclid "div_euclid" <int> (a: T, b: T) -> T; 1..=4; each; Relaxed::Exact; I128 {
        int => if b == 0 { a } else { a.wrapping_div_euclid(b) };
    }

    /// The remainder that is not negative. x % 0 is 0, MIN % -1 is 0.
    RemEuclid "rem_euclid" <int> (a: T, b: T) -> T; 1..=4; each; Relaxed::Exact; I128 {
        int => if b == 0 { 0 } else { a.wrapping_rem_euclid(b) };
    }

    /// `a` to the power `n`, wrapping; anything to the power 0 is 1.
    Ipow "ipow" <int> (a: T, n: U32) -> T; 1..=4; each; Relaxed::Exact; I128 {
        int => a.wrapping_pow(n);
    }

    /// The largest integer whose square is not above `x`; of a negative `x`, 0.
    Isqrt "isqrt" <int> (x: T) -> T; 1..=4; each; Relaxed::Exact; I128 {
        signed => x.checked_isqrt().unwrap_or(0);
        unsigned => x.isqrt();
    }

    /// Does the sum leave the range?
    AddOverflows "add_overflows" <int> (a: T, b: T) -> Bool; 1..=4; each; Relaxed::Exact; I128 {
        int => a.overflowing_add(b).1;
    }

    /// Does the difference leave the range?
    SubOverflows "sub_overflows" <int> (a: T, b: T) -> Bool; 1..=4; each; Relaxed::Exact; I128 {
        int => a.overflowing_sub(b).1;
    }

    /// Does the product leave the range?
    MulOverflows "mul_overflows" <int> (a: T, b: T) -> Bool; 1..=4; each; Relaxed::Exact; I128 {
        int => a.overflowing_mul(b).1;
    }

    // Floats.

    /// The largest integer not above `x`. Exact; the sign of zero, infinities and NaN stay.
    Floor "floor" <float> (x: T) -> T; 1..=4; each; Relaxed::Exact; SoftFloat {
        float => x.floor();
    }

    /// The smallest integer not below `x`. Exact; above -1 and below 0 it is -0; the sign of zero, infinities and NaN stay.
    Ceil "ceil" <float> (x: T) -> T; 1..=4; each; Relaxed::Exact; SoftFloat {
        float => x.ceil();
    }

    /// The integer part. Exact; a zero has the sign of `x`; infinities and NaN stay.
    Trunc "trunc" <float> (x: T) -> T; 1..=4; each; Relaxed::Exact; SoftFloat {
        float => x.trunc();
    }

    /// The nearest integer, halves away from zero. Exact; a zero has the sign of `x`; infinities and NaN stay.
    Round "round" <float> (x: T) -> T; 1..=4; each; Relaxed::Exact; SoftFloat {
        float => x.round();
    }

    /// The nearest integer, halves to the even one. Exact; a zero has the sign of `x`; infinities and NaN stay.
    RoundEven "round_even" <float> (x: T) -> T; 1..=4; each; Relaxed::Exact; SoftFloat {
        float => x.round_ties_even();
    }

    /// `x - floor(x)`, rounded once: never negative, and 1 for negative numbers close to zero. +0 for integers and -0; NaN for infinities and NaN.
    Fract "fract" <float> (x: T) -> T; 1..=4; each; Relaxed::Ulp(1.0); Composed {
        float => float::fract(x);
    }

    /// `x - trunc(x)`, exact, with the sign of `x`, also when it is zero. A zero with that sign for infinities; NaN for NaN.
    ModfFract "modf_fract" <float> (x: T) -> T; 1..=4; each; Relaxed::Exact; SoftFloat {
        float => float::modf_fract(x);
    }

    /// The integer part: the same as `trunc`.
    ModfWhole "modf_whole" <float> (x: T) -> T; 1..=4; each; Relaxed::Exact; SoftFloat {
        float => x.trunc();
    }

    /// The `f` of x = f * 2^e with f from 1/2 to below 1 in size; `frexp_exp` is the e. Denormals as if normalised. Zeros, infinities and NaN stay.
    FrexpFract "frexp_fract" <float> (x: T) -> T; 1..=4; each; Relaxed::Exact; SoftFloat {
        float => float::frexp(x).0;
    }

    /// The exponent that belongs to `frexp_fract`; 0 for zeros, infinities and NaN.
    FrexpExp "frexp_exp" <float> (x: T) -> I32; 1..=4; each; Relaxed::Exact; SoftFloat {
        float => float::frexp(x).1;
    }

    /// `x * 2^e`, rounded once to nearest even, into denormals too; beyond the range an infinity or a zero with the sign of `x`. Zeros, infinities and NaN
    /// stay.
    Ldexp "ldexp" <float> (x: T, e: I32) -> T; 1..=4; each; Relaxed::Exact; SoftFloat {
        float => float::ldexp(x, e);
    }

    /// The exponent: the largest e with 2^e not above the size of `x`. Denormals as if normalised. -2147483648 for zeros and NaN, 2147483647 for infinities.
    Ilogb "ilogb" <float> (x: T) -> I32; 1..=4; each; Relaxed::Exact; SoftFloat {
        float => float::ilogb(x);
    }

    /// Square root, rounded to nearest even. sqrt(-0) is -0; below zero it is NaN.
    Sqrt "sqrt" <float> (x: T) -> T; 1..=4; each; Relaxed::Ulp(3.0); SoftFloat {
        float => x.sqrt();
    }

    /// `1 / x`, rounded to nearest even. Of a zero the infinity with its sign, of an infinity the zero with its sign; it may overflow for denormals.
    Rcp "rcp" <float> (x: T) -> T; 1..=4; each; Relaxed::Ulp(2.5); SoftFloat {
        float => 1.0 / x;
    }

    /// `x` with the sign bit of `s`, bit for bit; the sign bit of a NaN `s`, which is not specified, counts too.
    Copysign "copysign" <float> (x: T, s: T) -> T; 1..=4; each; Relaxed::Exact; BitLoop {
        float => x.copysign(s);
    }

    /// `x - y` rounded to nearest even where `x` is above `y`, else +0. NaN when either is NaN.
    Fdim "fdim" <float> (x: T, y: T) -> T; 1..=4; each; Relaxed::Exact; SoftFloat {
        float => float::fdim(x, y);
    }

    /// `x - q * y` with q the integer nearest to x / y, halves to even: IEEE 754's remainder, exact. A zero has the sign of `x`; x by inf is x; x by 0 and
    /// inf by y are NaN. In Relaxed it may be `x - y * round_even(x / y)` in steps.
    Remainder "remainder" <float> (x: T, y: T) -> T; 1..=4; each; Relaxed::Contracted; SoftFloat {
        float => float::remainder(x, y);
    }

    /// The next number above. The zeros count as one number: above both is the smallest denormal, and above its negative is -0. Infinity and NaN stay.
    NextUp "next_up" <float> (x: T) -> T; 1..=4; each; Relaxed::Exact; Ordering {
        float => x.next_up();
    }

    /// The next number below. The zeros count as one number: below both is the negative smallest denormal, and below its negative is +0. -inf and NaN stay.
    NextDown "next_down" <float> (x: T) -> T; 1..=4; each; Relaxed::Exact; Ordering {
        float => x.next_down();
    }

    /// Is it NaN, quiet or signalling?
    IsNan "is_nan" <float> (x: T) -> Bool; 1..=4; each; Relaxed::Exact; Ordering {
        float => x.is_nan();
    }

    /// Is it an infinity?
    IsInf "is_inf" <float> (x: T) -> Bool; 1..=4; each; Relaxed::Exact; Ordering {
        float => x.is_infinite();
    }

    /// Neither an infinity nor NaN?
    IsFinite "is_finite" <float> (x: T) -> Bool; 1..=4; each; Relaxed::Exact; Ordering {
        float => x.is_finite();
    }

    /// Neither zero, denormal, infinite nor NaN?
    IsNormal "is_normal" <float> (x: T) -> Bool; 1..=4; each; Relaxed::Exact; Ordering {
        float => x.is_normal();
    }

    /// Is it a denormal number? Zero is none.
    IsSubnormal "is_subnormal" <float> (x: T) -> Bool; 1..=4; each; Relaxed::Exact; Ordering {
        float => x.is_subnormal();
    }

    /// Is the sign bit set? It is for -0. Of a NaN it is what the bits say, which is not specified.
    SignBit "sign_bit" <float> (x: T) -> Bool; 1..=4; each; Relaxed::Exact; BitLoop {
        float => x.is_sign_negative();
    }

    /// IEEE 754's total order: -1, 0 or 1 as `a` is below, at or above `b`. From below: negative NaNs, -inf, numbers with -0 before +0, inf, positive NaNs.
    /// NaNs go by their bits.
    TotalCmp "total_cmp" <float> (a: T, b: T) -> I32; 1..=4; each; Relaxed::Exact; Ordering {
        float => a.total_cmp(&b) as i32;
    }

    /// `x` held to 0 and 1: `min(max(x, 0), 1)`. NaN gives +0, and so does -0.
    Saturate "saturate" <float> (x: T) -> T; 1..=4; each; Relaxed::Exact; Ordering {
        float => float::saturate(x);
    }

    /// 1 where `x` is at or above `edge`, else +0. -0 and +0 are equal; 0 when either is NaN.
    Step "step" <float> (edge: T, x: T) -> T; 1..=4; each; Relaxed::Exact; Ordering {
        float => if x >= edge { 1.0 } else { 0.0 };
    }

    /// `t * t * (3 - 2 * t)` with `t = saturate((x - lo) / (hi - lo))`, from left to right, each step rounded. A NaN quotient (as from lo = hi = x) counts
    /// as 0; other x with lo = hi give 0 or 1.
    Smoothstep "smoothstep" <float> (lo: T, hi: T, x: T) -> T; 1..=4; each; Relaxed::Contracted; Composed {
        float => float::smoothstep(lo, hi, x);
    }

    /// `a * (1 - t) + b * t`, each step rounded. NaN from inf * 0 as these steps give it; `t` is not held to 0 and 1.
    Mix "mix" <float> (a: T, b: T, t: T) -> T; 1..=4; each; Relaxed::Contracted; Composed {
        float => float::mix(a, b, t);
    }

    /// Degrees to radians: `x` times the number of the format nearest to pi/180, rounded to nearest even, into denormals too.
    Radians "radians" <float> (x: T) -> T; 1..=4; each; Relaxed::Ulp(2.0); Composed {
        float => x * T::RADIANS;
    }

    /// Radians to degrees: `x` times the number of the format nearest to 180/pi, rounded to nearest even; it may overflow.
    Degrees "degrees" <float> (x: T) -> T; 1..=4; each; Relaxed::Ulp(2.0); Composed {
        float => x * T::DEGREES;
    }

    // Comparison.

    /// Is `a` equal to `b`? False when either is NaN; -0 equals +0.
    Eq "eq" <any> (a: T, b: T) -> Bool; 1..=4; each; Relaxed::Exact; I128 Ordering {
        any => a == b;
    }

    /// Are `a` and `b` different? True when either is NaN; -0 equals +0.
    Ne "ne" <any> (a: T, b: T) -> Bool; 1..=4; each; Relaxed::Exact; I128 Ordering {
        any => a != b;
    }

    /// Is `a` below `b`? False when either is NaN; -0 is not below +0; false is below true.
    Lt "lt" <any> (a: T, b: T) -> Bool; 1..=4; each; Relaxed::Exact; I128 Ordering {
        any => matches!(a.partial_cmp(&b), Some(std::cmp::Ordering::Less));
    }

    /// Is `a` below or equal to `b`? False when either is NaN; -0 equals +0; false is below true.
    Le "le" <any> (a: T, b: T) -> Bool; 1..=4; each; Relaxed::Exact; I128 Ordering {
        any => matches!(a.partial_cmp(&b), Some(std::cmp::Ordering::Less | std::cmp::Ordering::Equal));
    }

    /// Is `a` above `b`? False when either is NaN; +0 is not above -0; true is above false.
    Gt "gt" <any> (a: T, b: T) -> Bool; 1..=4; each; Relaxed::Exact; I128 Ordering {
        any => matches!(a.partial_cmp(&b), Some(std::cmp::Ordering::Greater));
    }

    /// Is `a` above or equal to `b`? False when either is NaN; -0 equals +0; true is above false.
    Ge "ge" <any> (a: T, b: T) -> Bool; 1..=4; each; Relaxed::Exact; I128 Ordering {
        any => matches!(a.partial_cmp(&b), Some(std::cmp::Ordering::Greater | std::cmp::Ordering::Equal));
    }

    // Choice.

    /// `a` where the condition is true, else `b`, component by component. NaN bits pass through.
    Select "select" <any> (condition: Bool, a: T, b: T) -> T; 1..=4; each; Relaxed::Exact; BitLoop {
        any => if condition { a } else { b };
    }

    /// Is any component true?
    Any "any" <none> (a: Bool) -> Bool@1; 2..=4; n; Relaxed::Exact; BitLoop {
        fixed => bits::one(a[..n].iter().any(|&component| component));
    }

    /// Are all components true?
    All "all" <none> (a: Bool) -> Bool@1; 2..=4; n; Relaxed::Exact; BitLoop {
        fixed => bits::one(a[..n].iter().all(|&component| component));
    }

    // Bits.

    /// Bits that are set in both. Of truth values: are both true?
    And "and" <bits> (a: T, b: T) -> T; 1..=4; each; Relaxed::Exact; BitLoop {
        bits => a & b;
    }

    /// Bits that are set in one or both. Of truth values: is one or both true?
    Or "or" <bits> (a: T, b: T) -> T; 1..=4; each; Relaxed::Exact; BitLoop {
        bits => a | b;
    }

    /// Bits that are set in exactly one. Of truth values: do they differ?
    Xor "xor" <bits> (a: T, b: T) -> T; 1..=4; each; Relaxed::Exact; BitLoop {
        bits => a ^ b;
    }

    /// All bits flipped. Of a truth value: the other one.
    Not "not" <bits> (x: T) -> T; 1..=4; each; Relaxed::Exact; BitLoop {
        bits => !x;
    }

    /// Bits moved up by `n` modulo the width; zeros come in, what leaves is lost.
    Shl "shl" <int> (a: T, n: U32) -> T; 1..=4; each; Relaxed::Exact; BitLoop {
        int => a.wrapping_shl(n);
    }

    /// Bits moved down by `n` modulo the width; copies of the sign come in for signed integers, zeros for unsigned ones.
    Shr "shr" <int> (a: T, n: U32) -> T; 1..=4; each; Relaxed::Exact; BitLoop {
        int => a.wrapping_shr(n);
    }

    /// Bits moved up by `n` modulo the width; what leaves comes in below.
    Rotl "rotl" <int> (a: T, n: U32) -> T; 1..=4; each; Relaxed::Exact; BitLoop {
        int => a.rotate_left(n % T::BITS);
    }

    /// Bits moved down by `n` modulo the width; what leaves comes in above.
    Rotr "rotr" <int> (a: T, n: U32) -> T; 1..=4; each; Relaxed::Exact; BitLoop {
        int => a.rotate_right(n % T::BITS);
    }

    /// How many bits are set.
    CountOnes "count_ones" <int> (x: T) -> U32; 1..=4; each; Relaxed::Exact; BitLoop {
        int => x.count_ones();
    }

    /// How many zeros stand above the highest set bit; the width if none is set.
    LeadingZeros "leading_zeros" <int> (x: T) -> U32; 1..=4; each; Relaxed::Exact; BitLoop {
        int => x.leading_zeros();
    }

    /// How many zeros stand below the lowest set bit; the width if none is set.
    TrailingZeros "trailing_zeros" <int> (x: T) -> U32; 1..=4; each; Relaxed::Exact; BitLoop {
        int => x.trailing_zeros();
    }

    /// Position of the highest set bit, or for negative signed integers of the highest zero; all ones (-1) if there is none. WGSL's `firstLeadingBit`.
    FirstHigh "first_high" <int> (x: T) -> T; 1..=4; each; Relaxed::Exact; BitLoop {
        int => integer::first_high(x);
    }

    /// Position of the lowest set bit; all ones (-1) if there is none. WGSL's `firstTrailingBit`.
    FirstLow "first_low" <int> (x: T) -> T; 1..=4; each; Relaxed::Exact; BitLoop {
        int => integer::first_low(x);
    }

    /// Bits in the opposite order.
    ReverseBits "reverse_bits" <int> (x: T) -> T; 1..=4; each; Relaxed::Exact; BitLoop {
        int => x.reverse_bits();
    }

    /// Bytes in the opposite order.
    SwapBytes "swap_bytes" <int> (x: T) -> T; 1..=4; each; Relaxed::Exact; BitLoop {
        int => x.swap_bytes();
    }

    /// `count` bits of `e` from bit `offset` on, sign-extended for signed integers. As in WGSL the offset is held to the width, then the count to what is
    /// left above it; 0 bits give 0.
    ExtractBits "extract_bits" <int> (e: T, offset: U32, count: U32) -> T; 1..=4; each; Relaxed::Exact; BitLoop {
        int => integer::extract_bits(e, offset, count);
    }

    /// `e` with `count` bits from bit `offset` on replaced by the lowest bits of `new`. Offset and count are held as in `extract_bits`.
    InsertBits "insert_bits" <int> (e: T, new: T, offset: U32, count: U32) -> T; 1..=4; each; Relaxed::Exact; BitLoop {
        int => integer::insert_bits(e, new, offset, count);
    }

    // Conversions.

    /// Integers keep their low 32 bits; floats truncate towards zero and saturate, NaN gives 0; true is 1.
    ToI32 "to_i32" <any> (x: T) -> I32; 1..=4; each; Relaxed::Exact; I128 SoftFloat {
        any => x as i32;
    }

    /// Integers keep their low 32 bits; floats truncate towards zero and saturate (below 0 to 0), NaN gives 0; true is 1.
    ToU32 "to_u32" <any> (x: T) -> U32; 1..=4; each; Relaxed::Exact; I128 SoftFloat {
        any => x as u32;
    }

    /// Integers keep their value modulo 2^64, i32 with its sign; floats truncate towards zero and saturate, NaN gives 0; true is 1.
    ToI64 "to_i64" <any> (x: T) -> I64; 1..=4; each; Relaxed::Exact; I128 SoftFloat {
        any => x as i64;
    }

    /// Integers keep their value modulo 2^64, i32 with its sign; floats truncate towards zero and saturate (below 0 to 0), NaN gives 0; true is 1.
    ToU64 "to_u64" <any> (x: T) -> U64; 1..=4; each; Relaxed::Exact; I128 SoftFloat {
        any => x as u64;
    }

    /// Nearest even. f64 beyond the range gives an infinity, and denormals are rounded once; the sign of zero stays; NaN gives NaN. Integer 0 is +0; true is 1.
    ToF32 "to_f32" <any> (x: T) -> F32; 1..=4; each; Relaxed::Exact; SoftFloat {
        bool => if x { 1.0 } else { 0.0 };
        number => x as f32;
    }

    /// Nearest even for 64-bit integers, exact for the rest, denormals too; the sign of zero stays; NaN gives NaN. Integer 0 is +0; true is 1.
    ToF64 "to_f64" <any> (x: T) -> F64; 1..=4; each; Relaxed::Exact; SoftFloat {
        bool => if x { 1.0 } else { 0.0 };
        number => x as f64;
    }

    /// The low 8 bits, sign-extended: what storing as `i8` keeps.
    WrapI8 "wrap_i8" <none> (x: I32) -> I32; 1..=4; each; Relaxed::Exact; I128 {
        fixed => i32::from(x as i8);
    }

    /// The low 16 bits, sign-extended: what storing as `i16` keeps.
    WrapI16 "wrap_i16" <none> (x: I32) -> I32; 1..=4; each; Relaxed::Exact; I128 {
        fixed => i32::from(x as i16);
    }

    /// The low 8 bits: what storing as `u8` keeps.
    WrapU8 "wrap_u8" <none> (x: U32) -> U32; 1..=4; each; Relaxed::Exact; I128 {
        fixed => u32::from(x as u8);
    }

    /// The low 16 bits: what storing as `u16` keeps.
    WrapU16 "wrap_u16" <none> (x: U32) -> U32; 1..=4; each; Relaxed::Exact; I128 {
        fixed => u32::from(x as u16);
    }

    /// The nearest binary16, ties to even, into its denormals too; from 65520 on an infinity. The sign of zero stays; NaN gives NaN. What storing as `f16` keeps.
    QuantizeF16 "quantize_f16" <none> (x: F32) -> F32; 1..=4; each; Relaxed::Exact; SoftFloat {
        fixed => pack::from_half(pack::to_half(x));
    }

    /// The same 32 bits as `i32`.
    BitcastI32 "bitcast_i32" <word> (x: T) -> I32; 1..=4; each; Relaxed::Exact; BitLoop {
        word => ScalarBits::from_bits(ScalarBits::to_bits(x));
    }

    /// The same 32 bits as `u32`. Of a NaN they are not specified.
    BitcastU32 "bitcast_u32" <word> (x: T) -> U32; 1..=4; each; Relaxed::Exact; BitLoop {
        word => ScalarBits::from_bits(ScalarBits::to_bits(x));
    }

    /// The same 32 bits as `f32`.
    BitcastF32 "bitcast_f32" <word> (x: T) -> F32; 1..=4; each; Relaxed::Exact; BitLoop {
        word => ScalarBits::from_bits(ScalarBits::to_bits(x));
    }

    /// The same 64 bits as `i64`.
    BitcastI64 "bitcast_i64" <double_word> (x: T) -> I64; 1..=4; each; Relaxed::Exact; BitLoop {
        double_word => ScalarBits::from_bits(ScalarBits::to_bits(x));
    }

    /// The same 64 bits as `u64`. Of a NaN they are not specified.
    BitcastU64 "bitcast_u64" <double_word> (x: T) -> U64; 1..=4; each; Relaxed::Exact; BitLoop {
        double_word => ScalarBits::from_bits(ScalarBits::to_bits(x));
    }

    /// The same 64 bits as `f64`.
    BitcastF64 "bitcast_f64" <double_word> (x: T) -> F64; 1..=4; each; Relaxed::Exact; BitLoop {
        double_word => ScalarBits::from_bits(ScalarBits::to_bits(x));
    }

    // Packed formats.

    /// Two halves to one integer, the low half first.
    PackU64 "pack_u64" <none> (x: U32@2) -> U64@1; 1..=1; n; Relaxed::Exact; BitLoop {
        fixed => bits::one(u64::from(x[0]) | u64::from(x[1]) << 32);
    }

    /// One integer to two halves, the low half first.
    UnpackU64 "unpack_u64" <none> (x: U64@1) -> U32@2; 1..=1; n; Relaxed::Exact; BitLoop {
        fixed => [x[0] as u32, (x[0] >> 32) as u32, 0, 0];
    }

    /// Byte i is `floor(0.5 + 127 * min(1, max(-1, x[i])))` as a signed byte, each step rounded; NaN gives 0.
    Pack4x8Snorm "pack4x8snorm" <none> (x: F32@4) -> U32@1; 1..=1; n; Relaxed::Exact; Composed {
        fixed => bits::one(pack::bytes(x.map(|c| pack::snorm(c, 127.0))));
    }

    /// Byte i is `floor(0.5 + 255 * min(1, max(0, x[i])))`, each step rounded; NaN gives 0.
    Pack4x8Unorm "pack4x8unorm" <none> (x: F32@4) -> U32@1; 1..=1; n; Relaxed::Exact; Composed {
        fixed => bits::one(pack::bytes(x.map(|c| pack::unorm(c, 255.0))));
    }

    /// Half i is `floor(0.5 + 32767 * min(1, max(-1, x[i])))` as a signed 16-bit integer, each step rounded; NaN gives 0.
    Pack2x16Snorm "pack2x16snorm" <none> (x: F32@2) -> U32@1; 1..=1; n; Relaxed::Exact; Composed {
        fixed => bits::one(pack::halves(x.map(|c| pack::snorm(c, 32767.0))));
    }

    /// Half i is `floor(0.5 + 65535 * min(1, max(0, x[i])))`, each step rounded; NaN gives 0.
    Pack2x16Unorm "pack2x16unorm" <none> (x: F32@2) -> U32@1; 1..=1; n; Relaxed::Exact; Composed {
        fixed => bits::one(pack::halves(x.map(|c| pack::unorm(c, 65535.0))));
    }

    /// Half i is `x[i]` as binary16, rounded as in `quantize_f16`. NaN gives 0x7e00, whatever its sign and payload.
    Pack2x16Float "pack2x16float" <none> (x: F32@2) -> U32@1; 1..=1; n; Relaxed::Exact; SoftFloat {
        fixed => bits::one(pack::halves(x.map(|c| if c.is_nan() { 0x7e00 } else { pack::to_half(c) })));
    }

    /// Component i is `max(b / 127, -1)` with b the signed byte i, the quotient rounded to nearest even.
    Unpack4x8Snorm "unpack4x8snorm" <none> (x: U32@1) -> F32@4; 1..=1; n; Relaxed::Ulp(2.5); Composed {
        fixed => pack::signed_bytes(x[0]).map(|b| pack::from_snorm(b, 127.0));
    }

    /// Component i is `b / 255` with b the byte i, rounded to nearest even.
    Unpack4x8Unorm "unpack4x8unorm" <none> (x: U32@1) -> F32@4; 1..=1; n; Relaxed::Ulp(2.5); Composed {
        fixed => pack::unsigned_bytes(x[0]).map(|b| b as f32 / 255.0);
    }

    /// Component i is `max(h / 32767, -1)` with h the signed half i, the quotient rounded to nearest even.
    Unpack2x16Snorm "unpack2x16snorm" <none> (x: U32@1) -> F32@2; 1..=1; n; Relaxed::Ulp(2.5); Composed {
        fixed => pack::signed_halves(x[0]).map(|h| pack::from_snorm(h, 32767.0));
    }

    /// Component i is `h / 65535` with h the half i, rounded to nearest even.
    Unpack2x16Unorm "unpack2x16unorm" <none> (x: U32@1) -> F32@2; 1..=1; n; Relaxed::Ulp(2.5); Composed {
        fixed => pack::unsigned_halves(x[0]).map(|h| h as f32 / 65535.0);
    }

    /// Component i is the value of half i as binary16: exact, denormals, infinities and NaN too.
    Unpack2x16Float "unpack2x16float" <none> (x: U32@1) -> F32@2; 1..=1; n; Relaxed::Exact; SoftFloat {
        fixed => pack::unsigned_halves(x[0]).map(pack::from_half);
    }

    /// Byte i is the low 8 bits of `x[i]`.
    Pack4xI8 "pack4xi8" <none> (x: I32@4) -> U32@1; 1..=1; n; Relaxed::Exact; BitLoop {
        fixed => bits::one(pack::bytes(x.map(|c| c as u32)));
    }

    /// Byte i is `x[i]` held to -128 and 127.
    Pack4xI8Clamp "pack4xi8_clamp" <none> (x: I32@4) -> U32@1; 1..=1; n; Relaxed::Exact; I128 {
        fixed => bits::one(pack::bytes(x.map(|c| c.clamp(-128, 127) as u32)));
    }

    /// Byte i is the low 8 bits of `x[i]`.
    Pack4xU8 "pack4xu8" <none> (x: U32@4) -> U32@1; 1..=1; n; Relaxed::Exact; BitLoop {
        fixed => bits::one(pack::bytes(x));
    }

    /// Byte i is `x[i]` held to 255.
    Pack4xU8Clamp "pack4xu8_clamp" <none> (x: U32@4) -> U32@1; 1..=1; n; Relaxed::Exact; I128 {
        fixed => bits::one(pack::bytes(x.map(|c| c.min(255))));
    }

    /// Component i is byte i, sign-extended.
    Unpack4xI8 "unpack4xi8" <none> (x: U32@1) -> I32@4; 1..=1; n; Relaxed::Exact; BitLoop {
        fixed => pack::signed_bytes(x[0]);
    }

    /// Component i is byte i, zero-extended.
    Unpack4xU8 "unpack4xu8" <none> (x: U32@1) -> U32@4; 1..=1; n; Relaxed::Exact; BitLoop {
        fixed => pack::unsigned_bytes(x[0]);
    }

    /// The sum of products of the four signed bytes; it always fits. WGSL's `dot4I8Packed`.
    Dot4I8 "dot4_i8" <none> (a: U32@1, b: U32@1) -> I32@1; 1..=1; n; Relaxed::Exact; I128 {
        fixed => bits::one(bits::dot(pack::signed_bytes(a[0]), pack::signed_bytes(b[0]), 4));
    }

    /// The sum of products of the four unsigned bytes; it always fits. WGSL's `dot4U8Packed`.
    Dot4U8 "dot4_u8" <none> (a: U32@1, b: U32@1) -> U32@1; 1..=1; n; Relaxed::Exact; I128 {
        fixed => bits::one(bits::dot(pack::unsigned_bytes(a[0]), pack::unsigned_bytes(b[0]), 4));
    }

    /// Component i is `accum[i]` plus the sum over the bytes k of `reference` that are not 0 of their distance to byte i + k of `source` (8 bytes, the lowest
    /// of the first component first). Wraps at 2^32, where Direct3D's `msad4` is undefined from 65536 on.
    Msad4 "msad4" <none> (reference: U32@1, source: U32@2, accum: U32@4) -> U32@4; 1..=1; n; Relaxed::Exact; I128 {
        fixed => pack::msad4(reference[0], source, accum);
    }

    // Geometry.

    /// The sum of products of the components, from the first to the last, each step rounded. Integers wrap.
    Dot "dot" <number> (a: T, b: T) -> T@1; 2..=4; n; Relaxed::Contracted; I128 Composed {
        number => bits::one(bits::dot(a, b, n));
    }

    /// `(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)`, each step rounded.
    Cross "cross" <float> (a: T@3, b: T@3) -> T@3; 1..=1; n; Relaxed::Contracted; Composed {
        float => geometry::cross(a, b);
    }

    /// `sqrt(dot(v, v))`, each step rounded: it overflows where the squares do, and squares below the range are lost.
    Length "length" <float> (v: T) -> T@1; 2..=4; n; Relaxed::Contracted; Composed {
        float => bits::one(geometry::length(v, n));
    }

    /// `length(a - b)`, each step rounded.
    Distance "distance" <float> (a: T, b: T) -> T@1; 2..=4; n; Relaxed::Contracted; Composed {
        float => bits::one(geometry::distance(a, b, n));
    }

    /// Each component divided by `length(v)`, each step rounded. A zero vector gives NaN, one whose squares fall below the range NaN and infinities; over an
    /// infinite length finite components give zeros, infinite ones NaN.
    Normalize "normalize" <float> (v: T) -> T; 2..=4; n; Relaxed::Contracted; Composed {
        float => geometry::normalize(v, n);
    }

    /// `i - s * n` with `s = 2 * dot(n, i)`, each step rounded. `n` should have length 1; that is not checked.
    Reflect "reflect" <float> (i: T, n: T) -> T; 2..=4; w; Relaxed::Contracted; Composed {
        float => geometry::reflect(i, n, w);
    }

    /// With `d = dot(n, i)` and `k = 1 - (eta * eta) * (1 - d * d)`: +0 in every component if k is below 0, else `eta * i - (eta * d + sqrt(k)) * n`, each
    /// step rounded. A NaN `k` is not below 0.
    Refract "refract" <float> (i: T, n: T, eta: T@1) -> T; 2..=4; w; Relaxed::Contracted; Composed {
        float => geometry::refract(i, n, eta[0], w);
    }

    /// `n` if `dot(nref, i)` is below 0, else `-n`, with flipped signs of zeros too; `-n` if it is NaN.
    FaceForward "face_forward" <float> (n: T, i: T, nref: T) -> T; 2..=4; w; Relaxed::Contracted; Composed {
        float => geometry::face_forward(n, i, nref, w);
    }
}
