//! Types of other crates: the features `ndarray`, `glam`, `mint` and `serde`.

mod arrays;
mod text;
mod vectors;
