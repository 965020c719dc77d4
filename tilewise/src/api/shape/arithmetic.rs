//! The common part of [`Index`] and [`Extent`]: operators, subscripts, conversions, text, and their
//! kernel counterparts.

use super::{Extent, Index, Int};
use crate::kernel::arithmetic::Arithmetic;
use crate::kernel::macro_support::op::{self, OWN};
use crate::kernel::macro_support::{Compares, Form, Operates};
use std::ops;

/// Combines two positions component by component.
#[inline(always)]
fn each<const N: usize>(left: [i32; N], right: [i32; N], f: impl Fn(i32, i32) -> i32) -> [i32; N] {
    std::array::from_fn(|i| f(left[i], right[i]))
}

/// Checks a component number.
///
/// # Panics
/// If there is no such component.
#[inline(always)]
#[track_caller]
pub(super) fn component(i: impl Int, rank: usize, what: &str) -> usize {
    match i.to_i32().and_then(|i| usize::try_from(i).ok()).filter(|&i| i < rank) {
        Some(i) => i,
        None => panic!("no such component: the {what} has {rank}, counted from 0"),
    }
}

/// `$left op $right` and `$left op= $right` for two types with components; the result is a `$left`.
macro_rules! pairs {
    ($($left:ident $right:ident: $($op:ident $fun:ident $assign:ident $assign_fun:ident $meaning:ident),*;)*) => {$($(
        #[diagnostic::do_not_recommend]
        impl<const N: usize> ops::$op<$right<N>> for $left<N> {
            type Output = $left<N>;

            #[inline(always)]
            fn $fun(self, other: $right<N>) -> $left<N> {
                $left(each(self.0, other.0, Arithmetic::$meaning))
            }
        }

        #[diagnostic::do_not_recommend]

        impl<const N: usize> ops::$assign<$right<N>> for $left<N> {
            #[inline(always)]
            fn $assign_fun(&mut self, other: $right<N>) {
                *self = ops::$op::$fun(*self, other);
            }
        }

        #[diagnostic::do_not_recommend]
        impl<const N: usize> Operates<op::$op, $left<N>, $right<N>> for $left<N> {
            fn form() -> Form {
                OWN
            }
        }

        #[diagnostic::do_not_recommend]
        impl<const N: usize> Operates<op::Assign<op::$op>, $left<N>, $right<N>> for () {
            fn form() -> Form {
                OWN
            }
        }
    )*)*};
}

pairs! {
    Index Index: Add add AddAssign add_assign plus, Sub sub SubAssign sub_assign minus;
    Extent Extent: Add add AddAssign add_assign plus, Sub sub SubAssign sub_assign minus;
    Extent Index: Add add AddAssign add_assign plus, Sub sub SubAssign sub_assign minus;
}

/// The operators with an `i32` on one side, which applies to every component.
macro_rules! scalars {
    ($what:ident: $($op:ident $fun:ident $assign:ident $assign_fun:ident $meaning:ident),*) => {$(
        #[diagnostic::do_not_recommend]
        impl<const N: usize> ops::$op<i32> for $what<N> {
            type Output = $what<N>;

            #[inline(always)]
            fn $fun(self, other: i32) -> $what<N> {
                $what(self.0.map(|component| component.$meaning(other)))
            }
        }

        #[diagnostic::do_not_recommend]

        impl<const N: usize> ops::$op<$what<N>> for i32 {
            type Output = $what<N>;

            #[inline(always)]
            fn $fun(self, other: $what<N>) -> $what<N> {
                $what(other.0.map(|component| self.$meaning(component)))
            }
        }

        #[diagnostic::do_not_recommend]

        impl<const N: usize> ops::$assign<i32> for $what<N> {
            #[inline(always)]
            fn $assign_fun(&mut self, other: i32) {
                *self = ops::$op::$fun(*self, other);
            }
        }

        #[diagnostic::do_not_recommend]
        impl<const N: usize> Operates<op::$op, $what<N>, i32> for $what<N> {
            fn form() -> Form {
                OWN
            }
        }

        #[diagnostic::do_not_recommend]
        impl<const N: usize> Operates<op::Assign<op::$op>, $what<N>, i32> for () {
            fn form() -> Form {
                OWN
            }
        }

        #[diagnostic::do_not_recommend]
        impl<const N: usize> Operates<op::$op, i32, $what<N>> for $what<N> {
            fn form() -> Form {
                OWN
            }
        }
    )*};
}

