//! Maps each operation to the file that lowers it, and states when it is a call of the table's own
//! evaluation and when lanes are scalarised.
//!
//! [`lowering`] is the only match over all operations in the emitter: a new operation does not
//! compile before it has an entry here. Each file has an enum of the operations that it lowers, and
//! matches on that.
//!
//! # Calls
//! One call per lane, whose cost includes the registers kept across it. [`OpWriter::calls`] is the
//! complete list; a test compiles every operation and compares.
//! - `rem` and `remainder` of floats: exact remainders take a loop as long as the difference of the
//!   exponents.
//! - `ipow` with an exponent that is not constant, `isqrt` of 64-bit integers: rare, and long.
//! - `fma` and `mad` of floats on machines without such an instruction, and rounding to integers on
//!   machines without it (x86-64 before SSE4.1): kernels run there at width 1. `isqrt` and packing
//!   of normalised numbers round too.
//!
//! # Scalarised operations
//! Operations on 64-bit integers for which Cranelift knows no x86-64 vector instruction, and on
//! other machines also shifts by amounts that differ between lanes. [`OpWriter::lanewise`] is the
//! complete list; the same test compares it too.

use tilewise_ir::ops::{BitwiseOp, Comparison, DivisionOp, Op};
use tilewise_ir::types::Scalar;

use super::super::facts::MachineFacts;
use super::super::pieces::Pieces;
use super::{compare, convert, count, float, integer, round, shift, whole};
use crate::lanes::Elem;

/// How an operation is lowered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum OpLowering {
    /// In the same way for every scalar that the operation takes.
    Same(OpWriter),
    /// Differently for integers and floats.
    Apart {
        /// For integers.
        integer: OpWriter,
        /// For floats.
        float: OpWriter,
    },
}

/// The file that lowers an operation, and the operation within that file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum OpWriter {
    /// `compare`.
    Compare(compare::CompareRow),
    /// `convert`.
    Convert(convert::ConvertRow),
    /// `integer`.
    Integer(integer::IntegerRow),
    /// `divide`.
    Divide(DivisionOp),
    /// `shift`.
    Shift(shift::ShiftRow),
    /// `count`.
    Count(count::CountRow),
    /// `float`.
    Float(float::FloatRow),
    /// `round`.
    Round(round::RoundRow),
    /// `whole`: the operation takes whole vectors.
    Whole(whole::WholeRow),
    /// `call`: there is no inline code.
    Call,
}

/// When an operation is a call of its evaluation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CallCondition {
    /// Never.
    Never,
    /// On every machine.
    Always,
    /// Unless the machine has a fused multiply-add.
    WithoutFusedAdd,
    /// Unless the machine has instructions that round to integers.
    WithoutRounding,
    /// Unless the second argument is a constant.
    UnlessKnown,
}

/// When the lanes of an operation that is no call are scalarised.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Lanewise {
    /// Never.
    Never,
    /// On every machine.
    Always,
    /// If shift amounts differ between lanes, on every machine.
    IfAmountsDiffer,
    /// If shift amounts differ between lanes, unless the machine is x86-64.
    IfAmountsDifferElsewhere,
}

