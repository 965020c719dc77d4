//! The stack that walks over kernels take, and a larger one for threads that have less.
//!
//! Kernels are trees, and nearly every pass over one recurses. Blocks nest at most [`MAX_NESTING`](crate::limits::MAX_NESTING)
//! deep, so each pass has a bound; but a program may give its threads any stack, and a launch may come from
//! deep inside it. So whatever recurses says first how deep it may go, and runs on another stack where the
//! thread's own does not suffice. Asking takes a nanosecond; another stack takes some tens of microseconds.
//!
//! What a level takes depends on how the crates are built. Without any optimisation the most is 15 KiB (the
//! vectoriser of `cpu-jit`, in loops inside loops), with the dev profile of this repository 6 KiB. The test
//! `small_stack` of `tilewise-conformance` runs the deepest kernels on threads of 64 KiB.

/// Bytes for everything but nested blocks: types inside types, messages, the standard library.
const BASE: usize = 384 << 10;
/// Bytes for a block inside a block, in the pass that takes most.
const LEVEL: usize = 32 << 10;
/// What another stack has beyond what was asked for, so that what is called does not ask for one more.
const MORE: usize = 1 << 20;
/// Bytes for what is done with one block and does not call itself but through [`with_block`].
const BLOCK: usize = 96 << 10;

/// Runs something that needs so many bytes of stack.
#[inline]
pub fn with_bytes<R>(bytes: usize, work: impl FnOnce() -> R) -> R {
    stacker::maybe_grow(bytes, bytes + MORE, work)
}

/// Bytes that recursion over blocks takes, so many inside one another.
pub const fn bytes_for(levels: u32) -> usize {
    BASE + levels as usize * LEVEL
}

/// Runs something that recurses over blocks, so many inside one another.
#[inline]
pub fn with_levels<R>(levels: u32, work: impl FnOnce() -> R) -> R {
    with_bytes(bytes_for(levels), work)
}

/// Runs one step of a recursion of which nobody knows how deep it goes.
#[inline]
pub fn with_block<R>(work: impl FnOnce() -> R) -> R {
    with_bytes(BLOCK, work)
}
