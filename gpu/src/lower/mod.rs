//! Lowers a checked kernel to a naga module and describes the resources that the module binds.
//!
//! # Memory
//! All memory is arrays of 32-bit words: one buffer for each *allocation* (memory that parameters
//! share), one for tables and aggregates, one for messages, and arrays in tile memory and in
//! thread-private memory. The kernel's own layouts are byte offsets, so no layout rule of WGSL
//! matters; loads and stores assemble scalars from words ([`access`]). Scalar and vector locals are
//! variables of their own type. Memory that an atomic operation may reach is made of atomic words
//! ([`atomic`], [`scan`]).
//!
//! # Launch
//! Tiles are numbered: the entry point turns the three-dimensional dispatch back into one number
//! and derives the position in the domain from it ([`entry`]). Extents, strides and captured values
//! come in the argument block ([`ArgumentLayout`]).
//!
//! # Control flow
//! The control-flow tree of the kernel becomes that of the module ([`control`], [`repeat`]). If not
//! all barriers of a kernel are proved uniform, all threads of a tile execute it together under
//! masks, with votes ([`tile`], [`region`], [`tile_barriers`]).
//!
//! # Omitted code
//! - Bounds checks of indices that are [in range](tilewise_ir::analysis::range) for every thread,
//!   or by the launch's [predicates](LaunchPredicates), or that are the thread's own index in a
//!   view that covers the domain.
//! - Iteration counters of [finite](tilewise_ir::analysis::finite) loops.
//! - Clearing of memory that is written before it is read ([`clear`]).
//!
//! # Operations
//! An operation is one expression where naga has it with the same meaning, else a call of a prelude
//! function ([`op`], [`prelude`]). Only `Lowerer::exact` decides whether a native float operation
//! may be used; it reads [`Exact`](crate::exact::Exact). In Relaxed, some functions of the library
//! are the driver's ([`native_math`]), and samples of textures are the device's
//! ([`texture_units`]), and texels are stored to textures too ([`own_stores`]). Roots and their inverses are in [`roots`].

mod access;
mod atomic;
mod builder;
mod clear;
mod compare;
mod control;
mod entry;
mod launch_predicates;
mod lowered;
mod message;
mod native_math;
mod native_ops;
mod op;
mod own_stores;
mod place;
mod plain;
mod prelude;
mod region;
mod repeat;
mod roots;
mod scan;
mod state;
mod steps;
mod table;
mod texture_units;
mod tile;
mod tile_barriers;
mod view;

pub use entry::lower;
pub use launch_predicates::{Fit, IntegerSize, KnownShape, LaunchPredicates, ShapeFit};
pub use lowered::{
    ALONG, AdapterNeeds, ArgumentLayout, BINDING_LIMIT, DATA_LIMIT, HEAD, LoopBounds, LoweredModule, MAX_EXPRESSIONS,
    MessageKind, MessageSite, ModuleKey, ModuleParam, Numbered, ParamWords, SINK, TAIL, UNTILED, UNTILED_GRID,
    Unsupported, ZERO, binding, block, grid_tiles, message as messages, rows, tiles,
};
pub use own_stores::{OwnStore, TextureStore, stored_element};
pub(crate) use prelude::text as prelude_text;
pub use texture_units::{SamplerAddress, SamplerKey, TextureSlot, TextureUse};
