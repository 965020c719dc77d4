//! The target `jit`: compiled code, in place, in the memory that a launch holds.
#![allow(unsafe_code, reason = "hands the addresses of views to compiled code; the one block says what makes it sound")]

use std::panic::Location;
use std::sync::OnceLock;

use tilewise_cpu_jit::run::{Engine, JitLaunchOptions};
use tilewise_ir::launch::{Domain, Outcome};
use tilewise_trace::event;

use crate::api::accelerator::{FloatMode, LaunchLimits};
use crate::api::printed::warn;
use crate::kernel::macro_support::LaunchBinder;
use crate::kernel::program::LoweredProgram;
use crate::memory::launch::Locked;
use crate::targets::arguments::arguments;
use crate::{Result, targets::fault};

/// The options of a launch.
pub(crate) struct JitLaunch<'a> {
    pub(crate) engine: &'a Engine,
    /// Its time limit and cancellation.
    pub(crate) watch: &'a LaunchLimits,
    /// The requested float mode.
    pub(crate) mode: FloatMode,
}

/// Runs a program over a valid domain, until it completes or its limits end it. A kernel that
/// cannot be compiled is interpreted, with one warning per kernel (which is at `location`). Returns
/// the outcome and the float mode of the launch.
pub(crate) fn run(
    program: &LoweredProgram,
    location: &Location<'_>,
    components: &[i32],
    binder: LaunchBinder<'_>,
    locked: &Locked<'_>,
    how: &JitLaunch<'_>,
) -> Result<(Outcome, FloatMode)> {
    let JitLaunch { engine, watch, mode } = *how;
    let arguments = arguments(program, binder, locked)?;
    let allocations = locked.host_allocations();
    let interrupt = || watch.is_cancelled();
    let options = JitLaunchOptions {
        time_limit: watch.limit(),
        interrupt: Some(&interrupt),
        relaxed: mode == FloatMode::Relaxed,
        no_fallback: fallback() == Fallback::Error,
        interpret: fallback() == Fallback::Always,
        ..JitLaunchOptions::default()
    };
    let domain = Domain::new(components);
    // SAFETY: the allocations are those of which `locked` holds bytes; they live as long as their
    // handles, and no two of them share a byte. `locked` holds the elements of every view, for
    // writing where the kernel writes; `arguments` refers to no other bytes, as it has checked that
    // the kernel's rank and element type of each view match the view. Compiled code accesses none
    // of them after this call has returned.
    let launched = unsafe { engine.launch(program.prepared(), &domain, &allocations, &arguments, &options) };
    let launched = launched.map_err(fault::refused)?;
    if let Some(reason) = &launched.ran.fallback {
        event("interpreted", || format!("the kernel at {location}: {reason}"));
        program.once(|| note("the kernel", location, reason));
    } else if let Some(reason) = &launched.ran.part {
        program.once(|| note("a part of the kernel", location, reason));
    }
    let mode = if launched.ran.relaxed { FloatMode::Relaxed } else { FloatMode::Strict };
    Ok((launched.outcome, mode))
}

/// The environment variable with the treatment.
const VARIABLE: &str = "TILEWISE_FALLBACK";

/// The treatment of a kernel that cannot be compiled.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fallback {
    /// Interpret it, with a warning.
    Note,
    /// Interpret it.
    Quiet,
    /// Do not run it.
    Error,
    /// Interpret every kernel, as if none could be compiled.
    Always,
}

/// The value of the environment variable `TILEWISE_FALLBACK`: `note`, `quiet`, `error` or `always`.
fn fallback() -> Fallback {
    static ASKED: OnceLock<Fallback> = OnceLock::new();
    let asked = || std::env::var_os(VARIABLE).unwrap_or_default().to_string_lossy().into_owned();
    *ASKED.get_or_init(|| match asked().as_str() {
        "error" => Fallback::Error,
        "quiet" => Fallback::Quiet,
        "always" => Fallback::Always,
        "" | "note" => Fallback::Note,
        other => {
            warn(format_args!(
                "the environment variable {VARIABLE} is `{other}`, which is taken for `note`; \
                 it can be `note`, `quiet`, `error` or `always`"
            ));
            Fallback::Note
        }
    })
}

/// Warns that a kernel is interpreted. The results are the same; only its speed suffers.
fn note(what: &str, location: &Location<'_>, reason: &str) {
    match fallback() {
        Fallback::Note => {
            warn(format_args!("{what} at {location} is interpreted, as it cannot be compiled: {reason}"));
        }
        Fallback::Always => warn(format_args!("{what} at {location} is interpreted, as {VARIABLE} is `always`")),
        Fallback::Quiet | Fallback::Error => {}
    }
}
