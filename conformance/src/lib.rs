//! x

pub mod fuzz;
