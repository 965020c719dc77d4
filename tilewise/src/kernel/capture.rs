//! The values that a kernel's closure may capture, and their binding by a launch.

use std::sync::Arc;

use crate::kernel::macro_support::LaunchBinder;
use crate::kernel::types::{KernelType, KernelValue};
use crate::{Access, ArrayView, Element};

/// A value that a kernel's closure may capture: views and arrays (the handle), references to those,
/// plain values (a copy).
///
/// ```
/// use tilewise::{AmpStruct, ArrayView, parallel_for_each};
/// #[derive(Clone, Copy, AmpStruct)]
/// struct Line {
///     slope: f32,
///     base: f32,
/// }
/// let line = Line { slope: 2.0, base: 1.0 };
/// let ys = ArrayView::from_vec(4, vec![0.0f32; 4])?;
/// parallel_for_each!(ys.extent(), |i| ys[i] = line.slope * i[0] as f32 + line.base)?;
/// assert_eq!(ys.to_vec()?, [1.0, 3.0, 5.0, 7.0]);
/// # Ok::<(), tilewise::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be captured by a kernel",
    label = "captured here",
    note = "a kernel captures views, arrays, numbers, `bool`s, `char`s, indices and extents, short vectors, and structs and enums with `#[derive(Clone, Copy, AmpStruct)]`",
    note = "where the type is a parameter `T`, its bound says that: `T: Scalar` for numbers, and `T: KernelValue + Capture<Value = T>` for any plain values",
    note = "the data of a `Vec` or a slice is captured as a view: `let view = ArrayView::read_only(data.len(), &data)?;`; a function is handed on by its path, `self::f`, or as a closure that calls it, `|x| f(x)`"
)]
pub trait Capture {
    /// The type of the captured name inside the kernel; an array becomes its view.
    type Value: Bind;

    /// The value of the name inside the kernel.
    #[doc(hidden)]
    fn capture(&self) -> Self::Value;
}

/// A value that a launch can bind to a parameter of a kernel: plain values, views.
///
/// ```
/// use tilewise::{Array, Bind, Capture};
/// // As what a kernel sees a captured variable.
/// fn seen<C: Capture<Value = V>, V: Bind>(_: &C) -> &'static str {
///     std::any::type_name::<V>()
/// }
/// assert_eq!(seen(&2.5f32), "f32");
/// assert!(seen(&Array::<i32>::new(4)?).contains("ArrayView"));
/// # Ok::<(), tilewise::Error>(())
/// ```
pub trait Bind: KernelType + Send + Sync {
    /// Adds this to the bound values.
    #[doc(hidden)]
    fn bind<'b>(&'b self, to: &mut LaunchBinder<'b>);
}

impl<T: KernelValue> Bind for T {
    fn bind<'b>(&'b self, to: &mut LaunchBinder<'b>) {
        to.value(self);
    }
}

#[diagnostic::do_not_recommend]
impl<C: Capture + ?Sized> Capture for &C {
    type Value = C::Value;

    #[inline]
    fn capture(&self) -> C::Value {
        (**self).capture()
    }
}

#[diagnostic::do_not_recommend]
impl<C: Capture + ?Sized> Capture for Arc<C> {
    type Value = C::Value;

    #[inline]
    fn capture(&self) -> C::Value {
        (**self).capture()
    }
}

impl<'a, T: Element, const N: usize, A: Access> Capture for ArrayView<'a, T, N, A> {
    type Value = ArrayView<'a, T::Itself, N, A>;

    #[inline]
    fn capture(&self) -> ArrayView<'a, T, N, A> {
        self.clone()
    }
}

/// A view behind `&mut`, as methods that take `&mut self` have them, is the same view.
#[diagnostic::do_not_recommend]
impl<'a, T: Element, const N: usize, A: Access> Capture for &mut ArrayView<'a, T, N, A> {
    type Value = ArrayView<'a, T::Itself, N, A>;

    #[inline]
    fn capture(&self) -> ArrayView<'a, T, N, A> {
        (**self).clone()
    }
}

impl<T: Element, const N: usize, A: Access> Bind for ArrayView<'_, T, N, A> {
    fn bind<'b>(&'b self, to: &mut LaunchBinder<'b>) {
        to.view(self.bound());
    }
}

/// Types that are captured by copying the value: each [`KernelValue`] has a row here or where it is
/// declared.
macro_rules! captured_by_copy {
    ($($row:tt $t:ty;)*) => {
        $crate::kernel::capture::captured_only!($($row $t;)*);
        $crate::kernel::macro_support::kept_in_options!($($row $t;)*);
    };
}

/// The same for types that an `Option` also holds with references in them.
macro_rules! captured_only {
    ($(($($generics:tt)*) $t:ty;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($generics)*> $crate::kernel::capture::Capture for $t {
            type Value = $t;

            #[inline]
            fn capture(&self) -> $t {
                *self
            }
        }
    )*};
}

captured_by_copy! {
    () bool;
    () char;
    () i8;
    () u8;
    () i16;
    () u16;
    () i32;
    () u32;
    () i64;
    () u64;
    () f32;
    () f64;
    () usize;
    () isize;
    (const N: usize) crate::Index<N>;
    (const N: usize) crate::Extent<N>;
    (const N: usize, const A: usize, const B: usize, const C: usize) crate::TiledExtent<N, A, B, C>;
    (T: ?Sized + Send + Sync + 'static) std::marker::PhantomData<T>;
}

captured_only! {
    (T: KernelValue, const N: usize) [T; N];
    (A: KernelValue) (A,);
    (A: KernelValue, B: KernelValue) (A, B);
    (A: KernelValue, B: KernelValue, C: KernelValue) (A, B, C);
    (A: KernelValue, B: KernelValue, C: KernelValue, D: KernelValue) (A, B, C, D);
    (A: KernelValue, B: KernelValue, C: KernelValue, D: KernelValue, E: KernelValue) (A, B, C, D, E);
    (A: KernelValue, B: KernelValue, C: KernelValue, D: KernelValue, E: KernelValue, F: KernelValue) (A, B, C, D, E, F);
}

pub(crate) use captured_by_copy;
pub(crate) use captured_only;
