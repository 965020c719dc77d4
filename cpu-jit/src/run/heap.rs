//! Room in the heap of a thread that compiles, so that it does not ask the system again and again.
//!
//! glibc grows the heap of a thread by a few kilobytes at a time, with a system call for each, and
//! gives 128 KiB back to the system as soon as they are free at its end. A compiler allocates and
//! frees a megabyte in a millisecond: most pages were mapped several times over, and as the calls
//! lock the address space of the process, a thread that compiles in the background held up the
//! launch.
//!
//! glibc adapts to programs that do so: when a block is freed that had a mapping of its own, it
//! takes twice the size of that block as what a heap may keep. So a thread allocates and frees one
//! such block, and then one that its heap keeps. Neither is written to, so no memory is taken. Other
//! allocators do nothing special with them.

use std::cell::Cell;
use std::hint::black_box;

/// A block with a mapping of its own: glibc's threshold is 128 KiB, and adapts up to 32 MiB.
const MAPPED: usize = 4 << 20;

/// A block for the heap: about what a large kernel takes.
const KEPT: usize = 2 << 20;

thread_local! {
    static HAS_ROOM: Cell<bool> = const { Cell::new(false) };
}

/// Makes room on this thread, the first time.
pub(super) fn make_room() {
    if HAS_ROOM.replace(true) || cfg!(miri) {
        return;
    }
    // Seen from outside, or the compiler would leave them out.
    drop(black_box(Vec::<u8>::with_capacity(black_box(MAPPED))));
    drop(black_box(Vec::<u8>::with_capacity(black_box(KEPT))));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn room_is_made_once_for_each_thread() {
        let made = || {
            assert!(!HAS_ROOM.get());
            make_room();
            make_room();
            HAS_ROOM.get()
        };
        let other = std::thread::spawn(made);
        assert!(other.join().is_ok_and(|made| made));
    }
}
