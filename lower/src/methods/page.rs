//! The page `docs/methods.md`, generated from the table. A test checks that the file is up to date.

use std::fmt::Write;

use super::{Method, MethodType, all};
use tilewise_ir::types::Scalar;

const HEAD: &str = "\
# Methods of numbers in kernels

Written from the table of methods (`lower/src/methods/table.rs`); do not edit. `BLESS=1 cargo test -p tilewise-lower --lib methods` writes it anew.

These methods have Rust's names and Rust's meanings, bit for bit, on every target and in `#[amp]` functions on the host (only the sign and payload of a NaN are not specified; where Rust
leaves the last bits of a function such as `sin` to the platform, they are those of `precise_math`). Where Rust panics, a kernel goes on; the last column says with what. `min` and `max` of floats give the number if one side is NaN, and take -0 to be below +0, where Rust leaves the sign of a zero open.

`T` is the type that the method is called on. `usize` has the methods of `u32` and `isize` those of `i32`, with 32 bits in a kernel: there `usize::leading_zeros` of 1 is 31. In an `#[amp]` function that the host
calls they have the width of the host. `u8` and `u16` have the methods of `u32`, and `i8` and `i16` those of `i32`, with their own widths.

Also: `f32::from_bits`, `f64::from_bits`; `from` between numbers where nothing is lost, of `bool` and of `char` (`i64::from(x)`, `u32::from(x < y)`, `u32::from('x')`, `char::from(65u8)`); `default()`. `cmp` and `partial_cmp` of numbers give an
`Ordering`, which has `is_eq`, `is_ne`, `is_lt`, `is_le`, `is_gt`, `is_ge`, `reverse` and `then`; floats have `total_cmp` too, by the bits of a NaN as far as those are known. Numbers have `to_le_bytes`, `to_be_bytes`, `from_le_bytes`, `from_be_bytes` (`usize` and `isize` have none: they have another width on the host), and `to_ne_bytes` and `from_ne_bytes`, which are those of `le`. `u8` and `char` have the methods about ASCII, and `char` `to_digit` and `is_digit`. Methods that tell what does not fit (`checked_pow`, `overflowing_neg`, `saturating_pow`), logarithms (`ilog10`, `ilog`) and `to_be` and `to_le` are written by these; where Rust panics, a logarithm is 0 in a kernel; an `#[amp]` function that the host calls panics there too, as it does for all methods of this page. Methods such as `sin` and `exp` are the functions of `precise_math`, exact to the last bit or nearly, and need 64-bit floats also for `f32`; `fast_math` has faster ones of `f32`.

| method | on | in a kernel, where Rust panics or leaves it open |
|---|---|---|
";

/// The text of `docs/methods.md`.
pub fn markdown() -> String {
    let mut out = String::from(HEAD);
    for method in all() {
        let on: Vec<_> = method.on.iter().map(|scalar| scalar.name()).collect();
        // Writing to a String cannot fail.
        let _ = writeln!(out, "| `{}` | {} | {} |", signature(method), on.join(" "), method.note);
    }
    out
}

/// `rotate_left(T, u32) -> T`
fn signature(method: &Method) -> String {
    let list = |parts: &[MethodType]| parts.iter().map(|&part| show(part, method.on)).collect::<Vec<_>>().join(", ");
    let results = list(method.results);
    let results = if method.results.len() == 1 { results } else { format!("({results})") };
    format!("{}({}) -> {results}", method.name, list(method.args))
}

/// The part's type for each receiver, if it is not the receiver's own.
fn show(part: MethodType, on: &[Scalar]) -> String {
    if part == MethodType::Own {
        return "T".to_owned();
    }
    let mut names: Vec<_> = on.iter().map(|&own| part.of(own).name()).collect();
    names.dedup();
    names.join("/")
}
