//! The operators, as types; and what they mean for numbers.
//!
//! The result of an operator on numbers is not looked at here: where it is not the one that the program needs, rustc has said so, and once is enough.

use super::{Builtin, Compares, Form, Operates};

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

/// The operator's own meaning: for implementing [`Operates`] and [`Compares`].
pub const OWN: Form = Form::Builtin(Builtin::Operator);

macro_rules! binary {
    ($($op:ident)*: $types:tt) => { $(binary!(@ $op $types);)* };
    (@ $op:ident ($($t:ty)*)) => {$(
        #[diagnostic::do_not_recommend]
        impl<O> Operates<$op, $t, $t> for O {
            fn form() -> Form {
                OWN
            }
        }
    )*};
}

binary!(Add Sub Mul Div Rem: (i32 u32 i64 u64 f32 f64 usize isize));
binary!(BitAnd BitOr BitXor: (bool i32 u32 i64 u64 usize isize));

macro_rules! shifts {
    ($($left:ty)*: $rights:tt) => { $(shifts!(@ $left, $rights);)* };
    (@ $left:ty, ($($right:ty)*)) => {$(
        #[diagnostic::do_not_recommend]
        impl<O> Operates<Shl, $left, $right> for O {
            fn form() -> Form {
                OWN
            }
        }

        #[diagnostic::do_not_recommend]
        impl<O> Operates<Shr, $left, $right> for O {
            fn form() -> Form {
                OWN
            }
        }
    )*};
}

shifts!(i32 u32 i64 u64 usize isize: (i32 u32 i64 u64 usize isize));

macro_rules! unary {
    ($op:ident: $($t:ty)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<O> Operates<$op, $t, ()> for O {
            fn form() -> Form {
                OWN
            }
        }
    )*};
}

unary!(Neg: i32 i64 f32 f64 isize);
unary!(Not: bool i32 u32 i64 u64 usize isize);

macro_rules! compares {
    ($op:ident: $($t:ty)*) => {$(
        #[diagnostic::do_not_recommend]
        impl Compares<$op> for $t {
            fn form() -> Form {
                OWN
            }
        }
    )*};
}

compares!(Equal: bool i32 u32 i64 u64 f32 f64 usize isize);
compares!(Order: i32 u32 i64 u64 f32 f64 usize isize);
