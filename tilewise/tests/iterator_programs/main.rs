//! Random programs about iterators with a name, with the results that plain Rust has, on every accelerator.
//!
//! [`generator`] makes them, each by its number; `programs.rs` holds the first ones as they are written. `cargo run -p
//! tilewise --example iterator_programs -- FIRST COUNT` prints others, as programs of the same form.

#![allow(
    dead_code,
    unused_assignments,
    unused_imports,
    unused_mut,
    unused_parens,
    unused_variables,
    unreachable_pub,
    clippy::all,
    clippy::pedantic,
    clippy::nursery,
    reason = "the programs are made by chance"
)]

#[macro_use]
#[path = "../plain_rust/mod.rs"]
mod plain_rust;

#[path = "../accelerators/mod.rs"]
mod accelerators;
mod generator;
mod programs;

/// How many numbers `programs.rs` goes through.
const COUNT: u32 = 156;

#[test]
fn the_programs_are_those_of_the_generator() {
    let expected = generator::file(0..COUNT);
    let written = include_str!("programs.rs");
    let differs = expected.lines().zip(written.lines()).position(|(a, b)| a != b);
    assert!(
        expected == written,
        "`programs.rs` differs from line {}: write the output of the example `iterator_programs -- 0 {COUNT}` into it",
        differs.map_or(expected.lines().count().min(written.lines().count()), |line| line) + 1
    );
}
