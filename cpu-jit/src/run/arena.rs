//! The worker's own memory: `tile_static`, context and local variables of one tile. One block per
//! thread, cached for its next launch.
#![allow(unsafe_code, reason = "allocates memory that is aligned to a line of the cache")]

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::cell::Cell;
use std::ptr::NonNull;

use tilewise_ir::stack::{NoStack, unwind};

/// The cache line size, and that of the widest vector.
const ALIGNMENT: usize = 64;
/// Larger arenas are not cached.
const KEPT: usize = 8 << 20;

thread_local! {
    static OWN: Cell<Option<WorkerArena>> = const { Cell::new(None) };
}

/// Memory that keeps its contents between uses. Initially zero, so that all of it is initialised.
pub(super) struct WorkerArena {
    bytes: NonNull<u8>,
    layout: Layout,
}

impl WorkerArena {
    /// Takes this thread's arena, if it has at least `bytes` bytes; otherwise allocates a new one. Without memory for
    /// it, the launch ends as one without memory for a stack.
    pub(super) fn take(bytes: u64) -> WorkerArena {
        // The checker bounds a tile's memory: 1024 threads of at most 64 KiB, and their context.
        let bytes = usize::try_from(bytes).unwrap_or(usize::MAX >> 1);
        match OWN.try_with(Cell::take).ok().flatten() {
            Some(own) if own.layout.size() >= bytes => own,
            _ => WorkerArena::new(bytes),
        }
    }

    fn new(bytes: usize) -> WorkerArena {
        let size = bytes.max(1 << 14).next_multiple_of(1 << 12);
        let Ok(layout) = Layout::from_size_align(size, ALIGNMENT) else {
            panic!("a tile takes {bytes} bytes of memory")
        };
        // SAFETY: the size is not 0.
        let bytes = unsafe { alloc_zeroed(layout) };
        match NonNull::new(bytes) {
            Some(bytes) => WorkerArena { bytes, layout },
            None => unwind(NoStack { bytes: size }),
        }
    }

    /// The address of the first byte. Compiled code computes with it, and may pass on numbers in place of pointers:
    /// so its provenance is exposed.
    pub(super) fn pointer(&self) -> *mut u8 {
        let pointer = self.bytes.as_ptr();
        _ = pointer.expose_provenance();
        pointer
    }

    /// A copy of the bytes that compiled code left from `at` on.
    pub(super) fn bytes(&self, at: u64, count: u64) -> Vec<u8> {
        assert!(at.checked_add(count).is_some_and(|end| end <= self.layout.size() as u64), "it lies in the arena");
        let byte = |i: u64| {
            // SAFETY: within the memory, as asserted; no compiled code runs in it, as that has the
            // pointer only during a call.
            unsafe { self.bytes.as_ptr().add((at + i) as usize).read() }
        };
        (0..count).map(byte).collect()
    }

    /// Returns it to this thread's cache.
    pub(super) fn give_back(self) {
        if self.layout.size() <= KEPT {
            let own = Cell::new(Some(self));
            // During destruction of thread-locals nothing is cached.
            let _ = OWN.try_with(|kept| kept.swap(&own));
        }
    }
}

impl Drop for WorkerArena {
    fn drop(&mut self) {
        // SAFETY: allocated with this layout, and no other copy of the pointer is in use: compiled
        // code has it only while it runs.
        unsafe { dealloc(self.bytes.as_ptr(), self.layout) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_gets_its_memory_again_and_larger_when_it_needs_it() {
        let first = WorkerArena::take(100);
        let at = first.pointer();
        assert!(at.addr().is_multiple_of(ALIGNMENT));
        let second = WorkerArena::take(100);
        assert_ne!(second.pointer(), at);
        first.give_back();
        let again = WorkerArena::take(200);
        assert_eq!(again.pointer(), at);
        again.give_back();
        let larger = WorkerArena::take(1 << 20);
        assert!(larger.pointer().addr().is_multiple_of(ALIGNMENT) && larger.layout.size() >= 1 << 20);
    }
}
