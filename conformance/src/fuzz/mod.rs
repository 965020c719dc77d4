//! Random kernels, compared over targets.
mod case;
mod coverage;
mod data;
mod file;
mod make;
mod replay;
mod rng;
mod run;
mod shrink;

pub use case::{Alias, Case, Difference};
pub use coverage::{Coverage, Subject};
pub use make::{Budget, generate};
pub use replay::{Act, Declared, Edit, replay};
pub use rng::Rng;
pub use run::{Failure, Fault, FuzzReport, Options, judge, run};
pub use shrink::{count, shrink};

/// How many instructions a launch may execute.
pub const FUEL: u64 = 50_000_000;
