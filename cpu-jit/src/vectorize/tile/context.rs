//! The context: slots in the worker's memory for values that threads keep between regions, and the
//! loop over strips.

use std::collections::BTreeSet;

use tilewise_ir::kernel::{Inst, ValueId};
use tilewise_ir::ops::Op;
use tilewise_ir::types::{Scalar, Stored};

use super::{ContextSlot, stored_of};
use crate::lanes::{AddressStep, ArenaPart, Effect, Elem, LaneAddress, LaneValue, MemorySpace};
use crate::vectorize::comp::Comp;
use crate::vectorize::cross::Carry;
use crate::vectorize::current::CurrentParts;
use crate::vectorize::nest::{StripLoops, Strips};
use crate::vectorize::state::{Formed, KernelValue, Vectorizer, malformed};

/// The loop over all strips of the tile, whose body is being written; and the state before it.
struct EachStrip {
    parts: CurrentParts,
    active: Option<LaneValue>,
    loops: StripLoops,
}

impl Vectorizer<'_> {
    /// Allocates a slot in the context.
    pub(in crate::vectorize) fn slot(&mut self, elem: Elem) -> ContextSlot {
        let size = if matches!(elem, Elem::I64 | Elem::F64) { 8 } else { 4 };
        let at = self.tile.slots.context.next_multiple_of(size);
        self.tile.slots.context = at + size;
        let strips = Strips::of(self.input.kernel.tile().unwrap_or(&[]), self.b.width());
        at * u64::from(strips.all()) * u64::from(self.b.width())
    }

    pub(in crate::vectorize) fn slot_address(&mut self, slot: ContextSlot, stored: Stored) -> LaneAddress {
        let base = self.arena(ArenaPart::Context);
        let size = u64::from(stored.size());
        let offset = self.here.strip.map(|strip| {
            let bytes = self.b.number((size * u64::from(self.b.width())) as i64);
            self.b.op(Op::Mul, Scalar::I64, &[strip, bytes])
        });
        let space = MemorySpace::Arena(ArenaPart::Context);
        LaneAddress { space, base, offset, displacement: slot as i64, along: AddressStep::Step(size as i64), stored }
    }

    /// Stores lanes in the context.
    pub(in crate::vectorize) fn keep(
        &mut self,
        slot: ContextSlot,
        elem: Elem,
        value: LaneValue,
        mask: Option<LaneValue>,
    ) {
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

    /// Reloads lanes.
    pub(in crate::vectorize) fn take_up(&mut self, slot: ContextSlot, elem: Elem) -> LaneValue {
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

    /// The loop over all strips of the tile, with those lanes active that are in the crowd and not
    /// gone; the body is written for at least one strip.
    pub(in crate::vectorize) fn each_strip(
        &mut self,
        carried: Vec<LaneValue>,
        body: impl FnOnce(&mut Self, Vec<LaneValue>) -> Formed<Vec<LaneValue>>,
    ) -> Formed<Vec<LaneValue>> {
        let (open, carried) = self.open_each_strip(carried);
        let results = body(self, carried)?;
        Ok(self.close_each_strip(open, results))
    }

    fn open_each_strip(&mut self, carried: Vec<LaneValue>) -> (EachStrip, Vec<LaneValue>) {
        let (parts, active) = (self.parts.clone(), self.active);
        self.here.strip = Some(self.b.number(0));
        let (loops, carried) = self.open_strips(carried);
        (EachStrip { parts, active, loops }, carried)
    }

    fn close_each_strip(&mut self, open: EachStrip, results: Vec<LaneValue>) -> Vec<LaneValue> {
        let results = self.close_strips(open.loops, results);
        self.here.strip = None;
        (self.parts, self.active) = (open.parts, open.active);
        results
    }

    /// Activates the lanes of this strip that are in the crowd and not gone.
    pub(in crate::vectorize) fn present(&mut self) {
        if let Some(slot) = self.tile.crowds.iter().rev().find_map(|crowd| crowd.slot) {
            let crowd = self.take_up(slot, Elem::Bool);
            self.active = self.active_and(crowd);
        }
        if let Some(slot) = self.tile.slots.gone {
            let gone = self.take_up(slot, Elem::Bool);
            let here = self.b.not(gone);
            self.active = self.active_and(here);
        }
    }

    /// The slots of a value, allocated at the first request.
    pub(in crate::vectorize) fn place_of(&mut self, value: ValueId) -> Formed<Vec<(ContextSlot, Elem)>> {
        if let Some(slots) = self.tile.slots.values.get(&value) {
            return Ok(slots.clone());
        }
        let data = self.input.context.data(value).ok_or_else(|| malformed("a view is kept"))?;
        let elem = Elem::of(data.scalar);
        let slots: Vec<(ContextSlot, Elem)> = (0..data.width).map(|_| (self.slot(elem), elem)).collect();
        self.tile.slots.values.insert(value, slots.clone());
        Ok(slots)
    }

    /// Reloads, or rematerialises, the values that a region uses.
    pub(in crate::vectorize) fn take_up_values(&mut self, uses: &BTreeSet<ValueId>) -> Formed {
        let mut again = Vec::new();
        for &value in uses {
            match self.tile.crossing.values.get(&value) {
                Some(Carry::Kept) => {
                    let slots = self
                        .tile
                        .slots
                        .values
                        .get(&value)
                        .cloned()
                        .ok_or_else(|| malformed("a value is kept nowhere"))?;
                    let comps = slots.into_iter().map(|(slot, elem)| Comp::Plain(self.take_up(slot, elem))).collect();
                    self.define(Some(value), KernelValue::Data(comps));
                }
                Some(Carry::Again) => again.extend(self.tile.makers.get(&value).cloned()),
                Some(Carry::Once) | None => {}
            }
        }
        // Rematerialise in the original order.
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
