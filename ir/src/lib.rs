//! The kernel language of Tilewise.
pub mod kernel;
pub mod limits;
pub mod ops;
pub mod pos;
pub mod types;
