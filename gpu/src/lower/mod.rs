//! Lowering: a checked kernel as a naga module, with a description of what it wants bound.
//!
//! # Memory
//! All memory is arrays of 32-bit words: a buffer for each *allocation* (memory that parameters
//! share), one for tables and aggregates, one for messages, arrays in the tile's and in the
//! thread's memory. The kernel's own layouts are numbers, so no layout rule of WGSL matters; loads
//! and stores put scalars together from words ([`access`]). Scalar and vector locals are variables
//! of their type. Memory that an atomic operation may reach is made of atomic words ([`atomic`],
//! [`scan`]).
//!
//! # Launch
//! Tiles are numbered; a dispatch of three dimensions is made one number again, from which the position in the domain follows ([`entry`]). Extents, strides and captured
//! values come in the argument block ([`ArgumentLayout`]).
//!
//! # Control
//! The tree of the kernel is the tree of the module ([`control`], [`repeat`]). Kernels whose barriers are not all proved to be reached together are walked through by all threads of a tile, with votes ([`tile`], [`region`], [`tile_barriers`]).
//!
//! # What is left out
//! Tests of indices that are [in range](tilewise_ir::analysis::range) whatever the thread, or by what a launch's numbers [are](LaunchPredicates), or are the thread's own in a view that covers the domain; counts of the rounds of
//! [finite](tilewise_ir::analysis::finite) loops; clearing of memory that is written before it is read ([`clear`]).
//!
//! # Operations
//! One expression where naga has it with the same meaning, else a function of the prelude ([`op`], [`prelude`]). Whether a float operation of the driver's own is what it should be is asked of
//! [`Exact`](crate::exact::Exact), in one place (`Lowerer::exact`). In Relaxed some
//! functions of the library are the driver's ([`native_math`]).

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
mod place;
mod plain;
mod prelude;
mod region;
mod repeat;
mod scan;
mod state;
mod steps;
mod table;
mod tile;
mod tile_barriers;
mod view;

pub use entry::lower;
pub use launch_predicates::{Fit, IntegerSize, LaunchPredicates};
pub use lowered::{
    ALONG, AdapterNeeds, ArgumentLayout, BINDING_LIMIT, DATA_LIMIT, HEAD, LoweredModule, MessageKind, MessageSite,
    ModuleKey, ModuleParam, Numbered, ParamWords, SINK, TAIL, UNTILED, UNTILED_GRID, Unsupported, ZERO, binding, block,
    grid_tiles, message as messages, rows, tiles,
};
pub(crate) use prelude::text as prelude_text;
