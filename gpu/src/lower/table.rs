//! How each operation is written in the module language. [`lowering`] is the only match over all operations in the
//! lowering: a new operation does not compile before it is said here what it becomes.

use naga::{BinaryOperator, MathFunction, RelationalFunction};
use tilewise_ir::ops::{Comparison, Op};
use tilewise_ir::types::Scalar;

use crate::exact::Own;

/// What an operation becomes. What a driver's own operation or the module language cannot do for a type, a function of
/// the prelude does, component by component.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum OpLowering {
    /// An operator, for every type.
    Operator(BinaryOperator),
    /// A quotient; an operator where there is one that means the same.
    Div,
    /// A remainder; an operator for integers of 32 bits.
    Rem,
    /// The negative; an operator for integers.
    Neg,
    /// A function of the driver for floats, if it is exact.
    FloatFunction(Own, MathFunction),
    /// A fused product and sum, if the driver's is exact.
    Fma,
    /// As [`OpLowering::Fma`] for floats; for integers two operators.
    Mad,
    /// A function of the driver for integers.
    IntegerFunction(MathFunction),
    /// Two functions of the driver for integers.
    Clamp,
    /// A root.
    Sqrt,
    /// A comparison.
    Compare(Comparison),
    /// A choice.
    Select,
    /// All components of a condition together.
    Relational(RelationalFunction),
    /// One or the other: of conditions a comparison.
    Xor,
    /// The opposite.
    Not,
    /// A shift by a number modulo the width.
    Shift(BinaryOperator),
    /// A conversion.
    Convert(Scalar),
    /// The same bits as another type.
    Bitcast(Scalar),
    /// Steps on vectors, spelled out.
    Steps(Steps),
    /// A function of the prelude, component by component.
    Prelude,
    /// A function of the prelude on whole vectors.
    PreludeWhole,
}

/// Operations on vectors that are spelled out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Steps {
    Dot,
    Length,
    Distance,
    Normalize,
    Cross,
    Reflect,
    Refract,
    FaceForward,
}

