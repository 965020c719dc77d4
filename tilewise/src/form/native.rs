//! What a kernel's closure asks of the launch that it runs in on `native`.

use super::Fence;

/// The calling thread waits for the threads of its tile.
///
/// # Panics
/// Outside a launch.
#[track_caller]
pub fn native_barrier(_: Fence) {
    outside("a barrier");
}

/// The writes of the calling thread are ordered for its tile.
///
/// # Panics
/// Outside a launch.
#[track_caller]
pub fn native_fence(_: Fence) {
    outside("a fence");
}

#[track_caller]
fn outside(what: &str) -> ! {
    panic!(
        "unsupported feature: {what} outside a kernel: it belongs to the threads of a tile, and there is no tile here"
    );
}
