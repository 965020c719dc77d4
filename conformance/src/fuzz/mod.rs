//! Random kernels, compared over targets.
//!
//! A seed and a [`KernelBudget`] give a [`FuzzCase`]: a kernel, a domain, memory, arguments ([`generate`]). [`run()`] takes many seeds, checks each kernel, prints it and
//! reads it back, launches it on every target in every way, and compares how it ends, what it prints, and what is left in memory bit for bit. What differs is made small ([`shrink()`]) and
//! written as a file test ([`FuzzCase::to_file`]). [`Coverage`] counts what was generated and executed: whatever the language has and no kernel of a run of
//! thousands executed is a failure of the tests.
//!
//! # Free of races, by construction
//! The generator knows of all memory which elements a thread may touch at the point it has come to (`make::MemoryRole`), and makes no access beyond that:
//!
//! - **Inputs** are read at any index by anyone; nobody writes them, though some are bound so that the kernel could.
//! - **Own elements.** A map, fixed for the launch, gives each thread elements of a view or buffer that no other thread has: at its position in the
//!   domain, reversed or transposed; a block, row, column or stride of several; at its linear number under a permutation (rotation, reversal, exclusive or
//!   with a mask, bits in opposite order, multiplication by a number coprime to the count). It reads and writes these at will, through sections, `project`,
//!   `view_as` and `reinterpret` of its own elements too. Parameters that share memory share the map: so the same bytes under two types have one owner.
//! - **Sums.** Memory that all threads change by atomics of one family that commutes (add, sub, inc, dec; min; max; and; or; xor), with results that
//!   nothing uses. Floats are only added, small integers to small integers, so that every order gives the same.
//! - **What a tile shares** (`tile_static`, or a row of a view for each tile) has a state that only a barrier of a fitting flavour changes: everyone
//!   reads; or each thread has elements of its own, by a permutation that is drawn anew; or atomics of one family. The permutation's number may be computed
//!   from values that are the same in the whole tile, such as a loop's counter.
//! - **Out of range** accesses are made on purpose. They touch nothing, so they race with nothing.
//! - **Exchange and compare-exchange**, and atomics whose result is used, work on a thread's own elements only.
//!
//! # Control that the barriers allow
//! The generator also knows where all threads of a tile are together (`make::Flow::level`). Barriers stand only there. A condition of a construct around one
//! is built of values known to be *uniform*: constants, uniforms, positions of the tile, extents, counters of level loops, what was read at a uniform index
//! from memory that nobody writes now, and pure operations on these. So it is uniform in truth; whether the checker can prove it is another matter, and both
//! kinds occur. A level construct is left by uniform breaks only, and what the tile shares is brought back to the state at its beginning, by a barrier, before its
//! end and before each way out. Threads return early only from kernels without barriers, or all threads of a tile together. Every loop counts.
//!
//! In some kernels the threads of a tile may **miss each other**: there the condition of a construct around a barrier, or of a way out past one, may be a bit
//! of a word that each thread reads from an input made for this (`plan_doubt`), and nothing that such a construct gives counts as uniform. What the tile shares
//! still changes hands only where all threads of it have met, as they stop at the first barrier where they do not. So there are no races
//! up to that point, and the launch ends in one way: with the same divergence everywhere, but for which tile is told first.
//!
//! # Deterministic
//! Race-free kernels of this language have one result, but for the bits of NaN. So the rows that look at a float's bits or sign (`bitcast`, `sign_bit`,
//! `total_cmp`, `copysign`'s second argument) get it through `select(is_nan(x), constant, x)`; memory that a kernel writes as floats is not read under
//! another type; and [`FuzzCase::compare`] holds any two NaNs for equal where every parameter that reaches the bytes stores floats there.
//! Numbers come from a generator of their own ([`SeedRng`]): no hash, address or clock has a say.
//!
//! # Where what is
//! `make` generates: `shape` and `plan` draw the launch, parameters and memory, `tiles` what concerns tiles, `functions` functions, `ends` the first and last instructions, and `statements`, `values`,
//! `places`, `control`, `sync` what is between. [`replay()`] makes a kernel again with changes; the shrinker and the coverage counters are built on it. `nan`
//! holds the pattern that hides the bits of NaN.

mod case;
mod coverage;
mod data;
mod file;
mod judge;
mod kinds;
mod make;
mod measure;
mod nan;
mod replay;
mod report;
mod retype;
mod rng;
mod run;
mod shrink;

use crate::target::Limit;

pub use case::{Alias, FuzzCase, MemoryDifference};
pub use coverage::{Coverage, Subject};
pub use judge::{Launcher, judge};
pub use make::{KernelBudget, KernelSize, generate};
pub use measure::count;
pub use replay::{Act, DeclarationKind, KernelEdit, replay};
pub use report::{Endings, FuzzFailure, FuzzFault, FuzzReport, RefusedKernel};
pub use rng::SeedRng;
pub use run::{FuzzOptions, SLACK, run};
pub use shrink::shrink;

/// How long a launch may take.
pub const LIMIT: Limit = Limit::of_fuel(50_000_000);
