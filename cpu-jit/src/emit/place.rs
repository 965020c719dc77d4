//! Addresses of accesses.

use std::borrow::Cow;

use cranelift_codegen::ir::{AliasRegionData, InstBuilder, MemFlagsData, Value, types};

use super::emitter::Emitter;
use super::mask::Bits;
use super::pieces::Pieces;
use crate::lanes::{Address, Along, ArenaPart, Elem, Space};

/// Where masked-off lanes read. Generated code has its address in it.
static ZEROS: Line = Line([0; 64]);

#[repr(align(64))]
#[expect(dead_code, reason = "only code reads it")]
struct Line([u8; 64]);

/// Where an access goes, in Cranelift's values.
#[derive(Clone, Copy)]
pub(super) struct Place {
    /// What Cranelift may assume of it.
    pub(super) flags: MemFlagsData,
    pointer: Value,
    displacement: i64,
    /// How it goes on from lane to lane.
    pub(super) steps: Steps,
}

/// How it goes on from lane to lane.
#[derive(Clone, Copy)]
pub(super) enum Steps {
    /// So many bytes for each lane.
    Constant(i64),
    /// These for each.
    Each(Pieces),
}

/// One address: a pointer and a constant.
#[derive(Clone, Copy)]
pub(super) struct Spot {
    pub(super) pointer: Value,
    pub(super) offset: i32,
}

/// Where a masked-off lane goes instead.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Instead {
    /// For loads: 64 zero bytes.
    Zeros,
    /// For stores: 64 bytes of the worker's that nobody reads.
    Sink,
}

impl Emitter<'_, '_> {
    /// What Cranelift may assume of accesses of a space.
    fn flags(&mut self, space: Space) -> MemFlagsData {
        if let Some(&flags) = self.spaces.get(&space) {
            return flags;
        }
        let description = match space {
            Space::Buffer(n) => Cow::Owned(format!("buffer{n}")),
            Space::Constant => Cow::Borrowed("constant"),
            Space::Arena(part) => Cow::Owned(format!("{part:?}")),
        };
        let user_id = self.spaces.len() as u32;
        let region = self.builder.func.dfg.alias_regions.insert(AliasRegionData { user_id, description });
        let flags = MemFlagsData::new().with_notrap().with_alias_region(Some(region));
        let flags = if self.written(space) { flags } else { flags.with_readonly() };
        self.spaces.insert(space, flags);
        flags
    }

    fn written(&self, space: Space) -> bool {
        match space {
            Space::Buffer(n) => self.program.writable.get(usize::from(n)).copied().unwrap_or(true),
            Space::Constant => false,
            Space::Arena(_) => true,
        }
    }

    /// Where an access goes.
    pub(super) fn place(&mut self, at: &Address) -> Place {
        let flags = self.flags(at.space);
        let base = self.scalar(at.base);
        let pointer = match at.offset {
            Some(offset) => {
                let offset = self.scalar(offset);
                self.builder.ins().iadd(base, offset)
            }
            None => base,
        };
        let steps = match at.along {
            Along::Uniform => Steps::Constant(0),
            Along::Step(step) => Steps::Constant(step),
            Along::Each(offsets) => Steps::Each(self.get(offsets)),
        };
        Place { flags, pointer, displacement: at.displacement, steps }
    }

    /// What lanes' offsets are added to.
    pub(super) fn start(&mut self, place: &Place) -> Value {
        self.builder.ins().iadd_imm_s(place.pointer, place.displacement)
    }

    /// The address of a lane, and `further` bytes on.
    pub(super) fn spot(&mut self, place: &Place, lane: usize, further: i64) -> Spot {
        let (pointer, offset) = match place.steps {
            Steps::Constant(step) => (place.pointer, step.wrapping_mul(lane as i64)),
            Steps::Each(offsets) => {
                let offset = self.lane(&offsets, lane);
                let offset = match offsets.elem() {
                    Elem::I32 => self.builder.ins().uextend(types::I64, offset),
                    _ => offset,
                };
                (self.builder.ins().iadd(place.pointer, offset), 0)
            }
        };
        let offset = place.displacement.wrapping_add(offset).wrapping_add(further);
        match i32::try_from(offset) {
            Ok(offset) => Spot { pointer, offset },
            Err(_) => Spot { pointer: self.builder.ins().iadd_imm_s(pointer, offset), offset: 0 },
        }
    }

    /// The address of a lane, or another place if it is masked off.
    pub(super) fn spot_if(&mut self, place: &Place, bits: Bits, lane: usize, instead: Instead) -> Spot {
        let spot = self.spot(place, lane, 0);
        match self.bit(bits, lane) {
            Some(bit) => self.choose(bit, spot, instead),
            None => spot,
        }
    }

    /// An address if a condition holds, else another place.
    pub(super) fn choose(&mut self, condition: Value, spot: Spot, instead: Instead) -> Spot {
        let pointer = self.pointer(spot);
        let other = match instead {
            Instead::Zeros => self.builder.ins().iconst(types::I64, (&raw const ZEROS).addr() as i64),
            Instead::Sink => self.arena(ArenaPart::Sink),
        };
        Spot { pointer: self.builder.ins().select(condition, pointer, other), offset: 0 }
    }

    /// An address as one value.
    pub(super) fn pointer(&mut self, spot: Spot) -> Value {
        if spot.offset == 0 {
            return spot.pointer;
        }
        self.builder.ins().iadd_imm_s(spot.pointer, i64::from(spot.offset))
    }
}

impl Spot {
    /// So many bytes further.
    pub(super) fn plus(self, bytes: usize) -> Spot {
        Spot { offset: self.offset + bytes as i32, ..self }
    }
}
