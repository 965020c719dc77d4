//! The targets as the library sees them: a launch that is in order and holds its memory goes to one
//! of these, and what came of it goes back as a result or an error.

pub(crate) mod arguments;
pub(crate) mod fault;
#[cfg_attr(not(feature = "gpu"), path = "gpu/absent.rs")]
pub(crate) mod gpu;
pub(crate) mod jit;
pub(crate) mod native;
#[cfg_attr(not(feature = "gpu"), path = "gpu/no_launch.rs")]
pub(crate) mod on_gpu;
pub(crate) mod reference;
