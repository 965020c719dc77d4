//! Element types of views and arrays, and the number types of generic kernels.
//! [`Capture`](crate::Capture) defines the values that a kernel may capture.
//!
//! ```
//! use tilewise::element::Scalar;
//! use tilewise::{ArrayView, parallel_for_each};
//! fn doubled<T: Scalar>(values: Vec<T>) -> tilewise::Result<Vec<T>> {
//!     let view = ArrayView::from_vec(values.len(), values)?;
//!     parallel_for_each!(view.extent(), |i| view[i] = view[i] + view[i])?;
//!     view.to_vec()
//! }
//! assert_eq!(doubled(vec![1, 2, 3])?, [2, 4, 6]);
//! assert_eq!(doubled(vec![0.5])?, [1.0]);
//! # Ok::<(), tilewise::Error>(())
//! ```
#![allow(unsafe_code, reason = "says that short vectors, indices and extents are plain data")]

use std::marker::PhantomData;
use std::ops;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use bytemuck::{Pod, Zeroable};
use tilewise_ir::types::Stored;

use crate::api::graphics::{Norm, Norm2, Norm3, Norm4, Unorm, Unorm2, Unorm3, Unorm4};
use crate::api::shape::{Extent, Index};
use crate::api::vector::{Double2, Double3, Double4, Float2, Float3, Float4, Int2, Int3, Int4, UInt2, UInt3, UInt4};
use crate::kernel::capture::Capture;
use crate::kernel::macro_support::{self, Compares, Operates, PartialCmpMethod, RustType, op};
use crate::kernel::numbers::{DefaultMethod, NumberMethods, Numbers};
use crate::kernel::types::{KernelType, KernelValue};

/// A type that arrays and views can store: plain data, every bit pattern valid, no padding.
/// Implemented by `derive(AmpStruct)`, which reports violations. Not `bool`.
///
/// ```
/// use tilewise::vector::Float2;
/// use tilewise::{AmpStruct, ArrayView, parallel_for_each};
/// #[derive(Clone, Copy, AmpStruct)]
/// struct Particle {
///     place: Float2,
///     speed: Float2,
/// }
/// let start = Particle { place: Float2::ZERO, speed: Float2::new(1.0, 0.5) };
/// let particles = ArrayView::from_vec(2, vec![start; 2])?;
/// parallel_for_each!(particles.extent(), |i| particles[i].place = particles[i].place + particles[i].speed * 2.0)?;
/// assert_eq!(particles.get(1)?.place, Float2::new(2.0, 1.0));
/// # Ok::<(), tilewise::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be stored in an array or a view",
    note = "elements are numbers, short vectors and #[derive(Clone, Copy, AmpStruct)] structs of those; `bool` and `char`, and structs that have one, can be captured, not stored: write a `u32`",
    note = "a struct with parameters can be stored if it is `repr(C)`, not `align`ed, has no attributes of other macros, and its fields are all of one parameter or number, or arrays of it"
)]
pub trait Element: Pod + KernelType + Send + Sync + ElementItself<Itself = Self> {
    /// The type that a read yields in a kernel: the type itself; `f32` for `half::f16`.
    type Value: KernelType + Copy + ValueOf<Self>;

    /// Fails to compile if the type differs from the one that `derive(AmpStruct)` assumed.
    #[doc(hidden)]
    const PROOF: () = ();
}

/// The type itself, of an element: as of a missing trait's types, rustc reports nothing more, the view of what is no
/// element is one error where a kernel captures it, and not one more wherever it is bound, read or written.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be stored in an array or a view",
    note = "elements are numbers, short vectors and #[derive(Clone, Copy, AmpStruct)] structs of those; `bool` and `char`, and structs that have one, can be captured, not stored: write a `u32`"
)]
pub trait ElementItself: Sized {
    /// The type itself.
    type Itself;
}

#[diagnostic::do_not_recommend]
impl<T: Element> ElementItself for T {
    type Itself = T;
}

/// Never implemented.
#[doc(hidden)]
pub trait NeverElement {}

// The only `impl` of a trait is taken by rustc before its bounds are looked at. Of two, none is taken for a type that
// has neither's bounds.
#[diagnostic::do_not_recommend]
impl<T> ElementItself for T
where
    (T, NoElement): NeverElement,
{
    type Itself = ();
}

/// With any type, it makes a bound that is never met.
#[doc(hidden)]
#[derive(Debug)]
pub struct NoElement;

/// The proof that a type can be an element. Every function that takes elements from a program
/// refers to it, so that a violation is a compile error at the program's own line.
pub(crate) struct Proved<T>(PhantomData<T>);

