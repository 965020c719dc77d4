//! The kernel language of Tilewise.
pub mod analysis;
pub mod build;
pub mod check;
pub mod diag;
pub mod inline;
pub mod interp;
pub mod kernel;
pub mod launch;
pub mod limits;
pub mod math;
pub mod names;
pub mod ops;
pub mod pos;
pub mod print;
pub mod text;
pub mod types;
pub mod typing;
