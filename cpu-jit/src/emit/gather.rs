//! Gathers and scatters by a call: compact code for cold paths.
//!
//! The lanes' offsets and values are passed in a stack slot: 128 bytes of offsets, 128 bytes of
//! values.
#![allow(unsafe_code, reason = "functions that generated code calls with pointers")]

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Value, types};
use tilewise_ir::fault::{self, Fault};
use tilewise_ir::types::Stored;

use super::emitter::Emitter;
use super::pieces::{Pieces, lanes_in, vector_type};
use super::place::{AccessPlace, LaneSteps};
use super::shared_memory::{read, write};
use crate::lanes::Elem;

/// Offset of the values in the stack slot.
const VALUES: i32 = 128;

/// The kinds of lane offsets in the slot.
const STEP: u64 = 0;
const NARROW: u64 = 1;
const WIDE: u64 = 2;

impl Emitter<'_, '_> {
    /// Reads the lanes that are set; the others yield zero.
    pub(super) fn gather(&mut self, place: &AccessPlace, stored: Stored, mask: &Pieces) -> Pieces {
        let room = self.travel(place, stored, mask, gather as *const () as usize);
        let raw = if stored.size() < 4 { Elem::I32 } else { Elem::of(stored.value()) };
        let count = (self.width() / lanes_in(raw)) as i32;
        let load = |i| self.builder.ins().load(vector_type(raw), MemFlagsData::trusted(), room, VALUES + 16 * i);
        let parts: Vec<Value> = (0..count).map(load).collect();
        self.meant_by(stored, &Pieces::from_parts(raw, &parts))
    }

    /// Writes the lanes that are set. Halves are passed as their bits.
    pub(super) fn scatter(&mut self, place: &AccessPlace, stored: Stored, value: &Pieces, mask: &Pieces) {
        let room = self.room();
        for (i, &part) in value.parts().iter().enumerate() {
            self.builder.ins().store(MemFlagsData::trusted(), part, room, VALUES + 16 * i as i32);
        }
        self.travel(place, stored, mask, scatter as *const () as usize);
    }

    fn room(&mut self) -> Value {
        let slot = self.scratch(256);
        self.builder.ins().stack_addr(types::I64, slot, 0)
    }

    fn travel(&mut self, place: &AccessPlace, stored: Stored, mask: &Pieces, function: usize) -> Value {
        let room = self.room();
        let flags = MemFlagsData::trusted();
        let kind = match place.steps {
            LaneSteps::Constant(step) => {
                let step = self.builder.ins().iconst(types::I64, step);
                self.builder.ins().store(flags, step, room, 0);
                STEP
            }
            LaneSteps::Each(offsets) => {
                for (i, &part) in offsets.parts().iter().enumerate() {
                    self.builder.ins().store(flags, part, room, 16 * i as i32);
                }
                if offsets.elem() == Elem::I32 { NARROW } else { WIDE }
            }
        };
        let lanes = self.bit_number(mask);
        let lanes = self.builder.ins().uextend(types::I64, lanes);
        let start = self.start(place);
        let how = self.number(Elem::I64, kind << 8 | stored as u64);
        let width = self.number(Elem::I64, self.width() as u64);
        self.call(function, &[start, room, lanes, how, width]);
        room
    }

    /// Converts lanes from their memory format, with narrow integers extended to 32 bits, to
    /// values.
    pub(super) fn meant_by(&mut self, stored: Stored, raw: &Pieces) -> Pieces {
        match stored {
            Stored::Bool => {
                let zero = self.vector_of([0; 4]);
                let set = |&part: &Value| self.builder.ins().icmp(IntCC::NotEqual, part, zero);
                let parts: Vec<Value> = raw.parts().iter().map(set).collect();
                Pieces::from_parts(Elem::Bool, &parts)
            }
            Stored::F16 => {
                let parts: Vec<Value> = raw.parts().iter().map(|&part| self.half_to_float(part)).collect();
                Pieces::from_parts(Elem::F32, &parts)
            }
            _ => *raw,
        }
    }
}

/// The byte offset of a lane from the start.
///
/// # Safety
/// `room` points to the lanes' offsets in the form that `how` encodes.
unsafe fn offset(room: *const u8, how: u64, lane: usize) -> isize {
    // SAFETY: guaranteed by the caller.
    unsafe {
        match how >> 8 {
            STEP => (*room.cast::<i64>() as isize).wrapping_mul(lane as isize),
            NARROW => *room.cast::<u32>().add(lane) as isize,
            _ => *room.cast::<i64>().add(lane) as isize,
        }
    }
}

/// The format that `how` encodes.
fn format(how: u64) -> Stored {
    Stored::ALL[(how & 0xff) as usize]
}

/// Reads a scalar for each lane that is set.
///
/// # Safety
/// The addresses of set lanes are readable; `room` has the layout that this file defines.
unsafe extern "C" fn gather(start: *mut u8, room: *mut u8, lanes: u64, how: u64, width: u64) {
    let stored = format(how);
    for lane in 0..width as usize {
        let set = lanes >> lane & 1 == 1;
        // SAFETY: guaranteed by the caller. The address of a clear lane is not dereferenced.
        unsafe {
            let at = start.wrapping_offset(offset(room, how, lane));
            let values = room.add(VALUES as usize);
            let bits = if set { read(at, stored.size().into()) } else { 0 };
            if stored.size() == 8 {
                values.cast::<u64>().add(lane).write(bits);
                continue;
            }
            let value = match stored {
                Stored::I8 => i32::from(bits as i8) as u32,
                Stored::I16 if fault::planted(Fault::GatheredWordsUnsigned) => bits as u32,
                Stored::I16 => i32::from(bits as i16) as u32,
                Stored::Bool
                | Stored::U8
                | Stored::U16
                | Stored::F16
                | Stored::I32
                | Stored::U32
                | Stored::F32
                | Stored::I64
                | Stored::U64
                | Stored::F64 => bits as u32,
            };
            values.cast::<u32>().add(lane).write(value);
        }
    }
}

/// Writes a scalar for each lane that is set.
///
/// # Safety
/// The addresses of set lanes are writable; `room` has the layout that this file defines.
unsafe extern "C" fn scatter(start: *mut u8, room: *const u8, lanes: u64, how: u64, width: u64) {
    let stored = format(how);
    for lane in (0..width as usize).filter(|lane| lanes >> lane & 1 == 1) {
        // SAFETY: guaranteed by the caller.
        unsafe {
            let at = start.wrapping_offset(offset(room, how, lane));
            let values = room.add(VALUES as usize);
            let bits = match stored.size() {
                8 => values.cast::<u64>().add(lane).read(),
                _ => values.cast::<u32>().add(lane).read().into(),
            };
            write(at, stored.size().into(), if stored == Stored::Bool { bits & 1 } else { bits });
        }
    }
}