impl<T: Element> Proved<T> {
    pub(crate) const OK: () = {
        let () = T::PROOF;
        assert!(
            size_of::<T>() > 0,
            "an element of a view or an array has at least one byte: give it a field, or an array a length"
        );
    };
}

/// Conversion between a kernel value and a stored element. Every type is its own value, except
/// `half::f16`.
pub trait ValueOf<E> {
    /// The value of `element`.
    fn of_element(element: E) -> Self;
    /// The element to store: of a float, the nearest (ties to even).
    fn into_element(self) -> E;
}

impl<T> ValueOf<T> for T {
    #[inline(always)]
    fn of_element(element: T) -> T {
        element
    }

    #[inline(always)]
    fn into_element(self) -> T {
        self
    }
}

macro_rules! elements {
    ($($t:ty)*) => {$(
        #[diagnostic::do_not_recommend]
        impl Element for $t {
            type Value = $t;
        }
    )*};
}

elements!(i8 u8 i16 u16 i32 u32 i64 u64 f32 f64);
elements!(Int2 Int3 Int4 UInt2 UInt3 UInt4 Float2 Float3 Float4 Double2 Double3 Double4);
elements!(Norm Norm2 Norm3 Norm4 Unorm Unorm2 Unorm3 Unorm4);

macro_rules! plain {
    ($($t:ty: $n:literal $part:ty;)*) => {$(
        // SAFETY: `repr(C)` or `repr(transparent)`, and its fields are numbers of one type, for
        // which any bits are valid, that fill it, which the assertion below checks.
        unsafe impl Zeroable for $t {}
        // SAFETY: as above.
        unsafe impl Pod for $t {}
        const _: () = assert!(size_of::<$t>() == $n * size_of::<$part>() && align_of::<$t>() == align_of::<$part>());
    )*};
}

plain! {
    Int2: 2 i32;
    Int3: 3 i32;
    Int4: 4 i32;
    UInt2: 2 u32;
    UInt3: 3 u32;
    UInt4: 4 u32;
    Float2: 2 f32;
    Float3: 3 f32;
    Float4: 4 f32;
    Double2: 2 f64;
    Double3: 3 f64;
    Double4: 4 f64;
    Norm: 1 f32;
    Norm2: 2 f32;
    Norm3: 3 f32;
    Norm4: 4 f32;
    Unorm: 1 f32;
    Unorm2: 2 f32;
    Unorm3: 3 f32;
    Unorm4: 4 f32;
}

macro_rules! positions {
    ($($t:ident)*) => {$(
        // SAFETY: `repr(transparent)` around an array of numbers.
        unsafe impl<const N: usize> Zeroable for $t<N> {}
        // SAFETY: as above.
        unsafe impl<const N: usize> Pod for $t<N> {}

        #[diagnostic::do_not_recommend]
        impl<const N: usize> Element for $t<N> {
            type Value = $t<N>;
        }
    )*};
}

positions!(Index Extent);

#[diagnostic::do_not_recommend]
impl KernelType for half::f16 {
    fn ty() -> RustType {
        RustType::Small(Stored::F16)
    }
}

#[diagnostic::do_not_recommend]
impl Element for half::f16 {
    type Value = f32;
}

impl ValueOf<half::f16> for f32 {
    #[inline(always)]
    fn of_element(element: half::f16) -> f32 {
        element.to_f32()
    }

    #[inline(always)]
    fn into_element(self) -> half::f16 {
        half::f16::from_f32(self)
    }
}

#[diagnostic::do_not_recommend]
impl<T: Element<Value = T>, const N: usize> Element for [T; N] {
    type Value = [T; N];
}

