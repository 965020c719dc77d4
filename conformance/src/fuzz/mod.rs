//! The fuzzer: generates random kernels and compares their results over all targets.
//!
//! A seed and a [`KernelBudget`] determine a [`FuzzCase`]: a kernel, a domain, memory, arguments
//! ([`generate`]). [`run()`] takes many seeds, checks each kernel, prints it and parses it back,
//! launches it on every target in every variant, and compares endings, output and memory bit for
//! bit. It shrinks a failing case ([`shrink()`]) and writes it as a file test
//! ([`FuzzCase::to_file`]). [`Coverage`] counts the features that were generated and executed: a
//! feature of the language that no kernel of a run of thousands executes fails the tests.
//!
//! # Free of races, by construction
//! For all memory, the generator knows which elements a thread may touch at the current point
//! (`make::MemoryRole`), and makes no access beyond that:
//!
//! - **Inputs** are read at any index by any thread; no thread writes them, though some are bound
//!   to writable parameters.
//! - **Own elements.** A map, fixed for the launch, gives each thread elements of a view or buffer
//!   that no other thread has: at its position in the domain, reversed or transposed; a block, row,
//!   column or stride of several; at its linear number under a permutation (rotation, reversal,
//!   exclusive or with a mask, bits in opposite order, multiplication by a number coprime to the
//!   count). It reads and writes these at will, also through sections, `project`, `view_as` and
//!   `reinterpret` of its own elements. Parameters that share memory share the map, so the same
//!   bytes under two types have one owner.
//! - **Sums.** Memory that all threads change by atomics of one commutative family (add, sub, inc,
//!   dec; min; max; and; or; xor), whose results are unused. Floats are only added, small integers
//!   to small integers, so that every order gives the same result.
//! - **Memory that a tile shares** (`tile_static`, or a row of a view for each tile) has a state
//!   that only a barrier of a matching flavour changes: all threads read; or each thread has
//!   elements of its own, by a permutation that is drawn anew; or atomics of one family. The
//!   permutation's number may be computed from values that are uniform in the tile, such as a
//!   loop's counter.
//! - **Out-of-range** accesses are made on purpose. They touch no memory, so they cannot race.
//! - **Exchange and compare-exchange**, and atomics whose result is used, work on a thread's own
//!   elements only.
//!
//! # Control that the barriers allow
//! The generator also knows where all threads of a tile are together (`make::Flow::level`).
//! Barriers stand only there. The condition of a construct around one is built of values known to
//! be *uniform*: constants, uniforms, positions of the tile, extents, counters of level loops,
//! values read at a uniform index from memory that no thread writes now, and pure operations on
//! these. So it is in fact uniform; the checker can prove this for some conditions and not for
//! others, and both kinds occur. Only uniform breaks leave a level construct, and before its end
//! and before each way out a barrier brings memory that the tile shares back to the state at its
//! beginning. Threads return early only from kernels without barriers, or all threads of a tile
//! together. Every loop has a counter that ends it.
//!
//! In some kernels the threads of a tile may **miss each other**: there the condition of a
//! construct around a barrier, or of a way out past one, may be a bit of a word that each thread
//! reads from an input made for this (`plan_doubt`), and no result of such a construct counts as
//! uniform. Memory that the tile shares still changes hands only where all its threads have met, as
//! they stop at the first barrier where they do not meet. So there are no races up to that point,
//! and the launch ends in one way: with the same divergence on every target, except for which tile
//! is reported first.
//!
//! # Conditions that are asked again
//! Programs test the same thing several times, and targets reuse the mask that they have of it. So
//! three in ten conditions are one from before, its opposite, or its comparison in another form, and
//! a quarter of the loops asks for both sides of a condition from before it, with stores on each
//! side, beside a count that only the loop makes different in each thread.
//!
//! # Deterministic
//! Race-free kernels of this language have one result, except for the bits of NaN. So operations
//! that read a float's bits or sign (`bitcast`, `sign_bit`, `total_cmp`, `copysign`'s second
//! argument) get it through `select(is_nan(x), constant, x)`; memory that a kernel writes as floats
//! is not read under another type; and [`FuzzCase::compare`] treats any two NaNs as equal where
//! every parameter that reaches the bytes stores floats there. Random numbers come from a generator
//! of our own ([`SeedRng`]); no hash, address or clock affects them.
//!
//! # Modules
//! `make` generates: `shape` and `plan` draw the launch, parameters and memory, `tiles` the memory
//! of tiles, `functions` functions, `ends` the first and last instructions, and `statements`,
//! `values`, `places`, `control`, `sync` the instructions between; `sweeps` and `own_arrays` loops
//! over rows and arrays of the thread. [`replay()`] rebuilds a kernel with changes; the shrinker and
//! the coverage counters are built on it. `nan` holds the pattern that hides the bits of NaN.

mod case;
mod coverage;
mod data;
mod declared;
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

pub use case::{Alias, FuzzCase};
pub use coverage::{Coverage, Subject};
pub use judge::{KernelLauncher, judge};
#[cfg(all(feature = "gpu", feature = "import"))]
pub(crate) use judge::{LaunchLeft, difference};
pub use make::{KernelBudget, KernelSize, generate};
pub use measure::count;
pub(crate) use nan::looks_at_bits;
pub use replay::{Act, DeclarationKind, KernelEdit, replay};
pub use report::{Endings, FuzzFailure, FuzzFault, FuzzReport, RefusedKernel};
pub use rng::SeedRng;
pub use run::{FuzzOptions, SLACK, run};
pub use shrink::shrink;
#[cfg(all(feature = "gpu", feature = "import"))]
pub(crate) use shrink::shrink_until;

/// The limit of a launch.
pub const LIMIT: Limit = Limit::of_fuel(50_000_000);
