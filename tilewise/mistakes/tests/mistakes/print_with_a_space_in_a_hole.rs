//! A name in a text to print has a space before it.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    parallel_for_each!(Extent([4]), |i| {
        let x = i[0];
        print!("at { x}");
    })
}
