//! Runs kernels: the engine behind the accelerator `jit`.
//!
//! An [`Engine`] is an accelerator: its own worker threads and their state. A [`JitKernel`] is a
//! kernel and the machine code that launches have compiled for it; all engines share it.
//! [`Engine::launch`] runs a kernel over borrowed memory, [`Engine::run`] over allocations of bytes
//! like those of the interpreter; both return the outcome and the path the launch took ([`Ran`]).
//!
//! # The stages of a launch
//! 1. `launch` checks that the domain and the bound arguments fit the kernel.
//! 2. `width` chooses the number of lanes; [`bind`](crate::bind) computes the specialisation key;
//!    `prepared` finds the machine code for it, or makes it with [`vectorize`](crate::vectorize)
//!    and [`emit`](crate::emit): first in the baseline tier, then in the background in the
//!    optimised tier (`optimised_tier`). If that fails, width 1 is tried, and then the interpreter
//!    (`fallback`).
//! 3. `grid` cuts the domain into units. `team` distributes them: to the caller alone if the launch
//!    is short, otherwise to the engine's workers too.
//! 4. `job` is the work of each member: it sets the floating-point environment (`float`), takes
//!    memory for tiles (`arena`), and calls machine code for one chunk of units after another.
//!    `messages` receives the messages of threads; `watch` ends the launch early when requested.
//! 5. After the last member leaves, the outcome is assembled.
//!
//! `warm_up` and `heap` prepare the process and its threads for the first compilation.

mod arena;
mod content;
mod engine;
mod fallback;
mod float;
mod grid;
mod heap;
mod job;
mod launch;
mod messages;
mod optimised_tier;
mod options;
mod prepared;
mod streaming;
mod team;
#[cfg(test)]
mod tests;
mod warm_up;
mod watch;
mod width;

pub use engine::{Engine, EngineOptions, MOST_THREADS, Pin};
pub use options::{Effort, JitLaunchOptions, JitLaunched, Ran, UserFallback};
pub use prepared::JitKernel;
