//! [`TileBarrier`] and the fences. On `native` the launch implements them, in a kernel the kernel
//! language.

use crate::kernel::companions::{both, marks};
use crate::kernel::macro_support::{Called, Fence, RustBuiltin, RustType, call, native_barrier, native_fence};
use crate::kernel::types::KernelType;

/// The barrier of the threads of a tile; only a [`TiledIndex`](super::TiledIndex) provides one.
///
/// ```compile_fail
/// let barrier = tilewise::TileBarrier(());
/// ```
///
/// ```
/// use tilewise::{ArrayView, parallel_for_each};
/// let view = ArrayView::from_vec(4, vec![1, 2, 3, 4])?;
/// parallel_for_each!(view.extent().tile::<4>(), |t| {
///     #[tile_static]
///     let all: [i32; 4];
///     all[t.local[0]] = view[t];
///     t.barrier.wait();
///     view[t] = all[3 - t.local[0]];
/// })?;
/// assert_eq!(view.to_vec()?, [4, 3, 2, 1]);
/// # Ok::<(), tilewise::Error>(())
/// ```
#[doc(alias = "tile_barrier")]
#[derive(Clone, Copy, Debug)]
pub struct TileBarrier(());

impl TileBarrier {
    /// The only value: the running launch identifies the tile, not the barrier.
    pub(super) const fn of_a_tile() -> Self {
        TileBarrier(())
    }

    both! {
        /// Waits for every thread of the tile; writes of the tile before it are visible after it.
        ///
        /// # Panics
        /// Outside a kernel (`UnsupportedFeature`), as there is no tile.
        #[track_caller]
        pub fn wait[wait_marked_amp: mark::WaitAll](&self) {
            native_barrier(Fence::All);
        }

        /// Same as `wait`; the name states the fence.
        ///
        /// # Panics
        /// As `wait`.
        #[track_caller]
        pub fn wait_with_all_memory_fence[wait_with_all_memory_fence_marked_amp: mark::WaitAll](&self) {
            native_barrier(Fence::All);
        }

        /// Waits as `wait` does, and orders writes to views and arrays only.
        ///
        /// # Panics
        /// As `wait`.
        #[track_caller]
        pub fn wait_with_global_memory_fence[wait_with_global_memory_fence_marked_amp: mark::WaitGlobal](&self) {
            native_barrier(Fence::Global);
        }

        /// Waits as `wait` does, and orders writes to `tile_static` only.
        ///
        /// # Panics
        /// As `wait`.
        #[track_caller]
        pub fn wait_with_tile_static_memory_fence[wait_with_tile_static_memory_fence_marked_amp: mark::WaitTileStatic](&self) {
            native_barrier(Fence::TileStatic);
        }
    }
}

#[diagnostic::do_not_recommend]
impl KernelType for TileBarrier {
    fn ty() -> RustType {
        RustType::Barrier
    }
}

