//! [`Float`]: the floats of generic kernels.

use std::ops;

use super::precise_math::PreciseFunctions;
use super::row::RowNumber;
use crate::api::element::Scalar;
use crate::kernel::macro_support::KernelFn;
use crate::kernel::numbers::{FloatMethods, FromMethod, SignMethods};

/// The floats of generic kernels: `f32` and `f64`. In a kernel they have what every [`Scalar`] has,
/// the methods of floats that docs/methods.md lists, negation, `T::from` of an `f32`, and the
/// functions of [`precise_math`](crate::precise_math). Sealed.
///
/// ```
/// use tilewise::{ArrayView, Float, amp, parallel_for_each, precise_math};
/// #[amp]
/// fn hypotenuse<T: Float>(a: T, b: T) -> T {
///     (a * a + b * b).sqrt()
/// }
/// let view = ArrayView::from_vec(2, vec![3.0_f64, 5.0])?;
/// parallel_for_each!(view.extent(), |i| view[i] = hypotenuse(view[i], view[i] + 1.0))?;
/// assert_eq!(view.get(0)?, 5.0);
/// assert_eq!(hypotenuse(5.0_f32, 12.0), 13.0); // and on the host
/// # Ok::<(), tilewise::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no float",
    label = "not `f32` or `f64`",
    note = "functions of `precise_math` take `f32` and `f64`: write `x as f32` or `x as f64` for a number of another type; in a generic function, write `T: Float`"
)]
pub trait Float:
    Scalar
    + ops::Neg<Output = Self>
    + From<f32>
    + FromMethod<f32, Mark: KernelFn>
    + FloatMethods
    + SignMethods
    + PreciseFunctions<Self>
    + RowNumber
{
}

#[diagnostic::do_not_recommend]
impl Float for f32 {}
#[diagnostic::do_not_recommend]
impl Float for f64 {}