impl OpLowering {
    /// The lowering for a scalar.
    pub(crate) const fn code(self, scalar: Scalar) -> OpWriter {
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

impl OpWriter {
    /// When it is a call, for a scalar.
    pub(crate) const fn calls(self, scalar: Scalar) -> CallCondition {
        match self {
            OpWriter::Call => CallCondition::Always,
            OpWriter::Integer(row) => row.calls(scalar),
            OpWriter::Float(row) => row.calls(),
            OpWriter::Round(row) => row.calls(),
            OpWriter::Whole(row) => row.calls(),
            OpWriter::Compare(_)
            | OpWriter::Convert(_)
            | OpWriter::Divide(_)
            | OpWriter::Shift(_)
            | OpWriter::Count(_) => CallCondition::Never,
        }
    }

    /// When its lanes are scalarised, for a scalar.
    pub(crate) const fn lanewise(self, scalar: Scalar) -> Lanewise {
        match self {
            OpWriter::Convert(row) => row.lanewise(scalar),
            OpWriter::Integer(row) => row.lanewise(scalar),
            OpWriter::Count(row) => row.lanewise(scalar),
            OpWriter::Shift(row) => row.lanewise(scalar),
            // By a constant power of two it is vectorised anyway.
            OpWriter::Divide(DivisionOp::Div | DivisionOp::Rem | DivisionOp::DivEuclid | DivisionOp::RemEuclid) => {
                lanewise_if_wide(scalar)
            }
            OpWriter::Compare(_) | OpWriter::Float(_) | OpWriter::Round(_) | OpWriter::Whole(_) | OpWriter::Call => {
                Lanewise::Never
            }
        }
    }
}

/// Scalarised for 64-bit scalars.
pub(super) const fn lanewise_if_wide(scalar: Scalar) -> Lanewise {
    if scalar.bits() == 64 { Lanewise::Always } else { Lanewise::Never }
}

impl CallCondition {
    /// Does it apply on a machine, with these arguments?
    pub(super) fn now(self, facts: MachineFacts, args: &[Pieces]) -> bool {
        match self {
            CallCondition::Never => false,
            CallCondition::Always => true,
            CallCondition::WithoutFusedAdd => !facts.fma,
            CallCondition::WithoutRounding => !facts.rounds,
            CallCondition::UnlessKnown => args.get(1).is_none_or(|arg| arg.constant.is_none()),
        }
    }
}

const fn compare(comparison: Comparison) -> OpLowering {
    OpLowering::Same(OpWriter::Compare(compare::CompareRow::Compare(comparison)))
}

const fn bitwise(bitwise: BitwiseOp) -> OpLowering {
    OpLowering::Same(OpWriter::Compare(compare::CompareRow::Bitwise(bitwise)))
}

const fn convert(row: convert::ConvertRow) -> OpLowering {
    OpLowering::Same(OpWriter::Convert(row))
}

const fn integer(row: integer::IntegerRow) -> OpLowering {
    OpLowering::Same(OpWriter::Integer(row))
}

const fn float(row: float::FloatRow) -> OpLowering {
    OpLowering::Same(OpWriter::Float(row))
}

const fn round(row: round::RoundRow) -> OpLowering {
    OpLowering::Same(OpWriter::Round(row))
}

const fn count(row: count::CountRow) -> OpLowering {
    OpLowering::Same(OpWriter::Count(row))
}

const fn shift(row: shift::ShiftRow) -> OpLowering {
    OpLowering::Same(OpWriter::Shift(row))
}

const fn vectors(row: whole::WholeRow) -> OpLowering {
    OpLowering::Same(OpWriter::Whole(row))
}

const fn number(integer: integer::IntegerRow, float: float::FloatRow) -> OpLowering {
    OpLowering::Apart { integer: OpWriter::Integer(integer), float: OpWriter::Float(float) }
}

/// How an operation is lowered.
pub(crate) const fn lowering(op: Op) -> OpLowering {
    use whole::{Geometry, Packed};
    match op {
        Op::Add => number(integer::IntegerRow::Add, float::FloatRow::Add),
        Op::Sub => number(integer::IntegerRow::Sub, float::FloatRow::Sub),
        Op::Mul => number(integer::IntegerRow::Mul, float::FloatRow::Mul),
        Op::Div => OpLowering::Apart {
            integer: OpWriter::Divide(DivisionOp::Div),
            float: OpWriter::Float(float::FloatRow::Div),
        },
        Op::Rem => OpLowering::Apart { integer: OpWriter::Divide(DivisionOp::Rem), float: OpWriter::Call },
        Op::Neg => number(integer::IntegerRow::Neg, float::FloatRow::Neg),
        Op::Abs => number(integer::IntegerRow::Abs, float::FloatRow::Abs),
        Op::Sign => number(integer::IntegerRow::Sign, float::FloatRow::Sign),
        Op::Signum => float(float::FloatRow::Signum),
        Op::Min => number(integer::IntegerRow::Min, float::FloatRow::Min),
        Op::Max => number(integer::IntegerRow::Max, float::FloatRow::Max),
        Op::Clamp => number(integer::IntegerRow::Clamp, float::FloatRow::Clamp),
        Op::Fma => float(float::FloatRow::Fused),
        Op::Mad => number(integer::IntegerRow::Mad, float::FloatRow::Fused),
        Op::MulHi => integer(integer::IntegerRow::MulHi),
        Op::AddSat => integer(integer::IntegerRow::AddSat),
        Op::SubSat => integer(integer::IntegerRow::SubSat),
        Op::MulSat => integer(integer::IntegerRow::MulSat),
        Op::AbsDiff => integer(integer::IntegerRow::AbsDiff),
        Op::DivEuclid => OpLowering::Same(OpWriter::Divide(DivisionOp::DivEuclid)),
        Op::RemEuclid => OpLowering::Same(OpWriter::Divide(DivisionOp::RemEuclid)),
        Op::Ipow => integer(integer::IntegerRow::Ipow),
        Op::Isqrt => integer(integer::IntegerRow::Isqrt),
        Op::AddOverflows => integer(integer::IntegerRow::AddOverflows),
        Op::SubOverflows => integer(integer::IntegerRow::SubOverflows),
        Op::MulOverflows => integer(integer::IntegerRow::MulOverflows),
        Op::Floor => round(round::RoundRow::Floor),
        Op::Ceil => round(round::RoundRow::Ceil),
        Op::Trunc | Op::ModfWhole => round(round::RoundRow::Trunc),
        Op::Round => round(round::RoundRow::Round),
        Op::RoundEven => round(round::RoundRow::RoundEven),
        Op::Fract => round(round::RoundRow::Fract),
        Op::ModfFract => round(round::RoundRow::ModfFract),
        Op::FrexpFract => round(round::RoundRow::FrexpFract),
        Op::FrexpExp => round(round::RoundRow::FrexpExp),
        Op::Ldexp => round(round::RoundRow::Ldexp),
        Op::Ilogb => round(round::RoundRow::Ilogb),
        Op::Sqrt => float(float::FloatRow::Sqrt),
        Op::Rcp => float(float::FloatRow::Rcp),
        Op::Copysign => float(float::FloatRow::Copysign),
        Op::Fdim => float(float::FloatRow::Fdim),
        Op::Remainder => OpLowering::Same(OpWriter::Call),
        Op::NextUp => float(float::FloatRow::NextUp),
        Op::NextDown => float(float::FloatRow::NextDown),
        Op::IsNan => float(float::FloatRow::Test(float::Test::Nan)),
        Op::IsInf => float(float::FloatRow::Test(float::Test::Infinite)),
        Op::IsFinite => float(float::FloatRow::Test(float::Test::Finite)),
        Op::IsNormal => float(float::FloatRow::Test(float::Test::Normal)),
        Op::IsSubnormal => float(float::FloatRow::Test(float::Test::Subnormal)),
        Op::SignBit => float(float::FloatRow::Test(float::Test::SignBit)),
        Op::TotalCmp => float(float::FloatRow::TotalCmp),
        Op::Saturate => float(float::FloatRow::Saturate),
        Op::Step => float(float::FloatRow::Step),
        Op::Smoothstep => float(float::FloatRow::Smoothstep),
        Op::Mix => float(float::FloatRow::Mix),
        Op::Radians => float(float::FloatRow::Radians),
        Op::Degrees => float(float::FloatRow::Degrees),
        Op::Eq => compare(Comparison::Eq),
        Op::Ne => compare(Comparison::Ne),
        Op::Lt => compare(Comparison::Lt),
        Op::Le => compare(Comparison::Le),
        Op::Gt => compare(Comparison::Gt),
        Op::Ge => compare(Comparison::Ge),
        Op::Select => OpLowering::Same(OpWriter::Compare(compare::CompareRow::Select)),
        Op::Any => vectors(whole::WholeRow::Any),
        Op::All => vectors(whole::WholeRow::All),
        Op::And => bitwise(BitwiseOp::And),
        Op::Or => bitwise(BitwiseOp::Or),
        Op::Xor => bitwise(BitwiseOp::Xor),
        Op::Not => OpLowering::Same(OpWriter::Compare(compare::CompareRow::Not)),
        Op::Shl => shift(shift::ShiftRow::Move(shift::Move::Shl)),
        Op::Shr => shift(shift::ShiftRow::Move(shift::Move::Shr)),
        Op::Rotl => shift(shift::ShiftRow::Move(shift::Move::Rotl)),
        Op::Rotr => shift(shift::ShiftRow::Move(shift::Move::Rotr)),
        Op::CountOnes => count(count::CountRow::CountOnes),
        Op::LeadingZeros => count(count::CountRow::LeadingZeros),
        Op::TrailingZeros => count(count::CountRow::TrailingZeros),
        Op::FirstHigh => count(count::CountRow::FirstHigh),
        Op::FirstLow => count(count::CountRow::FirstLow),
        Op::ReverseBits => count(count::CountRow::ReverseBits),
        Op::SwapBytes => count(count::CountRow::SwapBytes),
        Op::ExtractBits => shift(shift::ShiftRow::ExtractBits),
        Op::InsertBits => shift(shift::ShiftRow::InsertBits),
        Op::ToI32 => convert(convert::ConvertRow::ToInteger(Elem::I32, true)),
        Op::ToU32 => convert(convert::ConvertRow::ToInteger(Elem::I32, false)),
        Op::ToI64 => convert(convert::ConvertRow::ToInteger(Elem::I64, true)),
        Op::ToU64 => convert(convert::ConvertRow::ToInteger(Elem::I64, false)),
        Op::ToF32 => convert(convert::ConvertRow::ToF32),
        Op::ToF64 => convert(convert::ConvertRow::ToF64),
        Op::WrapI8 => convert(convert::ConvertRow::WrapSigned(8)),
        Op::WrapI16 => convert(convert::ConvertRow::WrapSigned(16)),
        Op::WrapU8 => convert(convert::ConvertRow::WrapUnsigned(8)),
        Op::WrapU16 => convert(convert::ConvertRow::WrapUnsigned(16)),
        Op::QuantizeF16 => convert(convert::ConvertRow::QuantizeF16),
        Op::BitcastI32 | Op::BitcastU32 => convert(convert::ConvertRow::Bitcast(Elem::I32)),
        Op::BitcastI64 | Op::BitcastU64 => convert(convert::ConvertRow::Bitcast(Elem::I64)),
        Op::BitcastF32 => convert(convert::ConvertRow::Bitcast(Elem::F32)),
        Op::BitcastF64 => convert(convert::ConvertRow::Bitcast(Elem::F64)),
        Op::PackU64 => vectors(whole::WholeRow::Packed(Packed::PackU64)),
        Op::UnpackU64 => vectors(whole::WholeRow::Packed(Packed::UnpackU64)),
        Op::Pack4x8Snorm => vectors(whole::WholeRow::Packed(Packed::PackSnorm(127))),
        Op::Pack4x8Unorm => vectors(whole::WholeRow::Packed(Packed::PackUnorm(255))),
        Op::Pack2x16Snorm => vectors(whole::WholeRow::Packed(Packed::PackSnorm(32767))),
        Op::Pack2x16Unorm => vectors(whole::WholeRow::Packed(Packed::PackUnorm(65535))),
        Op::Pack2x16Float => vectors(whole::WholeRow::Packed(Packed::PackHalves)),
        Op::Unpack4x8Snorm => vectors(whole::WholeRow::Packed(Packed::UnpackSnorm(8, 127))),
        Op::Unpack4x8Unorm => vectors(whole::WholeRow::Packed(Packed::UnpackUnorm(8, 255))),
        Op::Unpack2x16Snorm => vectors(whole::WholeRow::Packed(Packed::UnpackSnorm(16, 32767))),
        Op::Unpack2x16Unorm => vectors(whole::WholeRow::Packed(Packed::UnpackUnorm(16, 65535))),
        Op::Unpack2x16Float => vectors(whole::WholeRow::Packed(Packed::UnpackHalves)),
        Op::Pack4xI8 | Op::Pack4xU8 => vectors(whole::WholeRow::Packed(Packed::PackBytes)),
        Op::Pack4xI8Clamp => vectors(whole::WholeRow::Packed(Packed::PackClampedSigned)),
        Op::Pack4xU8Clamp => vectors(whole::WholeRow::Packed(Packed::PackClampedUnsigned)),
        Op::Unpack4xI8 => vectors(whole::WholeRow::Packed(Packed::UnpackSigned)),
        Op::Unpack4xU8 => vectors(whole::WholeRow::Packed(Packed::UnpackUnsigned)),
        Op::Dot4I8 => vectors(whole::WholeRow::Packed(Packed::DotSigned)),
        Op::Dot4U8 => vectors(whole::WholeRow::Packed(Packed::DotUnsigned)),
        Op::Msad4 => vectors(whole::WholeRow::Packed(Packed::Msad4)),
        Op::Dot => vectors(whole::WholeRow::Dot),
        Op::Cross => vectors(whole::WholeRow::Geometry(Geometry::Cross)),
        Op::Length => vectors(whole::WholeRow::Geometry(Geometry::Length)),
        Op::Distance => vectors(whole::WholeRow::Geometry(Geometry::Distance)),
        Op::Normalize => vectors(whole::WholeRow::Geometry(Geometry::Normalize)),
        Op::Reflect => vectors(whole::WholeRow::Geometry(Geometry::Reflect)),
        Op::Refract => vectors(whole::WholeRow::Geometry(Geometry::Refract)),
        Op::FaceForward => vectors(whole::WholeRow::Geometry(Geometry::FaceForward)),
    }
}
