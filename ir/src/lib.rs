//! The kernel language of Tilewise: builds, reads, prints, checks and analyses kernels, and defines
//! a launch as data.
//!
//! This crate knows no target and no device, starts no threads, and has no unsafe code but the
//! declaration of a function that plants a fault.
//!
//! | module | purpose |
//! |---|---|
//! | [`types`] | scalars, vectors, views; memory types with explicit layout |
//! | [`kernel`] | the kernel: a tree of typed instructions, and traversals over it |
//! | [`ops`] | the table of pure operations: name, type rule, meaning, accuracy |
//! | [`typing`] | result types of instructions, types of places |
//! | [`build`] | the only way to make a kernel |
//! | [`text`] | the text form (`.kir`): parser and printer |
//! | [`names`] | the rule for identifiers; reserved words |
//! | [`math`] | the library `fast_math`, written in the kernel language |
//! | [`check`] | the checker: every rule of the language; the only maker of `Checked<Kernel>` |
//! | [`analysis`] | facts that the checker and several targets use: uniformity, ranges, shapes |
//! | [`inline`] | inlining of all calls, so that targets see one function |
//! | [`launch`] | domain, memory, arguments and their validation, outcome |
//! | [`limits`] | limits on kernels and launches |
//! | [`bytes`] | scalars as bytes in memory |
//! | [`mod@print`], [`mod@format`] | the text of printed values |
//! | [`fault`] | planted faults: mistakes in all crates that a test build can switch on |
//! | [`diag`] | diagnostics and their rendering |
//! | [`pos`] | source positions |
//! | [`stack`] | stack space for recursion over nested blocks |
pub mod analysis;
pub mod build;
pub mod bytes;
pub mod check;
pub mod diag;
pub mod fault;
pub mod format;
pub mod inline;
pub mod kernel;
pub mod launch;
pub mod limits;
pub mod math;
pub mod names;
pub mod ops;
pub mod pos;
pub mod print;
pub mod stack;
pub mod text;
pub mod types;
pub mod typing;
