//! What a Rust programmer writes in a kernel: small programs, one module each, with the results that plain
//! Rust has, on `native`, `reference`, `jit` and each GPU.
//!
//! What kernels refuse is in `tilewise/mistakes`, with its message.

#![allow(
    dead_code,
    unused_assignments,
    unused_doc_comments,
    unused_imports,
    unused_mut,
    unused_variables,
    unreachable_pub,
    clippy::all,
    clippy::cloned_instead_of_copied,
    clippy::explicit_iter_loop,
    clippy::redundant_closure_for_method_calls,
    reason = "the programs are written as users write them"
)]

#[macro_use]
#[path = "../plain_rust/mod.rs"]
mod plain_rust;

#[path = "../accelerators/mod.rs"]
mod accelerators;
mod array_methods;
mod asked_iterators;
mod assertions;
mod assignments;
mod builders;
mod bytes;
mod changed_elements;
mod conversions;
mod edges;
mod empty_fields;
mod fitting_numbers;
mod flat_iterators;
mod functions;
mod further;
mod globs;
mod handed_iterators;
mod host_panics;
mod integers;
mod item_references;
mod iterator_effects;
mod iterators;
mod kept_references;
mod letters;
mod loops;
mod made_arrays;
mod nested_arrays;
mod newcomers;
mod operator_references;
mod options;
mod order;
mod own_methods;
mod patterns;
mod peeked_iterators;
mod probes;
mod programs;
mod ranges;
mod ranges_of_characters;
mod reference_patterns;
mod reference_tuples;
mod reference_values;
mod references;
mod references_in_values;
mod references_that_change;
mod results;
mod second_week;
mod sorting;
mod third_week;
mod types;
mod unit_structs;

use plain_rust::{launchers, on_all, on_each};
use tilewise::prelude::*;
use tilewise::{Accelerator, AcceleratorView, Array, ArrayView, Element, Launch};
