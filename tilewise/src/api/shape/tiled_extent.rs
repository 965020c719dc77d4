//! [`TiledExtent`]: an extent cut into tiles, and the limits of tiles.

use std::fmt;

use super::Extent;
use crate::kernel::companions::{both, marks};
use crate::kernel::macro_support::op::{Equal, OWN};
use crate::kernel::macro_support::{Called, Compares, Form, RustBuiltin, RustType};
use crate::kernel::types::{KernelType, KernelValue};

/// An extent cut into tiles of `D0 x D1 x D2`, of which only the first `N` apply.
/// `TiledExtent<2, 16, 16>` is C++ AMP's `tiled_extent<16, 16>`. Made by
/// [`Extent::tile`](Extent::<2>::tile) or by `From`; tiles above the limits do not compile.
///
/// ```
/// use tilewise::Extent;
/// let tiled = Extent::new((20, 25)).tile::<5, 4>();
/// assert_eq!(tiled.tile_extent(), Extent([5, 4]));
/// assert_eq!(tiled.pad().extent(), Extent([20, 28]));
/// ```
///
/// ```compile_fail,E0080
/// use tilewise::{Extent, TiledExtent};
/// let cut = TiledExtent::<1, 2048>::from(Extent([4096]));
/// ```
///
/// ```compile_fail,E0080
/// use tilewise::TiledExtent;
/// let none = TiledExtent::<4, 1, 1, 1>::default();
/// ```
#[doc(alias = "tiled_extent")]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(transparent)]
pub struct TiledExtent<const N: usize, const D0: usize, const D1: usize = 1, const D2: usize = 1>(Extent<N>);

/// The first `N` dimensions of a tile.
pub(super) fn tile<const N: usize>(dimensions: [usize; 3]) -> Vec<u32> {
    dimensions.into_iter().take(N).map(|d| d as u32).collect()
}

/// Checks the limits of tiles (PFE-5): 1 to 3 dimensions, each positive, at most 1024 threads, and
/// in rank 3 a first dimension of at most 64.
pub(super) const fn check_limits(rank: usize, dimensions: [usize; 3]) {
    assert!(0 < rank && rank <= 3, "only extents of rank 1, 2 and 3 have tiles");
    let mut threads = 1usize;
    let mut i = 0;
    while i < rank {
        assert!(
            dimensions[i] > 0 && dimensions[i] <= 1024,
            "tile dimensions must be positive, their product at most 1024"
        );
        threads *= dimensions[i];
        i += 1;
    }
    assert!(threads <= 1024, "tile dimensions must be positive, their product at most 1024");
    assert!(rank < 3 || dimensions[0] <= 64, "the first dimension of a tile of rank 3 is at most 64");
}

/// The first `N` dimensions of a tile, as an extent.
pub(super) const fn tile_extent<const N: usize>(dimensions: [usize; 3]) -> Extent<N> {
    let mut tile = [0; N];
    let mut i = 0;
    while i < N {
        tile[i] = dimensions[i] as i32;
        i += 1;
    }
    Extent(tile)
}

impl<const N: usize, const D0: usize, const D1: usize, const D2: usize> TiledExtent<N, D0, D1, D2> {
    /// Number of dimensions.
    pub const RANK: usize = N;
    /// Size of a tile in the first dimension.
    pub const TILE_DIM0: usize = D0;
    /// Size of a tile in the second dimension.
    pub const TILE_DIM1: usize = D1;
    /// Size of a tile in the third dimension.
    pub const TILE_DIM2: usize = D2;

    /// An extent cut into tiles. The caller has checked their limits.
    pub(super) const fn of(extent: Extent<N>) -> Self {
        TiledExtent(extent)
    }

