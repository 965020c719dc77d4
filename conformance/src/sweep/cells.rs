//! The cells of the sweep: each row of the op table at each scalar of its class, each atomic
//! operation at each scalar that it takes.

use std::sync::OnceLock;

use tilewise_ir::kernel::AtomicOp;
use tilewise_ir::ops::Op;
use tilewise_ir::types::Scalar;

use super::oracle::judge::scalars;

/// An atomic operation that the sweep covers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SweptAtomic {
    /// One that reads, changes and writes.
    Change(AtomicOp),
    /// Compare and exchange.
    CompareExchange,
}

/// What a cell computes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CellKind {
    /// A row of the op table.
    Row(Op),
    /// An atomic operation.
    Atomic(SweptAtomic),
}

/// A cell: an operation at one scalar.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SweepCell {
    /// `sweep/<operation>/<scalar>`.
    pub name: String,
    /// The operation.
    pub kind: CellKind,
    /// The row's type variable; for a row without one, the component type of its result.
    pub scalar: Scalar,
}

/// All cells, in the order of the table.
pub fn cells() -> &'static [SweepCell] {
    static CELLS: OnceLock<Vec<SweepCell>> = OnceLock::new();
    CELLS.get_or_init(|| {
        let rows = Op::ROWS.iter().flat_map(|row| {
            scalars(row).into_iter().map(|scalar| cell(row.name, CellKind::Row(row.op), scalar)).collect::<Vec<_>>()
        });
        let changes = AtomicOp::ALL.into_iter().flat_map(|op| {
            let kind = CellKind::Atomic(SweptAtomic::Change(op));
            changed_scalars(op).iter().map(move |&scalar| cell(op.name(), kind, scalar))
        });
        let exchange = CellKind::Atomic(SweptAtomic::CompareExchange);
        let exchanges = EXCHANGED.iter().map(|&scalar| cell("atomic_compare_exchange", exchange, scalar));
        rows.chain(changes).chain(exchanges).collect()
    })
}

fn cell(operation: &str, kind: CellKind, scalar: Scalar) -> SweepCell {
    SweepCell { name: format!("{}/{operation}/{}", super::GROUP, scalar.name()), kind, scalar }
}

/// The scalars that compare-exchange takes.
const EXCHANGED: &[Scalar] = &[Scalar::I32, Scalar::U32, Scalar::I64, Scalar::U64, Scalar::F32, Scalar::F64];

/// The scalars that an atomic operation takes.
fn changed_scalars(op: AtomicOp) -> &'static [Scalar] {
    const INTEGERS: &[Scalar] = &[Scalar::I32, Scalar::U32, Scalar::I64, Scalar::U64];
    const WITH_F32: &[Scalar] = &[Scalar::I32, Scalar::U32, Scalar::I64, Scalar::U64, Scalar::F32];
    match op {
        AtomicOp::Add | AtomicOp::Exchange => WITH_F32,
        AtomicOp::Sub
        | AtomicOp::Min
        | AtomicOp::Max
        | AtomicOp::And
        | AtomicOp::Or
        | AtomicOp::Xor
        | AtomicOp::Inc
        | AtomicOp::Dec => INTEGERS,
    }
}
