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
//! threads of 64 KiB; `.ci/unoptimised` runs it, and others like it, as a program of a user is
//! built that sets no profile. What naga does with a kernel takes more
//! (`shader_form` of `tilewise-gpu`).
//!
//! A system without memory for a stack ends the work by unwinding, as recursion has no other way
//! out, and the caller gets an error ([`or_no_stack`]). Destructors, which must not unwind, leave
//! their contents allocated ([`try_with_block`]).

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// Bytes for everything but nested blocks: nested types, messages, the standard library.
const BASE: usize = 384 << 10;
/// Bytes for one level of nesting, in the pass that needs the most.
const LEVEL: usize = 32 << 10;
/// Additional bytes of a new stack, so that callees do not allocate another one.
const MORE: usize = 1 << 20;
/// Bytes for the work on one block that recurses only through [`with_block`].
const BLOCK: usize = 96 << 10;

/// The system has no memory for a stack of this many bytes. [`with_bytes`] and its like unwind with
/// it, without a call of the panic hook; [`or_no_stack`] makes an error of it, at the border of each
/// crate that recurses over kernels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoStack {
    /// The size of the stack.
    pub bytes: usize,
}

impl fmt::Display for NoStack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "out of memory: there is no room for a stack of {} bytes", self.bytes)
    }
}

/// Runs `work` with at least this many bytes of stack. Unwinds with [`NoStack`] if the system has no
/// memory for them.
#[inline]
pub fn with_bytes<R>(bytes: usize, work: impl FnOnce() -> R) -> R {
    match try_with_bytes(bytes, work) {
        Ok(result) => result,
        Err(none) => unwind(none),
    }
}

/// Runs `work` with at least this many bytes of stack, if the system has memory for them.
#[inline]
pub fn try_with_bytes<R>(bytes: usize, work: impl FnOnce() -> R) -> Result<R, NoStack> {
    if has_already(bytes) { Ok(work()) } else { on_new_stack(bytes, work) }
}

/// Runs `work`, all of whose stacks come from this module: the error if there was no room for one.
/// `work` is left in the middle then, as by a panic.
pub fn or_no_stack<R>(work: impl FnOnce() -> R) -> Result<R, NoStack> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| match payload.downcast::<NoStack>() {
        Ok(none) => *none,
        Err(panic) => resume_unwind(panic),
    })
}

/// Is there room for a stack of that size?
pub fn has_room(bytes: usize) -> bool {
    has_already(bytes) || Vec::<u8>::new().try_reserve_exact(bytes.saturating_add(MORE)).is_ok()
}

#[inline]
fn has_already(bytes: usize) -> bool {
    stacker::remaining_stack().is_some_and(|rest| rest >= bytes)
}

#[cold]
fn on_new_stack<R>(bytes: usize, work: impl FnOnce() -> R) -> Result<R, NoStack> {
    let mut work = Some(work);
    let mut result = None;
    run_on_new_stack(bytes, &mut || result = work.take().map(|work| work()))?;
    result.ok_or(NoStack { bytes })
}

/// Without type parameters, as everything that recurses has an instance of its caller.
fn run_on_new_stack(bytes: usize, work: &mut dyn FnMut()) -> Result<(), NoStack> {
    if !has_room(bytes) {
        return Err(NoStack { bytes });
    }
    // The system may refuse the stack all the same: then `stacker` panics before the work begins.
    let mut began = false;
    let begin = || {
        began = true;
        work();
    };
    let ended = catch_unwind(AssertUnwindSafe(|| stacker::grow(bytes.saturating_add(MORE), begin)));
    ended.map_err(|panic| if began { resume_unwind(panic) } else { NoStack { bytes } })
}

/// Unwinds to [`or_no_stack`].
#[cold]
pub fn unwind(none: NoStack) -> ! {
    if cfg!(panic = "abort") {
        panic!("{none}");
    }
    resume_unwind(Box::new(none))
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

/// As [`with_block`], for a destructor: without room it does nothing, and the error says so.
#[inline]
pub fn try_with_block<R>(work: impl FnOnce() -> R) -> Result<R, NoStack> {
    try_with_bytes(BLOCK, work)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// More than any address space has.
    const TOO_LARGE: usize = usize::MAX - usize::MAX / 8;

    #[test]
    fn a_stack_without_room_is_an_error() {
        assert_eq!(or_no_stack(|| with_bytes(TOO_LARGE, || 3)), Err(NoStack { bytes: TOO_LARGE }));
        assert_eq!(try_with_bytes(usize::MAX, || 3), Err(NoStack { bytes: usize::MAX }));
        assert_eq!(or_no_stack(|| with_bytes(64 << 20, || 3)), Ok(3));
    }

    #[test]
    fn a_panic_on_another_stack_stays_a_panic() {
        let panics = || or_no_stack(|| with_bytes(64 << 20, || std::panic::panic_any(7_u8)));
        let payload = catch_unwind(panics).expect_err("it panics");
        assert_eq!(payload.downcast_ref::<u8>(), Some(&7));
    }
}
