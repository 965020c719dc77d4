//! The kernel language of Tilewise.
pub mod build;
pub mod diag;
pub mod kernel;
pub mod launch;
pub mod limits;
pub mod names;
pub mod ops;
pub mod pos;
pub mod text;
pub mod types;
pub mod typing;
