//! Ctrl-C, and the signal by which systems end programs: a run ends in order, with what it has found.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::console::Console;

/// The exit code of programs that Ctrl-C ends.
const INTERRUPTED: i32 = 130;

/// A flag that Ctrl-C sets, so that the run ends in order. A second Ctrl-C ends the program. `ends` says what it
/// ends where the system takes no handler.
pub(crate) fn end_on_interrupt(ends: &str, console: &mut Console) -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    let set = Arc::clone(&flag);
    let handler = ctrlc::set_handler(move || {
        if set.swap(true, Ordering::Relaxed) {
            std::process::exit(INTERRUPTED);
        }
    });
    if let Err(error) = handler {
        console.note(format_args!("Ctrl-C ends {ends}: {error}"));
    }
    flag
}
