//! Random loops over tiles, whose memory may be kept in registers.
//!
//! Strips of a known number store into tile memory and load from it: whole vectors, parts of two
//! neighbouring ones, under masks, and beyond the end of the memory. Nothing reads tile memory before
//! its tile has written it: its contents end with the tile.

use tilewise_ir::ops::Op;
use tilewise_ir::types::{Scalar, Stored};

use super::super::build::scalar_of;
use super::super::program::{
    AddressStep, ArenaPart, ArgumentWord, Effect, Elem, LaneAddress, LaneProgram, LaneType, LaneValue, Likely,
    MemorySpace,
};
use super::counted::EXTENTS;
use super::make::{ProgramMaker, begin};
use super::places::{READ_ONLY, space};

/// Two loops over tiles: the first needs its memory, though some bounds checks look as if it did not;
/// in the second a condition comes after so many other values.
pub(crate) fn make_two_loops(others: u64) -> LaneProgram {
    let mut maker = begin(others, 4);
    let [first, end, ..] = maker.b.given();
    let one = maker.b.number(1);
    let memory = TileMemory { stored: Stored::I32, displacement: 0, strips: 20 };
    for is_kept in [false, true] {
        let params = maker.b.open_loop(&[LaneType::Scalar(Elem::I64)]);
        let mut guarded = None;
        if is_kept {
            let mut other = params[0];
            for _ in 0..others {
                let three = maker.b.number(3);
                other = maker.b.op(Op::Mul, Scalar::I64, &[other, three]);
            }
            let extent = maker.b.input(ArgumentWord::ViewExtent(READ_ONLY as u32, 2));
            let extent = maker.b.op(Op::ToI64, Scalar::U32, &[extent]);
            let index = maker.b.op(Op::Sub, Scalar::I64, &[params[0], one]);
            let condition = maker.b.op(Op::Lt, Scalar::I64, &[index, extent]);
            maker.b.open_arm();
            let then = maker.b.close(vec![one]);
            maker.b.open_arm();
            let otherwise = maker.b.close(vec![other]);
            guarded = Some(maker.b.if_else(condition, then, otherwise, Likely::Then)[0]);
        }
        // Written without loops, the first is much longer.
        let zero = maker.b.number(0);
        let strips = maker.b.open_loop(&[LaneType::Scalar(Elem::I64)]);
        let at = maker.strip_at(&memory, strips[0], 0);
        let value = match guarded {
            None => maker.read_guarded(params[0], strips[0], 16, Elem::I32, 4),
            Some(guarded) => maker.b.op(Op::ToI32, Scalar::I64, &[guarded]),
        };
        let value = maker.b.lanes(value);
        maker.b.effect(Effect::Store { at: at.clone(), value, mask: None });
        // Nobody has stored further on.
        let at = if guarded.is_some() { at } else { LaneAddress { displacement: 3000, ..at } };
        let loaded = maker.b.load(at, None);
        let wide = maker.b.op(Op::ToI64, Scalar::I32, &[loaded]);
        maker.note(strips[0], wide);
        let four = maker.b.number(4);
        let next = maker.b.op(Op::Add, Scalar::I64, &[strips[0], four]);
        let last = maker.b.number(memory.strips * 4);
        let again = maker.b.op(Op::Lt, Scalar::I64, &[next, last]);
        let body = maker.b.close(vec![next]);
        maker.b.repeat(strips, vec![zero], body, again);
        let next = maker.b.op(Op::Add, Scalar::I64, &[params[0], one]);
        let again = maker.b.op(Op::Lt, Scalar::I64, &[next, end]);
        let body = maker.b.close(vec![next]);
        maker.b.repeat(params, vec![first], body, again);
    }
    maker.finish(format!("two loops {others}"))
}

/// The tile memory of a program.
struct TileMemory {
    stored: Stored,
    displacement: i64,
    /// Vectors of lanes.
    strips: i64,
}

impl ProgramMaker {
    /// A loop over tiles.
    pub(super) fn tiles(&mut self) {
        let width = i64::from(self.b.width());
        let [first, end, ..] = self.b.given();
        for _ in 0..1 + usize::from(self.rng.one_in(4)) {
            let params = self.b.open_loop(&[LaneType::Scalar(Elem::I64)]);
            let stored = self.rng.pick(&[Stored::I32, Stored::I32, Stored::U32, Stored::I64]);
            let size = i64::from(stored.size());
            let strips = 1 + self.rng.below(4) as i64;
            let whole = strips * width * size;
            let displacement = self.rng.pick(&[0, 4096 - whole, 64, 1024]);
            let memory = TileMemory { stored, displacement, strips };
            self.strips(params[0], &memory, true);
            for _ in 0..self.rng.below(5) {
                self.strips(params[0], &memory, false);
            }
            self.written_back(params[0], &memory);
            let one = self.b.number(1);
            let next = self.b.op(Op::Add, Scalar::I64, &[params[0], one]);
            let again = self.b.op(Op::Lt, Scalar::I64, &[next, end]);
            let body = self.b.close(vec![next]);
            self.b.repeat(params, vec![first], body, again);
        }
    }

