//! What a launch may be told, and what it says of itself.

use std::sync::Arc;
use std::time::Duration;

use tilewise_ir::launch::Outcome;

use crate::vectorize::Without;

/// How much time is taken to compile.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Effort {
    /// The first launches run code that is there soon; code that runs faster is compiled behind them, and takes its place as soon as it is there. Small kernels
    /// have good code at once.
    #[default]
    Auto,
    /// Code that is there soon, also of small kernels.
    Soon,
    /// Good code, for which the launch waits.
    Well,
}

/// How to launch.
#[derive(Clone, Copy, Default)]
pub struct JitLaunchOptions<'a> {
    /// Ends the launch when so much time has passed, with [`Ending::Interrupted`](tilewise_ir::launch::Ending::Interrupted).
    pub time_limit: Option<Duration>,
    /// Asked before the launch and, by another thread, every few milliseconds while it lasts, whether it is to end; it then ends with
    /// [`Ending::Interrupted`](tilewise_ir::launch::Ending::Interrupted). A panic in it ends the launch too and comes out of it.
    pub interrupt: Option<&'a (dyn Fn() -> bool + Sync)>,
    /// Lanes: 1 (one thread at a time), 4, 8 or 16. Without a number, what suits kernel and machine. A kernel or machine that has no such lanes takes fewer.
    pub width: Option<u32>,
    /// How many threads may work on it at once; never more than the engine has.
    pub threads: Option<usize>,
    /// A product and a sum may be one operation, with one rounding; what that changes is for the caller to know. Else results are the interpreter's.
    pub relaxed: bool,
    /// Refuse what cannot be compiled, rather than interpret it. If that is found out only when a part that seldom runs is reached, the launch has been made when it is refused.
    pub no_fallback: bool,
    /// How much time is taken to compile. Results are the same.
    pub effort: Effort,
    /// Interpret the kernel, as if it could not be compiled.
    pub interpret: bool,
    /// What is left out, to measure what it costs. Without checks only [`Engine::launch`](super::Engine::launch) takes a kernel, whose caller then promises that it
    /// touches nothing out of range.
    pub without: Without,
}

/// What a launch came to.
#[derive(Clone, PartialEq, Debug)]
pub struct JitLaunched {
    /// The same as of every target.
    pub outcome: Outcome,
    /// The way it took.
    pub ran: Ran,
}

/// The way a launch took.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Ran {
    /// Lanes of the machine code; 0 if the kernel was interpreted.
    pub width: u32,
    /// Did it find its machine code ready?
    pub cached: bool,
    /// Could products and sums be one operation?
    pub relaxed: bool,
    /// Time it took to have machine code.
    pub compile: Duration,
    /// Time from there to the end.
    pub run: Duration,
    /// Why the kernel was interpreted, if it was.
    pub fallback: Option<Arc<str>>,
    /// Why it had fewer lanes than were chosen, if it had.
    pub narrowed: Option<Arc<str>>,
    /// Why a part of the kernel that seldom runs was interpreted when it was reached, if one was.
    pub part: Option<Arc<str>>,
}
