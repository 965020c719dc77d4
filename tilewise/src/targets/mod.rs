//! The targets: each runs a launch that is validated and holds its memory, and returns its result
//! or an error.
//!
//! - `reference`, `jit`, `native`, `on_gpu`: one module per target
//! - `gpu`: the GPUs of this machine
//! - `arguments`: the arguments of a launch; `fault`: the errors of a launch

pub(crate) mod arguments;
pub(crate) mod fault;
#[cfg_attr(not(feature = "gpu"), path = "gpu/absent.rs")]
pub(crate) mod gpu;
pub(crate) mod jit;
pub(crate) mod native;
#[cfg_attr(not(feature = "gpu"), path = "gpu/no_launch.rs")]
pub(crate) mod on_gpu;
pub(crate) mod reference;
