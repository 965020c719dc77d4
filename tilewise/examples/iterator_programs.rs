//! Prints random programs about iterators with a name, as a module of a test with `same!`.
//!
//! `cargo run -p tilewise --example iterator_programs -- FIRST COUNT`; the test `iterator_programs` has the first ones.

#[path = "../tests/iterator_programs/generator.rs"]
mod generator;

fn main() {
    let mut numbers = std::env::args().skip(1).map(|argument| argument.parse::<u32>());
    match (numbers.next(), numbers.next(), numbers.next()) {
        (Some(Ok(first)), Some(Ok(count)), None) => {
            print!("{}", generator::file(first..first.saturating_add(count)));
        }
        _ => eprintln!("give the number of the first program, and how many"),
    }
}
