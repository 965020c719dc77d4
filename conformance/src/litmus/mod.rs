//! **Litmus tests**: small races whose outcomes the memory model allows or forbids, run many times
//! under stress.
//!
//! [`program`] is the language of the tests, [`shapes`] the list of them, [`model`] the memory model
//! as axioms: it computes which outcomes a test may have. `kernel` makes a kernel with many instances
//! of a test, and [`run`] counts what a target gives. A forbidden outcome that is seen is a failure;
//! an allowed one that is not seen is none: the test cannot know how weak a machine is.

mod kernel;
pub mod model;
pub mod program;
pub mod run;
pub mod shapes;
