//! Prints random programs about iterators with a name, as a module of a test with `same!`.
//!
//! `cargo run -p tilewise --example iterator_programs -- FIRST COUNT`; the test `iterator_programs` has the first ones.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "it prints a module, or why it does not")]

use std::process::ExitCode;

#[path = "../tests/iterator_programs/generator.rs"]
mod generator;

fn main() -> ExitCode {
    let mut numbers = std::env::args().skip(1).map(|argument| argument.parse::<u32>());
    match (numbers.next(), numbers.next(), numbers.next()) {
        (Some(Ok(first)), Some(Ok(count)), None) => {
            print!("{}", generator::file(first..first.saturating_add(count)));
            ExitCode::SUCCESS
        }
        _ => {
            eprintln!("give the number of the first program, and how many");
            ExitCode::from(2)
        }
    }
}
