//! Methods of `bool` and `Option` that are written in the kernel language.

#![allow(clippy::wrong_self_convention, reason = "the names are those of the standard library's methods")]

use crate::amp;
use crate::kernel::types::KernelValue;

/// Methods of `bool`.
#[amp]
pub trait TruthMethods {
    /// The value, if it is true.
    fn then_some<T: KernelValue>(self, value: T) -> Option<T>;
    /// The result of `f`, if it is true.
    fn then<T: KernelValue, F: FnOnce() -> T>(self, f: F) -> Option<T>;
}

#[amp]
impl TruthMethods for bool {
    fn then_some<T: KernelValue>(self, value: T) -> Option<T> {
        if self { Some(value) } else { None }
    }

    fn then<T: KernelValue, F: FnOnce() -> T>(self, f: F) -> Option<T> {
        if self { Some(f()) } else { None }
    }
}

/// Methods of `Option`; more are in [`OptionMethods`](crate::macro_support::OptionMethods).
#[amp]
pub trait OptionChanges<T: KernelValue> {
    /// The value, for which it then has `None`.
    fn take(&mut self) -> Option<T>;
    /// The value before, for which it then has another.
    fn replace(&mut self, value: T) -> Option<T>;
    /// The value, if it is right.
    fn filter<F: FnOnce(&T) -> bool>(self, right: F) -> Option<T>;
    /// The one that has a value, if it is one only.
    fn xor(self, other: Option<T>) -> Option<T>;
    /// Is there no value, or a right one?
    fn is_none_or<F: FnOnce(T) -> bool>(self, right: F) -> bool;
    /// The one that has a value, `other` called only where it is needed.
    fn or_else<F: FnOnce() -> Option<T>>(self, other: F) -> Option<T>;
    /// The result of one of the two functions.
    fn map_or_else<U: KernelValue, D: FnOnce() -> U, F: FnOnce(T) -> U>(self, other: D, f: F) -> U;
    /// Both values.
    fn zip<U: KernelValue>(self, other: Option<U>) -> Option<(T, U)>;
}

#[amp]
impl<T: KernelValue> OptionChanges<T> for Option<T> {
    fn take(&mut self) -> Option<T> {
        let before = *self;
        *self = None;
        before
    }

    fn replace(&mut self, value: T) -> Option<T> {
        let before = *self;
        *self = Some(value);
        before
    }

    fn filter<F: FnOnce(&T) -> bool>(self, right: F) -> Option<T> {
        match self {
            Some(value) => {
                if right(&value) {
                    Some(value)
                } else {
                    None
                }
            }
            None => None,
        }
    }

    fn xor(self, other: Option<T>) -> Option<T> {
        match (self, other) {
            (Some(value), None) | (None, Some(value)) => Some(value),
            _ => None,
        }
    }

    fn is_none_or<F: FnOnce(T) -> bool>(self, right: F) -> bool {
        match self {
            Some(value) => right(value),
            None => true,
        }
    }

    fn or_else<F: FnOnce() -> Option<T>>(self, other: F) -> Option<T> {
        match self {
            Some(value) => Some(value),
            None => other(),
        }
    }

    fn map_or_else<U: KernelValue, D: FnOnce() -> U, F: FnOnce(T) -> U>(self, other: D, f: F) -> U {
        match self {
            Some(value) => f(value),
            None => other(),
        }
    }

    fn zip<U: KernelValue>(self, other: Option<U>) -> Option<(T, U)> {
        match (self, other) {
            (Some(a), Some(b)) => Some((a, b)),
            _ => None,
        }
    }
}

/// The method of all that is plain data.
#[amp]
pub trait Copies {
    /// A copy.
    #[must_use]
    fn clone(&self) -> Self;
}

#[amp]
impl<T: KernelValue> Copies for T {
    fn clone(&self) -> T {
        *self
    }
}

/// The method of an `Option` in an `Option`.
#[amp]
pub trait NestedOption<T: KernelValue> {
    /// The inner one.
    fn flatten(self) -> Option<T>;
}

#[amp]
impl<T: KernelValue> NestedOption<T> for Option<Option<T>> {
    fn flatten(self) -> Option<T> {
        match self {
            Some(inner) => inner,
            None => None,
        }
    }
}

/// The method of arrays that is no slice's.
#[amp]
pub trait ArrayMap<T: KernelValue, const N: usize> {
    /// An array of what a function gives for each element.
    fn map<U: KernelValue, F: FnMut(T) -> U>(self, f: F) -> [U; N];
}

#[amp]
impl<T: KernelValue, const N: usize> ArrayMap<T, N> for [T; N] {
    fn map<U: KernelValue, F: FnMut(T) -> U>(self, mut f: F) -> [U; N] {
        let mut all = <[U; N]>::zeros();
        for i in 0..N {
            all[i] = f(self[i]);
        }
        all
    }
}