macro_rules! both_scalars {
    ($($what:ident)*) => {$(
        scalars! {
            $what:
            Add add AddAssign add_assign plus,
            Sub sub SubAssign sub_assign minus,
            Mul mul MulAssign mul_assign times,
            Div div DivAssign div_assign over,
            Rem rem RemAssign rem_assign modulo
        }

        #[diagnostic::do_not_recommend]
        impl<const N: usize> Compares<op::Equal> for $what<N> {
            fn form() -> Form {
                OWN
            }
        }

        #[diagnostic::do_not_recommend]
        impl<const N: usize> Compares<op::Order> for $what<N> {
            fn form() -> Form {
                OWN
            }
        }
    )*};
}

both_scalars!(Index Extent);

/// Subscripts, conversions, text, and the kernel type of `Index` or `Extent`.
macro_rules! shape {
    ($what:ident, $word:literal, $to:ident) => {
        impl<const N: usize> Default for $what<N> {
            /// All components 0.
            fn default() -> Self {
                const { assert!(N > 0, concat!("an ", $word, " has at least one dimension")) };
                $what([0; N])
            }
        }

        impl<const N: usize> std::fmt::Display for $what<N> {
            /// `[4, 6]`
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Debug::fmt(&self.0, f)
            }
        }

        impl<const N: usize, I: crate::api::shape::Int> std::ops::Index<I> for $what<N> {
            type Output = i32;

            #[inline(always)]
            #[track_caller]
            fn index(&self, i: I) -> &i32 {
                &self.0[crate::api::shape::arithmetic::component(i, N, $word)]
            }
        }

        impl<const N: usize, I: crate::api::shape::Int> std::ops::IndexMut<I> for $what<N> {
            #[inline(always)]
            #[track_caller]
            fn index_mut(&mut self, i: I) -> &mut i32 {
                &mut self.0[crate::api::shape::arithmetic::component(i, N, $word)]
            }
        }

        impl<const N: usize> From<[i32; N]> for $what<N> {
            fn from(components: [i32; N]) -> Self {
                const { assert!(N > 0, concat!("an ", $word, " has at least one dimension")) };
                $what(components)
            }
        }

        impl<const N: usize> From<$what<N>> for [i32; N] {
            fn from(from: $what<N>) -> Self {
                from.0
            }
        }

        crate::api::shape::arithmetic::convert!($what 1 i32: x is [x]);
        crate::api::shape::arithmetic::convert!($what 2 (i32, i32): (y, x) is [y, x]);
        crate::api::shape::arithmetic::convert!($what 3 (i32, i32, i32): (z, y, x) is [z, y, x]);

        impl<const N: usize> $what<N> {
            #[doc(hidden)]
            pub fn from_marked_amp<T>(components: T) -> crate::kernel::macro_support::Called<Self, mark::$to<N>>
            where
                Self: From<T>,
            {
                crate::kernel::macro_support::Called::new(components.into())
            }

            #[doc(hidden)]
            pub fn default_marked_amp() -> crate::kernel::macro_support::Called<Self, crate::kernel::numbers::Default<Self>> {
                crate::kernel::macro_support::Called::new(Self::default())
            }
        }

        #[diagnostic::do_not_recommend]
        impl<const N: usize> crate::kernel::types::KernelType for $what<N> {
            fn ty() -> crate::kernel::macro_support::RustType {
                crate::kernel::macro_support::RustType::$what(N as u32)
            }
        }

        #[diagnostic::do_not_recommend]
        impl<const N: usize> crate::kernel::types::KernelValue for $what<N> {
            fn leaves(&self, out: &mut Vec<u64>) {
                crate::kernel::types::KernelValue::leaves(&self.0, out);
            }

            fn zero() -> Self {
                $what([0; N])
            }
        }
    };
}

/// Conversions from and to a number or a tuple.
macro_rules! convert {
    ($what:ident $n:literal $t:ty: $parts:tt is $components:tt) => {
        impl From<$t> for $what<$n> {
            fn from($parts: $t) -> Self {
                $what($components)
            }
        }

        impl From<$what<$n>> for $t {
            fn from($what($components): $what<$n>) -> Self {
                $parts
            }
        }
    };
}

crate::kernel::companions::marks! {
    /// `to_array`
    ToArray => crate::kernel::macro_support::RustBuiltin::ToArray;
}

pub(super) use convert;
pub(super) use shape;
