//! What almost every program needs. Not in it: errors and `Result`, which would shadow std's; `copy`; textures; launch options.

pub use crate::vector::{Double2, Double3, Double4, Float2, Float3, Float4, Int2, Int3, Int4, UInt2, UInt3, UInt4};
pub use crate::{
    Accelerator, AcceleratorView, AccessType, AmpStruct, Array, ArrayView, Element, Extent, Index, Kernel, ReadOnly,
    ReadView, ReadWrite, Scalar, TileBarrier, TiledExtent, TiledIndex, amp, fast_math, kernel, parallel_for_each,
};
