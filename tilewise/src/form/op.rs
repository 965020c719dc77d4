//! The operators, as types; and what they mean for numbers.

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

/// Numbers and `bool`.
///
/// Which operators they have, and with which result, is not asked again here: rustc has done so, and where it found a mistake, once is enough. So one implementation serves for all.
pub trait Plain {}

macro_rules! plain {
    ($($t:ty)*) => { $(#[diagnostic::do_not_recommend] impl Plain for $t {})* };
}

plain!(bool i32 u32 i64 u64 f32 f64 usize isize);

#[diagnostic::do_not_recommend]
impl<K, L: Plain, R: Plain, O> Operates<K, L, R> for O {
    fn form() -> Form {
        OWN
    }
}

/// With one operand.
#[diagnostic::do_not_recommend]
impl<K, L: Plain, O> Operates<K, L, ()> for O {
    fn form() -> Form {
        OWN
    }
}

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
