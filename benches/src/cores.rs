//! Pins the program to some cores, so that all contestants get the same ones, and no worker shares
//! its core with another.

use std::collections::HashSet;
use std::env;
use std::process::Command;

/// The environment variable of a program that is already pinned: the cores, in `taskset`'s form.
const HELD: &str = "TILEWISE_BENCH_CORES";

/// The cores that this program is pinned to, in `taskset`'s form.
pub fn held() -> Option<String> {
    env::var(HELD).ok()
}

/// Restarts this program on `count` cores of its own by `taskset`, and then does not return.
/// Returns in the restarted program.
///
/// # Errors
/// The reason why it cannot. The program runs on all cores then.
pub fn hold_to(count: usize) -> Result<(), String> {
    if held().is_some() {
        return Ok(());
    }
    let program = env::current_exe().map_err(|error| error.to_string())?;
    let mut command = on(count)?;
    Err(replace(command.arg(program).args(env::args_os().skip(1))))
}

/// `taskset` with `count` cores, and the same number of threads for drivers; the caller adds the
/// command.
///
/// # Errors
/// If the machine has fewer cores.
pub fn on(count: usize) -> Result<Command, String> {
    let cores = choose(count)?;
    let mut command = Command::new("taskset");
    command.env(HELD, &cores).args(["-c", &cores]);
    #[cfg(feature = "drivers")]
    crate::drivers::threads(&mut command, count);
    Ok(command)
}

/// The last cores that this program may use, as systems prefer the first ones for work of their
/// own; no two of one physical core as long as there are others.
fn choose(count: usize) -> Result<String, String> {
    let mut allowed: Vec<usize> = tilewise_peers::pool::cores();
    allowed.reverse();
    let mut seen = HashSet::new();
    let is_first = |core: &usize| {
        let siblings = format!("/sys/devices/system/cpu/cpu{core}/topology/thread_siblings_list");
        seen.insert(std::fs::read_to_string(siblings).unwrap_or_else(|_| core.to_string()))
    };
    let (mut first, second): (Vec<usize>, Vec<usize>) = allowed.into_iter().partition(is_first);
    first.extend(second);
    match first.get(..count) {
        Some(chosen) => Ok(chosen.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")),
        None => Err(format!("{count} cores are asked for, {} can be used", first.len())),
    }
}

/// Replaces the process by that command. Returns only an error.
#[cfg(unix)]
fn replace(command: &mut Command) -> String {
    use std::os::unix::process::CommandExt;
    format!("`taskset` cannot be started: {}", command.exec())
}

/// Other systems have no `taskset`.
#[cfg(not(unix))]
fn replace(_: &mut Command) -> String {
    "this system has no `taskset`".into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_cores_as_asked_or_none() {
        assert_eq!(choose(1).expect("there is one").split(',').count(), 1);
        assert!(choose(1_000_000).is_err());
    }
}
