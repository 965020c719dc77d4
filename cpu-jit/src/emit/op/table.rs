//! Which file writes each operation, when that is a call of the table's own meaning, and when lanes go one by one.
//!
//! [`lowering`] is the only match over all operations in the emitter: a new operation does not compile before it is
//! said here what writes it. Each file has an enum of the operations that it writes, and matches on that.
//!
//! # What is a call
//! A call for each lane, which also costs what registers must be kept across it. [`Code::calls`] is the whole list;
//! a test compiles every operation and compares.
//! - `rem` and `remainder` of floats: exact remainders take a loop as long as the exponents differ.
//! - `ipow` with an exponent that is not known, `isqrt` of 64-bit integers: rare, and long.
//! - `fma` and `mad` of floats where the machine has no such instruction, and whatever rounds to integers where it has
//!   none (x86-64 before SSE4.1): there kernels run at width 1. `isqrt` and packing of normalised numbers round too.
//!
//! # What goes lane by lane
//! Of 64-bit integers what x86-64 has no vector instruction for that Cranelift knows, and on other machines also
//! moves of bits by numbers that differ from lane to lane. [`Code::lanewise`] is the whole list; the same test
//! compares it too.

use tilewise_ir::ops::{BitwiseOp, Comparison, DivisionOp, Op};
use tilewise_ir::types::Scalar;

use super::super::facts::Facts;
use super::super::pieces::Pieces;
use super::{compare, convert, count, float, integer, round, shift, whole};
use crate::lanes::Elem;

/// What writes an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum OpLowering {
    /// The same for every scalar that the operation takes.
    Same(Code),
    /// Integers and floats are written differently.
    Apart {
        /// For integers.
        integer: Code,
        /// For floats.
        float: Code,
    },
}

/// The file that writes an operation, and which of its operations it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Code {
    /// `compare`.
    Compare(compare::Row),
    /// `convert`.
    Convert(convert::Row),
    /// `integer`.
    Integer(integer::Row),
    /// `divide`.
    Divide(DivisionOp),
    /// `shift`.
    Shift(shift::Row),
    /// `count`.
    Count(count::Row),
    /// `float`.
    Float(float::Row),
    /// `round`.
    Round(round::Row),
    /// `whole`: the operation takes whole vectors.
    Whole(whole::Row),
    /// `call`: there is no code for it.
    Call,
}

/// When an operation is a call of its meaning.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Calls {
    /// Never.
    Never,
    /// On every machine.
    Always,
    /// Unless the machine multiplies and adds in one instruction.
    WithoutFusedAdd,
    /// Unless the machine has instructions that round to integers.
    WithoutRounding,
    /// Unless the second argument is a constant.
    UnlessKnown,
}

/// When the lanes of an operation that is no call go one by one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Lanewise {
    /// Never.
    Never,
    /// On every machine.
    Always,
    /// If what moves bits differs from lane to lane, on every machine.
    IfAmountsDiffer,
    /// If what moves bits differs from lane to lane, unless the machine is x86-64.
    IfAmountsDifferElsewhere,
}

impl OpLowering {
    /// The code for a scalar.
    pub(crate) const fn code(self, scalar: Scalar) -> Code {
        match self {
            OpLowering::Same(code) => code,
            OpLowering::Apart { integer, float } => {
                if scalar.is_float() {
                    float
                } else {
                    integer
                }
            }
        }
    }
}

impl Code {
    /// When it is a call, for a scalar.
    pub(crate) const fn calls(self, scalar: Scalar) -> Calls {
        match self {
            Code::Call => Calls::Always,
            Code::Integer(row) => row.calls(scalar),
            Code::Float(row) => row.calls(),
            Code::Round(row) => row.calls(),
            Code::Whole(row) => row.calls(),
            Code::Compare(_) | Code::Convert(_) | Code::Divide(_) | Code::Shift(_) | Code::Count(_) => Calls::Never,
        }
    }

