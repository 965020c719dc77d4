//! Defines a launch as plain data, shared by all targets: domain, memory, arguments and their
//! validation, outcome.
//!
//! A launch is a checked kernel, a [`Domain`] to run it over, **allocations** to work in and an
//! [`Argument`] for each parameter. It ends in an [`Outcome`], or is refused with a [`Refusal`]
//! before anything has run.
//!
//! | module | contents |
//! |---|---|
//! | `domain` | [`Domain`] |
//! | `memory` | [`LaunchMemory`], [`BorrowedMemory`] |
//! | `argument` | [`Argument`], [`ViewArgument`] |
//! | `ranges` | [`Ranges`]: sets of bytes, and the room for them |
//! | `aliasing` | [`AllocationNumbers`]: which arguments can overlap |
//! | `validate` | [`validate()`], [`AllocationFacts`] |
//! | `refusal`, `outcome` | [`Refusal`]; [`Outcome`] |
//! | `output`, `divergence` | collectors of threads' output, failures and barrier arrivals |
//! | `report`, `wording` | findings of the reference accelerator, and their text |
//!
//! # Allocations
//! An allocation is a range of bytes. A launch numbers its allocations from 0; an argument names
//! one by its number, and bytes in it by offset. Different allocations share no bytes, so arguments
//! can overlap only if they name the same one. Each target decides where the bytes are, and has its
//! own list of allocations:
//!
//! | user | its list of allocations |
//! |---|---|
//! | tests, the suite, `tilewise run` | [`LaunchMemory`], which owns the bytes |
//! | the interpreter | [`BorrowedMemory`]: runs of borrowed bytes, in place |
//! | the CPU JIT | an address and a size each |
//! | GPUs | buffers of the device |
//! | the library | the memory that its views share, wherever the newest contents are |
//!
//! # Binding
//! 1. The caller of a launch makes the arguments, once; targets take them unchanged. A
//!    [`ViewArgument`] alone computes which bytes it names.
//! 2. [`validate()`] checks arguments against parameters and allocations, of which it needs only
//!    [`AllocationFacts`]. Each target calls it before it dereferences a pointer or queues any
//!    work.
//! 3. Targets specialise code for the overlap pattern of the arguments, not for particular
//!    allocations: [`AllocationNumbers`].
//!
//! # Results
//! [`OutputCollector`] collects lines and failures of threads, [`SideCollector`] the threads of a
//! tile that did not arrive at one barrier; neither result depends on the order in which threads
//! ran. The findings of the reference accelerator's checks are [`CheckReport`]s.

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
pub use argument::{Argument, ChannelKind, LevelExtent, TexelFormat, ViewArgument, ViewClaim, element_count};
pub use divergence::{Arrival, Divergence, DivergentSide, SideCollector};
pub use domain::Domain;
pub use memory::{BorrowedMemory, BorrowedRun, LaunchMemory};
pub use outcome::{Ending, MAX_PRINTED, Outcome, Printed};
pub use output::{FailedThreads, OutputCollector};
pub use ranges::{Ranges, room_for_runs};
pub use refusal::{NOT_WELL_FORMED, Refusal};
pub use report::{ArithmeticSlip, CheckReport, Cut, Finding, MemoryAct, OutOf, Touch, Where};
pub use validate::{AllocationFacts, ArgumentMisfit, MisfitKind, validate};
