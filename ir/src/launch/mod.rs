//! One launch, as plain data: what every target takes and gives, and what all of them decide alike.
//!
//! A launch is a checked kernel, a [`Domain`] to run it over, **allocations** to work in and an
//! [`Argument`] for each parameter. It ends in an [`Outcome`], or is refused with a [`Refusal`]
//! before anything has run.
//!
//! # Allocations
//! An allocation is a stretch of bytes. A launch numbers its allocations from 0; an argument names
//! one by that number, and bytes of it by their offsets. Different allocations have no byte in
//! common, so arguments can overlap only if they name the same one. Where the bytes are is the
//! affair of each target, which has a list of them:
//!
//! | who | its list of allocations |
//! |---|---|
//! | tests, the suite, `tilewise run` | [`LaunchMemory`], which owns the bytes |
//! | the interpreter | [`BorrowedMemory`]: runs of somebody else's bytes, where they lie |
//! | the CPU JIT | an address and a size each |
//! | GPUs | buffers of the device |
//! | the library | the memory that its views share, wherever the newest contents are |
//!
//! # Binding
//! 1. Who asks for a launch makes the arguments, once; targets take them as they are. A
//!    [`ViewArgument`] knows which bytes it names, and nobody else computes that.
//! 2. [`validate()`] holds arguments against parameters and allocations, of which it needs
//!    [`AllocationFacts`] only. Each target calls it before it follows a pointer or queues
//!    anything.
//! 3. Targets make code for the way in which arguments can overlap, not for single allocations:
//!    [`AllocationNumbers`].
//!
//! # What comes back
//! [`OutputCollector`] gathers lines and failures of threads, [`SideCollector`] the threads of a tile that
//! did not meet at a barrier; in both the order in which threads ran cannot be seen. What the
//! checks of the reference accelerator find are [`CheckReport`]s.

mod aliasing;
mod argument;
mod divergence;
mod domain;
mod memory;
mod outcome;
mod output;
mod ranges;
mod refusal;
mod report;
mod validate;
mod wording;

pub use aliasing::AllocationNumbers;
pub use argument::{Argument, ViewArgument, ViewClaim};
pub use divergence::{Arrival, Divergence, DivergentSide, SideCollector};
pub use domain::Domain;
pub use memory::{BorrowedMemory, BorrowedRun, LaunchMemory};
pub use outcome::{Ending, MAX_PRINTED, Outcome, Printed};
pub use output::{FailedThreads, OutputCollector};
pub use ranges::Ranges;
pub use refusal::Refusal;
pub use report::{CheckReport, Cut, Finding, MemoryAct, OutOf, Touch, Where};
pub use validate::{AllocationFacts, ArgumentMisfit, MisfitKind, validate};
