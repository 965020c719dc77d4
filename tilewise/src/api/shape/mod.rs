//! Positions and sizes: [`Index`], [`Extent`], the tiled forms of both, and the barrier of a tile.
//!
//! One definition serves host and kernel: arithmetic wraps, and division is that of the kernel
//! language (`x / 0` is `x`, `x % 0` is 0, `MIN / -1` is `MIN`), so that the same expression has
//! the same value on both sides. C++ AMP's `++` is `+= 1`.
//!
//! - `index`, `extent`: positions and sizes; `arithmetic`: their operators
//! - `tiled_index`, `tiled_extent`: their tiled forms; `barrier`: the barrier of a tile
//! - `int`, `into`: arguments that convert to positions and sizes

mod arithmetic;
mod barrier;
mod extent;
mod index;
mod int;
mod into;
mod tiled_extent;
mod tiled_index;

pub(crate) use arithmetic::ToArray;
pub use barrier::{TileBarrier, all_memory_fence, global_memory_fence, tile_static_memory_fence};
pub use extent::Extent;
pub use index::Index;
pub use int::Int;
pub(crate) use into::sealed;
pub use into::{IntoExtent, IntoIndex};
pub use tiled_extent::TiledExtent;
pub use tiled_index::TiledIndex;