/// The numbers of generic kernels: `i32`, `u32`, `i64`, `u64`, `f32`, `f64`. In a kernel they have
/// the arithmetic operators, comparisons, `min`, `max`, `clamp`, `div_euclid`, `rem_euclid`,
/// `default`.
///
/// ```
/// use tilewise::{ArrayView, Scalar, amp, parallel_for_each};
/// #[amp]
/// fn between<T: Scalar>(a: T, b: T, t: T) -> T {
///     a + (b - a) * t
/// }
/// let view = ArrayView::from_vec(3, vec![0.0f32; 3])?;
/// parallel_for_each!(view.extent(), |i| view[i] = between(10.0, 20.0, i[0] as f32 * 0.5))?;
/// assert_eq!(view.to_vec()?, [10.0, 15.0, 20.0]);
/// assert_eq!(between(1, 3, 2), 5); // and on the host
/// # Ok::<(), tilewise::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "a generic function of kernels does not take `{Self}` for a number",
    label = "not a `Scalar`",
    note = "`Scalar` are `f32`, `f64`, `i32`, `u32`, `i64` and `u64`: convert others to one of these, `x as u32`, or write a trait of your own with `#[amp]`"
)]
pub trait Scalar:
    Element<Value = Self>
    + KernelValue
    + Capture<Value = Self>
    + Default
    + PartialOrd
    + ops::Add<Output = Self>
    + ops::Sub<Output = Self>
    + ops::Mul<Output = Self>
    + ops::Div<Output = Self>
    + ops::Rem<Output = Self>
    + ops::AddAssign
    + ops::SubAssign
    + ops::MulAssign
    + ops::DivAssign
    + ops::RemAssign
    + op::Plain
    + Operates<op::Add, Self, Self>
    + Operates<op::Sub, Self, Self>
    + Operates<op::Mul, Self, Self>
    + Operates<op::Div, Self, Self>
    + Operates<op::Rem, Self, Self>
    + Compares<op::Equal>
    + Compares<op::Order>
    + NumberMethods
    + DefaultMethod
    + PartialCmpMethod
{
    /// 0.
    const ZERO: Self;
    /// 1.
    const ONE: Self;
}

macro_rules! scalars {
    ($($t:ty: $zero:literal $one:literal;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl Scalar for $t {
            const ZERO: $t = $zero;
            const ONE: $t = $one;
        }
    )*};
}

scalars! {
    i32: 0 1;
    u32: 0 1;
    i64: 0 1;
    u64: 0 1;
    f32: 0.0 1.0;
    f64: 0.0 1.0;
}

/// Elements with atomic operations: `i32`, `u32`, `i64`, `u64`, and `f32` for `fetch_add` and
/// `exchange`. Sealed.
///
/// ```
/// use tilewise::{ArrayView, AtomicElement};
/// fn deposit<T: AtomicElement>(account: &ArrayView<'_, T>, sum: T) -> T {
///     account.atomic(0).fetch_add(sum)
/// }
/// let account = ArrayView::from_vec(1, vec![1.5f32])?;
/// assert_eq!(deposit(&account, 2.0), 1.5);
/// assert_eq!(account.get(0)?, 3.5);
/// # Ok::<(), tilewise::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "elements of type `{Self}` have no atomic operations",
    note = "`i32`, `u32`, `i64` and `u64` have all of them, `f32` and `f64` have `fetch_add`, `fetch_min`, `fetch_max` and `exchange`"
)]
pub trait AtomicElement: Element<Value = Self> + sealed::Sealed {
    /// Its scalar type in the kernel language.
    #[doc(hidden)]
    const SCALAR: macro_support::Scalar;
    /// The atomic word of its size.
    #[doc(hidden)]
    type Word: Word;
    /// Its bits.
    #[doc(hidden)]
    fn into_bits(self) -> <Self::Word as Word>::Bits;
    /// The value with these bits.
    #[doc(hidden)]
    fn of_bits(bits: <Self::Word as Word>::Bits) -> Self;
    /// The sum, wrapping.
    #[doc(hidden)]
    fn plus(self, other: Self) -> Self;
    /// The smaller one: of floats, as `min` in kernels.
    #[doc(hidden)]
    fn least(self, other: Self) -> Self;
    /// The larger one: of floats, as `max` in kernels.
    #[doc(hidden)]
    fn greatest(self, other: Self) -> Self;
}

/// The integers among the [`AtomicElement`]s, which have every atomic operation.
///
/// ```
/// use tilewise::{ArrayView, AtomicInteger};
/// fn record<T: AtomicInteger>(best: &ArrayView<'_, T>, score: T) -> bool {
///     best.atomic(0).fetch_max(score) < score
/// }
/// let best = ArrayView::from_vec(1, vec![10u64])?;
/// assert!(record(&best, 12) && !record(&best, 11));
/// assert_eq!(best.get(0)?, 12);
/// # Ok::<(), tilewise::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "this atomic operation is not defined for elements of type `{Self}`",
    note = "`i32`, `u32`, `i64` and `u64` have all atomic operations, `f32` and `f64` have `fetch_add`, `fetch_min`, `fetch_max` and `exchange`"
)]
pub trait AtomicInteger:
    AtomicElement + Ord + ops::BitAnd<Output = Self> + ops::BitOr<Output = Self> + ops::BitXor<Output = Self>
{
    /// 1.
    #[doc(hidden)]
    const UNIT: Self;
    /// The difference, wrapping.
    #[doc(hidden)]
    fn minus(self, other: Self) -> Self;
}

