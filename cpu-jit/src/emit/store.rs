//! Stores.

use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Value};
use tilewise_ir::fault::{self, Fault};
use tilewise_ir::types::Stored;

use super::emitter::Emitter;
use super::mask::MaskBits;
use super::pieces::Pieces;
use super::place::{AccessPlace, Instead, PointerOffset};
use crate::lanes::{AddressStep, Elem, LaneAddress, MemorySpace};

impl Emitter<'_, '_> {
    /// Stores a scalar, or lanes.
    pub(super) fn store(&mut self, at: &LaneAddress, value: &Pieces, mask: Option<&Pieces>) {
        let place = self.place(at);
        if self.width() == 1 {
            let bits = self.bits(mask);
            let spot = self.spot_if(&place, bits, 0, Instead::Sink);
            return self.store_one(place.flags, spot, at.stored, value.first());
        }
        if at.along == AddressStep::Uniform {
            return self.store_to_one_place(&place, at.stored, value, mask);
        }
        let unit = at.along == AddressStep::Step(i64::from(at.stored.size()));
        let arena = matches!(at.space, MemorySpace::Arena(_));
        match mask {
            None if unit => self.store_side_by_side(&place, at.stored, value),
            Some(mask) if unit && arena && at.stored.size() >= 4 => self.store_blended(&place, at.stored, value, mask),
            Some(mask) if unit => self.store_all_or_each(&place, at.stored, value, mask),
            _ => self.store_each(&place, at.stored, value, mask),
        }
    }

    /// Stores a scalar, or the highest lane that is not masked off.
    fn store_to_one_place(&mut self, place: &AccessPlace, stored: Stored, value: &Pieces, mask: Option<&Pieces>) {
        let spot = self.spot(place, 0, 0);
        let (scalar, spot) = match mask {
            None => (self.lane(value, self.width() - 1), spot),
            Some(mask) => {
                let (scalar, bits) = self.highest_lane(value, mask);
                (scalar, self.choose(bits, spot, Instead::Sink))
            }
        };
        self.store_one(place.flags, spot, stored, scalar);
    }

    fn store_side_by_side(&mut self, place: &AccessPlace, stored: Stored, value: &Pieces) {
        let spot = self.spot(place, 0, 0);
        if stored.size() < 4 {
            return self.store_narrow(place.flags, spot, stored, value);
        }
        for (i, &part) in value.parts().iter().enumerate() {
            self.builder.ins().store(place.flags, part, spot.pointer, spot.offset + 16 * i as i32);
        }
    }

    /// In the worker's memory: loads the contents, and writes them back where lanes are masked off.
    fn store_blended(&mut self, place: &AccessPlace, stored: Stored, value: &Pieces, mask: &Pieces) {
        let mut parts = value.parts().iter();
        for (start, _, mask) in self.stretches(stored, mask) {
            let spot = self.near(place, start, &mask, Instead::Sink);
            for (i, mask) in self.mask_for(value.elem(), &mask).into_iter().enumerate() {
                let Some(&part) = parts.next() else { return };
                let ty = self.piece_type(value.elem());
                let at = spot.plus(16 * i);
                let before = self.builder.ins().load(ty, place.flags, at.pointer, at.offset);
                let (new, old) = fault::choose(Fault::TileStoreBlendsNothing, (part, before), (before, part));
                let blend = self.blend(mask, new, old);
                self.builder.ins().store(place.flags, blend, at.pointer, at.offset);
            }
        }
    }

    /// Vectors if all lanes are set, otherwise lane by lane.
    fn store_all_or_each(&mut self, place: &AccessPlace, stored: Stored, value: &Pieces, mask: &Pieces) {
        let all = self.all(mask);
        let vectors = self.builder.create_block();
        let each = self.builder.create_block();
        let join = self.builder.create_block();
        self.builder.set_cold_block(each);
        self.builder.ins().brif(all, vectors, &[], each, &[]);
        self.enter(vectors);
        self.store_side_by_side(place, stored, value);
        self.builder.ins().jump(join, &[]);
        self.enter(each);
        let was = std::mem::replace(&mut self.cold, true);
        self.store_each(place, stored, value, Some(mask));
        self.cold = was;
        self.builder.ins().jump(join, &[]);
        self.enter(join);
    }

    /// Stores lane by lane.
    fn store_each(&mut self, place: &AccessPlace, stored: Stored, value: &Pieces, mask: Option<&Pieces>) {
        // Converts all lanes to halves at once.
        let (value, stored) = match stored {
            Stored::F16 => {
                let parts: Vec<Value> = value.parts().iter().map(|&part| self.float_to_half(part)).collect();
                (Pieces::from_parts(Elem::I32, &parts), Stored::U16)
            }
            _ => (*value, stored),
        };
        if let (true, Some(mask)) = (self.cold, mask) {
            return self.scatter(place, stored, &value, mask);
        }
        let bits = self.bits(mask);
        // The bits of a mask are available in one number.
        let truths = if stored == Stored::Bool { self.bits(Some(&value)) } else { MaskBits::All };
        for lane in 0..self.width() {
            let spot = self.spot_if(place, bits, lane, Instead::Sink);
            let scalar = match truths {
                MaskBits::Many(number) => {
                    let bit = self.builder.ins().ushr_imm_u(number, lane as i64);
                    self.truth(bit)
                }
                MaskBits::All | MaskBits::One(_) => self.lane(&value, lane),
            };
            self.store_one(place.flags, spot, stored, scalar);
        }
    }

    /// Stores one scalar.
    pub(super) fn store_one(&mut self, flags: MemFlagsData, spot: PointerOffset, stored: Stored, value: Value) {
        let PointerOffset { pointer, offset } = spot;
        let value = if stored == Stored::F16 { self.float_to_half(value) } else { value };
        let ins = self.builder.ins();
        match stored {
            Stored::I8 | Stored::U8 => ins.istore8(flags, value, pointer, offset),
            Stored::I16 | Stored::U16 | Stored::F16 => ins.istore16(flags, value, pointer, offset),
            _ => ins.store(flags, value, pointer, offset),
        };
    }
}
