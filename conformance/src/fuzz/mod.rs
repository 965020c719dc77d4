//! Random kernels, compared over targets.
mod case;
mod coverage;
mod data;
mod make;
mod replay;
mod rng;

pub use case::{Alias, Case, Difference};
pub use coverage::{Coverage, Subject};
pub use make::{Budget, generate};
pub use replay::{Act, Declared, Edit, replay};
pub use rng::Rng;

/// How many instructions a launch may execute.
pub const FUEL: u64 = 50_000_000;