/// How an operation is written.
pub(super) const fn lowering(op: Op) -> OpLowering {
    match op {
        Op::Add => OpLowering::Operator(BinaryOperator::Add),
        Op::Sub => OpLowering::Operator(BinaryOperator::Subtract),
        Op::Mul => OpLowering::Operator(BinaryOperator::Multiply),
        Op::And => OpLowering::Operator(BinaryOperator::And),
        Op::Or => OpLowering::Operator(BinaryOperator::InclusiveOr),
        Op::Xor => OpLowering::Xor,
        Op::Not => OpLowering::Not,
        Op::Div => OpLowering::Div,
        Op::Rem => OpLowering::Rem,
        Op::Neg => OpLowering::Neg,
        Op::Abs => OpLowering::FloatFunction(Own::Absolute, MathFunction::Abs),
        Op::Floor => OpLowering::FloatFunction(Own::Floor, MathFunction::Floor),
        Op::Ceil => OpLowering::FloatFunction(Own::Ceil, MathFunction::Ceil),
        Op::Trunc => OpLowering::FloatFunction(Own::Trunc, MathFunction::Trunc),
        Op::RoundEven => OpLowering::FloatFunction(Own::RoundEven, MathFunction::Round),
        Op::Fma => OpLowering::Fma,
        Op::Mad => OpLowering::Mad,
        Op::Min => OpLowering::IntegerFunction(MathFunction::Min),
        Op::Max => OpLowering::IntegerFunction(MathFunction::Max),
        Op::Clamp => OpLowering::Clamp,
        Op::Sqrt => OpLowering::Sqrt,
        Op::Eq => OpLowering::Compare(Comparison::Eq),
        Op::Ne => OpLowering::Compare(Comparison::Ne),
        Op::Lt => OpLowering::Compare(Comparison::Lt),
        Op::Le => OpLowering::Compare(Comparison::Le),
        Op::Gt => OpLowering::Compare(Comparison::Gt),
        Op::Ge => OpLowering::Compare(Comparison::Ge),
        Op::Select => OpLowering::Select,
        Op::Any => OpLowering::Relational(RelationalFunction::Any),
        Op::All => OpLowering::Relational(RelationalFunction::All),
        Op::Shl => OpLowering::Shift(BinaryOperator::ShiftLeft),
        Op::Shr => OpLowering::Shift(BinaryOperator::ShiftRight),
        Op::ToI32 => OpLowering::Convert(Scalar::I32),
        Op::ToU32 => OpLowering::Convert(Scalar::U32),
        Op::ToI64 => OpLowering::Convert(Scalar::I64),
        Op::ToU64 => OpLowering::Convert(Scalar::U64),
        Op::ToF32 => OpLowering::Convert(Scalar::F32),
        Op::ToF64 => OpLowering::Convert(Scalar::F64),
        Op::BitcastI32 => OpLowering::Bitcast(Scalar::I32),
        Op::BitcastU32 => OpLowering::Bitcast(Scalar::U32),
        Op::BitcastF32 => OpLowering::Bitcast(Scalar::F32),
        Op::BitcastI64 => OpLowering::Bitcast(Scalar::I64),
        Op::BitcastU64 => OpLowering::Bitcast(Scalar::U64),
        Op::BitcastF64 => OpLowering::Bitcast(Scalar::F64),
        Op::Dot => OpLowering::Steps(Steps::Dot),
        Op::Length => OpLowering::Steps(Steps::Length),
        Op::Distance => OpLowering::Steps(Steps::Distance),
        Op::Normalize => OpLowering::Steps(Steps::Normalize),
        Op::Cross => OpLowering::Steps(Steps::Cross),
        Op::Reflect => OpLowering::Steps(Steps::Reflect),
        Op::Refract => OpLowering::Steps(Steps::Refract),
        Op::FaceForward => OpLowering::Steps(Steps::FaceForward),
        Op::Sign
        | Op::Signum
        | Op::MulHi
        | Op::AddSat
        | Op::SubSat
        | Op::MulSat
        | Op::AbsDiff
        | Op::DivEuclid
        | Op::RemEuclid
        | Op::Ipow
        | Op::Isqrt
        | Op::AddOverflows
        | Op::SubOverflows
        | Op::MulOverflows
        | Op::Round
        | Op::Fract
        | Op::ModfFract
        | Op::ModfWhole
        | Op::FrexpFract
        | Op::FrexpExp
        | Op::Ldexp
        | Op::Ilogb
        | Op::Rcp
        | Op::Copysign
        | Op::Fdim
        | Op::Remainder
        | Op::NextUp
        | Op::NextDown
        | Op::IsNan
        | Op::IsInf
        | Op::IsFinite
        | Op::IsNormal
        | Op::IsSubnormal
        | Op::SignBit
        | Op::TotalCmp
        | Op::Saturate
        | Op::Step
        | Op::Smoothstep
        | Op::Mix
        | Op::Radians
        | Op::Degrees
        | Op::Rotl
        | Op::Rotr
        | Op::CountOnes
        | Op::LeadingZeros
        | Op::TrailingZeros
        | Op::FirstHigh
        | Op::FirstLow
        | Op::ReverseBits
        | Op::SwapBytes
        | Op::ExtractBits
        | Op::InsertBits
        | Op::WrapI8
        | Op::WrapI16
        | Op::WrapU8
        | Op::WrapU16
        | Op::QuantizeF16 => OpLowering::Prelude,
        Op::PackU64
        | Op::UnpackU64
        | Op::Pack4x8Snorm
        | Op::Pack4x8Unorm
        | Op::Pack2x16Snorm
        | Op::Pack2x16Unorm
        | Op::Pack2x16Float
        | Op::Unpack4x8Snorm
        | Op::Unpack4x8Unorm
        | Op::Unpack2x16Snorm
        | Op::Unpack2x16Unorm
        | Op::Unpack2x16Float
        | Op::Pack4xI8
        | Op::Pack4xI8Clamp
        | Op::Pack4xU8
        | Op::Pack4xU8Clamp
        | Op::Unpack4xI8
        | Op::Unpack4xU8
        | Op::Dot4I8
        | Op::Dot4U8
        | Op::Msad4 => OpLowering::PreludeWhole,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_on_whole_vectors_are_those_of_rows_that_do_not_go_component_by_component() {
        for row in Op::ROWS {
            let whole = match lowering(row.op) {
                OpLowering::PreludeWhole | OpLowering::Steps(_) | OpLowering::Relational(_) => true,
                OpLowering::Operator(_)
                | OpLowering::Div
                | OpLowering::Rem
                | OpLowering::Neg
                | OpLowering::FloatFunction(..)
                | OpLowering::Fma
                | OpLowering::Mad
                | OpLowering::IntegerFunction(_)
                | OpLowering::Clamp
                | OpLowering::Sqrt
                | OpLowering::Compare(_)
                | OpLowering::Select
                | OpLowering::Xor
                | OpLowering::Not
                | OpLowering::Shift(_)
                | OpLowering::Convert(_)
                | OpLowering::Bitcast(_)
                | OpLowering::Prelude => false,
            };
            assert_eq!(whole, !row.each, "{}", row.name);
        }
    }
}
