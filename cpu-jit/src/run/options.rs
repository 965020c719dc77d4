//! The options of a launch, and the report on how it ran.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use tilewise_ir::launch::Outcome;

use crate::emit::CodeForm;
use crate::vectorize::Without;

/// Compile-time effort.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Effort {
    /// The first launches run baseline code; optimised code is compiled in the background, and
    /// replaces it when it is ready. Small kernels are compiled in the optimised tier immediately.
    #[default]
    Auto,
    /// The baseline tier, also for small kernels.
    Soon,
    /// The optimised tier, for which the launch waits.
    Well,
}

/// Options of a launch.
#[derive(Clone, Copy, Default)]
pub struct JitLaunchOptions<'a> {
    /// Ends the launch after this time, with
    /// [`Ending::Interrupted`](tilewise_ir::launch::Ending::Interrupted).
    pub time_limit: Option<Duration>,
    /// Callback that returns whether the launch is to end; called before the launch and, by another
    /// thread, every few milliseconds during it. The launch then ends with
    /// [`Ending::Interrupted`](tilewise_ir::launch::Ending::Interrupted). A panic in it also ends
    /// the launch and resumes in the caller.
    pub interrupt: Option<&'a (dyn Fn() -> bool + Sync)>,
    /// Lanes: 1 (one thread at a time), 4, 8 or 16, and 32 or 64 in wide code. By default, chosen
    /// for the kernel and the machine. A kernel or machine that does not support a width gets a
    /// smaller one.
    pub width: Option<u32>,
    /// The emitter of the code with lanes. By default, or if this processor does not run its code,
    /// [`CodeForm::widest`]. A program that the emitter has no code for is compiled by Cranelift,
    /// and [`Ran::left_to_cranelift`] has the reason. Results are the same.
    pub form: Option<CodeForm>,
    /// Maximum number of threads that work on it at once; never more than the engine has.
    pub threads: Option<usize>,
    /// Allows a product and a sum to be fused into one operation with one rounding; the caller
    /// accepts the change in results. Otherwise results equal the interpreter's.
    pub relaxed: bool,
    /// Refuses a kernel that cannot be compiled, instead of interpreting it. If a cold block fails
    /// to compile when it is reached, the launch has already run when it is refused.
    pub no_fallback: bool,
    /// Refuses a launch that has to begin again in the interpreter; nothing has changed then. It has to if
    /// compiled code stopped for threads that were missed at a barrier, and all of them ended.
    pub no_repeat: bool,
    /// Compile-time effort. Results are the same.
    pub effort: Effort,
    /// Interprets the kernel, as if it could not be compiled.
    pub interpret: bool,
    /// Checks left out, to measure their cost. Without bounds checks only
    /// [`Engine::launch`](super::Engine::launch) accepts a kernel, whose caller then guarantees
    /// that it accesses nothing out of range.
    pub without: Without,
}

/// The result of a launch.
#[derive(Clone, PartialEq, Debug)]
pub struct JitLaunched {
    /// The outcome, as of every target.
    pub outcome: Outcome,
    /// How it ran.
    pub ran: Ran,
}

/// How a launch ran.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Ran {
    /// Lanes of the machine code; 0 if the kernel was interpreted.
    pub width: u32,
    /// The emitter of that code; `None` if the kernel was interpreted. Columns beyond the last whole
    /// vector, which run one thread at a time, are Cranelift's code in any case.
    pub form: Option<CodeForm>,
    /// The reason the emitter of the launch has no code for the program, if Cranelift compiled it
    /// instead.
    pub left_to_cranelift: Option<Arc<str>>,
    /// Was its machine code cached?
    pub cached: bool,
    /// Could products and sums be fused?
    pub relaxed: bool,
    /// Time spent obtaining machine code.
    pub compile: Duration,
    /// Time from there to the end.
    pub run: Duration,
    /// The reason the kernel was interpreted, if it was.
    pub fallback: Option<Arc<str>>,
    /// The reason it had fewer lanes than were chosen, if it had.
    pub narrowed: Option<Arc<str>>,
    /// The reason the launch began again, in the interpreter, if it did.
    pub repeated: Option<Arc<str>>,
    /// The reason a cold block was interpreted when it was reached, if one was.
    pub part: Option<Arc<str>>,
}

/// What users want where a kernel cannot be compiled: the values of the environment variable
/// [`UserFallback::VARIABLE`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum UserFallback {
    /// Interpret it, and say so.
    #[default]
    Note,
    /// Interpret it.
    Quiet,
    /// Refuse it.
    Error,
    /// Interpret every kernel, as if none could be compiled.
    Always,
}

impl UserFallback {
    /// The environment variable.
    pub const VARIABLE: &str = "TILEWISE_FALLBACK";

    /// What the environment asks for. `Err` is a sentence about a value that is none of them, and is taken
    /// for [`UserFallback::Note`].
    pub fn of_environment() -> Result<UserFallback, String> {
        let asked = std::env::var_os(Self::VARIABLE).unwrap_or_default();
        match asked.to_str() {
            Some("" | "note") => Ok(UserFallback::Note),
            Some("quiet") => Ok(UserFallback::Quiet),
            Some("error") => Ok(UserFallback::Error),
            Some("always") => Ok(UserFallback::Always),
            Some(_) | None => Err(format!(
                "the environment variable {} is `{}`, which is taken for `note`; it can be `note`, `quiet`, `error` or \
                 `always`",
                Self::VARIABLE,
                asked.to_string_lossy(),
            )),
        }
    }
}

impl JitLaunchOptions<'_> {
    /// The same, with what users want where a kernel cannot be compiled.
    pub fn with_fallback(self, fallback: UserFallback) -> Self {
        let (refuses, interpret) = (fallback == UserFallback::Error, fallback == UserFallback::Always);
        JitLaunchOptions { no_fallback: refuses, no_repeat: refuses, interpret, ..self }
    }
}

impl Ran {
    /// A sentence about the slower way that a launch took, from the name of what was launched on: "`the
    /// kernel` is interpreted, ..". `None` if there is nothing to say, or `fallback` wants nothing said.
    pub fn slower_way(&self, what: &dyn fmt::Display, fallback: UserFallback) -> Option<String> {
        match fallback {
            UserFallback::Quiet => return None,
            UserFallback::Always => {
                return Some(format!("{what} is interpreted, as {} is `always`", UserFallback::VARIABLE));
            }
            UserFallback::Note | UserFallback::Error => {}
        }
        if let Some(reason) = &self.fallback {
            return Some(format!("{what} is interpreted, as it cannot be compiled: {reason}"));
        }
        if let Some(reason) = &self.repeated {
            return Some(format!("{what} has begun again, interpreted: {reason}"));
        }
        let reason = self.part.as_ref()?;
        Some(format!("a part of {what} is interpreted, as it cannot be compiled: {reason}"))
    }
}
