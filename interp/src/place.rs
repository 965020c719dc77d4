//! Places in bytecode, and their addresses. All bounds are checked here: each dimension and each
//! index separately.

use super::code::FrameSlot;
use super::memory::{SpaceAddress, SpaceId};
use super::views;

/// A place: a root, a constant offset, and dynamic indices.
#[derive(Clone, Debug)]
pub(super) struct PlaceCode {
    pub(super) root: RootCode,
    /// Sum of the offsets of fields, components and constant indices.
    pub(super) offset: u64,
    pub(super) steps: Vec<StepCode>,
}

/// The root of a place.
#[derive(Clone, Debug)]
pub(super) enum RootCode {
    /// An element of a view.
    View {
        view: FrameSlot,
        /// A slot for each dimension.
        index: Vec<FrameSlot>,
        /// Bytes between consecutive elements of a dense view.
        size: u64,
    },
    /// A byte that is the same in all threads.
    Fixed { space: SpaceId, at: u64 },
    /// A byte of the thread's private memory.
    Private { at: u64 },
}

/// A dynamic index: adds `index * stride` bytes, if `index` is below `length`.
#[derive(Clone, Copy, Debug)]
pub(super) struct StepCode {
    pub(super) index: FrameSlot,
    pub(super) length: u32,
    pub(super) stride: u32,
}

/// An index for bounds checks: a negative `i32` is a huge number.
#[inline]
pub(super) fn index(frame: &[u64], slot: FrameSlot) -> u64 {
    u64::from(frame[slot as usize] as u32)
}

/// The current address of the place; `None` if an index is out of range. Offsets are 64-bit and
/// cannot wrap, because every place in range lies within a space.
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