    /// When its lanes go one by one, for a scalar.
    pub(crate) const fn lanewise(self, scalar: Scalar) -> Lanewise {
        match self {
            Code::Convert(row) => row.lanewise(scalar),
            Code::Integer(row) => row.lanewise(scalar),
            Code::Count(row) => row.lanewise(scalar),
            Code::Shift(row) => row.lanewise(scalar),
            // By a constant power of two they go side by side all the same.
            Code::Divide(DivisionOp::Div | DivisionOp::Rem | DivisionOp::DivEuclid | DivisionOp::RemEuclid) => {
                lanewise_if_wide(scalar)
            }
            Code::Compare(_) | Code::Float(_) | Code::Round(_) | Code::Whole(_) | Code::Call => Lanewise::Never,
        }
    }
}

/// One by one for 64-bit scalars.
pub(super) const fn lanewise_if_wide(scalar: Scalar) -> Lanewise {
    if scalar.bits() == 64 { Lanewise::Always } else { Lanewise::Never }
}

impl Calls {
    /// Is it so on a machine, with these arguments?
    pub(super) fn now(self, facts: Facts, args: &[Pieces]) -> bool {
        match self {
            Calls::Never => false,
            Calls::Always => true,
            Calls::WithoutFusedAdd => !facts.fma,
            Calls::WithoutRounding => !facts.rounds,
            Calls::UnlessKnown => args.get(1).is_none_or(|arg| arg.constant.is_none()),
        }
    }
}

const fn compare(comparison: Comparison) -> OpLowering {
    OpLowering::Same(Code::Compare(compare::Row::Compare(comparison)))
}

const fn bitwise(bitwise: BitwiseOp) -> OpLowering {
    OpLowering::Same(Code::Compare(compare::Row::Bitwise(bitwise)))
}

const fn convert(row: convert::Row) -> OpLowering {
    OpLowering::Same(Code::Convert(row))
}

const fn integer(row: integer::Row) -> OpLowering {
    OpLowering::Same(Code::Integer(row))
}

const fn float(row: float::Row) -> OpLowering {
    OpLowering::Same(Code::Float(row))
}

const fn round(row: round::Row) -> OpLowering {
    OpLowering::Same(Code::Round(row))
}

const fn count(row: count::Row) -> OpLowering {
    OpLowering::Same(Code::Count(row))
}

const fn shift(row: shift::Row) -> OpLowering {
    OpLowering::Same(Code::Shift(row))
}

const fn vectors(row: whole::Row) -> OpLowering {
    OpLowering::Same(Code::Whole(row))
}

const fn number(integer: integer::Row, float: float::Row) -> OpLowering {
    OpLowering::Apart { integer: Code::Integer(integer), float: Code::Float(float) }
}

