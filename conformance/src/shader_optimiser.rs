//! A driver in software spends most of its time on optimising shaders, and those of a test run once.
//! Mesa's drivers read a variable at their start; to set one is unsafe in a process that has threads,
//! so a test program runs itself once more with it.

use std::env;
use std::process::{Command, ExitCode};

/// What Mesa's compiler of shaders for the CPU reads, and its value for "do not optimise".
const OPTIMISER: (&str, &str) = ("GALLIVM_PERF", "nopt");

/// Runs this program with the same arguments in a process whose driver in software does not optimise
/// shaders, and returns its exit code. `None` in that process, where the user has set the variable, and
/// where no process can be started: there the caller does the work.
pub fn run_without_shader_optimiser() -> Option<ExitCode> {
    let (variable, value) = OPTIMISER;
    if env::var_os(variable).is_some() {
        return None;
    }
    let program = env::current_exe().ok()?;
    let status = Command::new(program).args(env::args_os().skip(1)).env(variable, value).status().ok()?;
    // A signal has no code.
    Some(ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1)))
}
