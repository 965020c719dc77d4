//! The names that almost every program uses. Excluded are `Error` and `Result`, which would shadow
//! those of std, and launch options.
//!
//! ```
//! use tilewise::prelude::*;
//! let view = ArrayView::from_vec(2, vec![Float2::ONE; 2])?;
//! parallel_for_each!(view.extent(), |i| view[i].y = 3.0)?;
//! assert_eq!(view.get(1)?, Float2::new(1.0, 3.0));
//! # Ok::<(), tilewise::Error>(())
//! ```

pub use crate::api::vector::{
    Double2, Double3, Double4, Float2, Float3, Float4, Int2, Int3, Int4, UInt2, UInt3, UInt4,
};
pub use crate::{
    Accelerator, AcceleratorView, AccessType, AmpStruct, Array, ArrayView, Element, Extent, Float, Index, Kernel,
    ReadOnly, ReadView, ReadWrite, Scalar, TileBarrier, TiledExtent, TiledIndex, amp, copy, direct3d, fast_math,
    kernel, parallel_for_each, precise_math,
};
