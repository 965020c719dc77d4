//! Facts about kernels that the checker and several targets want. One fact a file; none of them changes a kernel or reports an error.

pub mod aligned;
pub mod calls;
pub mod facts;
pub mod finite;
pub mod range;
pub mod shape;
pub mod tile_memory;
pub mod uniformity;
pub mod written;
