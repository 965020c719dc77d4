//! Methods of `bool`, `Option` and `Result` that are written in the kernel language.

#![allow(clippy::wrong_self_convention, reason = "the names are those of the standard library's methods")]

use crate::amp;
use crate::kernel::macro_support::{Called, HeldValue};
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
pub trait OptionChanges<T: HeldValue> {
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
    fn map_or_else<U: HeldValue, D: FnOnce() -> U, F: FnOnce(T) -> U>(self, other: D, f: F) -> U;
    /// Both values.
    fn zip<U: HeldValue>(self, other: Option<U>) -> Option<(T, U)>;
    /// The value; if there is none, the `Default` of its type.
    fn unwrap_or_default(self) -> T
    where
        T: Default + KernelValue;
    /// Another value, which it then has: a copy of that, as for the two below.
    fn tilewise_inserted(&mut self, value: T) -> T;
    /// The value; if there is none, this one, which it then has.
    fn tilewise_got_or_inserted(&mut self, value: T) -> T;
    /// The same, `f` called only where it is needed.
    fn tilewise_got_or_inserted_with<F: FnOnce() -> T>(&mut self, f: F) -> T;
    /// Shows the value to a function.
    #[must_use]
    fn inspect<F: FnOnce(&T)>(self, f: F) -> Option<T>;
    /// Itself, for methods that change nothing but the kind of reference.
    fn tilewise_itself(self) -> Option<T>;
    /// The value, or an error.
    fn ok_or<E: HeldValue>(self, error: E) -> Result<T, E>;
    /// The same, `error` called only where it is needed.
    fn ok_or_else<E: HeldValue, F: FnOnce() -> E>(self, error: F) -> Result<T, E>;
}

#[amp]
impl<T: HeldValue> OptionChanges<T> for Option<T> {
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

    fn map_or_else<U: HeldValue, D: FnOnce() -> U, F: FnOnce(T) -> U>(self, other: D, f: F) -> U {
        match self {
            Some(value) => f(value),
            None => other(),
        }
    }

    fn zip<U: HeldValue>(self, other: Option<U>) -> Option<(T, U)> {
        match (self, other) {
            (Some(a), Some(b)) => Some((a, b)),
            _ => None,
        }
    }

    fn unwrap_or_default(self) -> T
    where
        T: Default + KernelValue,
    {
        match self {
            Some(value) => value,
            None => Default::default(),
        }
    }

    fn tilewise_inserted(&mut self, value: T) -> T {
        *self = Some(value);
        value
    }

    fn tilewise_got_or_inserted(&mut self, value: T) -> T {
        match *self {
            Some(before) => before,
            None => {
                *self = Some(value);
                value
            }
        }
    }

    fn tilewise_got_or_inserted_with<F: FnOnce() -> T>(&mut self, f: F) -> T {
        match *self {
            Some(before) => before,
            None => {
                let value = f();
                *self = Some(value);
                value
            }
        }
    }

    fn inspect<F: FnOnce(&T)>(self, f: F) -> Option<T> {
        if let Some(value) = self {
            f(&value);
        }
        self
    }

    fn tilewise_itself(self) -> Option<T> {
        self
    }

    fn ok_or<E: HeldValue>(self, error: E) -> Result<T, E> {
        match self {
            Some(value) => Ok(value),
            None => Err(error),
        }
    }

    fn ok_or_else<E: HeldValue, F: FnOnce() -> E>(self, error: F) -> Result<T, E> {
        match self {
            Some(value) => Ok(value),
            None => Err(error()),
        }
    }
}

