//! The operators as types, and their meanings for numbers.

use std::cmp::Ordering;
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::{Compares, Form, Operates, RustBuiltin, name_of};
use crate::kernel::types::KernelType;
use crate::user_code::drop_payload;

macro_rules! operators {
    ($($(#[$doc:meta])* $name:ident)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name;
    )*};
}

operators! {
    /// `+`
    Add
    /// `-`
    Sub
    /// `*`
    Mul
    /// `/`
    Div
    /// `%`
    Rem
    /// `&`
    BitAnd
    /// `|`
    BitOr
    /// `^`
    BitXor
    /// `<<`
    Shl
    /// `>>`
    Shr
    /// `-` before its operand
    Neg
    /// `!`
    Not
    /// `==` and `!=`
    Equal
    /// `<`, `<=`, `>`, `>=`
    Order
}

/// The operator `K` with `=`: `+=`.
#[derive(Clone, Copy, Debug)]
pub struct Assign<K>(PhantomData<K>);

/// The operator's built-in meaning, for implementations of [`Operates`] and [`Compares`].
pub const OWN: Form = Form::Builtin(RustBuiltin::Operator);

/// [`OWN`], for the sign of a number whose type is that of a cast.
pub fn own() -> Form {
    OWN
}

/// The meaning of `==` of an enum: two values are equal if they are one variant.
///
/// `derive(PartialEq)` has that meaning, but a derive cannot see the other derives and impls. So
/// the program's own `==` is called for every pair of variants when a kernel that compares them is
/// made.
pub fn enum_equality<T>(variants: &[T]) -> Form
where
    T: for<'a> Equals<'a>,
{
    let is_by_variant = || {
        let fits = |a: &T, b: &T, same| a.equals(b) == same && a.differs(b) != same;
        let one = |(i, a): (usize, &T)| variants.iter().enumerate().all(|(j, b)| fits(a, b, i == j));
        variants.iter().enumerate().all(one)
    };
    match catch_unwind(AssertUnwindSafe(is_by_variant)) {
        Ok(true) => OWN,
        Ok(false) => Form::Builtin(RustBuiltin::OtherEquality(name_of::<T>())),
        Err(payload) => {
            drop_payload(payload);
            Form::Builtin(RustBuiltin::OtherEquality(name_of::<T>()))
        }
    }
}

/// The meaning of `<` and its like of an enum without fields: its variants are in the order of their
/// numbers, as `derive(PartialOrd)` has it. As with [`enum_equality`], the program's own is asked.
pub fn enum_order<T>(variants: &[T], number: impl Fn(&T) -> i64) -> Form
where
    T: for<'a> Ordered<'a>,
{
    let is_by_number = || {
        let operators = |order: Ordering| [order.is_lt(), order.is_le(), order.is_gt(), order.is_ge()];
        let fits = |a: &T, b: &T| {
            let order = number(a).cmp(&number(b));
            a.ordered(b) == Some(order) && a.by_operators(b) == operators(order)
        };
        variants.iter().all(|a| variants.iter().all(|b| fits(a, b)))
    };
    match catch_unwind(AssertUnwindSafe(is_by_number)) {
        Ok(true) => OWN,
        Ok(false) => Form::Builtin(RustBuiltin::OtherOrder(name_of::<T>())),
        Err(payload) => {
            drop_payload(payload);
            Form::Builtin(RustBuiltin::OtherOrder(name_of::<T>()))
        }
    }
}

/// The meaning of `cmp::min` or `cmp::max` of an enum without fields, by the numbers of its variants. As with
/// [`enum_equality`], the program's own is asked.
pub fn enum_choice<T>(variants: &[T], number: impl Fn(&T) -> i64, greatest: bool) -> Form
where
    T: Copy + for<'a> TotallyOrdered<'a>,
{
    let is_by_number = || {
        let fits = |&a: &T, &b: &T| {
            let (low, high) = (number(&a).min(number(&b)), number(&a).max(number(&b)));
            let [least, greatest] = a.least_and_greatest(b);
            (number(&least), number(&greatest)) == (low, high)
        };
        variants.iter().all(|a| variants.iter().all(|b| fits(a, b)))
    };
    Form::Builtin(match catch_unwind(AssertUnwindSafe(is_by_number)) {
        Ok(true) => RustBuiltin::Chosen(greatest),
        Ok(false) => RustBuiltin::OtherOrder(name_of::<T>()),
        Err(payload) => {
            drop_payload(payload);
            RustBuiltin::OtherOrder(name_of::<T>())
        }
    })
}

/// The meaning of `cmp` of an enum without fields, by the numbers of its variants. As with [`enum_equality`], the
/// program's own is asked.
pub fn enum_total_order<T>(variants: &[T], number: impl Fn(&T) -> i64) -> Form
where
    T: for<'a> TotallyOrdered<'a>,
{
    let is_by_number = || {
        let fits = |a: &T, b: &T| a.totally_ordered(b) == number(a).cmp(&number(b));
        variants.iter().all(|a| variants.iter().all(|b| fits(a, b)))
    };
    Form::Builtin(match catch_unwind(AssertUnwindSafe(is_by_number)) {
        Ok(true) => RustBuiltin::Compare(Ordering::ty()),
        Ok(false) => RustBuiltin::OtherOrder(name_of::<T>()),
        Err(payload) => {
            drop_payload(payload);
            RustBuiltin::OtherOrder(name_of::<T>())
        }
    })
}

/// The variants of an enum without fields, which may be `Ord`.
#[derive(Debug)]
pub struct VariantsInOrder<'v, T>(pub &'v [T]);

