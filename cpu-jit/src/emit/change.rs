//! What atomic operations do to the number in memory: the one match over them in the emitter.

use tilewise_ir::kernel::AtomicOp;
use tilewise_ir::types::Scalar;

/// What becomes of the number before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum AtomicChange {
    /// The operand is added, or 1.
    Add,
    /// The operand is added, with one rounding.
    AddFloat,
    /// The operand is subtracted, or 1.
    Sub,
    /// Bits that both have.
    And,
    /// Bits that either has.
    Or,
    /// Bits that one of them has.
    Xor,
    /// The smaller one stays.
    Min,
    /// The larger one stays.
    Max,
    /// The operand takes its place.
    Exchange,
}

/// What an atomic operation does to a scalar.
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
            // The checker lets no other operations on floats through.
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