    both! {
        /// The whole domain.
        pub const fn extent[extent_marked_amp: mark::Whole](self) -> Extent<N> {
            self.0
        }

        /// The size of one tile.
        #[doc(alias = "get_tile_extent")]
        pub const fn tile_extent[tile_extent_marked_amp: mark::TileExtent](self) -> Extent<N> {
            tile_extent([D0, D1, D2])
        }

        /// Each dimension `e` rounded up to a multiple of its tile's `d`: `(e + (d - 1)) / d * d`,
        /// wrapping.
        pub const fn pad[pad_marked_amp: mark::Pad](self) -> Self {
            let tile = tile_extent::<N>([D0, D1, D2]);
            let mut padded = self.0.0;
            let mut i = 0;
            while i < N {
                padded[i] = (padded[i].wrapping_add(tile.0[i] - 1) / tile.0[i]).wrapping_mul(tile.0[i]);
                i += 1;
            }
            TiledExtent(Extent(padded))
        }

        /// Each dimension rounded down (towards 0) to a multiple of its tile.
        pub const fn truncate[truncate_marked_amp: mark::Truncate](self) -> Self {
            let tile = tile_extent::<N>([D0, D1, D2]);
            let mut truncated = self.0.0;
            let mut i = 0;
            while i < N {
                truncated[i] = truncated[i] / tile.0[i] * tile.0[i];
                i += 1;
            }
            TiledExtent(Extent(truncated))
        }
    }

    #[doc(hidden)]
    pub fn from_marked_amp(extent: Extent<N>) -> Called<Self, super::extent::mark::Tile<N, D0, D1, D2>> {
        Called::new(Self::from(extent))
    }

    #[doc(hidden)]
    pub fn default_marked_amp() -> Called<Self, crate::kernel::numbers::Default<Self>> {
        Called::new(Self::default())
    }
}

impl<const N: usize, const D0: usize, const D1: usize, const D2: usize> Default for TiledExtent<N, D0, D1, D2> {
    /// All components 0.
    fn default() -> Self {
        const { check_limits(N, [D0, D1, D2]) };
        Self::of(Extent([0; N]))
    }
}

impl<const N: usize, const D0: usize, const D1: usize, const D2: usize> From<Extent<N>> for TiledExtent<N, D0, D1, D2> {
    fn from(extent: Extent<N>) -> Self {
        const { check_limits(N, [D0, D1, D2]) };
        Self::of(extent)
    }
}

impl<const N: usize, const D0: usize, const D1: usize, const D2: usize> From<TiledExtent<N, D0, D1, D2>> for Extent<N> {
    fn from(tiled: TiledExtent<N, D0, D1, D2>) -> Self {
        tiled.0
    }
}

impl<const N: usize, const D0: usize, const D1: usize, const D2: usize> fmt::Display for TiledExtent<N, D0, D1, D2> {
    /// `[20, 24] in tiles of [5, 4]`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} in tiles of {}", self.0, self.tile_extent())
    }
}

#[diagnostic::do_not_recommend]
impl<const N: usize, const D0: usize, const D1: usize, const D2: usize> KernelType for TiledExtent<N, D0, D1, D2> {
    fn ty() -> RustType {
        RustType::TiledExtent(tile::<N>([D0, D1, D2]))
    }
}

#[diagnostic::do_not_recommend]
impl<const N: usize, const D0: usize, const D1: usize, const D2: usize> KernelValue for TiledExtent<N, D0, D1, D2> {
    fn leaves(&self, out: &mut Vec<u64>) {
        self.0.leaves(out);
    }

    fn zero() -> Self {
        Self::default()
    }
}

#[diagnostic::do_not_recommend]
impl<const N: usize, const D0: usize, const D1: usize, const D2: usize> Compares<Equal> for TiledExtent<N, D0, D1, D2> {
    fn form() -> Form {
        OWN
    }
}

#[doc(hidden)]
pub(crate) mod mark {
    //! The kernel operations of the companions.

    use super::{RustBuiltin, marks};

    marks! {
        /// `TiledExtent::extent`
        Whole => RustBuiltin::TiledExtentWhole;
        /// `tile_extent` of a tiled extent or index
        TileExtent => RustBuiltin::TileExtent;
        /// `TiledExtent::pad`
        Pad => RustBuiltin::Pad;
        /// `TiledExtent::truncate`
        Truncate => RustBuiltin::Truncate;
    }
}
