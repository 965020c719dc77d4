//! Allocates slots of the frame.

use std::collections::HashMap;

use super::code::FrameSlot;

/// Whether a slot may be reused for another value. Without reuse the frame is larger and the
/// results are the same; a test compares both.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Reuse {
    Yes,
    #[cfg(test)]
    No,
}

/// The allocator of slots.
#[derive(Debug)]
pub(super) struct Slots {
    /// Free runs of slots, by length.
    free: HashMap<u32, Vec<FrameSlot>>,
    reuse: Reuse,
    top: u64,
}

impl Slots {
    /// An allocator that reserves the first `taken` slots.
    pub(super) fn new(taken: FrameSlot, reuse: Reuse) -> Slots {
        Slots { free: HashMap::new(), reuse, top: u64::from(taken) }
    }

    /// Allocates contiguous slots.
    pub(super) fn take(&mut self, count: u32) -> FrameSlot {
        if let Some(slot) = self.free.get_mut(&count).and_then(Vec::pop) {
            return slot;
        }
        let slot = self.top;
        self.top += u64::from(count);
        // Beyond 2^32 the number is truncated; the limit on the arena then refuses the launch.
        slot as FrameSlot
    }

    /// Frees contiguous slots.
    pub(super) fn give_back(&mut self, slot: FrameSlot, count: u32) {
        if count > 0 && self.reuse == Reuse::Yes {
            self.free.entry(count).or_default().push(slot);
        }
    }

    /// One more than the highest slot ever allocated.
    pub(super) fn top(&self) -> u64 {
        self.top
    }
}
