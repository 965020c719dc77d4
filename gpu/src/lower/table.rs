//! The lowering of each operation. [`lowering`] is the only match over all operations in the
//! lowering: a new operation does not compile before it has a case here.

use naga::{BinaryOperator, MathFunction, RelationalFunction};
use tilewise_ir::ops::{Comparison, Op, VectorSteps};
use tilewise_ir::types::Scalar;

use crate::exact::NativeOp;

/// The lowering of an operation. For types that neither a native operation nor the module language
/// supports, a function of the prelude is called for each component.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ModuleOp {
    /// An operator, for every type.
    Operator(BinaryOperator),
    /// A quotient; an operator where one has the same meaning.
    Div,
    /// A remainder; an operator for 32-bit integers.
    Rem,
    /// Negation; an operator for integers.
    Neg,
    /// A native function for floats, if it is exact.
    FloatFunction(NativeOp, MathFunction),
    /// A fused product and sum, if the driver's is exact.
    Fma,
    /// As [`ModuleOp::Fma`] for floats; two operators for integers.
    Mad,
    /// A native function for integers.
    IntegerFunction(MathFunction),
    /// Two native functions for integers.
    Clamp,
    /// A square root.
    Sqrt,
    /// A comparison.
    Compare(Comparison),
    /// A select.
    Select,
    /// A reduction of the components of a condition.
    Relational(RelationalFunction),
    /// Exclusive OR; `!=` for conditions.
    Xor,
    /// NOT.
    Not,
    /// A shift by a number modulo the width.
    Shift(BinaryOperator),
    /// A conversion.
    Convert(Scalar),
    /// A bitcast.
    Bitcast(Scalar),
    /// Vector steps, expanded inline.
    Steps(VectorSteps),
    /// A prelude function for each component.
    Prelude,
    /// A prelude function on whole vectors.
    PreludeWhole,
}

/// The lowering of an operation.
pub(super) const fn lowering(op: Op) -> ModuleOp {
    match op {
        Op::Add => ModuleOp::Operator(BinaryOperator::Add),
        Op::Sub => ModuleOp::Operator(BinaryOperator::Subtract),
        Op::Mul => ModuleOp::Operator(BinaryOperator::Multiply),
        Op::And => ModuleOp::Operator(BinaryOperator::And),
        Op::Or => ModuleOp::Operator(BinaryOperator::InclusiveOr),
        Op::Xor => ModuleOp::Xor,
        Op::Not => ModuleOp::Not,
        Op::Div => ModuleOp::Div,
        Op::Rem => ModuleOp::Rem,
        Op::Neg => ModuleOp::Neg,
        Op::Abs => ModuleOp::FloatFunction(NativeOp::Absolute, MathFunction::Abs),
        Op::Floor => ModuleOp::FloatFunction(NativeOp::Floor, MathFunction::Floor),
        Op::Ceil => ModuleOp::FloatFunction(NativeOp::Ceil, MathFunction::Ceil),
        Op::Trunc => ModuleOp::FloatFunction(NativeOp::Trunc, MathFunction::Trunc),
        Op::RoundEven => ModuleOp::FloatFunction(NativeOp::RoundEven, MathFunction::Round),
        Op::Fma => ModuleOp::Fma,
        Op::Mad => ModuleOp::Mad,
        Op::Min => ModuleOp::IntegerFunction(MathFunction::Min),
        Op::Max => ModuleOp::IntegerFunction(MathFunction::Max),
        Op::Clamp => ModuleOp::Clamp,
        Op::Sqrt => ModuleOp::Sqrt,
        Op::Eq => ModuleOp::Compare(Comparison::Eq),
        Op::Ne => ModuleOp::Compare(Comparison::Ne),
        Op::Lt => ModuleOp::Compare(Comparison::Lt),
        Op::Le => ModuleOp::Compare(Comparison::Le),
        Op::Gt => ModuleOp::Compare(Comparison::Gt),
        Op::Ge => ModuleOp::Compare(Comparison::Ge),
        Op::Select => ModuleOp::Select,
        Op::Any => ModuleOp::Relational(RelationalFunction::Any),
        Op::All => ModuleOp::Relational(RelationalFunction::All),
        Op::Shl => ModuleOp::Shift(BinaryOperator::ShiftLeft),
        Op::Shr => ModuleOp::Shift(BinaryOperator::ShiftRight),
        Op::ToI32 => ModuleOp::Convert(Scalar::I32),
        Op::ToU32 => ModuleOp::Convert(Scalar::U32),
        Op::ToI64 => ModuleOp::Convert(Scalar::I64),
        Op::ToU64 => ModuleOp::Convert(Scalar::U64),
        Op::ToF32 => ModuleOp::Convert(Scalar::F32),
        Op::ToF64 => ModuleOp::Convert(Scalar::F64),
        Op::BitcastI32 => ModuleOp::Bitcast(Scalar::I32),
        Op::BitcastU32 => ModuleOp::Bitcast(Scalar::U32),
        Op::BitcastF32 => ModuleOp::Bitcast(Scalar::F32),
        Op::BitcastI64 => ModuleOp::Bitcast(Scalar::I64),
        Op::BitcastU64 => ModuleOp::Bitcast(Scalar::U64),
        Op::BitcastF64 => ModuleOp::Bitcast(Scalar::F64),
        Op::Dot => ModuleOp::Steps(VectorSteps::Dot),
        Op::Length => ModuleOp::Steps(VectorSteps::Length),
        Op::Distance => ModuleOp::Steps(VectorSteps::Distance),
        Op::Normalize => ModuleOp::Steps(VectorSteps::Normalize),
        Op::Cross => ModuleOp::Steps(VectorSteps::Cross),
        Op::Reflect => ModuleOp::Steps(VectorSteps::Reflect),
        Op::Refract => ModuleOp::Steps(VectorSteps::Refract),
        Op::FaceForward => ModuleOp::Steps(VectorSteps::FaceForward),
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
        | Op::QuantizeF16 => ModuleOp::Prelude,
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
        | Op::Msad4 => ModuleOp::PreludeWhole,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_on_whole_vectors_are_those_of_rows_that_do_not_go_component_by_component() {
        for row in Op::ROWS {
            let whole = match lowering(row.op) {
                ModuleOp::PreludeWhole | ModuleOp::Steps(_) | ModuleOp::Relational(_) => true,
                ModuleOp::Operator(_)
                | ModuleOp::Div
                | ModuleOp::Rem
                | ModuleOp::Neg
                | ModuleOp::FloatFunction(..)
                | ModuleOp::Fma
                | ModuleOp::Mad
                | ModuleOp::IntegerFunction(_)
                | ModuleOp::Clamp
                | ModuleOp::Sqrt
                | ModuleOp::Compare(_)
                | ModuleOp::Select
                | ModuleOp::Xor
                | ModuleOp::Not
                | ModuleOp::Shift(_)
                | ModuleOp::Convert(_)
                | ModuleOp::Bitcast(_)
                | ModuleOp::Prelude => false,
            };
            assert_eq!(whole, !row.each, "{}", row.name);
        }
    }
}
