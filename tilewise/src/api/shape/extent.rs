//! [`Extent`]: a size. Its operators are in `arithmetic`, its tiled form in `tiled_extent`.

use std::iter::FusedIterator;

use super::arithmetic::ToArray;
use super::into::cut_in_kernels;
use super::tiled_extent::check_limits;
use super::{Index, IntoExtent, IntoIndex, TiledExtent};
use crate::kernel::companions::{both, marks};
use crate::kernel::macro_support::RustBuiltin;

/// The size of a rectangle of rank `N`. Components may be negative, as in AMP; launches and
/// containers reject such an extent. C++ AMP's `extent<N>`.
///
/// ```
/// use tilewise::Extent;
/// let extent = Extent::new((4, 6));
/// assert_eq!(extent.size(), 24);
/// assert_eq!(extent.to_string(), "[4, 6]");
/// ```
#[doc(alias = "extent")]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(transparent)]
pub struct Extent<const N: usize>(pub [i32; N]);

impl<const N: usize> Extent<N> {
    /// Number of dimensions.
    pub const RANK: usize = N;

    both! {
        /// As `Index::new`.
        ///
        /// # Panics
        /// On the host, if a component does not fit 32 bits. In a kernel one of 64 bits becomes the nearest
        /// that fits, and one of 32 bits without a sign wraps.
        #[track_caller]
        pub fn new[new_marked_amp: mark::ToExtent<N>](components: impl IntoExtent<N>) -> Self {
            const { assert!(N > 0, "an extent has at least one dimension") };
            components.try_into_extent().unwrap_or_else(|| cut_in_kernels("extent", || components.cut_to_extent()))
        }

        /// The components, most significant first.
        pub const fn to_array[to_array_marked_amp: ToArray](self) -> [i32; N] {
            self.0
        }

        /// Product of the components, wrapping (AMP's `size()`).
        pub const fn size[size_marked_amp: mark::Size](self) -> u32 {
            let mut size = 1u32;
            let mut i = 0;
            while i < N {
                size = size.wrapping_mul(self.0[i] as u32);
                i += 1;
            }
            size
        }

        /// Whether every component of `index`, an [`Index`] or a tuple, lies in `0..self[i]`.
        pub fn contains[contains_marked_amp: mark::Contains](self, index: impl IntoIndex<N>) -> bool {
            let Some(index) = index.try_into_index() else { return false };
            index.0.into_iter().zip(self.0).all(|(position, size)| 0 <= position && position < size)
        }
    }

    /// The product if every component is positive and the product fits.
    pub const fn checked_size(self) -> Option<u32> {
        let mut size = 1u32;
        let mut i = 0;
        while i < N {
            if self.0[i] <= 0 {
                return None;
            }
            match size.checked_mul(self.0[i] as u32) {
                Some(product) => size = product,
                None => return None,
            }
            i += 1;
        }
        Some(size)
    }

    /// Every position, in memory order: the last component varies fastest. Empty if a component is
    /// not positive. Host only.
    pub fn indices(self) -> impl Iterator<Item = Index<N>> + Clone {
        Indices { extent: self, next: self.0.iter().all(|&size| size > 0).then_some(Index::ZERO) }
    }
}

impl Extent<1> {
    both! {
        /// Cuts it into tiles of `D0`; a tile of 0 or above the limits does not compile.
        pub const fn tile<const D0: usize>[tile_marked_amp: mark::Tile<1, D0, 1, 1>](self) -> TiledExtent<1, D0> {
            // Here, so that the error names the line that calls this.
            const { check_limits(1, [D0, 1, 1]) };
            TiledExtent::of(self)
        }
    }
}

impl Extent<2> {
    both! {
        /// Cuts it into tiles of `D0 x D1`; a tile of 0 or above the limits does not compile.
        pub const fn tile<const D0: usize, const D1: usize>[tile_marked_amp: mark::Tile<2, D0, D1, 1>](self) -> TiledExtent<2, D0, D1> {
            // Here, so that the error names the line that calls this.
            const { check_limits(2, [D0, D1, 1]) };
            TiledExtent::of(self)
        }
    }
}

impl Extent<3> {
    both! {
        /// Cuts it into tiles of `D0 x D1 x D2`; a tile of 0 or above the limits, such as
        /// `D0 > 64`, does not compile.
        pub const fn tile<const D0: usize, const D1: usize, const D2: usize>[tile_marked_amp: mark::Tile<3, D0, D1, D2>](self) -> TiledExtent<3, D0, D1, D2> {
            // Here, so that the error names the line that calls this.
            const { check_limits(3, [D0, D1, D2]) };
            TiledExtent::of(self)
        }
    }
}

/// The positions of an extent, in memory order.
#[derive(Clone, Debug)]
struct Indices<const N: usize> {
    extent: Extent<N>,
    next: Option<Index<N>>,
}

impl<const N: usize> Iterator for Indices<N> {
    type Item = Index<N>;

    fn next(&mut self) -> Option<Index<N>> {
        let found = self.next?;
        let mut following = found;
        self.next = None;
        for i in (0..N).rev() {
            following.0[i] += 1;
            if following.0[i] < self.extent.0[i] {
                self.next = Some(following);
                break;
            }
            following.0[i] = 0;
        }
        Some(found)
    }
}

impl<const N: usize> FusedIterator for Indices<N> {}

#[doc(hidden)]
pub(crate) mod mark {
    //! The kernel operations of the companions.

    use super::{RustBuiltin, marks};
    use crate::api::shape::tiled_extent::tile;

    marks! {
        /// `Extent::new`
        ToExtent<const N: usize> => RustBuiltin::ToExtent(N as u32);
        /// `Extent::size`
        Size => RustBuiltin::ExtentSize;
        /// `Extent::contains`
        Contains => RustBuiltin::ExtentContains;
        /// `Extent::tile`
        Tile<const N: usize, const D0: usize, const D1: usize, const D2: usize> => RustBuiltin::Tile(tile::<N>([D0, D1, D2]));
    }
}

super::arithmetic::shape!(Extent, "extent", ToExtent);
