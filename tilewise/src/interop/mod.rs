//! Types of other crates: arrays of `ndarray`, vectors of `glam` and `mint`, and `serde`. Each is a
//! feature that is off by default.
//!
//! # `ndarray`
//! An array in standard layout (row-major, without gaps) becomes a view without a copy, and a view
//! or an [`Array`](crate::Array) becomes an array. `Dim<[usize; N]>` is `Extent<N>`, for up to six
//! dimensions; an array of dynamic rank is converted first, by `into_dimensionality`. An array in
//! another layout is an [`Error::Shape`](crate::Error::Shape): `as_standard_layout` makes a copy.
//!
//! | from | to | |
//! |---|---|---|
//! | `&array`, `array.view()` | `ReadView` | `try_from`; borrows |
//! | `&mut array`, `array.view_mut()` | `ArrayView` | `try_from`; borrows exclusively |
//! | an owned `array` | `ArrayView<'static>` | `try_from`; takes its memory |
//! | `&array` | `Array` | `try_from`; a copy on the default accelerator |
//! | a view, an `Array` | an owned array | `to_ndarray`; a copy |
//! | a view | an owned array | `into_ndarray`; takes its memory, as `into_vec` |
//! | a host guard | an array view | `as_ndarray`, `as_ndarray_mut`; borrows |
#![cfg_attr(
    feature = "ndarray",
    doc = r"
```
use ndarray::{Array2, array};
use tilewise::{ArrayView, ReadView, parallel_for_each};
let table = array![[1.0f32, 2.0], [3.0, 4.0]];
let mut squares = Array2::<f32>::zeros((2, 2));
let (from, to) = (ReadView::try_from(&table)?, ArrayView::try_from(&mut squares)?);
parallel_for_each!(to.extent(), |i| to[i] = from[i] * from[i])?;
to.close()?;
assert_eq!(squares, array![[1.0, 4.0], [9.0, 16.0]]);
assert_eq!(from.host()?.as_ndarray()?.row(1), array![3.0, 4.0]);
# Ok::<(), tilewise::Error>(())
```"
)]
//!
//! # `glam` and `mint`
//! `From`, both ways, between the [short vectors](crate::vector) and `Vec2` to `Vec4`, `DVec2` to
//! `DVec4`, `IVec2` to `IVec4`, `UVec2` to `UVec4` of `glam`; `Vector2` to `Vector4`, `Point2` and
//! `Point3` of `mint`. The vectors of [`Norm`](crate::graphics::Norm) and
//! [`Unorm`](crate::graphics::Unorm) have those of `Float2` to `Float4`; a number out of range becomes
//! the nearest in range.
#![cfg_attr(
    feature = "glam",
    doc = r"
```
use tilewise::vector::Float3;
let up = Float3::from(glam::Vec3::Y) * 2.0;
assert_eq!(glam::Vec3::from(up), glam::Vec3::new(0.0, 2.0, 0.0));
```"
)]
//!
//! # `serde`
//! `Serialize` and `Deserialize` for short vectors, [`Index`](crate::Index) and
//! [`Extent`](crate::Extent): their components in order, as an array of that length; for `Norm` and
//! `Unorm`: their number.

#[cfg(feature = "glam")]
mod glam;
#[cfg(feature = "mint")]
mod mint;
#[cfg(feature = "ndarray")]
mod ndarray;
#[cfg(feature = "serde")]
mod serde;
