//! [`Index`]: a position. Its operators are in `arithmetic`.

use super::IntoIndex;
use super::arithmetic::ToArray;
use super::into::cut_in_kernels;
use crate::kernel::companions::{both, marks};
use crate::kernel::macro_support::RustBuiltin;

/// A position: `N` signed components, the most significant first. C++ AMP's `index<N>`.
///
/// ```
/// use tilewise::Index;
/// let position = Index::new((2, 5)) + Index([1, 0]);
/// assert_eq!(position[0], 3);
/// assert_eq!(position.to_string(), "[3, 5]");
/// ```
#[doc(alias = "index")]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(transparent)]
pub struct Index<const N: usize>(pub [i32; N]);

impl<const N: usize> Index<N> {
    /// Number of dimensions.
    pub const RANK: usize = N;

    /// The origin, also `default()`.
    pub const ZERO: Self = Index([0; N]);

    both! {
        /// `Index::new(2)`, `Index::new((1, 2))`, `Index::new([0, 1, 3])`: the argument determines
        /// the rank.
        ///
        /// # Panics
        /// On the host, if a component does not fit 32 bits. In a kernel one of 64 bits becomes the nearest
        /// that fits, and one of 32 bits without a sign wraps.
        #[track_caller]
        pub fn new[new_marked_amp: mark::ToIndex<N>](components: impl IntoIndex<N>) -> Self {
            const { assert!(N > 0, "an index has at least one dimension") };
            components.try_into_index().unwrap_or_else(|| cut_in_kernels("index", || components.cut_to_index()))
        }

        /// The components, most significant first.
        pub const fn to_array[to_array_marked_amp: ToArray](self) -> [i32; N] {
            self.0
        }
    }
}

#[doc(hidden)]
pub(crate) mod mark {
    //! The kernel operations of the companions.

    use super::{RustBuiltin, marks};

    marks! {
        /// `Index::new`
        ToIndex<const N: usize> => RustBuiltin::ToIndex(N as u32);
    }
}

super::arithmetic::shape!(Index, "index", ToIndex);
