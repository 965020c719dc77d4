//! Stack space for recursion over nested blocks; switches to a larger stack where the thread's own
//! is too small.
//!
//! Kernels are trees, and nearly every pass over one recurses. Blocks nest at most
//! [`MAX_NESTING`](crate::limits::MAX_NESTING) deep, so each pass has a bound; but a program may
//! give its threads stacks of any size, and may start a launch deep in its own recursion. So
//! recursive code declares its depth first, and runs on another stack if the thread's own does not
//! suffice. The check takes a nanosecond; another stack takes some tens of microseconds.
//!
//! The stack used by a level depends on how the crates are built. Without any optimisation the
//! maximum is 15 KiB (the vectoriser of `cpu-jit`, in nested loops), with the dev profile of this
//! repository 6 KiB. The test `small_stack` of `tilewise-conformance` runs the deepest kernels on
//! threads of 64 KiB.

/// Bytes for everything but nested blocks: nested types, messages, the standard library.
const BASE: usize = 384 << 10;
/// Bytes for one level of nesting, in the pass that needs the most.
const LEVEL: usize = 32 << 10;
/// Additional bytes of a new stack, so that callees do not allocate another one.
const MORE: usize = 1 << 20;
/// Bytes for the work on one block that recurses only through [`with_block`].
const BLOCK: usize = 96 << 10;

/// Runs `work` with at least this many bytes of stack.
#[inline]
pub fn with_bytes<R>(bytes: usize, work: impl FnOnce() -> R) -> R {
    stacker::maybe_grow(bytes, bytes + MORE, work)
}

/// Is there room for a stack of that size? [`with_bytes`] panics where the system has none; sizes that
/// depend on the program's data are asked for first.
pub fn has_room(bytes: usize) -> bool {
    let here = stacker::remaining_stack().is_some_and(|rest| rest >= bytes);
    here || Vec::<u8>::new().try_reserve_exact(bytes.saturating_add(MORE)).is_ok()
}

/// Bytes of stack for recursion over blocks nested this deep.
pub const fn bytes_for(levels: u32) -> usize {
    BASE + levels as usize * LEVEL
}

/// Runs `work`, which recurses over blocks nested this deep.
#[inline]
pub fn with_levels<R>(levels: u32, work: impl FnOnce() -> R) -> R {
    with_bytes(bytes_for(levels), work)
}

/// Runs one step of a recursion of unknown depth.
#[inline]
pub fn with_block<R>(work: impl FnOnce() -> R) -> R {
    with_bytes(BLOCK, work)
}
