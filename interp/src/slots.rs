//! Which slots of the frame are free.

use std::collections::HashMap;

use super::code::FrameSlot;

/// May a slot serve a second value? If not, the code is larger and does the same; a test compares both.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Reuse {
    Yes,
    #[cfg(test)]
    No,
}

/// Hands out slots, and takes them back.
#[derive(Debug)]
pub(super) struct Slots {
    /// Free stretches, by length.
    free: HashMap<u32, Vec<FrameSlot>>,
    reuse: Reuse,
    top: u64,
}

impl Slots {
    /// The first `taken` slots are not to be handed out.
    pub(super) fn new(taken: FrameSlot, reuse: Reuse) -> Slots {
        Slots { free: HashMap::new(), reuse, top: u64::from(taken) }
    }

    /// A stretch of slots.
    pub(super) fn take(&mut self, count: u32) -> FrameSlot {
        if let Some(slot) = self.free.get_mut(&count).and_then(Vec::pop) {
            return slot;
        }
        let slot = self.top;
        self.top += u64::from(count);
        // Past 2^32 the number is wrong; the arena's limit then refuses the launch.
        slot as FrameSlot
    }

    /// Takes a stretch back.
    pub(super) fn give_back(&mut self, slot: FrameSlot, count: u32) {
        if count > 0 && self.reuse == Reuse::Yes {
            self.free.entry(count).or_default().push(slot);
        }
    }

    /// One more than the highest slot ever handed out.
    pub(super) fn top(&self) -> u64 {
        self.top
    }
}
