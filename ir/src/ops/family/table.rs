//! The family of each operation, and queries derived from it.

use super::{
    ArithmeticOp, BitwiseOp, Comparison, DivisionOp, ExtremeOp, IntegerOp, OpFamily, OverflowRule, ShiftOp, SignOp,
};
use crate::ops::{Op, VectorSteps};
use crate::types::{Scalar, Stored};

impl Op {
    /// The family of the operation.
    pub const fn family(self) -> OpFamily {
        match self {
            Op::Add => OpFamily::Arithmetic(ArithmeticOp::Add, OverflowRule::Wrap),
            Op::Sub => OpFamily::Arithmetic(ArithmeticOp::Sub, OverflowRule::Wrap),
            Op::Mul => OpFamily::Arithmetic(ArithmeticOp::Mul, OverflowRule::Wrap),
            Op::AddSat => OpFamily::Arithmetic(ArithmeticOp::Add, OverflowRule::Saturate),
            Op::SubSat => OpFamily::Arithmetic(ArithmeticOp::Sub, OverflowRule::Saturate),
            Op::MulSat => OpFamily::Arithmetic(ArithmeticOp::Mul, OverflowRule::Saturate),
            Op::AddOverflows => OpFamily::Arithmetic(ArithmeticOp::Add, OverflowRule::Report),
            Op::SubOverflows => OpFamily::Arithmetic(ArithmeticOp::Sub, OverflowRule::Report),
            Op::MulOverflows => OpFamily::Arithmetic(ArithmeticOp::Mul, OverflowRule::Report),
            Op::Div => OpFamily::Division(DivisionOp::Div),
            Op::Rem => OpFamily::Division(DivisionOp::Rem),
            Op::DivEuclid => OpFamily::Division(DivisionOp::DivEuclid),
            Op::RemEuclid => OpFamily::Division(DivisionOp::RemEuclid),
            Op::Mad | Op::Fma => OpFamily::MultiplyAdd,
            Op::Neg => OpFamily::Signed(SignOp::Neg),
            Op::Abs => OpFamily::Signed(SignOp::Abs),
            Op::Sign => OpFamily::Signed(SignOp::Sign),
            Op::Min => OpFamily::Extreme(ExtremeOp::Min),
            Op::Max => OpFamily::Extreme(ExtremeOp::Max),
            Op::Clamp => OpFamily::Clamp,
            Op::MulHi => OpFamily::Integer(IntegerOp::MulHi),
            Op::AbsDiff => OpFamily::Integer(IntegerOp::AbsDiff),
            Op::Ipow => OpFamily::Integer(IntegerOp::Ipow),
            Op::Isqrt => OpFamily::Integer(IntegerOp::Isqrt),
            Op::Eq => OpFamily::Comparison(Comparison::Eq),
            Op::Ne => OpFamily::Comparison(Comparison::Ne),
            Op::Lt => OpFamily::Comparison(Comparison::Lt),
            Op::Le => OpFamily::Comparison(Comparison::Le),
            Op::Gt => OpFamily::Comparison(Comparison::Gt),
            Op::Ge => OpFamily::Comparison(Comparison::Ge),
            Op::Select => OpFamily::Select,
            Op::Any | Op::All => OpFamily::Reduction,
            Op::And => OpFamily::Bitwise(BitwiseOp::And),
            Op::Or => OpFamily::Bitwise(BitwiseOp::Or),
            Op::Xor => OpFamily::Bitwise(BitwiseOp::Xor),
            Op::Not => OpFamily::Not,
            Op::Shl => OpFamily::Shift(ShiftOp::Shl),
            Op::Shr => OpFamily::Shift(ShiftOp::Shr),
            Op::CountOnes | Op::LeadingZeros | Op::TrailingZeros => OpFamily::BitCount,
            Op::FirstHigh | Op::FirstLow => OpFamily::BitSearch,
            Op::Rotl | Op::Rotr | Op::ReverseBits | Op::SwapBytes | Op::InsertBits => OpFamily::BitMove,
            Op::ExtractBits => OpFamily::ExtractBits,
            Op::ToI32 => OpFamily::Conversion(Scalar::I32),
            Op::ToU32 => OpFamily::Conversion(Scalar::U32),
            Op::ToI64 => OpFamily::Conversion(Scalar::I64),
            Op::ToU64 => OpFamily::Conversion(Scalar::U64),
            Op::ToF32 => OpFamily::Conversion(Scalar::F32),
            Op::ToF64 => OpFamily::Conversion(Scalar::F64),
            Op::BitcastI32 => OpFamily::Bitcast(Scalar::I32),
            Op::BitcastU32 => OpFamily::Bitcast(Scalar::U32),
            Op::BitcastI64 => OpFamily::Bitcast(Scalar::I64),
            Op::BitcastU64 => OpFamily::Bitcast(Scalar::U64),
            Op::BitcastF32 => OpFamily::Bitcast(Scalar::F32),
            Op::BitcastF64 => OpFamily::Bitcast(Scalar::F64),
            Op::WrapI8 => OpFamily::Narrow(Stored::I8),
            Op::WrapU8 => OpFamily::Narrow(Stored::U8),
            Op::WrapI16 => OpFamily::Narrow(Stored::I16),
            Op::WrapU16 => OpFamily::Narrow(Stored::U16),
            Op::QuantizeF16 => OpFamily::Narrow(Stored::F16),
            Op::IsNan | Op::IsInf | Op::IsFinite | Op::IsNormal | Op::IsSubnormal | Op::SignBit => OpFamily::FloatTest,
            Op::Signum
            | Op::Floor
            | Op::Ceil
            | Op::Trunc
            | Op::Round
            | Op::RoundEven
            | Op::Fract
            | Op::ModfFract
            | Op::ModfWhole
            | Op::FrexpFract
            | Op::FrexpExp
            | Op::Ldexp
            | Op::Ilogb
            | Op::Sqrt
            | Op::Rcp
            | Op::Copysign
            | Op::Fdim
            | Op::Remainder
            | Op::NextUp
            | Op::NextDown
            | Op::TotalCmp
            | Op::Saturate
            | Op::Step
            | Op::Smoothstep
            | Op::Mix
            | Op::Radians
            | Op::Degrees => OpFamily::Float,
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
            | Op::Msad4 => OpFamily::Packed,
            Op::Dot => OpFamily::Geometry(VectorSteps::Dot),
            Op::Cross => OpFamily::Geometry(VectorSteps::Cross),
            Op::Length => OpFamily::Geometry(VectorSteps::Length),
            Op::Distance => OpFamily::Geometry(VectorSteps::Distance),
            Op::Normalize => OpFamily::Geometry(VectorSteps::Normalize),
            Op::Reflect => OpFamily::Geometry(VectorSteps::Reflect),
            Op::Refract => OpFamily::Geometry(VectorSteps::Refract),
            Op::FaceForward => OpFamily::Geometry(VectorSteps::FaceForward),
        }
    }

    /// The operation as a comparison, if it is one.
    pub const fn comparison(self) -> Option<Comparison> {
        if let OpFamily::Comparison(comparison) = self.family() { Some(comparison) } else { None }
    }

    /// The target type of a conversion (`to_f32`).
    pub const fn conversion(self) -> Option<Scalar> {
        if let OpFamily::Conversion(scalar) = self.family() { Some(scalar) } else { None }
    }

    /// The target type of a bitcast (`bitcast_f32`).
    pub const fn bitcast(self) -> Option<Scalar> {
        if let OpFamily::Bitcast(scalar) = self.family() { Some(scalar) } else { None }
    }

    /// The integer type to which the operation changes an integer, keeping the low bits: by
    /// conversion or bitcast.
    pub const fn integer_change(self) -> Option<Scalar> {
        if let OpFamily::Conversion(scalar) | OpFamily::Bitcast(scalar) = self.family()
            && scalar.is_integer()
        {
            Some(scalar)
        } else {
            None
        }
    }
}
