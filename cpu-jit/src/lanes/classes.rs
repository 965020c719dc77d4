//! Classifies instructions and operations for passes over lane programs: a few classes, each of
//! which a pass handles.
//!
//! [`LaneInst::class`] is the effect of an instruction on memory.
//!
//! Passes that track sums of integers use [`sum_op`], those that track conditions use [`mask_op`].
//! Both are exhaustive over families of operations. An `Other` operation is treated as opaque,
//! which is always correct.

use tilewise_ir::kernel::AtomicOp;
use tilewise_ir::ops::{ArithmeticOp, BitwiseOp, Comparison, Op, OpFamily, OverflowRule};
use tilewise_ir::types::Scalar;

use super::program::{AddressStep, LaneInst, MemorySpace};

/// The effect of an instruction on memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LaneInstClass {
    /// None: it can be computed wherever its operands are available.
    Pure,
    /// It reads.
    Read,
    /// It is a read-modify-write.
    Atomic,
}

impl LaneInst {
    /// The effect of the instruction on memory.
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
            | LaneInst::LowestLane { .. }
            | LaneInst::ReciprocalRoot(_)
            | LaneInst::Slide { .. } => LaneInstClass::Pure,
            LaneInst::Load { .. } => LaneInstClass::Read,
            LaneInst::Atomic { .. } | LaneInst::CompareExchange { .. } => LaneInstClass::Atomic,
        }
    }
}

impl LaneInst {
    /// Does an atomic operation change one place once, for all lanes? Those that can be combined are, where the
    /// program is built.
    pub(crate) fn is_for_all_lanes(&self) -> bool {
        let LaneInst::Atomic { op, scalar, at, .. } = self else { return false };
        at.along == AddressStep::Uniform
            && !matches!(at.space, MemorySpace::Arena(_))
            && !scalar.is_float()
            && *op != AtomicOp::Exchange
    }
}

/// The class of an operation for passes that track sums.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SumOp {
    /// A wrapping sum.
    Add,
    /// A wrapping difference.
    Sub,
    /// A wrapping product.
    Mul,
    /// A conversion to an integer.
    Convert(IntegerType),
    /// Anything else.
    Other,
}

/// Integer types that are converted to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum IntegerType {
    I32,
    U32,
    I64,
    U64,
}

/// The class of an operation for passes that track conditions and masks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum MaskOp {
    /// Conjunction.
    And,
    /// Disjunction.
    Or,
    /// Negation.
    Not,
    /// A comparison.
    Compare(Comparison),
    /// Anything else.
    Other,
}

/// Classifies an operation for passes that track sums.
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
        | OpFamily::Geometry(_) => SumOp::Other,
    }
}

/// Classifies an operation for passes that track conditions.
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
        | OpFamily::Geometry(_) => MaskOp::Other,
    }
}
