//! The methods, one row each.
//!
//! A row has Rust's name; the scalars that have the method; the types of its arguments, the
//! receiver first, and of its results; the code that emits it; and, after `note`, its meaning where
//! Rust panics.

use super::MethodType::{self, Bool, I32, Own, Signed, U32, Unsigned};
use super::{Method, MethodWriter};
use tilewise_ir::kernel::ValueId;
use tilewise_ir::ops::Op;
use tilewise_ir::types::Scalar;

const NUMBER: &[Scalar] = &[Scalar::I32, Scalar::U32, Scalar::I64, Scalar::U64, Scalar::F32, Scalar::F64];
const INTEGER: &[Scalar] = &[Scalar::I32, Scalar::U32, Scalar::I64, Scalar::U64];
const SIGNED: &[Scalar] = &[Scalar::I32, Scalar::I64];
const UNSIGNED: &[Scalar] = &[Scalar::U32, Scalar::U64];
const FLOAT: &[Scalar] = &[Scalar::F32, Scalar::F64];

const BY_ZERO: &str = "`x / 0` is `x`";
const REST_OF_ZERO: &str = "`x % 0` is 0";
const QUOTIENT: &str = "`x / 0` is `x`, `MIN / -1` is `MIN`";
const REST: &str = "`x % 0` and `MIN % -1` are 0";

