//! Loops over a row that belongs to the thread: it is read, written, or changed in place, forwards, a
//! neighbour beside it. Targets access such rows in blocks of iterations.

use tilewise_ir::kernel::{Init, InstKind, Place, Root, ValueId};
use tilewise_ir::ops::Op;
use tilewise_ir::types::{Access, Data, Stored, Type, ViewType};

use super::{KernelMaker, MemoryRole, PlaceBase, UsableMemory};

/// Elements of a row at least, so that it has a whole block.
const LEAST: usize = 16;

/// How often a loop over a row may run.
const MOST_ROUNDS: u32 = 4;

impl KernelMaker {
    /// The type of a view with long rows.
    pub(super) fn row_element(&mut self) -> Stored {
        self.rng.one([Stored::I32, Stored::U32, Stored::I64, Stored::U64])
    }

    /// A loop over a row of the thread's own; false if there is none here.
    pub(super) fn sweep_statement(&mut self) -> bool {
        let is_row = |maker: &KernelMaker, held: &UsableMemory| {
            let is_view = matches!(held.base, PlaceBase::View(_, ViewType { rank: 2, access: Access::ReadWrite, .. }));
            let is_own = matches!(&held.role, MemoryRole::Own(owned) if owned.len() >= LEAST);
            is_view && is_own && maker.allows(held, true)
        };
        if self.flow.rounds > MOST_ROUNDS {
            return false;
        }
        let Some(held) = self.any_held(&is_row) else { return false };
        let MemoryRole::Own(owned) = &held.role else { return false };
        let (row, length) = (owned[0][0], owned.len() as u32);
        let &Type::Scalar(stored) = self.b.so_far().types().get(held.ty) else { return false };
        let data = Data::scalar(stored.value());
        if !matches!(stored, Stored::I32 | Stored::U32 | Stored::I64 | Stored::U64) {
            return false;
        }
        let u32_type = self.b.types().scalar(Stored::U32);
        let name = self.name();
        let counter = self.b.local(&name, u32_type);
        let begin = self.rng.one([0, 0, 0, 1, 3]);
        let begin = self.u32(begin);
        let name = self.name();
        let sum = self.b.local(&name, held.ty);
        self.emit(InstKind::Declare { local: sum, init: Init::Zero });
        self.emit(InstKind::Declare { local: counter, init: Init::Value(begin) });
        let end = self.rng.one([length, length, length - 1, length + 2]);
        let (end, label) = (self.u32(end), self.b.label(None));
        let (writes, reads, near) = (self.rng.percent(60), self.rng.percent(75), self.rng.below(8));
        let (other, leaves) = (self.value(data, false), self.rng.percent(15));
        let at = |maker: &mut KernelMaker, column: ValueId| Place {
            root: maker.root(held.base, vec![row, column]),
            path: Vec::new(),
        };
        let local = |local| Place { root: Root::Local(local), path: Vec::new() };
        let outer = self.flow.clone();
        self.flow.rounds = self.flow.rounds.saturating_mul(length);
        let condition = self.block(false, &mut |maker| {
            let count = maker.value_of(InstKind::Load(local(counter)));
            Some(maker.op(Op::Lt, &[count, end]))
        });
        let body = self.block(false, &mut |maker| {
            let count = maker.value_of(InstKind::Load(local(counter)));
            let mut value = maker.value_of(InstKind::Load(local(sum)));
            if reads {
                let place = at(maker, count);
                let read = maker.value_of(InstKind::Load(place));
                value = maker.op(Op::Add, &[value, read]);
            }
            if near == 0 {
                // One before the row is out of range, or another's: so the first column is its own neighbour.
                let one = maker.u32(1);
                let clamped = maker.op(Op::Max, &[count, one]);
                let before = maker.op(Op::Sub, &[clamped, one]);
                let place = at(maker, before);
                let read = maker.value_of(InstKind::Load(place));
                value = maker.op(Op::Xor, &[value, read]);
            }
            if leaves {
                let condition = maker.op(Op::Eq, &[value, other]);
                let then = maker.block(false, &mut |maker| {
                    maker.emit(InstKind::Break { label, value: None });
                    None
                });
                let otherwise = maker.block(false, &mut |_| None);
                maker.emit(InstKind::If { condition, then, otherwise });
            }
            value = maker.op(Op::Xor, &[value, other]);
            if writes {
                let place = at(maker, count);
                maker.emit(InstKind::Store { place, value });
            }
            maker.emit(InstKind::Store { place: local(sum), value });
            None
        });
        let continuing = self.block(false, &mut |maker| {
            let count = maker.value_of(InstKind::Load(local(counter)));
            let one = maker.u32(1);
            let next = maker.op(Op::Add, &[count, one]);
            maker.emit(InstKind::Store { place: local(counter), value: next });
            None
        });
        self.flow = outer;
        self.emit(InstKind::Loop { label, condition: Some(Box::new(condition)), body, continuing });
        let result = self.value_of(InstKind::Load(local(sum)));
        self.know(result, false);
        true
    }
}
