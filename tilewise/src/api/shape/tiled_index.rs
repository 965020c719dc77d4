//! [`TiledIndex`]: the position of a thread in a tiled launch.

use super::tiled_extent::mark::TileExtent;
use super::tiled_extent::{check_limits, tile, tile_extent};
use super::{Extent, Index, TileBarrier};
use crate::kernel::companions::{both, marks};
use crate::kernel::macro_support::{RustBuiltin, RustType};
use crate::kernel::types::KernelType;

/// The position of a thread in a tiled launch. C++ AMP's `tiled_index<D0, D1, D2>`.
///
/// ```
/// use tilewise::{ArrayView, parallel_for_each};
/// let places = ArrayView::from_vec(6, vec![0; 6])?;
/// parallel_for_each!(places.extent().tile::<3>(), |t| places[t] = t.tile[0] * 100 + t.tile_origin[0] * 10 + t.local[0])?;
/// assert_eq!(places.to_vec()?, [0, 1, 2, 130, 131, 132]);
/// # Ok::<(), tilewise::Error>(())
/// ```
#[doc(alias = "tiled_index")]
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct TiledIndex<const N: usize, const D0: usize, const D1: usize = 1, const D2: usize = 1> {
    /// Position in the whole domain.
    pub global: Index<N>,
    /// Position inside the tile.
    pub local: Index<N>,
    /// Position of the tile among the tiles.
    pub tile: Index<N>,
    /// Position of the tile's first thread in the domain.
    pub tile_origin: Index<N>,
    /// The tile's barrier.
    pub barrier: TileBarrier,
}

impl<const N: usize, const D0: usize, const D1: usize, const D2: usize> TiledIndex<N, D0, D1, D2> {
    /// Number of dimensions.
    pub const RANK: usize = N;
    /// Size of a tile in the first dimension.
    pub const TILE_DIM0: usize = D0;
    /// Size of a tile in the second dimension.
    pub const TILE_DIM1: usize = D1;
    /// Size of a tile in the third dimension.
    pub const TILE_DIM2: usize = D2;

    /// The index of the thread at `global`, for launches.
    #[inline]
    pub(crate) fn of_thread(global: Index<N>) -> Self {
        let dimensions = tile_extent::<N>([D0, D1, D2]);
        let local = Index(std::array::from_fn(|i| global.0[i] % dimensions.0[i]));
        let tile = Index(std::array::from_fn(|i| global.0[i] / dimensions.0[i]));
        TiledIndex { global, local, tile, tile_origin: global - local, barrier: TileBarrier::of_a_tile() }
    }

    both! {
        /// A value with the given parts; the relations between them are not checked.
        pub fn from_parts[from_parts_marked_amp: mark::FromParts<N, D0, D1, D2>](
            global: Index<N>, local: Index<N>, tile: Index<N>, tile_origin: Index<N>, barrier: TileBarrier
        ) -> Self {
            const { check_limits(N, [D0, D1, D2]) };
            TiledIndex { global, local, tile, tile_origin, barrier }
        }

        /// The size of one tile.
        #[doc(alias = "get_tile_extent")]
        pub const fn tile_extent[tile_extent_marked_amp: TileExtent](self) -> Extent<N> {
            tile_extent([D0, D1, D2])
        }
    }
}

impl<const N: usize, const D0: usize, const D1: usize, const D2: usize> From<TiledIndex<N, D0, D1, D2>> for Index<N> {
    /// Its `global`.
    fn from(tiled: TiledIndex<N, D0, D1, D2>) -> Self {
        tiled.global
    }
}

#[diagnostic::do_not_recommend]
impl<const N: usize, const D0: usize, const D1: usize, const D2: usize> KernelType for TiledIndex<N, D0, D1, D2> {
    fn ty() -> RustType {
        RustType::TiledIndex(tile::<N>([D0, D1, D2]))
    }
}

#[doc(hidden)]
pub(crate) mod mark {
    //! The kernel operations of the companions.

    use super::{RustBuiltin, marks, tile};

    marks! {
        /// `TiledIndex::from_parts`
        FromParts<const N: usize, const D0: usize, const D1: usize, const D2: usize> => RustBuiltin::TiledIndexFromParts(tile::<N>([D0, D1, D2]));
    }
}
