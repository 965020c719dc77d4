//! Loads.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{BlockArg, InstBuilder, MemFlagsData, Value, types};
use tilewise_ir::fault::{self, Fault};
use tilewise_ir::types::Stored;

use super::emitter::Emitter;
use super::pieces::{Pieces, lanes_in, scalar_type};
use super::place::{AccessPlace, Instead, PointerOffset};
use crate::lanes::{AddressStep, Elem, LaneAddress, MemorySpace};

impl Emitter<'_, '_> {
    /// Loads from an address. Masked-off lanes yield zero.
    pub(super) fn load(&mut self, at: &LaneAddress, mask: Option<&Pieces>) -> Pieces {
        let place = self.place(at);
        let elem = Elem::of(at.stored.value());
        if at.along == AddressStep::Uniform || self.width() == 1 {
            let bits = self.bits(mask);
            let spot = self.spot_if(&place, bits, 0, Instead::Zeros);
            return Pieces::scalar(elem, self.load_one(place.flags, spot, at.stored));
        }
        let unit = at.along == AddressStep::Step(i64::from(at.stored.size()));
        match mask {
            None if unit => {
                let spot = self.spot(&place, 0, 0);
                self.load_side_by_side(place.flags, spot, at.stored, self.width())
            }
            Some(mask) if unit && matches!(at.space, MemorySpace::Arena(_)) => self.load_whole(&place, at.stored, mask),
            Some(mask) if unit => self.load_all_or_each(&place, at.stored, mask),
            _ => self.load_each(&place, at.stored, mask),
        }
    }

    /// Vectors if all lanes are set, otherwise lane by lane.
    fn load_all_or_each(&mut self, place: &AccessPlace, stored: Stored, mask: &Pieces) -> Pieces {
        let elem = Elem::of(stored.value());
        let all = self.all(mask);
        let vectors = self.builder.create_block();
        let each = self.builder.create_block();
        let join = self.builder.create_block();
        self.builder.set_cold_block(each);
        let (ty, count) = (self.piece_type(elem), self.count(elem));
        let joined: Vec<Value> = (0..count).map(|_| self.builder.append_block_param(join, ty)).collect();
        self.builder.ins().brif(all, vectors, &[], each, &[]);
        for (block, mask) in [(vectors, None), (each, Some(mask))] {
            self.enter(block);
            let loaded = match mask {
                None => {
                    let spot = self.spot(place, 0, 0);
                    self.load_side_by_side(place.flags, spot, stored, self.width())
                }
                Some(mask) => self.gather(place, stored, mask),
            };
            let args: Vec<BlockArg> = loaded.parts().iter().map(|&part| BlockArg::Value(part)).collect();
            self.builder.ins().jump(join, &args);
        }
        self.enter(join);
        Pieces::from_parts(elem, &joined)
    }

    /// In the worker's memory: loads whole vectors, then zeroes masked-off lanes.
    fn load_whole(&mut self, place: &AccessPlace, stored: Stored, mask: &Pieces) -> Pieces {
        let elem = Elem::of(stored.value());
        let mut parts = Vec::new();
        for (start, lanes, mask) in self.stretches(stored, mask) {
            let spot = self.near(place, start, &mask, Instead::Zeros);
            let loaded = self.load_side_by_side(place.flags, spot, stored, lanes);
            let masks = self.mask_for(elem, &mask);
            parts.extend(masks.into_iter().zip(loaded.parts()).map(|(mask, &part)| self.cleared(mask, part)));
        }
        Pieces::from_parts(elem, &parts)
    }

    /// Groups of lanes that occupy at most 64 bytes of memory: the first lane, the number, and
    /// their part of the mask.
    pub(super) fn stretches(&self, stored: Stored, mask: &Pieces) -> Vec<(usize, usize, Pieces)> {
        let lanes = (64 / stored.size() as usize).min(self.width());
        let stretch = |(i, parts): (usize, &[Value])| (i * lanes, lanes, Pieces::from_parts(Elem::Bool, parts));
        mask.parts().chunks(lanes / 4).enumerate().map(stretch).collect()
    }

    /// The address of a group of lanes in the worker's memory, or the substitute if all of them are
    /// masked off. A set lane lies in its memory, so all lanes lie near it.
    pub(super) fn near(&mut self, place: &AccessPlace, start: usize, mask: &Pieces, instead: Instead) -> PointerOffset {
        let spot = self.spot(place, start, 0);
        let any = self.any(mask);
        self.choose(any, spot, instead)
    }

    /// Loads lane by lane.
    fn load_each(&mut self, place: &AccessPlace, stored: Stored, mask: Option<&Pieces>) -> Pieces {
        if let (true, Some(mask)) = (self.cold, mask) {
            return self.gather(place, stored, mask);
        }
        let bits = self.bits(mask);
        let mut scalars = Vec::new();
        for lane in 0..self.width() {
            let spot = self.spot_if(place, bits, lane, Instead::Zeros);
            scalars.push(self.load_raw(place.flags, spot, stored));
        }
        let raw = if stored.size() < 4 { Elem::I32 } else { Elem::of(stored.value()) };
        let raw = self.collected(raw, &scalars);
        self.meant_by(stored, &raw)
    }

    /// Loads one scalar.
    pub(super) fn load_one(&mut self, flags: MemFlagsData, spot: PointerOffset, stored: Stored) -> Value {
        let raw = self.load_raw(flags, spot, stored);
        match stored {
            Stored::Bool => self.builder.ins().icmp_imm_s(IntCC::NotEqual, raw, 0),
            Stored::F16 => self.half_to_float(raw),
            _ => raw,
        }
    }

    /// Loads one scalar, with narrow integers extended to 32 bits, and `bool` and `f16` as their
    /// bits in 32.
    fn load_raw(&mut self, flags: MemFlagsData, spot: PointerOffset, stored: Stored) -> Value {
        let PointerOffset { pointer, offset } = spot;
        let ins = self.builder.ins();
        match stored {
            Stored::Bool | Stored::U8 => ins.uload8(types::I32, flags, pointer, offset),
            Stored::I8 if fault::planted(Fault::SignedBytesUnsigned) => ins.uload8(types::I32, flags, pointer, offset),
            Stored::I8 => ins.sload8(types::I32, flags, pointer, offset),
            Stored::U16 | Stored::F16 => ins.uload16(types::I32, flags, pointer, offset),
            Stored::I16 => ins.sload16(types::I32, flags, pointer, offset),
            _ => ins.load(scalar_type(Elem::of(stored.value())), flags, pointer, offset),
        }
    }

    /// Lanes at unit stride: at least 4, at most the width.
    fn load_side_by_side(&mut self, flags: MemFlagsData, spot: PointerOffset, stored: Stored, lanes: usize) -> Pieces {
        if stored.size() < 4 {
            return self.load_narrow(flags, spot, stored, lanes);
        }
        let elem = Elem::of(stored.value());
        let ty = self.piece_type(elem);
        let vector = |i| self.builder.ins().load(ty, flags, spot.pointer, spot.offset + 16 * i);
        let parts: Vec<Value> = (0..(lanes / lanes_in(elem)) as i32).map(vector).collect();
        Pieces::from_parts(elem, &parts)
    }
}
