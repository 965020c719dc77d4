//! Observers of a running kernel. The bytecode loop is monomorphised for each kind of watcher, so a
//! launch without checks pays nothing.

use super::code::{ArithmeticCode, Bytecode, FrameSlot, WatchCode};
use super::copy::ScalarBytes;
use super::memory::{ByteSpace, SpaceAddress};
use tilewise_ir::kernel::Fence;
use tilewise_ir::types::Stored;

/// The state of the thread before the instruction takes effect, for the watcher.
#[derive(Clone, Copy)]
pub(super) struct Scene<'a> {
    pub(super) code: &'a Bytecode,
    pub(super) spaces: &'a [ByteSpace<'a>],
    pub(super) frame: &'a [u64],
    /// The index of the instruction.
    pub(super) pc: usize,
}

/// The data of a write.
#[derive(Clone, Copy)]
pub(super) enum PendingWrite<'a> {
    /// Lanes of the frame, in a stored format.
    Lanes(FrameSlot, Stored, u8),
    /// Bytes.
    Bytes(&'a [u8]),
}

/// Observer callbacks. Each is called before the effect; a missing address is out of range. The
/// defaults ignore the event.
pub(super) trait LaunchWatch {
    /// A tile begins.
    #[inline(always)]
    fn tile(&mut self, _tile: u64) {}
    /// A thread of the tile starts or resumes.
    #[inline(always)]
    fn turn(&mut self, _thread: u32) {}
    /// All threads of the tile have arrived at a barrier.
    #[inline(always)]
    fn barrier(&mut self, _fence: Fence) {}
    /// A plain read of `size` bytes.
    #[inline(always)]
    fn read(&mut self, _scene: Scene<'_>, _from: Option<SpaceAddress>, _size: u64) {}
    /// A plain write of `size` bytes.
    #[inline(always)]
    fn write(&mut self, _scene: Scene<'_>, _to: Option<SpaceAddress>, _size: u64, _new: PendingWrite<'_>) {}
    /// An atomic on `size` bytes; it has no effect if the address is not a multiple of `size`. If it
    /// `stores`, nobody uses the value before.
    #[inline(always)]
    fn atomic(&mut self, _scene: Scene<'_>, _at: Option<SpaceAddress>, _size: u64, _stores: bool) {}
    /// A copy of an aggregate, with the bytes read.
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
    /// A dynamic index into a vector of `width` lanes in the frame.
    #[inline(always)]
    fn lane(&mut self, _scene: Scene<'_>, _index: u64, _width: u8, _writes: bool) {}
    /// A view was made whose request did not fit.
    #[inline(always)]
    fn misfit(&mut self, _scene: Scene<'_>) {}
    /// The lifetime of a variable in private memory begins.
    #[inline(always)]
    fn declare(&mut self, _at: SpaceAddress, _size: u32, _unset: bool) {}
    /// An operation on numbers; only code compiled for it has them.
    #[inline(always)]
    fn arithmetic(&mut self, _scene: Scene<'_>, _code: &ArithmeticCode) {}
    /// Whether the launch is to end here.
    #[inline(always)]
    fn stopped(&self) -> bool {
        false
    }
    /// An event in a thread, by linear index in the domain; only code compiled for observation has
    /// events.
    #[inline(always)]
    fn did(&mut self, _thread: u64, _what: WatchCode, _frame: &[u64]) {}
}

/// The watcher that ignores everything.
pub(super) struct Unwatched;

impl LaunchWatch for Unwatched {}
