//! Random kernels, compared over targets.
mod case;
mod data;
mod make;
mod replay;
mod rng;

pub use case::{Alias, Case, Difference};
pub use make::{Budget, generate};
pub use replay::{Act, Declared, Edit, replay};
pub use rng::Rng;
