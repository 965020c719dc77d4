//! Facts about kernels that the checker and several targets need. No analysis changes a kernel or
//! reports an error.
//!
//! | module | facts |
//! |---|---|
//! | [`uniformity`] | which values and which control flow the threads of a tile agree on |
//! | [`facts`] | all facts about values and instructions, for compilers |
//! | [`range`] | bounds of integers |
//! | [`shape`] | how values change along x: uniform, affine, varying |
//! | [`finite`] | loops that terminate, and their maximum iteration counts |
//! | [`exit_levels`] | the nesting depth of the code that targets make |
//! | [`divergence_proof`] | threads of a tile that part before a barrier |
//! | [`captured`] | numbers that a launch knows |
//! | [`calls`] | the call graph; size and depth after inlining |
//! | [`view_origins`] | the parameter from which each view is made, and the grain of its addresses |
//! | [`written`] | parameters that the kernel writes or accesses atomically |
//! | [`aligned`] | alignment of atomic words |
//! | [`plain_atomics`] | atomic operations for which a load or a store suffices |
//! | [`texture_calls`] | calls that texture units can compute |
//! | `tile_independence` | tiled kernels that may run by rows |
//! | [`tile_memory`] | `tile_static` variables that must be cleared |
//! | [`barrier_regions`] | the code between barriers, and the values that several of its parts need |

pub mod aligned;
pub mod barrier_regions;
pub mod calls;
pub mod captured;
pub mod divergence_proof;
pub mod exit_levels;
pub mod facts;
pub mod finite;
pub mod plain_atomics;
pub mod range;
pub mod shape;
pub mod texture_calls;
pub(crate) mod tile_independence;
pub mod tile_memory;
pub mod uniformity;
pub mod view_origins;
pub mod written;
