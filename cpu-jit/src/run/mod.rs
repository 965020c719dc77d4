//! Running kernels: the engine behind the accelerator `jit`.
//!
//! An [`Engine`] is an accelerator: worker threads of its own and what they need. A [`JitKernel`]
//! kernel holds the machine code that launches made of it, and is the same for all engines.
//! [`Engine::launch`] brings the two together over memory that is there already, [`Engine::run`]
//! over allocations of bytes as the interpreter takes them; both say what the launch came to and
//! which way it took ([`Ran`]).

//!
//! # The way of a launch
//! 1. `launch`: checks that domain and what is bound fit the kernel.
//! 2. `width` chooses the lanes; [`bind`](crate::bind) says what the machine code is specialised for; `prepared` finds it, or makes it by
//!    [`vectorize`](crate::vectorize) and [`emit`](crate::emit), first so that it is there soon, then, behind the launches, so that it runs fast (`optimised_tier`). Where that fails: width 1; and where that fails too, the interpreter (`fallback`).
//! 3. `grid` cuts the domain into units. `team` deals them out: to the caller alone if the launch is short, else to the workers of the engine too.
//! 4. `job` is what each of them does: sets the floating-point environment (`float`), takes memory for tiles (`arena`), calls machine code for one
//!    unit after another. `messages` listens to what threads say, `watch` ends the launch when it is to end early.
//! 5. When nobody works on it any more, the outcome is put together.

mod arena;
mod content;
mod engine;
mod fallback;
mod float;
mod grid;
mod job;
mod launch;
mod messages;
mod optimised_tier;
mod options;
mod prepared;
mod team;
#[cfg(test)]
mod tests;
mod warm_up;
mod watch;
mod width;

pub use engine::{Engine, EngineOptions, MOST_THREADS, Pin};
pub use options::{Effort, JitLaunchOptions, JitLaunched, Ran};
pub use prepared::JitKernel;
