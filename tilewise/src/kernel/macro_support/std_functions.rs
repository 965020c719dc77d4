//! Functions of the standard library that kernels call by their own paths, `mem::swap(&mut a, &mut b)`:
//! their markers, as `#[amp]` makes them for other functions. [`call`](super::call) explains how a call
//! finds its marker; one of these is taken where the program has no marked function of the name.

#![allow(non_camel_case_types, reason = "a marker has the name of its function")]

use std::marker::PhantomData;
use std::{array, cmp, mem};

use super::call::Named;
use super::{Called, Form, KernelFn, RustBuiltin};
use crate::kernel::numbers::Default;
use crate::kernel::orders::ChosenByOrder;
use crate::kernel::types::{KernelType, KernelValue};
use crate::kernel::written::ArrayMade_tilewise_made_marked_amp;

macro_rules! marked {
    ($($(#[$doc:meta])* $name:ident of $path:path: $($bound:path),+; ($($x:ident: $t:ty),*) -> $r:ty => $form:expr;)*) => {$(
        $(#[$doc])*
        #[derive(Debug)]
        pub struct $name<T>(PhantomData<T>);

        impl<T: $($bound +)+> $name<T> {
            /// Its companion.
            #[inline(always)]
            pub fn marked_amp($($x: $t),*) -> Called<$r, Self> {
                Called::new($path($($x),*))
            }

            /// Compares it with what Rust calls by its name.
            #[inline(always)]
            pub fn named_amp<F>(function: F) -> Named<Self, impl Sized> {
                use $path as function_of_std;
                Named::new(function_of_std::<T>, function)
            }
        }

        impl<T: $($bound +)+> KernelFn for $name<T> {
            fn form() -> Form {
                $form
            }
        }
    )*};
}

marked! {
    /// `mem::swap`
    swap of mem::swap: KernelType; (a: &mut T, b: &mut T) -> () => Form::Builtin(RustBuiltin::Swap);
    /// `mem::replace`
    replace of mem::replace: KernelType; (place: &mut T, value: T) -> T => Form::Builtin(RustBuiltin::Replace);
    /// `mem::take`
    take of mem::take: std::default::Default, KernelValue; (place: &mut T) -> T => {
        Form::Builtin(RustBuiltin::Take(Box::new(Default::<T>::value())))
    };
    /// `cmp::min`
    min of cmp::min: Ord, ChosenByOrder; (a: T, b: T) -> T => T::chosen(false);
    /// `cmp::max`
    max of cmp::max: Ord, ChosenByOrder; (a: T, b: T) -> T => T::chosen(true);
}

/// `array::from_fn`
#[derive(Debug)]
pub struct from_fn<T, const N: usize, F>(PhantomData<(T, F)>);

/// The function of the kernel language that makes an array.
type MadeArray<T, const N: usize> = ArrayMade_tilewise_made_marked_amp<[T; N], T, N>;

impl<T: KernelValue, const N: usize, F: FnMut(usize) -> T> from_fn<T, N, F> {
    /// Its companion.
    #[inline(always)]
    pub fn marked_amp(f: F) -> Called<[T; N], MadeArray<T, N>> {
        Called::new(array::from_fn(f))
    }
}

impl<T: KernelValue, const N: usize> from_fn<T, N, fn(usize) -> T> {
    /// Compares it with what Rust calls by its name.
    #[inline(always)]
    pub fn named_amp<F>(function: F) -> Named<MadeArray<T, N>, impl Sized> {
        Named::new(array::from_fn::<T, N, fn(usize) -> T>, function)
    }
}

/// Proves that two functions are one.
#[inline(always)]
pub fn same_function<F>(_: F, _: F) {}

/// `Default::default()` of the type that the context wants.
#[inline(always)]
pub fn default<T: std::default::Default + KernelValue>(function: impl Fn() -> T) -> Called<T, Default<T>> {
    Called::new(function())
}
