//! The effect of atomic operations on the number in memory: the only match over them in the
//! emitter.

use tilewise_ir::kernel::AtomicOp;
use tilewise_ir::types::Scalar;

/// How the previous number changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum AtomicChange {
    /// Adds the operand, or 1.
    Add,
    /// Adds the operand, with one rounding.
    AddFloat,
    /// Subtracts the operand, or 1.
    Sub,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// The minimum.
    Min,
    /// The maximum.
    Max,
    /// Replaces it by the operand.
    Exchange,
}

/// The effect of an atomic operation on a scalar type.
pub(super) const fn atomic_change(op: AtomicOp, scalar: Scalar) -> AtomicChange {
    match op {
        AtomicOp::Exchange => AtomicChange::Exchange,
        AtomicOp::Add if matches!(scalar, Scalar::F32) => AtomicChange::AddFloat,
        AtomicOp::Add
        | AtomicOp::Inc
        | AtomicOp::Sub
        | AtomicOp::Dec
        | AtomicOp::And
        | AtomicOp::Or
        | AtomicOp::Xor
        | AtomicOp::Min
        | AtomicOp::Max
            if scalar.is_float() =>
        {
            // The checker admits no other operations on floats.
            AtomicChange::Exchange
        }
        AtomicOp::Add | AtomicOp::Inc => AtomicChange::Add,
        AtomicOp::Sub | AtomicOp::Dec => AtomicChange::Sub,
        AtomicOp::And => AtomicChange::And,
        AtomicOp::Or => AtomicChange::Or,
        AtomicOp::Xor => AtomicChange::Xor,
        AtomicOp::Min => AtomicChange::Min,
        AtomicOp::Max => AtomicChange::Max,
    }
}
