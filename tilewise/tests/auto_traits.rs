//! A user's crate may ask whether handles are `Send` without reaching rustc's limit on nested
//! requirements, which is lower here than the usual 128. The drivers' types below a handle would
//! exceed it, and those of some releases of wgpu exceed the usual limit as well.
#![recursion_limit = "48"]

use std::panic::UnwindSafe;

use tilewise::graphics::{Bits8, Texture, Unorm4, WriteonlyTextureView};
use tilewise::prelude::*;
use tilewise::{Completion, Error, Kernel};

/// Compiles if its type may go to other threads.
fn is_shared<T: Send + Sync + UnwindSafe + 'static>() -> bool {
    size_of::<T>() > 0
}

#[test]
fn handles_are_shared_by_threads() {
    assert!(is_shared::<Accelerator>());
    assert!(is_shared::<AcceleratorView>());
    assert!(is_shared::<Array<f32, 2>>());
    assert!(is_shared::<ArrayView<'static, f32, 2>>());
    assert!(is_shared::<Texture<Unorm4, 2, Bits8>>());
    assert!(is_shared::<WriteonlyTextureView<'static, Unorm4, 2, Bits8>>());
    assert!(is_shared::<Completion>());
    assert!(is_shared::<Kernel<'static, Index<1>>>());
    assert!(is_shared::<Error>());
}
