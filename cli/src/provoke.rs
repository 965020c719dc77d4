//! Ends of a process that tests provoke, in builds with debug assertions only: `TILEWISE_PROVOKE` holds
//! `abort`, `exit`, `hang` or `overflow`, `:`, and the case, as in `abort:sync/tile_sum.kir@jit`; of `fuzz`,
//! the target, as in `hang:gpu-strict`.

use std::hint::black_box;
use std::time::Duration;

/// The environment variable.
const VARIABLE: &str = "TILEWISE_PROVOKE";

/// Ends or stops this process if the environment says so of the case.
pub(crate) fn provoke(id: &str) {
    let Ok(wanted) = std::env::var(VARIABLE) else { return };
    match wanted.split_once(':') {
        Some((how, case)) if case == id => match how {
            "abort" => std::process::abort(),
            "exit" => std::process::exit(7),
            "hang" => loop {
                std::thread::sleep(Duration::from_secs(1));
            },
            "overflow" => drop(black_box(overflow(0))),
            _ => {}
        },
        _ => {}
    }
}

/// Calls itself until the stack is full.
#[expect(unconditional_recursion, reason = "it is to overflow the stack")]
fn overflow(depth: u64) -> u64 {
    let room = black_box([depth; 64]);
    overflow(room[0] + 1) + room[63]
}