impl<T> VariantsInOrder<'_, T>
where
    T: for<'a> TotallyOrdered<'a>,
{
    /// The refusal of methods that go by `Ord`, if that is not the order of the numbers.
    pub fn other_order(self, number: impl Fn(&T) -> i64) -> Option<Form> {
        let form = enum_total_order(self.0, number);
        matches!(form, Form::Builtin(RustBuiltin::OtherOrder(_))).then_some(form)
    }
}

/// The answer for an enum that is not `Ord`: nothing goes by that.
pub trait NoTotalOrder<T>: Sized {
    /// Nothing is refused.
    fn other_order(self, _: impl Fn(&T) -> i64) -> Option<Form> {
        None
    }
}

impl<T> NoTotalOrder<T> for VariantsInOrder<'_, T> {}

/// Is `Ord`. The lifetime means nothing, as in [`Equals`].
pub trait TotallyOrdered<'a>: Sized {
    /// `self.cmp(other)`
    fn totally_ordered(&self, other: &Self) -> Ordering;
    /// `cmp::min` and `cmp::max` of both.
    fn least_and_greatest(self, other: Self) -> [Self; 2];
}

#[diagnostic::do_not_recommend]
impl<T: Ord + Copy> TotallyOrdered<'_> for T {
    fn totally_ordered(&self, other: &Self) -> Ordering {
        self.cmp(other)
    }

    fn least_and_greatest(self, other: Self) -> [Self; 2] {
        [self.min(other), self.max(other)]
    }
}

/// Has a `<`. The lifetime means nothing, as in [`Equals`].
pub trait Ordered<'a> {
    /// `self.partial_cmp(other)`
    fn ordered(&self, other: &Self) -> Option<Ordering>;
    /// `<`, `<=`, `>` and `>=`, which an `impl` may write itself.
    fn by_operators(&self, other: &Self) -> [bool; 4];
}

#[diagnostic::do_not_recommend]
impl<T: PartialOrd> Ordered<'_> for T {
    fn ordered(&self, other: &Self) -> Option<Ordering> {
        self.partial_cmp(other)
    }

    fn by_operators(&self, other: &Self) -> [bool; 4] {
        [self < other, self <= other, self > other, self >= other]
    }
}

