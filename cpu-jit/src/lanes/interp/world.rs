//! [`World`]: the environment of an interpreted program: memory, messages and interruption.

use tilewise_ir::pos::Pos;
use tilewise_ir::print;
use tilewise_ir::types::Data;

use super::memory::{PieceAccess, PieceMemory, arena_pointer};
use super::{LaneFault, LaneHost};
use crate::lanes::program::{ArenaPart, MemorySpace, MessageKind};

/// Memory and host of an interpreted program. Bytes are passed as the low ones of a number.
pub(crate) trait World {
    /// Reads bytes; returns the reason if they may not be read.
    fn load(&mut self, address: u64, size: u64, space: MemorySpace) -> Result<u64, String>;
    /// Writes bytes.
    fn store(&mut self, address: u64, size: u64, space: MemorySpace, bits: u64) -> Result<(), String>;
    /// Atomically replaces the contents by the result of `new`, if it returns one; returns the
    /// previous contents.
    fn exchange(
        &mut self,
        address: u64,
        size: u64,
        space: MemorySpace,
        new: &mut dyn FnMut(u64) -> Option<u64>,
    ) -> Result<u64, String>;
    /// Zeroes bytes of the worker's memory.
    fn clear(&mut self, address: u64, size: u64) -> Result<(), String>;
    /// The address of a part of the worker's memory.
    fn arena(&self, part: ArenaPart) -> u64;
    /// Orders earlier writes before later ones.
    fn fence(&mut self);
    /// Receives a message of these lanes; `thread` is that of lane 0, `words` has each lane of the
    /// first value, then of the second.
    fn tell(&mut self, message: u32, lanes: u64, thread: u64, words: &[u64]);
    /// Is the program to end?
    fn interrupted(&mut self) -> bool;
    /// Takes a step.
    fn step(&mut self) -> Result<(), LaneFault>;
}

/// Steps between checks for interruption.
const STEPS: u64 = 1 << 16;

/// Safe memory; each access is checked.
pub(super) struct CheckedWorld<'a, 'b> {
    pub(super) memory: &'a mut PieceMemory,
    pub(super) host: &'a mut LaneHost<'b>,
    /// The messages of the program.
    pub(super) messages: &'a [(Pos, MessageKind)],
    /// The number of lanes.
    pub(super) width: usize,
}

fn number(bytes: &[u8]) -> u64 {
    let mut all = [0; 8];
    all[..bytes.len()].copy_from_slice(bytes);
    u64::from_le_bytes(all)
}

impl World for CheckedWorld<'_, '_> {
    fn load(&mut self, address: u64, size: u64, space: MemorySpace) -> Result<u64, String> {
        Ok(number(self.memory.at(address, size, space, PieceAccess::Read)?))
    }

    fn store(&mut self, address: u64, size: u64, space: MemorySpace, bits: u64) -> Result<(), String> {
        let bytes = self.memory.at(address, size, space, PieceAccess::Write)?;
        bytes.copy_from_slice(&bits.to_le_bytes()[..size as usize]);
        Ok(())
    }

    fn exchange(
        &mut self,
        address: u64,
        size: u64,
        space: MemorySpace,
        new: &mut dyn FnMut(u64) -> Option<u64>,
    ) -> Result<u64, String> {
        let bytes = self.memory.at(address, size, space, PieceAccess::Write)?;
        let old = number(bytes);
        if let Some(new) = new(old) {
            bytes.copy_from_slice(&new.to_le_bytes()[..size as usize]);
        }
        Ok(old)
    }

    fn clear(&mut self, address: u64, size: u64) -> Result<(), String> {
        self.memory.clear(address, size)
    }

    fn arena(&self, part: ArenaPart) -> u64 {
        arena_pointer(part)
    }

    fn fence(&mut self) {}

    fn tell(&mut self, message: u32, lanes: u64, thread: u64, words: &[u64]) {
        let Some((pos, kind)) = self.messages.get(message as usize) else { return };
        for lane in (0..self.width).filter(|lane| lanes >> lane & 1 != 0) {
            let thread = thread.wrapping_add(lane as u64);
            let bits: Vec<u64> = words.iter().skip(lane).step_by(self.width).copied().collect();
            let output = &mut self.host.output;
            match kind {
                MessageKind::Print(message, data) => {
                    output.print(thread, print::message(message, in_data(data, &bits)));
                }
                MessageKind::Error(message, data) => {
                    let text = print::message(message, in_data(data, &bits));
                    output.fail(thread, Some(text), *pos);
                }
                MessageKind::Abort => output.fail(thread, None, *pos),
            }
        }
    }

    fn interrupted(&mut self) -> bool {
        (self.host.interrupt)()
    }

    fn step(&mut self) -> Result<(), LaneFault> {
        self.host.fuel = self.host.fuel.checked_sub(1).ok_or(LaneFault::OutOfFuel)?;
        // Programs poll in their own loops, but not between threads of the domain.
        if self.host.fuel % STEPS == STEPS - 1 && self.interrupted() {
            return Err(LaneFault::Interrupted);
        }
        Ok(())
    }
}

/// Groups components into the values they belong to.
fn in_data<'a>(data: &'a [Data], bits: &'a [u64]) -> impl Iterator<Item = (Data, &'a [u64])> {
    let mut at = 0;
    data.iter().map(move |&data| {
        let from = at;
        at += usize::from(data.width);
        (data, bits.get(from..at).unwrap_or(&[]))
    })
}
