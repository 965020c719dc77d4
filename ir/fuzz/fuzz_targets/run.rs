//! Any text that is a kernel: the checker gives a checked kernel or reports, and the interpreter runs
//! what is checked to an end, whatever memory it is given.

#![no_main]

#[path = "../run_text.rs"]
mod run_text;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &str| {
    run_text::run_text(input);
});