/// Has a `==`. The lifetime means nothing, as in [`Copied`](super::Copied): an enum without `==` is
/// not an error as long as no kernel compares it.
pub trait Equals<'a> {
    /// `self == other`
    fn equals(&self, other: &Self) -> bool;
    /// `self != other`, which an `impl` may write itself.
    fn differs(&self, other: &Self) -> bool;
}

#[diagnostic::do_not_recommend]
impl<T: PartialEq> Equals<'_> for T {
    fn equals(&self, other: &Self) -> bool {
        self == other
    }

    fn differs(&self, other: &Self) -> bool {
        self != other
    }
}

/// Numbers, `bool` and `char`.
///
/// One implementation serves all operators: rustc has already checked which operators the types
/// have and with which result, and a mistake should be reported once.
pub trait Plain {}

/// A part of a tuple or an array that is compared: a plain value, or a tuple or an array of such.
pub trait PlainPart {}

macro_rules! plain {
    ($($t:ty)*) => {$(
        #[diagnostic::do_not_recommend]
        impl Plain for $t {}
        #[diagnostic::do_not_recommend]
        impl PlainPart for $t {}
    )*};
}

plain!(bool char i8 u8 i16 u16 i32 u32 i64 u64 f32 f64 usize isize);

// Rust's operators take references to numbers too, with the same results.
#[diagnostic::do_not_recommend]
impl<T: Plain> Plain for &T {}

#[diagnostic::do_not_recommend]
impl<T: PlainPart> PlainPart for &T {}

#[diagnostic::do_not_recommend]
impl<T: PlainPart, const N: usize> PlainPart for [T; N] {}

#[diagnostic::do_not_recommend]
impl<T: PlainPart> PlainPart for Option<T> {}

macro_rules! plain_tuples {
    ($(($($t:ident)+))*) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($t: PlainPart),+> PlainPart for ($($t,)+) {}
    )*};
}

plain_tuples!((A)(A B)(A B C)(A B C D));

#[diagnostic::do_not_recommend]
impl<K, L: Plain, R: Plain, O> Operates<K, L, R> for O {
    fn form() -> Form {
        OWN
    }
}

/// Unary operators.
#[diagnostic::do_not_recommend]
impl<K, L: Plain, O> Operates<K, L, ()> for O {
    fn form() -> Form {
        OWN
    }
}

// As with `Operates`, rustc has found the operands to be of one type, or has reported them.
macro_rules! compares {
    ($op:ident: $($t:ty)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<R: Plain> Compares<$op, R> for $t {
            fn form() -> Form {
                OWN
            }
        }
    )*};
}

// Tuples and arrays are equal, if all their parts are; the first part that differs decides their order.
macro_rules! tuples_compared {
    ($op:ident: $(($($t:ident $r:ident)+))*) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($t: PlainPart, $r: PlainPart),+> Compares<$op, ($($r,)+)> for ($($t,)+) {
            fn form() -> Form {
                OWN
            }
        }
    )*};
}

macro_rules! parts_compared {
    ($($op:ident)*) => {$(
        tuples_compared! {
            $op:
            (A X)
            (A X B Y)
            (A X B Y C Z)
            (A X B Y C Z D W)
        }

        #[diagnostic::do_not_recommend]
        impl<T: PlainPart, R: PlainPart, const N: usize> Compares<$op, [R; N]> for [T; N] {
            fn form() -> Form {
                OWN
            }
        }
    )*};
}

/// References are compared by what they refer to, as in Rust.
#[diagnostic::do_not_recommend]
impl<K, L: Compares<K, R>, R> Compares<K, &R> for &L {
    const LITERALS_AGREE: bool = L::LITERALS_AGREE;

    fn form() -> Form {
        L::form()
    }
}

parts_compared!(Equal Order);
compares!(Equal: bool char i8 u8 i16 u16 i32 u32 i64 u64 f32 f64 usize isize);
compares!(Order: bool char i8 u8 i16 u16 i32 u32 i64 u64 f32 f64 usize isize);