/// One row of the table.
const fn row(
    name: &'static str,
    on: &'static [Scalar],
    args: &'static [MethodType],
    results: &'static [MethodType],
    note: &'static str,
    emit: fn(&mut MethodWriter<'_>, &[ValueId]) -> Vec<ValueId>,
) -> Method {
    Method { name, on, args, results, note, emit }
}

macro_rules! methods {
    ($($on:ident {$(
        $name:literal ($($arg:ident),+) -> ($($result:ident),+) = $emit:tt $(, note $note:expr)?;
    )*})*) => {
        &[$($(row($name, $on, &[$($arg),+], &[$($result),+], methods!(@note $($note)?), methods!(@emit $emit)),)*)*]
    };
    (@note) => { "" };
    (@note $note:expr) => { $note };
    // One row of the op table.
    (@emit [$op:ident]) => { |w, x| vec![w.op(Op::$op, x)] };
    // A closure over the writer and the arguments that returns one value.
    (@emit (|$w:ident, $x:ident| $body:expr)) => { |$w, $x| vec![$body] };
    // A function of `precise_math`; two values, if it gives a vector of two.
    (@emit {library $name:literal}) => { |w, x| vec![w.library($name, x)] };
    (@emit {components $name:literal}) => { |w, x| { let pair = w.library($name, x); w.components(pair) } };
    // Two values.
    (@emit {$first:ident, $second:ident}) => { |w, x| vec![w.op(Op::$first, x), w.op(Op::$second, x)] };
}

pub(super) const METHODS: &[Method] = methods! {
    NUMBER {
        "min"(Own, Own) -> (Own) = [Min];
        "max"(Own, Own) -> (Own) = [Max];
    }
    INTEGER {
        "clamp"(Own, Own, Own) -> (Own) = [Clamp], note "bounds in the wrong order: the upper one";
    }
    FLOAT {
        "clamp"(Own, Own, Own) -> (Own) = (|w, x| w.clamp_float(x[0], x[1], x[2])), note "bounds in the wrong order: one of them; a NaN bound does not bound";
    }
    SIGNED {
        "abs"(Own) -> (Own) = [Abs], note "`MIN` stays `MIN`";
        "signum"(Own) -> (Own) = [Sign];
    }
    FLOAT {
        "abs"(Own) -> (Own) = [Abs];
        "signum"(Own) -> (Own) = [Signum];
        "div_euclid"(Own, Own) -> (Own) = (|w, x| w.div_euclid_float(x[0], x[1]));
        "rem_euclid"(Own, Own) -> (Own) = (|w, x| w.rem_euclid_float(x[0], x[1]));
    }
    SIGNED {
        "div_euclid"(Own, Own) -> (Own) = [DivEuclid], note QUOTIENT;
        "rem_euclid"(Own, Own) -> (Own) = [RemEuclid], note REST;
    }
    UNSIGNED {
        "div_euclid"(Own, Own) -> (Own) = [DivEuclid], note BY_ZERO;
        "rem_euclid"(Own, Own) -> (Own) = [RemEuclid], note REST_OF_ZERO;
    }
    INTEGER {
        "wrapping_add"(Own, Own) -> (Own) = [Add];
        "wrapping_sub"(Own, Own) -> (Own) = [Sub];
        "wrapping_mul"(Own, Own) -> (Own) = [Mul];
        "wrapping_neg"(Own) -> (Own) = (|w, x| w.negate(x[0]));
        "wrapping_shl"(Own, U32) -> (Own) = [Shl];
        "wrapping_shr"(Own, U32) -> (Own) = [Shr];
        "wrapping_pow"(Own, U32) -> (Own) = [Ipow];
        "wrapping_div"(Own, Own) -> (Own) = [Div], note BY_ZERO;
        "wrapping_rem"(Own, Own) -> (Own) = [Rem], note REST_OF_ZERO;
        "wrapping_div_euclid"(Own, Own) -> (Own) = [DivEuclid], note BY_ZERO;
        "wrapping_rem_euclid"(Own, Own) -> (Own) = [RemEuclid], note REST_OF_ZERO;
        "saturating_add"(Own, Own) -> (Own) = [AddSat];
        "saturating_sub"(Own, Own) -> (Own) = [SubSat];
        "saturating_mul"(Own, Own) -> (Own) = [MulSat];
        "overflowing_add"(Own, Own) -> (Own, Bool) = {Add, AddOverflows};
        "overflowing_sub"(Own, Own) -> (Own, Bool) = {Sub, SubOverflows};
        "overflowing_mul"(Own, Own) -> (Own, Bool) = {Mul, MulOverflows};
        "pow"(Own, U32) -> (Own) = [Ipow], note "wraps";
        "isqrt"(Own) -> (Own) = [Isqrt], note "of a negative number, 0";
        "ilog2"(Own) -> (U32) = (|w, x| w.ilog2(x[0])), note "of 0 it is `u32::MAX`, of a negative number 31 or 63";
        "unbounded_shl"(Own, U32) -> (Own) = (|w, x| { let zero = w.number(0); w.unbounded(Op::Shl, x[0], x[1], zero) });
        "rotate_left"(Own, U32) -> (Own) = [Rotl];
        "rotate_right"(Own, U32) -> (Own) = [Rotr];
        "count_ones"(Own) -> (U32) = [CountOnes];
        "count_zeros"(Own) -> (U32) = (|w, x| { let not = w.op(Op::Not, x); w.op(Op::CountOnes, &[not]) });
        "leading_zeros"(Own) -> (U32) = [LeadingZeros];
        "trailing_zeros"(Own) -> (U32) = [TrailingZeros];
        "leading_ones"(Own) -> (U32) = (|w, x| { let not = w.op(Op::Not, x); w.op(Op::LeadingZeros, &[not]) });
        "trailing_ones"(Own) -> (U32) = (|w, x| { let not = w.op(Op::Not, x); w.op(Op::TrailingZeros, &[not]) });
        "swap_bytes"(Own) -> (Own) = [SwapBytes];
        "reverse_bits"(Own) -> (Own) = [ReverseBits];
    }
    SIGNED {
        "abs_diff"(Own, Own) -> (Unsigned) = (|w, x| { let distance = w.op(Op::AbsDiff, x); w.as_unsigned(distance) });
        "unsigned_abs"(Own) -> (Unsigned) = (|w, x| { let size = w.op(Op::Abs, x); w.as_unsigned(size) });
        "wrapping_abs"(Own) -> (Own) = [Abs];
        "saturating_abs"(Own) -> (Own) = (|w, x| { let zero = w.number(0); let negative = w.is_negative(x[0]); let size = w.op(Op::SubSat, &[zero, x[0]]); w.select(negative, size, x[0]) });
        "saturating_neg"(Own) -> (Own) = (|w, x| { let zero = w.number(0); w.op(Op::SubSat, &[zero, x[0]]) });
        "is_positive"(Own) -> (Bool) = (|w, x| { let zero = w.number(0); w.op(Op::Gt, &[x[0], zero]) });
        "is_negative"(Own) -> (Bool) = (|w, x| w.is_negative(x[0]));
        "wrapping_add_unsigned"(Own, Unsigned) -> (Own) = (|w, x| { let y = w.as_own(x[1]); w.op(Op::Add, &[x[0], y]) });
        "wrapping_sub_unsigned"(Own, Unsigned) -> (Own) = (|w, x| { let y = w.as_own(x[1]); w.op(Op::Sub, &[x[0], y]) });
        "unbounded_shr"(Own, U32) -> (Own) = (|w, x| {
            let (zero, ones, negative) = (w.number(0), w.number(-1), w.is_negative(x[0]));
            let sign = w.select(negative, ones, zero);
            w.unbounded(Op::Shr, x[0], x[1], sign)
        });
        "cast_unsigned"(Own) -> (Unsigned) = (|w, x| w.as_unsigned(x[0]));
        "midpoint"(Own, Own) -> (Own) = (|w, x| w.midpoint_to_zero(x[0], x[1]));
    }
    UNSIGNED {
        "abs_diff"(Own, Own) -> (Own) = [AbsDiff];
        "is_power_of_two"(Own) -> (Bool) = (|w, x| { let ones = w.op(Op::CountOnes, x); let one = w.u32(1); w.op(Op::Eq, &[ones, one]) });
        "next_power_of_two"(Own) -> (Own) = (|w, x| w.next_power_of_two(x[0])), note "0 if it does not fit";
        "div_ceil"(Own, Own) -> (Own) = (|w, x| w.div_ceil(x[0], x[1])), note BY_ZERO;
        "next_multiple_of"(Own, Own) -> (Own) = (|w, x| w.next_multiple_of(x[0], x[1])), note "of 0 it is `x`; wraps";
        "is_multiple_of"(Own, Own) -> (Bool) = (|w, x| {
            let rest = w.op(Op::Rem, x);
            let (exact, by_zero, zero) = (w.is_zero(rest), w.is_zero(x[1]), w.is_zero(x[0]));
            w.select(by_zero, zero, exact)
        });
        "wrapping_add_signed"(Own, Signed) -> (Own) = (|w, x| { let y = w.as_own(x[1]); w.op(Op::Add, &[x[0], y]) });
        "unbounded_shr"(Own, U32) -> (Own) = (|w, x| { let zero = w.number(0); w.unbounded(Op::Shr, x[0], x[1], zero) });
        "cast_signed"(Own) -> (Signed) = (|w, x| w.as_signed(x[0]));
        "midpoint"(Own, Own) -> (Own) = (|w, x| w.midpoint_down(x[0], x[1]));
    }
    FLOAT {
        "sqrt"(Own) -> (Own) = [Sqrt];
        "floor"(Own) -> (Own) = [Floor];
        "ceil"(Own) -> (Own) = [Ceil];
        "trunc"(Own) -> (Own) = [Trunc];
        "round"(Own) -> (Own) = [Round];
        "round_ties_even"(Own) -> (Own) = [RoundEven];
        "fract"(Own) -> (Own) = (|w, x| { let whole = w.op(Op::Trunc, x); w.op(Op::Sub, &[x[0], whole]) });
        "copysign"(Own, Own) -> (Own) = [Copysign];
        "mul_add"(Own, Own, Own) -> (Own) = [Fma];
        "recip"(Own) -> (Own) = [Rcp];
        "midpoint"(Own, Own) -> (Own) = (|w, x| w.midpoint_float(x[0], x[1]));
        "powi"(Own, I32) -> (Own) = (|w, x| w.powi(x[0], x[1])),
            note "Rust leaves the rounding open. Here: the powers `x`, `x * x`, .. that the bits of `n` name, from the lowest, multiplied one by one; `1 /` that for a negative `n`";
        "to_degrees"(Own) -> (Own) = [Degrees];
        "to_radians"(Own) -> (Own) = [Radians];
        // Functions of `precise_math`.
        "sin"(Own) -> (Own) = {library "sin"};
        "cos"(Own) -> (Own) = {library "cos"};
        "tan"(Own) -> (Own) = {library "tan"};
        "sin_cos"(Own) -> (Own, Own) = {components "sincos"};
        "asin"(Own) -> (Own) = {library "asin"};
        "acos"(Own) -> (Own) = {library "acos"};
        "atan"(Own) -> (Own) = {library "atan"};
        "atan2"(Own, Own) -> (Own) = {library "atan2"};
        "sinh"(Own) -> (Own) = {library "sinh"};
        "cosh"(Own) -> (Own) = {library "cosh"};
        "tanh"(Own) -> (Own) = {library "tanh"};
        "asinh"(Own) -> (Own) = {library "asinh"};
        "acosh"(Own) -> (Own) = {library "acosh"};
        "atanh"(Own) -> (Own) = {library "atanh"};
        "exp"(Own) -> (Own) = {library "exp"};
        "exp2"(Own) -> (Own) = {library "exp2"};
        "exp_m1"(Own) -> (Own) = {library "expm1"};
        "ln"(Own) -> (Own) = {library "log"};
        "log"(Own, Own) -> (Own) = (|w, x| w.log(x[0], x[1])), note "`x.ln() / base.ln()`";
        "log2"(Own) -> (Own) = {library "log2"};
        "log10"(Own) -> (Own) = {library "log10"};
        "ln_1p"(Own) -> (Own) = {library "log1p"};
        "powf"(Own, Own) -> (Own) = {library "pow"};
        "cbrt"(Own) -> (Own) = {library "cbrt"};
        "hypot"(Own, Own) -> (Own) = {library "hypot"};
        // Bits and kinds.
        "next_up"(Own) -> (Own) = [NextUp];
        "next_down"(Own) -> (Own) = [NextDown];
        "to_bits"(Own) -> (Unsigned) = (|w, x| w.as_unsigned(x[0])), note "of a NaN the bits are not specified";
        "is_nan"(Own) -> (Bool) = [IsNan];
        "is_infinite"(Own) -> (Bool) = [IsInf];
        "is_finite"(Own) -> (Bool) = [IsFinite];
        "is_normal"(Own) -> (Bool) = [IsNormal];
        "is_subnormal"(Own) -> (Bool) = [IsSubnormal];
        "is_sign_negative"(Own) -> (Bool) = [SignBit], note "of a NaN it is not specified";
        "is_sign_positive"(Own) -> (Bool) = (|w, x| { let negative = w.op(Op::SignBit, x); w.op(Op::Not, &[negative]) }), note "of a NaN it is not specified";
    }
};
