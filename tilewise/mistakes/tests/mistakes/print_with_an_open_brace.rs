//! A text to print has a brace without its end.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    parallel_for_each!(Extent([4]), |i| {
        print!("at {", i[0]);
    })
}
