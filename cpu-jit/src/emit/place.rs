//! Addresses of accesses as Cranelift values.

use std::borrow::Cow;

use cranelift_codegen::ir::{AliasRegionData, InstBuilder, MemFlagsData, Value, types};

use super::emitter::Emitter;
use super::mask::MaskBits;
use super::pieces::Pieces;
use crate::lanes::{AddressStep, ArenaPart, Elem, LaneAddress, MemorySpace};

/// The source of masked-off loads. Generated code contains its address.
static ZEROS: UnitStride = UnitStride([0; 64]);

#[repr(align(64))]
#[expect(dead_code, reason = "only code reads it")]
struct UnitStride([u8; 64]);

/// The address of an access, in Cranelift values.
#[derive(Clone, Copy)]
pub(super) struct AccessPlace {
    /// The flags that Cranelift may assume.
    pub(super) flags: MemFlagsData,
    pointer: Value,
    displacement: i64,
    /// The step from lane to lane.
    pub(super) steps: LaneSteps,
}

/// The step from lane to lane.
#[derive(Clone, Copy)]
pub(super) enum LaneSteps {
    /// A constant number of bytes per lane.
    Constant(i64),
    /// An offset for each lane.
    Each(Pieces),
}

/// The least constant that a [`PointerOffset`] does not hold: so much is left up to the ends of 32 bits that the
/// bytes of a lane, of a vector and of all vectors of a value fit behind it.
const FAR: u64 = 1 << 30;

/// One address: a pointer and a constant.
#[derive(Clone, Copy)]
pub(super) struct PointerOffset {
    pub(super) pointer: Value,
    pub(super) offset: i32,
}

/// The substitute address of a masked-off lane.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Instead {
    /// For loads: 64 zero bytes.
    Zeros,
    /// For stores: 64 bytes of the worker's memory that are never read.
    Sink,
}

impl Emitter<'_, '_> {
    /// The flags of accesses to a space.
    fn flags(&mut self, space: MemorySpace) -> MemFlagsData {
        if let Some(&flags) = self.spaces.get(&space) {
            return flags;
        }
        let description = match space {
            MemorySpace::Buffer(n) => Cow::Owned(format!("buffer{n}")),
            MemorySpace::Constant => Cow::Borrowed("constant"),
            MemorySpace::Arena(part) => Cow::Owned(format!("{part:?}")),
        };
        let user_id = self.spaces.len() as u32;
        let region = self.builder.func.dfg.alias_regions.insert(AliasRegionData { user_id, description });
        let flags = MemFlagsData::new().with_notrap().with_alias_region(Some(region));
        let flags = if self.written(space) { flags } else { flags.with_readonly() };
        self.spaces.insert(space, flags);
        flags
    }

    fn written(&self, space: MemorySpace) -> bool {
        match space {
            MemorySpace::Buffer(n) => self.program.writable.get(usize::from(n)).copied().unwrap_or(true),
            MemorySpace::Constant => false,
            MemorySpace::Arena(_) => true,
        }
    }

    /// The address of an access.
    pub(super) fn place(&mut self, at: &LaneAddress) -> AccessPlace {
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
            AddressStep::Uniform => LaneSteps::Constant(0),
            AddressStep::Step(step) => LaneSteps::Constant(step),
            AddressStep::Each(offsets) => LaneSteps::Each(self.get(offsets)),
        };
        AccessPlace { flags, pointer, displacement: at.displacement, steps }
    }

    /// The pointer to which lanes' offsets are added.
    pub(super) fn start(&mut self, place: &AccessPlace) -> Value {
        self.builder.ins().iadd_imm_s(place.pointer, place.displacement)
    }

    /// The address of a lane, plus `further` bytes.
    pub(super) fn spot(&mut self, place: &AccessPlace, lane: usize, further: i64) -> PointerOffset {
        let (pointer, offset) = match place.steps {
            LaneSteps::Constant(step) => (place.pointer, step.wrapping_mul(lane as i64)),
            LaneSteps::Each(offsets) => {
                let offset = self.lane(&offsets, lane);
                let offset = match offsets.elem() {
                    Elem::I32 => self.builder.ins().uextend(types::I64, offset),
                    _ => offset,
                };
                (self.builder.ins().iadd(place.pointer, offset), 0)
            }
        };
        let offset = place.displacement.wrapping_add(offset).wrapping_add(further);
        match i32::try_from(offset).ok().filter(|_| offset.unsigned_abs() < FAR) {
            Some(offset) => PointerOffset { pointer, offset },
            None => PointerOffset { pointer: self.builder.ins().iadd_imm_s(pointer, offset), offset: 0 },
        }
    }

    /// The address of a lane, or the substitute if it is masked off.
    pub(super) fn spot_if(
        &mut self,
        place: &AccessPlace,
        bits: MaskBits,
        lane: usize,
        instead: Instead,
    ) -> PointerOffset {
        let spot = self.spot(place, lane, 0);
        match self.bit(bits, lane) {
            Some(bit) => self.choose(bit, spot, instead),
            None => spot,
        }
    }

    /// An address if a condition holds, otherwise the substitute.
    pub(super) fn choose(&mut self, condition: Value, spot: PointerOffset, instead: Instead) -> PointerOffset {
        let pointer = self.pointer(spot);
        let other = match instead {
            Instead::Zeros => self.builder.ins().iconst(types::I64, (&raw const ZEROS).addr() as i64),
            Instead::Sink => self.arena(ArenaPart::Sink),
        };
        PointerOffset { pointer: self.builder.ins().select(condition, pointer, other), offset: 0 }
    }

    /// An address as one value.
    pub(super) fn pointer(&mut self, spot: PointerOffset) -> Value {
        if spot.offset == 0 {
            return spot.pointer;
        }
        self.builder.ins().iadd_imm_s(spot.pointer, i64::from(spot.offset))
    }
}

impl PointerOffset {
    /// The address plus a number of bytes.
    pub(super) fn plus(self, bytes: usize) -> PointerOffset {
        PointerOffset { offset: self.offset + bytes as i32, ..self }
    }
}