/// Methods of `Result`.
#[amp]
pub trait ResultMethods<T: HeldValue, E: HeldValue> {
    /// Has it a value?
    fn is_ok(&self) -> bool;
    /// Has it an error?
    fn is_err(&self) -> bool;
    /// Has it a right value?
    fn is_ok_and<F: FnOnce(T) -> bool>(self, right: F) -> bool;
    /// The value, if it has one.
    fn ok(self) -> Option<T>;
    /// The error, if it has one.
    fn err(self) -> Option<E>;
    /// The value, or another one.
    fn unwrap_or(self, other: T) -> T;
    /// The value, or what a function gives for the error.
    fn unwrap_or_else<F: FnOnce(E) -> T>(self, other: F) -> T;
    /// The value; if there is none, the `Default` of its type.
    fn unwrap_or_default(self) -> T
    where
        T: Default + KernelValue;
    /// With what a function gives for the value.
    fn map<U: HeldValue, F: FnOnce(T) -> U>(self, f: F) -> Result<U, E>;
    /// With what a function gives for the error.
    fn map_err<G: HeldValue, F: FnOnce(E) -> G>(self, f: F) -> Result<T, G>;
    /// What a function gives for the value, or another value.
    fn map_or<U: HeldValue, F: FnOnce(T) -> U>(self, other: U, f: F) -> U;
    /// The result of one of the two functions.
    fn map_or_else<U: HeldValue, D: FnOnce(E) -> U, F: FnOnce(T) -> U>(self, other: D, f: F) -> U;
    /// What a function gives for the value.
    fn and_then<U: HeldValue, F: FnOnce(T) -> Result<U, E>>(self, f: F) -> Result<U, E>;
    /// What a function gives for the error.
    fn or_else<G: HeldValue, F: FnOnce(E) -> Result<T, G>>(self, f: F) -> Result<T, G>;
}

#[amp]
impl<T: HeldValue, E: HeldValue> ResultMethods<T, E> for Result<T, E> {
    fn is_ok(&self) -> bool {
        match *self {
            Ok(_) => true,
            Err(_) => false,
        }
    }

    fn is_err(&self) -> bool {
        match *self {
            Ok(_) => false,
            Err(_) => true,
        }
    }

    fn is_ok_and<F: FnOnce(T) -> bool>(self, right: F) -> bool {
        match self {
            Ok(value) => right(value),
            Err(_) => false,
        }
    }

    fn ok(self) -> Option<T> {
        match self {
            Ok(value) => Some(value),
            Err(_) => None,
        }
    }

    fn err(self) -> Option<E> {
        match self {
            Ok(_) => None,
            Err(error) => Some(error),
        }
    }

    fn unwrap_or(self, other: T) -> T {
        match self {
            Ok(value) => value,
            Err(_) => other,
        }
    }

    fn unwrap_or_else<F: FnOnce(E) -> T>(self, other: F) -> T {
        match self {
            Ok(value) => value,
            Err(error) => other(error),
        }
    }

    fn unwrap_or_default(self) -> T
    where
        T: Default + KernelValue,
    {
        match self {
            Ok(value) => value,
            Err(_) => Default::default(),
        }
    }

    fn map<U: HeldValue, F: FnOnce(T) -> U>(self, f: F) -> Result<U, E> {
        match self {
            Ok(value) => Ok(f(value)),
            Err(error) => Err(error),
        }
    }

    fn map_err<G: HeldValue, F: FnOnce(E) -> G>(self, f: F) -> Result<T, G> {
        match self {
            Ok(value) => Ok(value),
            Err(error) => Err(f(error)),
        }
    }

    fn map_or<U: HeldValue, F: FnOnce(T) -> U>(self, other: U, f: F) -> U {
        match self {
            Ok(value) => f(value),
            Err(_) => other,
        }
    }

    fn map_or_else<U: HeldValue, D: FnOnce(E) -> U, F: FnOnce(T) -> U>(self, other: D, f: F) -> U {
        match self {
            Ok(value) => f(value),
            Err(error) => other(error),
        }
    }

    fn and_then<U: HeldValue, F: FnOnce(T) -> Result<U, E>>(self, f: F) -> Result<U, E> {
        match self {
            Ok(value) => f(value),
            Err(error) => Err(error),
        }
    }