    /// Calls `write` for each strip, in a loop or one after the other.
    fn each_strip(&mut self, memory: &TileMemory, write: &mut dyn FnMut(&mut ProgramMaker, LaneValue)) {
        let width = i64::from(self.b.width());
        let end = memory.strips * width;
        if self.rng.one_in(3) {
            // A loop looks the same each time, straight code does not.
            for strip in 0..memory.strips {
                let at = self.b.number(strip * width);
                write(self, at);
            }
            return;
        }
        let init = vec![self.b.number(0)];
        let params = self.b.open_loop(&[LaneType::Scalar(Elem::I64)]);
        write(self, params[0]);
        let by = self.b.number(width);
        let next = self.b.op(Op::Add, Scalar::I64, &[params[0], by]);
        let end = self.b.number(end);
        let again = self.b.op(Op::Lt, Scalar::I64, &[next, end]);
        let body = self.b.close(vec![next]);
        self.b.repeat(params, init, body, again);
    }

    /// The address of a strip, some elements further.
    fn strip_at(&mut self, memory: &TileMemory, counter: LaneValue, further: i64) -> LaneAddress {
        let size = i64::from(memory.stored.size());
        let by = self.b.number(size);
        let offset = self.b.op(Op::Mul, Scalar::I64, &[counter, by]);
        LaneAddress {
            space: MemorySpace::Arena(ArenaPart::TileStatic),
            base: self.arena(ArenaPart::TileStatic),
            offset: Some(offset),
            displacement: memory.displacement + further * size,
            along: AddressStep::Step(size),
            stored: memory.stored,
        }
    }

    /// Stores every strip: at first numbers, then what other strips hold.
    fn strips(&mut self, tile: LaneValue, memory: &TileMemory, first: bool) {
        let width = i64::from(self.b.width());
        let (elem, all) = (Elem::of(memory.stored.value()), memory.strips * width);
        let further = self.rng.below(2 * width as usize + 1) as i64 - width;
        // What is accessed outside lies within 64 bytes of the memory.
        let most = 64 / i64::from(memory.stored.size());
        let further = further.clamp(-most, most);
        let limit = self.rng.below(all as usize + 2) as i64 - 1;
        let (masked, kind) = (!first && self.rng.one_in(2), self.rng.below(6));
        let one = self.rng.below(all as usize) as i64;
        let dimension = self.rng.below(EXTENTS.len()) as u32;
        self.each_strip(memory, &mut |maker, counter| {
            let at = maker.strip_at(memory, counter, 0);
            let value = if first {
                maker.read_guarded(tile, counter, all, elem, dimension)
            } else {
                let old = maker.b.load(at.clone(), None);
                let other = match kind {
                    0 => {
                        let zero = maker.b.number(0);
                        let uniform = LaneAddress { along: AddressStep::Uniform, ..maker.strip_at(memory, zero, one) };
                        let scalar = maker.b.load(uniform, None);
                        maker.b.lanes(scalar)
                    }
                    1 => maker.lanes_of(elem, 77),
                    _ => maker.inside_only(memory, counter, further, all),
                };
                let op = maker.rng.pick(&[Op::Add, Op::Xor]);
                maker.b.op(op, scalar_of(elem), &[old, other])
            };
            let mask = masked.then(|| {
                let limit = maker.b.number(limit);
                let count = maker.b.op(Op::Sub, Scalar::I64, &[limit, counter]);
                maker.b.first_lanes(count)
            });
            maker.b.effect(Effect::Store { at, value, mask });
        });
    }

    /// The elements further on; zero where that is outside of the memory.
    fn inside_only(&mut self, memory: &TileMemory, counter: LaneValue, further: i64, all: i64) -> LaneValue {
        let elem = Elem::of(memory.stored.value());
        let from = self.strip_at(memory, counter, further);
        let end = self.b.number(all - further);
        let count = self.b.op(Op::Sub, Scalar::I64, &[end, counter]);
        let before = self.b.number(-further);
        let outside = self.b.op(Op::Sub, Scalar::I64, &[before, counter]);
        let (below, outside) = (self.b.first_lanes(count), self.b.first_lanes(outside));
        let above = self.b.not(outside);
        let inside = self.b.and(below, above);
        let mask = self.rng.one_in(2).then_some(inside);
        let other = self.b.load(from, mask);
        let zero = self.lanes_of(elem, 0);
        self.b.select(inside, other, zero)
    }