/// What writes an operation.
pub(crate) const fn lowering(op: Op) -> OpLowering {
    use whole::{Geometry, Packed};
    match op {
        Op::Add => number(integer::Row::Add, float::Row::Add),
        Op::Sub => number(integer::Row::Sub, float::Row::Sub),
        Op::Mul => number(integer::Row::Mul, float::Row::Mul),
        Op::Div => OpLowering::Apart { integer: Code::Divide(DivisionOp::Div), float: Code::Float(float::Row::Div) },
        Op::Rem => OpLowering::Apart { integer: Code::Divide(DivisionOp::Rem), float: Code::Call },
        Op::Neg => number(integer::Row::Neg, float::Row::Neg),
        Op::Abs => number(integer::Row::Abs, float::Row::Abs),
        Op::Sign => number(integer::Row::Sign, float::Row::Sign),
        Op::Signum => float(float::Row::Signum),
        Op::Min => number(integer::Row::Min, float::Row::Min),
        Op::Max => number(integer::Row::Max, float::Row::Max),
        Op::Clamp => number(integer::Row::Clamp, float::Row::Clamp),
        Op::Fma => float(float::Row::Fused),
        Op::Mad => number(integer::Row::Mad, float::Row::Fused),
        Op::MulHi => integer(integer::Row::MulHi),
        Op::AddSat => integer(integer::Row::AddSat),
        Op::SubSat => integer(integer::Row::SubSat),
        Op::MulSat => integer(integer::Row::MulSat),
        Op::AbsDiff => integer(integer::Row::AbsDiff),
        Op::DivEuclid => OpLowering::Same(Code::Divide(DivisionOp::DivEuclid)),
        Op::RemEuclid => OpLowering::Same(Code::Divide(DivisionOp::RemEuclid)),
        Op::Ipow => integer(integer::Row::Ipow),
        Op::Isqrt => integer(integer::Row::Isqrt),
        Op::AddOverflows => integer(integer::Row::AddOverflows),
        Op::SubOverflows => integer(integer::Row::SubOverflows),
        Op::MulOverflows => integer(integer::Row::MulOverflows),
        Op::Floor => round(round::Row::Floor),
        Op::Ceil => round(round::Row::Ceil),
        Op::Trunc | Op::ModfWhole => round(round::Row::Trunc),
        Op::Round => round(round::Row::Round),
        Op::RoundEven => round(round::Row::RoundEven),
        Op::Fract => round(round::Row::Fract),
        Op::ModfFract => round(round::Row::ModfFract),
        Op::FrexpFract => round(round::Row::FrexpFract),
        Op::FrexpExp => round(round::Row::FrexpExp),
        Op::Ldexp => round(round::Row::Ldexp),
        Op::Ilogb => round(round::Row::Ilogb),
        Op::Sqrt => float(float::Row::Sqrt),
        Op::Rcp => float(float::Row::Rcp),
        Op::Copysign => float(float::Row::Copysign),
        Op::Fdim => float(float::Row::Fdim),
        Op::Remainder => OpLowering::Same(Code::Call),
        Op::NextUp => float(float::Row::NextUp),
        Op::NextDown => float(float::Row::NextDown),
        Op::IsNan => float(float::Row::Test(float::Test::Nan)),
        Op::IsInf => float(float::Row::Test(float::Test::Infinite)),
        Op::IsFinite => float(float::Row::Test(float::Test::Finite)),
        Op::IsNormal => float(float::Row::Test(float::Test::Normal)),
        Op::IsSubnormal => float(float::Row::Test(float::Test::Subnormal)),
        Op::SignBit => float(float::Row::Test(float::Test::SignBit)),
        Op::TotalCmp => float(float::Row::TotalCmp),
        Op::Saturate => float(float::Row::Saturate),
        Op::Step => float(float::Row::Step),
        Op::Smoothstep => float(float::Row::Smoothstep),
        Op::Mix => float(float::Row::Mix),
        Op::Radians => float(float::Row::Radians),
        Op::Degrees => float(float::Row::Degrees),
        Op::Eq => compare(Comparison::Eq),
        Op::Ne => compare(Comparison::Ne),
        Op::Lt => compare(Comparison::Lt),
        Op::Le => compare(Comparison::Le),
        Op::Gt => compare(Comparison::Gt),
        Op::Ge => compare(Comparison::Ge),
        Op::Select => OpLowering::Same(Code::Compare(compare::Row::Select)),
        Op::Any => vectors(whole::Row::Any),
        Op::All => vectors(whole::Row::All),
        Op::And => bitwise(BitwiseOp::And),
        Op::Or => bitwise(BitwiseOp::Or),
        Op::Xor => bitwise(BitwiseOp::Xor),
        Op::Not => OpLowering::Same(Code::Compare(compare::Row::Not)),
        Op::Shl => shift(shift::Row::Move(shift::Move::Shl)),
        Op::Shr => shift(shift::Row::Move(shift::Move::Shr)),
        Op::Rotl => shift(shift::Row::Move(shift::Move::Rotl)),
        Op::Rotr => shift(shift::Row::Move(shift::Move::Rotr)),
        Op::CountOnes => count(count::Row::CountOnes),
        Op::LeadingZeros => count(count::Row::LeadingZeros),
        Op::TrailingZeros => count(count::Row::TrailingZeros),
        Op::FirstHigh => count(count::Row::FirstHigh),
        Op::FirstLow => count(count::Row::FirstLow),
        Op::ReverseBits => count(count::Row::ReverseBits),
        Op::SwapBytes => count(count::Row::SwapBytes),
        Op::ExtractBits => shift(shift::Row::ExtractBits),
        Op::InsertBits => shift(shift::Row::InsertBits),
        Op::ToI32 => convert(convert::Row::ToInteger(Elem::I32, true)),
        Op::ToU32 => convert(convert::Row::ToInteger(Elem::I32, false)),
        Op::ToI64 => convert(convert::Row::ToInteger(Elem::I64, true)),
        Op::ToU64 => convert(convert::Row::ToInteger(Elem::I64, false)),
        Op::ToF32 => convert(convert::Row::ToF32),
        Op::ToF64 => convert(convert::Row::ToF64),
        Op::WrapI8 => convert(convert::Row::WrapSigned(8)),
        Op::WrapI16 => convert(convert::Row::WrapSigned(16)),
        Op::WrapU8 => convert(convert::Row::WrapUnsigned(8)),
        Op::WrapU16 => convert(convert::Row::WrapUnsigned(16)),
        Op::QuantizeF16 => convert(convert::Row::QuantizeF16),
        Op::BitcastI32 | Op::BitcastU32 => convert(convert::Row::Bitcast(Elem::I32)),
        Op::BitcastI64 | Op::BitcastU64 => convert(convert::Row::Bitcast(Elem::I64)),
        Op::BitcastF32 => convert(convert::Row::Bitcast(Elem::F32)),
        Op::BitcastF64 => convert(convert::Row::Bitcast(Elem::F64)),
        Op::PackU64 => vectors(whole::Row::Packed(Packed::PackU64)),
        Op::UnpackU64 => vectors(whole::Row::Packed(Packed::UnpackU64)),
        Op::Pack4x8Snorm => vectors(whole::Row::Packed(Packed::PackSnorm(127))),
        Op::Pack4x8Unorm => vectors(whole::Row::Packed(Packed::PackUnorm(255))),
        Op::Pack2x16Snorm => vectors(whole::Row::Packed(Packed::PackSnorm(32767))),
        Op::Pack2x16Unorm => vectors(whole::Row::Packed(Packed::PackUnorm(65535))),
        Op::Pack2x16Float => vectors(whole::Row::Packed(Packed::PackHalves)),
        Op::Unpack4x8Snorm => vectors(whole::Row::Packed(Packed::UnpackSnorm(8, 127))),
        Op::Unpack4x8Unorm => vectors(whole::Row::Packed(Packed::UnpackUnorm(8, 255))),
        Op::Unpack2x16Snorm => vectors(whole::Row::Packed(Packed::UnpackSnorm(16, 32767))),
        Op::Unpack2x16Unorm => vectors(whole::Row::Packed(Packed::UnpackUnorm(16, 65535))),
        Op::Unpack2x16Float => vectors(whole::Row::Packed(Packed::UnpackHalves)),
        Op::Pack4xI8 | Op::Pack4xU8 => vectors(whole::Row::Packed(Packed::PackBytes)),
        Op::Pack4xI8Clamp => vectors(whole::Row::Packed(Packed::PackClampedSigned)),
        Op::Pack4xU8Clamp => vectors(whole::Row::Packed(Packed::PackClampedUnsigned)),
        Op::Unpack4xI8 => vectors(whole::Row::Packed(Packed::UnpackSigned)),
        Op::Unpack4xU8 => vectors(whole::Row::Packed(Packed::UnpackUnsigned)),
        Op::Dot4I8 => vectors(whole::Row::Packed(Packed::DotSigned)),
        Op::Dot4U8 => vectors(whole::Row::Packed(Packed::DotUnsigned)),
        Op::Msad4 => vectors(whole::Row::Packed(Packed::Msad4)),
        Op::Dot => vectors(whole::Row::Dot),
        Op::Cross => vectors(whole::Row::Geometry(Geometry::Cross)),
        Op::Length => vectors(whole::Row::Geometry(Geometry::Length)),
        Op::Distance => vectors(whole::Row::Geometry(Geometry::Distance)),
        Op::Normalize => vectors(whole::Row::Geometry(Geometry::Normalize)),
        Op::Reflect => vectors(whole::Row::Geometry(Geometry::Reflect)),
        Op::Refract => vectors(whole::Row::Geometry(Geometry::Refract)),
        Op::FaceForward => vectors(whole::Row::Geometry(Geometry::FaceForward)),
    }
}
