//! A `let` without a value that names a whole and its parts.

use tilewise::amp;

#[amp]
fn sum() -> i32 {
    let whole @ (a, b): (i32, i32);
    whole = (1, 2);
    a = 1;
    b = 2;
    whole.0 + a + b
}

fn main() {}
