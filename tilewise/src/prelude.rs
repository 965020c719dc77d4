//! What almost every program needs. Not in it: errors and `Result`, which would shadow std's; `copy`; textures; launch options.

pub use crate::{
    ArrayView, Element, Extent, Index, ReadOnly, ReadView, ReadWrite, Scalar, TileBarrier, TiledExtent, TiledIndex,
    fast_math,
};
