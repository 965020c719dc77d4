//! Short vectors: [`Int2`] to [`Int4`], [`UInt2`] to [`UInt4`], [`Float2`] to [`Float4`],
//! [`Double2`] to [`Double4`]; C++ AMP's `int_2` to `double_4`.
//!
//! All operations are componentwise and compute the same bits on the host and in a kernel: integers
//! wrap, `x / 0` is `x`, `x % 0` is 0, a shift takes its amount modulo the width, floats round
//! after each step. In an operation with a vector, a number stands for a vector of that number.
//!
//! ```
//! use tilewise::vector::Float3;
//! let v = Float3::new(1.0, 2.0, 2.0);
//! assert_eq!(2.0 * v + Float3::splat(1.0), Float3 { x: 3.0, y: 5.0, z: 5.0 });
//! assert_eq!(v.dot(v), 9.0);
//! assert_eq!(v.zx().to_string(), "(2, 1)");
//! ```
//!
//! Swizzles read components in any order, each at most once, and set them: `v.zx()`, `v.set_zx(w)`.
//! `r`, `g`, `b`, `a` are other names of `x`, `y`, `z`, `w`. In a kernel an element of a view is set
//! through a variable: `let mut c = view[i]; c.set_rgb(..); view[i] = c;`.
//!
//! ```
//! use tilewise::vector::Float4;
//! let mut color = Float4::new(0.1, 0.2, 0.3, 1.0);
//! color.set_bgr(color.rgb());
//! color.set_a(0.5);
//! assert_eq!(color, Float4::new(0.3, 0.2, 0.1, 0.5));
//! ```
//!
//! The module [`graphics`](crate::graphics) has vectors of numbers from -1 or 0 to 1, `Norm2` to
//! `Unorm4`, which `as_norm()` and `as_unorm()` give.
//!
//! With the feature `approx`, the traits of that crate compare vectors of floats within a
//! tolerance: component by component, with one tolerance for all.
#![cfg_attr(
    feature = "approx",
    doc = r"
```
use approx::assert_relative_eq;
use tilewise::vector::Double3;
let third = Double3::splat(1.0) / 3.0;
assert_relative_eq!(third + third + third, Double3::ONE);
assert_relative_eq!(third * 100.0, Double3::splat(33.3), max_relative = 0.01);
```"
)]

/// Passes the vectors of a kind to a macro, each as
/// `Name scalar Scalar width (component place, ..)`.
macro_rules! vectors {
    ($apply:ident: all) => {
        vectors!($apply: integers);
        vectors!($apply: floats);
    };
    ($apply:ident: signed) => {
        vectors!($apply: int);
        vectors!($apply: floats);
    };
    ($apply:ident: integers) => {
        vectors!($apply: int);
        vectors!($apply: uint);
    };
    ($apply:ident: int) => {
        $apply! {
            Int2 i32 I32 2 "int_2" (x 0, y 1);
            Int3 i32 I32 3 "int_3" (x 0, y 1, z 2);
            Int4 i32 I32 4 "int_4" (x 0, y 1, z 2, w 3);
        }
    };
    ($apply:ident: uint) => {
        $apply! {
            UInt2 u32 U32 2 "uint_2" (x 0, y 1);
            UInt3 u32 U32 3 "uint_3" (x 0, y 1, z 2);
            UInt4 u32 U32 4 "uint_4" (x 0, y 1, z 2, w 3);
        }
    };
    ($apply:ident: floats) => {
        $apply! {
            Float2 f32 F32 2 "float_2" (x 0, y 1);
            Float3 f32 F32 3 "float_3" (x 0, y 1, z 2);
            Float4 f32 F32 4 "float_4" (x 0, y 1, z 2, w 3);
            Double2 f64 F64 2 "double_2" (x 0, y 1);
            Double3 f64 F64 3 "double_3" (x 0, y 1, z 2);
            Double4 f64 F64 4 "double_4" (x 0, y 1, z 2, w 3);
        }
    };
    // Those of `graphics`: no numbers, so none of `all`.
    ($apply:ident: norms) => {
        $apply! {
            Norm2 Norm F32 2 "norm_2" (x 0, y 1);
            Norm3 Norm F32 3 "norm_3" (x 0, y 1, z 2);
            Norm4 Norm F32 4 "norm_4" (x 0, y 1, z 2, w 3);
            Unorm2 Unorm F32 2 "unorm_2" (x 0, y 1);
            Unorm3 Unorm F32 3 "unorm_3" (x 0, y 1, z 2);
            Unorm4 Unorm F32 4 "unorm_4" (x 0, y 1, z 2, w 3);
        }
    };
}

mod convert;
mod each;
mod geometry;
mod operators;
mod swizzle;
#[cfg(feature = "approx")]
mod tolerance;
pub(crate) mod types;

pub use types::{Double2, Double3, Double4, Float2, Float3, Float4, Int2, Int3, Int4, UInt2, UInt3, UInt4};
pub(crate) use types::{Norm2, Norm3, Norm4, Unorm2, Unorm3, Unorm4};
