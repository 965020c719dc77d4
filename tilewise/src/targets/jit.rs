//! The target `jit`: compiled code, in place, in the memory that a launch holds.
#![allow(unsafe_code, reason = "hands the addresses of views to compiled code; the one block says what makes it sound")]

use std::panic::Location;
use std::sync::OnceLock;

use tilewise_cpu_jit::run::{Engine, JitLaunchOptions, UserFallback};
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
        ..JitLaunchOptions::default().with_fallback(fallback())
    };
    let domain = Domain::new(components);
    // SAFETY: the allocations are those of which `locked` holds bytes; they live as long as their
    // handles, and no two of them share a byte. `locked` holds the elements of every view, for
    // writing where the kernel writes; `arguments` refers to no other bytes, as it has checked that
    // the kernel's rank and element type of each view match the view. Compiled code accesses none
    // of them after this call has returned.
    let launched = unsafe { engine.launch(program.prepared(), &domain, &allocations, &arguments, &options) };
    let launched = launched.map_err(fault::refused)?;
    let ran = &launched.ran;
    if let Some(reason) = ran.fallback.as_ref().or(ran.repeated.as_ref()) {
        event("interpreted", || format!("the kernel at {location}: {reason}"));
    }
    // The results are the same; only its speed suffers.
    if let Some(way) = ran.slower_way(&format_args!("the kernel at {location}"), fallback()) {
        program.once(|| warn(format_args!("{way}")));
    }
    let mode = if launched.ran.relaxed { FloatMode::Relaxed } else { FloatMode::Strict };
    Ok((launched.outcome, mode))
}

/// What the environment wants where a kernel cannot be compiled.
fn fallback() -> UserFallback {
    static ASKED: OnceLock<UserFallback> = OnceLock::new();
    *ASKED.get_or_init(|| {
        UserFallback::of_environment().unwrap_or_else(|unknown| {
            warn(format_args!("{unknown}"));
            UserFallback::default()
        })
    })
}
