//! Who looks on while a kernel runs. The loop over bytecode is compiled once for each kind of watcher, so that a launch without checks pays nothing.

use super::code::{Code, Slot};
use super::copy::Shape;
use super::memory::{Address, Spaces};
use crate::kernel::Fence;
use crate::types::Stored;

/// What the watcher may look at: the state of the thread before the instruction takes effect.
#[derive(Clone, Copy)]
pub(super) struct Scene<'a> {
    pub(super) code: &'a Code,
    pub(super) spaces: &'a Spaces,
    pub(super) frame: &'a [u64],
    /// The number of the instruction.
    pub(super) pc: usize,
}

/// What is about to be written.
#[derive(Clone, Copy)]
pub(super) enum Written<'a> {
    /// Lanes of the frame, in a stored format.
    Lanes(Slot, Stored, u8),
    /// These bytes.
    Bytes(&'a [u8]),
}

/// Looks on. Each method is told of what is about to happen; an address that is missing is out of range.
pub(super) trait Watch {
    /// A tile begins.
    fn tile(&mut self, tile: u64);
    /// A thread of the tile takes its turn.
    fn turn(&mut self, thread: u32);
    /// All threads of the tile met.
    fn barrier(&mut self, fence: Fence);
    /// A plain read of so many bytes.
    fn read(&mut self, scene: Scene<'_>, from: Option<Address>, size: u64);
    /// A plain write of so many bytes.
    fn write(&mut self, scene: Scene<'_>, to: Option<Address>, size: u64, new: Written<'_>);
    /// An atomic on so many bytes.
    fn atomic(&mut self, scene: Scene<'_>, at: Option<Address>, size: u64);
    /// A copy of an aggregate, of which these bytes were read.
    fn copy(&mut self, scene: Scene<'_>, to: Option<Address>, from: Option<Address>, shape: &Shape, bytes: &[u8]);
    /// An index into a vector of that width that lies in the frame.
    fn lane(&mut self, scene: Scene<'_>, index: u64, width: u8, writes: bool);
    /// A view was made, and did not fit.
    fn misfit(&mut self, scene: Scene<'_>);
    /// A variable in private memory begins its life.
    fn declare(&mut self, at: Address, size: u32, unset: bool);
    /// Is the launch to end here?
    fn stopped(&self) -> bool;
}

/// Nobody looks on.
pub(super) struct Unwatched;

impl Watch for Unwatched {
    #[inline(always)]
    fn tile(&mut self, _: u64) {}
    #[inline(always)]
    fn turn(&mut self, _: u32) {}
    #[inline(always)]
    fn barrier(&mut self, _: Fence) {}
    #[inline(always)]
    fn read(&mut self, _: Scene<'_>, _: Option<Address>, _: u64) {}
    #[inline(always)]
    fn write(&mut self, _: Scene<'_>, _: Option<Address>, _: u64, _: Written<'_>) {}
    #[inline(always)]
    fn atomic(&mut self, _: Scene<'_>, _: Option<Address>, _: u64) {}
    #[inline(always)]
    fn copy(&mut self, _: Scene<'_>, _: Option<Address>, _: Option<Address>, _: &Shape, _: &[u8]) {}
    #[inline(always)]
    fn lane(&mut self, _: Scene<'_>, _: u64, _: u8, _: bool) {}
    #[inline(always)]
    fn misfit(&mut self, _: Scene<'_>) {}
    #[inline(always)]
    fn declare(&mut self, _: Address, _: u32, _: bool) {}
    #[inline(always)]
    fn stopped(&self) -> bool {
        false
    }
}