mod sealed {
    //! Memory of a view is reinterpreted as words, so only this file decides which types are words,
    //! and of which elements.
    pub trait Sealed {}
}

/// An atomic word, relaxed. Sealed.
#[doc(hidden)]
pub trait Word: sealed::Sealed + Send + Sync {
    /// The integer type of its bits.
    type Bits: Copy + PartialEq;
    /// Atomically replaces the value by the result of `make`, and returns the old value.
    fn change(&self, make: impl FnMut(Self::Bits) -> Self::Bits) -> Self::Bits;
}

macro_rules! words {
    ($($word:ty: $bits:ty;)*) => {$(
        impl sealed::Sealed for $word {}

        impl Word for $word {
            type Bits = $bits;

            #[inline]
            fn change(&self, mut make: impl FnMut($bits) -> $bits) -> $bits {
                let mut held = self.load(Ordering::Relaxed);
                loop {
                    match self.compare_exchange_weak(held, make(held), Ordering::Relaxed, Ordering::Relaxed) {
                        Ok(old) => return old,
                        Err(now) => held = now,
                    }
                }
            }
        }
    )*};
}

words! {
    AtomicU32: u32;
    AtomicU64: u64;
}

macro_rules! atomic_integers {
    ($($t:ty: $scalar:ident $word:ty, $bits:ty;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl sealed::Sealed for $t {}

        impl AtomicElement for $t {
            const SCALAR: macro_support::Scalar = macro_support::Scalar::$scalar;
            type Word = $word;

            #[inline]
            fn into_bits(self) -> $bits {
                self as $bits
            }

            #[inline]
            fn of_bits(bits: $bits) -> $t {
                bits as $t
            }

            #[inline]
            fn plus(self, other: $t) -> $t {
                self.wrapping_add(other)
            }

            #[inline]
            fn least(self, other: $t) -> $t {
                Ord::min(self, other)
            }

            #[inline]
            fn greatest(self, other: $t) -> $t {
                Ord::max(self, other)
            }
        }

        #[diagnostic::do_not_recommend]
        impl AtomicInteger for $t {
            const UNIT: $t = 1;

            #[inline]
            fn minus(self, other: $t) -> $t {
                self.wrapping_sub(other)
            }
        }
    )*};
}

atomic_integers! {
    i32: I32 AtomicU32, u32;
    u32: U32 AtomicU32, u32;
    i64: I64 AtomicU64, u64;
    u64: U64 AtomicU64, u64;
}

macro_rules! atomic_floats {
    ($($t:ident: $scalar:ident $word:ty, $bits:ty;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl sealed::Sealed for $t {}

        impl AtomicElement for $t {
            const SCALAR: macro_support::Scalar = macro_support::Scalar::$scalar;
            type Word = $word;

            #[inline]
            fn into_bits(self) -> $bits {
                self.to_bits()
            }

            #[inline]
            fn of_bits(bits: $bits) -> $t {
                $t::from_bits(bits)
            }

            #[inline]
            fn plus(self, other: $t) -> $t {
                self + other
            }

            #[inline]
            fn least(self, other: $t) -> $t {
                Numbers::min(self, other)
            }

            #[inline]
            fn greatest(self, other: $t) -> $t {
                Numbers::max(self, other)
            }
        }
    )*};
}

atomic_floats! {
    f32: F32 AtomicU32, u32;
    f64: F64 AtomicU64, u64;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn back_and_forth<T: Element>(value: T::Value) -> T {
        value.into_element()
    }

    #[test]
    fn f16_rounds_to_nearest_even() {
        // 2049 lies between 2048 and 2050, of which 2048 is even; 2051 between 2050 and 2052, of
        // which 2052 is even.
        assert_eq!(back_and_forth::<half::f16>(2049.0).to_f32(), 2048.0);
        assert_eq!(back_and_forth::<half::f16>(2051.0).to_f32(), 2052.0);
        assert_eq!(
            <f32 as ValueOf<half::f16>>::of_element(half::f16::from_bits(1)),
            f32::from_bits(0x3380_0000),
            "2 to the -24"
        );
    }

    #[test]
    fn atomic_words_give_what_they_held() {
        let word = AtomicU32::new(5);
        assert_eq!(word.change(|x| x + 1), 5);
        assert_eq!(word.load(Ordering::Relaxed), 6);
    }
}