    fn or_else<G: HeldValue, F: FnOnce(E) -> Result<T, G>>(self, f: F) -> Result<T, G> {
        match self {
            Ok(value) => Ok(value),
            Err(error) => f(error),
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
impl<T: HeldValue> Copies for T {
    fn clone(&self) -> T {
        *self
    }
}

/// The methods of an `Option` that give references to its value. A kernel has the value in their place, so those that
/// give a `&mut` elsewhere give a `&` here: rustc then refuses a change through it, which the `Option` would not see.
pub trait ReferenceOptions<T: HeldValue> {
    /// The companion of `as_ref`.
    fn as_ref_marked_amp(&self) -> Called<Option<&T>, SameOption<T>>;
    /// The companion of `insert`.
    fn insert_marked_amp(&mut self, value: T) -> Called<&T, Inserted<T>>;
    /// The companion of `get_or_insert`.
    fn get_or_insert_marked_amp(&mut self, value: T) -> Called<&T, GotOrInserted<T>>;
    /// The companion of `get_or_insert_with`.
    fn get_or_insert_with_marked_amp<F: FnOnce() -> T>(&mut self, f: F) -> Called<&T, GotOrInsertedWith<T>>;
}

impl<T: HeldValue> ReferenceOptions<T> for Option<T> {
    #[inline(always)]
    fn as_ref_marked_amp(&self) -> Called<Option<&T>, SameOption<T>> {
        Called::new(self.as_ref())
    }

    #[inline(always)]
    fn insert_marked_amp(&mut self, value: T) -> Called<&T, Inserted<T>> {
        Called::new(self.insert(value))
    }

    #[inline(always)]
    fn get_or_insert_marked_amp(&mut self, value: T) -> Called<&T, GotOrInserted<T>> {
        Called::new(self.get_or_insert(value))
    }

    #[inline(always)]
    fn get_or_insert_with_marked_amp<F: FnOnce() -> T>(&mut self, f: F) -> Called<&T, GotOrInsertedWith<T>> {
        Called::new(self.get_or_insert_with(f))
    }
}

/// The methods of an `Option` of a reference that copy the value.
pub trait CopiedOptions<T: HeldValue>: Sized {
    /// The companion of `copied`.
    fn copied_marked_amp(self) -> Called<Option<T>, SameOption<T>>;
    /// The companion of `cloned`.
    fn cloned_marked_amp(self) -> Called<Option<T>, SameOption<T>>;
}

impl<T: HeldValue> CopiedOptions<T> for Option<&T> {
    #[inline(always)]
    fn copied_marked_amp(self) -> Called<Option<T>, SameOption<T>> {
        Called::new(self.copied())
    }

    #[inline(always)]
    fn cloned_marked_amp(self) -> Called<Option<T>, SameOption<T>> {
        Called::new(self.copied())
    }
}

/// The function of the kernel language that gives the `Option` itself.
type SameOption<T> = OptionChanges_tilewise_itself_marked_amp<Option<T>, T>;

/// The functions of the kernel language that give the value.
type Inserted<T> = OptionChanges_tilewise_inserted_marked_amp<Option<T>, T>;
type GotOrInserted<T> = OptionChanges_tilewise_got_or_inserted_marked_amp<Option<T>, T>;
type GotOrInsertedWith<T> = OptionChanges_tilewise_got_or_inserted_with_marked_amp<Option<T>, T>;

/// The method of an `Option` in an `Option`.
#[amp]
pub trait NestedOption<T: HeldValue> {
    /// The inner one.
    fn flatten(self) -> Option<T>;
}

#[amp]
impl<T: HeldValue> NestedOption<T> for Option<Option<T>> {
    fn flatten(self) -> Option<T> {
        match self {
            Some(inner) => inner,
            None => None,
        }
    }
}

/// Arrays that a function fills.
#[amp]
pub trait ArrayMade<T: KernelValue, const N: usize> {
    /// An array of what a function gives for the position of each element.
    fn tilewise_made<F: FnMut(usize) -> T>(f: F) -> [T; N];
}

#[amp]
impl<T: KernelValue, const N: usize> ArrayMade<T, N> for [T; N] {
    fn tilewise_made<F: FnMut(usize) -> T>(mut f: F) -> [T; N] {
        let mut all = <[T; N]>::zeros();
        for i in 0..N {
            all[i] = f(i);
        }
        all
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