/// A fence function and the type with its name, through which a kernel calls it.
macro_rules! fences {
    ($($(#[$doc:meta])* $name:ident $fence:ident $mark:ident;)*) => {$(
        $(#[$doc])*
        ///
        /// # Panics
        /// Outside a kernel (`UnsupportedFeature`), as there is no tile.
        #[track_caller]
        pub fn $name(barrier: &TileBarrier) {
            // It proves that the caller has a tile; the running launch knows which.
            let TileBarrier(()) = barrier;
            native_fence(Fence::$fence);
        }

        #[doc(hidden)]
        #[allow(non_camel_case_types, reason = "it has the function's name")]
        #[derive(Debug)]
        pub struct $name {}

        impl $name {
            #[doc(hidden)]
            #[track_caller]
            pub fn marked_amp(barrier: &TileBarrier) -> Called<(), mark::$mark> {
                Called::new($name(barrier))
            }

            #[doc(hidden)]
            #[inline(always)]
            pub fn named_amp<F>(named: F) -> call::Named<mark::$mark, impl Sized> {
                call::Named::new($name, named)
            }
        }
    )*};
}

fences! {
    /// A fence without a barrier, for the calling thread's tile; legal in divergent control flow.
    ///
    /// ```
    /// use tilewise::{ArrayView, all_memory_fence, parallel_for_each};
    /// let parts = ArrayView::from_vec(8, (0..8).collect())?;
    /// let (arrived, sums) = (ArrayView::from_vec(2, vec![0; 2])?, ArrayView::from_vec(2, vec![0; 2])?);
    /// parallel_for_each!(parts.extent().tile::<4>(), |t| {
    ///     parts[t] = parts[t] * 10;
    ///     all_memory_fence(&t.barrier);
    ///     // Who comes last sees what the others of the tile have written before.
    ///     if arrived.atomic(t.tile[0]).fetch_inc() == 3 {
    ///         let first = t.tile_origin[0];
    ///         sums[t.tile] = parts[first] + parts[first + 1] + parts[first + 2] + parts[first + 3];
    ///     }
    /// })?;
    /// assert_eq!(sums.to_vec()?, [60, 220]);
    /// # Ok::<(), tilewise::Error>(())
    /// ```
    all_memory_fence All FenceAll;
    /// As [`all_memory_fence`](fn@all_memory_fence), for views and arrays only.
    ///
    /// ```
    /// use tilewise::{ArrayView, global_memory_fence, parallel_for_each};
    /// let parts = ArrayView::from_vec(8, (0..8).collect())?;
    /// let (arrived, sums) = (ArrayView::from_vec(2, vec![0; 2])?, ArrayView::from_vec(2, vec![0; 2])?);
    /// parallel_for_each!(parts.extent().tile::<4>(), |t| {
    ///     parts[t] = parts[t] * 10;
    ///     global_memory_fence(&t.barrier);
    ///     // Who comes last sees what the others of the tile have written before.
    ///     if arrived.atomic(t.tile[0]).fetch_inc() == 3 {
    ///         let first = t.tile_origin[0];
    ///         sums[t.tile] = parts[first] + parts[first + 1] + parts[first + 2] + parts[first + 3];
    ///     }
    /// })?;
    /// assert_eq!(sums.to_vec()?, [60, 220]);
    /// # Ok::<(), tilewise::Error>(())
    /// ```
    global_memory_fence Global FenceGlobal;
    /// As [`all_memory_fence`](fn@all_memory_fence), for `tile_static` only.
    ///
    /// ```
    /// use tilewise::{ArrayView, parallel_for_each, tile_static_memory_fence};
    /// let arrived = ArrayView::from_vec(1, vec![0])?;
    /// let sums = ArrayView::from_vec(1, vec![0])?;
    /// parallel_for_each!(tilewise::Extent([4]).tile::<4>(), |t| {
    ///     #[tile_static]
    ///     let parts: [i32; 4];
    ///     parts[t.local[0]] = 10 * t.local[0];
    ///     tile_static_memory_fence(&t.barrier);
    ///     // Who comes last sees what the others of the tile have written before.
    ///     if arrived.atomic(0).fetch_inc() == 3 {
    ///         sums[0] = parts[0] + parts[1] + parts[2] + parts[3];
    ///     }
    /// })?;
    /// assert_eq!(sums.get(0)?, 60);
    /// # Ok::<(), tilewise::Error>(())
    /// ```
    tile_static_memory_fence TileStatic FenceTileStatic;
}

#[doc(hidden)]
pub(crate) mod mark {
    //! The kernel operations of the companions.

    use super::{Fence, RustBuiltin, marks};

    marks! {
        /// `TileBarrier::wait` and `wait_with_all_memory_fence`
        WaitAll => RustBuiltin::Barrier(Fence::All);
        /// `TileBarrier::wait_with_global_memory_fence`
        WaitGlobal => RustBuiltin::Barrier(Fence::Global);
        /// `TileBarrier::wait_with_tile_static_memory_fence`
        WaitTileStatic => RustBuiltin::Barrier(Fence::TileStatic);
        /// `all_memory_fence`
        FenceAll => RustBuiltin::Fence(Fence::All);
        /// `global_memory_fence`
        FenceGlobal => RustBuiltin::Fence(Fence::Global);
        /// `tile_static_memory_fence`
        FenceTileStatic => RustBuiltin::Fence(Fence::TileStatic);
    }
}

#[cfg(test)]
mod tests {
    use super::TileBarrier;
    use std::panic::catch_unwind;

    /// BAR-8: C++ AMP throws `unsupported_feature` there.
    #[test]
    fn bar_8_outside_of_a_kernel_barriers_and_fences_are_an_unsupported_feature() {
        type Use = fn(&TileBarrier);
        let uses: [(&str, Use); 7] = [
            ("wait", TileBarrier::wait),
            ("wait_with_all_memory_fence", TileBarrier::wait_with_all_memory_fence),
            ("wait_with_global_memory_fence", TileBarrier::wait_with_global_memory_fence),
            ("wait_with_tile_static_memory_fence", TileBarrier::wait_with_tile_static_memory_fence),
            ("all_memory_fence", super::all_memory_fence),
            ("global_memory_fence", super::global_memory_fence),
            ("tile_static_memory_fence", super::tile_static_memory_fence),
        ];
        for (name, call) in uses {
            let payload = catch_unwind(|| call(&TileBarrier::of_a_tile())).expect_err(name);
            let text = payload.downcast_ref::<String>().expect("a panic has a text");
            assert!(text.starts_with("unsupported feature: "), "{name}: {text}");
        }
    }
}