    /// Elements of a view, as a bounds check guards them.
    fn read_guarded(&mut self, tile: LaneValue, counter: LaneValue, all: i64, elem: Elem, dimension: u32) -> LaneValue {
        let width = i64::from(self.b.width());
        let (tile, counter) =
            (self.b.op(Op::ToU32, Scalar::I64, &[tile]), self.b.op(Op::ToU32, Scalar::I64, &[counter]));
        let all = self.b.constant(Elem::I32, all as u64);
        let start = self.b.op(Op::Mul, Scalar::I32, &[tile, all]);
        let mut at = self.b.op(Op::Add, Scalar::I32, &[start, counter]);
        if self.rng.one_in(3) {
            let by = self.b.constant(Elem::I32, self.rng.below(16) as u64);
            at = self.b.op(Op::Add, Scalar::I32, &[at, by]);
        }
        let index = self.b.op(Op::ToI64, Scalar::U32, &[at]);
        let more = self.b.number(width - 1);
        let last = self.b.op(Op::Add, Scalar::I64, &[index, more]);
        let extent = self.b.input(ArgumentWord::ViewExtent(READ_ONLY as u32, dimension));
        let extent = self.b.op(Op::ToI64, Scalar::U32, &[extent]);
        let condition = self.b.op(Op::Lt, Scalar::I64, &[last, extent]);
        let piece = self.rng.pick(&[READ_ONLY, READ_ONLY, 1]);
        let (base, space, stored) = (self.piece(piece), space(piece), Stored::I32);
        self.b.open_arm();
        let four = self.b.number(4);
        let offset = self.b.op(Op::Mul, Scalar::I64, &[index, four]);
        let address =
            LaneAddress { space, base, offset: Some(offset), displacement: 0, along: AddressStep::Step(4), stored };
        let loaded = self.b.load(address, None);
        let then = self.b.close(vec![loaded]);
        self.b.open_arm();
        let row = self.lane();
        let start = self.b.lanes(at);
        let other = self.b.op(Op::Add, Scalar::I32, &[start, row]);
        let otherwise = self.b.close(vec![other]);
        let read = self.b.if_else(condition, then, otherwise, Likely::Then)[0];
        if elem == Elem::I64 { self.b.op(Op::ToI64, Scalar::I32, &[read]) } else { read }
    }

    /// Copies tile memory to a view, some of it to the same place for each tile.
    fn written_back(&mut self, tile: LaneValue, memory: &TileMemory) {
        let size = i64::from(memory.stored.size());
        let (some, far) = (self.b.number(self.rng.pick(&[0, 3])), self.b.number(32));
        let place = self.b.op(Op::And, Scalar::I64, &[tile, some]);
        let place = self.b.op(Op::Mul, Scalar::I64, &[place, far]);
        let step = size * self.rng.pick(&[1, 1, -1, 2]);
        let all = memory.strips * i64::from(self.b.width());
        let once = self.rng.one_in(3).then(|| self.rng.below(all as usize) as i64);
        if let Some(one) = once {
            let zero = self.b.number(0);
            let from = LaneAddress { along: AddressStep::Uniform, ..self.strip_at(memory, zero, one) };
            let value = self.b.load(from, None);
            let (space, base) = (space(1), self.piece(1));
            let at = LaneAddress {
                space,
                base,
                offset: Some(place),
                displacement: 2048,
                along: AddressStep::Uniform,
                stored: memory.stored,
            };
            self.b.effect(Effect::Store { at, value, mask: None });
            return;
        }
        self.each_strip(memory, &mut |maker, counter| {
            let from = maker.strip_at(memory, counter, 0);
            let value = maker.b.load(from, None);
            let two = maker.b.number(size / 2);
            let offset = maker.b.op(Op::Mul, Scalar::I64, &[counter, two]);
            let offset = maker.b.op(Op::Add, Scalar::I64, &[offset, place]);
            let (space, base) = (space(1), maker.piece(1));
            let at = LaneAddress {
                space,
                base,
                offset: Some(offset),
                displacement: 1536,
                along: AddressStep::Step(step),
                stored: memory.stored,
            };
            maker.b.effect(Effect::Store { at, value, mask: None });
        });
    }
}
