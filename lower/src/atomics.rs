//! Atomic operations. What the kernel language lacks on floats is a loop of compare-exchanges.

use super::RustType;
use super::state::{Lower, OrNoValue};
use super::value::{HeldAs, LoweredValue, RustPlace, SpotRoot};
use tilewise_ir::kernel::{AtomicOp, InstKind, LabelId, Place, ValueId};
use tilewise_ir::ops::Op;
use tilewise_ir::pos::Pos;
use tilewise_ir::types::Data;

/// A change of a float by compare-exchanges.
struct FloatExchange {
    /// The variable with the value that the place is expected to have.
    seen: RustPlace,
    /// The operation; without one, the value replaces the other.
    row: Option<Op>,
    /// Gives the bits of the float.
    bits: Op,
    place: Place,
    value: ValueId,
    /// Of the loop.
    label: LabelId,
}

impl Lower {
    pub(super) fn atomic_ref(&mut self, place: &RustPlace, pos: Pos) -> OrNoValue<LoweredValue> {
        match (&place.at, place.ty.data()) {
            (SpotRoot::Memory(at), Some(data)) if data.width == 1 => {
                Ok(LoweredValue { ty: RustType::Atomic(data.scalar), held: HeldAs::Place(at.clone()) })
            }
            _ => self.broken(format!("an atomic reference to `{}`", place.ty.show()), pos),
        }
    }

    pub(super) fn atomic(&mut self, op: AtomicOp, args: &[LoweredValue], pos: Pos) -> OrNoValue<LoweredValue> {
        let Some((target, operands)) = args.split_first() else { return self.broken("an atomic of nothing", pos) };
        let (HeldAs::Place(place), RustType::Atomic(scalar)) = (&target.held, &target.ty) else {
            return self.broken(format!("an atomic operation on `{}`", target.ty.show()), pos);
        };
        let (place, ty) = ((**place).clone(), RustType::scalar(*scalar));
        let value = match (op.takes_operand(), operands) {
            (false, []) => None,
            (false, [_, ..]) => return self.broken("an operand that is not wanted", pos),
            (true, [value]) => Some(self.id(value, pos)?),
            (true, _) => return self.broken("an atomic operation without its operand", pos),
        };
        let old = match value {
            Some(value) if scalar.is_float() && !op.accepts(*scalar) => self.by_exchange(op, place, value, &ty, pos)?,
            _ => self.inst(InstKind::Atomic { op, place, value }, pos)?,
        };
        Ok(LoweredValue::one(ty, old))
    }

    /// An operation on a float that the kernel language lacks: a loop of compare-exchanges. Out of
    /// range, the exchange finds the zero that was loaded, and the loop ends.
    fn by_exchange(
        &mut self,
        op: AtomicOp,
        place: Place,
        value: ValueId,
        ty: &RustType,
        pos: Pos,
    ) -> OrNoValue<ValueId> {
        let row = match op {
            AtomicOp::Add => Some(Op::Add),
            AtomicOp::Sub => Some(Op::Sub),
            AtomicOp::Min => Some(Op::Min),
            AtomicOp::Max => Some(Op::Max),
            AtomicOp::Exchange => None,
            AtomicOp::And | AtomicOp::Or | AtomicOp::Xor | AtomicOp::Inc | AtomicOp::Dec => {
                return self.broken("an atomic operation on the bits of a float", pos);
            }
        };
        let bits = if ty.data() == Some(Data::F64) { Op::BitcastU64 } else { Op::BitcastU32 };
        let first = self.inst(InstKind::Load(place.clone()), pos)?;
        let seen = self.variable("seen", ty, Some(&LoweredValue::one(ty.clone(), first)), pos)?;
        let label = self.b.label(None);
        self.b.begin_block();
        let by = FloatExchange { seen, row, bits, place, value, label };
        let filled = self.exchange_once(&by, pos);
        let body = self.b.end_block(None);
        filled?;
        self.b.begin_block();
        let continuing = self.b.end_block(None);
        self.emit(InstKind::Loop { label, condition: None, body, continuing }, pos)?;
        let old = self.load(&by.seen, pos)?;
        self.id(&old, pos)
    }

    fn exchange_once(&mut self, by: &FloatExchange, pos: Pos) -> OrNoValue<()> {
        let expected = self.load(&by.seen, pos)?;
        let expected = self.id(&expected, pos)?;
        let new = match by.row {
            Some(row) => self.op(row, &[expected, by.value], pos)?,
            None => by.value,
        };
        self.spend(1, pos)?;
        let (old, _) = self.b.compare_exchange(by.place.clone(), expected, new, pos);
        let (found, wanted) = (self.op(by.bits, &[old], pos)?, self.op(by.bits, &[expected], pos)?);
        let done = self.op(Op::Eq, &[found, wanted], pos)?;
        self.b.begin_block();
        let left = self.emit(InstKind::Break { label: by.label, value: None }, pos);
        let then = self.b.end_block(None);
        left?;
        self.b.begin_block();
        let otherwise = self.b.end_block(None);
        self.emit(InstKind::If { condition: done, then, otherwise }, pos)?;
        self.store(&by.seen, &LoweredValue::one(by.seen.ty.clone(), old), pos)
    }

    pub(super) fn compare_exchange(&mut self, args: Vec<LoweredValue>, pos: Pos) -> OrNoValue<LoweredValue> {
        let [target, current, new] = self.exactly(args, pos)?;
        let (HeldAs::Place(place), RustType::Atomic(scalar)) = (&target.held, &target.ty) else {
            return self.broken(format!("an atomic operation on `{}`", target.ty.show()), pos);
        };
        let (place, ty) = ((**place).clone(), RustType::scalar(*scalar));
        let (expected, new) = (self.id(&current, pos)?, self.id(&new, pos)?);
        self.spend(1, pos)?;
        let (old, equal) = self.b.compare_exchange(place, expected, new, pos);
        let parts = [LoweredValue::one(ty.clone(), old), LoweredValue::one(RustType::Data(Data::BOOL), equal)];
        Ok(LoweredValue::parts(RustType::Tuple(vec![ty, RustType::Data(Data::BOOL)]), parts))
    }
}
