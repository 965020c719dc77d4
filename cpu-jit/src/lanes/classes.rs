//! Instructions and operations as passes over lane programs see them: few kinds, each of which a pass decides about.
//!
//! [`LaneInst::class`] says what an instruction does to memory.
//!
//! Passes that follow sums of integers ask [`sum_op`], those that follow conditions ask [`mask_op`]. Both are decided
//! here for every family of operations. What is `Other` to them is only looked at from outside, which is always right.

use tilewise_ir::ops::{ArithmeticOp, BitwiseOp, Comparison, Op, OpFamily, OverflowRule};
use tilewise_ir::types::Scalar;

use super::program::LaneInst;

/// What an instruction does to memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LaneInstClass {
    /// Nothing: it can be computed wherever its operands are there.
    Pure,
    /// It reads.
    Read,
    /// It changes it in one step.
    Atomic,
}

impl LaneInst {
    /// What the instruction does to memory.
    pub(crate) const fn class(&self) -> LaneInstClass {
        match self {
            LaneInst::Const(_)
            | LaneInst::Input(_)
            | LaneInst::Arena(_)
            | LaneInst::Lane
            | LaneInst::Splat(_)
            | LaneInst::Op { .. }
            | LaneInst::Whole { .. }
            | LaneInst::Select { .. }
            | LaneInst::FirstLanes(_)
            | LaneInst::Any(_)
            | LaneInst::All(_)
            | LaneInst::LowestLane { .. } => LaneInstClass::Pure,
            LaneInst::Load { .. } => LaneInstClass::Read,
            LaneInst::Atomic { .. } | LaneInst::CompareExchange { .. } => LaneInstClass::Atomic,
        }
    }
}

/// What an operation is to passes that follow sums.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SumOp {
    /// A sum that wraps.
    Add,
    /// A difference that wraps.
    Sub,
    /// A product that wraps.
    Mul,
    /// A conversion to an integer.
    Convert(IntegerType),
    /// Anything else.
    Other,
}

/// Integers that are converted to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum IntegerType {
    I32,
    U32,
    I64,
    U64,
}

/// What an operation is to passes that follow conditions and masks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum MaskOp {
    /// Both.
    And,
    /// Either.
    Or,
    /// The opposite.
    Not,
    /// A comparison.
    Compare(Comparison),
    /// Anything else.
    Other,
}

/// How passes that follow sums see an operation.
pub(super) const fn sum_op(op: Op) -> SumOp {
    match op.family() {
        OpFamily::Arithmetic(ArithmeticOp::Add, OverflowRule::Wrap) => SumOp::Add,
        OpFamily::Arithmetic(ArithmeticOp::Sub, OverflowRule::Wrap) => SumOp::Sub,
        OpFamily::Arithmetic(ArithmeticOp::Mul, OverflowRule::Wrap) => SumOp::Mul,
        OpFamily::Conversion(Scalar::I32) => SumOp::Convert(IntegerType::I32),
        OpFamily::Conversion(Scalar::U32) => SumOp::Convert(IntegerType::U32),
        OpFamily::Conversion(Scalar::I64) => SumOp::Convert(IntegerType::I64),
        OpFamily::Conversion(Scalar::U64) => SumOp::Convert(IntegerType::U64),
        OpFamily::Conversion(Scalar::Bool | Scalar::F32 | Scalar::F64)
        | OpFamily::Arithmetic(_, OverflowRule::Saturate | OverflowRule::Report)
        | OpFamily::Division(_)
        | OpFamily::MultiplyAdd
        | OpFamily::Signed(_)
        | OpFamily::Extreme(_)
        | OpFamily::Clamp
        | OpFamily::Integer(_)
        | OpFamily::Comparison(_)
        | OpFamily::Select
        | OpFamily::Reduction
        | OpFamily::Bitwise(_)
        | OpFamily::Not
        | OpFamily::Shift(_)
        | OpFamily::BitCount
        | OpFamily::BitSearch
        | OpFamily::BitMove
        | OpFamily::ExtractBits
        | OpFamily::Bitcast(_)
        | OpFamily::Narrow(_)
        | OpFamily::Float
        | OpFamily::FloatTest
        | OpFamily::Packed
        | OpFamily::Geometry => SumOp::Other,
    }
}

/// How passes that follow conditions see an operation.
pub(super) const fn mask_op(op: Op) -> MaskOp {
    match op.family() {
        OpFamily::Bitwise(BitwiseOp::And) => MaskOp::And,
        OpFamily::Bitwise(BitwiseOp::Or) => MaskOp::Or,
        OpFamily::Not => MaskOp::Not,
        OpFamily::Comparison(comparison) => MaskOp::Compare(comparison),
        OpFamily::Bitwise(BitwiseOp::Xor)
        | OpFamily::Arithmetic(..)
        | OpFamily::Division(_)
        | OpFamily::MultiplyAdd
        | OpFamily::Signed(_)
        | OpFamily::Extreme(_)
        | OpFamily::Clamp
        | OpFamily::Integer(_)
        | OpFamily::Select
        | OpFamily::Reduction
        | OpFamily::Shift(_)
        | OpFamily::BitCount
        | OpFamily::BitSearch
        | OpFamily::BitMove
        | OpFamily::ExtractBits
        | OpFamily::Conversion(_)
        | OpFamily::Bitcast(_)
        | OpFamily::Narrow(_)
        | OpFamily::Float
        | OpFamily::FloatTest
        | OpFamily::Packed
        | OpFamily::Geometry => MaskOp::Other,
    }
}
