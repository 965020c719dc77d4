//! Places as the bytecode knows them, and how they become addresses. Here every bound is judged: each dimension and each index for itself.

use super::code::FrameSlot;
use super::memory::{SpaceAddress, SpaceId};
use super::views;

/// A place: a root, a constant number of bytes behind it, and indices on the way.
#[derive(Clone, Debug)]
pub(super) struct PlaceCode {
    pub(super) root: RootCode,
    /// Bytes that the fields, components and constant parts of the way add up to.
    pub(super) offset: u64,
    pub(super) steps: Vec<StepCode>,
}

/// Where a place begins.
#[derive(Clone, Debug)]
pub(super) enum RootCode {
    /// At an element of a view.
    View {
        view: FrameSlot,
        /// A slot for each dimension.
        index: Vec<FrameSlot>,
        /// Bytes from one element to the next in a dense view.
        size: u64,
    },
    /// At a byte that is the same in all threads.
    Fixed { space: SpaceId, at: u64 },
    /// At a byte of the thread's own memory.
    Private { at: u64 },
}

/// An index on the way: adds `index * stride` bytes, if `index` is below `length`.
#[derive(Clone, Copy, Debug)]
pub(super) struct StepCode {
    pub(super) index: FrameSlot,
    pub(super) length: u32,
    pub(super) stride: u32,
}

/// An index, as bounds see it: a negative `i32` is a huge number.
#[inline]
pub(super) fn index(frame: &[u64], slot: FrameSlot) -> u64 {
    u64::from(frame[slot as usize] as u32)
}

/// Where the place is now; nothing if an index is out of range. Offsets are 64-bit; they cannot wrap, since what lies in range lies within a space.
#[inline]
pub(super) fn address(place: &PlaceCode, frame: &[u64], private: SpaceAddress) -> Option<SpaceAddress> {
    let mut address = match &place.root {
        RootCode::View { view, index, size } => views::element(frame, *view, index, *size)?,
        RootCode::Fixed { space, at } => SpaceAddress { space: *space, at: *at },
        RootCode::Private { at } => SpaceAddress { at: private.at + at, ..private },
    };
    address.at = address.at.wrapping_add(place.offset);
    for step in &place.steps {
        let index = index(frame, step.index);
        if index >= u64::from(step.length) {
            return None;
        }
        address.at = address.at.wrapping_add(index * u64::from(step.stride));
    }
    Some(address)
}
