//! Who looks on while a kernel runs. The loop over bytecode is compiled once for each kind of watcher, so that a launch without checks pays nothing.

use super::code::{Bytecode, FrameSlot, WatchCode};
use super::copy::ScalarBytes;
use super::memory::{ByteSpace, SpaceAddress};
use tilewise_ir::kernel::Fence;
use tilewise_ir::types::Stored;

/// What the watcher may look at: the state of the thread before the instruction takes effect.
#[derive(Clone, Copy)]
pub(super) struct Scene<'a> {
    pub(super) code: &'a Bytecode,
    pub(super) spaces: &'a [ByteSpace<'a>],
    pub(super) frame: &'a [u64],
    /// The number of the instruction.
    pub(super) pc: usize,
}

/// What is about to be written.
#[derive(Clone, Copy)]
pub(super) enum PendingWrite<'a> {
    /// Lanes of the frame, in a stored format.
    Lanes(FrameSlot, Stored, u8),
    /// These bytes.
    Bytes(&'a [u8]),
}

/// Looks on. Each method is told of what is about to happen; an address that is missing is out of range. What is not of interest is passed over.
pub(super) trait LaunchWatch {
    /// A tile begins.
    #[inline(always)]
    fn tile(&mut self, _tile: u64) {}
    /// A thread of the tile takes its turn.
    #[inline(always)]
    fn turn(&mut self, _thread: u32) {}
    /// All threads of the tile met.
    #[inline(always)]
    fn barrier(&mut self, _fence: Fence) {}
    /// A plain read of so many bytes.
    #[inline(always)]
    fn read(&mut self, _scene: Scene<'_>, _from: Option<SpaceAddress>, _size: u64) {}
    /// A plain write of so many bytes.
    #[inline(always)]
    fn write(&mut self, _scene: Scene<'_>, _to: Option<SpaceAddress>, _size: u64, _new: PendingWrite<'_>) {}
    /// An atomic on so many bytes; it takes no effect where they do not lie at a multiple of their number.
    #[inline(always)]
    fn atomic(&mut self, _scene: Scene<'_>, _at: Option<SpaceAddress>, _size: u64) {}
    /// A copy of an aggregate, of which these bytes were read.
    #[inline(always)]
    fn copy(
        &mut self,
        _scene: Scene<'_>,
        _to: Option<SpaceAddress>,
        _from: Option<SpaceAddress>,
        _shape: &ScalarBytes,
        _bytes: &[u8],
    ) {
    }
    /// An index into a vector of that width that lies in the frame.
    #[inline(always)]
    fn lane(&mut self, _scene: Scene<'_>, _index: u64, _width: u8, _writes: bool) {}
    /// A view was made, and did not fit.
    #[inline(always)]
    fn misfit(&mut self, _scene: Scene<'_>) {}
    /// A variable in private memory begins its life.
    #[inline(always)]
    fn declare(&mut self, _at: SpaceAddress, _size: u32, _unset: bool) {}
    /// Is the launch to end here?
    #[inline(always)]
    fn stopped(&self) -> bool {
        false
    }
    /// Thread number so and so of the domain did what a [`WatchCode`] stands for; only code that was compiled to be observed has any.
    #[inline(always)]
    fn did(&mut self, _thread: u64, _what: WatchCode, _frame: &[u64]) {}
}

/// Nobody looks on.
pub(super) struct Unwatched;

impl LaunchWatch for Unwatched {}
