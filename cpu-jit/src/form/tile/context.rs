//! What threads keep in the worker's memory from one region to the next: places, and the strips that go through them.

use std::collections::BTreeSet;

use tilewise_ir::kernel::{Inst, ValueId};
use tilewise_ir::ops::Op;
use tilewise_ir::types::{Scalar, Stored};

use super::{Slot, stored_of};
use crate::form::comp::Comp;
use crate::form::cross::Way;
use crate::form::nest::Strips;
use crate::form::state::{Formed, Former, Val, malformed};
use crate::lanes::{Address, Along, ArenaPart, Effect, Elem, Space, Value};

impl Former<'_> {
    /// A place in the context.
    pub(in crate::form) fn slot(&mut self, elem: Elem) -> Slot {
        let size = if matches!(elem, Elem::I64 | Elem::F64) { 8 } else { 4 };
        let at = self.tile.context.next_multiple_of(size);
        self.tile.context = at + size;
        let strips = Strips::of(self.kernel.tile().unwrap_or(&[]), self.b.width());
        at * u64::from(strips.all()) * u64::from(self.b.width())
    }

    pub(in crate::form) fn slot_address(&mut self, slot: Slot, stored: Stored) -> Address {
        let base = self.arena(ArenaPart::Context);
        let size = u64::from(stored.size());
        let offset = self.here.strip.map(|strip| {
            let bytes = self.b.number((size * u64::from(self.b.width())) as i64);
            self.b.op(Op::Mul, Scalar::I64, &[strip, bytes])
        });
        let space = Space::Arena(ArenaPart::Context);
        Address { space, base, offset, displacement: slot as i64, along: Along::Step(size as i64), stored }
    }

    /// Keeps lanes in the context.
    pub(in crate::form) fn keep(&mut self, slot: Slot, elem: Elem, value: Value, mask: Option<Value>) {
        let value = match elem {
            Elem::Bool => {
                let (one, zero) = (self.b.constant(Elem::I32, 1), self.b.constant(Elem::I32, 0));
                self.b.select(value, one, zero)
            }
            _ => value,
        };
        let value = self.b.lanes(value);
        let at = self.slot_address(slot, stored_of(elem));
        self.b.effect(Effect::Store { at, value, mask });
    }

    /// Takes lanes up again.
    pub(in crate::form) fn take_up(&mut self, slot: Slot, elem: Elem) -> Value {
        let at = self.slot_address(slot, stored_of(elem));
        let value = self.b.load(at, None);
        match elem {
            Elem::Bool => {
                let zero = self.b.constant(Elem::I32, 0);
                self.b.op(Op::Ne, Scalar::I32, &[value, zero])
            }
            _ => value,
        }
    }

    /// All strips of the tile, with those lanes active that are of the crowd and not gone; the body is written for at least one.
    pub(in crate::form) fn each_strip(
        &mut self,
        carried: Vec<Value>,
        body: impl FnOnce(&mut Self, Vec<Value>) -> Formed<Vec<Value>>,
    ) -> Formed<Vec<Value>> {
        let (parts, active) = (self.parts.clone(), self.active);
        self.here.strip = Some(self.b.number(0));
        let results = self.strips(carried, body)?;
        self.here.strip = None;
        (self.parts, self.active) = (parts, active);
        Ok(results)
    }

    /// The lanes of this strip that are here.
    pub(in crate::form) fn present(&mut self) {
        if let Some(slot) = self.tile.crowds.iter().rev().find_map(|crowd| crowd.slot) {
            let crowd = self.take_up(slot, Elem::Bool);
            self.active = self.active_and(crowd);
        }
        if let Some(slot) = self.tile.gone {
            let gone = self.take_up(slot, Elem::Bool);
            let here = self.b.not(gone);
            self.active = self.active_and(here);
        }
    }

    /// Where a value is kept; a place is made for it when it is first asked for.
    pub(in crate::form) fn place_of(&mut self, value: ValueId) -> Formed<Vec<(Slot, Elem)>> {
        if let Some(slots) = self.tile.values.get(&value) {
            return Ok(slots.clone());
        }
        let data = self.context.data(value).ok_or_else(|| malformed("a view is kept"))?;
        let elem = Elem::of(data.scalar);
        let slots: Vec<(Slot, Elem)> = (0..data.width).map(|_| (self.slot(elem), elem)).collect();
        self.tile.values.insert(value, slots.clone());
        Ok(slots)
    }

    /// Takes up, or makes again, the values that a region uses.
    pub(in crate::form) fn take_up_values(&mut self, uses: &BTreeSet<ValueId>) -> Formed {
        let mut again = Vec::new();
        for &value in uses {
            match self.tile.crossing.values.get(&value) {
                Some(Way::Kept) => {
                    let slots =
                        self.tile.values.get(&value).cloned().ok_or_else(|| malformed("a value is kept nowhere"))?;
                    let comps = slots.into_iter().map(|(slot, elem)| Comp::Plain(self.take_up(slot, elem))).collect();
                    self.define(Some(value), Val::Data(comps));
                }
                Some(Way::Again) => again.extend(self.tile.makers.get(&value).cloned()),
                Some(Way::Once) | None => {}
            }
        }
        // What was computed first is computed first again.
        again.sort_by_key(|inst: &Inst| inst.id);
        let at = self.at;
        for inst in again {
            self.at = inst.id;
            self.again(&inst)?;
        }
        self.at = at;
        Ok(())
    }
}
