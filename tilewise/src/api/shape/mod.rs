//! Positions and sizes: [`Index`], [`Extent`], the tiled forms of both, and the barrier of a tile. Views and launches, which use them, are elsewhere.
//!
//! One definition serves host and kernel: arithmetic wraps, and division is the kernel language's (`x / 0` is `x`, `x % 0` is 0, `MIN / -1` is `MIN`), so that the same expression gives
//! the same value on both sides. C++ AMP's `++` is `+= 1`.

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
pub use into::{IntoExtent, IntoIndex};
pub use tiled_extent::TiledExtent;
pub use tiled_index::TiledIndex;
